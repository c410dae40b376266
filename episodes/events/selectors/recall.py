"""Events that a question is about: by keywords, meaning, names, and who is near these in the graph. Two queries."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from episodes.events.core.references import (
    Reference,
    build_context_query,
    is_maybe_vague,
    leave_out_pointing,
    list_beside,
    name_expanded,
    resolve_reference,
)
from episodes.events.selectors.event_filters import EventFilters
from episodes.events.selectors.event_hits import EventHit, search_events
from episodes.events.selectors.event_pool import EventPool, read_pool
from knowledge.config import get_event_settings
from knowledge.search.embedding import Embedder, get_event_embedder, name_vector_space
from knowledge.search.embedding.base import Vectors
from knowledge.search.query_embedding import embed_query
from knowledge.text.queries import count_query_lexemes

MAX_K = 20
BESIDE_WEIGHT = 0.5
"""Of a word that was said just before a vague question, against one of the question itself."""
QueryEmbedding = Callable[[Embedder, str], tuple[Vectors | None, str | None]]
Expansion = Callable[[str, Sequence[str], Sequence[str]], tuple[tuple[str, ...], str | None]]
"""Question, talk before it, names: to words it most likely means, and why there are none."""


@dataclass(frozen=True, slots=True)
class RecalledEvents:
    """What was found, best first."""

    hits: tuple[EventHit, ...] = ()
    reference: Reference = field(default_factory=lambda: Reference(()))
    degraded: tuple[str, ...] = ()
    """What the search had to do without, as codes."""


NOTHING_RECALLED = RecalledEvents()


def recall_events(
    filters: EventFilters,
    *,
    query: str,
    talk: Sequence[str] = (),
    embed: QueryEmbedding | None = None,
    limit: int | None = None,
    expand: Expansion | None = None,
) -> RecalledEvents:
    """The events that a question is about; a vague one is about the last names of the talk, and about who is one step
    from them in the graph. Two queries, or one where the player has no events. `embed` None searches by keywords and
    names alone.

    `expand` says by which words a vague question is searched as well, of what whoever asks may know.
    """
    settings = get_event_settings()
    embedder = get_event_embedder()
    beside = list_beside(query, talk) if is_maybe_vague(query) else []
    pool = read_pool(filters, " ".join([query, *beside]), space=name_vector_space(embedder))
    if not pool.count:
        return NOTHING_RECALLED
    reference = resolve_reference(query, talk, pool.names)
    words, failure = _expand(expand, query, talk, pool) if reference.is_vague else ((), None)
    if words:
        reference = name_expanded(reference, " ".join(words), pool.names)
    counts = _weigh_words(query, beside, words, reference)
    text = build_context_query(query, talk) if reference.is_vague else query
    vector, degraded = (None, ("embedder_changed",)) if pool.foreign else _embed(embed, embedder, text)
    hits = search_events(filters, counts, reference, pool, vector, embedder, settings)
    degraded = (*degraded, failure) if failure else degraded
    return RecalledEvents(tuple(hits[: limit or settings.retrieval.k_context]), reference, degraded)


def _expand(
    expand: Expansion | None, query: str, talk: Sequence[str], pool: EventPool
) -> tuple[tuple[str, ...], str | None]:
    """Names that lead to events that are searched are all that is told beside the talk."""
    if expand is None:
        return (), None
    return expand(query, talk, [each.name for each in pool.names if each.type])


def _weigh_words(query: str, beside: Sequence[str], more: Sequence[str], reference: Reference) -> Mapping[str, float]:
    """What is searched for by words: of a vague question what it says beside pointing, and the words of the talk."""
    if not reference.is_vague:
        return count_query_lexemes(query)
    counts: dict[str, float] = dict(count_query_lexemes(leave_out_pointing(query)))
    for text in beside:
        for lexeme in count_query_lexemes(text):
            counts[lexeme] = max(counts.get(lexeme, 0.0), BESIDE_WEIGHT)
    for lexeme in count_query_lexemes(" ".join(more)):
        counts[lexeme] = max(counts.get(lexeme, 0.0), 1.0)
    return counts


def list_event_queries(query: str, talk: Sequence[str]) -> list[tuple[Embedder, str]]:
    """Whom a search may ask for a vector, and of what: of the question, and of a vague one in its talk."""
    if get_event_settings().retrieval.mode == "keyword":
        return []
    texts = [query, build_context_query(query, talk)] if is_maybe_vague(query) else [query]
    return [(get_event_embedder(), text) for text in dict.fromkeys(texts)]


def embed_event_query(embedder: Embedder, query: str) -> tuple[Vectors | None, str | None]:
    """The query's vector, and why there is none."""
    if get_event_settings().retrieval.mode == "keyword":
        return None, None
    return embed_query(embedder, query)


def _embed(embed: QueryEmbedding | None, embedder: Embedder, query: str) -> tuple[Vectors | None, tuple[str, ...]]:
    if embed is None:
        return None, ()
    vector, failure = embed(embedder, query)
    return vector, ((failure,) if failure else ())
