"""A batch of operations, done in the order in which they came: all of them, or none."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from knowledge.store.actions.expiry import delete_expired, refresh_items
from knowledge.store.actions.passages import build_passages, replace_passages
from knowledge.store.core.limits import MAX_OPS
from knowledge.store.core.ops import Delete, Get, ListNamespaces, Namespace, Op, Put, Search, validate_op
from knowledge.store.errors import BatchTooLarge, StoreFull
from knowledge.store.models import StoreItem, StorePassage, StoreSpace
from knowledge.store.selectors.items import find_items, find_space, list_namespaces, list_newest
from knowledge.store.selectors.search import ItemHit, QueryVector, embed_search, search_items
from memoryproject.metrics import STORE_OPS

OP_NAMES: dict[type, str] = {
    Get: "get",
    Put: "put",
    Delete: "delete",
    Search: "search",
    ListNamespaces: "list_namespaces",
}


@dataclass(frozen=True, slots=True)
class Result:
    """What one operation found or did; which member counts goes by the operation."""

    item: StoreItem | None = None
    hits: tuple[ItemHit, ...] = ()
    items: tuple[StoreItem, ...] = ()
    namespaces: tuple[Namespace, ...] = ()
    outcome: str = ""
    degraded: tuple[str, ...] = ()


@dataclass(slots=True)
class _Batch:
    """What was prepared outside the transaction."""

    vectors: dict[int, QueryVector] = field(default_factory=dict)
    passages: dict[int, list[StorePassage]] = field(default_factory=dict)


def run_batch(*, tenant_id: int, world_id: int | None, ops: Sequence[Op]) -> list[Result]:
    """The results in the order of the operations. An operation sees what those before it did.

    Queries are embedded before the transaction. A batch that writes holds the row of its space: other writers of the
    world wait. Raises InvalidOperation, EngineOnly, StoreFull, InvalidQuery, and then nothing was done.
    """
    check_batch(ops)
    space = find_space(tenant_id=tenant_id, world_id=world_id)
    if space is None and any(isinstance(op, Put) for op in ops):
        space = _make_space(tenant_id, world_id)
    if space is None:
        results = [Result(outcome="absent" if isinstance(op, Delete) else "") for op in ops]
    else:
        passages = {
            index: build_passages(space, op.value, op.index) for index, op in enumerate(ops) if isinstance(op, Put)
        }
        vectors = {
            index: embed_search(op) for index, op in enumerate(ops) if isinstance(op, Search) and op.query.strip()
        }
        results = _run(space, ops, _Batch(vectors, passages))
    for op in ops:
        STORE_OPS.labels(op=OP_NAMES[type(op)]).inc()
    return results


def _make_space(tenant_id: int, world_id: int | None) -> StoreSpace:
    """The space, by whomever it was made."""
    StoreSpace.objects.bulk_create([StoreSpace(tenant_id=tenant_id, world_id=world_id)], ignore_conflicts=True)
    space = find_space(tenant_id=tenant_id, world_id=world_id)
    assert space is not None  # noqa: S101 - spaces are never deleted
    return space


def check_batch(ops: Sequence[Op]) -> None:
    """Raises InvalidOperation or EngineOnly for the first operation that can't be done."""
    if len(ops) > MAX_OPS:
        raise BatchTooLarge(f"A batch has at most {MAX_OPS} operations.")
    for index, op in enumerate(ops):
        issue = validate_op(op)
        if issue is not None:
            error, detail = issue
            raise error(f"Operation {index}: {detail}", op=index)


def _run(space: StoreSpace, ops: Sequence[Op], batch: _Batch) -> list[Result]:
    if not any(isinstance(op, Put | Delete) for op in ops):
        return [result for run in _iterate_runs(ops) for result in _do(space, run, batch)]
    with transaction.atomic():
        locked = StoreSpace.objects.select_for_update(no_key=True).get(pk=space.pk)
        return [result for run in _iterate_runs(ops) for result in _do(locked, run, batch)]


def _iterate_runs(ops: Sequence[Op]) -> Iterator[list[tuple[int, Any]]]:
    """Neighbouring operations of one kind, which are done together; of writes, only while each is of another item."""
    for _, group in groupby(enumerate(ops), key=lambda pair: type(pair[1])):
        run: list[tuple[int, Any]] = []
        known: set[tuple[Namespace, str]] = set()
        for index, op in group:
            if isinstance(op, Put | Delete):
                if (op.namespace, op.key) in known:
                    yield run
                    run, known = [], set()
                known.add((op.namespace, op.key))
            run.append((index, op))
        yield run


