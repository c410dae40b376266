"""`notebooks/{id}/archive` and `/memory`: documents as files, and the memory tool of Claude on them."""

from __future__ import annotations

import base64
import binascii

from pydantic import BaseModel
from rest_framework.request import Request
from rest_framework.response import Response

from knowledge.notebook.actions.memory_tool import run_memory_tool
from knowledge.notebook.actions.transfer import export_documents, import_documents
from knowledge.notebook.api import shapes
from knowledge.notebook.api.common import NotebookView, notebook_operation
from knowledge.notebook.api.entries import WRITE_PROBLEMS
from knowledge.notebook.core.memory_schema import MEMORY_SCHEMA
from knowledge.notebook.errors import InvalidArchive
from memoryproject.rest.bodies import Body
from memoryproject.rest.forms import form
from memoryproject.rest.schemas import IDEMPOTENCY_HEADER
from memoryproject.rest.shapes import answer, fill

ARCHIVE = {
    "type": "string",
    "minLength": 1,
    "maxLength": 12_000_000,
    "description": "A zip of .md files in UTF-8, in base64: 8 MB unpacked at most.",
}
REPLACE = {"type": "boolean", "default": False, "description": "Whether documents of other words are replaced."}


class NotebookArchiveView(NotebookView):
    """`notebooks/{notebook_id}/archive`."""

    @notebook_operation("notebooks_export", shapes.ArchiveShape)
    def get(self, request: Request, notebook_id: str) -> Response:
        """Export the documents as a zip of Markdown files."""
        data, count = export_documents(self.find_seat(notebook_id))
        return answer(shapes.ArchiveShape(zip=base64.b64encode(data).decode(), files=count))

    @notebook_operation(
        "notebooks_import",
        shapes.ImportedShape,
        *WRITE_PROBLEMS,
        InvalidArchive,
        headers=(IDEMPOTENCY_HEADER,),
        body=Body(form({"zip": ARCHIVE}, {"replace": REPLACE})),
        sent={"one file": {"zip": shapes.ARCHIVE}},
    )
    def post(self, request: Request, notebook_id: str) -> Response:
        """Import documents from a zip of Markdown files.

        All of them, or none. What an export gave changes nothing.
        """
        body = self.body
        seat = self.find_seat(notebook_id)
        try:
            data = base64.b64decode(body["zip"].encode("ascii", "replace"), validate=True)
        except (binascii.Error, ValueError) as error:
            raise InvalidArchive("zip is not base64.") from error

        def run() -> tuple[BaseModel, int]:
            done = import_documents(seat, data, replace=body.get("replace", False))
            return fill(shapes.ImportedShape, done), 200

        return self.write_once(body, run)


class NotebookMemoryView(NotebookView):
    """`notebooks/{notebook_id}/memory`."""

    @notebook_operation(
        "notebooks_memory",
        shapes.MemoryAnswerShape,
        body=Body(MEMORY_SCHEMA),
        sent={"view": {"command": "view", "path": "/memories"}},
    )
    def post(self, request: Request, notebook_id: str) -> Response:
        """Run a command of the Claude memory tool.

        `memory_20250818` on the notebook's documents, which stand below `/memories`: send the tool's input, give
        `content` and `is_error` back as its result. Texts are those of the SDK's own file tool.
        """
        done = run_memory_tool(self.find_seat(notebook_id), self.body)
        return answer(shapes.MemoryAnswerShape(content=done.text, is_error=done.is_error))
