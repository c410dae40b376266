"""The second copy of its entries that SillyTavern keeps in `originalData`: taken apart by entry, put together again.

Each article keeps what its entry's copy says otherwise than the article; the file keeps the rest. So no copy tells what
a reader may not know, or what an article says no more.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from knowledge.lorebooks.adaptation import adapt_entry
from knowledge.lorebooks.core.book import Entry
from knowledge.lorebooks.core.vocabulary import Dialect
from knowledge.lorebooks.detection import detect
from knowledge.lorebooks.errors import CardInvalid, WorldInfoInvalid
from knowledge.lorebooks.formats.members import fields_of, patch_members
from knowledge.lorebooks.formats.registry import FORMATS
from knowledge.lorebooks.json_text import Path, copy_json, get_path, set_path
from knowledge.lorebooks.origins import Origin
from knowledge.lorebooks.readers import read_entry
from knowledge.lorebooks.writers import ORIGINAL, new_entry

_DIGEST_DIGITS = 16


@dataclass(frozen=True, slots=True)
class EntryCopy:
    """One item of the second copy: its JSON, dialect, and where it stood."""

    raw: Mapping[str, Any]
    dialect: Dialect
    key: str
    index: int


def list_copies(book: Mapping[str, Any]) -> dict[str, EntryCopy]:
    """Uid of an entry to its copy; nothing where the copy is no book that we know."""
    found = _find_items(book)
    if found is None:
        return {}
    dialect, _, items = found
    pairs = items.items() if isinstance(items, dict) else enumerate(items)
    copies: dict[str, EntryCopy] = {}
    for index, (key, item) in enumerate(pairs):
        if isinstance(item, Mapping):
            copies.setdefault(_name_item(item, index), EntryCopy(item, dialect, str(key), index))
    return copies


def find_unkept_copies(book: Mapping[str, Any], uids: Collection[str]) -> str:
    """What of the second copy stands for none of the entries with these uids; empty where all of it does."""
    if ORIGINAL not in book:
        return ""
    found = _find_items(book)
    if found is None:
        return "SillyTavern's second copy of the entries is no book that we know"
    copies = list_copies(book)
    if len(copies) < len(found[2]) or not copies.keys() <= set(uids):
        return "SillyTavern's second copy has items without an entry: they are left out"
    return ""


def strip_copies(book: dict[str, Any]) -> None:
    """Takes the items of the second copy out of a book's JSON; one that is no book goes whole."""
    if ORIGINAL not in book:
        return
    found = _find_items(book)
    if found is None:
        del book[ORIGINAL]
        return
    _, path, items = found
    set_path(book, (ORIGINAL, *path), {} if isinstance(items, dict) else [])


def join_copies(book: dict[str, Any], copies: Sequence[EntryCopy]) -> None:
    """Puts the items into the second copy of a book's JSON, in their order."""
    found = _find_place(book, copies[0].dialect) if copies else None
    if found is None:
        return
    path, items = found
    ordered = sorted(copies, key=lambda each: each.index)
    if isinstance(items, dict):
        set_path(book, path, {each.key: copy_json(dict(each.raw)) for each in ordered})
    else:
        set_path(book, path, [copy_json(dict(each.raw)) for each in ordered])


def make_copy_origin(copy: EntryCopy, seen: Entry) -> dict[str, Any] | None:
    """What the copy says otherwise than the article; None where it cannot be read. `seen` is what the article becomes.

    Of fields that differ, `seen` keeps a digest of what the article said: an edit of it is told by that.
    """
    try:
        told = fields_of(read_entry(copy.raw, copy.dialect, uid=copy.key))
    except WorldInfoInvalid:
        return None
    said = fields_of(adapt_entry(seen, copy.dialect).entry)
    difference = Origin.between(_write_fresh(seen, copy.dialect), copy.raw).as_json()
    apart = {name: _digest(said[name]) for name in _list_fields(copy.dialect) if told[name] != said[name]}
    return {"dialect": copy.dialect.value, "key": copy.key, "index": copy.index, "seen": apart, **difference}


def restore_copy(now: Entry, origin: Mapping[str, Any]) -> EntryCopy | None:
    """The copy as its file had it, with what was edited since. `now` is what the article becomes."""
    parsed, dialect, seen = Origin.from_json(origin), Dialect(origin["dialect"]), origin.get("seen", {})
    if parsed is None:
        return None
    key = str(origin.get("key", ""))
    raw = parsed.apply(_write_fresh(now, dialect))
    try:
        told = fields_of(read_entry(raw, dialect, uid=key))
    except WorldInfoInvalid:
        return None
    said = fields_of(adapt_entry(now, dialect).entry)
    edited = {name for name in _list_fields(dialect) if seen.get(name) != _digest(said[name])}
    patch_members(FORMATS[dialect].entry_members, raw, {**told, **{name: said[name] for name in edited}})
    return EntryCopy(raw, dialect, key, origin.get("index", 0))


def _list_fields(dialect: Dialect) -> list[str]:
    """The fields that an entry of the dialect says; not our own id, which no file of others has."""
    return [member.field for member in FORMATS[dialect].entry_members if member.field != "memory37_id"]


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, default=str, sort_keys=True).encode()).hexdigest()[:_DIGEST_DIGITS]


def _find_items(book: Mapping[str, Any]) -> tuple[Dialect, Path, dict[str, Any] | list[Any]] | None:
    original = book.get(ORIGINAL)
    if not isinstance(original, dict):
        return None
    try:
        detected = detect(original)
    except (WorldInfoInvalid, CardInvalid):
        return None
    path = FORMATS[detected.dialect].entries_path
    found, items = get_path(original, path)
    is_book = not detected.book_path and found and isinstance(items, dict | list)
    return (detected.dialect, path, items) if is_book else None


def _find_place(book: Mapping[str, Any], dialect: Dialect) -> tuple[Path, Any] | None:
    """Where items of that dialect stood: what is left of the copy need not tell its dialect any more."""
    path = (ORIGINAL, *FORMATS[dialect].entries_path)
    found, items = get_path(book, path)
    return (path, items) if found else None


def _name_item(item: Mapping[str, Any], index: int) -> str:
    """The uid that SillyTavern gives the entry that it makes of an item: its number, else its place."""
    number = item.get("id")
    return str(number) if isinstance(number, int) and not isinstance(number, bool) else str(index)


def _write_fresh(entry: Entry, dialect: Dialect) -> dict[str, Any]:
    return new_entry(replace(adapt_entry(entry, dialect).entry, memory37_id=""), FORMATS[dialect])
