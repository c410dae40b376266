"""The buffer of a conversation goes into the archive: vectors in one batch, entities linked, one transaction.

A batch is claimed, embedded outside transactions, and stored whole. Until it is stored its events are in the lorebook
as before; from then on they are archived. So wherever a worker dies an event is in exactly one of the two.
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import structlog
from django.contrib.postgres.fields import ArrayField
from django.db import connection, transaction
from django.db.models import BigIntegerField, F, Func, Q, QuerySet, UUIDField, Value
from django.utils import timezone
from pgvector import HalfVector

from episodes.events.actions.books import lock_book, take_revisions
from episodes.events.actions.graph import link_events
from episodes.events.actions.jobs import WAITS
from episodes.events.models import EventBook, EventNode, EventPassage, EventState
from episodes.events.selectors.policies import get_policy
from knowledge.errors import EmbedderMisbehaves, EmbedderUnavailable
from knowledge.search.embedding import Embedder, embed_each, get_event_embedder, name_vector_space
from knowledge.search.embedding.base import Answers
from knowledge.search.index_rows import hash_embedded_text
from knowledge.search.models import EmbeddingState
from memoryproject.jobs import LEASE

log = structlog.get_logger("memory37.events")
MAX_BATCH_SIZE = 50
"""Events of one transaction; a longer buffer is archived in turns."""
_STORE_VECTORS = """
UPDATE episodes_eventpassage p
SET embedding = v.embedding, embedding_state = 'done', embedder = %s, embedding_error = ''
FROM unnest(%s::bigint[], %s::halfvec[]) AS v (id, embedding)
WHERE p.id = v.id
"""


@dataclass(frozen=True, slots=True)
class ArchiveReport:
    """What became of a buffer."""

    archived: int = 0
    waiting: int = 0
    """Left in the buffer: the embedder did not answer, or somebody changed them meanwhile."""


def archive_conversation(conversation_id: int, *, by_hand: bool = False) -> ArchiveReport:
    """What became of a conversation's buffer. Without `by_hand` only where it is full. Call it outside transactions.

    An outage of the embedder leaves the events in the buffer; a text that it refuses is archived without a vector.
    """
    nodes = claim_batch(conversation_id, by_hand=by_hand)
    if not nodes:
        return ArchiveReport()
    embedder = get_event_embedder()
    try:
        answers = embed_batch(nodes, embedder)
    except (EmbedderUnavailable, EmbedderMisbehaves) as error:
        release_batch(nodes, error.detail)
        return ArchiveReport(0, len(nodes))
    archived = store_batch(nodes, answers, embedder)
    log.info("events_archived", conversation_id=conversation_id, events=archived)
    return ArchiveReport(archived, len(nodes) - archived)


def claim_batch(conversation_id: int, *, by_hand: bool = False) -> list[EventNode]:
    """The events of a buffer that is full, under a lease of this worker; with them those whose worker died."""
    now = timezone.now()
    with transaction.atomic():
        lock_book(conversation_id)
        places = _lock_free_places(conversation_id, now)
        left = any(place.state == EventState.ARCHIVING for place in places)
        if not places or not (by_hand or left or _is_full(places)):
            return []
        first = sorted(places, key=lambda place: place.first_seq)[:MAX_BATCH_SIZE]
        chosen = EventNode.objects.filter(pk__in=[place.pk for place in first])
        chosen.update(state=EventState.ARCHIVING, batch=uuid.uuid4(), lease_until=now + LEASE)
        return list(chosen.order_by("first_seq"))


class _Place(NamedTuple):
    """What of a buffered event says whether its turn has come, without its text."""

    pk: uuid.UUID
    state: str
    first_seq: int
    tokens: int
    world_id: int | None


def _lock_free_places(conversation_id: int, now: dt.datetime) -> list[_Place]:
    """The buffer's events that no worker has, locked in the order of their ids."""
    rows = EventNode.objects.select_for_update(no_key=True).filter(
        Q(lease_until=None) | Q(lease_until__lte=now),
        conversation_id=conversation_id,
        state__in=[EventState.BUFFER, EventState.ARCHIVING],
    )
    return [_Place(*row) for row in rows.order_by("pk").values_list(*_Place._fields)]


def _is_full(places: Sequence[_Place]) -> bool:
    policy = get_policy(places[0].world_id)
    return len(places) >= policy.archive_at or sum(place.tokens for place in places) >= policy.archive_tokens


def embed_batch(nodes: Sequence[EventNode], embedder: Embedder) -> Answers:
    """A vector, or a refusal, for each summary: one call. Outside transactions. Raises EmbedderUnavailable."""
    return embed_each(embedder, [_get_summary(node) for node in nodes])


def _get_summary(node: EventNode) -> str:
    plot = node.read_plot()
    return "" if plot is None else plot.summary


def release_batch(nodes: Sequence[EventNode], detail: str) -> None:
    """The events are in the buffer as before; the sweep tries again after a while, a person at once."""
    with transaction.atomic():
        lock_book(nodes[0].conversation_id)
        rows = EventNode.objects.select_for_update(no_key=True).filter(batch=nodes[0].batch).order_by("pk")
        for node in rows:
            node.wait_until = timezone.now() + WAITS[min(node.outages, len(WAITS) - 1)]
            node.outages += 1
            node.state, node.batch, node.lease_until = EventState.BUFFER, None, None
            node.error_code, node.error_detail = "embedder_unavailable", detail[:300]
            node.save()


