"""How a dialect spells the fields of the model: tables of members, read first to last, written where they stand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, Protocol

from knowledge.lorebooks.core.book import Book, Entry
from knowledge.lorebooks.core.vocabulary import Dialect
from knowledge.lorebooks.formats.codecs import ABSENT, FLAG, Codec
from knowledge.lorebooks.json_text import Path, get_path, point, set_path


class Member(Protocol):
    """One field of the model and where a dialect keeps it."""

    @property
    def field(self) -> str: ...
    @property
    def paths(self) -> tuple[Path, ...]: ...
    def read(self, raw: Mapping[str, Any], pointer: str) -> Any: ...
    def write(self, raw: dict[str, Any], value: Any) -> None: ...


def _defaults(model: type) -> dict[str, Any]:
    found = {each.name: each.default for each in fields(model) if each.default is not MISSING}
    return found | {each.name: each.default_factory() for each in fields(model) if each.default_factory is not MISSING}


ENTRY_DEFAULTS: Mapping[str, Any] = _defaults(Entry)
BOOK_DEFAULTS: Mapping[str, Any] = _defaults(Book)
MODEL_FIELDS = tuple(name for name in ENTRY_DEFAULTS if name not in {"index", "decorators", "raw"})
"""Fields that a file says. `uid` and `index` are the file's order, `decorators` follow from `content`."""


@dataclass(frozen=True, slots=True)
class Plain:
    """A field with one value in the file.

    Read from the first path that is there; with `skips_null`, from the first that is not null. Written to the first
    path, to each of `also`, and to every other spelling that the file already has, so that no two of them differ.
    """

    field: str
    paths: tuple[Path, ...]
    codec: Codec
    absent: Any = ABSENT
    also: tuple[Path, ...] = ()
    skips_null: bool = False

    def read(self, raw: Mapping[str, Any], pointer: str) -> Any:
        for path in self.paths:
            found, value = get_path(raw, path)
            if not found or (self.skips_null and value is None):
                continue
            read = self.codec.read(value, point(pointer, *path))
            if read is not ABSENT:
                return read
            if not self.skips_null:
                break
        return self._absent()

    def write(self, raw: dict[str, Any], value: Any) -> None:
        written = None if value is None else self.codec.write(value)
        for index, path in enumerate(self.paths):
            if index == 0 or (path in self.also and written is not None) or get_path(raw, path)[0]:
                set_path(raw, path, written)

    def _absent(self) -> Any:
        if self.absent is not ABSENT:
            return self.absent
        return ENTRY_DEFAULTS[self.field] if self.field in ENTRY_DEFAULTS else BOOK_DEFAULTS[self.field]


@dataclass(frozen=True, slots=True)
class Inverted:
    """A flag that the file has the other way round, as `disable` for `is_enabled`; `plain` paths have it as it is."""

    field: str
    inverted: tuple[Path, ...]
    plain: tuple[Path, ...] = ()
    absent: bool = True
    is_plain_first: bool = False

    @property
    def paths(self) -> tuple[Path, ...]:
        return (*self.plain, *self.inverted) if self.is_plain_first else (*self.inverted, *self.plain)

    def read(self, raw: Mapping[str, Any], pointer: str) -> Any:
        for path in self.paths:
            found, value = get_path(raw, path)
            flag = FLAG.read(value, point(pointer, *path)) if found else ABSENT
            if flag is not ABSENT:
                return flag if path in self.plain else not flag
        return self.absent

    def write(self, raw: dict[str, Any], value: Any) -> None:
        for index, path in enumerate(self.paths):
            if index == 0 or get_path(raw, path)[0]:
                set_path(raw, path, value if path in self.plain else not value)


@dataclass(frozen=True, slots=True)
class FlagSet:
    """A set of enumeration members, each a flag of its own in the file."""

    field: str
    flags: tuple[tuple[Any, tuple[Path, ...]], ...]

    @property
    def paths(self) -> tuple[Path, ...]:
        return tuple(path for _, paths in self.flags for path in paths)

    def read(self, raw: Mapping[str, Any], pointer: str) -> Any:
        return tuple(member for member, paths in self.flags if _read_flag(raw, paths, pointer))

    def write(self, raw: dict[str, Any], value: Any) -> None:
        for member, paths in self.flags:
            for index, path in enumerate(paths):
                if index == 0 or get_path(raw, path)[0]:
                    set_path(raw, path, member in value)


def _read_flag(raw: Mapping[str, Any], paths: Iterable[Path], pointer: str) -> bool:
    for path in paths:
        found, value = get_path(raw, path)
        if found:
            return FLAG.read(value, point(pointer, *path)) is True
    return False


def read_members(members: Iterable[Member], raw: Mapping[str, Any], pointer: str) -> dict[str, Any]:
    """The fields that the members find in the file."""
    return {member.field: member.read(raw, pointer) for member in members}


def write_members(members: Iterable[Member], raw: dict[str, Any], values: Mapping[str, Any]) -> None:
    """Write every field that the dialect knows."""
    for member in members:
        member.write(raw, values[member.field])


def patch_members(
    members: Iterable[Member], raw: dict[str, Any], values: Mapping[str, Any], pointer: str = ""
) -> tuple[str, ...]:
    """Write the fields in which the file differs from the values. Returns their names."""
    changed = [member for member in members if member.read(raw, pointer) != values[member.field]]
    for member in changed:
        member.write(raw, values[member.field])
    return tuple(member.field for member in changed)


def fields_of(model: Entry | Book) -> dict[str, Any]:
    """The model's fields by name."""
    return {each.name: getattr(model, each.name) for each in fields(model)}


@dataclass(frozen=True, slots=True)
class EntryFormat:
    """All that is known of a dialect: the members of an entry and of a book, and what a new one begins with."""

    dialect: Dialect
    entry_members: tuple[Member, ...]
    book_members: tuple[Member, ...]
    new_entry: Mapping[str, Any]
    new_book: Mapping[str, Any]
    entries_path: Path = ("entries",)
    uid_paths: tuple[Path, ...] = ()
    extensions: str = "extensions"  # the member of an entry that holds data of others; empty where there is none
    knows_decorators: bool = False
    is_keyed: bool = False  # entries stand in an object by uid, not in a list
    kept_decorators: frozenset[str] = frozenset()
    """Decorators that stay in content where the dialect knows no others."""

    @property
    def entry_fields(self) -> frozenset[str]:
        return frozenset(member.field for member in self.entry_members)
