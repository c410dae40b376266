"""What campaigns hold: flags, summaries, exports, and where a party stands."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from episodes.api import play_examples as examples
from episodes.api import play_schemas as schemas
from episodes.api.play_campaigns import CAMPAIGN_ID, CAMPAIGN_PROBLEMS, describe_id
from episodes.api.play_rendering import render_flag, render_search_result, render_session
from episodes.selectors.play import SESSION_SUMMARIES, get_party_state
from episodes.selectors.play_flags import list_flags
from episodes.selectors.play_search import MAX_K, search_summaries
from episodes.transfer.campaign_files import export_campaign
from knowledge.canon.selectors.search import MAX_QUERY_LENGTH
from tenancy.api.parameters import NO_PARAMETERS, NumberParameter, Parameters, TextParameter
from tenancy.api.schemas import WORLD_CODES, describe_headers, describe_problems
from tenancy.api.views import MachineView

MAX_SESSION_K = 20
ID_PATTERN = schemas.PLAY_ID["pattern"]
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
        NumberParameter("k", "How many.", 8, 1, MAX_K, code="k_out_of_range"),
    )
)
FLAG_PARAMETERS = Parameters(
    (
        TextParameter("name", "Only this flag.", "gate_moon_door", 120),
        TextParameter("after", "Go on after this name.", "gate_moon_door", 120),
        NumberParameter("limit", "Of how many names at most.", 50, 1, 200, default=100),
    )
)


class CampaignFlagsView(MachineView):
    """`campaigns/{id}/flags`."""

    scopes = {"GET": "read"}

    @extend_schema(
        operation_id="campaign_flags_list",
        tags=["Play"],
        summary="List a campaign's flags with their last changes",
        parameters=[CAMPAIGN_ID, *FLAG_PARAMETERS.describe(), *describe_headers()],
        responses={
            200: OpenApiResponse(
                schemas.FlagListSerializer,
                description="The flags by name, each with what set it.",
                examples=[OpenApiExample("flags", examples.FLAGS)],
            ),
            **CAMPAIGN_PROBLEMS,
        },
    )
    def get(self, request: Request, campaign_id: str) -> Response:
        """List a campaign's flags with their last changes."""
        values = FLAG_PARAMETERS.read(request)
        world = self.get_world()
        page = list_flags(tenant_id=world.tenant_id, world_id=world.world_id, campaign_id=campaign_id, **values)
        return Response({"flags": [render_flag(flag) for flag in page.flags], "next_after": page.next_after})


class CampaignSummariesView(MachineView):
    """`campaigns/{id}/summaries`."""

    scopes = {"GET": "read"}

    @extend_schema(
        operation_id="campaign_summaries_search",
        tags=["Play"],
        summary="Search what happened in a campaign",
        description="By keywords and meaning. With `npc_id`, only what that NPC saw or was told of.",
        parameters=[CAMPAIGN_ID, *SEARCH_PARAMETERS.describe(), *describe_headers()],
        responses={
            200: OpenApiResponse(
                schemas.SummarySearchSerializer,
                description="The best summaries, best first.",
                examples=[OpenApiExample("found", examples.FOUND)],
            ),
            **describe_problems(
                WORLD_CODES,
                examples.CAMPAIGN_CODES,
                examples.PARTY_CODES,
                examples.SEARCH_CODES,
                {400: {"parameter_missing": "q is missing."}},
            ),
        },
    )
    def get(self, request: Request, campaign_id: str) -> Response:
        """Search what happened in a campaign."""
        values = SEARCH_PARAMETERS.read(request)
        world = self.get_world()
        result = search_summaries(
            tenant_id=world.tenant_id,
            world_id=world.world_id,
            campaign_id=campaign_id,
            query=values.pop("q"),
            **values,
        )
        return Response(render_search_result(result))


class CampaignExportView(MachineView):
    """`campaigns/{id}/export`."""

    scopes = {"GET": "read"}

    @extend_schema(
        operation_id="campaigns_export",
        tags=["Play"],
        summary="Export a campaign",
        description="Everything that the engine told, in order: what `manage.py restore_campaign` takes.",
        parameters=[CAMPAIGN_ID, *describe_headers()],
        responses={
            200: OpenApiResponse(
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
            **CAMPAIGN_PROBLEMS,
        },
    )
    def get(self, request: Request, campaign_id: str) -> Response:
        """Export a campaign."""
        NO_PARAMETERS.read(request)
        world = self.get_world()
        return Response(export_campaign(tenant_id=world.tenant_id, world_id=world.world_id, campaign_id=campaign_id))


class SessionView(MachineView):
    """`parties/{id}/session`."""

    scopes = {"GET": "read"}

    @extend_schema(
        operation_id="sessions_get",
        tags=["Play"],
        summary="Read where a party stands",
        description="Its last summaries, the notes of its last events, its flags, its scene, and the same as the short "
        "text that a model reads. With `npc_id`, only what that NPC saw or was told of: ask so for a model that speaks "
        "as an NPC.",
        parameters=[describe_id("party_id", "pty_001"), *SESSION_PARAMETERS.describe(), *describe_headers()],
        responses={
            200: OpenApiResponse(
                schemas.SessionSerializer,
                description="Where the party stands.",
                examples=[OpenApiExample("session", examples.SESSION)],
            ),
            **describe_problems(WORLD_CODES, examples.PARTY_CODES, examples.NPC_CODES),
        },
    )
    def get(self, request: Request, party_id: str) -> Response:
        """Read where a party stands."""
        values = SESSION_PARAMETERS.read(request)
        world = self.get_world()
        state = get_party_state(tenant_id=world.tenant_id, world_id=world.world_id, party_id=party_id, **values)
        return Response(render_session(state))
