"""`POST context`: what one turn needs, in one call."""

import threading
from dataclasses import replace
from pathlib import Path

import pytest
from django.conf import settings

from episodes.actions.conversations import open_conversation
from episodes.actions.messages import store_messages
from episodes.core.drafts import MessageDraft
from knowledge.facts.actions import apply_facts
from knowledge.facts.core.drafts import FactDraft
from memoryproject import beside
from runtime.config import load_budgets, parse_budget_file
from runtime.selectors import context, context_memory
from tenancy.actions.end_users import ensure_end_user
from tests.conftest import flush_redis_keys
from tests.episodes.play import start, tell, tell_event
from tests.loopback_openai import serve_openai
from tests.worlds import make_article, publish

BELL = "The ferry bell of Selmar is rung at dusk by Oda Marr. Nobody else may touch the rope."


@pytest.fixture
def canon(world):
    publish(world, make_article("ferry-bell", BELL), make_article("salt-tax", "The salt tax is paid in silver."))
    return world


@pytest.fixture
def player(tenant):
    return ensure_end_user(tenant_id=tenant.pk, external_id="p1")


def ask(api, message="Who rings the ferry bell at dusk?", **more):
    response = api.post("context", {"message": message, **more})
    assert response.status_code == 200, response.content
    return response.json()


def layer(pack, name):
    return next((each["items"] for each in pack["layers"] if each["name"] == name), [])


def test_pack_tells_canon_with_its_source_and_renders_it(api, canon):
    pack = ask(api)
    (first, *_) = layer(pack, "lore")
    assert first["provenance"]["ids"]["slug"] == "ferry-bell"
    assert first["provenance"]["release"] == pack["releases"]["lore"] == 1
    assert first["provenance"]["scores"]["bm25"] > 0
    system, words = pack["messages"]
    assert "rung at dusk by Oda Marr" in system["content"]
    assert words == {"role": "user", "content": "Who rings the ferry bell at dusk?"}
    assert pack["tokens"] <= pack["budget"] == 1800


@pytest.mark.parametrize("location_id", ["moon-bridge", "loc_moon_bridge"])
def test_lore_on_the_place_comes_first_and_is_cut_last(api, world, location_id):
    keys = (make_article(f"brass-key-{n}", f"The brass key number {n} opens the brass gate.") for n in range(3))
    publish(world, make_article("moon-bridge", "The moon bridge is made of bone."), *keys)
    question = "Where is the brass key to the brass gate?"
    assert layer(ask(api, question), "lore")[0]["provenance"]["ids"]["slug"].startswith("brass-key")
    assert layer(ask(api, question, location_id=location_id), "lore")[0]["provenance"]["ids"]["slug"] == "moon-bridge"
    only = ask(api, question, location_id=location_id, budget={"layers": {"lore": {"max_items": 1}}})
    assert [item["provenance"]["ids"]["slug"] for item in layer(only, "lore")] == ["moon-bridge"]


def write_rules(world):
    """Rules, one of which shares `bell` with what is asked of the ferry."""
    publish(
        world,
        make_article("clasped", "A clasped creature can't leave the spot.", aliases=["Held"], rule_id="COND-01"),
        make_article(
            "hushed", "A hushed creature can't speak. A bell that is rung at dusk ends it.", rule_id="COND-02"
        ),
        domain="srd",
    )


def set_gate(monkeypatch, **changes):
    gate = replace(load_budgets().to_rules_gate(), **changes)
    monkeypatch.setattr("runtime.config.BudgetFile.to_rules_gate", lambda _: gate)


def list_slugs(items):
    return [item["provenance"]["ids"]["slug"] for item in items]


def test_a_rule_is_told_where_the_message_names_it(api, canon):
    write_rules(canon)
    pack = ask(api, "I am clasped! Who rings the ferry bell?")
    assert list_slugs(layer(pack, "rules")) == ["clasped"]
    assert layer(pack, "rules")[0]["provenance"]["scores"]["message_share"] > 0.15
    assert "can't leave the spot" in pack["messages"][0]["content"]


def test_a_rule_that_only_shares_a_word_is_kept_back_and_the_pack_says_why(api, canon):
    write_rules(canon)
    pack = ask(api, "Who owns the ferry, its rope, and the bell?")
    assert not layer(pack, "rules")
    (kept_back,) = [cut for cut in pack["cut"] if cut["layer"] == "rules"]
    assert (kept_back["reason"], list_slugs([kept_back])) == ("not_called_for", ["hushed"])
    assert 0 < kept_back["provenance"]["scores"]["message_share"] < 0.4
    assert kept_back["tokens"] > 0
    assert "hushed" not in pack["messages"][0]["content"].lower()


