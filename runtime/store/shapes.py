"""What `store/batch` takes and answers."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from knowledge.canon.selectors.search import MAX_QUERY_LENGTH
from knowledge.store.core import limits
from memoryproject.rest.forms import form
from memoryproject.rest.typed_dicts import build_example, member

LABELS: dict[str, Any] = {
    "type": "array",
    "maxItems": limits.MAX_LABELS,
    "items": {"type": "string", "maxLength": limits.MAX_NAMESPACE_BYTES},
}
KEY: dict[str, Any] = {"type": "string", "minLength": 1, "maxLength": limits.MAX_KEY_BYTES}
REFRESH = {
    "type": "boolean",
    "description": "Whether an item that ends is kept as long again from now on; yes if left out.",
}
OFFSET = {"type": "integer", "minimum": 0, "maximum": limits.MAX_OFFSET}
LIMIT = {"type": "integer", "minimum": 0, "maximum": limits.MAX_LIMIT}


def _describe_op(name: str, required: dict[str, Any], optional: dict[str, Any] | None = None) -> dict[str, Any]:
    return form({"op": {"const": name}, **required}, optional)


OPS = [
    _describe_op("get", {"namespace": LABELS, "key": KEY}, {"refresh_ttl": REFRESH}),
    _describe_op(
        "put",
        {"namespace": LABELS, "key": KEY, "value": {"type": "object", "description": "Yours; at most 256 kB as JSON."}},
        {
            "index": {
                "description": "The paths that are searched, such as `text` or `messages[*].content`; false for none, "
                "the whole value if left out.",
                "oneOf": [
                    {"const": False},
                    {
                        "type": "array",
                        "maxItems": limits.MAX_INDEX_FIELDS,
                        "items": {"type": "string", "maxLength": limits.MAX_FIELD_LENGTH},
                    },
                ],
            },
            "ttl_minutes": {
                "type": "number",
                "exclusiveMinimum": 0,
                "maximum": limits.MAX_TTL_MINUTES,
                "description": "After so long without being read or written it is gone; for ever if left out.",
            },
            "message_id": {
                "type": "integer",
                "minimum": 1,
                "maximum": 2**63 - 1,
                "description": "The message of a player that it rests on: forgetting that takes the item away.",
            },
        },
    ),
    _describe_op("delete", {"namespace": LABELS, "key": KEY}),
    _describe_op(
        "search",
        {"namespace": {**LABELS, "description": "The prefix; all of the store if empty."}},
        {
            "query": {"type": "string", "maxLength": MAX_QUERY_LENGTH, "description": "Ranks by words and meaning."},
            "filter": {
                "type": "object",
                "description": 'Members of the value: `{"color": "red"}`, `{"price": {"$gte": 3}}`; `$eq`, `$ne`, '
                "`$gt`, `$gte`, `$lt`, `$lte`.",
            },
            "limit": {**LIMIT, "description": "10 if left out."},
            "offset": OFFSET,
            "refresh_ttl": REFRESH,
        },
    ),
    _describe_op(
        "list_namespaces",
        {},
        {
            "match": {
                "type": "array",
                "maxItems": 10,
                "items": form(
                    {
                        "at": {"enum": ["prefix", "suffix"]},
                        "path": {**LABELS, "description": "`*` stands for any one label."},
                    }
                ),
            },
            "max_depth": {"type": "integer", "minimum": 1, "maximum": limits.MAX_LABELS},
            "limit": {**LIMIT, "description": "100 if left out."},
            "offset": OFFSET,
        },
    ),
]
BATCH_BODY = form({"ops": {"type": "array", "maxItems": limits.MAX_OPS, "items": {"oneOf": OPS}}})
TEA = {"text": "Drinks tea without sugar"}
ASKED = {
    "ops": [
        {"op": "put", "namespace": ["memories", "player-1"], "key": "tea", "value": TEA},
        {"op": "search", "namespace": ["memories"], "query": "what does she drink?", "limit": 3},
    ]
}


class StoreItemShape(BaseModel):
    """An item."""

    namespace: Annotated[list[str], member(["memories", "player-1"])]
    key: Annotated[str, member("tea")]
    value: Annotated[dict[str, Any], member(TEA)]
    created_at: Annotated[dt.datetime, member("2026-03-02T10:00:00Z")]
    updated_at: Annotated[dt.datetime, member("2026-03-02T10:00:00Z")]
    expires_at: Annotated[dt.datetime | None, member(None, "When it is gone, unless it is read or written before.")]


class StoreFoundShape(StoreItemShape):
    """An item that a search found; scores are null where nothing was asked."""

    score: Annotated[float | None, member(0.92, "From 0 to 1: words and meaning together.")]
    keyword_score: Annotated[float | None, member(1.3)]
    vector_score: Annotated[float | None, member(0.87)]


class StoreGotShape(BaseModel):
    """What `get` found."""

    op: Annotated[Literal["get"], member("get")]
    item: StoreItemShape | None


class StorePutShape(BaseModel):
    """What `put` did."""

    op: Annotated[Literal["put"], member("put")]
    outcome: Annotated[Literal["created", "modified"], member("created")]


class StoreDeletedShape(BaseModel):
    """What `delete` did."""

    op: Annotated[Literal["delete"], member("delete")]
    outcome: Annotated[Literal["deleted", "absent"], member("deleted")]


class StoreSearchedShape(BaseModel):
    """What `search` found, best or newest first."""

    op: Annotated[Literal["search"], member("search")]
    items: list[StoreFoundShape]
    degraded: Annotated[list[str], member([], "What the search had to do without, as codes.")]


class StoreNamespacesShape(BaseModel):
    """What `list_namespaces` found, in the order of their labels."""

    op: Annotated[Literal["list_namespaces"], member("list_namespaces")]
    namespaces: Annotated[list[list[str]], member([["memories", "player-1"]])]


StoreResultShape = Annotated[
    StoreGotShape | StorePutShape | StoreDeletedShape | StoreSearchedShape | StoreNamespacesShape,
    Field(discriminator="op"),
]


class StoreBatchShape(BaseModel):
    """What became of the operations, in their order."""

    results: Annotated[
        list[StoreResultShape], member([build_example(StorePutShape), build_example(StoreSearchedShape)])
    ]
