"""The operations of a batch, and whether each can be done."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from knowledge.store.core import limits
from knowledge.store.core.filters import validate_filter
from knowledge.store.core.json_values import is_storable, measure_depth, validate_json
from knowledge.store.errors import EngineOnly, InvalidFilter, InvalidKey, InvalidNamespace, InvalidOperation

Namespace = tuple[str, ...]
WILDCARD = "*"


@dataclass(frozen=True, slots=True)
class Get:
    """One item by its key."""

    namespace: Namespace
    key: str
    refresh_ttl: bool = True


@dataclass(frozen=True, slots=True)
class Put:
    """An item as it stands from now on. `index` are the paths that are searched, None for the whole value."""

    namespace: Namespace
    key: str
    value: Mapping[str, Any]
    index: tuple[str, ...] | None = None
    ttl_minutes: float | None = None
    message_id: int | None = None
    """The message of a player that it rests on: forgetting that takes the item away."""


@dataclass(frozen=True, slots=True)
class Delete:
    """An item that goes, if it is there."""

    namespace: Namespace
    key: str


@dataclass(frozen=True, slots=True)
class Search:
    """The items below a prefix, narrowed by a filter, ranked by a query or newest first."""

    namespace: Namespace
    query: str = ""
    filter: Mapping[str, Any] | None = None
    limit: int = 10
    offset: int = 0
    refresh_ttl: bool = True


@dataclass(frozen=True, slots=True)
class Match:
    """Namespaces that begin or end with a path, in which `*` stands for any one label."""

    at: Literal["prefix", "suffix"]
    path: Namespace


@dataclass(frozen=True, slots=True)
class ListNamespaces:
    """The namespaces that hold items, cut to a depth."""

    match: tuple[Match, ...] = ()
    max_depth: int | None = None
    limit: int = 100
    offset: int = 0


Op = Get | Put | Delete | Search | ListNamespaces
Issue = tuple[type[InvalidOperation | EngineOnly], str]
"""The error to raise, and a sentence about what is wrong."""


def validate_op(op: Op) -> Issue | None:
    """Why an operation can't be done; None for one that can."""
    if isinstance(op, ListNamespaces):
        return _validate_labels([label for match in op.match for label in match.path])
    issue = _validate_labels(op.namespace)
    if issue is not None or isinstance(op, Search):
        return issue or _validate_search(op)
    return _validate_key(op.key) or (None if isinstance(op, Get) else _validate_write(op))


def _validate_search(op: Op) -> Issue | None:
    found = validate_filter(getattr(op, "filter", None) or {})
    return None if found is None else (InvalidFilter, found)


def _validate_labels(labels: Sequence[str]) -> Issue | None:
    if len(labels) > limits.MAX_LABELS:
        return InvalidNamespace, f"A namespace has at most {limits.MAX_LABELS} labels."
    for label in labels:
        if not label or "." in label:
            return InvalidNamespace, f"The label {label[:80]!r} is empty or holds a period."
        if not is_storable(label):
            return InvalidNamespace, f"The label {label[:80]!r} holds a character that is no text."
    if sum(len(label.encode()) for label in labels) > limits.MAX_NAMESPACE_BYTES:
        return InvalidNamespace, f"A namespace has at most {limits.MAX_NAMESPACE_BYTES} bytes in UTF-8."
    return None


def _validate_key(key: str) -> Issue | None:
    if not key or not is_storable(key):
        return InvalidKey, "A key is text, and not empty."
    if len(key.encode()) > limits.MAX_KEY_BYTES:
        return InvalidKey, f"A key has at most {limits.MAX_KEY_BYTES} bytes in UTF-8."
    return None


def _validate_write(op: Op) -> Issue | None:
    namespace = getattr(op, "namespace", ())
    if not namespace:
        return InvalidNamespace, "An item needs a namespace of at least one label."
    if namespace[0] == limits.OWN_ROOT:
        return EngineOnly, f"What stands below {limits.OWN_ROOT!r} is written by the engine and editors, never here."
    if namespace[0] in limits.RESERVED_ROOTS:
        return InvalidNamespace, f"The first label of a namespace can't be {namespace[0]!r}."
    return _validate_value(op.value) if isinstance(op, Put) else None


def _validate_value(value: Mapping[str, Any]) -> Issue | None:
    if measure_depth(value) > limits.MAX_VALUE_DEPTH:
        return InvalidOperation, f"A value nests at most {limits.MAX_VALUE_DEPTH} deep."
    issue = validate_json(value)
    if issue is not None:
        return InvalidOperation, f"The value can't be kept. {issue}"
    size = len(json.dumps(value, ensure_ascii=False).encode())
    if size > limits.MAX_VALUE_BYTES:
        return InvalidOperation, f"The value has {size} bytes as JSON; the most is {limits.MAX_VALUE_BYTES}."
    return None
