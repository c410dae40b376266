"""Who NPCs are: listing them, writing the static layer."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from npcs.actions import write_profile
from npcs.api import schemas
from npcs.api.rendering import render_summary
from npcs.core.dispositions import Towards
from npcs.core.profiles import parse_profile
from npcs.selectors import list_profiles
from tenancy.actions.idempotency import Answer
from tenancy.api.parameters import (
    NO_PARAMETERS,
    ChoiceParameter,
    NumberParameter,
    Parameters,
    TextParameter,
    read_header,
)
from tenancy.api.schemas import (
    BODY_CODES,
    IDEMPOTENCY_HEADER,
    ONCE_CODES,
    WORLD_CODES,
    describe_headers,
    describe_problems,
)
from tenancy.api.views import MachineView

LIST_PARAMETERS = Parameters(
    (
        ChoiceParameter("state", "Only these; left out, the active ones.", "active", ("active", "retired")),
        TextParameter("after", "Go on after this id.", "li-shen", 120),
        NumberParameter("limit", "How many at most.", 50, 1, 200, default=50),
    )
)


def read_towards(values: dict[str, Any]) -> tuple[Towards, str] | None:
    """Whom the parameters ask about."""
    if "party_id" in values:
        return "party", values["party_id"]
    return ("user", values["user_id"]) if "user_id" in values else None


class NpcsView(MachineView):
    """`npcs`."""

    scopes = {"GET": "read"}

    @extend_schema(
        operation_id="npcs_list",
        tags=["NPCs"],
        summary="List the NPCs of a world",
        parameters=[*LIST_PARAMETERS.describe(), *describe_headers()],
        responses={
            200: OpenApiResponse(
                schemas.NpcListSerializer,
                description="NPCs in the order of ids.",
                examples=[
                    OpenApiExample(
                        "npcs",
                        {
                            "npcs": [
                                {
                                    "npc_id": "li-shen",
                                    "name": "Ли-Шэнь",
                                    "archetype": "keeper",
                                    "state": "active",
                                    "persona_version": 3,
                                    "updated_at": "2026-03-01T19:12:31Z",
                                }
                            ],
                            "next_after": None,
                        },
                    )
                ],
            ),
            **describe_problems(WORLD_CODES),
        },
    )
    def get(self, request: Request) -> Response:
        """List the NPCs of a world."""
        values = LIST_PARAMETERS.read(request)
        world = self.get_world()
        page = list_profiles(
            tenant_id=world.tenant_id,
            world_id=world.world_id,
            state=values.get("state", "active"),
            after=values.get("after", ""),
            limit=values["limit"],
        )
        return Response({"npcs": [render_summary(each) for each in page.profiles], "next_after": page.next_after})


class NpcView(MachineView):
    """`npcs/{npc_id}`."""

    scopes = {"PUT": "engine"}

    @extend_schema(
        operation_id="npcs_write",
        tags=["NPCs"],
        summary="Write who an NPC is",
        description="The whole static layer. What differs from the newest persona becomes the next version; the same "
        "again changes nothing. Dispositions follow their ledger and can't be written.",
        parameters=[schemas.NPC_ID, *describe_headers(IDEMPOTENCY_HEADER, schemas.IF_MATCH)],
        request={"application/json": schemas.PROFILE_BODY},
        examples=[
            OpenApiExample("profile", {"static": {**schemas.STATIC, "secrets": ["why he limps"]}}, request_only=True)
        ],
        responses={
            200: OpenApiResponse(
                schemas.WrittenProfileSerializer,
                description="It was there.",
                examples=[
                    OpenApiExample(
                        "changed",
                        {"npc_id": "li-shen", "persona_version": 3, "outcome": "changed"},
                        status_codes=["200"],
                    )
                ],
            ),
            201: OpenApiResponse(
                schemas.WrittenProfileSerializer,
                description="It is new.",
                examples=[
                    OpenApiExample(
                        "created",
                        {"npc_id": "li-shen", "persona_version": 1, "outcome": "created"},
                        status_codes=["201"],
                    )
                ],
            ),
            **describe_problems(
                BODY_CODES,
                ONCE_CODES,
                WORLD_CODES,
                {
                    400: {"profile_invalid": "static.name: 7 is not of type 'string'"},
                    409: {"persona_changed": "The persona of 'li-shen' has version 3, not 2."},
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

        def write() -> Answer:
            written = write_profile(
                tenant_id=world.tenant_id,
                world_id=world.world_id,
                profile=profile,
                author=f"API key {self.caller.key_prefix}",
                expected_version=None if seen is None else int(seen.strip('"')),
            )
            body = {
                "npc_id": written.npc_id,
                "persona_version": written.persona_version,
                "outcome": written.outcome,
            }
            return Answer(201 if written.outcome == "created" else 200, body)

        return self.answer_once(world, [request.data, seen], write)
