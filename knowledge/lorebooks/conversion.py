"""Books in another dialect, so that what a dialect cannot say comes back when the book does.

An entry that leaves its dialect takes along, in `extensions.memory37.origins`, the members of its JSON that the way
back would not make again. Coming back, they are put in, and only fields that were edited meanwhile are written over.
Dialects without a place for data of others (NovelAI, Agnai) lose them; the loss report says so.
"""

from __future__ import annotations

from typing import Any

from knowledge.lorebooks.adaptation import adapt_entry
from knowledge.lorebooks.core.book import Book, Entry, Unread
from knowledge.lorebooks.core.vocabulary import Dialect
from knowledge.lorebooks.errors import WorldInfoInvalid
from knowledge.lorebooks.formats.members import (
    MODEL_FIELDS,
    EntryFormat,
    fields_of,
    patch_members,
    read_members,
    write_members,
)
from knowledge.lorebooks.formats.registry import FORMATS
from knowledge.lorebooks.json_text import copy_json, set_path
from knowledge.lorebooks.origins import (
    MEMORY37,
    ORIGINS,
    Origin,
    list_foreign_extensions,
    read_origins,
    without_origins,
)
from knowledge.lorebooks.readers import read_entry
from knowledge.lorebooks.writers import assign_ids, find_original_entries, new_entry, write_entry

_CARD_BOOKS = frozenset({Dialect.CHARACTER_BOOK, Dialect.CHARACTER_BOOK_V3})


def convert_book(book: Book, target: Dialect) -> Book:
    """The book in the target dialect: its entries read back from the JSON written for it."""
    if book.dialect is target:
        return book
    ids = assign_ids(book.entries, FORMATS[target])
    taken: set[str] = set()
    entries = []
    for index, (entry, id_) in enumerate(zip(book.entries, ids, strict=True)):
        raw, uid = _convert_entry(entry, book, target, id_, str(index if id_ is None else id_))
        uid = uid if uid not in taken else f"{uid}~{index}"
        taken.add(uid)
        entries.append(read_entry(raw, target, uid=uid, index=index))
    settings = _convert_settings(book, FORMATS[target])
    values = read_members(FORMATS[target].book_members, settings, "")
    return Book(**values, entries=tuple(entries), dialect=target, raw=settings)


def _convert_entry(entry: Entry, book: Book, target: Dialect, id_: Any, uid: str) -> tuple[dict[str, Any], str]:
    """The entry's JSON in the target dialect, with what came along from there put back, and its uid there."""
    spelling = FORMATS[target]
    fresh = new_entry(adapt_entry(entry, target).entry, spelling, list_foreign_extensions(entry, book.dialect), id_)
    origin = _find_origin(entry, book, target)
    raw = _restore(entry, book, target, origin.apply(fresh)) if origin else None
    if raw is None:
        raw, origin = fresh, None
    if spelling.extensions and not isinstance(entry.raw, Unread):
        _carry(entry, book, raw, uid, spelling)
    return raw, (origin.uid or uid) if origin else uid


def _carry(entry: Entry, book: Book, raw: dict[str, Any], uid: str, spelling: EntryFormat) -> None:
    """Put into `raw` what writing it in the book's dialect again would not make."""
    back = FORMATS[book.dialect]
    again = read_entry(raw, spelling.dialect, uid=uid, index=entry.index)
    id_ = assign_ids((again,), back)[0]
    made = new_entry(
        adapt_entry(again, book.dialect).entry, back, list_foreign_extensions(again, spelling.dialect), id_
    )
    origins = read_origins(entry.raw, back.extensions)
    origins.pop(spelling.dialect.value, None)
    own = without_origins(write_entry(entry, back), back.extensions, back.new_entry)
    difference = Origin.between(made, own, uid="" if uid == entry.uid else entry.uid)
    if difference:
        origins[book.dialect.value] = difference.as_json()
    if origins:
        set_path(raw, (spelling.extensions, MEMORY37, ORIGINS), origins)


def _restore(entry: Entry, book: Book, target: Dialect, candidate: dict[str, Any]) -> dict[str, Any] | None:
    """The candidate, which the entry was in the target dialect, with later edits put in; None if it cannot be read."""
    spelling = FORMATS[target]
    try:
        was = read_entry(candidate, target, uid=entry.uid)
        seen = new_entry(adapt_entry(was, book.dialect).entry, FORMATS[book.dialect])
        expected = read_entry(seen, book.dialect, uid=entry.uid)
    except WorldInfoInvalid:
        return None
    now = fields_of(adapt_entry(entry, target).entry)
    then = fields_of(adapt_entry(expected, target).entry)
    changed = {name: now[name] for name in MODEL_FIELDS if now[name] != then[name]}
    if changed:
        patch_members(spelling.entry_members, candidate, {**fields_of(was), **changed})
    return candidate


def _find_origin(entry: Entry, book: Book, target: Dialect) -> Origin | None:
    origin = Origin.from_json(read_origins(entry.raw, FORMATS[book.dialect].extensions).get(target.value))
    if origin is None and book.dialect is Dialect.SILLYTAVERN and target in _CARD_BOOKS:
        original = find_original_entries(book.raw).get(str(entry.raw.get("uid")))
        return Origin(original, is_whole=True) if original is not None else None
    return origin


def _convert_settings(book: Book, spelling: EntryFormat) -> dict[str, Any]:
    """The book's own members in the target dialect, with those of the target that came along; no entries."""
    back = FORMATS[book.dialect]
    origins = read_origins(book.raw, _settings_extensions(back))
    origin = Origin.from_json(origins.pop(spelling.dialect.value, None))
    raw = _new_settings(book, spelling)
    if origin:
        place = spelling.entries_path[0]
        raw = {**_restore_settings(book, back, spelling, origin.apply(raw)), place: raw[place]}
    if not book.raw or spelling.dialect is Dialect.NOVELAI:
        return raw
    values = read_members(spelling.book_members, raw, "")
    made = _new_settings(Book(**values, dialect=spelling.dialect), back)
    edited: dict[str, Any] = copy_json(dict(book.raw))
    patch_members(back.book_members, edited, fields_of(book))
    own = without_origins(edited, _settings_extensions(back), back.new_book)
    difference = Origin.between(made, {**own, back.entries_path[0]: made[back.entries_path[0]]})
    if difference:
        origins[book.dialect.value] = difference.as_json()
    if origins:
        extensions = _settings_extensions(spelling)
        set_path(raw, (*((extensions,) if extensions else ()), MEMORY37, ORIGINS), origins)
    return raw


def _restore_settings(book: Book, back: EntryFormat, spelling: EntryFormat, raw: dict[str, Any]) -> dict[str, Any]:
    """The settings as they were in the target dialect, with those put in that were edited since."""
    try:
        was = read_members(spelling.book_members, raw, "")
        expected = read_members(back.book_members, _new_settings(Book(**was, dialect=spelling.dialect), back), "")
    except WorldInfoInvalid:
        return _new_settings(book, spelling)
    changed = {name: value for name, value in fields_of(book).items() if value != expected.get(name, value)}
    patch_members(spelling.book_members, raw, {**was, **changed})
    return raw


def _new_settings(book: Book, spelling: EntryFormat) -> dict[str, Any]:
    raw: dict[str, Any] = copy_json(dict(spelling.new_book))
    write_members(spelling.book_members, raw, fields_of(book))
    return raw


def _settings_extensions(spelling: EntryFormat) -> str:
    """Where a book of the dialect has data of others; RisuAI's file has no such member, so they stand beside it."""
    return "" if spelling.dialect is Dialect.RISU else "extensions"