def test_the_place_of_a_turn_calls_for_no_rule(api, canon):
    write_rules(canon)
    named = ask(api, "Who rings the ferry bell, and who is hushed by it?", location_id="quay")
    placed = ask(api, "Who owns the ferry?", location_id="loc_hushed")
    assert list_slugs(layer(named, "rules")) == ["hushed"]
    assert [(cut["reason"], *list_slugs([cut])) for cut in placed["cut"]] == [("not_called_for", "hushed")]


def test_the_gate_of_rules_can_be_switched_off(api, canon, monkeypatch):
    write_rules(canon)
    set_gate(monkeypatch, enabled=False)
    told = layer(ask(api, "Who owns the ferry, its rope, and the bell?"), "rules")
    assert list_slugs(told) == ["hushed"]
    assert "message_share" not in told[0]["provenance"]["scores"]


def test_an_embedder_that_knows_only_spelling_calls_for_no_rule(api, canon, monkeypatch):
    write_rules(canon)
    set_gate(monkeypatch, similarity=-1.0)
    assert not layer(ask(api, "Who owns the ferry, its rope, and the bell?"), "rules")


@pytest.mark.parametrize("has_lore", [True, False])
def test_rules_are_told_as_they_are_found_where_there_is_no_lore(api, world, has_lore):
    if has_lore:
        publish(world, make_article("salt-tax", "The salt tax is paid in silver."))
    write_rules(world)
    pack = ask(api, "Who owns the ferry, its rope, and the bell?")
    assert ("lore_empty" if has_lore else "lore_unpublished") in pack["degraded"]
    assert list_slugs(layer(pack, "rules")) == ["hushed"]


def test_a_rule_that_is_near_in_meaning_is_told_by_an_embedder_that_knows_meaning(api, world, settings, redis):
    settings.OPENAI_MAX_RETRIES = 0
    with serve_openai() as server:
        settings.EMBEDDING_BASE_URL = server.url
        publish(world, make_article("ferry-bell", BELL))
        near = [1.0, 0.0]
        server.embedding = lambda text, dims: [
            *(near if "clasped" in text.lower() else [0.0, 1.0]),
            *[0.0] * (dims - 2),
        ]
        write_rules(world)
        server.embedding = lambda _, dims: [*near, *[0.0] * (dims - 2)]
        pack = ask(api, "Pin the ringer of the ferry bell to the ground!")
    assert list_slugs(layer(pack, "rules")) == ["clasped"]


def test_same_question_gives_the_same_pack(api, canon):
    first, second = ask(api), ask(api)
    assert first.pop("trace_id") != second.pop("trace_id")
    assert first == second


def test_empty_retrieval_leaves_rules_and_state_and_says_so(api, canon):
    pack = ask(api, "zzz qqq")
    assert not layer(pack, "lore")
    assert "lore_empty" in pack["degraded"]
    assert "make up nothing new" in pack["messages"][0]["content"]
    assert "Selmar" not in pack["messages"][0]["content"]


@pytest.mark.parametrize("user_id", [None, "p1"])
def test_words_behind_many_blank_lines_are_searched_for(api, canon, player, user_id):
    pack = ask(api, "\n" * 30_000 + "Who rings the ferry bell?", budget={"total": 50_000}, user_id=user_id or "p0")
    assert layer(pack, "lore")[0]["provenance"]["ids"]["slug"] == "ferry-bell"


def test_world_without_canon_is_told_apart(api, world):
    assert "lore_unpublished" in ask(api)["degraded"]


def test_budget_too_small_is_422_with_what_is_needed(api, canon):
    refused = api.post("context", {"message": "Hello there", "budget": {"total": 50}})
    assert refused.status_code == 422
    problem = refused.json()
    assert problem["code"] == "budget_too_small"
    enough = ask(api, "Hello there", budget={"total": problem["needed"]})
    assert enough["tokens"] == problem["needed"]


def test_a_chat_model_may_have_a_budget_of_its_own(api, canon, monkeypatch):
    text = Path(settings.PROMPT_BUDGETS).read_text().replace("models: {}", "models: { large: { total: 4000 } }")
    monkeypatch.setattr("runtime.selectors.context.load_budgets", lambda: parse_budget_file(text))
    assert [ask(api, **more)["budget"] for more in ({}, {"model": "other"}, {"model": "large"})] == [1800, 1800, 4000]
    assert ask(api, model="large", budget={"total": 1500})["budget"] == 1500


