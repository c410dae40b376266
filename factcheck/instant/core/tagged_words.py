"""The words of a message, each with the odds that it states a thing of each kind of fact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

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


@dataclass(frozen=True, slots=True)
class TaggedWords:
    """The words of one text of a message."""

    words: Sequence[Word]
    logits: Array
    """Shape (words, kinds)."""
    about: Array


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
    return TaggedWords(words, _join(words, first, len(before), tagged), tagged.about)


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


def _join(words: Sequence[Word], first: int, before: int, tagged: TaggedPieces) -> Array:
    """The log-odds of each word; they are linear in the states, so means of them are those of mean states."""
    spans = np.array(tagged.spans, dtype=np.int64).reshape(-1, 2) + first - before
    rows = np.zeros((len(words), len(tagged.about)), dtype=np.float32)
    for number, word in enumerate(words):
        inside = (spans[:, 0] < word.source[1]) & (spans[:, 1] > word.source[0]) & (spans[:, 0] >= first)
        rows[number] = tagged.logits[inside].mean(axis=0) if inside.any() else _UNREAD
    return rows
