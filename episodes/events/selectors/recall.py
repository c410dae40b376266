"""Events that a question is about: by keywords, by meaning, and by the names that lead to them. Two queries."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db import connection
from pgvector import HalfVector

from episodes.alternatives.selectors import Line
from episodes.events.core.plot import Plot, apply_edits, parse_plot
from episodes.events.core.references import KnownName, Reference, resolve_reference
from episodes.events.models import EVENT_SCOPE_KIND
from knowledge.config import EventSettings, get_event_settings
from knowledge.search.core.background import Background
from knowledge.search.core.bm25 import BM25Params, QueryPlan, plan_query
from knowledge.search.core.fusion import Candidate, FusedHit
from knowledge.search.core.lexemes import build_scope_id, scoped_lexeme, sparse_index
from knowledge.search.embedding import Embedder, get_event_embedder, name_vector_space
from knowledge.search.embedding.base import Vectors
from knowledge.search.engine import SAMPLE_SIZE, fuse_candidates, is_match
from knowledge.search.index_rows import to_sparse_vector
from knowledge.search.lexeme_sets import build_parameters, render_condition
from knowledge.search.query_embedding import embed_query
from knowledge.search.sql import read_query
from knowledge.text.queries import count_query_lexemes

SQL = Path(__file__).resolve().parents[1] / "sql"
MAX_K = 20
MAX_NAMES = 3000
"""Names of a player that a question is held against, the newest."""
K_NAMES = 12
NAME_BONUS = 0.5
"""What an event gains that all names of a question lead to: as much as one of the two lists in full. Less would let a
word in common win over the person who was asked about."""
POINTED_SHARE = 0.5
"""Of that for names that a vague question only points at."""
_EMPTY_SETS = [("",)]
QueryEmbedding = Callable[[Embedder, str], tuple[Vectors | None, str | None]]


@dataclass(frozen=True, slots=True)
class EventScope:
    """Whose events are searched."""

    tenant_id: int
    end_user_id: int
    world_id: int | None = None
    or_without_world: bool = False
    """With `world_id`, also those of conversations that belong to no world."""
    is_any_world: bool = False
    npc_id: str | None = None
    """Only what that NPC took part in; without any NPC, what was said in `conversation_id`."""
    conversation_id: int | None = None
    only_conversation: bool = False
    line: Line | None = None
    """Where the talk branched, what is read in its line: nothing of other branches, nor of trunks behind the forks."""

    def render(self) -> tuple[str, dict[str, Any]]:
        """The condition on p, and its parameters."""
        conditions = ["p.tenant_id = %(tenant_id)s", "p.end_user_id = %(end_user_id)s"]
        if not self.is_any_world:
            without = " OR p.world_id IS NULL" if self.or_without_world else ""
            conditions.append(
                f"(p.world_id = %(world_id)s{without})" if self.world_id is not None else "p.world_id IS NULL"
            )
        if self.npc_id is not None:
            conditions.append(
                "(%(npc_id)s = ANY(p.npc_ids) OR p.npc_ids = '{}' AND p.conversation_id = %(conversation_id)s)"
            )
        if self.only_conversation:
            conditions.append("p.conversation_id = %(conversation_id)s")
        if self.line is not None:
            conditions.append("NOT p.conversation_id = ANY(%(other_ids)s::bigint[])")
            conditions.append(
                "NOT EXISTS (SELECT 1 FROM unnest(%(trunk_ids)s::bigint[], %(through)s::bigint[]) AS t (id, seq)"
                " JOIN episodes_eventnode b ON b.id = p.node_id WHERE t.id = p.conversation_id AND b.last_seq > t.seq)"
            )
        parameters = {
            "other_ids": [] if self.line is None else list(self.line.other_ids),
            "trunk_ids": [] if self.line is None else [pk for pk, _ in self.line.ancestors],
            "through": [] if self.line is None else [seq for _, seq in self.line.ancestors],
            "tenant_id": self.tenant_id,
            "end_user_id": self.end_user_id,
            "world_id": self.world_id,
            "npc_id": self.npc_id,
            "conversation_id": self.conversation_id,
        }
        return " AND ".join(conditions), parameters


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


@dataclass(frozen=True, slots=True)
class RecalledEvents:
    """What was found, best first."""

    hits: tuple[EventHit, ...] = ()
    reference: Reference = field(default_factory=lambda: Reference(()))
    degraded: tuple[str, ...] = ()
    """What the search had to do without, as codes."""


NOTHING_RECALLED = RecalledEvents()


@dataclass(frozen=True, slots=True)
class EventPool:
    """What the first query tells of a scope."""

    count: int
    foreign: int
    frequencies: Mapping[int, int]
    names: tuple[KnownName, ...]


def recall_events(
    scope: EventScope,
    *,
    query: str,
    talk: Sequence[str] = (),
    embed: QueryEmbedding | None = None,
    limit: int | None = None,
    more_names: Sequence[str] = (),
) -> RecalledEvents:
    """The events that a question is about; a vague one is about the last names of the talk. Two queries, or one where
    the player has no events. `embed` None searches by keywords and names alone.

    `more_names` are words that a model made of a vague question: they are searched as if they had been said.
    """
    settings = get_event_settings()
    embedder = get_event_embedder()
    asked = " ".join([query, *more_names])
    pool = read_pool(scope, asked, space=name_vector_space(embedder))
    if not pool.count:
        return NOTHING_RECALLED
    reference = resolve_reference(asked, talk, pool.names)
    vector, degraded = (None, ("embedder_changed",)) if pool.foreign else _embed(embed, embedder, query)
    hits = _search(scope, asked, reference, pool, vector, embedder, settings)
    return RecalledEvents(tuple(hits[: limit or settings.retrieval.k_context]), reference, degraded)


def list_event_embedders() -> list[Embedder]:
    """Whom a search asks for its query's vector."""
    return [] if get_event_settings().retrieval.mode == "keyword" else [get_event_embedder()]


