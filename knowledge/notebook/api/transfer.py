"""`notebooks/{id}/archive` and `/memory`: documents as files, and the memory tool of Claude on them."""

from __future__ import annotations

import base64
import binascii
from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema
from pydantic import BaseModel
from rest_framework.request import Request
from rest_framework.response import Response

from knowledge.notebook.actions.memory_tool import run_memory_tool
from knowledge.notebook.actions.transfer import export_documents, import_documents
from knowledge.notebook.api import examples, shapes
from knowledge.notebook.api.common import HEADERS, NOTEBOOK_ID, NotebookView
from knowledge.notebook.core.archives import write_archive
from knowledge.notebook.core.memory_schema import MEMORY_SCHEMA
from knowledge.notebook.errors import InvalidArchive
from tenancy.api.bodies import Body
from tenancy.api.parameters import NO_PARAMETERS
from tenancy.api.schemas import (
    BODY_CODES,
    IDEMPOTENCY_HEADER,
    IDEMPOTENCY_PROBLEMS,
    describe_headers,
)
from tenancy.api.shapes import answer, describe_answer

EXAMPLE = base64.b64encode(write_archive([("decisions/typescript.md", "# TypeScript\n")])).decode()
ARCHIVE_BODY: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["zip"],
    "properties": {
        "zip": {
            "type": "string",
            "minLength": 1,
            "maxLength": 12_000_000,
            "description": "A zip of .md files in UTF-8, in base64: 8 MB unpacked at most.",
        },
        "replace": {
            "type": "boolean",
            "default": False,
            "description": "Whether documents of other words are replaced.",
        },
    },
}
ARCHIVE, MEMORY = Body(ARCHIVE_BODY), Body(MEMORY_SCHEMA)


class NotebookArchiveView(NotebookView):
    """`notebooks/{notebook_id}/archive`."""

    @extend_schema(
        operation_id="notebooks_export",
        tags=["Notebooks"],
        summary="Export the documents as a zip of Markdown files",
        parameters=[NOTEBOOK_ID, *HEADERS],
        responses=describe_answer(shapes.ArchiveShape, {"zip": EXAMPLE, "files": 1}, examples.NOTEBOOK_CODES),
    )
    def get(self, request: Request, notebook_id: str) -> Response:
        """Export the documents as a zip of Markdown files."""
        NO_PARAMETERS.read(request)
        data, count = export_documents(self.find_seat(notebook_id))
        return answer(shapes.ArchiveShape(zip=base64.b64encode(data).decode(), files=count))

    @extend_schema(
        operation_id="notebooks_import",
        tags=["Notebooks"],
        summary="Import documents from a zip of Markdown files",
        description="All of them, or none. What an export gave changes nothing.",
        parameters=[NOTEBOOK_ID, *HEADERS, *describe_headers(IDEMPOTENCY_HEADER)[-1:]],
        request={"application/json": ARCHIVE_BODY},
        examples=[OpenApiExample("one file", {"zip": EXAMPLE}, request_only=True)],
        responses=describe_answer(
            shapes.ImportedShape,
            {"created": ["decisions/typescript.md"], "modified": [], "unchanged": [], "kept": []},
            examples.NOTEBOOK_CODES,
            examples.WRITE_CODES,
            BODY_CODES,
            IDEMPOTENCY_PROBLEMS,
            {400: {"notebook_archive_invalid": "'../x.md': A path has no empty parts, no '.' and no '..'."}},
        ),
    )
    def post(self, request: Request, notebook_id: str) -> Response:
        """Import documents from a zip of Markdown files."""
        NO_PARAMETERS.read(request)
        body = ARCHIVE.read(request)
        seat = self.find_seat(notebook_id)
        try:
            data = base64.b64decode(body["zip"].encode("ascii", "replace"), validate=True)
        except (binascii.Error, ValueError) as error:
            raise InvalidArchive("zip is not base64.") from error

        def run() -> tuple[BaseModel, int]:
            done = import_documents(seat, data, replace=body.get("replace", False))
            return (
                shapes.ImportedShape(
                    created=list(done.created),
                    modified=list(done.modified),
                    unchanged=list(done.unchanged),
                    kept=list(done.kept),
                ),
                200,
            )

        return self.write_once(body, run)


class NotebookMemoryView(NotebookView):
    """`notebooks/{notebook_id}/memory`."""

    @extend_schema(
        operation_id="notebooks_memory",
        tags=["Notebooks"],
        summary="Run a command of the Claude memory tool",
        description="`memory_20250818` on the notebook's documents, which stand below `/memories`: send the tool's "
        "input, give `content` and `is_error` back as its result. Texts are those of the SDK's own file tool.",
        parameters=[NOTEBOOK_ID, *HEADERS],
        request={"application/json": MEMORY_SCHEMA},
        examples=[OpenApiExample("view", {"command": "view", "path": "/memories"}, request_only=True)],
        responses=describe_answer(
            shapes.MemoryAnswerShape,
            {
                "content": "Here're the files and directories up to 2 levels deep in /memories, "
                "excluding hidden items:\n4K\t/memories",
                "is_error": False,
            },
            examples.NOTEBOOK_CODES,
            BODY_CODES,
        ),
    )
    def post(self, request: Request, notebook_id: str) -> Response:
        """Run a command of the Claude memory tool."""
        NO_PARAMETERS.read(request)
        command = MEMORY.read(request)
        done = run_memory_tool(self.find_seat(notebook_id), command)
        return answer(shapes.MemoryAnswerShape(content=done.text, is_error=done.is_error))
