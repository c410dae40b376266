"""Remembered messages that speak to the turn."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from episodes.alternatives.selectors import Line, find_line
from episodes.search.core import EpisodeCard
from episodes.search.selectors.partition import EpisodeFilters
from episodes.search.selectors.search import list_query_embedders, search_episodes
from knowledge.canon.selectors.search import MAX_K
from knowledge.search.embedding import Embedder, get_message_embedder, scale_cosine
from runtime.context.core.episodes import Episode, Neighbour, SnippetSlot, guard_span, rerank_by_mood
from runtime.context.core.pack import FUSED_PLACE, PLACE, RERANK_PLACE, Item, Part, Provenance
from runtime.context.identity.player import Player
from runtime.context.sources.source import Fetched, Found, Source
from runtime.context.turn import ResolvedTurn
from runtime.metrics import SPAN_FILTERED

RECENT = dt.timedelta(days=30)
"""An episode of so late outweighs a fact older than 90 days. Source: seed 002, fix 10."""
EXTRA = 3
"""So many more are looked for than may be told: some are in the talk already."""
EMBEDDINGS_PENDING = "embeddings_pending"


@dataclass(frozen=True, slots=True)
class FoundEpisodes(Fetched):
    """Episodes, the best first, with the neighbours that may be told."""

    episodes: tuple[Episode, ...] = ()

    @property
    def snippets(self) -> Mapping[int, SnippetSlot]:
        """By message id, those that take a snippet."""
        return {each.message_id: each.slot for each in self.episodes if each.slot is not None}


class Episodes(Source[FoundEpisodes]):
    """Messages of the player that speak to the turn; with an NPC, only what was said between these two."""

    name = "episodes"
    layer = "episodes"
    step = "episodes"
    is_parallel = True

    def is_needed(self, turn: ResolvedTurn) -> bool:
        """Of a player who is known."""
        return turn.player is not None

    def list_queries(self, turn: ResolvedTurn) -> Iterable[tuple[Embedder, str]]:
        """The message itself, unless the budget takes no episodes."""
        if not turn.budget.layers["episodes"].max_items:
            return []
        return [(embedder, turn.message.query) for embedder in list_query_embedders()]

    def fetch(self, turn: ResolvedTurn) -> FoundEpisodes:
        """Three queries and the query's embedding.

        Messages that were found for their neighbours alone, and neighbours, are kept back and counted where they are
        too far from the query.
        """
        request, wanted = turn.request, turn.budget.layers["episodes"].max_items
        if turn.player is None or not wanted:
            return FoundEpisodes()
        result = search_episodes(
            tenant_id=request.tenant_id,
            end_user_id=turn.player.end_user_id,
            query=turn.message.query,
            k=min(wanted + EXTRA, MAX_K),
            filters=EpisodeFilters(
                world_id=request.world_id,
                or_without_world=not request.is_world_bound,
                npc_id=request.npc_id,
                line=_find_line(turn.player),
            ),
        )
        episodes = _guard_cards([card for card in result.cards if card.message_id != request.message_id], turn)
        degraded = _leave_out_own_wait(result.degraded, request.message_id)
        return FoundEpisodes(tuple(rerank_by_mood(episodes, request.mood)), degraded=degraded)

    def build_items(self, turn: ResolvedTurn, found: Found) -> Sequence[Item]:
        """In their own words, the best first."""
        result = found.get(Episodes)
        return [
            Item(
                id=f"message:{episode.message_id}",
                text=episode.excerpt,
                provenance=Provenance(
                    "episode",
                    {
                        "message_id": episode.message_id,
                        "conversation_id": episode.conversation_id,
                        "snippet": episode.snippet,
                        "memory_type": episode.memory_type,
                    },
                    evidence=(episode.message_id, *(each.message_id for each in episode.neighbours)),
                    scores={"score": episode.score, **(episode.scores or {}), PLACE: place},
                ),
                template="episode_recent" if episode.is_recent else "episode",
                terms={"speaker": f"speaker_{episode.role}"},
                parts=_build_parts(episode),
            )
            for place, episode in enumerate(() if result is None else result.episodes, start=1)
        ]


def _find_line(player: Player) -> Line | None:
    """Where the talk branched, what is read in its line; two queries then."""
    if player.tree_id is None or player.conversation_id is None:
        return None
    return find_line(conversation_id=player.conversation_id, tree_id=player.tree_id)


def _guard_cards(cards: Sequence[EpisodeCard], turn: ResolvedTurn) -> list[Episode]:
    """Those that speak to the query themselves, each with the neighbours that do; the rest is counted."""
    rules, language = turn.settings.to_span_rules(), turn.message.threshold_language
    episodes = []
    for card in cards:
        if not _speaks_to_the_query(card, rules.get_threshold(language)):
            SPAN_FILTERED.inc()
            continue
        episode, filtered = guard_span(
            _to_episode(card, is_recent=turn.now - card.sent_at <= RECENT), language=language, rules=rules
        )
        if filtered:
            SPAN_FILTERED.inc(filtered)
        episodes.append(episode)
    return episodes


def _speaks_to_the_query(card: EpisodeCard, threshold: float) -> bool:
    """Whether the message was found by itself: what only stands beside such a one is held to the guard of neighbours.

    Source: seed 002, fix 12.
    """
    parts = card.parts
    similarity = _scale(parts.vector)
    return bool(parts.bm25) or parts.is_placed_as_fresh or (similarity is not None and similarity >= threshold)


def _leave_out_own_wait(degraded: tuple[str, ...], message_id: int | None) -> tuple[str, ...]:
    """Without the code for messages that wait for a vector, when the message of the turn is one of them."""
    return tuple(code for code in degraded if code != EMBEDDINGS_PENDING or message_id is None)


def _scale(cosine: float | None) -> float | None:
    return None if cosine is None else scale_cosine(cosine, get_message_embedder())


def _to_episode(card: EpisodeCard, *, is_recent: bool) -> Episode:
    return Episode(
        message_id=card.message_id,
        conversation_id=card.conversation_id,
        role=card.role,
        excerpt=card.raw_excerpt,
        score=card.score,
        snippet=card.snippet,
        memory_type=card.memory_type,
        mood=card.mood,
        is_recent=is_recent,
        neighbours=tuple(
            Neighbour(each.message_id, each.role, each.text, similarity=_scale(each.cosine), is_core=each.is_core)
            for each in card.span_context
        ),
        scores={
            "bm25": card.parts.bm25,
            "vector": card.parts.vector,
            FUSED_PLACE: card.fused_place,
            RERANK_PLACE: card.rerank_place,
        },
        slot=SnippetSlot(card.message_id, bool(card.snippet), card.snippet_version) if card.takes_snippet else None,
    )


def _build_parts(episode: Episode) -> tuple[Part, ...]:
    snippet = (Part("snippet", episode.snippet),) if episode.snippet else ()
    span = (Part("span", each.text, {"speaker": f"speaker_{each.role}"}) for each in episode.neighbours)
    return (*snippet, *span)
