"""What lorebook calls answer, built of imports and conversions."""

from __future__ import annotations

import base64
from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiResponse

from knowledge.lorebooks.files import Converted, LoreFile
from knowledge.lorebooks.losses import Outcome, count_outcomes
from knowledge.lorebooks.token_counts import count_book_tokens
from memoryproject.rest.shapes import fill
from reviews.lorebooks.api import shapes
from reviews.lorebooks.plans import LorebookImport, list_unkept


def render_import(done: LorebookImport, file: LoreFile) -> dict[str, Any]:
    """What came of an import, or would."""
    return {
        "format": file.format.value,
        "name": file.book.name,
        "counts": done.count(),
        "change_requests": list(done.change_request_ids),
        "entries": [
            {"entry": each.uid, "title": each.title, "outcome": each.outcome.value, "slug": each.slug, "why": each.why}
            for each in done.entries
        ],
        "losses": [loss.as_json() for loss in list_unkept(done, file.book)],
    }


def render_tokens(file: LoreFile) -> shapes.LorebookTokens:
    """Tokens of a book, whole and by place."""
    counts = count_book_tokens(file.book)
    return fill(shapes.LorebookTokens, counts)


def render_report(converted: Converted, file: LoreFile) -> dict[str, Any]:
    """Losses and tokens. What is kept without a word to say about it is only counted."""
    told = [loss.as_json() for loss in converted.losses if loss.why or loss.outcome is not Outcome.KEPT]
    return {
        "format": converted.format.value,
        "entries": len(file.book.entries),
        "counts": count_outcomes(converted.losses),
        "losses": told,
        "tokens": render_tokens(file),
    }


def render_file(converted: Converted, file: LoreFile, picture: bytes | None) -> dict[str, Any]:
    """A converted file with its report."""
    return {
        **render_report(converted, file),
        "document": converted.document,
        "file_base64": None if picture is None else base64.b64encode(picture).decode(),
    }


def describe_file(description: str, example: Any) -> OpenApiResponse:
    """A file of JSON in the OpenAPI document."""
    examples = [OpenApiExample("example", example)]
    return OpenApiResponse({"type": "object", "additionalProperties": True}, description, examples)
