"""The words of a message, each with the odds that it states a thing of each kind of fact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.narrative_modes import Span
from factcheck.instant.core.statement_kinds import Array
from factcheck.instant.core.value_lists import split_tokens

MAX_QUESTION_LENGTH = 100
"""Characters of a question that are read before its answer."""
_UNREAD = -8.0
"""The log-odds of a word that no piece stands for."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a folded message, and where it was typed."""

    text: str
    start: int
    end: int
    source: Span


@dataclass(frozen=True, slots=True)
class EventOdds:
    """What fitted layers say of which kind of event words name."""

    keys: Sequence[str]
    logits: Array
    """Shape (pieces or words, keys): the log-odds among the keys, up to a constant."""
    least: float
    """The probability from which on an event has a name by it."""

    def weigh(self, rows: Sequence[int]) -> Array | None:
        """Of each key the probability that some of the words name it together; None for no words."""
        if not rows:
            return None
        mean = self.logits[list(rows)].mean(axis=0)
        shares = np.exp(mean - mean.max())
        odds: Array = shares / shares.sum()
        return odds

    def name_event(self, rows: Sequence[int]) -> str:
        """The key of the event that some of the words name together; empty where none is likely enough."""
        odds = self.weigh(rows)
        return self.keys[int(odds.argmax())] if odds is not None and odds.max() >= self.least else ""


@dataclass(frozen=True, slots=True)
class TaggedPieces:
    """What a tagger says of a text and of each of its pieces; a word is the mean of its pieces."""

    spans: Sequence[Span]
    """Where each piece stands in the text; (-1, -1) of one that stands for a space."""
    logits: Array
    """Shape (pieces, kinds): the log-odds that it states a thing of the kind."""
    about: Array
    """Shape (kinds,): the log-odds that the text states the kind at all."""
    mean: Array
    """Shape (dims,): the mean state of the text."""
    events: EventOdds | None = None
    """Where there is a head for them."""


@dataclass(frozen=True, slots=True)
class TaggedWords:
    """The words of one text of a message."""

    words: Sequence[Word]
    logits: Array
    """Shape (words, kinds)."""
    about: Array
    events: EventOdds | None = None
    """Where there is a head for them."""


class Tagger(Protocol):
    """What tags the pieces of texts."""

    def tag(self, text: str) -> TaggedPieces:
        """The pieces of a text in order."""
        ...


def tag_words(message: FoldedMessage, window: Span, tagger: Tagger, question: str = "") -> TaggedWords:
    """The words of a part of the message as typed, which the tagger reads behind the question that it may answer."""
    first, last = window
    before = open_with(question)
    tagged = tagger.tag(before + message.source[first:last])
    words = [word for word in list_words(message) if word.source[0] < last and word.source[1] > first]
    spans = np.array(tagged.spans, dtype=np.int64).reshape(-1, 2) + first - len(before)
    inside = [_find_pieces(word, spans, first) for word in words]
    events = replace(tagged.events, logits=_join(inside, tagged.events.logits)) if tagged.events else None
    return TaggedWords(words, _join(inside, tagged.logits), tagged.about, events)


def open_with(question: str) -> str:
    """How a text begins that may answer a question; nothing without one."""
    return question[-MAX_QUESTION_LENGTH:].strip() + "\n" if question else ""


def list_words(message: FoldedMessage) -> list[Word]:
    """The words of a folded message."""
    return [
        Word(word, start, end, message.locate(start, end))
        for word, start, end in split_tokens(message.text, 0, len(message.text))
        if word[0].isalnum()
    ]


def _find_pieces(word: Word, spans: NDArray[np.int64], first: int) -> NDArray[np.bool_]:
    """Which pieces are of a word, of those that begin with the text or behind it; `spans` are places as typed."""
    is_inside: NDArray[np.bool_] = (
        (spans[:, 0] < word.source[1]) & (spans[:, 1] > word.source[0]) & (spans[:, 0] >= first)
    )
    return is_inside


def _join(inside: Sequence[NDArray[np.bool_]], logits: Array) -> Array:
    """The log-odds of each word by its pieces; they are linear in the states, so means of them are those of mean
    states.
    """
    rows = np.zeros((len(inside), logits.shape[1]), dtype=np.float32)
    for number, pieces in enumerate(inside):
        rows[number] = logits[pieces].mean(axis=0) if pieces.any() else _UNREAD
    return rows