def _do(space: StoreSpace, run: Sequence[tuple[int, Any]], batch: _Batch) -> list[Result]:
    kind = type(run[0][1])
    if kind is Get:
        return _get(space, [op for _, op in run])
    if kind is Put:
        return _put(space, run, batch)
    if kind is Delete:
        return _delete(space, [op for _, op in run])
    if kind is ListNamespaces:
        return [Result(namespaces=tuple(list_namespaces(space, op))) for _, op in run]
    return [_search(space, op, batch.vectors.get(index)) for index, op in run]


def _get(space: StoreSpace, ops: Sequence[Get]) -> list[Result]:
    found = find_items(space, ops)
    results = [Result(item=found.get((op.namespace, op.key))) for op in ops]
    refresh_items([each.item for each, op in zip(results, ops, strict=True) if each.item and op.refresh_ttl])
    return results


def _search(space: StoreSpace, op: Search, vector: QueryVector | None) -> Result:
    if vector is None:
        items = list_newest(space, op)
        result = Result(items=tuple(items))
    else:
        hits, degraded = search_items(space, op, vector)
        items = [hit.item for hit in hits]
        result = Result(hits=tuple(hits), degraded=degraded)
    if op.refresh_ttl:
        refresh_items(items)
    return result


def _put(space: StoreSpace, run: Sequence[tuple[int, Put]], batch: _Batch) -> list[Result]:
    now = timezone.now()
    standing = _drop_expired(find_standing(space, [op for _, op in run]), now)
    _check_quota(space, len(run) - len(standing))
    rows = StoreItem.objects.bulk_create(
        [_build_item(space, op, now) for _, op in run],
        update_conflicts=True,
        unique_fields=["space", "namespace", "key"],
        update_fields=["value", "index_fields", "message_id", "ttl_minutes", "expires_at", "updated_at"],
    )
    indexed = {row.pk: batch.passages[index] for row, (index, _) in zip(rows, run, strict=True)}
    replace_passages(space.pk, indexed)
    return [Result(outcome="modified" if (op.namespace, op.key) in standing else "created") for _, op in run]


def find_standing(space: StoreSpace, ops: Sequence[Put | Delete]) -> dict[tuple[Namespace, str], StoreItem]:
    """The items that stand where something is written, expired or not, without their values. One query."""
    wanted = {(op.namespace, op.key) for op in ops}
    rows = StoreItem.objects.filter(space=space, key__in={key for _, key in wanted})
    found = {(tuple(row.namespace), row.key): row for row in rows.only("namespace", "key", "expires_at")}
    return {place: row for place, row in found.items() if place in wanted}


def _drop_expired(
    standing: dict[tuple[Namespace, str], StoreItem], now: dt.datetime
) -> dict[tuple[Namespace, str], StoreItem]:
    """What has not expired; the rest is deleted, so that what comes in its place is new."""
    live = {place: row for place, row in standing.items() if row.expires_at is None or row.expires_at > now}
    gone = [row.pk for place, row in standing.items() if place not in live]
    if gone:
        StoreItem.objects.filter(pk__in=gone).delete()
    return live


def _check_quota(space: StoreSpace, more: int) -> None:
    """Raises StoreFull. What has expired makes room first."""
    most = settings.STORE_MAX_ITEMS
    if more <= 0:
        return
    space.refresh_from_db(fields=["item_count"])
    if space.item_count + more > most and delete_expired(space):
        space.refresh_from_db(fields=["item_count"])
    if space.item_count + more > most:
        raise StoreFull(f"The store of this world has {space.item_count} items; the most is {most}.")


def _build_item(space: StoreSpace, op: Put, now: dt.datetime) -> StoreItem:
    return StoreItem(
        tenant_id=space.tenant_id,
        space=space,
        namespace=list(op.namespace),
        key=op.key,
        value=dict(op.value),
        index_fields=None if op.index is None else list(op.index),
        message_id=op.message_id,
        ttl_minutes=op.ttl_minutes,
        expires_at=None if op.ttl_minutes is None else now + dt.timedelta(minutes=op.ttl_minutes),
        created_at=now,
        updated_at=now,
    )


def _delete(space: StoreSpace, ops: Sequence[Delete]) -> list[Result]:
    standing = _drop_expired(find_standing(space, ops), timezone.now())
    StoreItem.objects.filter(pk__in=[row.pk for row in standing.values()]).delete()
    return [Result(outcome="deleted" if (op.namespace, op.key) in standing else "absent") for op in ops]
