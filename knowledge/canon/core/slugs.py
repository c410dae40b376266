"""Slugs made from titles of any script: the same title always gives the same slug."""

from __future__ import annotations

import hashlib
import re
import unicodedata

SLUG_PATTERN = r"^[a-z0-9]+(?:-[a-z0-9]+)*$"
"""The form of every slug; `schemas/lore_document.schema.json` says it too."""
MAX_SLUG_LENGTH = 120
_SLUG = re.compile(SLUG_PATTERN.replace("$", r"\Z"))
_MAX_MADE_LENGTH = 80
_HASH_DIGITS = 10
_NOT_IN_SLUG = re.compile(r"[^a-z0-9]+")
_APOSTROPHES = re.compile(r"['’ʼ`]")

_CYRILLIC = {
    "а": "a", "б": "b", "в": "v", "г": "g", "д": "d", "е": "e", "ё": "yo", "ж": "zh", "з": "z", "и": "i", "й": "y",
    "к": "k", "л": "l", "м": "m", "н": "n", "о": "o", "п": "p", "р": "r", "с": "s", "т": "t", "у": "u", "ф": "f",
    "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ъ": "", "ы": "y", "ь": "", "э": "e", "ю": "yu",
    "я": "ya", "і": "i", "ї": "yi", "є": "ye", "ґ": "g", "ў": "u", "ј": "j", "љ": "lj", "њ": "nj", "ћ": "c",
    "ђ": "dj", "џ": "dz", "ѕ": "dz", "ѓ": "gj", "ќ": "kj",
}  # fmt: skip
_ARABIC = {
    "ا": "a", "أ": "a", "إ": "i", "آ": "a", "ٱ": "a", "ء": "", "ؤ": "w", "ئ": "y", "ب": "b", "ت": "t", "ث": "th",
    "ج": "j", "ح": "h", "خ": "kh", "د": "d", "ذ": "dh", "ر": "r", "ز": "z", "س": "s", "ش": "sh", "ص": "s", "ض": "d",
    "ط": "t", "ظ": "z", "ع": "a", "غ": "gh", "ف": "f", "ق": "q", "ك": "k", "ل": "l", "م": "m", "ن": "n", "ه": "h",
    "ة": "a", "و": "w", "ى": "a", "ي": "y", "پ": "p", "چ": "ch", "ژ": "zh", "گ": "g", "ک": "k", "ی": "y",
    "ـ": "",
}  # fmt: skip
_LATIN = {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
_LETTERS = _CYRILLIC | _ARABIC | _LATIN


def make_slug(title: str) -> str:
    """The title in Latin letters, digits and hyphens; never empty.

    Latin, Cyrillic and Arabic letters are transliterated. Where others are left over (Chinese has no letters to
    transliterate), a hash of the title stands in for them, so that different titles stay apart.
    """
    text = unicodedata.normalize("NFKC", title).casefold()
    lost = False
    pieces = []
    for char in _APOSTROPHES.sub("", text):
        piece = _LETTERS.get(char)
        if piece is None:
            piece = _strip_marks(char)
            lost = lost or (char.isalpha() and not piece.isascii())
        pieces.append(piece if piece.isascii() else " ")
    slug = _NOT_IN_SLUG.sub("-", "".join(pieces)).strip("-")
    if lost or not slug:
        return join_slug(slug, _hash(text))
    return slug if len(slug) <= _MAX_MADE_LENGTH else join_slug(slug, _hash(text))


def is_slug(text: str) -> bool:
    """Whether the text can be an article's slug."""
    return len(text) <= MAX_SLUG_LENGTH and _SLUG.match(text) is not None


def join_slug(slug: str, ending: str) -> str:
    """The slug with a hyphen and an ending, cut so that both fit."""
    kept = slug[: _MAX_MADE_LENGTH - len(ending) - 1].strip("-")
    return f"{kept}-{ending}" if kept else f"x{ending}"


def _strip_marks(char: str) -> str:
    """A letter without its diacritics; combining marks alone become nothing."""
    return "".join(
        _LETTERS.get(part, part) for part in unicodedata.normalize("NFKD", char) if not unicodedata.combining(part)
    )


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:_HASH_DIGITS]
