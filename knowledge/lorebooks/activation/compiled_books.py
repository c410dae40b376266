"""Books made ready for activation: entries in the order of their turn, decorators apart, keys indexed."""

from __future__ import annotations

import hashlib
import re
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from threading import Lock

from knowledge.lorebooks.activation.as_written import WrittenEntry, read_as_sillytavern, sort_by_order
from knowledge.lorebooks.activation.inputs import ActivationSettings, BookKind, BoundBook, InsertionStrategy
from knowledge.lorebooks.activation.key_index import KeyIndex, Needle
from knowledge.lorebooks.activation.key_indexes import build_key_index
from knowledge.lorebooks.activation.macros import has_macros
from knowledge.lorebooks.core.book import Entry
from knowledge.lorebooks.core.vocabulary import RegexKeys

_KNOWN_DECORATORS = ("@@activate", "@@dont_activate")
_NOT_HASHED = frozenset({"raw", "index", "display_index"})
_GROUP_SEPARATOR = re.compile(r",\s*")
_MAX_CACHED_BOOKS = 8
_CACHE: OrderedDict[tuple[object, ...], tuple[tuple[BoundBook, ...], CompiledBooks]] = OrderedDict()
_CACHE_LOCK = Lock()


@dataclass(frozen=True, slots=True)
class CompiledEntry:
    """An entry in its place. `primary` and `secondary` hold needles, or a key as written where it has macros."""

    entry: Entry
    world: str
    rank: int  # place in the order in which entries are considered
    content: str  # without decorators
    decorators: frozenset[str]
    primary: tuple[Needle | str, ...]
    secondary: tuple[Needle | str, ...]
    groups: tuple[str, ...]
    group_text: str
    has_macro_keys: bool
    has_regex_keys: bool  # or may have, with macros
    scan_depth: int | None
    key: str  # `world.uid`: what SillyTavern tells entries apart by
    has_position: bool
    is_timed: bool
    can_be_stopped: bool  # whether any rule may stop it
    needs_no_key: bool  # whether it may come in without its keys, or be kept out by a decorator

    @property
    def hash(self) -> str:
        """Changes with any edit of the entry that activation could notice; members at their default are left out."""
        return _hash_entry(self.entry, self.world)


@dataclass(frozen=True, slots=True)
class CompiledBooks:
    """What `activate` runs on; it serves many chats, with the settings that it was compiled for."""

    entries: tuple[CompiledEntry, ...]
    index: KeyIndex


def compile_books(books: Sequence[BoundBook], settings: ActivationSettings) -> CompiledBooks:
    """The books compiled for these settings; the last few are kept."""
    key = (
        *(part for bound in books for part in (id(bound.book), bound.kind, bound.name)),
        settings.dialect, settings.strategy, settings.case_sensitive, settings.match_whole_words,
    )  # fmt: skip
    with _CACHE_LOCK:
        if key in _CACHE:
            _CACHE.move_to_end(key)
            return _CACHE[key][1]
    compiled = _compile(books, settings)
    with _CACHE_LOCK:
        _CACHE[key] = (tuple(books), compiled)
        while len(_CACHE) > _MAX_CACHED_BOOKS:
            _CACHE.popitem(last=False)
    return compiled


def _compile(books: Sequence[BoundBook], settings: ActivationSettings) -> CompiledBooks:
    index = build_key_index(settings)
    entries = tuple(
        _compile_entry(written, bound, rank, index, settings)
        for rank, (bound, written) in enumerate(_sort_entries(books, settings))
    )
    return CompiledBooks(entries, index)


def _sort_entries(books: Sequence[BoundBook], settings: ActivationSettings) -> list[tuple[BoundBook, WrittenEntry]]:
    """Chat books, persona books, then the rest by strategy; inside of each the highest order first."""
    placed: dict[BookKind, list[tuple[BoundBook, WrittenEntry]]] = {kind: [] for kind in BookKind}
    for bound in books:
        placed[bound.kind] += [(bound, _read(entry, bound, settings)) for entry in bound.book.entries]
    character, world = placed[BookKind.CHARACTER], placed[BookKind.GLOBAL]
    if settings.strategy is InsertionStrategy.EVENLY:
        rest = _by_order([*world, *character])
    elif settings.strategy is InsertionStrategy.CHARACTER_FIRST:
        rest = [*_by_order(character), *_by_order(world)]
    else:
        rest = [*_by_order(world), *_by_order(character)]
    return [*_by_order(placed[BookKind.CHAT]), *_by_order(placed[BookKind.PERSONA]), *rest]