def test_layers_can_be_left_out(api, canon):
    pack = ask(api, budget={"layers": {"lore": {"max_tokens": 0}}})
    assert not layer(pack, "lore")
    assert {cut["reason"] for cut in pack["cut"]} == {"layer_full"}


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"message": ""},
        {"message": " \n "},
        {"message": "x" * 32_001},
        {"message": 7},
        {"message": "x", "npc_id": "a\u0000b"},
        {"message": "x", "budget": {"layers": {"lores": {}}}},
        {"message": "x", "budget": {"total": 0}},
        {"message": "x", "release": 1, "alias": "latest"},
        {"message": "x", "other": 1},
        [],
    ],
)
def test_bodies_that_do_not_fit_are_refused(api, canon, body):
    refused = api.post("context", body)
    assert refused.status_code == 400
    assert refused.json()["code"] == "body_invalid"


def test_unknown_release_alias_and_conversation_are_404(api, canon):
    codes = [
        api.post("context", {"message": "x", **more}).json()["code"]
        for more in ({"release": 9}, {"alias": "stage"}, {"user_id": "p1", "conversation_id": 5})
    ]
    assert codes == ["release_not_found", "alias_not_found", "conversation_not_found"]


def test_unknown_player_is_a_new_one(api, canon):
    pack = ask(api, user_id="nobody-yet")
    assert pack["degraded"][0] == "user_unknown"
    assert not layer(pack, "facts")


def test_conversation_of_another_tenant_does_not_exist(api, canon, make_api):
    from tenancy.actions.worlds import ensure_tenant, ensure_world

    other = ensure_tenant(slug="other", name="Other")
    ensure_world(tenant_id=other.pk, slug="elsewhere", name="Elsewhere")
    ensure_end_user(tenant_id=other.pk, external_id="p1")
    theirs = open_conversation(tenant_id=other.pk, world_id=None, user_id="p1").conversation
    refused = api.post("context", {"message": "x", "user_id": "p1", "conversation_id": theirs.pk})
    assert refused.json()["code"] == "conversation_not_found"


def test_facts_are_told_with_evidence_and_safety_is_never_cut(api, canon, player):
    add_fact(player, "allergy", "nickel")
    add_fact(player, "budget", "500 AED", source="onboarding")
    pack = ask(api, user_id="p1", budget={"layers": {"facts": {"max_tokens": 0}}})
    (told,) = layer(pack, "facts")
    assert told["protected"]
    assert told["rendered"] == "- Allergy: nickel (reliable)"
    assert [cut["provenance"]["ids"]["type"] for cut in pack["cut"] if cut["layer"] == "facts"] == ["budget"]


def add_fact(player, type_, value, **more):
    apply_facts(
        tenant_id=player.tenant_id,
        end_user_id=player.pk,
        drafts=[FactDraft(type=type_, value=value, **{"source": "onboarding", **more})],
    )


def test_talk_is_told_newest_last_and_the_message_itself_only_once(api, canon, player, tenant):
    chat = open_conversation(tenant_id=tenant.pk, world_id=None, user_id="p1").conversation
    say(chat, *(("user" if n % 2 else "assistant", f"line {n}") for n in range(1, 14)), ("user", "And who rings it?"))
    pack = ask(api, "And who rings it?", user_id="p1")
    lines = [item["rendered"] for item in layer(pack, "talk")]
    assert lines == [f"{'Player' if n % 2 else 'Narrator'}: line {n}" for n in range(4, 14)]
    assert pack["messages"][0]["content"].count("And who rings it?") == 0


def say(chat, *lines):
    drafts = [MessageDraft(role=role, content=content) for role, content in lines]
    return store_messages(conversation_id=chat.pk, tenant_id=chat.tenant_id, drafts=drafts)


@pytest.fixture
def bargain(world):
    """The bridge, where one NPC was; later the gate, where another was; and a quest that ended."""
    start(world)
    tell(world, flags={"gate_moon_door": "open", "toll_paid": True})
    tell(
        world,
        summary_id="sum_2",
        scene_id="scn_2",
        minute=9,
        npcs=["npc_Oda"],
        notes="The gate fell shut behind the party.",
        flags={"gate_moon_door": "shut"},
        what={"event": "trap", "outcome": "failure"},
    )
    tell_event(world, party_id="pty_1", minute=12, flags={"quest_moon_key": "completed"})
    return world


def test_narrator_is_told_the_last_scenes_and_flags_without_ids(api, bargain):
    pack = ask(api, party_id="pty_1", scene_id="scn_2")
    assert [item["rendered"] for item in layer(pack, "summaries")] == [
        "- The keeper lent the moon key against a promise. (partial success)",
        "- The gate fell shut behind the party. (failure)",
    ]
    assert [item["rendered"] for item in layer(pack, "state")] == [
        "- gate moon door: shut",
        "- quest moon key: completed",
        "- toll paid: yes",
    ]
    assert layer(pack, "state")[0]["provenance"]["ids"]["summary_id"] == "sum_2"
    text = pack["messages"][0]["content"]
    assert not any(word in text for word in ("sum_1", "scn_1", "pty_1", "camp_1", "2026"))


