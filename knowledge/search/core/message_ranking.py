"""Messages of a dialogue ranked by a linear model over declared features, computed for the candidates of one question.

A feature is a column over the candidates and the messages beside them; its weight stands in `config/knowledge.yaml`. A
message that is long says what it says by itself: features that read what stands around a message, or take it for small
talk, hold up to a length (`LONG_MESSAGE`). Without that limit they cost 8 points of recall on long assistant answers.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, pairwise
from operator import attrgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from knowledge.search.core.bm25 import BM25Params
from knowledge.text.analysis import analyse
from knowledge.text.questions import QuestionReading, has_time, is_question

Column = NDArray[np.float64]

LONG_MESSAGE = 60
"""Lexemes above which a message is no small talk."""
DAMPED_FROM = 80
"""A longer message lends less of its score to its neighbours, and borrows less: it holds many things."""
SHORT_QUESTION = 25
WINDOW = BM25Params(k1=1.2, b=0.3)
WINDOW_PIVOT = 120
"""Lexemes of five messages."""
DAYS_AFTER = 7
"""What happened is told within a week."""
DAYS_DECAY = 10
MAX_ADJACENT = 3
MAX_GAP = 2
"""Neighbours have one word between them at most."""
_LEXEMES_PER_WORD = {"zh": 3.0, "ja": 3.0}
"""Of Chinese each character and each pair is a lexeme; a word has about 1.6 characters."""


class PoolMessage(NamedTuple):
    """A candidate, or a message beside one. Hundreds a search: a frozen dataclass takes four times as long to make."""

    id: int
    conversation_id: int
    seq: int
    is_candidate: bool
    """Whether it was found itself: then the messages beside it are here, too."""
    match: float
    """Its fused score by keywords and vector, 0 to 1."""
    length: int
    """Lexemes."""
    language: str
    terms: Sequence[float]
    """The document weight of each of the plan's terms."""
    said_on: dt.date
    speaker: str
    """Any key of who said it; empty where that is unknown."""
    head: str
    """Its first characters."""
    ending: str
    """Its last characters."""


@dataclass(frozen=True, slots=True)
class PoolQuestion:
    """A question with all that its features need."""

    reading: QuestionReading
    term_weights: Sequence[float]
    """idf times count of each of the plan's terms."""
    speakers: Collection[str]
    """Whose messages answer it: the keys of one speaker, or nothing."""
    params: BM25Params
    pivot: float
    """`params` and `pivot` made the document weights."""


class Pool:
    """The messages of one question in the order of their conversations, with what several features need."""

    def __init__(self, messages: Sequence[PoolMessage], question: PoolQuestion) -> None:
        self.messages = sorted(messages, key=attrgetter("conversation_id", "seq"))
        self.question = question
        self.lengths = np.array([_count_words(message) for message in self.messages], dtype=float)
        self.damping = np.minimum(1.0, DAMPED_FROM / np.maximum(self.lengths, 1.0))
        terms = len(self.messages[0].terms) if self.messages else 0
        self.terms = np.array([message.terms for message in self.messages], dtype=float).reshape(
            len(self.messages), terms
        )
        self.match = np.array([message.match for message in self.messages], dtype=float)
        self.is_short_talk = bool(len(self.messages)) and float(np.median(self.lengths)) <= LONG_MESSAGE
        self.asks = np.array([float(is_question(message.ending)) for message in self.messages])
        self._lexemes: dict[int, Sequence[str]] = {}
        self.links = {distance: self._link(distance) for distance in (1, 2)}

    def read_lexemes(self, index: int) -> Sequence[str]:
        """The lexemes of what is known of a message's words, worked out once."""
        if index not in self._lexemes:
            self._lexemes[index] = analyse(self.messages[index].head)
        return self._lexemes[index]

    def _link(self, distance: int) -> Column:
        """Whether the message `distance` places further on in the pool is so in the conversation."""
        messages = self.messages
        return np.array(
            [
                float(
                    one.conversation_id == other.conversation_id
                    and (one.is_candidate or other.is_candidate or other.seq - one.seq == distance)
                )
                for one, other in zip(messages, messages[distance:], strict=False)
            ]
        )

    def sum_neighbours(self, values: Column, distance: int) -> Column:
        """The values of the messages before and after, at a distance, added up; the first axis runs over the
        messages."""
        total = np.zeros_like(values)
        links = self.links[distance]
        if not len(links):
            return total
        links = links.reshape(-1, *[1] * (values.ndim - 1))
        total[:-distance] += links * values[distance:]
        total[distance:] += links * values[:-distance]
        return total


def _borrow(pool: Pool, *, distance: int) -> Column:
    """What the messages at a distance before and after match, so that a question brings up its answer."""
    values: Column = pool.damping * pool.sum_neighbours(pool.match * pool.damping, distance)
    return values


def _reply(pool: Pool) -> Column:
    """What the message before matches, where somebody else asks there: this message answers it.

    Example: of "When is the fair?" and, by another, "On the ninth, by the bridge" the second says what is wanted.
    """
    lent = pool.match * pool.asks * pool.damping
    values: Column = np.zeros_like(lent)
    if len(lent) > 1:
        by_other = [one.speaker != other.speaker for one, other in pairwise(pool.messages)]
        values[1:] = lent[:-1] * pool.links[1] * np.array(by_other, dtype=float) * pool.damping[1:]
    return values


