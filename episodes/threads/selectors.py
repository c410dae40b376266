"""Reads of threads: lists, states, interrupts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from episodes.threads.core.drafts import STATE_COLUMNS, Place
from episodes.threads.core.values import StateValue
from episodes.threads.errors import UnknownInterrupt, UnknownThread, UnknownThreadCheckpoint
from episodes.threads.models import (
    InterruptState,
    Thread,
    ThreadCheckpoint,
    ThreadInterrupt,
    ThreadRollback,
    ThreadValue,
    ThreadWrite,
    WorldThreadPolicy,
)
from episodes.threads.sealing import (
    build_tokens,
    checkpoint_context,
    open_answer,
    open_asked,
    open_bytes,
    open_document,
    value_context,
    write_context,
)
from knowledge.facts.core.cipher import KeyRing
from knowledge.facts.sealing import get_key_ring
from tenancy.selectors import in_world


@dataclass(frozen=True, slots=True)
class WriteView:
    """A write of a task."""

    task_id: str
    channel: str
    index: int
    task_path: str
    value: StateValue


@dataclass(frozen=True, slots=True)
class CheckpointView:
    """A checkpoint with its values and writes, opened."""

    row: ThreadCheckpoint
    thread_id: str
    checkpoint: Mapping[str, Any]
    metadata: Mapping[str, Any]
    values: Mapping[str, StateValue]
    writes: Sequence[WriteView]

    @property
    def is_current(self) -> bool:
        """Whether it holds: no rollback left its line."""
        return self.row.undone_by_id is None


@dataclass(frozen=True, slots=True)
class ThreadView:
    """A thread with where it stands."""

    thread: Thread
    head_id: str | None
    head_step: int | None
    head_source: str
    checkpoint_count: int
    open_interrupts: int
    expires_at: dt.datetime


@dataclass(frozen=True, slots=True)
class InterruptView:
    """An interrupt, opened."""

    row: ThreadInterrupt
    asked: Any
    schema: Mapping[str, Any] | None
    answer: Any
    reason: str


@dataclass(frozen=True, slots=True)
class CheckpointSearch:
    """Which checkpoints are looked for; None: any."""

    thread_id: str | None = None
    ns: str | None = None
    checkpoint_id: str | None = None
    before: str | None = None
    filters: Mapping[str, Any] | None = None
    only_current: bool = False


def list_threads(
    *, tenant_id: int, world_id: int | None, state: str | None = None, after: int | None = None, limit: int = 50
) -> list[ThreadView]:
    """Threads of the world, newest first. Two queries."""
    rows = Thread.objects.filter(in_world(world_id), tenant_id=tenant_id)
    if state is not None:
        rows = rows.filter(state=state)
    if after is not None:
        rows = rows.filter(pk__lt=after)
    return _view_threads(rows.order_by("-pk")[:limit])


def get_thread(place: Place) -> ThreadView:
    """One thread. Two queries. Raises UnknownThread."""
    found = _view_threads(_find(place))
    if not found:
        raise UnknownThread(f"There is no thread {place.thread_id[:200]!r}.")
    return found[0]


def view_thread(thread: Thread) -> ThreadView:
    """A thread that was just read."""
    return _view_threads(Thread.objects.filter(pk=thread.pk))[0]


def get_state(place: Place, *, ns: str = "", checkpoint_id: str | None = None) -> CheckpointView:
    """The checkpoint named, or the one that the thread stands at. Three queries. Raises UnknownThreadCheckpoint."""
    rows = ThreadCheckpoint.objects.filter(thread__in=_find(place), ns=ns)
    if checkpoint_id is None:
        rows = rows.filter(undone_by=None).order_by("-checkpoint_id")
    else:
        rows = rows.filter(checkpoint_id=checkpoint_id)
    found = open_checkpoints(list(rows.select_related("thread")[:1]))
    if not found:
        named = "no checkpoint yet" if checkpoint_id is None else f"no checkpoint {checkpoint_id[:100]!r}"
        raise UnknownThreadCheckpoint(f"The thread has {named} here.")
    return found[0]


def search_checkpoints(
    *, tenant_id: int, world_id: int | None, search: CheckpointSearch, after: int | None = None, limit: int = 50
) -> tuple[list[CheckpointView], int | None]:
    """Checkpoints, newest first, and where the next page begins. Of one thread, by their ids; else as they came.

    At most four queries. `after` is what the page before gave.
    """
    rows = ThreadCheckpoint.objects.filter(in_world(world_id, "thread__"), tenant_id=tenant_id)
    for name, value in (("ns", search.ns), ("checkpoint_id", search.checkpoint_id)):
        if value is not None:
            rows = rows.filter(**{name: value})
    if search.only_current:
        rows = rows.filter(undone_by=None)
    if search.before is not None:
        rows = rows.filter(checkpoint_id__lt=search.before)
    rows = _filter_metadata(rows, tenant_id, search.filters or {})
    if search.thread_id is None:
        rows = rows.order_by("-pk") if after is None else rows.filter(pk__lt=after).order_by("-pk")
    else:
        rows = rows.filter(thread__external_id=search.thread_id).order_by("-checkpoint_id", "-pk")
        if after is not None:
            last = ThreadCheckpoint.objects.filter(tenant_id=tenant_id, pk=after).first()
            place = Q() if last is None else Q(checkpoint_id__lt=last.checkpoint_id)
            same = Q() if last is None else Q(checkpoint_id=last.checkpoint_id, pk__lt=after)
            rows = rows.filter(place | same)
    found = list(rows.select_related("thread")[: limit + 1])
    return open_checkpoints(found[:limit]), found[limit - 1].pk if len(found) > limit else None


def open_checkpoints(rows: Sequence[ThreadCheckpoint]) -> list[CheckpointView]:
    """The checkpoints with their values and writes. Two queries for any number. Raises FactKeysMissing."""
    if not rows:
        return []
    ring = get_key_ring()
    values = _read_values(ring, rows)
    writes = _read_writes(ring, rows)
    return [_open(ring, row, values, writes) for row in rows]


def list_tree(thread: Thread, *, limit: int) -> list[ThreadCheckpoint]:
    """Checkpoints of a thread without what is sealed, newest first."""
    rows = ThreadCheckpoint.objects.filter(thread=thread).defer("sealed", "tokens", "fingerprint")
    return list(rows.order_by("-checkpoint_id")[:limit])


def list_rollbacks(thread: Thread, *, limit: int = 50) -> list[ThreadRollback]:
    """Rollbacks of a thread, newest first."""
    return list(ThreadRollback.objects.filter(thread=thread).order_by("-pk")[:limit])


def list_interrupts(
    *,
    tenant_id: int,
    world_id: int | None,
    thread_id: str | None = None,
    state: str | None = None,
    after: int | None = None,
    limit: int = 50,
) -> list[InterruptView]:
    """Interrupts of the world, or of one thread, newest first. One query. Raises FactKeysMissing."""
    rows = ThreadInterrupt.objects.filter(in_world(world_id, "thread__"), tenant_id=tenant_id)
    if thread_id is not None:
        rows = rows.filter(thread__external_id=thread_id)
    if state is not None:
        rows = rows.filter(state=state)
    if after is not None:
        rows = rows.filter(pk__lt=after)
    found = list(rows.select_related("thread").order_by("-pk")[:limit])
    return view_interrupts(found)


def view_interrupts(rows: Sequence[ThreadInterrupt]) -> list[InterruptView]:
    """The interrupts, opened. Raises FactKeysMissing."""
    if not rows:
        return []
    ring = get_key_ring()
    return [_view_interrupt(ring, row) for row in rows]


def get_interrupt(*, tenant_id: int, world_id: int | None, thread_id: str, pk: int) -> InterruptView:
    """One interrupt of a thread. Raises UnknownInterrupt, FactKeysMissing."""
    rows = ThreadInterrupt.objects.filter(in_world(world_id, "thread__"), tenant_id=tenant_id, pk=pk)
    row = rows.filter(thread__external_id=thread_id).select_related("thread").first()
    if row is None:
        raise UnknownInterrupt(f"The thread has no interrupt {pk}.")
    return _view_interrupt(get_key_ring(), row)


def _view_interrupt(ring: KeyRing, row: ThreadInterrupt) -> InterruptView:
    asked, answer = open_asked(ring, row), open_answer(ring, row)
    return InterruptView(row, asked["value"], asked.get("schema"), answer.get("value"), answer.get("reason", ""))


def _find(place: Place) -> QuerySet[Thread]:
    return Thread.objects.filter(in_world(place.world_id), tenant_id=place.tenant_id, external_id=place.thread_id)


def _view_threads(rows: QuerySet[Thread]) -> list[ThreadView]:
    of_thread = ThreadCheckpoint.objects.filter(thread=OuterRef("pk"))
    head = of_thread.filter(ns="", undone_by=None).order_by("-checkpoint_id")
    counted = of_thread.order_by().values("thread").annotate(n=Count("*")).values("n")
    waiting = ThreadInterrupt.objects.filter(thread=OuterRef("pk"), state=InterruptState.OPEN).order_by()
    found = rows.select_related("end_user", "campaign").annotate(
        head_pk=Subquery(head.values("pk")[:1]),
        checkpoint_count=Coalesce(Subquery(counted), 0),
        waiting=Coalesce(Subquery(waiting.values("thread").annotate(n=Count("*")).values("n")), 0),
        idle_days=Coalesce(
            Subquery(WorldThreadPolicy.objects.filter(world=OuterRef("world")).values("idle_days")[:1]),
            settings.THREAD_IDLE_DAYS,
        ),
    )
    threads = list(found)
    heads = ThreadCheckpoint.objects.only("checkpoint_id", "step", "source").in_bulk(
        [row.head_pk for row in threads if row.head_pk is not None]
    )
    return [_view_thread(row, heads.get(row.head_pk)) for row in threads]


def _view_thread(row: Any, head: ThreadCheckpoint | None) -> ThreadView:
    return ThreadView(
        thread=row,
        head_id=None if head is None else head.checkpoint_id,
        head_step=None if head is None else head.step,
        head_source="" if head is None else head.source,
        checkpoint_count=row.checkpoint_count,
        open_interrupts=row.waiting,
        expires_at=row.used_at + dt.timedelta(days=row.idle_days, hours=1),
    )


def _filter_metadata(
    rows: QuerySet[ThreadCheckpoint], tenant_id: int, filters: Mapping[str, Any]
) -> QuerySet[ThreadCheckpoint]:
    """By columns where there are some, else by blind indexes. What no filter can name is equal to nothing."""
    others = {name: value for name, value in filters.items() if name not in STATE_COLUMNS}
    for name, value in filters.items():
        if name in STATE_COLUMNS:
            is_number = isinstance(value, int) and not isinstance(value, bool)
            fits = is_number if name == "step" else isinstance(value, str) and value != ""
            rows = rows.filter(**{name: value}) if fits else rows.none()
    tokens = build_tokens(get_key_ring(), tenant_id, others) if others else []
    if len(tokens) < len(others):
        return rows.none()
    return rows.filter(tokens__contains=tokens) if tokens else rows


def _read_values(ring: KeyRing, rows: Sequence[ThreadCheckpoint]) -> dict[tuple[int, str], StateValue]:
    wanted: dict[int, set[str]] = {}
    for row in rows:
        wanted.setdefault(row.thread_id, set()).update(pair[1] for pair in row.channels.values() if pair[1])
    digests = {digest for each in wanted.values() for digest in each}
    if not digests:
        return {}
    found = ThreadValue.objects.filter(thread_id__in=wanted, digest__in=digests)
    return {
        (row.thread_id, row.digest): StateValue(
            row.type, open_bytes(ring, row.sealed, context=value_context(row.tenant_id, row.digest))
        )
        for row in found
    }


def _read_writes(ring: KeyRing, rows: Sequence[ThreadCheckpoint]) -> dict[tuple[int, str, str, int], list[WriteView]]:
    """In the order in which a super-step applies them. Source: writes_sort_key of langgraph-checkpoint 4.3.2."""
    found: dict[tuple[int, str, str, int], list[WriteView]] = {}
    writes = ThreadWrite.objects.filter(
        thread_id__in={row.thread_id for row in rows},
        ns__in={row.ns for row in rows},
        checkpoint_id__in={row.checkpoint_id for row in rows},
    )
    for write in writes.order_by("task_path", "task_id", F("index")):
        context = write_context(write.tenant_id, write.task_id, write.index)
        value = StateValue(write.type, open_bytes(ring, write.sealed, context=context))
        view = WriteView(write.task_id, write.channel, write.index, write.task_path, value)
        found.setdefault((write.thread_id, write.ns, write.checkpoint_id, write.generation), []).append(view)
    return found


def _open(
    ring: KeyRing,
    row: ThreadCheckpoint,
    values: Mapping[tuple[int, str], StateValue],
    writes: Mapping[tuple[int, str, str, int], list[WriteView]],
) -> CheckpointView:
    body = open_document(ring, row.sealed, context=checkpoint_context(row.tenant_id, row.checkpoint_id))
    return CheckpointView(
        row=row,
        thread_id=row.thread.external_id,
        checkpoint=body["checkpoint"],
        metadata=body["metadata"],
        values={name: values[row.thread_id, pair[1]] for name, pair in row.channels.items() if pair[1]},
        writes=writes.get((row.thread_id, row.ns, row.checkpoint_id, row.generation), []),
    )
