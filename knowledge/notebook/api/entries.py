"""`notebooks/{id}/facts`, `/notes` and `/documents`: kept, read, searched, deleted."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema
from pydantic import BaseModel
from rest_framework.request import Request
from rest_framework.response import Response

from knowledge.canon.selectors.search import MAX_QUERY_LENGTH
from knowledge.notebook.actions.entries import delete_entry, write_entry
from knowledge.notebook.api import examples, shapes
from knowledge.notebook.api.common import (
    AFTER,
    DOCUMENT_PATH,
    FACT_KEY,
    HEADERS,
    IF_MATCH_HEADER,
    LIMIT,
    NOTEBOOK_ID,
    NotebookView,
    answer_entry,
)
from knowledge.notebook.api.rendering import render_entry, render_search, render_version, render_written
from knowledge.notebook.core.drafts import DOCUMENT, FACT, NOTE, Draft
from knowledge.notebook.core.limits import MAX_DOCUMENT_BYTES, MAX_FACT_BYTES, MAX_NOTE_BYTES
from knowledge.notebook.errors import EntryVersionRequired
from knowledge.notebook.models import EntryState
from knowledge.notebook.selectors.entries import get_entry, list_entries, list_folders, note_use, read_entry
from knowledge.notebook.selectors.search import KINDS, MAX_K, search_notebook
from tenancy.api.bodies import Body
from tenancy.api.parameters import (
    NO_PARAMETERS,
    ChoiceParameter,
    ListParameter,
    NumberParameter,
    Parameters,
    TextParameter,
)
from tenancy.api.schemas import (
    BODY_CODES,
    IDEMPOTENCY_HEADER,
    IDEMPOTENCY_PROBLEMS,
    describe_headers,
)
from tenancy.api.shapes import answer, describe_answer

METADATA = {
    "type": "object",
    "description": "Yours: at most 4 kB as JSON.",
    "maxProperties": 50,
    "additionalProperties": {"type": ["string", "number", "boolean", "null"], "maxLength": 2000},
}
FACT_BODY: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["value"],
    "properties": {
        "value": {"type": "string", "minLength": 1, "maxLength": MAX_FACT_BYTES},
        "metadata": METADATA,
    },
}
NOTE_BODY: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["text"],
    "properties": {"text": {"type": "string", "minLength": 1, "maxLength": MAX_NOTE_BYTES}, "metadata": METADATA},
}
DOCUMENT_BODY: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["content"],
    "properties": {"content": {"type": "string", "maxLength": MAX_DOCUMENT_BYTES}, "metadata": METADATA},
}
FACT_WRITE, NOTE_WRITE, DOCUMENT_WRITE = Body(FACT_BODY), Body(NOTE_BODY), Body(DOCUMENT_BODY)
ARCHIVED = ChoiceParameter("archived", "Also what is archived.", "1", ("0", "1"))
LIST = Parameters((ARCHIVED, AFTER, LIMIT))
DOCUMENTS = Parameters(
    (TextParameter("folder", "Only what is in this folder.", "decisions", 1024), ARCHIVED, AFTER, LIMIT)
)
SEARCH = Parameters(
    (
        TextParameter("q", "What is asked.", "why not mongo?", MAX_QUERY_LENGTH, is_required=True, is_prose=True),
        NumberParameter("k", "How many at most.", 3, 1, MAX_K, default=3),
        ListParameter("kinds", "What is searched; notes alone if left out.", "note", 10, "^(?:fact|note|document)$"),
        ARCHIVED,
    )
)
WRITE_HEADERS = [*HEADERS, IF_MATCH_HEADER, *describe_headers(IDEMPOTENCY_HEADER)[-1:]]
WRITE_PROBLEMS = (examples.NOTEBOOK_CODES, examples.WRITE_CODES, BODY_CODES, IDEMPOTENCY_PROBLEMS)
STALE = {412: examples.WRITE_CODES[412]}


def _describe_write(example: dict[str, Any], *more: Any) -> dict[Any, Any]:
    return {
        **describe_answer(shapes.WrittenShape, example, *WRITE_PROBLEMS, *more),
        201: describe_answer(shapes.WrittenShape, {**example, "outcome": "created"}, status=201)[201],
        202: describe_answer(
            shapes.WrittenShape,
            {"outcome": "proposed", "entry": None, "proposal": examples.PROPOSAL, "conflicts": []},
            status=202,
        )[202],
    }


class EntryMixin:
    """Writes a draft, and renders what became of it."""

    def write(self: NotebookView, notebook_id: str, draft: Draft, body: Any, **options: Any) -> Response:  # type: ignore[misc]
        """201 for what is new, 202 for what waits, else 200."""
        seat, expected = self.find_seat(notebook_id), self.read_if_match()

        def run() -> tuple[BaseModel, int]:
            written = write_entry(seat, draft, expected_sha256=expected, **options)
            return render_written(written), {"created": 201, "proposed": 202}.get(written.outcome, 200)

        return self.write_once(body, run)

    def read(self: NotebookView, notebook_id: str, kind: str, name: str) -> Response:  # type: ignore[misc]
        """The entry, which is in use."""
        NO_PARAMETERS.read(self.request)
        entry = read_entry(
            tenant_id=self.caller.tenant_id,
            world_id=self.world_id,
            slug=notebook_id,
            agent=self.agent,
            api_key_id=self.caller.key_id,
            kind=kind,
            name=name,
        )
        if entry.state == EntryState.LIVE:
            note_use([entry])
        return answer_entry(render_entry(entry), entry.sha256)

    def remove(self: NotebookView, notebook_id: str, kind: str, name: str, *, is_safe: bool = False) -> Response:  # type: ignore[misc]
        """The version that says that it is deleted."""
        NO_PARAMETERS.read(self.request)
        seat, expected = self.find_seat(notebook_id), self.read_if_match()
        entry = get_entry(seat, kind, name)
        if is_safe and expected is None and entry.author != seat.agent:
            raise EntryVersionRequired(f"{entry.author!r} wrote {name!r}: send If-Match.")
        return answer(render_version(delete_entry(seat, entry, expected_sha256=expected)))

    def list(self: NotebookView, notebook_id: str, kind: str, values: dict[str, Any]) -> dict[str, Any]:  # type: ignore[misc]
        """The members of a page of entries."""
        seat = self.find_seat(notebook_id)
        rows = list_entries(
            seat,
            kind,
            with_archived=values.get("archived") == "1",
            folder=values.get("folder", ""),
            after=values.get("cursor") or 0,
            limit=values["limit"] + 1,
        )
        page = rows[: values["limit"]]
        cursor = page[-1].pk if len(rows) > len(page) else None
        return {"data": [render_entry(row) for row in page], "next_cursor": cursor}


class FactsView(EntryMixin, NotebookView):
    """`notebooks/{notebook_id}/facts`."""

    @extend_schema(
        operation_id="notebooks_facts_list",
        tags=["Notebooks"],
        summary="List facts",
        parameters=[NOTEBOOK_ID, *LIST.describe(), *HEADERS],
        responses=describe_answer(
            shapes.EntryList, {"data": [examples.FACT], "next_cursor": None}, examples.NOTEBOOK_CODES
        ),
    )
    def get(self, request: Request, notebook_id: str) -> Response:
        """List facts."""
        return answer(shapes.EntryList(**self.list(notebook_id, FACT, LIST.read(request))))


class FactView(EntryMixin, NotebookView):
    """`notebooks/{notebook_id}/facts/{fact_key}`."""

    @extend_schema(
        operation_id="notebooks_facts_get",
        tags=["Notebooks"],
        summary="Recall a fact",
        parameters=[NOTEBOOK_ID, FACT_KEY, *HEADERS],
        responses=describe_answer(shapes.EntryShape, examples.FACT, examples.NOTEBOOK_CODES, examples.ENTRY_CODES),
    )
    def get(self, request: Request, notebook_id: str, fact_key: str) -> Response:
        """Recall a fact."""
        return self.read(notebook_id, FACT, fact_key)

    @extend_schema(
        operation_id="notebooks_facts_write",
        tags=["Notebooks"],
        summary="Remember a fact",
        description="Under its key, as a version. What another author said stays as a version and is shown as a "
        "conflict, unless `If-Match` says that it was read.",
        parameters=[NOTEBOOK_ID, FACT_KEY, *WRITE_HEADERS],
        request={"application/json": FACT_BODY},
        examples=[OpenApiExample("a fact", {"value": "PostgreSQL"}, request_only=True)],
        responses=_describe_write(examples.WRITTEN),
    )
    def put(self, request: Request, notebook_id: str, fact_key: str) -> Response:
        """Remember a fact."""
        NO_PARAMETERS.read(request)
        body = FACT_WRITE.read(request)
        return self.write(notebook_id, Draft(FACT, fact_key, body["value"], body.get("metadata", {})), body)

    @extend_schema(
        operation_id="notebooks_facts_delete",
        tags=["Notebooks"],
        summary="Delete a fact",
        description="Its versions are kept; redaction takes words away.",
        parameters=[NOTEBOOK_ID, FACT_KEY, *HEADERS, IF_MATCH_HEADER],
        responses=describe_answer(
            shapes.VersionShape,
            {**examples.VERSION, "operation": "deleted", "content": ""},
            examples.NOTEBOOK_CODES,
            examples.ENTRY_CODES,
            STALE,
        ),
    )
    def delete(self, request: Request, notebook_id: str, fact_key: str) -> Response:
        """Delete a fact."""
        return self.remove(notebook_id, FACT, fact_key)


class NotesView(EntryMixin, NotebookView):
    """`notebooks/{notebook_id}/notes`."""

    @extend_schema(
        operation_id="notebooks_notes_list",
        tags=["Notebooks"],
        summary="List notes",
        parameters=[NOTEBOOK_ID, *LIST.describe(), *HEADERS],
        responses=describe_answer(
            shapes.EntryList, {"data": [examples.NOTE], "next_cursor": None}, examples.NOTEBOOK_CODES
        ),
    )
    def get(self, request: Request, notebook_id: str) -> Response:
        """List notes."""
        return answer(shapes.EntryList(**self.list(notebook_id, NOTE, LIST.read(request))))

    @extend_schema(
        operation_id="notebooks_notes_write",
        tags=["Notebooks"],
        summary="Write a note",
        description="Found by meaning. The same words again are the same note. A fact that it speaks against is named.",
        parameters=[NOTEBOOK_ID, *HEADERS, *describe_headers(IDEMPOTENCY_HEADER)[-1:]],
        request={"application/json": NOTE_BODY},
        examples=[OpenApiExample("a note", {"text": examples.NOTE["content"]}, request_only=True)],
        responses=_describe_write(examples.WRITTEN_NOTE),
    )
    def post(self, request: Request, notebook_id: str) -> Response:
        """Write a note."""
        NO_PARAMETERS.read(request)
        body = NOTE_WRITE.read(request)
        return self.write(notebook_id, Draft(NOTE, "", body["text"], body.get("metadata", {})), body)


class NotebookSearchView(NotebookView):
    """`notebooks/{notebook_id}/search`."""

    @extend_schema(
        operation_id="notebooks_search",
        tags=["Notebooks"],
        summary="Search a notebook by meaning and by words",
        description="What another agent wrote names it as its author. What is archived is found by its words alone.",
        parameters=[NOTEBOOK_ID, *SEARCH.describe(), *HEADERS],
        responses=describe_answer(shapes.FoundList, examples.FOUND, examples.NOTEBOOK_CODES, examples.QUERY_CODES),
    )
    def get(self, request: Request, notebook_id: str) -> Response:
        """Search a notebook by meaning and by words."""
        values = SEARCH.read(request)
        found = search_notebook(
            self.find_seat(notebook_id),
            values["q"],
            k=values["k"],
            kinds=values.get("kinds") or KINDS[1:2],
            with_archived=values.get("archived") == "1",
        )
        note_use([hit.entry for hit in found.hits if hit.entry.state == EntryState.LIVE])
        return answer(render_search(values["q"], found))


class DocumentsView(EntryMixin, NotebookView):
    """`notebooks/{notebook_id}/documents`."""

    @extend_schema(
        operation_id="notebooks_documents_list",
        tags=["Notebooks"],
        summary="List documents and folders",
        parameters=[NOTEBOOK_ID, *DOCUMENTS.describe(), *HEADERS],
        responses=describe_answer(
            shapes.DocumentList,
            {"data": [examples.DOCUMENT], "next_cursor": None, "folders": ["decisions"]},
            examples.NOTEBOOK_CODES,
        ),
    )
    def get(self, request: Request, notebook_id: str) -> Response:
        """List documents and folders."""
        values = DOCUMENTS.read(request)
        page = self.list(notebook_id, DOCUMENT, values)
        return answer(shapes.DocumentList(**page, folders=list_folders(self.find_seat(notebook_id))))


class DocumentView(EntryMixin, NotebookView):
    """`notebooks/{notebook_id}/documents/{document_path}`."""

    @extend_schema(
        operation_id="notebooks_documents_get",
        tags=["Notebooks"],
        summary="Read a document",
        parameters=[NOTEBOOK_ID, DOCUMENT_PATH, *HEADERS],
        responses=describe_answer(shapes.EntryShape, examples.DOCUMENT, examples.NOTEBOOK_CODES, examples.ENTRY_CODES),
    )
    def get(self, request: Request, notebook_id: str, document_path: str) -> Response:
        """Read a document."""
        return self.read(notebook_id, DOCUMENT, document_path)

    @extend_schema(
        operation_id="notebooks_documents_write",
        tags=["Notebooks"],
        summary="Write a document",
        description="One that stands is replaced with `If-Match` only; what stood is kept as a version.",
        parameters=[NOTEBOOK_ID, DOCUMENT_PATH, *WRITE_HEADERS],
        request={"application/json": DOCUMENT_BODY},
        examples=[OpenApiExample("a document", {"content": examples.DOCUMENT["content"]}, request_only=True)],
        responses=_describe_write(examples.WRITTEN_DOCUMENT, examples.VERSION_CODES),
    )
    def put(self, request: Request, notebook_id: str, document_path: str) -> Response:
        """Write a document."""
        NO_PARAMETERS.read(request)
        body = DOCUMENT_WRITE.read(request)
        draft = Draft(DOCUMENT, document_path, body["content"], body.get("metadata", {}))
        return self.write(notebook_id, draft, body, needs_version=True)

    @extend_schema(
        operation_id="notebooks_documents_delete",
        tags=["Notebooks"],
        summary="Delete a document",
        description="Of another author with `If-Match` only. Its versions are kept.",
        parameters=[NOTEBOOK_ID, DOCUMENT_PATH, *HEADERS, IF_MATCH_HEADER],
        responses=describe_answer(
            shapes.VersionShape,
            {**examples.VERSION, "operation": "deleted", "content": ""},
            examples.NOTEBOOK_CODES,
            examples.ENTRY_CODES,
            STALE,
            examples.VERSION_CODES,
        ),
    )
    def delete(self, request: Request, notebook_id: str, document_path: str) -> Response:
        """Delete a document."""
        return self.remove(notebook_id, DOCUMENT, document_path, is_safe=True)
