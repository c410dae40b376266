"""Who NPCs are: listing them, writing the static layer."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from npcs.api import shapes
from npcs.api.rendering import render_summary
from npcs.core.dispositions import Towards
from npcs.selectors import list_profiles
from tenancy.api.operations import operation
from tenancy.api.parameters import ChoiceParameter, NumberParameter, Parameters, TextParameter
from tenancy.api.schemas import WORLD_CODES
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

    @operation("npcs_list", "NPCs", shapes.NpcList, WORLD_CODES, parameters=LIST_PARAMETERS)
    def get(self, request: Request) -> Response:
        """List the NPCs of a world."""
        values = self.values
        world = self.get_world()
        page = list_profiles(
            tenant_id=world.tenant_id,
            world_id=world.world_id,
            state=values.get("state", "active"),
            after=values.get("after", ""),
            limit=values["limit"],
        )
        return Response({"npcs": [render_summary(each) for each in page.profiles], "next_after": page.next_after})
