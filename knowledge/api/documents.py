"""Documents of canon, whole and in lists."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from knowledge.api import shapes
from knowledge.api.parameters import DOMAIN, LANGUAGE, READER, SESSION_HEADER, TAGS, TYPE, resolve_reading
from knowledge.api.rendering import render_document, render_read_release, render_summary
from knowledge.canon.selectors.documents import MAX_PAGE_SIZE, get_document, list_documents
from knowledge.errors import UnknownDocument
from memoryproject.rest.operations import operation, reply
from memoryproject.rest.pages import page_by_text, render_page
from memoryproject.rest.parameters import Parameters, TextParameter, read_header
from memoryproject.rest.schemas import WORLD_CODES
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
        *page_by_text(example="moon-bridge", max_length=120, most=MAX_PAGE_SIZE, was="after"),
    )
)


class DocumentsView(MachineView):
    """`lore/documents`."""

    @operation(
        "documents_list",
        "Canon",
        reply(shapes.DocumentList, "A page."),
        WORLD_CODES,
        shapes.CANON_CODES,
        parameters=LIST_PARAMETERS,
        headers=(SESSION_HEADER,),
    )
    def get(self, request: Request) -> Response:
        """List documents.

        The documents of a release in the order of their slugs, a page at a time.
        """
        values = self.values
        session_id = read_header(request, SESSION_HEADER)
        reading = resolve_reading(self.get_world(), values, domain="lore", session_id=session_id)
        page = list_documents(
            reading.release,
            audience=reading.audience,
            type=values.get("type"),
            language=values.get("language"),
            tags=values.get("tags", ()),
            after=values.get("cursor", ""),
            limit=values["limit"],
        )
        data = [render_summary(document) for document in page.documents]
        return Response(
            {
                "domain": reading.release.domain,
                "release": render_read_release(reading.release),
                **render_page(data, page.next_after, was="documents", next_was="next_after"),
            }
        )


class DocumentView(MachineView):
    """`lore/documents/{slug}`."""

    @operation(
        "documents_get",
        "Canon",
        reply(shapes.Document, "As the reader may see it.", backlinks=[{"slug": "oda-marr", "title": "Oda Marr"}]),
        WORLD_CODES,
        shapes.CANON_CODES,
        UnknownDocument,
        path=(SLUG,),
        parameters=DOCUMENT_PARAMETERS,
        headers=(SESSION_HEADER,),
    )
    def get(self, request: Request, slug: str) -> Response:
        """Read a document.

        A whole document of a release: body, structured facts, chunks, links and backlinks.
        """
        values = self.values
        session_id = read_header(request, SESSION_HEADER)
        reading = resolve_reading(self.get_world(), values, domain="lore", session_id=session_id)
        document = get_document(reading.release, slug[:200], audience=reading.audience)
        return Response(render_document(document, reading.release))
