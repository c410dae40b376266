"""The extraction of an event is claimed, answered, stored or given up. Who extracts is none of this app's business."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.utils import timezone

from episodes.events.actions.books import lock_book, lock_event, take_revision
from episodes.events.actions.cards import publish_event, render_event
from episodes.events.core.plot import Plot
from episodes.events.core.ranges import is_worth_again
from episodes.events.models import EventNode, EventState
from episodes.events.selectors.policies import get_policy
from episodes.models import Message, MessageRole
from memoryproject.jobs import LEASE, MAX_TRIES, Spent, round_cost

WAITS = (dt.timedelta(minutes=1), dt.timedelta(minutes=5), dt.timedelta(minutes=30))
"""After an outage of the model, by how often it was tried."""


@dataclass(frozen=True, slots=True)
class ExtractedEvent:
    """What is stored of an extraction: what came, what passed of it, and what did not."""

    raw: Mapping[str, Any]
    plot: Plot
    refusals: Sequence[Mapping[str, Any]] = ()
    spans: Mapping[str, Sequence[int]] = field(default_factory=dict)


def claim_event(node_id: Any, *, proposer: str, model: str, prompt_version: str) -> EventNode | None:
    """The event under a lease; None where another worker has it, or it is no longer to be extracted.

    What too many workers died over is given up and listed as failed.
    """
    now = timezone.now()
    with transaction.atomic():
        node = lock_event(node_id)
        if node is None or not _is_free(node, now):
            return None
        if node.tries >= MAX_TRIES:
            _close(node, EventState.FAILED, "worker_lost", f"{node.tries} workers did not finish it.")
            return None
        if node.state == EventState.PENDING:
            node.state, node.answer_sealed = EventState.EXTRACTING, b""
            node.proposer, node.model, node.prompt_version = proposer, model, prompt_version
        node.tries += 1
        node.lease_until = now + LEASE
        node.error_code = node.error_detail = ""
        node.updated_at = now
        node.save()
    return node


def _is_free(node: EventNode, now: dt.datetime) -> bool:
    if node.state == EventState.PENDING:
        return node.wait_until is None or node.wait_until <= now
    return node.state == EventState.EXTRACTING and node.lease_until is not None and node.lease_until <= now


def list_chunk(node: EventNode) -> list[Message]:
    """What is still there of the event's messages, in order."""
    rows = Message.objects.living().filter(
        conversation_id=node.conversation_id, seq__gte=node.first_seq, seq__lte=node.last_seq
    )
    return list(rows.exclude(role=MessageRole.SYSTEM).order_by("seq"))


def count_range(node: EventNode) -> int:
    """How many messages the range had, whatever became of them; of alternatives one."""
    rows = Message.objects.filter(conversation_id=node.conversation_id, seq__gte=node.first_seq, seq__lte=node.last_seq)
    return rows.exclude(role=MessageRole.SYSTEM).values("seq").distinct().count()


def keep_answer(
    node: EventNode,
    *,
    sealed: bytes,
    sealed_by: int,
    evidence: Sequence[int],
    spent: Spent,
    duration_ms: int,
    language: str,
) -> bool:
    """Whether the answer is the event's: of two workers the first one's is."""
    rows = EventNode.objects.filter(pk=node.pk, state=EventState.EXTRACTING, answer_sealed=b"")
    return bool(
        rows.update(
            answer_sealed=sealed,
            sealed_by=sealed_by,
            evidence=list(evidence),
            input_tokens=spent.input_tokens,
            output_tokens=spent.output_tokens,
            cost_usd=round_cost(spent.cost),
            duration_ms=duration_ms,
            language=language,
            lease_until=timezone.now() + LEASE,
            updated_at=timezone.now(),
        )
    )


def store_event(node_id: Any, extracted: ExtractedEvent) -> EventNode:
    """The event in its lorebook and in the index, in one transaction; as it is, where somebody else was faster.

    Where one of its messages went meanwhile nothing of the answer is kept: it waits to be extracted again, or is
    forgotten. Locks conversation, book and event.
    """
    with transaction.atomic():
        conversation_id = EventNode.objects.values_list("conversation_id", flat=True).get(pk=node_id)
        book = lock_book(conversation_id)
        node = EventNode.objects.select_for_update(no_key=True).get(pk=node_id)
        if node.state != EventState.EXTRACTING:
            return node
        standing = list_chunk(node)
        if [message.pk for message in standing] != list(node.evidence):
            return _begin_again(node, standing)
        node.raw_data, node.plot = dict(extracted.raw), extracted.plot.as_document()
        node.refusals = [dict(each) for each in extracted.refusals]
        node.spans = {name: list(span) for name, span in extracted.spans.items()}
        node.state, node.answer_sealed, node.lease_until = EventState.BUFFER, b"", None
        render_event(node, get_policy(node.world_id))
        node.rev = take_revision(book)
        node.updated_at = timezone.now()
        node.save()
        publish_event(node)
    return node


def _begin_again(node: EventNode, standing: Sequence[Message]) -> EventNode:
    node.drop_words()
    node.state = EventState.FORGOTTEN
    if is_worth_again(len(standing), count_range(node)):
        node.state, node.evidence = EventState.PENDING, [message.pk for message in standing]
    node.tries = 0
    node.updated_at = timezone.now()
    node.save()
    return node


def release_event(node: EventNode, *, failure: str, detail: str) -> EventNode:
    """The event waits for another try: the model did not answer. Each outage makes the wait longer; none is counted."""
    with transaction.atomic():
        locked = lock_event(node.pk)
        if locked is None:
            return node
        if locked.state != EventState.EXTRACTING or locked.tries != node.tries:
            return locked
        locked.state, locked.lease_until = EventState.PENDING, None
        locked.wait_until = timezone.now() + WAITS[min(locked.outages, len(WAITS) - 1)]
        locked.tries, locked.outages = 0, locked.outages + 1
        locked.error_code, locked.error_detail = failure, detail[:300]
        locked.updated_at = timezone.now()
        locked.save()
    return locked


def fail_event(node: EventNode, *, failure: str, detail: str, spent: Spent) -> EventNode:
    """The event, given up and listed with why; the next chunk is not held back by it."""
    with transaction.atomic():
        locked = lock_event(node.pk)
        if locked is None:
            return node
        if locked.state != EventState.EXTRACTING or locked.tries != node.tries:
            return locked
        locked.input_tokens, locked.output_tokens = spent.input_tokens, spent.output_tokens
        locked.cost_usd = round_cost(spent.cost)
        _close(locked, EventState.FAILED, failure, detail)
    return locked


def _close(node: EventNode, state: EventState, code: str, detail: str) -> None:
    evidence = node.evidence
    node.drop_words()
    node.evidence = evidence
    node.state, node.error_code, node.error_detail = state, code, detail[:300]
    node.updated_at = timezone.now()
    node.save()
