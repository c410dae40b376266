"""Conditions of stateful entries: `flag:gate_open`, `!flag:war`, `flag:chapter >= 3`, `disposition:mira > 10`."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

_CONDITION = re.compile(
    r"(?P<not>!|not\s+)?\s*(?P<kind>flag|disposition)\s*:\s*(?P<name>[^\s=!<>]+)"
    r"(?:\s*(?P<operator>==|!=|>=|<=|=|>|<)\s*(?P<value>.+))?",
    re.IGNORECASE,
)
_OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq, "==": operator.eq, "!=": operator.ne,
    ">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le,
}  # fmt: skip
_WORDS = {"true": True, "false": False, "null": None, "none": None}


@dataclass(frozen=True, slots=True)
class Condition:
    """One parsed condition."""

    kind: str
    name: str
    is_negated: bool
    comparison: str
    value: object


def parse_condition(text: str) -> Condition | None:
    """The condition, None when the text is none."""
    match = _CONDITION.fullmatch(text.strip())
    if match is None:
        return None
    value = _read_value(match["value"]) if match["operator"] else True
    return Condition(match["kind"].lower(), match["name"], bool(match["not"]), match["operator"] or "", value)


def find_unmet_condition(
    conditions: tuple[str, ...],
    flags: Mapping[str, object] | None,
    dispositions: Mapping[str, object] | None,
) -> tuple[str, str] | None:
    """The first condition that does not hold, with its code; None when all hold.

    A condition that cannot be read, or asks for what was not given, does not hold: an entry that should wait for
    something never fires by mistake.
    """
    for text in conditions:
        condition = parse_condition(text)
        if condition is None:
            return text, "condition_invalid"
        values = flags if condition.kind == "flag" else dispositions
        if values is None:
            return text, "condition_unknown"
        if _holds(condition, values) == condition.is_negated:
            return text, "condition"
    return None


def _holds(condition: Condition, values: Mapping[str, object]) -> bool:
    current = values.get(condition.name)
    if not condition.comparison:
        return bool(current)
    wanted = condition.value
    if isinstance(current, str) and not isinstance(wanted, str):
        current = _read_value(current)
    try:
        return bool(_OPERATORS[condition.comparison](current, wanted))
    except TypeError:
        return False


def _read_value(text: str) -> object:
    text = text.strip()
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return text.strip("\"'")
