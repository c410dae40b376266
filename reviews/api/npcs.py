"""Writing NPCs by REST: through review where the world wants it."""

from __future__ import annotations

from dataclasses import replace

from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from episodes.api.npcs import RememberingNpcView
from npcs.api import schemas
from npcs.core.profiles import parse_profile
from reviews.actions.npc_writes import write_npc
from reviews.core.actor import actor_of_key
from tenancy.actions.idempotency import Answer
from tenancy.api.parameters import NO_PARAMETERS, read_header
from tenancy.api.schemas import (
    BODY_CODES,
    IDEMPOTENCY_HEADER,
    IDEMPOTENCY_PROBLEMS,
    WORLD_CODES,
    describe_headers,
    describe_problems,
)

STATUS_BY_OUTCOME = {"created": 201, "changed": 200, "unchanged": 200, "in_review": 202}


def _example(name: str, status: str, version: int, request: int | None = None) -> OpenApiExample:
    body = {"npc_id": "li-shen", "persona_version": version, "outcome": name, "change_request": request}
    return OpenApiExample(name, body, status_codes=[status])


class NpcView(RememberingNpcView):
    """`npcs/{npc_id}`."""

    scopes = {"GET": "read", "PUT": "engine"}

    @extend_schema(
        operation_id="npcs_write",
        tags=["NPCs"],
        summary="Write who an NPC is",
        description="The whole static layer. What differs from the newest persona becomes the next version; the same "
        "again changes nothing. While the world's `npc_review` is on, a change waits as a change request until a "
        "second person approves it (202), and is in force at once then. A newer proposal of a key withdraws its older. "
        "Dispositions follow their ledger and can't be written.",
        parameters=[schemas.NPC_ID, *describe_headers(IDEMPOTENCY_HEADER, schemas.IF_MATCH)],
        request={"application/json": schemas.PROFILE_BODY},
        examples=[
            OpenApiExample("profile", {"static": {**schemas.STATIC, "secrets": ["why he limps"]}}, request_only=True)
        ],
        responses={
            200: OpenApiResponse(
                schemas.WrittenProfileSerializer, description="It was there.", examples=[_example("changed", "200", 3)]
            ),
            201: OpenApiResponse(
                schemas.WrittenProfileSerializer, description="It is new.", examples=[_example("created", "201", 1)]
            ),
            202: OpenApiResponse(
                schemas.WrittenProfileSerializer,
                description="It waits for a second person; what was in force still is.",
                examples=[_example("in_review", "202", 2, 17)],
            ),
            **describe_problems(
                BODY_CODES,
                IDEMPOTENCY_PROBLEMS,
                WORLD_CODES,
                {
                    400: {"profile_invalid": "static.name: 7 is not of type 'string'"},
                    412: {"persona_changed": "The persona of 'li-shen' has version 3, not 2."},
                    428: {"persona_version_required": "'li-shen' is there, in version 3: send If-Match …"},
                },
            ),
        },
    )
    def put(self, request: Request, npc_id: str) -> Response:
        """Write who an NPC is."""
        NO_PARAMETERS.read(request)
        seen = read_header(request, schemas.IF_MATCH)
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
