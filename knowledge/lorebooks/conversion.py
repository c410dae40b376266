"""Books in another dialect, so that what a dialect cannot say comes back when the book does.

An entry that leaves its dialect takes along, in `extensions.memory37.origins`, the members of its JSON that the way
back would not make again. Coming back, they are put in, and only fields that were edited meanwhile are written over.
Dialects without a place for data of others (NovelAI, Agnai) lose them; the loss report says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from knowledge.lorebooks.core.book import ALWAYS_PERCENT, Book, Entry, Unread
from knowledge.lorebooks.core.vocabulary import Dialect, RegexKeys
from knowledge.lorebooks.errors import WorldInfoInvalid
from knowledge.lorebooks.formats.decorator_fields import express_decorators, resolve_decorators
from knowledge.lorebooks.formats.members import (
    MODEL_FIELDS,
    EntryFormat,
    fields_of,
    patch_members,
    read_members,
    write_members,
)
from knowledge.lorebooks.formats.registry import FORMATS
from knowledge.lorebooks.json_text import Path, copy_json, delete_path, get_path, json_equal, set_path
from knowledge.lorebooks.readers import read_entry
from knowledge.lorebooks.writers import assign_ids, find_original_entries, new_entry, write_book, write_entry

MEMORY37 = "memory37"
ORIGINS = "origins"
_SLASHED = re.compile(r"/(?:[^/\\]|\\.)+/[a-z]*", re.DOTALL)
_CARD_BOOKS = frozenset({Dialect.CHARACTER_BOOK, Dialect.CHARACTER_BOOK_V3})


@dataclass(frozen=True, slots=True)
class Adapted:
    """An entry as it can be said in a dialect, and the decorators that it cannot say."""

    entry: Entry
    lost_decorators: tuple[str, ...] = ()


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


def write_as(book: Book, target: Dialect) -> dict[str, Any]:
    """The book's JSON in the target dialect."""
    return write_book(convert_book(book, target))


@dataclass(frozen=True, slots=True)
class Origin:
    """How JSON of a dialect differed from what we would have written: members to set, and those that were not there."""

    set: Mapping[str, Any] = field(default_factory=dict)
    unset: tuple[str, ...] = ()
    uid: str = ""
    is_whole: bool = False  # `set` is all of it

    @classmethod
    def between(cls, made: Mapping[str, Any], own: Mapping[str, Any], uid: str = "") -> Origin:
        """The difference that turns `made` into `own`."""
        changed = {
            name: copy_json(value)
            for name, value in own.items()
            if name not in made or not json_equal(made[name], value)
        }
        return cls(changed, tuple(name for name in made if name not in own), uid)

    @classmethod
    def from_json(cls, value: Any) -> Origin | None:
        """What `as_json` wrote; None for what others made of it."""
        if not isinstance(value, Mapping):
            return None
        changed, unset, uid = value.get("set", {}), value.get("unset", []), value.get("uid", "")
        if not isinstance(changed, Mapping) or not isinstance(unset, list) or not isinstance(uid, str):
            return None
        return cls(changed, tuple(map(str, unset)), uid)

    def as_json(self) -> dict[str, Any]:
        uid = {"uid": self.uid} if self.uid else {}
        return {"set": dict(self.set), "unset": list(self.unset), **uid}

    def apply(self, made: Mapping[str, Any]) -> dict[str, Any]:
        """The JSON as it was."""
        kept = {} if self.is_whole else {name: value for name, value in made.items() if name not in self.unset}
        return {**copy_json(kept), **copy_json(dict(self.set))}

    def __bool__(self) -> bool:
        return bool(self.set or self.unset or self.uid or self.is_whole)


def adapt_entry(entry: Entry, target: Dialect) -> Adapted:
    """The entry with what it means said the target's way: patterns as /…/, decorators as fields or the reverse."""
    spelling = FORMATS[target]
    adapted = slash_patterns(entry)
    if not entry.use_probability and "use_probability" not in spelling.entry_fields:
        adapted = replace(adapted, use_probability=True, probability=ALWAYS_PERCENT)
    if target is Dialect.RISU:
        return Adapted(express_decorators(adapted))
    if spelling.knows_decorators:
        return Adapted(adapted)
    adapted, lost = resolve_decorators(adapted, keep=spelling.kept_decorators)
    return Adapted(adapted, lost)