def test_npc_is_told_only_what_it_saw_and_flags_as_it_last_saw_them(api, bargain):
    pack = ask(api, party_id="pty_1", npc_id="npc_LiShen")
    assert [item["provenance"]["ids"]["summary_id"] for item in layer(pack, "summaries")] == ["sum_1"]
    assert [item["rendered"] for item in layer(pack, "state")] == ["- gate moon door: open", "- toll paid: yes"]
    make_npc(bargain, "npc_Stranger", name="A stranger")
    stranger = ask(api, party_id="pty_1", npc_id="npc_Stranger")
    assert not layer(stranger, "summaries")
    assert not layer(stranger, "state")
    assert "moon" not in stranger["messages"][0]["content"]


def test_npc_that_was_told_of_a_scene_knows_it_by_hearsay(api, bargain):
    tell(world=bargain, summary_id="sum_3", minute=20, npcs=["npc_Stranger"], notes="They talked by the fire.",
         told=[{"npc_id": "npc_Stranger", "summary_id": "sum_2", "source": "p_A"}])  # fmt: skip
    pack = ask(api, party_id="pty_1", npc_id="npc_Stranger")
    assert [item["rendered"] for item in layer(pack, "summaries")] == [
        "- (known by hearsay) The gate fell shut behind the party. (failure)",
        "- They talked by the fire. (partial success)",
    ]
    assert [item["rendered"] for item in layer(pack, "state")] == ["- gate moon door: shut"]


def test_npc_is_shown_no_picture_of_a_scene_that_it_does_not_know(make_api, bargain):
    engine = make_api("read", "engine")
    for npc_id in ("npc_LiShen", "npc_Oda", "npc_Stranger"):
        make_npc(bargain, npc_id, name=npc_id)
    tags = ["crown-in-the-well", "night", "mist", "rope", "moon"]
    card = {"prompt_text": "A crown in the well", "visual_tags": tags, "style": {"preset": "ink"}}

    def show(image_id, scene_id, *npcs):
        more = {"image_id": image_id, "scene_id": scene_id, "entities": {"npc": list(npcs)}}
        assert engine.post("art-cards", {**card, **more}).status_code == 201

    def list_shown(npc_id, scene_id):
        pack = ask(engine, party_id="pty_1", npc_id=npc_id, scene_id=scene_id)
        return [item["provenance"]["ids"]["image_id"] for item in layer(pack, "art")]

    show("img_1", "scn_1")
    assert list_shown("npc_LiShen", "scn_1") == ["img_1"]
    assert list_shown("npc_Oda", "scn_1") == list_shown("npc_Stranger", "scn_1") == []
    show("img_2", "scn_1", "npc_Oda")
    assert list_shown("npc_Oda", "scn_1") == ["img_2"]
    tell(bargain, summary_id="sum_3", scene_id="scn_3", minute=20, npcs=["npc_Stranger"],
         told=[{"npc_id": "npc_Stranger", "summary_id": "sum_1", "source": "p_A"}])  # fmt: skip
    assert list_shown("npc_Stranger", "scn_1") == ["img_2"]
    show("img_3", "scn_begins")
    assert list_shown("npc_Oda", "scn_begins") == ["img_3"]


def test_events_between_scenes_are_told_to_narrators_and_to_npcs_that_heard_of_them(api, bargain):
    from episodes.actions.telling import tell_npc

    tell_event(bargain, event_id="evt_2", party_id="pty_1", minute=13, notes="An old debt.")
    tell_event(bargain, event_id="evt_3", party_id="pty_1", minute=14, notes="The key is back.")
    tell_event(bargain, event_id="evt_4", party_id="pty_1", minute=15, flags={"toll_paid": True})
    tell_event(bargain, event_id="evt_5", minute=17, notes="The ferry sank.")
    tell_event(bargain, event_id="evt_6", party_id="pty_2", minute=18, notes="Others found the lamp.")
    notes = [item for item in layer(ask(api, party_id="pty_1"), "state") if item["id"].startswith("event:")]
    assert [item["rendered"] for item in notes] == ["- The key is back.", "- The ferry sank."]
    assert notes[0]["provenance"]["ids"] == {"event_id": "evt_3", "campaign_id": "camp_1", "told_by": None}

    speaker = {"party_id": "pty_1", "npc_id": "npc_LiShen"}
    assert not {"The key is back.", "The ferry sank."} & {item["text"] for item in layer(ask(api, **speaker), "state")}
    place = {"tenant_id": bargain.tenant_id, "world_id": bargain.pk}
    tell_npc(**place, npc_id="npc_LiShen", source="p_A", told_at=bargain.created_at, event_id="evt_2")
    told = [item["rendered"] for item in layer(ask(api, **speaker), "state")]
    assert told == ["- gate moon door: open", "- toll paid: yes", "- (known by hearsay) An old debt."]


