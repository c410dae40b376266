"""What a lorebook's file says beside the article: data of other programs, spellings, the file around the entries.

The difference between the entry's JSON and what the article alone would become is kept with the article
(`Article.lorebook_origin`) and put back at an export; what was edited since goes before it. One article of a book, the
first or the card's character, keeps the file without its entries too.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from knowledge.lorebooks.adaptation import adapt_entry
from knowledge.lorebooks.conversion import convert_book
from knowledge.lorebooks.core.book import Book, Entry
from knowledge.lorebooks.core.vocabulary import Dialect
from knowledge.lorebooks.errors import CardInvalid, WorldInfoInvalid
from knowledge.lorebooks.files import LoreFile, read_document
from knowledge.lorebooks.formats.members import MODEL_FIELDS, fields_of, patch_members
from knowledge.lorebooks.formats.registry import FORMATS
from knowledge.lorebooks.json_text import Path, copy_json, delete_path, get_path, set_path
from knowledge.lorebooks.origins import Origin
from knowledge.lorebooks.readers import read_entry
from knowledge.lorebooks.writers import new_entry, write_entry
from reviews.lorebooks.core.entry_copies import (
    EntryCopy,
    join_copies,
    make_copy_origin,
    restore_copy,
    strip_copies,
)

MAX_ORIGIN_LENGTH = 200_000
"""Characters of JSON beside one article: data of extensions has some hundred, books inside of books are too much."""
CHARACTER_UID = "card"
_MAX_UID_LENGTH = 500
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_OWN_FIELDS = frozenset({"memory37_id"})  # ours, not the file's

Remake = Callable[[Entry], Entry | None]
"""The entry that the article made of an entry would become; None where none can be made."""
COPY_UNKEPT = "its second copy has characters or numbers that the database cannot store, or is too large"


@dataclass(frozen=True, slots=True)
class RestoredEntry:
    """An entry as its file had it, with what was edited in the article since."""

    entry: Entry
    dialect: Dialect
    copy: EntryCopy | None = None
    """What SillyTavern's second copy says of it."""


@dataclass(frozen=True, slots=True)
class KeptOrigin:
    """What an article keeps of its file. `why` says why nothing could be kept."""

    content: dict[str, Any]
    why: str = ""
    copy_why: str = ""
    """Why the entry's second copy could not be kept."""


def make_origin(
    entry: Entry,
    seen: Entry,
    dialect: Dialect,
    book_name: str,
    file: Any = None,
    copy: EntryCopy | None = None,
) -> KeptOrigin:
    """What the article cannot say of the entry. `seen` is the entry that the article becomes.

    `file` and `copy` are kept with it unless they are None or too large.
    """
    own = write_entry(entry, FORMATS[dialect])
    difference = Origin.between(_write_fresh(seen, dialect), own).as_json()
    origin = {"book": book_name, "dialect": dialect.value, "uid": entry.uid, "index": entry.index, **difference}
    copied = make_copy_origin(copy, seen) if copy is not None else None
    if copied is not None and not _check({**origin, "copy": copied}, None).why:
        return _check({**origin, "copy": copied}, file)
    return replace(_check(origin, file), copy_why=COPY_UNKEPT if copy is not None else "")


def make_character_origin(dialect: Dialect, book_name: str, file: Any) -> KeptOrigin:
    """What the article about a card's character keeps: the card without its entries."""
    return _check({"book": book_name, "dialect": dialect.value, "uid": CHARACTER_UID, "index": 0}, file)


def _check(origin: dict[str, Any], file: Any) -> KeptOrigin:
    if len(origin["uid"]) > _MAX_UID_LENGTH or _find_trouble(origin):
        return KeptOrigin({}, "its file has characters or numbers that the database cannot store")
    if len(json.dumps(origin)) > MAX_ORIGIN_LENGTH:
        return KeptOrigin({}, f"its data of other programs has more than {MAX_ORIGIN_LENGTH} characters")
    if file is not None and not _find_trouble(file) and len(json.dumps(file)) <= MAX_ORIGIN_LENGTH:
        return KeptOrigin({**origin, "file": file})
    why = "the file around the entries is too large, or has what the database cannot store" if file is not None else ""
    return KeptOrigin(origin, why)


