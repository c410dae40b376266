"""What the pages of lorebooks share: names of formats, fields of forms, tables of losses and tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import HttpResponse

from knowledge.lorebooks.detection import FileFormat
from knowledge.lorebooks.files import LoreFile
from knowledge.lorebooks.losses import Loss, Outcome
from knowledge.lorebooks.token_counts import TokenCounts, count_book_tokens

LOSSES_SHOWN = 200
FORMAT_NAMES = {
    FileFormat.SILLYTAVERN: "SillyTavern World Info",
    FileFormat.CHARACTER_BOOK: "Character book (V2)",
    FileFormat.CARD_V1: "Character Card V1",
    FileFormat.CARD_V2: "Character Card V2",
    FileFormat.CARD_V3: "Character Card V3",
    FileFormat.LOREBOOK_V3: "lorebook_v3",
    FileFormat.RISU: "RisuAI",
    FileFormat.NOVELAI: "NovelAI",
    FileFormat.AGNAI: "Agnai",
}


def text_field(label: str, **options: Any) -> forms.CharField:
    """A line of text in any direction, not required."""
    return forms.CharField(label=label, required=False, widget=forms.TextInput(attrs={"dir": "auto"}), **options)


def split_commas(text: str) -> tuple[str, ...]:
    """The parts of a list by commas."""
    return tuple(part.strip() for part in text.split(",") if part.strip())


def list_places(tokens: TokenCounts) -> list[tuple[str, int]]:
    """Places of the prompt and their tokens, most first."""
    return sorted(tokens.by_position.items(), key=lambda pair: -pair[1])


def describe_losses(file: LoreFile, losses: Sequence[Loss]) -> dict[str, Any]:
    """The loss report and the tokens of a book, as the templates take them."""
    lost = [loss for loss in losses if loss.outcome is not Outcome.KEPT]
    remarks = [loss for loss in losses if loss.outcome is Outcome.KEPT and loss.why]
    tokens = count_book_tokens(file.book)
    return {
        "lorebook": file,
        "losses": [*lost, *remarks][:LOSSES_SHOWN],
        "loss_count": len(lost),
        "tokens": tokens,
        "places": list_places(tokens),
    }


def answer_download(content: bytes, content_type: str, name: str) -> HttpResponse:
    """A file to be saved."""
    answer = HttpResponse(content, content_type=content_type)
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