def test_the_newest_event_is_told_when_flags_fill_their_layer(api, bargain):
    tell_event(bargain, event_id="evt_2", party_id="pty_1", minute=13, notes="The key is back.")
    (told,) = layer(ask(api, party_id="pty_1", budget={"layers": {"state": {"max_items": 1}}}), "state")
    assert told["text"] == "The key is back."


def test_unknown_party_and_scene_are_404(api, bargain, make_api):
    codes = [
        api.post("context", {"message": "x", **more}).json()["code"]
        for more in ({"party_id": "pty_9"}, {"party_id": "pty_1", "scene_id": "scn_9"})
    ]
    assert codes == ["party_not_found", "scene_not_found"]
    assert api.post("context", {"message": "x", "scene_id": "scn_1"}).json()["code"] == "body_invalid"


def test_party_of_another_world_does_not_exist(api, bargain, tenant):
    from tenancy.actions.worlds import ensure_world

    ensure_world(tenant_id=tenant.pk, slug="elsewhere", name="Elsewhere")
    refused = api.post("context", {"message": "x", "party_id": "pty_1"}, X_Site_ID="elsewhere")
    assert refused.json()["code"] == "party_not_found"


def make_npc(world, npc_id, **static):
    from npcs.models import Npc, NpcPersona

    npc = Npc.objects.create(tenant_id=world.tenant_id, world=world, npc_id=npc_id)
    values = {"name": "Li Shen", "author": "test", "content_hash": b"\0" * 32, **static}
    NpcPersona.objects.create(tenant_id=world.tenant_id, npc=npc, version=1, **values)


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
    tell(bargain, summary_id="sum_4", minute=30, relations_delta=[delta])
    return bargain


def test_speaker_is_told_who_it_is_and_how_it_stands_in_words(api, keeper):
    pack = ask(api, party_id="pty_1", npc_id="npc_LiShen")
    assert [item["rendered"] for item in layer(pack, "npc")] == [
        "- Li Shen: ronin. Speaks little and keeps promises.",
        "- Li Shen's attitude: warm; it last changed because: kept promise",
    ]
    assert layer(pack, "npc")[1]["provenance"]["scores"] == {"value": 2}
    assert pack["persona_version"] == 1
    assert pack["messages"][0]["content"].startswith("You are Li Shen,")


def test_secrets_are_told_to_the_engine_only_and_of_the_speaker_only(make_api, keeper):
    secret = "A secret that Li Shen does not give away: The scar on the left cheek is self-made."
    engine, reader = make_api("read", "engine"), make_api("read")
    assert secret in ask(engine, party_id="pty_1", npc_id="npc_LiShen")["messages"][0]["content"]
    for pack in (ask(reader, party_id="pty_1", npc_id="npc_LiShen"), ask(engine, party_id="pty_1")):
        assert "scar" not in str(pack)


def test_narrator_is_told_of_those_in_the_last_scene(api, keeper):
    pack = ask(api, "Что делает хранитель?", party_id="pty_1")
    assert layer(pack, "npc")[0]["rendered"] == "- Ли-Шэнь: ronin. Speaks little and keeps promises."
    assert pack["persona_version"] is None


def test_unknown_npc_is_404_also_one_of_another_world(api, keeper, tenant):
    from tenancy.actions.worlds import ensure_world

    refused = api.post("context", {"message": "x", "npc_id": "npc_Nobody"})
    assert (refused.status_code, refused.json()["code"]) == (404, "npc_not_found")
    ensure_world(tenant_id=tenant.pk, slug="elsewhere", name="Elsewhere")
    refused = api.post("context", {"message": "x", "npc_id": "npc_LiShen"}, X_Site_ID="elsewhere")
    assert refused.json()["code"] == "npc_not_found"


@pytest.fixture
def remembered(tenant, player, keeper, django_capture_on_commit_callbacks):
    """Talks of one player with two NPCs, embedded; the newest lines of the first are about something else."""
    from episodes.actions.embeddings import embed_messages

    def talk(npc_id, *lines):
        chat = open_conversation(tenant_id=tenant.pk, world_id=keeper.pk, user_id="p1", npc_id=npc_id).conversation
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


