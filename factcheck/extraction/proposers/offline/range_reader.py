"""What the messages of a range state, read by the parts of hearing, each message in its talk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from factcheck.extraction.core.cut_statements import join_halves
from factcheck.extraction.core.deltas import MAX_QUOTE_LENGTH, Quote
from factcheck.extraction.core.given import Given, GivenMessage
from factcheck.extraction.core.open_questions import find_open_question
from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.corrections import may_correct, may_take_back
from factcheck.instant.core.extracted import ExtractedFact
from factcheck.instant.core.extraction import extract_facts
from factcheck.instant.core.judges import (
    Judgement,
    Scorer,
    judge_by_vectors,
    judge_candidates,
    list_embedded,
    list_windows,
)
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.mentions import find_mentions, names_value, stem_text
from factcheck.instant.core.messages import FoldedMessage, fold, fold_message
from factcheck.instant.core.patterns import CompiledPatterns
from factcheck.instant.core.value_candidates import find_candidates

How = Literal["pattern", "meaning", "answer", "late_answer", "cut", "likely"]


@dataclass(frozen=True, slots=True)
class Statement:
    """A fact that a message states, where, and what found it.

    `judgement` is of what the model of hearing was asked about, or of vectors that refuse what a pattern heard and
    words let pass; `margin`, how far its odds lie above those from which instant hearing believes.
    """

    fact: ExtractedFact
    place: int
    """Of the message in what was given, from 1."""
    quotes: tuple[Quote, ...]
    how: How
    judgement: Judgement | None = None
    margin: float = 0.0


@dataclass(slots=True)
class RangeReader:
    """Reads one range. Vectors are made of all its texts at once; without a `scorer` patterns read alone."""

    given: Given
    compiled: CompiledPatterns
    concepts: ConceptTable
    scorer: Scorer | None
    _talks: dict[int, list[int]] = field(default_factory=dict)
    _heard: dict[tuple[str, int, str], list[ExtractedFact]] = field(default_factory=dict)

    def read(self) -> list[Statement]:
        """All statements of new messages of the player, in order of the messages; no message of it is read twice."""
        for index, message in enumerate(self.given.messages):
            self._talks.setdefault(message.conversation_id, []).append(index)
        self._embed()
        return [each for talk in self._talks.values() for each in self._read_talk(talk)]

    def is_doubted(self, statement: Statement) -> bool:
        """Whether a later message of the range names the fact in words of a correction, or takes back what was said.

        Instant hearing asks for more before it ends a fact; to propose none, a doubt is enough.
        """
        fact = statement.fact
        known = KnownFact(id=1, type=fact.type, key=fact.key, value=fact.value, source="batch")
        talk = self._talks[self.given.messages[statement.place - 1].conversation_id]
        at = talk.index(statement.place - 1)
        for index in talk[at + 1 :]:
            message = self.given.messages[index]
            if message.role != "user" or not may_correct(message.content, compiled=self.compiled):
                continue
            if find_mentions(stem_text(fold(message.content)), known, self.concepts):
                return True
            if index == talk[at + 1] and may_take_back(message.content):
                return True
        return False

    def _read_talk(self, talk: Sequence[int]) -> Iterator[Statement]:
        messages = [self.given.messages[index] for index in talk]
        for at, message in enumerate(messages):
            if message.role != "user" or not message.is_new:
                continue
            place = talk[at] + 1
            facts = self._extract(message, self._find_previous(talk, at))
            folded, judgements = self._judge(message)
            judged = {(each.candidate.fact.type, each.candidate.fact.key): each for each in judgements}
            stated = [self._state(talk, at, fact, judged.get((fact.type, fact.key))) for fact in facts]
            yield from stated
            yield from self._list_likely(folded, judgements, place, facts)
            sure = [each.fact for each in stated if each.how != "meaning"]  # a bare word may be an answer
            if not sure:
                yield from self._read_late_answer(messages, talk, at)
            if at and messages[at - 1].role == "user":
                yield from self._read_cut(talk, at, sure)

    def _judge(self, message: GivenMessage) -> tuple[FoldedMessage, list[Judgement]]:
        """A message folded, and what the model of hearing says of each value in it; nothing without one."""
        if self.scorer is None:
            return fold_message(message.content), []
        heard = self._extract(message, "", by_meaning=False)
        folded, candidates = find_candidates(
            message.content, heard, compiled=self.compiled, concepts=self.concepts, now=message.said_at,
            mode=message.frame,
        )  # fmt: skip
        open_ = [each for each in candidates if not each.is_guarded]
        judged = judge_candidates(folded, open_, self.scorer)
        windows = list_windows(folded, open_) if open_ else []
        heard_by_words = [
            each.candidate for each in judged if each.by_words and each.is_believed and each.candidate.is_heard
        ]
        second = judge_by_vectors(folded, heard_by_words, windows, self.scorer)
        refused = {id(each.candidate): each for each in second if not each.is_believed}
        return folded, [refused.get(id(each.candidate), each) for each in judged]

    def _list_likely(
        self, folded: FoldedMessage, judgements: Sequence[Judgement], place: int, facts: Sequence[ExtractedFact]
    ) -> Iterator[Statement]:
        """What the model of hearing finds too unlikely for a single message, with its odds."""
        known = {(fact.type, fact.key) for fact in facts}
        for judged in judgements:
            fact = judged.candidate.fact
            if judged.is_believed or judged.score is None or (fact.type, fact.key) in known:
                continue
            yield Statement(fact, place, (Quote(place, quote_sentence(folded, fact)),), "likely", judged)

    def _read_late_answer(self, messages: Sequence[GivenMessage], talk: Sequence[int], at: int) -> Iterator[Statement]:
        question = find_open_question(
            messages, at, has_answered=lambda answer, asked: self._is_answer(messages, answer, asked)
        )
        if question is None:
            return
        place, asked = talk[at] + 1, messages[question]
        for fact in self._extract(messages[at], asked.content):
            if fact.answers_previous and names_value(messages[at].content, fact, self.concepts):
                quotes = (
                    Quote(place, _trim(messages[at].content)),
                    Quote(talk[question] + 1, _trim_end(asked.content)),
                )
                yield Statement(fact, place, quotes, "late_answer")

    def _is_answer(self, messages: Sequence[GivenMessage], answer: int, question: int) -> bool:
        facts = self._extract(messages[answer], messages[question].content)
        return any(fact.answers_previous for fact in facts)

    def _read_cut(self, talk: Sequence[int], at: int, facts: Sequence[ExtractedFact]) -> Iterator[Statement]:
        """What only both halves together state."""
        first, second = (self.given.messages[index] for index in talk[at - 1 : at + 1])
        joined = join_halves(first, second)
        if joined is None:
            return
        alone = {(fact.type, fact.key) for fact in [*facts, *self._extract(first, "")]}
        border = len(first.content.rstrip())
        quotes = (Quote(talk[at - 1] + 1, _trim_end(first.content)), Quote(talk[at] + 1, _trim(second.content)))
        for fact in self._read_text(joined, first, ""):
            if (fact.type, fact.key) not in alone and fact.end > border:
                yield Statement(fact, talk[at] + 1, quotes, "cut")

    def _state(self, talk: Sequence[int], at: int, fact: ExtractedFact, judged: Judgement | None = None) -> Statement:
        place = talk[at] + 1
        message = self.given.messages[place - 1]
        if fact.answers_previous:
            question = self.given.messages[talk[at - 1]]
            quotes = (Quote(place, _trim(message.content)), Quote(talk[at - 1] + 1, _trim_end(question.content)))
            return Statement(fact, place, quotes, "answer")
        quote = Quote(place, quote_sentence(fold_message(message.content), fact))
        if judged is not None and judged.candidate.is_heard and not judged.is_believed:
            return Statement(fact, place, (quote,), "pattern", judged)
        if "@" not in fact.pattern:
            return Statement(fact, place, (quote,), "pattern")
        if judged is None or judged.score is None or judged.accept is None:
            return Statement(fact, place, (quote,), "meaning")
        return Statement(fact, place, (quote,), "meaning", judged, judged.score - judged.accept)

    def _extract(self, message: GivenMessage, previous: str, *, by_meaning: bool = True) -> list[ExtractedFact]:
        return self._read_text(message.content, message, previous, by_meaning=by_meaning)

    def _read_text(
        self, text: str, message: GivenMessage, previous: str, *, by_meaning: bool = True
    ) -> list[ExtractedFact]:
        key = (text, message.id, f"{by_meaning} {previous}")
        if key not in self._heard:
            self._heard[key] = extract_facts(
                text,
                compiled=self.compiled,
                concepts=self.concepts,
                now=message.said_at,
                mode=message.frame,
                previous=previous,
                scorer=self.scorer if by_meaning else None,
            )
        return self._heard[key]

    def _find_previous(self, talk: Sequence[int], at: int) -> str:
        """The assistant's message right before; empty where the player speaks on."""
        if at == 0:
            return ""
        previous = self.given.messages[talk[at - 1]]
        return previous.content if previous.role == "assistant" else ""

    def _embed(self) -> None:
        """Makes the vectors of all texts in one call, which uses all threads; the scorer keeps them."""
        if self.scorer is None:
            return
        texts: dict[str, None] = {}
        for message in self.given.messages:
            if message.role != "user" or not message.is_new:
                continue
            heard = self._extract(message, "", by_meaning=False)
            folded, candidates = find_candidates(
                message.content, heard, compiled=self.compiled, concepts=self.concepts, now=message.said_at,
                mode=message.frame,
            )  # fmt: skip
            open_ = [each for each in candidates if not each.is_guarded]
            if open_:
                texts |= dict.fromkeys(list_embedded(folded, open_, self.scorer))
        if texts:
            self.scorer.embed(list(texts))


def quote_sentence(message: FoldedMessage, fact: ExtractedFact) -> str:
    """The sentence that holds the fact's words, as typed; of a very long one the part around them."""
    sentence = message.sentence(message.find_place(fact.start), message.find_place(fact.end))
    start, end = message.locate(*sentence)
    start, end = min(start, fact.start), max(end, fact.end)
    if end - start > MAX_QUOTE_LENGTH:
        start = max(start, min(fact.start, fact.end - MAX_QUOTE_LENGTH))
        end = min(end, start + MAX_QUOTE_LENGTH)
    return message.source[start:end].strip()


def _trim(text: str) -> str:
    return text.strip()[:MAX_QUOTE_LENGTH].strip()


def _trim_end(text: str) -> str:
    return text.strip()[-MAX_QUOTE_LENGTH:].strip()
