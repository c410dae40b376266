"""The events that words, meaning and names find, ranked. One query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from django.db import connection
from pgvector import HalfVector

from episodes.events.core.plot import Plot, apply_edits, parse_plot
from episodes.events.core.references import Reference
from episodes.events.core.targets import weigh_targets
from episodes.events.selectors.event_filters import SQL, EventFilters
from episodes.events.selectors.event_pool import EventPool, read_json
from knowledge.config import EventSettings
from knowledge.search.core.background import Background
from knowledge.search.core.bm25 import BM25Params, QueryPlan, plan_query
from knowledge.search.core.fusion import Candidate, FusedHit
from knowledge.search.core.lexemes import hash_lexeme, sparse_index
from knowledge.search.embedding import Embedder
from knowledge.search.embedding.base import Vectors
from knowledge.search.engine import SAMPLE_SIZE, fuse_candidates, is_match
from knowledge.search.index_rows import to_sparse_vector
from knowledge.search.lexeme_sets import build_parameters, render_condition
from knowledge.search.sql import read_query
from memoryproject.rows import fetch_rows

K_NAMES = 12
NAME_BONUS = 0.5
"""What an event gains that all names of a question lead to: as much as one of the two lists in full. Less would let a
word in common win over the person who was asked about."""
BESIDE_ALONE = 0.5
"""Of the best score, for an event that no name of a vague question leads to."""
UNKNOWN_SHARE = 20
"""A word whose frequency was not read is taken to stand in one event of so many."""
POINTED_SHARE = 1.0
"""Of the bonus for names that a vague question only points at."""
_EMPTY_SETS = [("",)]


@dataclass(frozen=True, slots=True)
class EventHit:
    """An event that was found, and how."""

    id: UUID
    title: str
    display_text: str
    plot: Plot
    state: str
    language: str
    conversation_id: int
    first_seq: int
    last_seq: int
    evidence: tuple[int, ...]
    npc_ids: tuple[str, ...]
    tokens: int
    score: float
    parts: FusedHit
    names: int
    """Of the names that were asked for, so many lead to it."""


def search_events(
    filters: EventFilters,
    counts: Mapping[str, float],
    reference: Reference,
    pool: EventPool,
    vector: Vectors | None,
    embedder: Embedder,
    settings: EventSettings,
) -> list[EventHit]:
    """The events of the pool that words, meaning or names find, best first. One query."""
    plan = _plan(filters, counts, pool, settings)
    where, parameters = filters.render()
    sets = [(term.lexeme,) for term in plan.terms] or _EMPTY_SETS
    weights = to_sparse_vector((sparse_index(term.lexeme), term.weight) for term in plan.terms)
    distance = "NULL::float8" if vector is None else "(p.embedding <#> %(query_vector)s::halfvec)"
    targets = weigh_targets(
        reference.names, total=pool.count, near=pool.near.near, counts=pool.near.counts, members=pool.near.members
    )
    parameters |= {
        **build_parameters(filters.partition_id, sets),
        **asdict(targets),
        "query_weights": weights.to_text(),
        "query_vector": None if vector is None else HalfVector(vector).to_text(),
        "k_keyword": settings.retrieval.k_keyword,
        "k_vector": settings.retrieval.k_vector,
        "k_names": K_NAMES,
        "k_sample": SAMPLE_SIZE,
    }
    statement = read_query(SQL / "recall_events.sql").format(
        condition=where, candidates=render_condition(sets), distance=distance
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        rows = fetch_rows(cursor)
    return _rank(rows, reference, embedder, settings)


def _plan(filters: EventFilters, counts: Mapping[str, float], pool: EventPool, settings: EventSettings) -> QueryPlan:
    # How common the words of a model are was not asked: a third query for it would cost more than a middling weight.
    unknown = max(pool.count // UNKNOWN_SHARE, 1)
    frequencies = {
        lexeme: pool.frequencies.get(hash_lexeme(filters.partition_id, lexeme), 0 if lexeme in pool.asked else unknown)
        for lexeme in counts
    }
    return plan_query(
        counts,
        frequencies,
        document_count=pool.count,
        params=BM25Params(settings.bm25.k1, settings.bm25.b),
    )


def _rank(
    rows: Sequence[Mapping[str, Any]], reference: Reference, embedder: Embedder, settings: EventSettings
) -> list[EventHit]:
    if not rows:
        return []
    # What waits in the buffer has no vector by design: it is placed as a passage that is too new for one.
    candidates = [
        Candidate(id=row["passage_id"], bm25=row["bm25"], vector=row["vector"], is_fresh=row["vector"] is None)
        for row in rows
    ]
    size, median, mad = (rows[0][name] for name in ("sample_size", "sample_median", "sample_deviation"))
    background = None if median is None or mad is None else Background(size, median, mad)
    fused = fuse_candidates(candidates, settings.retrieval, semantic=embedder.is_semantic, background=background)
    by_id = {row["passage_id"]: row for row in rows}
    share = NAME_BONUS * (POINTED_SHARE if reference.is_vague and not reference.named else 1.0)
    hits = [
        _build_hit(by_id[hit.id], hit, hit.score + share * float(by_id[hit.id]["name_weight"]))
        for hit in fused
        if by_id[hit.id]["names"] or _is_found(hit)
    ]
    if reference.is_vague:
        # The words beside a vague question are often beside the point: alone they must say nearly as much as the best.
        best = max((hit.score for hit in hits), default=0.0)
        hits = [hit for hit in hits if hit.names or hit.score >= BESIDE_ALONE * best]
    return sorted(hits, key=lambda hit: (-hit.score, -hit.parts.id))


def _is_found(hit: FusedHit) -> bool:
    """Whether the words or the meaning found it: being fresh alone says nothing among events."""
    return is_match(hit) and (hit.bm25 > 0 or hit.is_near)


def _build_hit(row: Mapping[str, Any], parts: FusedHit, score: float) -> EventHit:
    return EventHit(
        id=row["node_id"],
        title=row["title"],
        display_text=row["display_text"],
        plot=apply_edits(parse_plot(read_json(row["plot"], {})), read_json(row["edit"], {})),
        state=row["state"],
        language=row["language"],
        conversation_id=row["conversation_id"],
        first_seq=row["first_seq"],
        last_seq=row["last_seq"],
        evidence=tuple(row["evidence"]),
        npc_ids=tuple(row["npc_ids"]),
        tokens=row["tokens"],
        score=score,
        parts=parts,
        names=row["names"],
    )
