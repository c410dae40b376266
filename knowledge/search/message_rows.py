"""The messages of one owner that a question brings: the best by keywords, by vector and by being new, and those
beside."""

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
"""The fence keeps the planner from reading the partition's B-tree beside the posting lists."""
MAX_FRESH = 20
MAX_RANKED_TERMS = 16
"""Terms whose weights are read one by one, the rarest first: a pasted page as a query would cost a second."""
CANDIDATE_SHARE = 0.02
"""Of a large partition, keyword candidates are first taken from terms that together occur in this share of the
messages."""
FILLED = 2
"""They hold so many times the places that are asked for, at least: most messages hold several terms. What does not fill
the places has no lowest score to beat, and every message with any term would be read."""
RESCORED_MESSAGES = 3_000
"""Of a large partition so many vectors are compared whole. Measured on 4,376 messages with multilingual-e5-small: .980
of the 12 nearest are among the best twentieth by code, .995 among the best tenth. Were the mean not taken off: .63,
.77."""


@dataclass(frozen=True, slots=True)
class MessageCodes:
    """The table of a partition's vector codes: `passage_id`, `code`. All texts are code's own."""

    table: str
    where: str
    """Whose messages, and the caller's filters, as conditions on b."""
    center: str
    """A query for the mean vector that the codes were made with."""


@dataclass(frozen=True, slots=True)
class MessagePartition:
    """Whose messages are searched, and which of them may be answered. All texts are code's own, never a caller's.

    The table has `conversation_id`, `seq` and `embedder` beside a passage's columns.
    """

    table: str
    partition_id: int
    where: str
    wanted: str
    """The filters: messages beside a candidate lend it their scores, but are found themselves only if they pass."""
    fresh: str
    """Too new for a vector: such a message is placed by a constant vector score. Source: seed 002, fix 9."""
    said: str
    """A query for one row about p: said_at, speaker (`user` or any other key), speaker_name, head, ending."""
    parameters: Mapping[str, Any]
    vector_space: str
    """Vectors of other embedders are not compared."""
    message_count: int
    is_large: bool
    """Whether looking at every message would take too long: then posting lists and codes say which are looked at."""
    codes: MessageCodes | None = None
    """Of a large partition, once they are made; until then all its vectors are compared."""


class MessageRow(NamedTuple):
    """A candidate or a message beside one, as the statement reads it. Hundreds a search, hence no dataclass."""

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


class MessageRows(NamedTuple):
    """The rows of a search, and how many statements it took to know the keyword candidates."""

    rows: list[MessageRow]
    keyword_rounds: int


def read_rows(
    partition: MessagePartition, plan: QueryPlan, query_vector: Vectors | None, settings: MessageSettings, limit: int
) -> MessageRows:
    """The candidates and up to two messages on either side of each, with true scores and what ranking reads.

    One query; two in a large partition, where the first tells which messages without the rarer terms need a look
    (MaxScore).
    """
    parameters = _build_parameters(partition, plan, query_vector, settings, limit)
    rounds = 1
    if partition.is_large:
        sets, rounds = _find_candidate_sets(partition, plan, parameters)
        parameters |= build_parameters(partition.partition_id, sets)
        found = _render_postings(partition, sets)
    else:
        source = (
            partition.table if parameters["query_vector"] is not None else WITH_LEXEME.format(table=partition.table)
        )
        found = read_query(SQL / "messages_by_scan.sql").format(
            source=source, partition=partition.where, wanted=partition.wanted
        )
    statement = read_query(SQL / "messages.sql").format(
        table=partition.table,
        found=found,
        partition=partition.where,
        wanted=partition.wanted,
        fresh=partition.fresh,
        said=partition.said,
    )
    return MessageRows([MessageRow._make(row) for row in _fetch(statement, parameters)], rounds)


def _find_candidate_sets(
    partition: MessagePartition, plan: QueryPlan, parameters: Mapping[str, Any]
) -> tuple[LexemeSets, int]:
    """Sets of lexemes such that every message among the best by keywords holds one of them whole; the rounds it
    takes."""
    places = parameters["k_keyword"]
    taken = plan.taken_for_frequency(max(int(partition.message_count * CANDIDATE_SHARE), places))
    held = list(accumulate(term.document_frequency for term in plan.terms))
    while taken < len(plan.terms) and held[taken - 1] < FILLED * places:
        taken += 1
    sets: list[tuple[str, ...]] = [(term.lexeme,) for term in plan.terms[:taken]]
    if taken == len(plan.terms) or not places:
        return sets, 1
    statement = read_query(SQL / "message_scores.sql").format(
        table=partition.table, candidates=render_condition(sets), partition=partition.where, wanted=partition.wanted
    )
    scores = [score for (score,) in _fetch(statement, {**parameters, **build_parameters(partition.partition_id, sets)})]
    return [*sets, *plan.list_missing(taken, scores[-1] if len(scores) >= places else None)], 2


def _render_postings(partition: MessagePartition, sets: LexemeSets) -> str:
    compared = f"{partition.where} AND {partition.wanted}"
    if partition.codes is not None:
        compared = read_query(SQL / "messages_by_code.sql").format(
            codes=partition.codes.table, code_partition=partition.codes.where, center=partition.codes.center
        )
    return read_query(SQL / "messages_by_postings.sql").format(
        table=partition.table,
        candidates=render_condition(sets),
        partition=partition.where,
        wanted=partition.wanted,
        compared=compared,
    )


def _fetch(statement: str, parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def _build_parameters(
    partition: MessagePartition, plan: QueryPlan, query_vector: Vectors | None, settings: MessageSettings, limit: int
) -> dict[str, Any]:
    retrieval, terms = settings.retrieval, plan.terms
    vector = None if query_vector is None or retrieval.mode == "keyword" else HalfVector(query_vector).to_text()
    return {
        **partition.parameters,
        "time_zone": timezone.get_current_timezone_name(),
        "query_weights": to_sparse_vector((sparse_index(term.lexeme), term.weight) for term in terms).to_text(),
        "terms": [to_sparse_vector([(sparse_index(term.lexeme), 1.0)]).to_text() for term in terms[:MAX_RANKED_TERMS]],
        **build_parameters(partition.partition_id, [(term.lexeme,) for term in terms]),
        "query_vector": vector,
        "vector_space": partition.vector_space,
        "k_keyword": max(retrieval.k_keyword, limit) if retrieval.mode != "vector" else 0,
        "k_vector": max(retrieval.k_vector, limit) if vector is not None else 0,
        "k_rescored": RESCORED_MESSAGES,
        "k_fresh": MAX_FRESH if retrieval.mode != "keyword" else 0,
    }