def _read(entry: Entry, bound: BoundBook, settings: ActivationSettings) -> WrittenEntry:
    return read_as_sillytavern(entry, bound.book.dialect) if settings.is_faithful else WrittenEntry(entry, entry.uid)


def _by_order(entries: Iterable[tuple[BoundBook, WrittenEntry]]) -> list[tuple[BoundBook, WrittenEntry]]:
    return sort_by_order(entries, lambda placed: placed[1].entry.order)


def _compile_entry(
    written: WrittenEntry, bound: BoundBook, rank: int, index: KeyIndex, settings: ActivationSettings
) -> CompiledEntry:
    entry = written.entry
    decorators, content = split_known_decorators(entry.content)
    primary = tuple(_compile_key(key, entry, index.add) for key in entry.keys)
    secondary = tuple(_compile_key(key, entry, index.add) for key in entry.secondary_keys)
    keys = (*primary, *secondary)
    group_text = _read_group_text(entry)
    is_timed = bool(entry.sticky or entry.cooldown or entry.delay)
    return CompiledEntry(
        entry, bound.name, rank, content, decorators, primary, secondary,
        tuple(name for name in _GROUP_SEPARATOR.split(group_text) if name), group_text,
        any(isinstance(key, str) for key in keys),
        any(isinstance(key, str) or key.kind == "regex" for key in keys),
        bound.book.scan_depth if entry.scan_depth is None and not settings.is_faithful else entry.scan_depth,
        f"{bound.name}.{written.uid}",
        written.has_position,
        is_timed,
        bool(
            is_timed or not entry.is_enabled or entry.is_folder or entry.conditions or entry.triggers
            or entry.character_filter or entry.delay_until_recursion or entry.exclude_recursion
        ),
        bool(is_timed or decorators or entry.is_constant),
    )  # fmt: skip


def _compile_key(key: str, entry: Entry, add: Callable[[str, Entry], Needle]) -> Needle | str:
    if has_macros(key) and not (entry.regex_keys is RegexKeys.ALL and "<" in key):
        return key
    return add(key, entry)


def split_known_decorators(content: str) -> tuple[frozenset[str], str]:
    """`@@activate` and `@@dont_activate`, the only ones that SillyTavern knows, and the content behind all decorators.

    A line `@@@…` stands in for the unknown decorator above it; content of nothing but decorators stays as it is.
    """
    if not content.startswith("@@"):
        return frozenset(), content
    found: list[str] = []
    lines = content.split("\n")
    takes_fallback = False
    for number, line in enumerate(lines):
        if not line.startswith("@@"):
            return frozenset(found), "\n".join(lines[number:])
        is_fallback = line.startswith("@@@")
        if is_fallback and not takes_fallback:
            continue
        name = line[1:] if is_fallback else line
        takes_fallback = not name.startswith(_KNOWN_DECORATORS)
        if not takes_fallback:
            found.append(name)
    return frozenset(found), content


def _read_group_text(entry: Entry) -> str:
    """The group as SillyTavern's file has it, since an active group is told by that text; else the names joined."""
    written = entry.raw.get("group") if entry.raw else None
    if isinstance(written, str) and tuple(name for name in _GROUP_SEPARATOR.split(written) if name) == entry.groups:
        return written
    return ",".join(entry.groups)


@lru_cache(maxsize=20_000)
def _hash_entry(entry: Entry, world: str) -> str:
    values = [
        (member.name, repr(value))
        for member in fields(entry)
        if member.name not in _NOT_HASHED and (value := getattr(entry, member.name)) != member.default
    ]
    return hashlib.blake2b(repr((world, values)).encode(errors="replace"), digest_size=12).hexdigest()
