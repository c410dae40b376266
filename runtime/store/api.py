"""`store/batch`: everything that an agent does with its store, in one call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from knowledge.errors import FactKeysMissing
from knowledge.store.actions.batches import Result
from knowledge.store.core.ops import Delete, Get, ListNamespaces, Match, Op, Put, Search
from knowledge.store.errors import (
    BatchTooLarge,
    EngineOnly,
    InvalidFilter,
    InvalidKey,
    InvalidNamespace,
    InvalidOperation,
    StoreFull,
)
from knowledge.store.models import StoreItem
from knowledge.store.selectors.search import ItemHit
from memoryproject.rest.bodies import Body
from memoryproject.rest.operations import operation
from memoryproject.rest.shapes import answer, fill
from runtime.store import shapes
from runtime.store.batches import run_agent_batch
from tenancy.api.views import MachineView


class StoreBatchView(MachineView):
    """`store/batch`."""

    scopes = {"POST": "notebook"}

    @operation(
        "store_batch",
        "Store",
        shapes.StoreBatchShape,
        FactKeysMissing,
        BatchTooLarge,
        InvalidNamespace,
        InvalidKey,
        InvalidOperation,
        InvalidFilter,
        EngineOnly,
        StoreFull,
        body=Body(shapes.BATCH_BODY),
        sent={"a memory and a question": shapes.ASKED},
    )
    def post(self, request: Request) -> Response:
        """Put, get, delete and search items, list namespaces.

        Operations are done in their order, all or none, and answered in it; each sees what those before it did. An item
        is a JSON object under a key of a namespace, in the store of the world that `X-Site-ID` names, or of the tenant.
        The same batch again is harmless. What is known of a player stands read-only below `m37`, `facts`, and the
        player's id, for keys that have the scope `read` as well.
        """
        asked = self.body["ops"]
        results = run_agent_batch(self.caller, self.world_id, [parse_op(op) for op in asked])
        rendered = [render_result(op["op"], result) for op, result in zip(asked, results, strict=True)]
        return answer(shapes.StoreBatchShape(results=rendered))


def parse_op(told: Mapping[str, Any]) -> Op:
    """An operation as the body tells it; the body has its form already."""
    kind = told["op"]
    if kind == "list_namespaces":
        match = tuple(Match(each["at"], tuple(each["path"])) for each in told.get("match", ()))
        return ListNamespaces(match, told.get("max_depth"), told.get("limit", 100), told.get("offset", 0))
    namespace = tuple(told["namespace"])
    if kind == "search":
        return Search(
            namespace,
            query=told.get("query", ""),
            filter=told.get("filter"),
            limit=told.get("limit", 10),
            offset=told.get("offset", 0),
            refresh_ttl=told.get("refresh_ttl", True),
        )
    if kind == "get":
        return Get(namespace, told["key"], told.get("refresh_ttl", True))
    if kind == "delete":
        return Delete(namespace, told["key"])
    index = told.get("index")
    return Put(
        namespace,
        told["key"],
        told["value"],
        index=None if index is None else tuple(index or ()),
        ttl_minutes=told.get("ttl_minutes"),
        message_id=told.get("message_id"),
    )


def render_result(kind: str, result: Result) -> shapes.StoreResultShape:
    """What became of an operation of that kind."""
    if kind == "get":
        item = None if result.item is None else fill(shapes.StoreItemShape, result.item)
        return shapes.StoreGotShape(op="get", item=item)
    if kind == "put":
        return shapes.StorePutShape.model_validate({"op": "put", "outcome": result.outcome})
    if kind == "delete":
        return shapes.StoreDeletedShape.model_validate({"op": "delete", "outcome": result.outcome})
    if kind == "list_namespaces":
        return shapes.StoreNamespacesShape(op="list_namespaces", namespaces=[list(each) for each in result.namespaces])
    found = [_render_hit(hit) for hit in result.hits] + [_render_unranked(item) for item in result.items]
    return shapes.StoreSearchedShape(op="search", items=found, degraded=list(result.degraded))


def _render_hit(hit: ItemHit) -> shapes.StoreFoundShape:
    scores = {"score": hit.score, "keyword_score": hit.hit.bm25, "vector_score": hit.hit.vector}
    return fill(shapes.StoreFoundShape, hit.item, **scores)


def _render_unranked(item: StoreItem) -> shapes.StoreFoundShape:
    return fill(shapes.StoreFoundShape, item, score=None, keyword_score=None, vector_score=None)
