"""Values of lorebooks as files have them and as the model has them.

Programs are loose: numbers stand as text, flags as 0 and 1, one key as text instead of a list. A codec reads what
SillyTavern would make of it and refuses what cannot be meant, with the pointer of the place.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeVar

from knowledge.lorebooks.core.book import CharacterFilter
from knowledge.lorebooks.errors import WorldInfoInvalid
from knowledge.lorebooks.json_text import point
from knowledge.lorebooks.limits import MAX_CONTENT_LENGTH, MAX_KEY_LENGTH, MAX_KEYS

ABSENT: Any = object()
"""What a codec returns for a value that says nothing, as null and empty text for a number."""
MAX_INTEGER = 2**53
_NUMBER = re.compile(r"\s*[-+]?\d+(?:\.\d+)?\s*")
_MAX_NUMBER_TEXT = 40
EnumMember = TypeVar("EnumMember", bound=Enum)


def write_unchanged(value: Any) -> Any:
    return value


@dataclass(frozen=True, slots=True)
class Codec:
    """`read(value, pointer)` gives the model's value or ABSENT; `write(value)` gives the file's."""

    read: Callable[[Any, str], Any]
    write: Callable[[Any], Any] = write_unchanged


def read_text(value: Any, pointer: str) -> Any:
    if value is None:
        return ABSENT
    if isinstance(value, str):
        if len(value) > MAX_CONTENT_LENGTH:
            raise WorldInfoInvalid(f"has {len(value)} characters; {MAX_CONTENT_LENGTH} are taken", pointer=pointer)
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"{value:g}" if isinstance(value, float) else str(value)
    raise WorldInfoInvalid(f"must be text, not {name_kind(value)}", pointer=pointer)


def read_flag(value: Any, pointer: str) -> Any:
    if value is None or value == "":
        return ABSENT
    if isinstance(value, bool | int | float):
        return bool(value)
    if isinstance(value, str) and value.strip().lower() in {"true", "false", "0", "1"}:
        return value.strip().lower() in {"true", "1"}
    raise WorldInfoInvalid(f"must be true or false, not {name_kind(value)}", pointer=pointer)


def read_number(value: Any, pointer: str) -> Any:
    if value is None or value == "":
        return ABSENT
    if isinstance(value, str) and len(value) <= _MAX_NUMBER_TEXT and _NUMBER.fullmatch(value):
        value = float(value) if "." in value else int(value)
    if not isinstance(value, int | float):
        raise WorldInfoInvalid(f"must be a number, not {name_kind(value)}", pointer=pointer)
    if not math.isfinite(value) or abs(value) > MAX_INTEGER:
        raise WorldInfoInvalid("is a number too large", pointer=pointer)
    if isinstance(value, bool) or (isinstance(value, float) and value.is_integer()):
        return int(value)
    return value


def read_integer(value: Any, pointer: str) -> Any:
    number = read_number(value, pointer)
    return number if number is ABSENT else math.floor(number)


def read_texts(value: Any, pointer: str) -> Any:
    """A list of texts; one text is split at commas, as programs did before keys were lists."""
    if value is None:
        return ABSENT
    if isinstance(value, str):
        return split_commas(value)
    if not isinstance(value, list):
        raise WorldInfoInvalid(f"must be a list of texts, not {name_kind(value)}", pointer=pointer)
    if len(value) > MAX_KEYS:
        raise WorldInfoInvalid(f"has {len(value)} items; {MAX_KEYS} are taken", pointer=pointer)
    texts = (read_text(item, point(pointer, index)) for index, item in enumerate(value))
    kept = tuple(text for text in texts if text is not ABSENT)
    for index, text in enumerate(kept):
        if len(text) > MAX_KEY_LENGTH:
            reason = f"has {len(text)} characters; {MAX_KEY_LENGTH} are taken"
            raise WorldInfoInvalid(reason, pointer=point(pointer, index))
    return kept


def split_commas(text: str) -> tuple[str, ...]:
    """The parts between commas, trimmed, empty ones left out; a comma inside `/…/` belongs to the pattern."""
    parts: list[str] = []
    rest = text.strip()
    while rest:
        pattern = _SLASHED.match(rest)
        part, _, rest = (pattern[0], "", rest[pattern.end() :]) if pattern else rest.partition(",")
        parts.append(part.strip().rstrip(",").strip())
        rest = rest.strip()
    return tuple(part for part in parts if part)


_SLASHED = re.compile(r"/(?:[^/\\\n]|\\.)+/[a-z]*\s*(?:,|$)")


def _read_recursion_level(value: Any, pointer: str) -> Any:
    """False and 0 are no delay, true is level 1, a number is its level."""
    number = read_number(value, pointer) if not isinstance(value, bool) else int(value)
    return number if number is ABSENT else max(math.floor(number), 0)


def _read_character_filter(value: Any, pointer: str) -> Any:
    if value is None:
        return ABSENT
    if not isinstance(value, dict):
        raise WorldInfoInvalid(f"must be an object, not {name_kind(value)}", pointer=pointer)
    names = read_texts(value.get("names"), point(pointer, "names"))
    tags = read_texts(value.get("tags"), point(pointer, "tags"))
    is_exclude = read_flag(value.get("isExclude"), point(pointer, "isExclude"))
    found = CharacterFilter(
        names=() if names is ABSENT else names,
        tags=() if tags is ABSENT else tags,
        is_exclude=is_exclude is True,
    )
    return ABSENT if found == CharacterFilter() else found


def _write_character_filter(value: CharacterFilter | None) -> Any:
    if value is None:
        return None
    return {"isExclude": value.is_exclude, "names": list(value.names), "tags": list(value.tags)}


def enum_codec(members: Sequence[EnumMember], *, by_value: bool = True) -> Codec:
    """An enumeration that stands as the place of its member in the list; read by its value, too."""
    by_name = {str(member.value): member for member in members} if by_value else {}

    def read(value: Any, pointer: str) -> Any:
        if isinstance(value, str) and value in by_name:
            return by_name[value]
        number = read_integer(value, pointer)
        if number is ABSENT:
            return ABSENT
        if not 0 <= number < len(members):
            raise WorldInfoInvalid(f"must be from 0 to {len(members) - 1}", pointer=pointer)
        return members[number]

    return Codec(read, members.index)


def one_of(accepted: Iterable[str]) -> Callable[[Any, str], Any]:
    """A reader that keeps those texts of a list that are accepted; others say nothing to us and stay in the file."""
    known = frozenset(accepted)

    def read(value: Any, pointer: str) -> Any:
        texts = read_texts(value, pointer)
        return texts if texts is ABSENT else tuple(text for text in texts if text in known)

    return read


def name_kind(value: Any) -> str:
    """What a JSON value is, for a message."""
    kinds = {bool: "true or false", int: "a number", float: "a number", str: "text", list: "a list", dict: "an object"}
    return kinds.get(type(value), "null")


TEXT = Codec(read_text)
FLAG = Codec(read_flag)
NUMBER = Codec(read_number)
INTEGER = Codec(read_integer)
TEXTS = Codec(read_texts, list)
COMMA_TEXT = Codec(read_texts, ", ".join)
GROUPS = Codec(read_texts, ", ".join)
RECURSION_LEVEL = Codec(_read_recursion_level)
CHARACTER_FILTER = Codec(_read_character_filter, _write_character_filter)
