"""Reading NPCs: who they are, how they stand, and which scenes they know."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from episodes.npc_memory.selectors.memory import RememberingNpc, SceneMemory, get_npc
from memoryproject.rest.operations import operation, reply
from memoryproject.rest.parameters import NumberParameter, Parameters
from memoryproject.rest.schemas import WORLD_CODES
from npcs.errors import PartyAndUser, UnknownNpc
from npcs.profiles.api import shapes
from npcs.profiles.api.npcs import read_towards
from npcs.profiles.api.rendering import render_sheet
from tenancy.api.views import MachineView
from tenancy.models import Scope

READ_PARAMETERS = Parameters(
    (
        shapes.PARTY_ID,
        shapes.USER_ID,
        NumberParameter("persona_version", "As it was in this version; left out, as it is.", 1, 1, 2**31 - 1),
    ),
    exclusive=(("party_id", "user_id", PartyAndUser),),
)


class RememberingNpcView(MachineView):
    """`npcs/{npc_id}`."""

    scopes = {"GET": "read"}

    @operation(
        "npcs_get",
        "NPCs",
        reply(shapes.Npc, "The NPC."),
        WORLD_CODES,
        UnknownNpc,
        path=(shapes.NPC_ID,),
        parameters=READ_PARAMETERS,
    )
    def get(self, request: Request, npc_id: str) -> Response:
        """Read an NPC, how it stands, and why.

        Static layer; disposition towards one party or player, with the last moves and their reasons; the last scenes
        of that party, or of the player's parties, that the NPC saw or was told of. Secrets are told to keys that hold
        the scope `engine`, too; others are not told that there are any.
        """
        values = self.values
        world = self.get_world()
        npc = get_npc(
            tenant_id=world.tenant_id,
            world_id=world.world_id,
            npc_id=npc_id,
            with_secrets=self.caller.has_scope(Scope.ENGINE),
            towards=read_towards(values),
            version=values.get("persona_version"),
        )
        return Response(render_npc(npc))


def render_npc(npc: RememberingNpc) -> dict[str, Any]:
    """An NPC in the form of `schemas/npc_profile.schema.json`, and what explains it."""
    rendered = render_sheet(npc.sheet)
    rendered["dynamic"]["memory"] = [_render_memory(each) for each in npc.memory]
    return rendered


def _render_memory(memory: SceneMemory) -> dict[str, Any]:
    impact = None if memory.impact is None else f"trust{memory.impact:+g}"
    return {"summary_id": memory.summary_id, "known": memory.known, "impact": impact}
