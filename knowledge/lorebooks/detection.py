"""What kind of file a JSON document is: told by its shape, never by a name or by what it says of itself.

Programs export one shape under the name of another (Chub and SillyTavern both do), so members decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Any

from knowledge.lorebooks.core.vocabulary import Dialect
from knowledge.lorebooks.errors import WorldInfoInvalid
from knowledge.lorebooks.formats.codecs import name_kind
from knowledge.lorebooks.json_text import Path


class FileFormat(StrEnum):
    """What a file is as a whole; the entries in it have a dialect of their own."""

    SILLYTAVERN = "sillytavern"
    CHARACTER_BOOK = "character_book"
    CARD_V1 = "card_v1"
    CARD_V2 = "card_v2"
    CARD_V3 = "card_v3"
    LOREBOOK_V3 = "lorebook_v3"
    RISU = "risu"
    NOVELAI = "novelai"
    AGNAI = "agnai"


CARDS = frozenset({FileFormat.CARD_V1, FileFormat.CARD_V2, FileFormat.CARD_V3})
WRITTEN_FORMATS = tuple(each for each in FileFormat if each is not FileFormat.CARD_V1)
_BOOK_FORMATS = {
    Dialect.SILLYTAVERN: FileFormat.SILLYTAVERN,
    Dialect.CHARACTER_BOOK: FileFormat.CHARACTER_BOOK,
    Dialect.CHARACTER_BOOK_V3: FileFormat.CHARACTER_BOOK,
    Dialect.RISU: FileFormat.RISU,
    Dialect.NOVELAI: FileFormat.NOVELAI,
    Dialect.AGNAI: FileFormat.AGNAI,
}
_CARD_MEMBERS = frozenset({"first_mes", "mes_example", "personality", "scenario", "character_book", "creator_notes"})
_V3_MEMBERS = frozenset({"group_only_greetings", "assets", "nickname", "creator_notes_multilingual", "source"})
_LOOKED_AT = 50  # entries whose members tell the dialect


@dataclass(frozen=True, slots=True)
class Detected:
    """The format, where the card and the book stand in the document, and the dialect of the entries."""

    format: FileFormat
    dialect: Dialect
    book_path: Path = ()
    card_path: Path | None = None
    is_bare: bool = False  # the document is the list of entries itself


def detect(document: Any) -> Detected:
    """What the document is. Raises WorldInfoInvalid if it is nothing that we know."""
    if isinstance(document, list):
        dialect = _dialect_of(document)
        if dialect is None:
            raise WorldInfoInvalid("is a list, but not of lorebook entries")
        return Detected(_BOOK_FORMATS[dialect], dialect, is_bare=True)
    if not isinstance(document, Mapping):
        raise WorldInfoInvalid(f"must hold an object, not {name_kind(document)}")
    found = _detect_book(document) or _detect_card(document) or _detect_inside(document)
    if found is None:
        raise WorldInfoInvalid("is no lorebook and no card: it has neither `entries` nor the members of a character")
    return found


def _detect_book(document: Mapping[str, Any]) -> Detected | None:
    data = document.get("data")
    if isinstance(data, list):
        is_risu = document.get("type") == "risu" or _dialect_of(data) is Dialect.RISU
        return Detected(FileFormat.RISU, Dialect.RISU) if is_risu else None
    if isinstance(data, Mapping) and _has_entries(data) and not _CARD_MEMBERS & data.keys():
        dialect = _dialect_of(_items(data))
        is_v3 = dialect in {None, Dialect.CHARACTER_BOOK}
        return Detected(
            FileFormat.LOREBOOK_V3, Dialect.CHARACTER_BOOK_V3 if is_v3 else dialect or Dialect.SILLYTAVERN, ("data",)
        )
    if not _has_entries(document):
        return None
    dialect = _dialect_of(_items(document)) or _dialect_of_empty(document)
    return Detected(_BOOK_FORMATS[dialect], dialect)


def _detect_card(document: Mapping[str, Any]) -> Detected | None:
    data = document.get("data")
    if isinstance(data, Mapping) and (_CARD_MEMBERS & data.keys() or {"name", "description"} <= data.keys()):
        says_v3 = document.get("spec") == "chara_card_v3" or str(document.get("spec_version", "")).startswith("3")
        is_v3 = says_v3 or len(_V3_MEMBERS & data.keys()) > 1
        return Detected(
            FileFormat.CARD_V3 if is_v3 else FileFormat.CARD_V2,
            _dialect_of_card(data, is_v3=is_v3),
            ("data", "character_book"),
            ("data",),
        )
    if len(_CARD_MEMBERS & document.keys()) > 1 or {"name", "description", "first_mes"} <= document.keys():
        dialect = _dialect_of_card(document, is_v3=False)
        return Detected(FileFormat.CARD_V1, dialect, ("character_book",), ())
    return None


def _detect_inside(document: Mapping[str, Any]) -> Detected | None:
    """A NovelAI scenario and an Agnai character hold a book among other things."""
    for name, format_, dialect in (
        ("lorebook", FileFormat.NOVELAI, Dialect.NOVELAI),
        ("characterBook", FileFormat.AGNAI, Dialect.AGNAI),
    ):
        inner = document.get(name)
        if isinstance(inner, Mapping) and _has_entries(inner):
            return Detected(format_, _dialect_of(_items(inner)) or dialect, (name,))
    return None


def _dialect_of_card(data: Mapping[str, Any], *, is_v3: bool) -> Dialect:
    book = data.get("character_book")
    found = _dialect_of(_items(book)) if isinstance(book, Mapping) and _has_entries(book) else None
    if found in {None, Dialect.CHARACTER_BOOK}:
        return Dialect.CHARACTER_BOOK_V3 if is_v3 else Dialect.CHARACTER_BOOK
    return found or Dialect.CHARACTER_BOOK


def _has_entries(book: Mapping[str, Any]) -> bool:
    return isinstance(book.get("entries"), dict | list)


def _items(book: Mapping[str, Any]) -> list[Any]:
    entries = book["entries"]
    return list(islice(entries.values() if isinstance(entries, dict) else entries, _LOOKED_AT))


def _dialect_of(items: Iterable[Any]) -> Dialect | None:
    """The dialect whose members the first entries have; None where there are no entries to look at."""
    looked_at = [item for item in islice(items, _LOOKED_AT) if isinstance(item, Mapping)]
    members = frozenset(name for item in looked_at for name in item)
    if {"entry", "keywords"} <= members:
        return Dialect.AGNAI
    if "insertorder" in members or {"secondkey", "alwaysActive"} & members:
        return Dialect.RISU
    if "text" in members and "content" not in members:
        return Dialect.NOVELAI
    if "key" in members or {"keysecondary", "disable", "uid"} <= members:
        return Dialect.SILLYTAVERN
    if members & {"keys", "insertion_order", "enabled"}:
        return Dialect.CHARACTER_BOOK_V3 if "use_regex" in members else Dialect.CHARACTER_BOOK
    return Dialect.SILLYTAVERN if {"uid", "content"} & members else None


def _dialect_of_empty(document: Mapping[str, Any]) -> Dialect:
    if "lorebookVersion" in document:
        return Dialect.NOVELAI
    if document.get("kind") == "memory":
        return Dialect.AGNAI
    return Dialect.SILLYTAVERN if isinstance(document["entries"], dict) else Dialect.CHARACTER_BOOK
