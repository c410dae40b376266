"""Filters on the values of items: what they mean, in SQL and in Python alike.

A condition names a member of the value: `{"color": "red"}` is equality, `{"price": {"$gte": 3}}` an operator, a member
of a member stands in its own object: `{"size": {"width": 3}}`. A member that is not there reads as null. Numbers are
compared as numbers and texts by code point; a value of another type is in no order with them, so it does not match.
"""

from __future__ import annotations

import json
import operator
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from knowledge.store.core.json_values import is_storable, measure_depth, validate_json
from knowledge.store.core.limits import MAX_CONDITIONS

EQUALITY = {"$eq": "=", "$ne": "<>"}
ORDER = {"$gt": ">", "$gte": ">=", "$lt": "<", "$lte": "<="}
_COMPARE = {"$gt": operator.gt, "$gte": operator.ge, "$lt": operator.lt, "$lte": operator.le}
IS_OBJECT = "is_object"
"""What `{"size": {}}` asks: whether there is an object."""


@dataclass(frozen=True, slots=True)
class Condition:
    """One comparison of a member, named by its path, with an operand."""

    path: tuple[str, ...]
    operator: str
    operand: Any


def list_conditions(given: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[Condition]:
    """The conditions of a filter, all of which have to hold."""
    for name, wanted in given.items():
        place = (*path, name)
        if not isinstance(wanted, Mapping):
            yield Condition(place, "$eq", wanted)
        elif not wanted:
            yield Condition(place, IS_OBJECT, None)
        elif any(each.startswith("$") for each in wanted):
            yield from (Condition(place, sign, operand) for sign, operand in wanted.items())
        else:
            yield from list_conditions(wanted, place)


def validate_filter(given: Mapping[str, Any]) -> str | None:
    """What is wrong with a filter; None for one that can be asked."""
    if measure_depth(given) > MAX_CONDITIONS:
        return f"A filter nests at most {MAX_CONDITIONS} deep."
    conditions = list(list_conditions(given))
    if len(conditions) > MAX_CONDITIONS:
        return f"A filter has at most {MAX_CONDITIONS} conditions."
    for each in conditions:
        issue = None if all(map(is_storable, each.path)) else "It holds a character that is no text."
        issue = issue or validate_json(each.operand)
        if issue is not None:
            return f"The filter can't be asked. {issue}"
        if each.operator in ORDER and (
            isinstance(each.operand, bool) or not isinstance(each.operand, int | float | str)
        ):
            return f"{each.operator} compares with a number or a text."
        if each.operator not in (*EQUALITY, *ORDER, IS_OBJECT):
            known = ", ".join((*EQUALITY, *ORDER))
            return f"There is no operator {each.operator[:40]!r}; there are {known}."
    return None


def render_filter(given: Mapping[str, Any], parameters: dict[str, Any], *, column: str) -> str:
    """The filter as a condition in SQL on a jsonb column; its parameters are added to the given ones."""
    return " AND ".join(_render(each, parameters, column) for each in list_conditions(given)) or "TRUE"


def matches(value: Mapping[str, Any], given: Mapping[str, Any]) -> bool:
    """Whether a value fits the filter: the same as the SQL, for what does not stand in a table."""
    return all(_holds(_look_up(value, each.path), each) for each in list_conditions(given))


def _render(condition: Condition, parameters: dict[str, Any], column: str) -> str:
    def add(value: Any) -> str:
        name = f"filter_{len(parameters)}"
        parameters[name] = value
        return f"%({name})s"

    place = column + "".join(f" -> {add(name)}::text" for name in condition.path)
    if condition.operator == IS_OBJECT:
        return f"jsonb_typeof({place}) IS NOT DISTINCT FROM 'object'"
    if condition.operator in EQUALITY:
        operand = add(json.dumps(condition.operand, ensure_ascii=False))
        return f"coalesce({place}, 'null'::jsonb) {EQUALITY[condition.operator]} {operand}::jsonb"
    sign = ORDER[condition.operator]
    if isinstance(condition.operand, str):
        compared = f"({place}) #>> '{{}}' COLLATE \"C\" {sign} {add(condition.operand)}::text"
        return f"CASE WHEN jsonb_typeof({place}) = 'string' THEN {compared} ELSE FALSE END"
    compared = f"({place}) {sign} {add(json.dumps(condition.operand))}::jsonb"
    return f"CASE WHEN jsonb_typeof({place}) = 'number' THEN {compared} ELSE FALSE END"


def _look_up(value: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _holds(value: Any, condition: Condition) -> bool:
    operand = condition.operand
    if condition.operator == IS_OBJECT:
        return isinstance(value, Mapping)
    if condition.operator in EQUALITY:
        return _is_equal(value, operand) == (condition.operator == "$eq")
    kind = str if isinstance(operand, str) else (int, float)
    if isinstance(value, bool) or not isinstance(value, kind):
        return False
    return bool(_COMPARE[condition.operator](value, operand))


def _is_equal(left: Any, right: Any) -> bool:
    """Whether two JSON values are the same: 1 is 1.0 and not true."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return left.keys() == right.keys() and all(_is_equal(left[name], right[name]) for name in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(_is_equal, left, right))
    return (type(left) is type(right) and left == right) or (_is_number(left) and _is_number(right) and left == right)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
