"""Writing NPCs by REST: through review where the world wants it."""

from __future__ import annotations

from dataclasses import replace

from rest_framework.request import Request
from rest_framework.response import Response

from episodes.npc_memory.api import RememberingNpcView
from memoryproject.rest.operations import operation, reply
from memoryproject.rest.parameters import read_header
from memoryproject.rest.schemas import BODY_CODES, IDEMPOTENCY_HEADER, WORLD_CODES
from npcs.errors import InvalidProfile, PersonaChanged, PersonaVersionRequired
from npcs.profiles.api import shapes
from npcs.profiles.core.profiles import parse_profile
from reviews.core.actor import actor_of_key
from reviews.npcs.actions.writes import write_npc
from tenancy.actions.idempotency import Answer

STATUS_BY_OUTCOME = {"created": 201, "changed": 200, "unchanged": 200, "in_review": 202}


class NpcView(RememberingNpcView):
    """`npcs/{npc_id}`."""

    scopes = {"GET": "read", "PUT": "engine"}

    @operation(
        "npcs_write",
        "NPCs",
        {
            200: reply(shapes.WrittenProfile, "It was there."),
            201: reply(shapes.WrittenProfile, "It is new.", persona_version=1, outcome="created"),
            202: reply(
                shapes.WrittenProfile,
                "It waits for a second person; what was in force still is.",
                persona_version=2,
                outcome="in_review",
                change_request=17,
            ),
        },
        BODY_CODES,
        WORLD_CODES,
        InvalidProfile,
        PersonaChanged,
        PersonaVersionRequired,
        path=(shapes.NPC_ID,),
        headers=(IDEMPOTENCY_HEADER, shapes.IF_MATCH),
        body=shapes.PROFILE_BODY,
        sent={"profile": {"static": {**shapes.STATIC, "secrets": ["why he limps"]}}},
    )
    def put(self, request: Request, npc_id: str) -> Response:
        """Write who an NPC is.

        The whole static layer. What differs from the newest persona becomes the next version; the same again changes
        nothing. While the world's `npc_review` is on, a change waits as a change request until a second person
        approves it (202), and is in force at once then. A newer proposal of a key withdraws its older. Dispositions
        follow their ledger and can't be written.
        """
        seen = read_header(request, shapes.IF_MATCH)
        profile = parse_profile(request.data, npc_id=npc_id)
        world = self.get_world()
        # The scope `engine` is the right to write NPCs; approving takes a person whoever asks.
        actor = replace(actor_of_key(self.caller), role="editor")

        def write() -> Answer:
            written = write_npc(
                actor=actor,
                world_id=world.world_id,
                profile=profile,
                expected_version=None if seen is None else int(seen.strip('"')),
            )
            body = {
                "npc_id": written.npc_id,
                "persona_version": written.persona_version,
                "outcome": written.outcome,
                "change_request": written.change_request_id,
            }
            return Answer(STATUS_BY_OUTCOME[written.outcome], body)

        return self.idempotent_response(world, [request.data, seen], write)
