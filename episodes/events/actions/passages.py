"""The search index's side of events: put in, taken out, given their vectors with the archive alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from episodes.events.core.names import fold_name
from episodes.events.core.plot import Plot
from episodes.events.models import EVENT_PARTITION_KIND, EventName, EventNode, EventPassage
from knowledge.config import get_event_settings
from knowledge.search.core.bm25 import BM25Params
from knowledge.search.core.lexemes import build_partition_id
from knowledge.search.index_rows import hash_embedded_text, index_text
from knowledge.search.models import EmbeddingState

MAX_NAME_LENGTH = 120


def index_event(node: EventNode, plot: Plot) -> None:
    """Puts an event into the index, or anew; its vector goes where its summary has changed.

    Must be called inside the transaction that keeps the event.
    """
    settings = get_event_settings()
    text = plot.as_search_text()
    indexed = index_text(
        text,
        partition_id=build_partition_id(EVENT_PARTITION_KIND, node.end_user_id),
        pivot=settings.pivot,
        params=BM25Params(settings.bm25.k1, settings.bm25.b),
    )
    embedded = hash_embedded_text(plot.summary)
    values: dict[str, Any] = {
        "tenant_id": node.tenant_id,
        "world_id": node.world_id,
        "end_user_id": node.end_user_id,
        "conversation_id": node.conversation_id,
        "npc_ids": node.npc_ids,
        "language": node.language,
        "length": indexed.length,
        "lexemes": indexed.lexemes,
        "bm25": indexed.bm25,
    }
    passage = EventPassage.objects.select_for_update().filter(node=node).first()
    if passage is None or bytes(passage.embedding_hash) != embedded:
        no_vector = {"embedding": None, "embedder": "", "embedding_state": EmbeddingState.PENDING}
        values |= {"embedding_hash": embedded, "embedding_attempts": 0, "embedding_error": "", **no_vector}
    EventPassage.objects.update_or_create(node=node, defaults=values)
    _write_names(node, plot)


def unindex_events(node_ids: Sequence[UUID]) -> tuple[int, int]:
    """How many passages and vectors are gone; the names that lead to the events go as well."""
    rows = EventPassage.objects.filter(node_id__in=node_ids)
    vectors = rows.filter(embedding__isnull=False).count()
    EventName.objects.filter(node_id__in=node_ids).delete()
    return rows.delete()[0], vectors


def _write_names(node: EventNode, plot: Plot) -> None:
    named = [(entity.name, entity.type) for entity in plot.entities]
    if plot.location:
        named.append((plot.location, "Location"))
    named += [(keyword, "") for keyword in plot.keywords]
    rows: dict[str, EventName] = {}
    for name, type_ in named:
        folded = fold_name(name)
        if folded and folded not in rows:
            rows[folded] = EventName(
                tenant_id=node.tenant_id,
                end_user_id=node.end_user_id,
                conversation_id=node.conversation_id,
                node=node,
                name=name[:MAX_NAME_LENGTH],
                folded=folded,
                type=type_,
            )
    EventName.objects.filter(node=node).exclude(folded__in=rows).delete()
    EventName.objects.bulk_create(rows.values(), ignore_conflicts=True)
