"""What of a book fires on a sample chat, and why: for the preview of an import."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from knowledge.lorebooks.activation.inputs import ActivationSettings, BoundBook, Chat, ChatMessage
from knowledge.lorebooks.activation.preview import pair_entries, preview_activation
from knowledge.lorebooks.core.book import Book

MAX_CHAT_LENGTH = 20_000
SCAN_DEPTH = 20
"""Messages of the pasted chat that are scanned where the book says nothing: a sample is pasted to be seen whole."""


@dataclass(frozen=True, slots=True)
class FiredEntry:
    """One entry, whether it fires by SillyTavern's rules and by ours, and the sentence that says why."""

    uid: str
    title: str
    fires: bool
    fires_m37: bool
    why: str
    why_m37: str

    def as_json(self) -> dict[str, Any]:
        return {
            "entry": self.uid,
            "title": self.title,
            "fires": self.fires,
            "fires_m37": self.fires_m37,
            "why": self.why,
            "why_m37": self.why_m37,
        }


def show_firing(book: Book, chat_text: str, *, seed: int = 0) -> list[FiredEntry]:
    """Each entry of the book on the chat, a message a line, in the order of the trace. The dice are seeded."""
    lines = [line.strip() for line in chat_text[:MAX_CHAT_LENGTH].splitlines() if line.strip()]
    chat = Chat(messages=tuple(ChatMessage(line) for line in lines))
    settings = ActivationSettings(
        scan_depth=SCAN_DEPTH if book.scan_depth is None else book.scan_depth,
        is_recursive=bool(book.recursive_scanning),
    )
    preview = preview_activation([BoundBook(book)], chat, settings, seed=seed)
    return [
        FiredEntry(theirs.uid, theirs.title, theirs.is_active, ours.is_active, theirs.describe(), ours.describe())
        for theirs, ours in pair_entries(preview.faithful, preview.m37)
    ]
