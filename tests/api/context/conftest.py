"""A world in which a player and an NPC have met."""

import pytest

from episodes.embedding.actions.embeddings import embed_messages
from tenancy.actions.end_users import ensure_end_user
from tests.api.context.requests import BELL
from tests.factories.campaigns import add_event, add_scene, start
from tests.factories.canon import make_article, publish
from tests.factories.conversations import open_chat, say
from tests.factories.npcs import make_npc


@pytest.fixture
def canon(world):
    publish(world, make_article("ferry-bell", BELL), make_article("salt-tax", "The salt tax is paid in silver."))
    return world


@pytest.fixture
def player(tenant):
    return ensure_end_user(tenant_id=tenant.pk, external_id="p1")


@pytest.fixture
def bargain(world):
    """The bridge, where one NPC was; later the gate, where another was; and a quest that ended."""
    start(world)
    add_scene(world, flags={"gate_moon_door": "open", "toll_paid": True})
    add_scene(
        world,
        summary_id="sum_2",
        scene_id="scn_2",
        minute=9,
        npcs=["npc_Oda"],
        notes="The gate fell shut behind the party.",
        flags={"gate_moon_door": "shut"},
        what={"event": "trap", "outcome": "failure"},
    )
    add_event(world, party_id="pty_1", minute=12, flags={"quest_moon_key": "completed"})
    return world


@pytest.fixture
def keeper(bargain):
    """The NPC of the bridge, who came to like the party."""
    make_npc(
        bargain,
        "npc_LiShen",
        names={"ru": "Ли-Шэнь"},
        archetype="ronin",
        persona="Speaks little and keeps promises.",
        secrets=["The scar on the left cheek is self-made."],
    )
    delta = {"npc_id": "npc_LiShen", "towards": "party", "delta": 2, "reason": "kept promise"}
    add_scene(bargain, summary_id="sum_4", minute=30, relations_delta=[delta])
    return bargain


@pytest.fixture
def remembered(tenant, player, keeper, django_capture_on_commit_callbacks):
    """Talks of one player with two NPCs, embedded; the newest lines of the first are about something else."""

    def talk(npc_id, *lines):
        chat = open_chat(tenant, "p1", world=keeper, npc_id=npc_id)
        say(chat, *lines)
        embed_messages(chat.pk)

    talk(
        "npc_LiShen",
        ("user", "My sister fights with my mother again and I cannot sleep."),
        ("assistant", "Three lanterns hang here: a red one, a blue one and a white one."),
        ("user", "The second!"),
        *((("user", "assistant")[n % 2], f"Rain falls on the bridge, drop {n}.") for n in range(12)),
    )
    talk("npc_Oda", ("user", "I hid the second lantern under the gate, tell nobody."))
    return player
