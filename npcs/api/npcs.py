"""Who NPCs are: listing them, writing the static layer."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from npcs.api import schemas
from npcs.api.rendering import render_summary
from npcs.core.dispositions import Towards
from npcs.selectors import list_profiles
from tenancy.api.parameters import (
    ChoiceParameter,
    NumberParameter,
    Parameters,
    TextParameter,
)
from tenancy.api.schemas import (
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
