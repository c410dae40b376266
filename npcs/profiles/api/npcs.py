"""Who NPCs are: listing them, writing the static layer."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from memoryproject.rest.operations import operation
from memoryproject.rest.pages import page_by_text, render_page
from memoryproject.rest.parameters import ChoiceParameter, Parameters
from memoryproject.rest.schemas import WORLD_CODES
from npcs.dispositions.core.moves import Towards
from npcs.profiles.api import shapes
from npcs.profiles.api.rendering import render_summary
from npcs.profiles.selectors.profiles import list_profiles
from tenancy.api.views import MachineView

LIST_PARAMETERS = Parameters(
    (
        ChoiceParameter("state", "Only these; left out, the active ones.", "active", ("active", "retired")),
        *page_by_text(example="li-shen", max_length=120, was="after"),
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
            after=values.get("cursor", ""),
            limit=values["limit"],
        )
        data = [render_summary(each) for each in page.profiles]
        return Response(render_page(data, page.next_after, was="npcs", next_was="next_after"))
