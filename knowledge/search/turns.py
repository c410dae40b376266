"""Search among the turns of conversations: exact within one owner's scope, ranked by all that is known of each turn."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from django.db import connection
from django.utils import timezone
from pgvector import HalfVector

from knowledge.config import MessageSettings
from knowledge.search.core.bm25 import BM25Params, QueryPlan
from knowledge.search.core.fusion import Candidate, FusedHit, sort_hits
from knowledge.search.core.lexemes import scoped_lexeme, sparse_index
from knowledge.search.core.turn_ranking import Pool, Turn, TurnQuestion, build_features
from knowledge.search.embedding.base import Vectors
from knowledge.search.engine import RankedPassages, fuse_candidates, is_match
from knowledge.search.index_rows import to_sparse_vector
from knowledge.search.sql import read_query
from knowledge.text.questions import QuestionReading, find_named, read_question

STATEMENT = Path(__file__).parent / "sql" / "turns.sql"
WITH_LEXEME = "(SELECT * FROM {table} c WHERE c.lexemes && %(candidate_lexemes)s::bigint[] OFFSET 0)"
"""The fence keeps the planner from reading the scope's B-tree beside the posting lists."""
MAX_FRESH = 20
MAX_RANKED_TERMS = 16
"""Terms whose weights are read one by one, the rarest first: a pasted page as a query would cost a second."""
USER_SPEAKER = "user"
_LABEL = re.compile(r"([^\W\d_][\w .'’-]{0,39}):\s")
_MIN_LABEL_SHARE = 0.2
"""`Anna: …` names a speaker where a fifth of the turns begin so; else it is a word before a colon."""
_LENDING_FEATURES = ("near", "second")


@dataclass(frozen=True, slots=True)
class TurnScope:
    """Whose turns are searched, and which of them may be answered. All texts are code's own, never a caller's.

    The table has `conversation_id`, `seq` and `embedder` beside a passage's columns.
    """

    table: str
    scope_id: int
    where: str
    wanted: str
    """The filters: turns beside a candidate lend it their scores, but are found themselves only if they pass."""
    fresh: str
    """Too new for a vector: such a turn is placed by a constant vector score. Source: seed 002, fix 9."""
    said: str
    """A query for one row about p: said_at, speaker (`user` or any other key), speaker_name, head, ending."""
    parameters: Mapping[str, Any]
    vector_space: str
    """Vectors of other embedders are not compared."""


@dataclass(frozen=True, slots=True)
class TurnRow:
    """A candidate or a turn beside one, as the statement reads it."""

    id: int
    conversation_id: int
    seq: int
    is_candidate: bool
    keyword_score: float
    terms: Sequence[float]
    vector_score: float | None
    is_fresh: bool
    is_wanted: bool
    length: int
    language: str
    said_at: dt.datetime
    speaker: str
    speaker_name: str
    head: str
    ending: str


def search_turns(
    scope: TurnScope,
    *,
    query: str,
    plan: QueryPlan,
    query_vector: Vectors | None,
    settings: MessageSettings,
    semantic: bool,
    limit: int,
) -> RankedPassages:
    """All turns that were looked at, best first; the first `limit` by keywords and by vector are exact. One query.

    All of the plan's terms bring candidates: a scope is small. Without a query vector, keywords and newness decide.
    A turn that only stands beside a match comes too, by what that lends it.
    """
    rows = _read_rows(scope, plan, query_vector, settings, limit)
    candidates = [
        Candidate(id=row.id, bm25=row.keyword_score, vector=row.vector_score, is_fresh=row.is_fresh) for row in rows
    ]
    fused = _scale(fuse_candidates(candidates, settings.retrieval, semantic=semantic), settings)
    matching = {hit.id for hit in fused if is_match(hit)}
    ranked = rank_rows(rows, fused, matching, query=query, plan=plan, settings=settings)
    wanted = {row.id for row in rows if row.is_wanted}
    return RankedPassages(
        hits=tuple(hit for hit in ranked if hit.id in wanted and (hit.id in matching or hit.neighbour_part > 0)),
        keyword_rounds=1,
        candidates=len(rows),
        terms=tuple(term.lexeme for term in plan.terms),
    )


def rank_rows(
    rows: Sequence[TurnRow],
    fused: Sequence[FusedHit],
    matching: set[int],
    *,
    query: str,
    plan: QueryPlan,
    settings: MessageSettings,
) -> list[FusedHit]:
    """The fused hits with every feature times its weight added, best first."""
    weights = {name: weight for name, weight in settings.features.items() if weight}
    if not rows or not weights:
        return sort_hits(fused)
    pool = build_pool(rows, fused, matching, query=query, plan=plan, settings=settings)
    parts = build_features(pool, list(weights)) * list(weights.values())
    by_id = {turn.id: part for turn, part in zip(pool.turns, parts.tolist(), strict=True)}
    return sort_hits(_add(hit, dict(zip(weights, by_id[hit.id], strict=True))) for hit in fused)