def slash_patterns(entry: Entry) -> Entry:
    """The entry with its patterns written /…/: the form that SillyTavern, RisuAI and NovelAI all read.

    `RegexKeys.SLASHED` means that some key is one, `NONE` that none is.
    """
    keys, secondary = entry.keys, entry.secondary_keys
    if entry.regex_keys is RegexKeys.ALL:
        keys = tuple(_slash(key) for key in keys)
    has_pattern = entry.regex_keys is not RegexKeys.NONE and any(map(is_pattern, (*keys, *secondary)))
    return replace(entry, keys=keys, regex_keys=RegexKeys.SLASHED if has_pattern else RegexKeys.NONE)


def is_pattern(key: str) -> bool:
    """Whether SillyTavern takes the key for a regular expression."""
    return _SLASHED.fullmatch(key) is not None


def _slash(key: str) -> str:
    if is_pattern(key):
        return key
    return "/" + re.sub(r"(?<!\\)((?:\\\\)*)/", r"\1\\/", key) + "/"


def _convert_entry(entry: Entry, book: Book, target: Dialect, id_: Any, uid: str) -> tuple[dict[str, Any], str]:
    """The entry's JSON in the target dialect, with what came along from there put back, and its uid there."""
    spelling = FORMATS[target]
    fresh = new_entry(adapt_entry(entry, target).entry, spelling, _foreign_extensions(entry, book.dialect), id_)
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
    made = new_entry(adapt_entry(again, book.dialect).entry, back, _foreign_extensions(again, spelling.dialect), id_)
    origins = _read_origins(entry.raw, back.extensions)
    origins.pop(spelling.dialect.value, None)
    own = _without_origins(write_entry(entry, back), back.extensions, back.new_entry)
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
    origin = Origin.from_json(_read_origins(entry.raw, FORMATS[book.dialect].extensions).get(target.value))
    if origin is None and book.dialect is Dialect.SILLYTAVERN and target in _CARD_BOOKS:
        original = find_original_entries(book.raw).get(str(entry.raw.get("uid")))
        return Origin(original, is_whole=True) if original is not None else None
    return origin


def _read_origins(raw: Mapping[str, Any], extensions: str) -> dict[str, Any]:
    found, origins = get_path(raw, (*((extensions,) if extensions else ()), MEMORY37, ORIGINS))
    return copy_json(dict(origins)) if found and isinstance(origins, Mapping) else {}


def _foreign_extensions(entry: Entry, dialect: Dialect) -> dict[str, Any]:
    """Members of `extensions` that are nobody's we know, to be taken along as they are."""
    extensions = entry.raw.get(FORMATS[dialect].extensions)
    if not isinstance(extensions, Mapping):
        return {}
    foreign = {name: value for name, value in extensions.items() if name not in _known_extensions()}
    memory = extensions.get(MEMORY37)
    if isinstance(memory, Mapping) and (own := {name: value for name, value in memory.items() if name != ORIGINS}):
        foreign[MEMORY37] = own
    return foreign


@cache
def _known_extensions() -> frozenset[str]:
    return frozenset(
        path[1]
        for each in FORMATS.values()
        for member in each.entry_members
        for path in member.paths
        if len(path) > 1 and path[0] == each.extensions
    )


def _without_origins(raw: Mapping[str, Any], extensions: str, new: Mapping[str, Any]) -> dict[str, Any]:
    """JSON without what it carries of other dialects, nor the objects that were made for that alone.

    `new` is what the dialect begins with: an empty object that stands there stays.
    """
    own: dict[str, Any] = copy_json(dict(raw))
    path: Path = (*((extensions,) if extensions else ()), MEMORY37, ORIGINS)
    if not get_path(own, path)[0]:
        return own
    delete_path(own, path)
    for made in (path[:-1], path[:-2]):
        if made and get_path(own, made)[1] == {} and not get_path(new, made)[0]:
            delete_path(own, made)
    return own


def _convert_settings(book: Book, spelling: EntryFormat) -> dict[str, Any]:
    """The book's own members in the target dialect, with those of the target that came along; no entries."""
    back = FORMATS[book.dialect]
    origins = _read_origins(book.raw, _settings_extensions(back))
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
    own = _without_origins(edited, _settings_extensions(back), back.new_book)
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
