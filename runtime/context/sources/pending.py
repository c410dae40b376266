"""The player's words that no extraction has read yet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from episodes.search.selectors.search import list_query_embedders
from episodes.search.selectors.similarity import measure_similarity
from knowledge.search.embedding import Embedder
from runtime.context.core.episodes import guard_pending
from runtime.context.core.pack import Item, Provenance
from runtime.context.sources.source import Fetched, Found, Source
from runtime.context.turn import ResolvedTurn
from runtime.metrics import SPAN_FILTERED


@dataclass(frozen=True, slots=True)
class FoundPending(Fetched):
    """Waiting messages of the player (id, text) that speak to the turn, oldest first."""

    entries: tuple[tuple[int, str], ...]


class Pending(Source[FoundPending]):
    """Waiting messages of the player that speak to the turn. Source: seed 002, staging and fix 12."""

    name = "pending"
    layer = "pending"
    step = "episodes"
    is_parallel = True

    def is_needed(self, turn: ResolvedTurn) -> bool:
        """Where any wait."""
        return turn.player is not None and bool(turn.player.pending)

    def list_queries(self, turn: ResolvedTurn) -> Iterable[tuple[Embedder, str]]:
        """The message itself."""
        return [(embedder, turn.message.query) for embedder in list_query_embedders()]

    def fetch(self, turn: ResolvedTurn) -> FoundPending:
        """Those near enough to the query; others are kept back and counted. One query and the query's embedding."""
        pending = () if turn.player is None else turn.player.pending
        similarities = measure_similarity(
            tenant_id=turn.request.tenant_id,
            message_ids=[message_id for message_id, _ in pending],
            query=turn.message.query,
        )
        threshold = turn.settings.to_span_rules().get_threshold(turn.message.threshold_language)
        kept = guard_pending(pending, similarities, threshold=threshold)
        if len(kept) < len(pending):
            SPAN_FILTERED.inc(len(pending) - len(kept))
        return FoundPending(kept)

    def build_items(self, turn: ResolvedTurn, found: Found) -> Sequence[Item]:
        """Oldest first; the newest stay the longest."""
        pending = found.get(Pending)
        return [
            Item(
                id=f"message:{message_id}",
                text=text,
                provenance=Provenance("pending", {"message_id": message_id}, evidence=(message_id,)),
                template="message",
                priority=place,
            )
            for place, (message_id, text) in enumerate(() if pending is None else pending.entries)
        ]
