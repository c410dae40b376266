"""Events that a question is about: by keywords, meaning, names, and who is near these in the graph. Two queries."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db import connection
from pgvector import HalfVector

from episodes.events.core.names import fold_name
from episodes.events.core.plot import Plot, apply_edits, parse_plot
from episodes.events.core.references import (
    KnownName,
    Reference,
    build_context_query,
    is_maybe_vague,
    leave_out_pointing,
    list_beside,
    name_expanded,
    resolve_reference,
)
from episodes.events.core.targets import weigh_targets
from episodes.events.models import EVENT_SCOPE_KIND
from knowledge.config import EventSettings, get_event_settings
from knowledge.graph.core.views import GraphReader
from knowledge.graph.selectors.near_names import NOTHING_NEAR, READ, NearNames, read_near, render_near_names
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
from memoryproject.prepared import prepared_cursor

SQL = Path(__file__).resolve().parents[1] / "sql"
MAX_K = 20
MAX_NAMES = 3000
"""Names of a player that a question is held against, the newest."""
K_NAMES = 12
NAME_BONUS = 0.5
"""What an event gains that all names of a question lead to: as much as one of the two lists in full. Less would let a
word in common win over the person who was asked about."""
GRAPH_NAME = "entity"
"""The type of a name that the graph alone knows."""
IN_CAMPAIGN = (
    "SELECT c.id FROM episodes_campaign c WHERE c.tenant_id = %(tenant_id)s AND c.world_id = %(world_id)s"
    " AND c.external_id = %(campaign_id)s"
)
BESIDE_ALONE = 0.5
"""Of the best score, for an event that no name of a vague question leads to."""
UNKNOWN_SHARE = 20
"""A word whose frequency was not read is taken to stand in one event of so many."""
BESIDE_WEIGHT = 0.5
"""Of a word that was said just before a vague question, against one of the question itself."""
POINTED_SHARE = 1.0
"""Of that for names that a vague question only points at."""
_EMPTY_SETS = [("",)]
QueryEmbedding = Callable[[Embedder, str], tuple[Vectors | None, str | None]]
Expansion = Callable[[str, Sequence[str], Sequence[str]], tuple[tuple[str, ...], str | None]]
"""Question, talk before it, names: to words it most likely means, and why there are none."""


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
    tree_id: int | None = None
    """Where the talk of `conversation_id` branched, its tree: nothing is read of other branches, nor of trunks behind
    the forks."""
    campaign_id: str | None = None
    """The engine's id of the campaign that is played: what its scenes state is read in the graph."""
    graph: GraphReader | None = None
    """Who reads the graph of the world; None leaves it out."""

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
        if self.tree_id is not None:
            conditions.append(read_query(SQL / "in_line.sql"))
        parameters = {
            "tree_id": self.tree_id,
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
    near: NearNames = NOTHING_NEAR
    asked: frozenset[str] = frozenset()
    """The lexemes whose frequencies were read."""


def recall_events(
    scope: EventScope,
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
    pool = read_pool(scope, " ".join([query, *beside]), space=name_vector_space(embedder))
    if not pool.count:
        return NOTHING_RECALLED
    reference = resolve_reference(query, talk, pool.names)
    words, failure = _expand(expand, query, talk, pool) if reference.is_vague else ((), None)
    if words:
        reference = name_expanded(reference, " ".join(words), pool.names)
    counts = _weigh_words(query, beside, words, reference)
    text = build_context_query(query, talk) if reference.is_vague else query
    vector, degraded = (None, ("embedder_changed",)) if pool.foreign else _embed(embed, embedder, text)
    hits = _search(scope, counts, reference, pool, vector, embedder, settings)
    degraded = (*degraded, failure) if failure else degraded
    return RecalledEvents(tuple(hits[: limit or settings.retrieval.k_context]), reference, degraded)


def _expand(
    expand: Expansion | None, query: str, talk: Sequence[str], pool: EventPool
) -> tuple[tuple[str, ...], str | None]:
    """Names that lead to events of the scope are all that is told beside the talk."""
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


def read_pool(scope: EventScope, query: str, *, space: str) -> EventPool:
    """How many events there are, what the query's lexemes weigh among them, and their names. One query."""
    where, parameters = scope.render()
    tables, reads = "", "NULL"
    if scope.graph is not None:
        linked = (
            "SELECT l.entity_id, s.node_id AS source FROM scope s JOIN episodes_eventname l ON l.node_id = s.node_id"
        )
        tables, more = render_near_names(
            scope.graph,
            linked=f"{linked} WHERE l.entity_id IS NOT NULL",
            play={"conversation": "SELECT s.conversation_id FROM scope s", "campaign": IN_CAMPAIGN},
        )
        tables, reads = f", {tables}", READ
        parameters = parameters | more | {"campaign_id": scope.campaign_id}
    scope_id = build_scope_id(EVENT_SCOPE_KIND, scope.end_user_id)
    by_hash = {scoped_lexeme(scope_id, lexeme): lexeme for lexeme in count_query_lexemes(query)}
    # Planned once a connection: the tables of the graph take longer to plan than to read.
    with prepared_cursor() as cursor:
        cursor.execute(
            read_query(SQL / "event_statistics.sql").format(scope=where, graph=tables, read_graph=reads),
            {**parameters, "lexemes": list(by_hash), "vector_space": space, "max_names": MAX_NAMES},
        )
        count, foreign, frequencies, names, graph = cursor.fetchone()
    near = read_near(_read_json(graph, None))
    return EventPool(
        count,
        foreign,
        {int(key): value for key, value in _read_json(frequencies, {}).items()},
        _join_names(_read_json(names, []), near),
        near,
        frozenset(by_hash.values()),
    )


def _join_names(rows: Sequence[Any], near: NearNames) -> tuple[KnownName, ...]:
    """The names of events with whom they mean, and what else the graph calls these and their neighbours."""
    roots = {entity_id: root for root, ids in near.members.items() for entity_id in ids}
    known = {
        folded: KnownName(name, folded, type_, events, tuple(sorted({roots[i] for i in ids or () if i in roots})))
        for name, folded, type_, events, ids in rows
    }
    for text, leads in near.names.items():
        folded = _fold(text)
        if not folded:
            continue
        each = known.get(folded) or KnownName(text, folded, GRAPH_NAME)
        known[folded] = replace(each, type=each.type or GRAPH_NAME, roots=tuple(sorted({*each.roots, *leads})))
    return tuple(known.values())


_fold = functools.lru_cache(maxsize=50_000)(fold_name)


def _read_json(value: Any, default: Any) -> Any:
    if value is None:
        return default
    return json.loads(value) if isinstance(value, str) else value


def _search(
    scope: EventScope,
    counts: Mapping[str, float],
    reference: Reference,
    pool: EventPool,
    vector: Vectors | None,
    embedder: Embedder,
    settings: EventSettings,
) -> list[EventHit]:
    plan = _plan(scope, counts, pool, settings)
    where, parameters = scope.render()
    scope_id = build_scope_id(EVENT_SCOPE_KIND, scope.end_user_id)
    sets = [(term.lexeme,) for term in plan.terms] or _EMPTY_SETS
    weights = to_sparse_vector((sparse_index(term.lexeme), term.weight) for term in plan.terms)
    distance = "NULL::float8" if vector is None else "(p.embedding <#> %(query_vector)s::halfvec)"
    targets = weigh_targets(
        reference.names, total=pool.count, near=pool.near.near, counts=pool.near.counts, members=pool.near.members
    )
    parameters |= {
        **build_parameters(scope_id, sets),
        **asdict(targets),
        "query_weights": weights.to_text(),
        "query_vector": None if vector is None else HalfVector(vector).to_text(),
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


def _plan(scope: EventScope, counts: Mapping[str, float], pool: EventPool, settings: EventSettings) -> QueryPlan:
    scope_id = build_scope_id(EVENT_SCOPE_KIND, scope.end_user_id)
    # How common the words of a model are was not asked: a third query for it would cost more than a middling weight.
    unknown = max(pool.count // UNKNOWN_SHARE, 1)
    frequencies = {
        lexeme: pool.frequencies.get(scoped_lexeme(scope_id, lexeme), 0 if lexeme in pool.asked else unknown)
        for lexeme in counts
    }
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
    hits = [
        _build_hit(by_id[hit.id], hit, hit.score + share * float(by_id[hit.id][9]))
        for hit in fused
        if by_id[hit.id][8] or _is_found(hit)
    ]
    if reference.is_vague:
        # The words beside a vague question are often beside the point: alone they must say nearly as much as the best.
        best = max((hit.score for hit in hits), default=0.0)
        hits = [hit for hit in hits if hit.names or hit.score >= BESIDE_ALONE * best]
    return sorted(hits, key=lambda hit: (-hit.score, -hit.parts.id))


def _is_found(hit: FusedHit) -> bool:
    """Whether the words or the meaning found it: being fresh alone says nothing among events."""
    return is_match(hit) and (hit.bm25 > 0 or hit.is_near)


def _build_hit(row: Any, parts: FusedHit, score: float) -> EventHit:
    (node_id, title, display_text, plot, edit, state, language, conversation_id, first_seq, last_seq) = row[10:20]
    evidence, npc_ids, tokens = row[20:23]
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
