"""Campaigns: opened, listed, and taken from state to state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from episodes.campaigns.actions.campaigns import archive_campaign, finish_campaign, open_campaign, restore_campaign
from episodes.campaigns.api import shapes
from episodes.campaigns.api.rendering import render_campaign
from episodes.campaigns.selectors.campaigns import get_campaign, list_campaigns
from episodes.errors import CampaignStateConflict, InvalidCampaign, UnknownCampaign
from episodes.models import Campaign, CampaignState
from memoryproject.rest.bodies import Body
from memoryproject.rest.operations import operation, reply
from memoryproject.rest.pages import page_by_number, render_page
from memoryproject.rest.parameters import ChoiceParameter, Parameters, TextParameter
from memoryproject.rest.schemas import IDEMPOTENCY_HEADER, WORLD_CODES, Problems
from memoryproject.rest.shapes import cut_page
from tenancy.actions.idempotency import Answer
from tenancy.api.views import MachineView

MAX_PAGE_SIZE = 100
BODY = Body(shapes.CAMPAIGN_BODY)
LIST_PARAMETERS = Parameters(
    (
        ChoiceParameter("state", "Only campaigns in this state.", "active", tuple(CampaignState.values)),
        *page_by_number(size=20, most=MAX_PAGE_SIZE, was="before"),
    )
)


def describe_id(name: str, example: str) -> TextParameter:
    """An id of the engine's in a path."""
    return TextParameter(name, "", example, shapes.PLAY_ID["maxLength"], shapes.PLAY_ID["pattern"])


CAMPAIGN_ID = describe_id("campaign_id", "camp_123")
CAMPAIGN_PROBLEMS = (WORLD_CODES, UnknownCampaign)


class CampaignsView(MachineView):
    """`campaigns`."""

    scopes = {"GET": "read", "POST": "engine"}

    @operation(
        "campaigns_list",
        "Play",
        reply(shapes.CampaignList, "The world's campaigns, newest first."),
        WORLD_CODES,
        parameters=LIST_PARAMETERS,
    )
    def get(self, request: Request) -> Response:
        """List campaigns."""
        values = self.values
        limit = values["limit"]
        world = self.get_world()
        found = list_campaigns(
            tenant_id=world.tenant_id,
            world_id=world.world_id,
            state=values.get("state"),
            before=values.get("cursor"),
            limit=limit + 1,
        )
        page, cursor = cut_page(found, limit, lambda view: view.campaign.pk)
        data = [render_campaign(view) for view in page]
        return Response(render_page(data, cursor, was="campaigns", next_was="next_before"))

    @operation(
        "campaigns_open",
        "Play",
        {
            200: reply(shapes.Campaign, "It was there already."),
            201: reply(shapes.Campaign, "It is new.", parties=[], summary_count=0, event_count=0),
        },
        WORLD_CODES,
        InvalidCampaign,
        headers=(IDEMPOTENCY_HEADER,),
        body=BODY,
        sent={"a campaign": {"campaign_id": "camp_123", "title": "The Moon Key"}},
    )
    def post(self, request: Request) -> Response:
        """Open a campaign.

        A new campaign, or the one that the id already names.
        """
        body = self.body
        world = self.get_world()
        place = {"tenant_id": world.tenant_id, "world_id": world.world_id}

        def write() -> Answer:
            opened = open_campaign(**place, external_id=body["campaign_id"], title=body.get("title", ""))
            view = get_campaign(**place, campaign_id=opened.campaign.external_id)
            return Answer(201 if opened.created else 200, render_campaign(view))

        return self.idempotent_response(world, body, write)


class CampaignView(MachineView):
    """`campaigns/{id}`."""

    scopes = {"GET": "read"}

    @operation(
        "campaigns_get",
        "Play",
        reply(shapes.Campaign, "The campaign, without what happened in it."),
        *CAMPAIGN_PROBLEMS,
        path=(CAMPAIGN_ID,),
    )
    def get(self, request: Request, campaign_id: str) -> Response:
        """Read what a campaign is."""
        world = self.get_world()
        view = get_campaign(tenant_id=world.tenant_id, world_id=world.world_id, campaign_id=campaign_id)
        return Response(render_campaign(view))


def describe_move(name: str, state: str, *problems: Problems) -> Callable[[Any], Any]:
    """The operation of a step of a campaign from state to state."""
    moved = reply(shapes.Campaign, "The campaign as it is now.", state=state)
    return operation(f"campaigns_{name}", "Play", moved, *CAMPAIGN_PROBLEMS, *problems, path=(CAMPAIGN_ID,))


class CampaignMoveView(MachineView):
    """A step of a campaign from state to state. A repeat changes nothing."""

    scopes = {"POST": "engine"}

    def move(self, campaign_id: str, step: Callable[..., Campaign]) -> Response:
        """Take the step and tell the campaign as it is then."""
        world = self.get_world()
        place = {"tenant_id": world.tenant_id, "world_id": world.world_id}
        step(**place, external_id=campaign_id)
        return Response(render_campaign(get_campaign(**place, campaign_id=campaign_id)))


class FinishView(CampaignMoveView):
    """`campaigns/{id}/finish`."""

    @describe_move("finish", "finished", CampaignStateConflict)
    def post(self, request: Request, campaign_id: str) -> Response:
        """Finish a campaign.

        It is still found, but takes nothing more.
        """
        return self.move(campaign_id, finish_campaign)


class ArchiveView(CampaignMoveView):
    """`campaigns/{id}/archive`."""

    @describe_move("archive", "archived", CampaignStateConflict)
    def post(self, request: Request, campaign_id: str) -> Response:
        """Archive a finished campaign.

        It is kept, but nothing of it is found.
        """
        return self.move(campaign_id, archive_campaign)


class RestoreView(CampaignMoveView):
    """`campaigns/{id}/restore`."""

    @describe_move("restore", "active")
    def post(self, request: Request, campaign_id: str) -> Response:
        """Bring a campaign back into play.

        All its summaries are found again, as if told today.
        """
        return self.move(campaign_id, restore_campaign)
