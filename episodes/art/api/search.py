"""`art-cards/search`: pictures by what they show."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from episodes.art.api import shapes
from episodes.art.api.cards import render_card
from episodes.art.selectors.search import CONDITIONS, MAX_K, search_art
from episodes.campaigns.api.shapes import PLAY_ID
from knowledge.canon.selectors.search import MAX_QUERY_LENGTH
from knowledge.errors import EmptyQuery, FilterNotAllowed, QueryTooLong
from memoryproject.rest.operations import operation, reply
from memoryproject.rest.parameters import NumberParameter, Parameters, TextParameter
from memoryproject.rest.schemas import WORLD_CODES
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

    @operation(
        "art_cards_search",
        "Art",
        reply(shapes.ArtSearch, "Best first."),
        WORLD_CODES,
        EmptyQuery,
        QueryTooLong,
        FilterNotAllowed,
        parameters=PARAMETERS,
    )
    def get(self, request: Request) -> Response:
        """Search art cards by what they show.

        By words and meaning of prompt, tags and style, within the world. Unsafe pictures say so.
        """
        values = self.values
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
