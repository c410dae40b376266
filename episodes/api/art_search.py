"""`art-cards/search`: pictures by what they show."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from episodes.api import art_schemas as schemas
from episodes.api.art import render_card
from episodes.api.play_schemas import PLAY_ID
from episodes.selectors.art_search import CONDITIONS, MAX_K, search_art
from knowledge.canon.selectors.search import MAX_QUERY_LENGTH
from tenancy.api.parameters import NumberParameter, Parameters, TextParameter
from tenancy.api.schemas import WORLD_CODES, describe_headers, describe_problems
from tenancy.api.views import MachineView

PARAMETERS = Parameters(
    (
        TextParameter(
            "q",
            "What the picture shows.",
            "a ronin on a misty bridge",
            MAX_QUERY_LENGTH,
            is_required=True,
            is_prose=True,
        ),
        NumberParameter("k", "How many at most; of config/knowledge.yaml if not sent.", 8, 1, MAX_K),
        TextParameter("scene_id", "Only pictures of this scene.", "scn_042", 200),
        TextParameter(
            "campaign_id",
            "Only what is shown in this campaign: its pictures, and those of no campaign.",
            "camp_123",
            120,
            pattern=PLAY_ID["pattern"],
        ),
        TextParameter("npc_id", "Only pictures with this NPC.", "npc_LiShen", 120),
        TextParameter("location_id", "Only pictures of this place.", "loc_moon_bridge", 120),
    )
)


class ArtSearchView(MachineView):
    """`art-cards/search`."""

    scopes = {"GET": "read"}

    @extend_schema(
        operation_id="art_cards_search",
        tags=["Art"],
        summary="Search art cards by what they show",
        description="By words and meaning of prompt, tags and style, within the world. Unsafe pictures say so.",
        parameters=[*PARAMETERS.describe(), *describe_headers()],
        responses={
            200: OpenApiResponse(
                schemas.ArtSearchSerializer,
                description="Best first.",
                examples=[
                    OpenApiExample(
                        "found",
                        {
                            "query": "a ronin on a misty bridge",
                            "hits": [{"score": 0.91, "card": schemas.CARD}],
                            "degraded": [],
                        },
                    )
                ],
            ),
            **describe_problems(
                WORLD_CODES,
                {
                    400: {
                        "query_empty": "The query is empty.",
                        "filter_not_allowed": "Art cards are not filtered by npc_id here.",
                    }
                },
            ),
        },
    )
    def get(self, request: Request) -> Response:
        """Search art cards by what they show."""
        values = PARAMETERS.read(request)
        world = self.get_world()
        found = search_art(
            tenant_id=world.tenant_id,
            world_id=world.world_id,
            query=values["q"],
            k=values.get("k"),
            filters={name: values[name] for name in CONDITIONS if name in values},
        )
        hits = [{"score": hit.score, "card": render_card(hit.card)} for hit in found.hits]
        return Response({"query": found.query, "hits": hits, "degraded": list(found.degraded)})