def build_pool(
    rows: Sequence[TurnRow],
    fused: Sequence[FusedHit],
    matching: set[int],
    *,
    query: str,
    plan: QueryPlan,
    settings: MessageSettings,
) -> Pool:
    """The rows as the ranking model takes them. What does not match has nothing to lend."""
    scores = {hit.id: hit.score for hit in fused if hit.id in matching}
    reading = read_question(query, today=timezone.localdate())
    speakers, zone = name_speakers(rows), timezone.get_current_timezone()
    turns = [
        Turn(
            id=row.id,
            conversation_id=row.conversation_id,
            seq=row.seq,
            is_candidate=row.is_candidate,
            match=scores.get(row.id, 0.0),
            length=row.length,
            language=row.language,
            terms=row.terms,
            said_on=row.said_at.astimezone(zone).date(),
            speaker=speaker,
            head=row.head,
            ending=row.ending,
        )
        for row, (speaker, _) in zip(rows, speakers, strict=True)
    ]
    question = TurnQuestion(
        reading=reading,
        term_weights=[term.weight for term in plan.terms[:MAX_RANKED_TERMS]],
        speakers=_find_asked_speakers(reading, dict(speakers)),
        params=BM25Params(settings.bm25.k1, settings.bm25.b),
        pivot=settings.pivot,
    )
    return Pool(turns, question)


def name_speakers(rows: Sequence[TurnRow]) -> list[tuple[str, str]]:
    """Of each row a key of its speaker and that one's name; a label before the text names whom nobody else does."""
    labels = [_LABEL.match(row.head) for row in rows]
    counts = Counter(label[1] for label in labels if label is not None)
    trusted = {label for label, count in counts.items() if count >= _MIN_LABEL_SHARE * len(rows)}

    def name(row: TurnRow, label: re.Match[str] | None) -> tuple[str, str]:
        said = row.speaker_name or (label[1] if label is not None and label[1] in trusted else "")
        return f"{row.speaker}:{said}", said

    return [name(row, label) for row, label in zip(rows, labels, strict=True)]


def _find_asked_speakers(reading: QuestionReading, names: Mapping[str, str]) -> frozenset[str]:
    """Whose turns answer: the only one whom the question names; the user's, where it is of the asker alone."""
    named = find_named(reading, {name: name for name in names.values() if name})
    if named is not None:
        return frozenset() if reading.asks_of_self else frozenset(key for key, name in names.items() if name == named)
    if not reading.asks_of_self:
        return frozenset()
    return frozenset(key for key in names if key.partition(":")[0] == USER_SPEAKER)


def _add(hit: FusedHit, parts: Mapping[str, float]) -> FusedHit:
    # Hundreds of hits a search: `dataclasses.replace` takes five times as long.
    return FusedHit(
        id=hit.id,
        score=hit.score + sum(parts.values()),
        bm25=hit.bm25,
        vector=hit.vector,
        bm25_part=hit.bm25_part,
        vector_part=hit.vector_part,
        bm25_rank=hit.bm25_rank,
        vector_rank=hit.vector_rank,
        neighbour_part=sum(parts.get(name, 0.0) for name in _LENDING_FEATURES),
        is_placed_as_fresh=hit.is_placed_as_fresh,
        is_near=hit.is_near,
        features=tuple(parts.items()),
    )


def _scale(hits: Sequence[FusedHit], settings: MessageSettings) -> Sequence[FusedHit]:
    """Scores on the scale that the weights of features were fitted to: those of places reach 1/60 at most."""
    best = max((hit.score for hit in hits), default=0.0)
    if settings.retrieval.fuse != "rrf" or best <= 0:
        return hits
    return [
        replace(hit, score=hit.score / best, bm25_part=hit.bm25_part / best, vector_part=hit.vector_part / best)
        for hit in hits
    ]


def _read_rows(
    scope: TurnScope, plan: QueryPlan, query_vector: Vectors | None, settings: MessageSettings, limit: int
) -> list[TurnRow]:
    parameters = _build_parameters(scope, plan, query_vector, settings, limit)
    source = scope.table if parameters["query_vector"] is not None else WITH_LEXEME.format(table=scope.table)
    statement = read_query(STATEMENT).format(
        table=scope.table, source=source, scope=scope.where, wanted=scope.wanted, fresh=scope.fresh, said=scope.said
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return [TurnRow(*row) for row in cursor.fetchall()]


def _build_parameters(
    scope: TurnScope, plan: QueryPlan, query_vector: Vectors | None, settings: MessageSettings, limit: int
) -> dict[str, Any]:
    retrieval, terms = settings.retrieval, plan.terms
    vector = None if query_vector is None or retrieval.mode == "keyword" else HalfVector(query_vector).to_text()
    return {
        **scope.parameters,
        "query_weights": to_sparse_vector((sparse_index(term.lexeme), term.weight) for term in terms).to_text(),
        "terms": [to_sparse_vector([(sparse_index(term.lexeme), 1.0)]).to_text() for term in terms[:MAX_RANKED_TERMS]],
        "candidate_lexemes": [scoped_lexeme(scope.scope_id, term.lexeme) for term in terms],
        "query_vector": vector,
        "vector_space": scope.vector_space,
        "k_keyword": max(retrieval.k_keyword, limit) if retrieval.mode != "vector" else 0,
        "k_vector": max(retrieval.k_vector, limit) if vector is not None else 0,
        "k_fresh": MAX_FRESH if retrieval.mode != "keyword" else 0,
    }