def _find_trouble(value: Any) -> bool:
    """Whether the JSON holds what PostgreSQL cannot: NUL, halves of surrogate pairs, numbers that are not finite."""
    return any(
        _UNSTORABLE.search(each) is not None if isinstance(each, str) else not math.isfinite(each)
        for each in _list_scalars(value)
    )


def _list_scalars(value: Any) -> Iterator[str | float]:
    stack = [value]
    while stack:
        found = stack.pop()
        if isinstance(found, Mapping):
            stack += [*found, *found.values()]
        elif isinstance(found, list | tuple):
            stack += found
        elif isinstance(found, str | float):
            yield found


def strip_entries(file: LoreFile) -> dict[str, Any] | None:
    """The file without its entries, and the path where they stood; None of a file that was not read from JSON.

    SillyTavern's second copy loses its entries, too: they would tell what an article keeps secret or says no more.
    """
    if file.detected is None:
        return None
    path: Path = () if file.detected.is_bare else (*file.detected.book_path, *FORMATS[file.book.dialect].entries_path)
    document: Any = [] if file.detected.is_bare else copy_json(file.document)
    found, items = get_path(document, path)
    if path and found:
        set_path(document, path, {} if isinstance(items, dict) else [])
        strip_copies(get_path(document, path[:-1])[1])
    return {"document": document, "path": list(path)}


def join_entries(
    kept: Mapping[str, Any], entries: Sequence[Entry], dialect: Dialect, copies: Sequence[EntryCopy] = ()
) -> LoreFile | None:
    """The file with these entries in their place; None where it cannot be read any more."""
    path = tuple(map(str, kept.get("path", ())))
    document = copy_json(kept.get("document"))
    written = {entry.uid: write_entry(entry, FORMATS[dialect]) for entry in entries}
    if path and not isinstance(document, dict):
        return None
    found, items = get_path(document, path)
    if not path:
        document = list(written.values())
    elif found or written:
        set_path(document, path, written if isinstance(items, dict) else list(written.values()))
        join_copies(get_path(document, path[:-1])[1], copies)
    try:
        return read_document(document)
    except (WorldInfoInvalid, CardInvalid):
        return None


def restore_entry(now: Entry, origin: Mapping[str, Any], remake: Remake) -> RestoredEntry | None:
    """The entry as its file had it, with what was edited in the article since; None where that cannot be said.

    `now` is what the article alone becomes.
    """
    parsed = Origin.from_json(origin)
    if parsed is None:
        return None
    dialect = Dialect(origin["dialect"])
    members = FORMATS[dialect].entry_members
    candidate = parsed.apply(_write_fresh(now, dialect))
    try:
        was = read_entry(candidate, dialect, uid=str(origin["uid"]), index=origin.get("index", 0))
        expected = remake(was)
        if expected is None:
            return None
        changed = {
            name: getattr(now, name)
            for name in MODEL_FIELDS
            if name not in _OWN_FIELDS and getattr(now, name) != getattr(expected, name)
        }
        if changed:
            patch_members(members, candidate, {**fields_of(was), **changed})
        entry = read_entry(candidate, dialect, uid=str(origin["uid"]), index=now.index)
        return RestoredEntry(entry, dialect, restore_copy(now, origin["copy"]) if "copy" in origin else None)
    except WorldInfoInvalid:
        return None


def _write_fresh(entry: Entry, dialect: Dialect) -> dict[str, Any]:
    """The entry's JSON as if nothing had been read, without our own id: by that it is known again elsewhere."""
    return new_entry(replace(adapt_entry(entry, dialect).entry, memory37_id=""), FORMATS[dialect])


def move_entry(entry: Entry, dialect: Dialect, target: Dialect, *, number: int, memory37_id: str) -> Entry:
    """The entry in a book of another dialect, under a number and our id. Data of other programs goes along."""
    raw = write_entry(replace(entry, memory37_id=memory37_id), FORMATS[dialect])
    for path in FORMATS[dialect].uid_paths:
        if get_path(raw, path)[0]:
            set_path(raw, path, number) if path == FORMATS[dialect].uid_paths[0] else delete_path(raw, path)
    moved = read_entry(raw, dialect, uid=str(number), index=number)
    if dialect is target:
        return moved
    return replace(convert_book(Book(entries=(moved,), dialect=dialect), target).entries[0], index=number)
