"""Forms for answers of people: an object of plain members is asked for member by member, not as JSON."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

MAX_FIELDS = 12
_KINDS = {"boolean": "boolean", "string": "text", "integer": "number", "number": "number"}
_NUMBER = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{1,15})?")
TRUTH = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class AnswerField:
    """One member of an answer, and how it is given."""

    name: str
    label: str
    help: str
    kind: str
    """boolean, text, number or choice."""
    is_required: bool
    choices: tuple[str, ...] = ()


def build_fields(schema: Any) -> list[AnswerField]:
    """The members of an object of truth values, texts, numbers and choices; empty for any other schema.

    >>> [(each.name, each.kind) for each in build_fields({"type": "object", "properties": {"ok": {"type": "boolean"}}})]
    [('ok', 'boolean')]
    """
    properties = schema.get("properties") if isinstance(schema, Mapping) and schema.get("type") == "object" else None
    if not isinstance(properties, Mapping) or not 0 < len(properties) <= MAX_FIELDS:
        return []
    required = schema.get("required") or ()
    if not set(required) <= set(properties):
        return []
    fields = [_build_field(name, each, is_required=name in required) for name, each in properties.items()]
    return [each for each in fields if each is not None] if None not in fields else []


def _build_field(name: str, schema: Any, *, is_required: bool) -> AnswerField | None:
    if not isinstance(schema, Mapping):
        return None
    listed, type_ = schema.get("enum"), schema.get("type")
    choices = tuple(each for each in listed if isinstance(each, str)) if isinstance(listed, list) else ()
    is_choice = isinstance(listed, list) and 0 < len(choices) == len(listed)
    kind = "choice" if is_choice else _KINDS.get(type_) if isinstance(type_, str) and listed is None else None
    if kind is None:
        return None
    told = {key: value if isinstance(value := schema.get(key), str) else "" for key in ("title", "description")}
    return AnswerField(name, told["title"] or name, told["description"], kind, is_required, choices)


def read_fields(fields: Sequence[AnswerField], sent: Sequence[str]) -> dict[str, Any]:
    """The object that was filled in, by the order of the fields. What was left empty is left out, but for a text that
    is required. Raises ValueError for what is no number."""
    answer: dict[str, Any] = {}
    for field, text in zip(fields, sent, strict=True):
        if field.kind == "boolean" and text in TRUTH:
            answer[field.name] = TRUTH[text]
        elif field.kind == "number" and text.strip():
            answer[field.name] = _read_number(field, text)
        elif (field.kind == "choice" and text in field.choices) or (
            field.kind == "text" and (text or field.is_required)
        ):
            answer[field.name] = text
    return answer


def _read_number(field: AnswerField, text: str) -> int | float:
    plain = text.strip().replace(",", ".")
    if not _NUMBER.fullmatch(plain):
        raise ValueError(f"{field.label}: {text[:40]!r} is no number.")
    return float(plain) if "." in plain else int(plain)