def _window(pool: Pool) -> Column:
    """BM25 of the message and two on either side as one text, where talk is short."""
    if not pool.is_short_talk or not len(pool.question.term_weights):
        return np.zeros(len(pool.messages))
    joins = pool.lengths <= LONG_MESSAGE
    lexemes = np.array([message.length for message in pool.messages], dtype=float)
    counts = _count_terms(pool, lexemes) * joins[:, None]
    sizes = pool.lengths * joins
    around = counts + pool.sum_neighbours(counts, 1) + pool.sum_neighbours(counts, 2)
    total = sizes + pool.sum_neighbours(sizes, 1) + pool.sum_neighbours(sizes, 2)
    norm = WINDOW.k1 * (1 - WINDOW.b + WINDOW.b * total / WINDOW_PIVOT)
    weights = around * WINDOW.highest_weight / (around + norm[:, None])
    return _scale_by_best(weights @ np.array(pool.question.term_weights, dtype=float))


def _count_terms(pool: Pool, lexemes: Column) -> Column:
    """How often each message says each term, worked out from its stored BM25 weight."""
    params = pool.question.params
    weights = pool.terms
    norm = params.k1 * (1 - params.b + params.b * lexemes / pool.question.pivot)
    counts: Column = weights * norm[:, None] / np.maximum(params.highest_weight - weights, 1e-6)
    return counts


def _speaker(pool: Pool) -> Column:
    """Whether the one whom the question is about says it."""
    return np.array([float(message.speaker in pool.question.speakers) for message in pool.messages])


def _date(pool: Pool) -> Column:
    """1 if said in a period of the question or within a week after it, falling off with the days around that."""
    periods = pool.question.reading.periods
    if not periods:
        return np.zeros(len(pool.messages))
    days = {message.said_on for message in pool.messages}
    by_day = {day: max(rate_day(period.measure_days(day)) for period in periods) for day in days}
    return np.array([by_day[message.said_on] for message in pool.messages])


def rate_day(days: int) -> float:
    """How well a day fits a period that it lies so many days behind (before it: negative), 0 to 1."""
    if days < 0:
        return math.exp(days / DAYS_DECAY)
    return 1.0 if days <= DAYS_AFTER else math.exp(-(days - DAYS_AFTER) / DAYS_DECAY)


def _when(pool: Pool) -> Column:
    """Whether it holds a word of time and the question asks for one."""
    if not pool.question.reading.asks_when:
        return np.zeros(len(pool.messages))
    return np.array(
        [float(has_time(pool.read_lexemes(index), message.head)) for index, message in enumerate(pool.messages)]
    )


def _question(pool: Pool) -> Column:
    """Whether it only asks: a short message that ends in a question."""
    values: Column = pool.asks * (pool.lengths < SHORT_QUESTION)
    return values


def _substance(pool: Pool) -> Column:
    """How much it says, up to what a long message has; what is longer still holds many things and loses some of it."""
    above = np.maximum(0.0, pool.lengths - LONG_MESSAGE)
    values: Column = np.minimum(pool.lengths, LONG_MESSAGE) / LONG_MESSAGE - above / (2 * LONG_MESSAGE)
    return values


def _adjacency(pool: Pool) -> Column:
    """How many neighbouring words of the question are neighbours here, too, at most with one word between."""
    pairs = _list_pairs(pool.question.reading.lexemes)
    words = set(pool.question.reading.lexemes)

    def count(index: int) -> int:
        said = [(place, lexeme) for place, lexeme in enumerate(pool.read_lexemes(index)) if lexeme in words]
        following = chain(pairwise(said), zip(said, said[2:], strict=False))
        return len(pairs & {(one, other) for (at, one), (place, other) in following if place - at <= MAX_GAP})

    found = np.zeros(len(pool.messages))
    if pairs and pool.terms.shape[1] > 1:
        for index in np.flatnonzero((pool.terms > 0).sum(axis=1) > 1).tolist():
            found[index] = count(index)
    values: Column = np.minimum(found, MAX_ADJACENT) / MAX_ADJACENT
    return values


def _list_pairs(lexemes: Sequence[str]) -> set[tuple[str, str]]:
    following = set(pairwise(lexemes)) | set(zip(lexemes, lexemes[2:], strict=False))
    return {(one, other) for one, other in following if one != other}


FEATURES: Mapping[str, Callable[[Pool], Column]] = {
    "near": partial(_borrow, distance=1),
    "second": partial(_borrow, distance=2),
    "reply": _reply,
    "window": _window,
    "speaker": _speaker,
    "date": _date,
    "when": _when,
    "question": _question,
    "substance": _substance,
    "adjacency": _adjacency,
}
"""Everything that is added to a message's own match, each by its weight."""


def build_features(pool: Pool, names: Sequence[str]) -> NDArray[np.float64]:
    """One row a message of the pool, one column a feature."""
    if not pool.messages:
        return np.zeros((0, len(names)))
    return np.column_stack([FEATURES[name](pool) for name in names])


def _count_words(message: PoolMessage) -> float:
    return message.length / _LEXEMES_PER_WORD.get(message.language[:2], 1.0)


def _scale_by_best(values: Column) -> Column:
    best = float(values.max(initial=0.0))
    return np.maximum(values, 0.0) / best if best > 0 else np.zeros_like(values)