def store_batch(nodes: Sequence[EventNode], answers: Answers, embedder: Embedder) -> int:
    """How many events are archived: vectors, entities, state and revision in one transaction.

    What was forgotten, or edited, since it was embedded is left where that put it. Locks conversation, book, events.
    """
    by_id = dict(zip([node.pk for node in nodes], answers, strict=True))
    embedded = {node.pk: hash_embedded_text(_get_summary(node)) for node in nodes}
    with transaction.atomic():
        book = lock_book(nodes[0].conversation_id)
        rows = EventNode.objects.select_for_update(no_key=True).filter(batch=nodes[0].batch, state=EventState.ARCHIVING)
        archived = []
        for node in rows.order_by("pk"):
            if hash_embedded_text(_get_summary(node)) != embedded[node.pk]:
                _return_to_buffer(node)
                continue
            archived.append(node)
        _archive(archived, book)
        _write_vectors(archived, by_id, embedder)
        link_events(archived)
    return len(archived)


def renew_vectors(conversation_id: int) -> int:
    """How many archived events got their vector anew: another embedder made theirs, or their words have changed.

    Call it outside transactions. An outage of the embedder leaves them to the next sweep.
    """
    embedder = get_event_embedder()
    nodes = list(_list_without_vector(conversation_id, embedder).order_by("first_seq")[:MAX_BATCH_SIZE])
    if not nodes:
        return 0
    try:
        answers = embed_batch(nodes, embedder)
    except (EmbedderUnavailable, EmbedderMisbehaves) as error:
        log.warning("event_vectors_not_renewed", conversation_id=conversation_id, detail=error.detail)
        return 0
    by_id = dict(zip([node.pk for node in nodes], answers, strict=True))
    embedded = {node.pk: hash_embedded_text(_get_summary(node)) for node in nodes}
    with transaction.atomic():
        lock_book(conversation_id)
        rows = EventNode.objects.select_for_update(no_key=True).filter(pk__in=by_id, state=EventState.ARCHIVED)
        same = [node for node in rows.order_by("pk") if hash_embedded_text(_get_summary(node)) == embedded[node.pk]]
        _write_vectors(same, by_id, embedder)
    return len(same)


def _list_without_vector(conversation_id: int, embedder: Embedder) -> QuerySet[EventNode]:
    other = Q(passage__embedding_state=EmbeddingState.DONE) & ~Q(passage__embedder=name_vector_space(embedder))
    return EventNode.objects.filter(conversation_id=conversation_id, state=EventState.ARCHIVED).filter(
        Q(passage__embedding_state=EmbeddingState.PENDING) | other
    )


def _archive(nodes: Sequence[EventNode], book: EventBook) -> None:
    """The state of all, and a revision of the book for each, in one statement."""
    if not nodes:
        return
    now = timezone.now()
    first = take_revisions(book, len(nodes))
    ids = Value([node.pk for node in nodes], output_field=ArrayField(UUIDField()))
    place = Func(ids, F("pk"), function="array_position", output_field=BigIntegerField())
    EventNode.objects.filter(pk__in=[node.pk for node in nodes]).update(
        state=EventState.ARCHIVED,
        batch=None,
        lease_until=None,
        archived_at=now,
        updated_at=now,
        wait_until=None,
        outages=0,
        error_code="",
        error_detail="",
        rev=place + (first - 1),
    )


def _return_to_buffer(node: EventNode) -> None:
    node.state, node.batch, node.lease_until = EventState.BUFFER, None, None
    node.save(update_fields=["state", "batch", "lease_until"])


def _write_vectors(nodes: Sequence[EventNode], by_id: Mapping[uuid.UUID, object], embedder: Embedder) -> None:
    """Hidden events have no passage; a refused text is found by its words and says so."""
    space = name_vector_space(embedder)
    passages = {
        passage.node_id: passage
        for passage in EventPassage.objects.select_for_update()
        .filter(node__in=[node.pk for node in nodes])
        .only("pk", "node_id")
        .order_by("pk")
    }
    embedded: dict[int, HalfVector] = {}
    refused = []
    for node in nodes:
        passage, answer = passages.get(node.pk), by_id[node.pk]
        if passage is None or answer is None:
            continue
        if isinstance(answer, np.ndarray):
            embedded[passage.pk] = HalfVector(np.asarray(answer, dtype=np.float32))
        else:
            passage.embedding, passage.embedding_state, passage.embedder = None, EmbeddingState.FAILED, ""
            passage.embedding_error = str(getattr(answer, "detail", answer))
            refused.append(passage)
    with connection.cursor() as cursor:
        cursor.execute(_STORE_VECTORS, [space, list(embedded), [vector.to_text() for vector in embedded.values()]])
    EventPassage.objects.bulk_update(refused, ["embedding", "embedding_state", "embedder", "embedding_error"])