def embed_event_query(embedder: Embedder, query: str) -> tuple[Vectors | None, str | None]:
    """The query's vector, and why there is none."""
    if get_event_settings().retrieval.mode == "keyword":
        return None, None
    return embed_query(embedder, query)


def _embed(embed: QueryEmbedding | None, embedder: Embedder, query: str) -> tuple[Vectors | None, tuple[str, ...]]:
    if embed is None:
        return None, ()
    vector, failure = embed(embedder, query)
    return (vector if vector is not None and vector.any() else None), ((failure,) if failure else ())


def read_pool(scope: EventScope, query: str, *, space: str) -> EventPool:
    """How many events there are, what the query's lexemes weigh among them, and their names. One query."""
    where, parameters = scope.render()
    scope_id = build_scope_id(EVENT_SCOPE_KIND, scope.end_user_id)
    by_hash = {scoped_lexeme(scope_id, lexeme): lexeme for lexeme in count_query_lexemes(query)}
    with connection.cursor() as cursor:
        cursor.execute(
            read_query(SQL / "event_statistics.sql").format(scope=where),
            {**parameters, "lexemes": list(by_hash), "vector_space": space, "max_names": MAX_NAMES},
        )
        count, foreign, frequencies, names = cursor.fetchone()
    return EventPool(
        count,
        foreign,
        {int(key): value for key, value in _read_json(frequencies, {}).items()},
        tuple(KnownName(*row) for row in _read_json(names, [])),
    )


def _read_json(value: Any, default: Any) -> Any:
    if value is None:
        return default
    return json.loads(value) if isinstance(value, str) else value


def _search(
    scope: EventScope,
    query: str,
    reference: Reference,
    pool: EventPool,
    vector: Vectors | None,
    embedder: Embedder,
    settings: EventSettings,
) -> list[EventHit]:
    plan = _plan(scope, query, reference, pool, settings)
    where, parameters = scope.render()
    scope_id = build_scope_id(EVENT_SCOPE_KIND, scope.end_user_id)
    sets = [(term.lexeme,) for term in plan.terms] or _EMPTY_SETS
    weights = to_sparse_vector((sparse_index(term.lexeme), term.weight) for term in plan.terms)
    distance = "NULL::float8" if vector is None else "(p.embedding <#> %(query_vector)s::halfvec)"
    parameters |= {
        **build_parameters(scope_id, sets),
        "query_weights": weights.to_text(),
        "query_vector": None if vector is None else HalfVector(vector).to_text(),
        "names": [each.folded for each in reference.names],
        "k_keyword": settings.retrieval.k_keyword,
        "k_vector": settings.retrieval.k_vector,
        "k_names": K_NAMES,
        "k_sample": SAMPLE_SIZE,
    }
    statement = read_query(SQL / "recall_events.sql").format(
        scope=where, candidates=render_condition(sets), distance=distance
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        rows = cursor.fetchall()
    return _rank(rows, reference, embedder, settings)


def _plan(scope: EventScope, query: str, reference: Reference, pool: EventPool, settings: EventSettings) -> QueryPlan:
    scope_id = build_scope_id(EVENT_SCOPE_KIND, scope.end_user_id)
    counts = count_query_lexemes(query)
    frequencies = {lexeme: pool.frequencies.get(scoped_lexeme(scope_id, lexeme), 0) for lexeme in counts}
    return plan_query(
        counts,
        frequencies,
        document_count=pool.count,
        params=BM25Params(settings.bm25.k1, settings.bm25.b),
    )


def _rank(rows: Sequence[Any], reference: Reference, embedder: Embedder, settings: EventSettings) -> list[EventHit]:
    if not rows:
        return []
    # What waits in the buffer has no vector by design: it is placed as a passage that is too new for one.
    candidates = [Candidate(id=row[0], bm25=row[1], vector=row[2], is_fresh=row[2] is None) for row in rows]
    size, median, mad = rows[0][5:8]
    background = None if median is None or mad is None else Background(size, median, mad)
    fused = fuse_candidates(candidates, settings.retrieval, semantic=embedder.is_semantic, background=background)
    by_id = {row[0]: row for row in rows}
    share = NAME_BONUS * (POINTED_SHARE if reference.is_vague and not reference.named else 1.0)
    wanted = max(len(reference.names), 1)
    hits = [
        _build_hit(by_id[hit.id], hit, hit.score + share * by_id[hit.id][8] / wanted)
        for hit in fused
        if by_id[hit.id][8] or _is_found(hit)
    ]
    return sorted(hits, key=lambda hit: (-hit.score, -hit.parts.id))


def _is_found(hit: FusedHit) -> bool:
    """Whether the words or the meaning found it: being fresh alone says nothing among events."""
    return is_match(hit) and (hit.bm25 > 0 or hit.is_near)


def _build_hit(row: Any, parts: FusedHit, score: float) -> EventHit:
    (node_id, title, display_text, plot, edit, state, language, conversation_id, first_seq, last_seq) = row[9:19]
    evidence, npc_ids, tokens = row[19:22]
    return EventHit(
        id=node_id,
        title=title,
        display_text=display_text,
        plot=apply_edits(parse_plot(_read_json(plot, {})), _read_json(edit, {})),
        state=state,
        language=language,
        conversation_id=conversation_id,
        first_seq=first_seq,
        last_seq=last_seq,
        evidence=tuple(evidence),
        npc_ids=tuple(npc_ids),
        tokens=tokens,
        score=score,
        parts=parts,
        names=row[8],
    )
