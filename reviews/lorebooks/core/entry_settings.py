"""What an entry says of when it fires and where it is put, as lines of text in an article's field `lorebook`.

One line a setting, `name=value`, only where it differs from the default, so that editors read and change them and
releases keep them: `order=250`, `position=at_depth`, `depth=2`, `secondary_key=night`, `key=/salt(ed)? road/i`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from knowledge.lorebooks.core.book import Entry
from knowledge.lorebooks.core.vocabulary import Position, RegexKeys, Role, ScanSource, SelectiveLogic
from knowledge.lorebooks.errors import WorldInfoInvalid
from knowledge.lorebooks.formats.codecs import ABSENT, read_flag, read_integer, read_number
from knowledge.lorebooks.formats.members import ENTRY_DEFAULTS

FIELD = "lorebook"
MAX_LINES = 50  # items of a field and characters of an item, as `schemas/lore_document.schema.json` has them
MAX_LINE_LENGTH = 500


@dataclass(frozen=True, slots=True)
class _Setting:
    """A field of an entry and its line: how a value is written, how it is read, and whether lines may repeat."""

    field: str
    name: str
    write: Callable[[Any], str]
    read: Callable[[str], Any]
    is_list: bool = False


def _write_flag(value: bool) -> str:
    return "true" if value else "false"


def _read_known(read: Callable[[Any, str], Any]) -> Callable[[str], Any]:
    return lambda text: read(text, "")


def _enum(members: type[Enum]) -> Callable[[str], Any]:
    by_name = {member.name.lower(): member for member in members}
    return lambda text: by_name.get(text, ABSENT)


def _write_enum(value: Enum) -> str:
    return value.name.lower()


_FLAGS = (
    *("is_constant", "is_selective", "is_vectorized", "ignores_budget", "use_probability", "group_override"),
    *("use_group_scoring", "case_sensitive", "match_whole_words", "exclude_recursion", "prevent_recursion"),
    "is_enabled",
)
_INTEGERS = (
    *("scan_depth", "scan_characters", "depth", "token_limit", "sticky", "cooldown", "delay"),
    "delay_until_recursion",
)
_NUMBERS = ("order", "priority", "probability", "group_weight")
_TEXTS = ("name", "outlet", "automation_id", "folder")
_LISTS = {"secondary_keys": "secondary_key", "groups": "group", "triggers": "trigger", "conditions": "when"}

_SETTINGS: tuple[_Setting, ...] = (
    *(_Setting(name, name.removeprefix("is_"), _write_flag, _read_known(read_flag)) for name in _FLAGS),
    *(_Setting(name, name, str, _read_known(read_integer)) for name in _INTEGERS),
    *(_Setting(name, name, str, _read_known(read_number)) for name in _NUMBERS),
    *(_Setting(name, name, str, str) for name in _TEXTS),
    *(_Setting(field, name, str, str, is_list=True) for field, name in _LISTS.items()),
    _Setting("logic", "logic", _write_enum, _enum(SelectiveLogic)),
    _Setting("position", "position", _write_enum, _enum(Position)),
    _Setting("role", "role", _write_enum, _enum(Role)),
    _Setting("regex_keys", "regex_keys", _write_enum, _enum(RegexKeys)),
    _Setting("scan_sources", "scan", _write_enum, _enum(ScanSource), is_list=True),
)
_BY_NAME: Mapping[str, _Setting] = {setting.name: setting for setting in _SETTINGS}
KEY, DECORATOR = "key", "decorator"
UNKEPT_FIELDS = ("character_filter",)
"""Fields that canon has no line for: the import report names them."""


def write_settings(entry: Entry, *, keys: Iterable[str] = (), decorators: Iterable[str] = ()) -> list[str]:
    """The lines of an entry: keys that are no names, decorators that are no settings, what differs from defaults."""
    lines = [f"{KEY}={key}" for key in keys] + [f"{DECORATOR}={each}" for each in decorators]
    for setting in _SETTINGS:
        value = getattr(entry, setting.field)
        if value == ENTRY_DEFAULTS[setting.field] or value is None:
            continue
        values = value if setting.is_list else (value,)
        lines += [f"{setting.name}={setting.write(each)}" for each in values]
    return list(dict.fromkeys(lines))


def split_fitting(lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """The lines that a field of an article holds, and those that are too long or too many for it."""
    short = [line for line in lines if len(line) <= MAX_LINE_LENGTH and "\x00" not in line]
    long = [line for line in lines if line not in short]
    return short[:MAX_LINES], [*long, *short[MAX_LINES:]]


@dataclass(frozen=True, slots=True)
class ReadSettings:
    """The lines of an article as fields of an entry; lines that say nothing to us are left out."""

    fields: dict[str, Any]
    keys: tuple[str, ...]
    decorators: tuple[str, ...]


def read_settings(value: Any) -> ReadSettings:
    """The settings of the field `lorebook`, whatever an editor made of it."""
    lines = [line for line in value if isinstance(line, str)] if isinstance(value, list | tuple) else []
    fields: dict[str, Any] = {}
    named: dict[str, list[str]] = {KEY: [], DECORATOR: []}
    for line in lines:
        name, _, text = line.partition("=")
        name = name.strip()
        if name in named:
            named[name].append(text)
        elif name in _BY_NAME:
            _read_line(_BY_NAME[name], text, fields)
    return ReadSettings(fields, tuple(named[KEY]), tuple(named[DECORATOR]))


def _read_line(setting: _Setting, text: str, fields: dict[str, Any]) -> None:
    try:
        value = setting.read(text if setting.is_list or setting.read is str else text.strip())
    except WorldInfoInvalid:
        return
    if value is ABSENT:
        return
    fields[setting.field] = (*fields.get(setting.field, ()), value) if setting.is_list else value
