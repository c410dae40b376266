"""The book of Character Card V2 and V3, alone in a file too, with SillyTavern's fields in `extensions`.

SillyTavern reads `extensions` and writes some fields above them (`selectiveLogic`), and RisuAI reads some only above
(`case_sensitive`): both places are read, `extensions` first, and both are written.
Sources: the specifications of Character Card V2 and V3, SillyTavern's and RisuAI's converters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from knowledge.lorebooks.core.vocabulary import Dialect, Position, RegexKeys
from knowledge.lorebooks.formats.codecs import ABSENT, CHARACTER_FILTER, FLAG, INTEGER, NUMBER, TEXT, TEXTS
from knowledge.lorebooks.formats.members import EntryFormat, FlagSet, Inverted, Member, Plain
from knowledge.lorebooks.formats.sillytavern import (
    POSITION,
    SCAN_SOURCES,
    SPELLINGS,
    memory37_members,
    optional,
)
from knowledge.lorebooks.json_text import Path, get_path, point, set_path

_POSITION: Path = ("position",)
_EXTENDED_POSITION: Path = ("extensions", "position")
_NAMED_POSITIONS = {"before_char": Position.BEFORE_CHAR, "after_char": Position.AFTER_CHAR}
_BOTH_PLACES = frozenset({"logic", "case_sensitive"})
_SILLYTAVERN_MARKS = ("display_index", "selectiveLogic", "exclude_recursion", "match_whole_words", "memory37")
"""Members of `extensions` that tell that keys are written SillyTavern's way: /…/ for patterns, else plain."""


class PositionMember:
    """`extensions.position` as a number, else the name above it; an entry without either is after the character."""

    field = "position"
    paths: tuple[Path, ...] = (_EXTENDED_POSITION, _POSITION)

    def read(self, raw: Mapping[str, Any], pointer: str) -> Any:
        for path in self.paths:
            found, value = get_path(raw, path)
            read = POSITION.read(_number_of(value), point(pointer, *path)) if found else ABSENT
            if read is not ABSENT:
                return read
        return Position.AFTER_CHAR

    def write(self, raw: dict[str, Any], value: Any) -> None:
        named = Position.BEFORE_CHAR if value is Position.BEFORE_CHAR else Position.AFTER_CHAR
        set_path(raw, _POSITION, named.value)
        set_path(raw, _EXTENDED_POSITION, POSITION.write(value))


def _number_of(value: Any) -> Any:
    """Empty text, which some tools write for a position, says nothing."""
    return None if value == "" else value


class RegexKeysMember:
    """`use_regex` of V3: every key is a pattern, unless SillyTavern wrote it, which always says true."""

    field = "regex_keys"
    paths: tuple[Path, ...] = (("use_regex",),)

    def read(self, raw: Mapping[str, Any], pointer: str) -> Any:
        found, value = get_path(raw, self.paths[0])
        flag = FLAG.read(value, point(pointer, "use_regex")) if found else ABSENT
        if flag is ABSENT or any(get_path(raw, ("extensions", mark))[0] for mark in _SILLYTAVERN_MARKS):
            return RegexKeys.SLASHED
        return RegexKeys.ALL if flag else RegexKeys.NONE

    def write(self, raw: dict[str, Any], value: Any) -> None:
        set_path(raw, self.paths[0], value is not RegexKeys.NONE)


def _spell(field: str, name: str, extension: str) -> tuple[Path, ...]:
    above: dict[Path, None] = {("extensions", extension): None, (extension,): None, (name,): None}
    return tuple(above)


def _extended_members() -> tuple[Member, ...]:
    members = []
    for field, name, extension, codec in SPELLINGS:
        if field == "character_filter":
            continue
        also: tuple[Path, ...] = ((extension,),) if field in _BOTH_PLACES else ()
        members.append(Plain(field, _spell(field, name, extension), codec, skips_null=True, also=also))
    return tuple(members)


ENTRY_MEMBERS: tuple[Member, ...] = (
    Plain("keys", (("keys",), ("key",)), TEXTS),
    Plain("secondary_keys", (("secondary_keys",), ("keysecondary",)), TEXTS),
    Plain("comment", (("comment",),), TEXT),
    Plain("content", (("content",),), TEXT),
    Plain("is_constant", (("constant",),), FLAG),
    Plain("is_selective", (("selective",),), FLAG, absent=False),
    Plain("order", (("insertion_order",), ("order",)), NUMBER),
    Inverted("is_enabled", inverted=(("disable",),), plain=(("enabled",),), is_plain_first=True),
    PositionMember(),
    *_extended_members(),
    FlagSet(
        "scan_sources",
        tuple((source, (("extensions", source.value), (name,))) for source, name in SCAN_SOURCES),
    ),
    *optional(
        Plain(
            "character_filter",
            (("extensions", "character_filter"), ("extensions", "characterFilter"), ("characterFilter",)),
            CHARACTER_FILTER,
            skips_null=True,
        ),
        Plain("name", (("name",),), TEXT),
        Plain("priority", (("priority",),), NUMBER),
        Plain("folder", (("folder",),), TEXT),
        *memory37_members("extensions"),
    ),
)

BOOK_MEMBERS: tuple[Member, ...] = optional(
    Plain("name", (("name",),), TEXT),
    Plain("description", (("description",),), TEXT),
    Plain("scan_depth", (("scan_depth",),), INTEGER),
    Plain("token_budget", (("token_budget",),), INTEGER),
    Plain("recursive_scanning", (("recursive_scanning",),), FLAG),
    Plain("memory37_id", (("extensions", "memory37", "id"),), TEXT),
)

NEW_ENTRY: dict[str, Any] = {
    "id": 0,
    "keys": [],
    "secondary_keys": [],
    "comment": "",
    "content": "",
    "constant": False,
    "selective": False,
    "insertion_order": 100,
    "enabled": True,
    "position": "before_char",
    "extensions": {},
}

CHARACTER_BOOK = EntryFormat(
    dialect=Dialect.CHARACTER_BOOK,
    entry_members=ENTRY_MEMBERS,
    book_members=BOOK_MEMBERS,
    new_entry=NEW_ENTRY,
    new_book={"name": "", "extensions": {}, "entries": []},
    uid_paths=(("id",), ("uid",)),
)

CHARACTER_BOOK_V3 = replace(
    CHARACTER_BOOK,
    dialect=Dialect.CHARACTER_BOOK_V3,
    entry_members=(*ENTRY_MEMBERS, RegexKeysMember()),
    new_entry={**NEW_ENTRY, "use_regex": False},
    knows_decorators=True,
)
