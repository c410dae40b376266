"""What is remembered for one turn: messages that speak to it, the talk of the session, what its player prefers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone

from episodes.core.cards import EpisodeCard
from episodes.selectors.search import list_query_embedders, search_episodes
from episodes.selectors.search_scope import EpisodeFilters
from episodes.selectors.similarity import measure_similarity
from knowledge.canon.selectors.search import MAX_K, MAX_QUERY_LENGTH
from knowledge.search.embedding import Embedder, get_message_embedder, scale_cosine
from knowledge.text.language import detect_language
from runtime.config import load_budgets
from runtime.context.core.budgets import Budget
from runtime.context.core.episodes import Episode, Neighbour, SnippetSlot, guard_pending, guard_span, rerank_by_mood
from runtime.context.core.pack import FUSED_PLACE, RERANK_PLACE
from runtime.context.request import ContextRequest
from runtime.core.pack_items import RECENT
from runtime.metrics import SPAN_FILTERED
from runtime.selectors.context_player import Entry, find_answered, shorten_talk
from runtime.session_memory.core.keys import SessionRef
from runtime.session_memory.core.preferences import Preference
from runtime.session_memory.selectors import load_short_memory

EXTRA = 3
"""So many more are looked for than may be told: some are in the talk already."""
EMBEDDINGS_PENDING = "embeddings_pending"
_LATIN = re.compile(r"[A-Za-z]{2}")
_ARABIC = re.compile(r"[\u0620-\u064a]")
_CYRILLIC = re.compile(r"[\u0400-\u052f]")
_ARABIZI = re.compile(r"(?<![\w])(?=\w*[A-Za-z])\w*[A-Za-z][2356789][A-Za-z]\w*|(?<![\w])[2357][A-Za-z]{2}\w*")


@dataclass(frozen=True, slots=True)
class FoundEpisodes:
    """Episodes, the best first, with the neighbours that may be told."""

    episodes: tuple[Episode, ...] = ()
    degraded: tuple[str, ...] = ()
    pending: tuple[tuple[int, str], ...] = ()
    """Waiting messages of the player (id, text) that speak to the turn, oldest first."""


@dataclass(frozen=True, slots=True)
class SessionTalk:
    """The talk with the NPC in the session, oldest first."""

    entries: tuple[Entry, ...]
    answered_id: int | None
    preference: Preference | None
    degraded: tuple[str, ...]
    is_rebuilt: bool
    """Whether Redis did not hold it, and it came from RAW."""


def list_episode_queries(ask: ContextRequest, budget: Budget, *, has_pending: bool) -> list[tuple[Embedder, str]]:
    """What `find_episodes` and `find_pending` will want embedded, and by whom."""
    if not budget.layers["episodes"].max_items and not has_pending:
        return []
    return [(embedder, ask.cut_query(MAX_QUERY_LENGTH)) for embedder in list_query_embedders()]


def find_episodes(ask: ContextRequest, end_user_id: int, budget: Budget) -> FoundEpisodes:
    """Messages of the player that speak to the turn; with an NPC, only what was said between these two.

    Messages that were found for their neighbours alone, and neighbours, are kept back and counted where they are too
    far from the query. Three queries and the query's embedding.
    """
    wanted = budget.layers["episodes"].max_items
    if not wanted:
        return FoundEpisodes()
    result = search_episodes(
        tenant_id=ask.tenant_id,
        end_user_id=end_user_id,
        query=ask.cut_query(MAX_QUERY_LENGTH),
        k=min(wanted + EXTRA, MAX_K),
        filters=EpisodeFilters(world_id=ask.world_id, or_without_world=not ask.is_world_bound, npc_id=ask.npc_id),
    )
    rules = load_budgets().to_span_rules()
    language = name_guard_language(ask.message)
    now = timezone.now()
    episodes = []
    for card in result.cards:
        if card.message_id == ask.message_id:
            continue
        if not _speaks_to_the_query(card, rules.get_threshold(language)):
            SPAN_FILTERED.inc()
            continue
        episode, filtered = guard_span(
            _to_episode(card, is_recent=now - card.sent_at <= RECENT), language=language, rules=rules
        )
        if filtered:
            SPAN_FILTERED.inc(filtered)
        episodes.append(episode)
    return FoundEpisodes(tuple(rerank_by_mood(episodes, ask.mood)), _leave_out_own_wait(ask, result.degraded))


def find_pending(ask: ContextRequest, pending: Sequence[tuple[int, str]]) -> tuple[tuple[int, str], ...]:
    """Of the player's waiting messages those that speak to the turn; others are kept back and counted.

    One query and the query's embedding, nothing where none waits. Source: seed 002, staging and fix 12.
    """
    if not pending:
        return ()
    similarities = measure_similarity(
        tenant_id=ask.tenant_id,
        message_ids=[message_id for message_id, _ in pending],
        query=ask.cut_query(MAX_QUERY_LENGTH),
    )
    threshold = load_budgets().to_span_rules().get_threshold(name_guard_language(ask.message))
    kept = guard_pending(pending, similarities, threshold=threshold)
    if len(kept) < len(pending):
        SPAN_FILTERED.inc(len(pending) - len(kept))
    return kept


def _speaks_to_the_query(card: EpisodeCard, threshold: float) -> bool:
    """Whether the message was found by itself: what only stands beside such a one is held to the guard of neighbours.

    Source: seed 002, fix 12.
    """
    parts = card.parts
    similarity = _scale(parts.vector)
    return bool(parts.bm25) or parts.is_placed_as_fresh or (similarity is not None and similarity >= threshold)


def _leave_out_own_wait(ask: ContextRequest, degraded: tuple[str, ...]) -> tuple[str, ...]:
    """Without the code for messages that wait for a vector, when the message of the turn is one of them."""
    return tuple(code for code in degraded if code != EMBEDDINGS_PENDING or ask.message_id is None)


def load_session_talk(ask: ContextRequest, budget: Budget) -> SessionTalk | None:
    """What the session remembers; None without a session. One round trip to Redis, and a query where it has nothing."""
    if ask.session_id is None:
        return None
    session = SessionRef(ask.tenant_id, ask.world_id, ask.session_id)
    memory = load_short_memory(session, ask.npc_id or "", current_message_id=ask.message_id)
    entries = [(entry.message_id, entry.role, entry.content) for entry in memory.entries]
    talk = shorten_talk(entries, ask, limit=budget.layers["talk"].item_tokens)
    return SessionTalk(talk, find_answered(entries, ask), memory.preference, memory.degraded, memory.rebuilt)


def name_guard_language(text: str) -> str:
    """The language whose threshold holds: `mixed` with words in two scripts, `arabizi` for Arabic in Latin letters."""
    scripts = [script for script in (_LATIN, _ARABIC, _CYRILLIC) if script.search(text)]
    if len(scripts) > 1:
        return "mixed"
    if scripts == [_LATIN] and _ARABIZI.search(text):
        return "arabizi"
    return detect_language(text)


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
