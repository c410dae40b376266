"""Releases of a domain."""

from __future__ import annotations

from operator import attrgetter

from rest_framework.request import Request
from rest_framework.response import Response

from knowledge.api import shapes
from knowledge.api.parameters import DOMAIN, MAX_RELEASE_NUMBER, NPC_ID
from knowledge.api.rendering import render_notes, render_release
from knowledge.canon.models import PUBLIC
from knowledge.canon.selectors.audience import get_npc_audience
from knowledge.canon.selectors.history import list_releases
from knowledge.canon.selectors.release_notes import get_release_notes
from knowledge.errors import UnknownDomain, UnknownRelease
from memoryproject.rest.operations import operation, reply
from memoryproject.rest.pages import page_by_number, render_page
from memoryproject.rest.parameters import NumberParameter, Parameters
from memoryproject.rest.schemas import WORLD_CODES
from memoryproject.rest.shapes import cut_page
from tenancy.api.views import MachineView

NUMBER = NumberParameter("number", "The release's number.", 3, 1, MAX_RELEASE_NUMBER, is_required=True)
RELEASE_PARAMETERS = Parameters((DOMAIN, NPC_ID))
LIST_PARAMETERS = Parameters(
    (
        DOMAIN,
        *page_by_number(most=199, example=3, largest=MAX_RELEASE_NUMBER, was="before"),
    )
)


class ReleasesView(MachineView):
    """`releases`."""

    @operation(
        "releases_list",
        "Canon",
        reply(shapes.ReleaseList, "A page; empty where the world has nothing in the domain yet."),
        WORLD_CODES,
        UnknownDomain,
        parameters=LIST_PARAMETERS,
    )
    def get(self, request: Request) -> Response:
        """List releases.

        The releases of a domain, newest first, in every state.
        """
        values = self.values
        domain, limit = values.get("domain", "lore"), values["limit"]
        found = list_releases(
            world_id=self.get_world().world_id, domain=domain, before=values.get("cursor"), limit=limit + 1
        )
        page, cursor = cut_page(found, limit, attrgetter("number"))
        data = [render_release(release) for release in page]
        return Response({"domain": domain, **render_page(data, cursor, was="releases", next_was="next_before")})


class ReleaseView(MachineView):
    """`releases/{number}`."""

    @operation(
        "releases_get",
        "Canon",
        reply(shapes.ReleaseNotes, "The release."),
        WORLD_CODES,
        UnknownDomain,
        UnknownRelease,
        path=(NUMBER,),
        parameters=RELEASE_PARAMETERS,
    )
    def get(self, request: Request, number: int) -> Response:
        """Read a release and what it changed.

        The release with the documents that it added, changed and removed in the one it was built on, as far as the
        reader may know them.
        """
        values = self.values
        world = self.get_world()
        if number > MAX_RELEASE_NUMBER:
            raise UnknownRelease(f"There is no release {number}.")
        npc_id = values.get("npc_id")
        notes = get_release_notes(
            world_id=world.world_id,
            domain=values.get("domain", "lore"),
            number=number,
            audience=(PUBLIC,) if npc_id is None else get_npc_audience(world.world_id, npc_id),
        )
        return Response(render_notes(notes))
