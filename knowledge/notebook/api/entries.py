"""`notebooks/{id}/facts`, `/notes` and `/documents`: kept, read, searched, deleted."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel
from rest_framework.request import Request
from rest_framework.response import Response

from knowledge.canon.selectors.search import MAX_QUERY_LENGTH
from knowledge.errors import EmptyQuery, QueryTooLong
from knowledge.notebook.actions.entries import delete_entry, write_entry
from knowledge.notebook.api import shapes
from knowledge.notebook.api.common import (
    AFTER,
    DOCUMENT_PATH,
    FACT_KEY,
    IF_MATCH,
    LIMIT,
    NOTEBOOK_ID,
    NotebookView,
    notebook_operation,
)
from knowledge.notebook.api.rendering import render_entry, render_search, render_version, render_written
from knowledge.notebook.core.drafts import DOCUMENT, FACT, NOTE, Draft
from knowledge.notebook.core.limits import MAX_DOCUMENT_BYTES, MAX_FACT_BYTES, MAX_NOTE_BYTES
from knowledge.notebook.errors import (
    EntryVersionRequired,
    InvalidEntry,
    InvalidName,
    NameTaken,
    NotebookFull,
    StaleEntry,
    UnknownEntry,
)
from knowledge.notebook.models import EntryState
from knowledge.notebook.selectors.entries import get_entry, list_entries, list_folders, note_use, read_entry
from knowledge.notebook.selectors.search import KINDS, MAX_K, search_notebook
from memoryproject.rest.bodies import Body
from memoryproject.rest.forms import form
from memoryproject.rest.operations import reply
from memoryproject.rest.parameters import ChoiceParameter, ListParameter, NumberParameter, Parameters, TextParameter
from memoryproject.rest.schemas import IDEMPOTENCY_HEADER
from memoryproject.rest.shapes import answer, cut_page
from memoryproject.rest.typed_dicts import build_example

METADATA = {
    "type": "object",
    "description": "Yours: at most 4 kB as JSON.",
    "maxProperties": 50,
    "additionalProperties": {"type": ["string", "number", "boolean", "null"], "maxLength": 2000},
}
OPTIONAL = {"metadata": METADATA}
FACT_BODY = Body(form({"value": {"type": "string", "minLength": 1, "maxLength": MAX_FACT_BYTES}}, OPTIONAL))
NOTE_BODY = Body(form({"text": {"type": "string", "minLength": 1, "maxLength": MAX_NOTE_BYTES}}, OPTIONAL))
DOCUMENT_BODY = Body(form({"content": {"type": "string", "maxLength": MAX_DOCUMENT_BYTES}}, OPTIONAL))
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
WRITE_PROBLEMS = (InvalidName, InvalidEntry, NameTaken, NotebookFull, StaleEntry)
WRITTEN = {
    200: reply(shapes.WrittenShape, outcome="modified"),
    201: reply(shapes.WrittenShape),
    202: reply(shapes.WrittenShape, outcome="proposed", entry=None, proposal=build_example(shapes.ProposalShape)),
}
DELETED = reply(shapes.VersionShape, operation="deleted", content="")


class EntryMixin:
    """Writes a draft, and renders what became of it."""

    def write(self: NotebookView, notebook_id: str, draft: Draft, **options: Any) -> Response:  # type: ignore[misc]
        """201 for what is new, 202 for what waits, else 200."""
        seat, expected = self.find_seat(notebook_id), self.read_if_match()

        def run() -> tuple[BaseModel, int]:
            written = write_entry(seat, draft, expected_sha256=expected, **options)
            return render_written(written), {"created": 201, "proposed": 202}.get(written.outcome, 200)

        return self.write_once(self.body, run)

    def read(self: NotebookView, notebook_id: str, kind: str, name: str) -> Response:  # type: ignore[misc]
        """The entry, which is in use."""
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
        return answer(render_entry(entry), etag=entry.sha256)

    def remove(self: NotebookView, notebook_id: str, kind: str, name: str, *, is_safe: bool = False) -> Response:  # type: ignore[misc]
        """The version that says that it is deleted."""
        seat, expected = self.find_seat(notebook_id), self.read_if_match()
        entry = get_entry(seat, kind, name)
        if is_safe and expected is None and entry.author != seat.agent:
            raise EntryVersionRequired(f"{entry.author!r} wrote {name!r}: send If-Match.")
        return answer(render_version(delete_entry(seat, entry, expected_sha256=expected)))

    def list(self: NotebookView, notebook_id: str, kind: str) -> dict[str, Any]:  # type: ignore[misc]
        """The members of a page of entries."""
        values = self.values
        rows = list_entries(
            self.find_seat(notebook_id),
            kind,
            with_archived=values.get("archived") == "1",
            folder=values.get("folder", ""),
            after=values.get("cursor") or 0,
            limit=values["limit"] + 1,
        )
        page, cursor = cut_page(rows, values["limit"])
        return {"data": [render_entry(row) for row in page], "next_cursor": cursor}


class FactsView(EntryMixin, NotebookView):
    """`notebooks/{notebook_id}/facts`."""

    @notebook_operation("notebooks_facts_list", shapes.EntryList, parameters=LIST)
    def get(self, request: Request, notebook_id: str) -> Response:
        """List facts."""
        return answer(shapes.EntryList(**self.list(notebook_id, FACT)))


class FactView(EntryMixin, NotebookView):
    """`notebooks/{notebook_id}/facts/{fact_key}`."""

    @notebook_operation("notebooks_facts_get", shapes.EntryShape, UnknownEntry, path=(NOTEBOOK_ID, FACT_KEY))
    def get(self, request: Request, notebook_id: str, fact_key: str) -> Response:
        """Recall a fact."""
        return self.read(notebook_id, FACT, fact_key)

    @notebook_operation(
        "notebooks_facts_write",
        WRITTEN,
        *WRITE_PROBLEMS,
        path=(NOTEBOOK_ID, FACT_KEY),
        headers=(IF_MATCH, IDEMPOTENCY_HEADER),
        body=FACT_BODY,
        sent={"a fact": {"value": "PostgreSQL"}},
    )
    def put(self, request: Request, notebook_id: str, fact_key: str) -> Response:
        """Remember a fact.

        Under its key, as a version. What another author said stays as a version and is shown as a conflict, unless
        `If-Match` says that it was read.
        """
        return self.write(notebook_id, Draft(FACT, fact_key, self.body["value"], self.body.get("metadata", {})))

    @notebook_operation(
        "notebooks_facts_delete", DELETED, UnknownEntry, StaleEntry, path=(NOTEBOOK_ID, FACT_KEY), headers=(IF_MATCH,)
    )
    def delete(self, request: Request, notebook_id: str, fact_key: str) -> Response:
        """Delete a fact.

        Its versions are kept; redaction takes words away.
        """
        return self.remove(notebook_id, FACT, fact_key)


class NotesView(EntryMixin, NotebookView):
    """`notebooks/{notebook_id}/notes`."""

    @notebook_operation("notebooks_notes_list", shapes.EntryList, parameters=LIST)
    def get(self, request: Request, notebook_id: str) -> Response:
        """List notes."""
        return answer(shapes.EntryList(**self.list(notebook_id, NOTE)))

    @notebook_operation(
        "notebooks_notes_write",
        WRITTEN,
        *WRITE_PROBLEMS,
        headers=(IDEMPOTENCY_HEADER,),
        body=NOTE_BODY,
        sent={"a note": {"text": shapes.NOTE}},
    )
    def post(self, request: Request, notebook_id: str) -> Response:
        """Write a note.

        Found by meaning. The same words again are the same note. A fact that it speaks against is named.
        """
        return self.write(notebook_id, Draft(NOTE, "", self.body["text"], self.body.get("metadata", {})))


class NotebookSearchView(NotebookView):
    """`notebooks/{notebook_id}/search`."""

    @notebook_operation("notebooks_search", shapes.FoundList, EmptyQuery, QueryTooLong, parameters=SEARCH)
    def get(self, request: Request, notebook_id: str) -> Response:
        """Search a notebook by meaning and by words.

        What another agent wrote names it as its author. What is archived is found by its words alone.
        """
        values = self.values
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

    @notebook_operation("notebooks_documents_list", shapes.NotebookDocumentList, parameters=DOCUMENTS)
    def get(self, request: Request, notebook_id: str) -> Response:
        """List documents and folders."""
        page = self.list(notebook_id, DOCUMENT)
        return answer(shapes.NotebookDocumentList(**page, folders=list_folders(self.find_seat(notebook_id))))


class DocumentView(EntryMixin, NotebookView):
    """`notebooks/{notebook_id}/documents/{document_path}`."""

    @notebook_operation(
        "notebooks_documents_get",
        reply(shapes.EntryShape, kind="document", name="decisions/typescript.md", content="# TypeScript\n"),
        UnknownEntry,
        path=(NOTEBOOK_ID, DOCUMENT_PATH),
    )
    def get(self, request: Request, notebook_id: str, document_path: str) -> Response:
        """Read a document."""
        return self.read(notebook_id, DOCUMENT, document_path)

    @notebook_operation(
        "notebooks_documents_write",
        WRITTEN,
        *WRITE_PROBLEMS,
        EntryVersionRequired,
        path=(NOTEBOOK_ID, DOCUMENT_PATH),
        headers=(IF_MATCH, IDEMPOTENCY_HEADER),
        body=DOCUMENT_BODY,
        sent={"a document": {"content": "# TypeScript\n\nEverywhere, strict.\n"}},
    )
    def put(self, request: Request, notebook_id: str, document_path: str) -> Response:
        """Write a document.

        One that stands is replaced with `If-Match` only; what stood is kept as a version.
        """
        draft = Draft(DOCUMENT, document_path, self.body["content"], self.body.get("metadata", {}))
        return self.write(notebook_id, draft, needs_version=True)

    @notebook_operation(
        "notebooks_documents_delete",
        DELETED,
        UnknownEntry,
        StaleEntry,
        EntryVersionRequired,
        path=(NOTEBOOK_ID, DOCUMENT_PATH),
        headers=(IF_MATCH,),
    )
    def delete(self, request: Request, notebook_id: str, document_path: str) -> Response:
        """Delete a document.

        Of another author with `If-Match` only. Its versions are kept.
        """
        return self.remove(notebook_id, DOCUMENT, document_path, is_safe=True)