def test_episode_comes_with_its_words_and_what_it_answers_but_no_personal_aside(api, remembered):
    pack = ask(api, "Which lantern did I choose, was it the second one?", user_id="p1", npc_id="npc_LiShen")
    (choice,) = [each for each in layer(pack, "episodes") if each["text"] == "The second!"]
    assert choice["rendered"].splitlines() == [
        "- raw_excerpt (player, recently): The second!",
        "  span_context (the other side): Three lanterns hang here: a red one, a blue one and a white one.",
    ]
    ids = choice["provenance"]["ids"]
    assert {"message_id", "snippet", "conversation_id"} <= set(ids)
    assert "sister" not in choice["rendered"]


def test_emotions_of_another_mood_are_told_behind_those_of_the_present_one(api, make_api, keeper):
    from episodes.actions.embeddings import embed_messages

    engine = make_api("engine")
    said = {}
    for mood in ("sad", "glad"):
        body = {"user_id": "p1", "npc_id": "npc_LiShen", "external_id": f"chat-{mood}"}
        chat = engine.post("conversations", body).json()["id"]
        line = {"role": "user", "content": "The lantern by the gate moved me.", "memory_type": "emotion", "mood": mood}
        posted = engine.post(f"conversations/{chat}/messages", line)
        assert posted.status_code == 201, posted.content
        said[mood] = posted.json()["message_id"]
        later = [{"role": "assistant", "content": "Rain."}] * 12
        engine.post(f"conversations/{chat}/messages/batch", {"messages": later})
        embed_messages(chat)

    def told(**more):
        pack = ask(api, "Do you remember the lantern by the gate?", user_id="p1", npc_id="npc_LiShen", **more)
        found = [item["provenance"] for item in layer(pack, "episodes")]
        emotions = [each for each in found if each["ids"]["message_id"] in said.values()]
        return [each["ids"]["message_id"] for each in emotions], [each["scores"]["score"] for each in emotions]

    even, scores = told()
    assert sorted(even) == sorted(said.values())
    for mood, other in (("glad", "sad"), ("Sad", "glad")):
        order, weighed = told(mood=mood)
        assert order == [said[mood.lower()], said[other]]
        assert weighed == pytest.approx([scores[0], scores[0] * 0.8])


@pytest.mark.django_db(transaction=True)
def test_a_pack_is_the_same_whether_its_searches_run_at_once_or_in_turn(api, remembered, monkeypatch, settings):
    threads = []

    def find_episodes(*args):
        threads.append(threading.get_ident())
        return context_memory.find_episodes(*args)

    def turn():
        pack = ask(api, "Which lantern did I like?", user_id="p1", npc_id="npc_LiShen")
        return {name: pack[name] for name in ("messages", "layers", "cut", "degraded")}

    monkeypatch.setattr(context, "find_episodes", find_episodes)
    in_turn = turn()
    settings.DATABASE_READS_BESIDE = 1
    monkeypatch.setattr(beside, "_has_idle_connection", lambda: True)
    beside._get_room.cache_clear()
    at_once = turn()
    beside._get_room.cache_clear()
    assert at_once == in_turn
    assert threads[0] == threading.get_ident() != threads[1]
    assert any(item["id"].startswith("message:") for layer in in_turn["layers"] for item in layer["items"])


def test_one_npc_is_never_told_what_was_said_to_another(api, remembered):
    pack = ask(api, "Where is the second lantern hidden, under the gate?", user_id="p1", npc_id="npc_LiShen")
    assert "hid the second lantern" not in str(pack["layers"])
    other = ask(api, "Where is the second lantern hidden, under the gate?", user_id="p1", npc_id="npc_Oda")
    assert "hid the second lantern" in str(other["layers"])


def test_talk_of_the_session_and_its_preferences_stand_in_their_frames(api, make_api, keeper, tenant, player):
    chat = open_conversation(tenant_id=tenant.pk, world_id=keeper.pk, user_id="p1", npc_id="npc_LiShen").conversation
    for role, content in (("user", "请问祠堂是什么时候建的？"), ("assistant", "据记载，建于元代。")):
        store_messages(
            tenant_id=tenant.pk,
            conversation_id=chat.pk,
            drafts=[MessageDraft(role=role, content=content, session_id="s1")],
        )
    put_preference(
        make_api("engine"), "s1", verbosity="detailed", tone="respectful", interest_tag="农耕", language="zh"
    )
    pack = ask(api, "Who built it?", session_id="s1", npc_id="npc_LiShen", user_id="p1")
    text = pack["messages"][0]["content"]
    assert pack["language"] == "zh"
    assert "用户: 请问祠堂是什么时候建的？\nLi Shen: 据记载，建于元代。" in text
    assert "- 用户偏好详细回答\n- 用户偏好恭敬的语气\n- 用户感兴趣的话题：农耕\n【用户偏好结束】" in text
    other = ask(api, "Who built it?", session_id="s1", npc_id="npc_Oda", user_id="p1")
    assert not layer(other, "talk")
    assert layer(other, "preferences")


