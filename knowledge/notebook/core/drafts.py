"""What an agent writes, before it is kept, and who writes it."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from knowledge.notebook.core.limits import MAX_DOCUMENT_BYTES, MAX_FACT_BYTES, MAX_METADATA_BYTES, MAX_NOTE_BYTES

FACT, NOTE, DOCUMENT = "fact", "note", "document"
MAX_BYTES = {FACT: MAX_FACT_BYTES, NOTE: MAX_NOTE_BYTES, DOCUMENT: MAX_DOCUMENT_BYTES}
_PLAIN_CONTROLS = frozenset("\t\n\r")


@dataclass(frozen=True, slots=True)
class Draft:
    """A fact (`name` is its key), a note (without a name) or a document (`name` is its path)."""

    kind: str
    name: str
    content: str
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Origin:
    """By what a write came, and the message of a player that it rests on."""

    source: str = "rest"
    message_id: int | None = None


def hash_content(content: str) -> str:
    """SHA-256 of a text in hex: its version for whoever wants to replace it."""
    return hashlib.sha256(content.encode("utf-8")).hexdigest()


def validate_content(draft: Draft) -> str | None:
    """Why the text of a draft can't be kept; None for one that can."""
    if draft.kind != DOCUMENT and not draft.content.strip():
        return f"A {draft.kind} says something."
    flaw = _find_character(draft.content)
    if flaw is not None:
        return f"A text has no characters such as U+{flaw:04X}."
    if len(draft.content.encode("utf-8")) > MAX_BYTES[draft.kind]:
        return f"A {draft.kind} has at most {MAX_BYTES[draft.kind]} bytes in UTF-8."
    if len(json.dumps(draft.metadata, ensure_ascii=False).encode("utf-8", "replace")) > MAX_METADATA_BYTES:
        return f"Metadata have at most {MAX_METADATA_BYTES} bytes."
    return None


def _find_character(text: str) -> int | None:
    """The first character that is no text: NUL, other controls but tabs and line ends, half of a pair."""
    if text.isprintable():
        return None
    for character in text:
        category = unicodedata.category(character)
        if category == "Cs" or (category == "Cc" and character not in _PLAIN_CONTROLS):
            return ord(character)
    return None
