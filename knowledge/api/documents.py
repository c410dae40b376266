"""Documents of canon, whole and in lists."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from knowledge.api import schemas
from knowledge.api.parameters import DOMAIN, LANGUAGE, READER, SESSION_HEADER, TAGS, TYPE, resolve_reading
from knowledge.api.rendering import render_document, render_read_release, render_summary
from knowledge.canon.selectors.documents import MAX_PAGE_SIZE, get_document, list_documents
from tenancy.api.parameters import NumberParameter, Parameters, TextParameter, describe_parameter, read_header
from tenancy.api.schemas import WORLD_CODES, describe_headers, describe_problems
from tenancy.api.views import MachineView

SLUG = TextParameter("slug", "The document's slug in that release.", "mute-bell", 120, is_required=True)
DOCUMENT_PARAMETERS = Parameters((DOMAIN, *READER))
LIST_PARAMETERS = Parameters(
    (
        DOMAIN,
        *READER,
        TYPE,
        LANGUAGE,
        TAGS,
        TextParameter("after", "Only slugs after this one: `next_after` of the page before.", "moon-bridge", 120),
        NumberParameter("limit", "How many at most.", 50, 1, MAX_PAGE_SIZE, default=50),
    )
)


class DocumentsView(MachineView):
    """`lore/documents`."""

    @extend_schema(
        operation_id="documents_list",
        tags=["Canon"],
        summary="List documents",
        description="The documents of a release in the order of their slugs, a page at a time.",
        parameters=[*LIST_PARAMETERS.describe(), *describe_headers(SESSION_HEADER)],
        responses={
            200: OpenApiResponse(
                schemas.DocumentListSerializer,
                examples=[OpenApiExample("page", schemas.DOCUMENT_LIST)],
                description="A page.",
            ),
            **describe_problems(WORLD_CODES, schemas.CANON_CODES),
        },
    )
    def get(self, request: Request) -> Response:
        """List documents."""
        values = LIST_PARAMETERS.read(request)
        session_id = read_header(request, SESSION_HEADER)
        reading = resolve_reading(self.get_world(), values, domain="lore", session_id=session_id)
        page = list_documents(
            reading.release,
            audience=reading.audience,
            type=values.get("type"),
            language=values.get("language"),
            tags=values.get("tags", ()),
            after=values.get("after", ""),
            limit=values["limit"],
        )
        return Response(
            {
                "domain": reading.release.domain,
                "release": render_read_release(reading.release),
                "documents": [render_summary(document) for document in page.documents],
                "next_after": page.next_after,
            }
        )


class DocumentView(MachineView):
    """`lore/documents/{slug}`."""

    @extend_schema(
        operation_id="documents_get",
        tags=["Canon"],
        summary="Read a document",
        description="A whole document of a release: body, structured facts, chunks, links and backlinks.",
        parameters=[
            describe_parameter(SLUG, location=OpenApiParameter.PATH),
            *DOCUMENT_PARAMETERS.describe(),
            *describe_headers(SESSION_HEADER),
        ],
        responses={
            200: OpenApiResponse(
                schemas.DocumentSerializer,
                examples=[OpenApiExample("document", schemas.DOCUMENT)],
                description="As the reader may see it.",
            ),
            **describe_problems(WORLD_CODES, schemas.CANON_CODES, schemas.DOCUMENT_CODES),
        },
    )
    def get(self, request: Request, slug: str) -> Response:
        """Read a document."""
        values = DOCUMENT_PARAMETERS.read(request)
        session_id = read_header(request, SESSION_HEADER)
        reading = resolve_reading(self.get_world(), values, domain="lore", session_id=session_id)
        document = get_document(reading.release, slug[:200], audience=reading.audience)
        return Response(render_document(document, reading.release))
