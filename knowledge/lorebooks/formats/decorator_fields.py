"""Decorators as fields of the model, and fields as decorators: the two ways of saying the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from knowledge.lorebooks.core.book import Decorator, Entry
from knowledge.lorebooks.core.decorators import split_decorators
from knowledge.lorebooks.core.vocabulary import Position, Role, SelectiveLogic
from knowledge.lorebooks.formats.codecs import split_commas

_NUMBER = re.compile(r"-?\d{1,9}(?:\.\d{1,6})?")
_POSITIONS = {"before_desc": Position.BEFORE_CHAR, "after_desc": Position.AFTER_CHAR}
Reader = Callable[[Entry, str], Entry | None]


def resolve_decorators(entry: Entry, *, keep: frozenset[str] = frozenset()) -> tuple[Entry, tuple[str, ...]]:
    """The entry with its decorators turned into fields and taken off its content, and the names of those that mean
    nothing here. Those in `keep` stay in the content. Of equal decorators the first counts."""
    decorators, body = split_decorators(entry.content)
    if not decorators:
        return entry, ()
    kept: list[str] = []
    unknown: list[str] = []
    seen: set[str] = set()
    for decorator in decorators:
        if decorator.name in keep:
            kept.append(f"@@{decorator.name} {decorator.value}".rstrip())
            continue
        if decorator.name in seen and decorator.name not in _REPEATED:
            continue
        seen.add(decorator.name)
        resolved = _resolve(entry, decorator)
        if resolved is None:
            unknown.append(decorator.name)
        else:
            entry = resolved
    content = "\n".join([*kept, body])
    return replace(entry, content=content, decorators=split_decorators(content)[0]), tuple(unknown)


def express_decorators(entry: Entry) -> Entry:
    """The entry with what RisuAI has no field for said by decorators, as RisuAI itself does on import."""
    present = {decorator.name for decorator in entry.decorators}
    lines = [line for line in _express(entry) if line.split()[0].lstrip("@") not in present]
    if not lines:
        return entry
    content = "\n".join([*lines, entry.content])
    is_selective = entry.is_selective and entry.logic is SelectiveLogic.AND_ANY
    return replace(entry, content=content, decorators=split_decorators(content)[0], is_selective=is_selective)


def _express(entry: Entry) -> Iterator[str]:
    if not entry.is_enabled:
        yield "@@dont_activate"
    if entry.use_probability and entry.probability != 100:
        yield f"@@probability {entry.probability}"
    if entry.position is Position.AT_DEPTH:
        yield f"@@depth {entry.depth}"
        yield f"@@role {entry.role.value}"
    elif entry.position is Position.AFTER_CHAR:
        yield "@@position after_desc"
    if entry.scan_depth is not None:
        yield f"@@scan_depth {entry.scan_depth}"
    if entry.delay:
        yield f"@@activate_only_after {entry.delay}"
    if entry.match_whole_words is not None:
        yield "@@match_full_word" if entry.match_whole_words else "@@match_partial_word"
    if entry.prevent_recursion:
        yield "@@unrecursive"
    if entry.exclude_recursion:
        yield "@@no_recursive_search"
    if entry.priority is not None:
        yield f"@@priority {entry.priority}"
    yield from _express_logic(entry)


def _express_logic(entry: Entry) -> Iterator[str]:
    if not (entry.is_selective and entry.secondary_keys):
        return
    if entry.logic is SelectiveLogic.NOT_ALL:
        yield f"@@exclude_keys_all {','.join(entry.secondary_keys)}"
    elif entry.logic is SelectiveLogic.NOT_ANY:
        yield f"@@exclude_keys {','.join(entry.secondary_keys)}"
    elif entry.logic is SelectiveLogic.AND_ALL:
        for key in entry.secondary_keys:
            yield f"@@additional_keys {key}"


def _resolve(entry: Entry, decorator: Decorator) -> Entry | None:
    """The entry with the decorator, or the first of its fallbacks that means something, as a field."""
    for each in (decorator, *decorator.fallbacks):
        reader = _READERS.get(each.name)
        resolved = reader(entry, each.value) if reader else None
        if resolved is not None:
            return resolved
    return None


def _number_field(field: str, **others: Any) -> Reader:
    def read(entry: Entry, value: str) -> Entry | None:
        if not _NUMBER.fullmatch(value):
            return None
        number = float(value)
        changes: dict[str, Any] = {field: int(number) if number.is_integer() else number, **others}
        return replace(entry, **changes)

    return read


def _fixed(**fields: Any) -> Reader:
    """A decorator without a value, which sets these fields."""

    def read(entry: Entry, value: str) -> Entry | None:
        return replace(entry, **fields)

    return read


def _read_depth(entry: Entry, value: str) -> Entry | None:
    if not _NUMBER.fullmatch(value):
        return None
    return replace(entry, position=Position.AT_DEPTH, depth=max(int(float(value)), 0))


def _read_role(entry: Entry, value: str) -> Entry | None:
    return replace(entry, role=Role(value)) if value in {role.value for role in Role} else None


def _read_position(entry: Entry, value: str) -> Entry | None:
    return replace(entry, position=_POSITIONS[value]) if value in _POSITIONS else None


def _read_additional_keys(entry: Entry, value: str) -> Entry | None:
    """One of these keys must occur as well. Several such lines of one key each ask for all of them."""
    keys = split_commas(value)
    standing = _secondary_keys(entry)
    if not keys:
        return None
    if not standing:
        return _with_keys(entry, keys, SelectiveLogic.AND_ANY)
    asks_for_all = entry.logic is SelectiveLogic.AND_ALL or (
        entry.logic is SelectiveLogic.AND_ANY and len(standing) == 1
    )
    return _with_keys(entry, (*standing, *keys), SelectiveLogic.AND_ALL) if asks_for_all and len(keys) == 1 else None


def _read_excluded_keys(entry: Entry, value: str) -> Entry | None:
    """None of these keys may occur."""
    keys = split_commas(value)
    standing = _secondary_keys(entry)
    if not keys or (standing and entry.logic is not SelectiveLogic.NOT_ANY):
        return None
    return _with_keys(entry, (*standing, *keys), SelectiveLogic.NOT_ANY)


def _read_keys_not_all(entry: Entry, value: str) -> Entry | None:
    """Not all of these keys may occur."""
    keys = split_commas(value)
    return None if not keys or _secondary_keys(entry) else _with_keys(entry, keys, SelectiveLogic.NOT_ALL)


def _secondary_keys(entry: Entry) -> tuple[str, ...]:
    return entry.secondary_keys if entry.is_selective else ()


def _with_keys(entry: Entry, keys: tuple[str, ...], logic: SelectiveLogic) -> Entry:
    return replace(entry, secondary_keys=tuple(dict.fromkeys(keys)), is_selective=True, logic=logic)


_REPEATED = frozenset({"additional_keys", "exclude_keys"})
_READERS: dict[str, Reader] = {
    "depth": _read_depth,
    "end": _fixed(position=Position.AT_DEPTH, depth=0),
    "role": _read_role,
    "position": _read_position,
    "scan_depth": _number_field("scan_depth"),
    "probability": _number_field("probability", use_probability=True),
    "priority": _number_field("priority"),
    "activate_only_after": _number_field("delay"),
    "activate": _fixed(is_constant=True),
    "dont_activate": _fixed(is_enabled=False),
    "match_full_word": _fixed(match_whole_words=True),
    "match_partial_word": _fixed(match_whole_words=False),
    "unrecursive": _fixed(prevent_recursion=True),
    "no_recursive_search": _fixed(exclude_recursion=True),
    "additional_keys": _read_additional_keys,
    "exclude_keys": _read_excluded_keys,
    "exclude_keys_all": _read_keys_not_all,
}
