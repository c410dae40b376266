"""Articles from foreign JSON by a mapping: where the list is, and how each member of an article is made."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping
from typing import Any

from jsonschema import Draft202012Validator

from knowledge.canon.core.slugs import make_slug
from knowledge.errors import InvalidMapping
from memoryproject.json_schema import load_schema, path_of

_STEP = re.compile(r"(?P<name>[^.\[\]]+)|\[(?P<index>\d+|\*)\]")
_PLACEHOLDER = re.compile(r"\{([^{}]+)\}")
_MISSING = object()


class MemberMissing(ValueError):
    """An object has not what the mapping needs, or in a form that it can't use."""


def parse_mapping(content: object) -> dict[str, Any]:
    """The mapping, checked. Raises InvalidMapping with `errors`: a list of path and message."""
    errors = [
        {"path": path_of(error), "message": error.message}
        for error in sorted(_validator().iter_errors(content), key=lambda error: error.json_path)
    ]
    if errors:
        first = errors[0]
        raise InvalidMapping(f"{first['path'] or 'mapping'}: {first['message']}", errors=errors)
    if not isinstance(content, dict):
        raise InvalidMapping("The mapping must be an object.")
    return content


def list_prefix(mapping: Mapping[str, Any]) -> str:
    """The place of the list as ijson names it; empty when the file itself is the list."""
    return str(mapping.get("list", ""))


def apply_mapping(mapping: Mapping[str, Any], source: object) -> dict[str, Any]:
    """The article that an object of the list becomes. Raises MemberMissing."""
    content = {}
    for name, rule in mapping["article"].items():
        value = _apply(rule, source, name)
        if value is not None:
            content[name] = value
    return content


def _apply(rule: Any, source: object, name: str) -> Any:
    if isinstance(rule, str):
        rule = {"path": rule}
    if "constant" in rule:
        return rule["constant"]
    if "members" in rule:
        made = {inner: _apply(each, source, f"{name}.{inner}") for inner, each in rule["members"].items()}
        return {inner: value for inner, value in made.items() if value is not None}
    value = _fill(rule["template"], source) if "template" in rule else _find(source, rule["path"])
    if value is _MISSING or value is None or value == "" or value == []:
        if "default" in rule:
            return rule["default"]
        if rule.get("optional"):
            return None
        raise MemberMissing(f"{name}: the object has nothing at {rule.get('path') or rule.get('template')!r}")
    if "values" in rule:
        value = rule["values"].get(str(value), value)
    return _convert(value, rule, name)


def _convert(value: Any, rule: Mapping[str, Any], name: str) -> Any:
    form = rule.get("as")
    if "join" in rule and isinstance(value, list):
        value = rule["join"].join(_show(each) for each in value)
    if form is None:
        return value
    if form == "slug":
        return make_slug(_show(value))
    if form == "text":
        return _show(value)
    if form == "list":
        return value if isinstance(value, list) else [value]
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise MemberMissing(f"{name}: {value!r} is not a number")
    try:
        number = float(value)
    except ValueError:
        raise MemberMissing(f"{name}: {value!r} is not a number") from None
    return int(number) if number.is_integer() else number


def _fill(template: str, source: object) -> object:
    """The template with its placeholders filled; missing if one of them is."""
    missing = False

    def put(match: re.Match[str]) -> str:
        nonlocal missing
        value = _find(source, match[1].strip())
        if value is _MISSING or value is None:
            missing = True
            return ""
        return "\n\n".join(map(_show, value)) if isinstance(value, list) else _show(value)

    text = _PLACEHOLDER.sub(put, template)
    return _MISSING if missing else text


def _find(source: object, path: str) -> Any:
    """What stands at a path such as `data.entries[0].text`, or `entries[*].text` for a list; else _MISSING."""
    if path == "$":
        return source
    return _walk(source, [match.groupdict() for match in _STEP.finditer(path)])


def _walk(value: object, steps: list[dict[str, Any]]) -> Any:
    for place, step in enumerate(steps):
        if step["name"] is not None:
            if not isinstance(value, Mapping) or step["name"] not in value:
                return _MISSING
            value = value[step["name"]]
        elif not isinstance(value, list):
            return _MISSING
        elif step["index"] == "*":
            found = [_walk(each, steps[place + 1 :]) for each in value]
            return [each for each in found if each is not _MISSING and each is not None]
        elif int(step["index"]) >= len(value):
            return _MISSING
        else:
            value = value[int(step["index"])]
    return value


def _show(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool | int | float):
        return json.dumps(value)
    return json.dumps(value, ensure_ascii=False)


@functools.cache
def _validator() -> Draft202012Validator:
    return Draft202012Validator(load_schema("ingest_mapping"))
