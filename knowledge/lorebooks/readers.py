"""Books out of JSON: every entry with its uid, its place and the JSON that it was read from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from knowledge.lorebooks.core.book import Book, Entry
from knowledge.lorebooks.core.decorators import split_decorators
from knowledge.lorebooks.core.vocabulary import Dialect
from knowledge.lorebooks.errors import WorldInfoInvalid
from knowledge.lorebooks.formats.codecs import name_kind
from knowledge.lorebooks.formats.members import EntryFormat, read_members
from knowledge.lorebooks.formats.registry import FORMATS
from knowledge.lorebooks.json_text import get_path, point
from knowledge.lorebooks.limits import MAX_ENTRIES

EntryItem = tuple[str | int, Mapping[str, Any]]


def read_book(raw: Any, dialect: Dialect, pointer: str = "") -> Book:
    """The book that the JSON holds. Raises WorldInfoInvalid with the pointer of what is wrong."""
    if not isinstance(raw, Mapping):
        raise WorldInfoInvalid(f"must be an object, not {name_kind(raw)}", pointer=pointer)
    spelling = FORMATS[dialect]
    taken: dict[str, int] = {}
    entries = tuple(
        _read_entry(spelling, key, item, index, taken, pointer)
        for index, (key, item) in enumerate(list_items(raw, spelling, pointer))
    )
    return Book(**read_members(spelling.book_members, raw, pointer), entries=entries, dialect=dialect, raw=raw)


def read_entry(raw: Mapping[str, Any], dialect: Dialect, *, uid: str, index: int = 0, pointer: str = "") -> Entry:
    """One entry of that dialect."""
    fields = read_members(FORMATS[dialect].entry_members, raw, pointer)
    decorators, _ = split_decorators(fields["content"])
    return Entry(**fields, uid=uid, index=index, decorators=decorators, raw=raw)


def list_items(raw: Mapping[str, Any], spelling: EntryFormat, pointer: str) -> Iterator[EntryItem]:
    """The entries with their key or place: of an object by uid, or of a list. Both stand in files of one dialect."""
    found, items = get_path(raw, spelling.entries_path)
    place = point(pointer, *spelling.entries_path)
    if not found or not isinstance(items, dict | list):
        raise WorldInfoInvalid(f"must be an object or a list, not {name_kind(items)}", pointer=place)
    if len(items) > MAX_ENTRIES:
        raise WorldInfoInvalid(f"has {len(items)} entries; {MAX_ENTRIES} are taken", pointer=place)
    pairs: Any = items.items() if isinstance(items, dict) else enumerate(items)
    for key, item in pairs:
        if not isinstance(item, Mapping):
            raise WorldInfoInvalid(f"must be an object, not {name_kind(item)}", pointer=point(place, key))
        yield key, item


def _read_entry(
    spelling: EntryFormat, key: str | int, raw: Mapping[str, Any], index: int, taken: dict[str, int], pointer: str
) -> Entry:
    place = point(pointer, *spelling.entries_path, key)
    uid = _make_unique(key if isinstance(key, str) else _own_uid(raw, spelling, index), taken)
    return read_entry(raw, spelling.dialect, uid=uid, index=index, pointer=place)


def _own_uid(raw: Mapping[str, Any], spelling: EntryFormat, index: int) -> str:
    """What the entry says that it is called, else its place."""
    for path in spelling.uid_paths:
        found, value = get_path(raw, path)
        if found and isinstance(value, int | str) and not isinstance(value, bool) and value != "":
            return str(value)
    return str(index)


def _make_unique(uid: str, taken: dict[str, int]) -> str:
    """The uid, with `~2` and so on where the file names two entries alike. `taken` holds the last number of each."""
    unique, number = uid, taken.get(uid, 0)
    while unique in taken:
        number = max(number, 1) + 1
        unique = f"{uid}~{number}"
    taken[uid] = number
    taken.setdefault(unique, 0)
    return unique
