"""Visual tags in one form: markers of NPCs and places are compared with the tags of pictures."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

MAX_TAG_LENGTH = 64
_DASHES = frozenset("-_/·‐‑‒–—―−")


def normalise_tag(text: str) -> str:
    """`Scar_Left Cheek!` as `scar-left-cheek`: NFKC, casefold, letters, digits and single hyphens. May be empty."""
    kept: list[str] = []
    for character in unicodedata.normalize("NFKC", text).casefold():
        if character in _DASHES or character.isspace():
            kept.append("-" if kept and kept[-1] != "-" else "")
            continue
        if unicodedata.category(character)[0] in "LNM":
            kept.append(character)
    return "".join(kept).strip("-")[:MAX_TAG_LENGTH].strip("-")


def normalise_tags(texts: Iterable[str]) -> tuple[str, ...]:
    """The tags in their one form, each once, in order; what has no letter or digit is left out."""
    return tuple(dict.fromkeys(tag for tag in map(normalise_tag, texts) if tag))
