"""Books as JSON of their own dialect: what was read, with the edits put in; or new where nothing was read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from knowledge.lorebooks.core.book import Book, Entry, Unread
from knowledge.lorebooks.formats.members import EntryFormat, fields_of, patch_members, write_members
from knowledge.lorebooks.formats.registry import FORMATS
from knowledge.lorebooks.json_text import copy_json, get_path, set_path

ORIGINAL = "originalData"  # the card's book that SillyTavern keeps beside the entries made of it


def write_book(book: Book) -> dict[str, Any]:
    """The book's JSON in its dialect. Without edits it equals what was read, order of members included."""
    spelling = FORMATS[book.dialect]
    raw: dict[str, Any] = copy_json(dict(book.raw)) if book.raw else copy_json(dict(spelling.new_book))
    patch_members(spelling.book_members, raw, fields_of(book))
    edits: dict[str, tuple[str, ...]] = {}
    ids = assign_ids(book.entries, spelling)
    written = {
        entry.uid: write_entry(entry, spelling, edits, id_) for entry, id_ in zip(book.entries, ids, strict=True)
    }
    _put_entries(raw, spelling, book.entries, written)
    _patch_original(raw, book.entries, written, edits)
    return raw


def write_entry(
    entry: Entry, spelling: EntryFormat, edits: dict[str, tuple[str, ...]] | None = None, id_: Any = None
) -> dict[str, Any]:
    """The entry's JSON: as read, but for members whose field was edited. `edits` collects their names by uid."""
    if isinstance(entry.raw, Unread):
        return new_entry(entry, spelling, id_=id_)
    raw: dict[str, Any] = copy_json(dict(entry.raw))
    changed = patch_members(spelling.entry_members, raw, fields_of(entry))
    if edits is not None and changed:
        edits[entry.uid] = changed
    return raw


def new_entry(
    entry: Entry, spelling: EntryFormat, extensions: Mapping[str, Any] | None = None, id_: Any = None
) -> dict[str, Any]:
    """An entry written from nothing, beginning with what the dialect's program makes of an empty one."""
    raw: dict[str, Any] = copy_json(dict(spelling.new_entry))
    if id_ is not None:
        set_path(raw, spelling.uid_paths[0], id_)
    if extensions and spelling.extensions:
        raw[spelling.extensions] = copy_json(dict(extensions))
    write_members(spelling.entry_members, raw, fields_of(entry))
    return raw


def assign_ids(entries: Sequence[Entry], spelling: EntryFormat) -> list[Any]:
    """The id of each new entry in the dialect: its uid where all are numbers, else its place; None without ids."""
    found, empty = get_path(spelling.new_entry, spelling.uid_paths[0])
    if not found:
        return [None] * len(entries)
    if isinstance(empty, str):
        return [entry.memory37_id or entry.uid for entry in entries]
    are_numbers = all(entry.uid.isascii() and entry.uid.isdigit() and len(entry.uid) < 10 for entry in entries)
    return [int(entry.uid) if are_numbers else index for index, entry in enumerate(entries)]


def _put_entries(
    raw: dict[str, Any], spelling: EntryFormat, entries: Iterable[Entry], written: Mapping[str, dict[str, Any]]
) -> None:
    found, items = get_path(raw, spelling.entries_path)
    is_keyed = isinstance(items, dict) if found else spelling.is_keyed
    keyed = {entry.uid: written[entry.uid] for entry in entries}
    set_path(raw, spelling.entries_path, keyed if is_keyed else list(keyed.values()))


def _patch_original(
    raw: dict[str, Any],
    entries: Iterable[Entry],
    written: Mapping[str, dict[str, Any]],
    edits: Mapping[str, tuple[str, ...]],
) -> None:
    """Put edits into the card's book, too: SillyTavern gives that one back when the card is exported."""
    from knowledge.lorebooks.formats.character_book import CHARACTER_BOOK

    items = find_original_entries(raw)
    for entry in entries:
        item = items.get(str(written[entry.uid].get("uid")))
        if item is None or entry.uid not in edits:
            continue
        values = fields_of(entry)
        for member in CHARACTER_BOOK.entry_members:
            if member.field in edits[entry.uid]:
                member.write(item, values[member.field])


def find_original_entries(raw: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Entries of the card's book in a SillyTavern file, by id."""
    found, items = get_path(raw, (ORIGINAL, "entries"))
    if not found or not isinstance(items, list):
        return {}
    return {str(item["id"]): item for item in items if isinstance(item, dict) and "id" in item}
