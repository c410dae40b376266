"""The turns of one owner that a question brings: the best by keywords, by vector and by being new, and those beside."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

from django.db import connection
from django.utils import timezone
from pgvector import HalfVector

from knowledge.config import MessageSettings
from knowledge.search.core.bm25 import QueryPlan
from knowledge.search.core.lexemes import sparse_index
from knowledge.search.embedding.base import Vectors
from knowledge.search.index_rows import to_sparse_vector
from knowledge.search.lexeme_sets import LexemeSets, build_parameters, render_condition
from knowledge.search.sql import read_query

SQL = Path(__file__).parent / "sql"
WITH_LEXEME = "(SELECT * FROM {table} c WHERE c.lexemes && %(candidate_lexemes)s::bigint[] OFFSET 0)"
"""The fence keeps the planner from reading the scope's B-tree beside the posting lists."""
MAX_FRESH = 20
MAX_RANKED_TERMS = 16
"""Terms whose weights are read one by one, the rarest first: a pasted page as a query would cost a second."""
CANDIDATE_SHARE = 0.02
"""Of a large scope, keyword candidates are first taken from terms that together occur in this share of the turns."""
FILLED = 2
"""They hold so many times the places that are asked for, at least: most turns hold several terms. What does not fill
the places has no lowest score to beat, and every turn with any term would be read."""
RESCORED_TURNS = 3_000
"""Of a large scope so many vectors are compared whole. Measured on 4,376 turns with multilingual-e5-small: .980 of the
12 nearest are among the best twentieth by code, .995 among the best tenth. Were the mean not taken off: .63, .77."""


@dataclass(frozen=True, slots=True)
class TurnCodes:
    """The table of a scope's vector codes: `passage_id`, `code`. All texts are code's own."""

    table: str
    where: str
    """Whose turns, and the caller's filters, as conditions on b."""
    center: str
    """A query for the mean vector that the codes were made with."""


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
    turn_count: int
    is_large: bool
    """Whether looking at every turn would take too long: then posting lists and codes say which are looked at."""
    codes: TurnCodes | None = None
    """Of a large scope, once they are made; until then all its vectors are compared."""


class TurnRow(NamedTuple):
    """A candidate or a turn beside one, as the statement reads it. Hundreds a search, hence no dataclass."""

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
    said_on: dt.date
    speaker: str
    speaker_name: str
    head: str
    ending: str


class TurnRows(NamedTuple):
    """The rows of a search, and how many statements it took to know the keyword candidates."""

    rows: list[TurnRow]
    keyword_rounds: int


def read_rows(
    scope: TurnScope, plan: QueryPlan, query_vector: Vectors | None, settings: MessageSettings, limit: int
) -> TurnRows:
    """The candidates and up to two turns on either side of each, with true scores and what ranking reads.

    One query; two in a large scope, where the first tells which turns without the rarer terms need a look (MaxScore).
    """
    parameters = _build_parameters(scope, plan, query_vector, settings, limit)
    rounds = 1
    if scope.is_large:
        sets, rounds = _find_candidate_sets(scope, plan, parameters)
        parameters |= build_parameters(scope.scope_id, sets)
        found = _render_postings(scope, sets)
    else:
        source = scope.table if parameters["query_vector"] is not None else WITH_LEXEME.format(table=scope.table)
        found = read_query(SQL / "turns_by_scan.sql").format(source=source, scope=scope.where, wanted=scope.wanted)
    statement = read_query(SQL / "turns.sql").format(
        table=scope.table, found=found, scope=scope.where, wanted=scope.wanted, fresh=scope.fresh, said=scope.said
    )
    return TurnRows([TurnRow._make(row) for row in _fetch(statement, parameters)], rounds)


def _find_candidate_sets(scope: TurnScope, plan: QueryPlan, parameters: Mapping[str, Any]) -> tuple[LexemeSets, int]:
    """Sets of lexemes such that every turn among the best by keywords holds one of them whole; the rounds it takes."""
    places = parameters["k_keyword"]
    taken = plan.taken_for_frequency(max(int(scope.turn_count * CANDIDATE_SHARE), places))
    held = list(accumulate(term.document_frequency for term in plan.terms))
    while taken < len(plan.terms) and held[taken - 1] < FILLED * places:
        taken += 1
    sets: list[tuple[str, ...]] = [(term.lexeme,) for term in plan.terms[:taken]]
    if taken == len(plan.terms) or not places:
        return sets, 1
    statement = read_query(SQL / "turn_scores.sql").format(
        table=scope.table, candidates=render_condition(sets), scope=scope.where, wanted=scope.wanted
    )
    scores = [score for (score,) in _fetch(statement, {**parameters, **build_parameters(scope.scope_id, sets)})]
    return [*sets, *plan.list_missing(taken, scores[-1] if len(scores) >= places else None)], 2


def _render_postings(scope: TurnScope, sets: LexemeSets) -> str:
    compared = f"{scope.where} AND {scope.wanted}"
    if scope.codes is not None:
        compared = read_query(SQL / "turns_by_code.sql").format(
            codes=scope.codes.table, code_scope=scope.codes.where, center=scope.codes.center
        )
    return read_query(SQL / "turns_by_postings.sql").format(
        table=scope.table,
        candidates=render_condition(sets),
        scope=scope.where,
        wanted=scope.wanted,
        compared=compared,
    )


def _fetch(statement: str, parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def _build_parameters(
    scope: TurnScope, plan: QueryPlan, query_vector: Vectors | None, settings: MessageSettings, limit: int
) -> dict[str, Any]:
    retrieval, terms = settings.retrieval, plan.terms
    vector = None if query_vector is None or retrieval.mode == "keyword" else HalfVector(query_vector).to_text()
    return {
        **scope.parameters,
        "time_zone": timezone.get_current_timezone_name(),
        "query_weights": to_sparse_vector((sparse_index(term.lexeme), term.weight) for term in terms).to_text(),
        "terms": [to_sparse_vector([(sparse_index(term.lexeme), 1.0)]).to_text() for term in terms[:MAX_RANKED_TERMS]],
        **build_parameters(scope.scope_id, [(term.lexeme,) for term in terms]),
        "query_vector": vector,
        "vector_space": scope.vector_space,
        "k_keyword": max(retrieval.k_keyword, limit) if retrieval.mode != "vector" else 0,
        "k_vector": max(retrieval.k_vector, limit) if vector is not None else 0,
        "k_rescored": RESCORED_TURNS,
        "k_fresh": MAX_FRESH if retrieval.mode != "keyword" else 0,
    }
