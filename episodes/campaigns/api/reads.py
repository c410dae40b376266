"""What campaigns hold: flags, summaries, exports, and where a party stands."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiExample, OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response

from episodes.campaigns.api import examples, shapes
from episodes.campaigns.api.campaigns import CAMPAIGN_ID, CAMPAIGN_PROBLEMS, describe_id
from episodes.campaigns.api.rendering import render_flag, render_search_result, render_session
from episodes.campaigns.selectors.campaigns import SESSION_SUMMARIES, get_party_state
from episodes.campaigns.selectors.flags import list_flags
from episodes.campaigns.selectors.search import MAX_K, search_summaries
from episodes.errors import UnknownCampaign, UnknownParty
from episodes.transfer.campaign_files import export_campaign
from knowledge.canon.selectors.search import MAX_QUERY_LENGTH
from knowledge.errors import KOutOfRange
from memoryproject.rest.operations import operation, reply
from memoryproject.rest.pages import page_by_text, render_page
from memoryproject.rest.parameters import NumberParameter, Parameters, TextParameter
from memoryproject.rest.schemas import WORLD_CODES
from npcs.errors import UnknownNpc
from tenancy.api.views import MachineView

MAX_SESSION_K = 20
ID_PATTERN = shapes.PLAY_ID["pattern"]
SESSION_PARAMETERS = Parameters(
    (
        NumberParameter(
            "k", "How many summaries, and how many events.", 2, 1, MAX_SESSION_K, default=SESSION_SUMMARIES
        ),
        TextParameter("npc_id", "Only what this NPC saw or was told of.", "npc_LiShen", 120, pattern=ID_PATTERN),
    )
)
SEARCH_PARAMETERS = Parameters(
    (
        TextParameter(
            "q", "What to look for.", "who lent us the key", MAX_QUERY_LENGTH, is_required=True, is_prose=True
        ),
        TextParameter("party_id", "Only summaries of this party.", "pty_001", 120, pattern=ID_PATTERN),
        TextParameter("npc_id", "Only what this NPC saw or was told of.", "npc_LiShen", 120, pattern=ID_PATTERN),
        NumberParameter("k", "How many.", 8, 1, MAX_K, error=KOutOfRange),
    )
)
FLAG_PARAMETERS = Parameters(
    (
        TextParameter("name", "Only this flag.", "gate_moon_door", 120),
        *page_by_text(example="gate_moon_door", max_length=120, size=100, was="after"),
    )
)


class CampaignFlagsView(MachineView):
    """`campaigns/{id}/flags`."""

    scopes = {"GET": "read"}

    @operation(
        "campaign_flags_list",
        "Play",
        reply(shapes.FlagList, "The flags by name, each with what set it."),
        *CAMPAIGN_PROBLEMS,
        path=(CAMPAIGN_ID,),
        parameters=FLAG_PARAMETERS,
    )
    def get(self, request: Request, campaign_id: str) -> Response:
        """List a campaign's flags with their last changes."""
        values = self.values
        world = self.get_world()
        page = list_flags(
            tenant_id=world.tenant_id,
            world_id=world.world_id,
            campaign_id=campaign_id,
            name=values.get("name"),
            after=values.get("cursor", ""),
            limit=values["limit"],
        )
        data = [render_flag(flag) for flag in page.flags]
        return Response(render_page(data, page.next_after, was="flags", next_was="next_after"))


class CampaignSummariesView(MachineView):
    """`campaigns/{id}/summaries`."""

    scopes = {"GET": "read"}

    @operation(
        "campaign_summaries_search",
        "Play",
        reply(shapes.SummarySearch, "The best summaries, best first."),
        WORLD_CODES,
        UnknownCampaign,
        UnknownParty,
        examples.SEARCH_CODES,
        path=(CAMPAIGN_ID,),
        parameters=SEARCH_PARAMETERS,
    )
    def get(self, request: Request, campaign_id: str) -> Response:
        """Search what happened in a campaign.

        By keywords and meaning. With `npc_id`, only what that NPC saw or was told of.
        """
        values = self.values
        world = self.get_world()
        result = search_summaries(
            tenant_id=world.tenant_id, world_id=world.world_id, campaign_id=campaign_id, query=values.pop("q"), **values
        )
        return Response(render_search_result(result))


class CampaignExportView(MachineView):
    """`campaigns/{id}/export`."""

    scopes = {"GET": "read"}

    @operation(
        "campaigns_export",
        "Play",
        OpenApiResponse(
            {"type": "object", "required": ["format", "campaign", "entries"]},
            description="The campaign as one document.",
            examples=[
                OpenApiExample(
                    "export",
                    {
                        "format": "memory37-campaign/1",
                        "campaign": {"campaign_id": "camp_123", "title": "The Moon Key", "state": "active"},
                        "entries": [{"event": examples.EVENT_BODY}],
                        "told": [],
                    },
                )
            ],
        ),
        *CAMPAIGN_PROBLEMS,
        path=(CAMPAIGN_ID,),
    )
    def get(self, request: Request, campaign_id: str) -> Response:
        """Export a campaign.

        Everything that the engine told, in order: what `manage.py restore_campaign` takes.
        """
        world = self.get_world()
        return Response(export_campaign(tenant_id=world.tenant_id, world_id=world.world_id, campaign_id=campaign_id))


class SessionView(MachineView):
    """`parties/{id}/session`."""

    scopes = {"GET": "read"}

    @operation(
        "sessions_get",
        "Play",
        reply(shapes.Session, "Where the party stands."),
        WORLD_CODES,
        UnknownParty,
        UnknownNpc,
        path=(describe_id("party_id", "pty_001"),),
        parameters=SESSION_PARAMETERS,
    )
    def get(self, request: Request, party_id: str) -> Response:
        """Read where a party stands.

        Its last summaries, the notes of its last events, its flags, its scene, and the same as the short text that a
        model reads. With `npc_id`, only what that NPC saw or was told of: ask so for a model that speaks as an NPC.
        """
        values = self.values
        world = self.get_world()
        state = get_party_state(tenant_id=world.tenant_id, world_id=world.world_id, party_id=party_id, **values)
        return Response(render_session(state))
