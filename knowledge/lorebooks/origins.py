"""What an entry takes along when it leaves its dialect: how its JSON differed from what we would have written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from knowledge.lorebooks.core.book import Entry
from knowledge.lorebooks.core.vocabulary import Dialect
from knowledge.lorebooks.formats.registry import FORMATS
from knowledge.lorebooks.json_text import Path, copy_json, delete_path, get_path, json_equal

MEMORY37 = "memory37"
ORIGINS = "origins"


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


def read_origins(raw: Mapping[str, Any], extensions: str) -> dict[str, Any]:
    found, origins = get_path(raw, (*((extensions,) if extensions else ()), MEMORY37, ORIGINS))
    return copy_json(dict(origins)) if found and isinstance(origins, Mapping) else {}


def list_foreign_extensions(entry: Entry, dialect: Dialect) -> dict[str, Any]:
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


def without_origins(raw: Mapping[str, Any], extensions: str, new: Mapping[str, Any]) -> dict[str, Any]:
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
