"""Asking for packs, and what a turn is made of."""

from knowledge.facts.actions import apply_facts
from knowledge.facts.core.drafts import FactDraft
from runtime.context.request import ContextRequest

BELL = "The ferry bell of Selmar is rung at dusk by Oda Marr. Nobody else may touch the rope."


def ask(api, message="Who rings the ferry bell at dusk?", **more):
    """The pack of a question."""
    response = api.post("context", {"content": message, **more})
    assert response.status_code == 200, response.content
    return response.json()


def layer(pack, name):
    """The items of a pack's layer."""
    return next((each["items"] for each in pack["layers"] if each["name"] == name), [])


def add_fact(player, type_, value, **more):
    """Something known of the player."""
    apply_facts(
        tenant_id=player.tenant_id,
        end_user_id=player.pk,
        drafts=[FactDraft(type=type_, value=value, **{"source": "onboarding", **more})],
    )


def make_turn(world, **more):
    """A turn that asks for everything."""
    return ContextRequest(
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
