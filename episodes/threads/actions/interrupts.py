"""Interrupts: asked once, answered once by a person, rejected where nobody answers in time."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.db import transaction
from django.utils import timezone

from episodes.threads.core.answer_schemas import UnusableSchema, check_schema, list_misfits
from episodes.threads.core.drafts import CheckpointDraft, InterruptDraft, Place, TaskWrites
from episodes.threads.core.limits import ANSWER_HOURS
from episodes.threads.errors import InterruptDecided, InvalidThread, UnfitAnswer, UnknownInterrupt
from episodes.threads.models import InterruptState, Thread, ThreadInterrupt, ThreadState, WorldThreadPolicy
from episodes.threads.sealing import (
    digest_document,
    interrupt_context,
    open_answer,
    open_asked,
    open_document,
    seal_document,
)
from knowledge.facts.core.cipher import KeyRing
from knowledge.facts.sealing import get_key_ring
from memoryproject.json_schema import describe_errors, summarise_errors
from tenancy.selectors import in_world

SYSTEM = "memory37"
TIMED_OUT = "Nobody answered in time."
LEFT_BEHIND = "The thread went on without an answer."
ASKED_OTHERWISE = "The task asked something else instead."
EXPIRY_BATCH_SIZE = 500


def ask_people(ring: KeyRing, place: Place, thread_pk: int, task: TaskWrites) -> int:
    """How many interrupts are open now. What was asked before in the same words waits on, or keeps its answer.

    The caller holds the thread's lock. Raises InvalidThread.
    """
    for draft in task.interrupts:
        _ask(ring, place, thread_pk, task, draft)
    count = ThreadInterrupt.objects.filter(thread_id=thread_pk, state=InterruptState.OPEN).count()
    if count:
        Thread.objects.filter(pk=thread_pk).update(state=ThreadState.INTERRUPTED)
    return count


def note_resumed(ring: KeyRing, tenant_id: int, thread_pk: int, task: TaskWrites, *, author: str) -> None:
    """The task went on: answers of people were taken, and what nobody had answered was answered by the engine."""
    rows = ThreadInterrupt.objects.filter(thread_id=thread_pk, ns=task.ns, task_id=task.task_id, resumed_at=None)
    now = timezone.now()
    for row in rows.select_for_update(no_key=True).order_by("pk"):
        if row.state == InterruptState.OPEN:
            value = task.answers[-1] if task.answers else None
            _decide(ring, row, InterruptState.APPROVED, {"value": value}, by=author)
        row.resumed_at = now
        row.save(update_fields=["resumed_at"])
    _settle(thread_pk)


def close_left_behind(tenant_id: int, thread_pk: int, draft: CheckpointDraft) -> None:
    """A checkpoint of the root graph came: what waited under its parent, or in a subgraph, waits no more."""
    if draft.ns:
        return
    ring = get_key_ring()
    rows = ThreadInterrupt.objects.filter(tenant_id=tenant_id, thread_id=thread_pk, resumed_at=None)
    now = timezone.now()
    for row in rows.select_for_update(no_key=True).order_by("pk"):
        if row.ns or row.checkpoint_id == draft.parent_id:
            if row.state == InterruptState.OPEN:
                _decide(ring, row, InterruptState.REJECTED, {"reason": LEFT_BEHIND}, by=SYSTEM)
            row.resumed_at = now
            row.save(update_fields=["resumed_at"])


def answer_interrupt(*, tenant_id: int, world_id: int | None, pk: int, value: Any, by: str) -> ThreadInterrupt:
    """The interrupt with its one answer. The same value sent again changes nothing.

    Raises UnknownInterrupt, InterruptDecided for another value, or where it was rejected, UnfitAnswer.
    """
    ring = get_key_ring()
    with transaction.atomic():
        row = _lock(tenant_id, world_id, pk)
        if row.state != InterruptState.OPEN:
            _check_same(ring, row, InterruptState.APPROVED, {"value": value})
            return row
        _check_fit(open_asked(ring, row).get("schema"), value)
        _decide(ring, row, InterruptState.APPROVED, {"value": value}, by=by)
        _settle(row.thread_id)
    return row


def reject_interrupt(*, tenant_id: int, world_id: int | None, pk: int, reason: str, by: str) -> ThreadInterrupt:
    """The interrupt, rejected. The same reason sent again changes nothing.

    Raises UnknownInterrupt, InterruptDecided.
    """
    ring = get_key_ring()
    with transaction.atomic():
        row = _lock(tenant_id, world_id, pk)
        if row.state != InterruptState.OPEN:
            _check_same(ring, row, InterruptState.REJECTED, {"reason": reason})
            return row
        _decide(ring, row, InterruptState.REJECTED, {"reason": reason}, by=by)
        _settle(row.thread_id)
    return row


def expire_interrupts(*, limit: int = EXPIRY_BATCH_SIZE) -> int:
    """How many interrupts were rejected because nobody answered in time, at most `limit`."""
    ring = get_key_ring()
    due = ThreadInterrupt.objects.filter(state=InterruptState.OPEN, expires_at__lte=timezone.now())
    found = list(due.order_by("expires_at").values_list("pk", "thread_id")[:limit])
    count = 0
    for pk, thread_pk in found:
        with transaction.atomic():
            Thread.objects.select_for_update(no_key=True).filter(pk=thread_pk).first()
            row = due.select_for_update(no_key=True).filter(pk=pk).first()
            if row is not None:
                _decide(ring, row, InterruptState.REJECTED, {"reason": TIMED_OUT}, by=SYSTEM)
                _settle(thread_pk)
                count += 1
    return count


def close_undone(thread_pk: int, *, reason: str) -> int:
    """How many open interrupts a rollback closed. The caller holds the thread's lock."""
    ring = get_key_ring()
    rows = ThreadInterrupt.objects.filter(thread_id=thread_pk, state=InterruptState.OPEN).order_by("pk")
    found = list(rows.select_for_update(no_key=True))
    for row in found:
        _decide(ring, row, InterruptState.REJECTED, {"reason": reason}, by=SYSTEM)
    return len(found)


