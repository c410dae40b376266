"""Search and look-up."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from knowledge.api import schemas
from knowledge.api.parameters import DOMAIN, LANGUAGE, READER, SESSION_HEADER, resolve_reading
from knowledge.api.rendering import render_search
from knowledge.canon.selectors.search import K_MOST, QUERY_LENGTH_MOST, search_lore
from tenancy.api.parameters import ListParameter, NumberParameter, Parameters, TextParameter, read_header
from tenancy.api.schemas import WORLD_CODES, describe_headers, describe_problems
from tenancy.api.views import MachineView

SEARCH_PARAMETERS = Parameters(
    (
        TextParameter(
            "q",
            "What to look for, in any language.",
            "why is the western bell silent",
            QUERY_LENGTH_MOST,
            is_required=True,
            is_prose=True,
        ),
        NumberParameter(
            "k", "How many hits at most; `config/knowledge.yaml` says the default.", 5, 1, K_MOST, code="k_out_of_range"
        ),
        DOMAIN,
        *READER,
        ListParameter("tags", "Only articles that carry all of these tags.", "bell", 64, r"^[^\s,|\[\]]+$"),
        LANGUAGE,
        TextParameter("type", "Only articles of this type.", "item", 40),
    )
)


class SearchView(MachineView):
    """`lore/search`."""

    @extend_schema(
        operation_id="lore_search",
        tags=["Canon"],
        summary="Search canon",
        description="The passages of a release that answer a query best, by exact BM25 and by vectors.",
        parameters=[*SEARCH_PARAMETERS.describe(), *describe_headers(SESSION_HEADER)],
        responses={
            200: OpenApiResponse(
                schemas.SearchSerializer, examples=[OpenApiExample("found", schemas.SEARCH)], description="Best first."
            ),
            **describe_problems(WORLD_CODES, schemas.CANON_CODES, schemas.QUERY_CODES),
        },
    )
    def get(self, request: Request) -> Response:
        """Search canon."""
        values = SEARCH_PARAMETERS.read(request)
        session_id = read_header(request, SESSION_HEADER)
        reading = resolve_reading(self.get_world(), values, domain="lore", session_id=session_id)
        result = search_lore(
            reading.release,
            values["q"],
            k=values.get("k"),
            audience=reading.audience,
            tags=values.get("tags", ()),
            language=values.get("language"),
            type=values.get("type"),
        )
        return Response(render_search(result))