def test_talk_of_no_session_goes_on_in_one_that_has_no_talk_of_its_own(api, keeper, tenant, player, redis):
    chat = open_conversation(tenant_id=tenant.pk, world_id=keeper.pk, user_id="p1", npc_id="npc_LiShen").conversation

    def say_in(session_id, content):
        draft = MessageDraft(role="user", content=content, session_id=session_id)
        store_messages(tenant_id=tenant.pk, conversation_id=chat.pk, drafts=[draft])

    def told(**more):
        turn = {"npc_id": "npc_LiShen", "user_id": "p1", "conversation_id": chat.pk}
        return [item["text"] for item in layer(ask(api, "And then?", **turn, **more), "talk")]

    say_in("", "The lanterns are out.")
    say_in("s8", "I was never here.")
    assert told(session_id="s9") == ["The lanterns are out."]
    assert told() == ["The lanterns are out.", "I was never here."]
    say_in("s9", "I lit one again.")
    assert told(session_id="s9") == ["I lit one again."]


def put_preference(api, session_id, **query):
    from urllib.parse import urlencode

    from django.test import Client

    url = f"/api/v1/npc/sessions/{session_id}/preference?{urlencode(query)}"
    response = Client().put(url, headers=api._headers({}))
    assert response.status_code == 200, response.content


def test_lost_redis_is_told_and_the_talk_goes_on_from_raw(api, keeper, tenant, player, redis, monkeypatch):
    from runtime.session_memory.circuit import CIRCUIT

    chat = open_conversation(tenant_id=tenant.pk, world_id=keeper.pk, user_id="p1", npc_id="npc_LiShen").conversation
    draft = MessageDraft(role="user", content="The lanterns are out.", session_id="s1")
    store_messages(tenant_id=tenant.pk, conversation_id=chat.pk, drafts=[draft])
    monkeypatch.setattr(CIRCUIT, "call", lambda *_, **__: None)
    pack = ask(api, "Who put them out?", session_id="s1", npc_id="npc_LiShen", user_id="p1")
    assert "session_memory_unavailable" in pack["degraded"]
    assert [item["text"] for item in layer(pack, "talk")] == ["The lanterns are out."]


def test_words_that_wait_for_extraction_are_told_raw_once_they_are_many(api, canon, player, tenant):
    chat = open_conversation(tenant_id=tenant.pk, user_id="p1").conversation
    say(chat, *(("user", f"line {n}") for n in range(10)))
    assert not layer(ask(api, user_id="p1"), "pending")
    say(chat, *(("user", f"line {n}") for n in range(10, 14)))
    pack = ask(api, user_id="p1")
    assert [item["text"] for item in layer(pack, "pending")] == ["line 0", "line 1", "line 2", "line 3"]
    assert len(layer(pack, "talk")) == 10


def test_doubted_fact_and_what_contradicts_it_are_both_told(api, canon, player):
    from knowledge.facts.actions import dispute_fact
    from knowledge.facts.actions.correcting import Correction
    from knowledge.facts.selectors.facts import list_facts

    add_fact(player, "onboarding_style", "minimalist")
    (fact,) = list_facts(tenant_id=player.tenant_id, end_user_id=player.pk)
    chat = open_conversation(tenant_id=player.tenant_id, user_id="p1").conversation
    claim, doubt = say(chat, ("assistant", "You love it plain."), ("user", "With what right do you say so?"))
    correction = Correction("ambiguous", trigger_message_id=doubt.message.pk, corrected_message_id=claim.message.pk)
    dispute_fact(tenant_id=player.tenant_id, end_user_id=player.pk, fact_id=fact.id, correction=correction)
    pack = ask(api, user_id="p1")
    (told,) = layer(pack, "facts")
    assert told["rendered"] == (
        "- Style named at the start: minimalist (is_disputed: the player doubted it; do not assert it, ask)"
    )
    assert told["provenance"]["ids"]["is_disputed"] is True


def make_turn(world, **more):
    from runtime.core.asking import ContextAsk

    return ContextAsk(
        tenant_id=world.tenant_id,
        world_id=world.pk,
        message="Who rings the ferry bell at dusk, by the gate?",
        user_id="p1",
        npc_id="npc_LiShen",
        party_id="pty_1",
        scene_id="scn_1",
        session_id="s1",
        **more,
    )