def _ask(ring: KeyRing, place: Place, thread_pk: int, task: TaskWrites, draft: InterruptDraft) -> None:
    asked = {"value": draft.asked, "schema": draft.schema}
    if draft.schema is not None:
        try:
            check_schema(draft.schema)
        except UnusableSchema as error:
            raise InvalidThread(str(error)) from error
    fingerprint = digest_document(ring, place.tenant_id, asked)
    last = ThreadInterrupt.objects.filter(thread_id=thread_pk, graph_id=draft.graph_id).order_by("-pk").first()
    if last is not None and last.resumed_at is None:
        if bytes(last.fingerprint) == fingerprint:
            return
        if last.state == InterruptState.OPEN:
            _decide(ring, last, InterruptState.REJECTED, {"reason": ASKED_OTHERWISE}, by=SYSTEM)
    ThreadInterrupt.objects.create(
        tenant_id=place.tenant_id,
        thread_id=thread_pk,
        ns=task.ns,
        checkpoint_id=task.checkpoint_id,
        task_id=task.task_id,
        graph_id=draft.graph_id,
        sealed=seal_document(ring, asked, context=interrupt_context(place.tenant_id, draft.graph_id, "asked")),
        sealed_by=ring.primary,
        fingerprint=fingerprint,
        expires_at=timezone.now() + _get_patience(place.world_id, draft),
    )


def _get_patience(world_id: int | None, draft: InterruptDraft) -> dt.timedelta:
    if draft.timeout_seconds is not None:
        return dt.timedelta(seconds=draft.timeout_seconds)
    policy = None if world_id is None else WorldThreadPolicy.objects.filter(world_id=world_id).first()
    return dt.timedelta(hours=ANSWER_HOURS if policy is None else policy.answer_hours)


def _check_fit(schema: Any, value: Any) -> None:
    errors = [] if schema is None else describe_errors(list_misfits(schema, value))
    if errors:
        raise UnfitAnswer(summarise_errors(errors, what="value"), errors=errors[:20])


def _check_same(ring: KeyRing, row: ThreadInterrupt, state: str, answer: dict[str, Any]) -> None:
    told = open_answer(ring, row)
    if row.state != state or told != answer:
        raise InterruptDecided(
            f"The interrupt was {row.state} by {row.decided_by} before.",
            state=row.state,
            answer=told.get("value"),
            reason=told.get("reason", ""),
        )


def _lock(tenant_id: int, world_id: int | None, pk: int) -> ThreadInterrupt:
    """The interrupt, under its thread's lock."""
    found = ThreadInterrupt.objects.filter(in_world(world_id, "thread__"), tenant_id=tenant_id, pk=pk).first()
    if found is not None:
        Thread.objects.select_for_update(no_key=True).filter(pk=found.thread_id).first()
        found = ThreadInterrupt.objects.select_for_update(no_key=True).filter(pk=pk).first()
    if found is None:
        raise UnknownInterrupt(f"There is no interrupt {pk}.")
    return found


def _decide(ring: KeyRing, row: ThreadInterrupt, state: str, answer: dict[str, Any], *, by: str) -> None:
    if row.sealed_by != ring.primary:
        context = interrupt_context(row.tenant_id, row.graph_id, "asked")
        row.sealed = seal_document(ring, open_document(ring, row.sealed, context=context), context=context)
    row.answer_sealed = seal_document(ring, answer, context=interrupt_context(row.tenant_id, row.graph_id, "answer"))
    row.state, row.decided_by, row.decided_at = state, by[:200], timezone.now()
    row.sealed_by = ring.primary
    row.save(update_fields=["sealed", "answer_sealed", "sealed_by", "state", "decided_by", "decided_at"])


def _settle(thread_pk: int) -> None:
    """The thread waits while anything is open; then it is as the last decision says."""
    rows = ThreadInterrupt.objects.filter(thread_id=thread_pk)
    if rows.filter(state=InterruptState.OPEN).exists():
        return
    last = rows.filter(decided_at__isnull=False).order_by("-decided_at", "-pk").first()
    if last is not None:
        Thread.objects.filter(pk=thread_pk).update(state=last.state)
