"""LangGraph's long-term store, kept by Memory37: one HTTP call a batch, searched by words and by meaning."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Literal

from langgraph.store.base import (
    BaseStore,
    GetOp,
    InvalidNamespaceError,
    Item,
    ListNamespacesOp,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
)

from memory37_langgraph.client import Memory37Client
from memory37_langgraph.errors import Memory37Error

BATCH_PATH = "store/batch"
NAMESPACE_INVALID = "store_namespace_invalid"


class Memory37Store(BaseStore):
    """A `BaseStore` over `POST /api/v1/store/batch`.

    Reads of a batch see what stood before it, and of several writes of one item the last one holds, as in LangGraph's
    own stores. Expired items are never given. What is known of a player stands read-only below
    `("m37", "facts", user_id)`, for keys that have the scope `read` beside `notebook`.

    Args:
        client: Where Memory37 is, and with which key. The caller closes it.
        index: Which fields of a value are searched, for puts that do not say it themselves: paths such as `text` or
            `messages[*].content`; False for none. Left out, the whole value.
        ttl: `default_ttl` in minutes and `refresh_on_read`. The service sweeps by itself.

    Example:
        >>> store = Memory37Store(Memory37Client("http://localhost:8000", "m37_…"))
        >>> store.put(("memories", "player-1"), "tea", {"text": "Drinks tea without sugar"}, ttl=60 * 24 * 30)
        >>> store.search(("memories",), query="what does she drink?")[0].score
    """

    supports_ttl = True

    def __init__(
        self,
        client: Memory37Client,
        *,
        index: Sequence[str] | Literal[False] | None = None,
        ttl: TTLConfig | None = None,
    ) -> None:
        super().__init__()
        self.client = client
        self.index = index if index is None or index is False else list(index)
        self.ttl_config = ttl

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """The results in the order of the operations; one HTTP call, none without operations.

        Nothing is changed where one operation is refused. Raises InvalidNamespaceError, Memory37Error.
        """
        plan = _Plan(ops, self.index)
        if not plan.sent:
            return []
        try:
            answer = self.client.request("POST", BATCH_PATH, json={"ops": plan.sent}, is_idempotent=True)
        except Memory37Error as error:
            raise _translate(error) from error
        return plan.read(answer["results"])

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """The async twin of `batch`: the results in the order of the operations; one HTTP call."""
        plan = _Plan(ops, self.index)
        if not plan.sent:
            return []
        try:
            answer = await self.client.arequest("POST", BATCH_PATH, json={"ops": plan.sent}, is_idempotent=True)
        except Memory37Error as error:
            raise _translate(error) from error
        return plan.read(answer["results"])


class _Plan:
    """What is sent for a batch, and which result is whose: the service does everything in order, so reads go first."""

    def __init__(self, ops: Iterable[Op], index: list[str] | Literal[False] | None) -> None:
        self.count = 0
        reads: list[tuple[int, dict[str, Any]]] = []
        writes: dict[tuple[tuple[str, ...], str], dict[str, Any]] = {}
        for place, op in enumerate(ops):
            self.count += 1
            if isinstance(op, PutOp):
                writes[tuple(op.namespace), op.key] = _describe_put(op, index)
            else:
                reads.append((place, _describe_read(op)))
        self.places = [place for place, _ in reads]
        self.sent = [each for _, each in reads] + list(writes.values())

    def read(self, answers: Sequence[dict[str, Any]]) -> list[Result]:
        """The results in the order in which the operations were asked for; None for writes."""
        results: list[Result] = [None] * self.count
        for place, each in zip(self.places, answers, strict=False):
            results[place] = _read_result(each)
        return results


def _describe_put(op: PutOp, index: list[str] | Literal[False] | None) -> dict[str, Any]:
    if op.value is None:
        return {"op": "delete", "namespace": list(op.namespace), "key": op.key}
    told: dict[str, Any] = {"op": "put", "namespace": list(op.namespace), "key": op.key, "value": dict(op.value)}
    chosen = index if op.index is None else op.index
    if chosen is not None:
        told["index"] = chosen
    if op.ttl is not None:
        told["ttl_minutes"] = op.ttl
    return told


def _describe_read(op: Op) -> dict[str, Any]:
    if isinstance(op, GetOp):
        return {"op": "get", "namespace": list(op.namespace), "key": op.key, "refresh_ttl": op.refresh_ttl}
    if isinstance(op, SearchOp):
        told: dict[str, Any] = {
            "op": "search",
            "namespace": list(op.namespace_prefix),
            "limit": op.limit,
            "offset": op.offset,
            "refresh_ttl": op.refresh_ttl,
        }
        if op.query:
            told["query"] = op.query
        if op.filter:
            told["filter"] = op.filter
        return told
    if isinstance(op, ListNamespacesOp):
        told = {"op": "list_namespaces", "limit": op.limit, "offset": op.offset}
        if op.match_conditions:
            told["match"] = [{"at": each.match_type, "path": list(each.path)} for each in op.match_conditions]
        if op.max_depth is not None:
            told["max_depth"] = op.max_depth
        return told
    raise ValueError(f"Unknown operation type: {type(op)}")


def _read_result(answer: dict[str, Any]) -> Result:
    if answer["op"] == "get":
        found = answer["item"]
        return None if found is None else Item(**_read_item(found))
    if answer["op"] == "search":
        return [SearchItem(**_read_item(each), score=each["score"]) for each in answer["items"]]
    return [tuple(each) for each in answer["namespaces"]]


def _read_item(told: dict[str, Any]) -> dict[str, Any]:
    return {
        "namespace": tuple(told["namespace"]),
        "key": told["key"],
        "value": told["value"],
        "created_at": datetime.fromisoformat(told["created_at"]),
        "updated_at": datetime.fromisoformat(told["updated_at"]),
    }


def _translate(error: Memory37Error) -> Exception:
    """LangGraph's own error where it has one."""
    return InvalidNamespaceError(error.detail) if error.code == NAMESPACE_INVALID else error