def test_a_remote_embedder_is_asked_at_once_for_lore_rules_and_episodes(api, world, player, settings, redis):
    meet = threading.Barrier(3)

    def embed(_, dims):
        meet.wait(timeout=1.5)
        return [1.0] * dims

    settings.OPENAI_MAX_RETRIES = 0
    with serve_openai() as server:
        settings.EMBEDDING_BASE_URL = server.url
        publish(world, make_article("ferry-bell", BELL))
        publish(world, make_article("bells", "A bell is rung at dusk.", rule_id="R-1"), domain="srd")
        asked = len(server.requests)
        server.embedding = embed
        pack = ask(api, user_id="p1", location_id="quay")
    assert "embedder_unavailable" not in pack["degraded"]
    assert layer(pack, "lore")[0]["provenance"]["scores"]["vector"] is not None
    assert len(server.requests) == asked + 3


def test_pack_takes_twelve_queries_whatever_the_sizes(remembered, keeper, tenant, redis, django_assert_max_num_queries):
    from runtime.selectors.context import assemble_context

    def grow(first, last):
        numbers = range(first, last)
        publish(keeper, *(make_article(f"bell-{n}", f"The ferry bell number {n} rings at dusk.") for n in numbers))
        names = {"title": "By the gate"}
        rules = (make_article(f"rule-{n}", f"Rule {n}: at dusk.", rule_id=f"R-{n}", **names) for n in numbers)
        publish(keeper, *rules, domain="srd")
        chat = open_conversation(tenant_id=tenant.pk, world_id=keeper.pk, user_id="p1", npc_id="npc_LiShen")
        say(chat.conversation, *(("user", f"The bell rings at dusk, for the {n}th time.") for n in numbers))
        drafts = [MessageDraft(role="user", content=f"It rains for {n} days.", session_id="s1") for n in numbers]
        store_messages(conversation_id=chat.conversation.pk, tenant_id=tenant.pk, drafts=drafts)
        for n in numbers:
            tell(keeper, summary_id=f"sum_{n}_bell", minute=40 + n, flags={f"bell_{n}": "rung"})

    for first, last in ((100, 103), (200, 240)):
        grow(first, last)
        flush_redis_keys()
        with django_assert_max_num_queries(14):
            assert assemble_context(make_turn(keeper)).is_talk_rebuilt
        with django_assert_max_num_queries(12):
            warm = assemble_context(make_turn(keeper))
        assert not warm.is_talk_rebuilt
        told = set(warm.pack.tokens_by_layer)
        assert {"lore", "rules", "summaries", "state", "npc", "episodes", "talk"} <= told


def test_no_date_id_or_score_of_what_is_known_is_told_to_the_model(remembered, keeper, canon):
    import re

    from runtime.selectors.context import assemble_context

    add_fact(remembered, "allergy", "nickel")
    pack = assemble_context(make_turn(keeper)).pack
    told = "\n".join(
        packed.rendered
        for layer_ in pack.layers
        if layer_.name not in ("memory_rules", "user")
        for packed in layer_.items
    )
    assert len(told) > 500
    assert not re.search(r"\d{4}-\d\d|\d\d:\d\d|\b\d{1,2}\.\d\d\b|\b0\.\d+|[0-9a-f]{8}-[0-9a-f]{4}", told)
    for layer_ in pack.layers:
        for packed in layer_.items:
            source = packed.item.provenance
            words = [value for value in source.ids.values() if isinstance(value, str) and "_" in value]
            assert not [word for word in words if word in told], words


@pytest.mark.parametrize("name", ["location_id", "mood", "language", "session_id", "user_id", "npc_id", "message"])
@pytest.mark.parametrize("text", ["half a pair \ud800", "a line\n"])
def test_what_is_no_plain_text_is_refused_by_its_place(api, canon, problem, name, text):
    if (name, text) == ("message", "a line\n"):
        return
    document = problem(api.post("context", {"message": "Hello?", name: text}), 400, "body_invalid")
    assert [error["path"] for error in document["errors"]] == [name]


def test_whole_numbers_may_have_a_point_as_json_has_one_kind_of_number(api, canon):
    plain = ask(api, budget={"total": 1500, "layers": {"lore": {"max_items": 1}}}, message_id=7)
    pointed = ask(api, budget={"total": 1500.0, "layers": {"lore": {"max_items": 1.0}}}, message_id=7e0)
    assert {**pointed, "trace_id": None} == {**plain, "trace_id": None}
