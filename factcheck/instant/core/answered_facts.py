"""The facts of a message that answers a question of the assistant, where it does not state them in full by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from factcheck.instant.core.answer_choices import Answer
from factcheck.instant.core.answers import read_answer, says_nothing
from factcheck.instant.core.author_spans import AuthorSpans
from factcheck.instant.core.clause_patterns import load_clause_patterns
from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.denials import find_denials
from factcheck.instant.core.extracted import ExtractedFact, make_fact
from factcheck.instant.core.hits import find_guards, is_refused
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.lexicon import load_lexicon
from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.pattern_rows import ANSWERS, InstantPattern, make_answer_row
from factcheck.instant.core.questions import list_asked
from factcheck.instant.core.reader_context import ReaderContext
from factcheck.instant.core.subjects import detect_subject
from factcheck.instant.core.value_types import ReadValue
from factcheck.instant.core.values import read_event
from factcheck.instant.core.wish_answers import read_wish_answers
from knowledge.facts.core.types import LIFE_EVENT, NUMBER_TYPES, PROTECTED_TYPES, get_wish_type

Stated = TypeVar("Stated", Answer, ExtractedFact)


def read_answers(message: FoldedMessage, question: str, context: ReaderContext) -> Iterator[ExtractedFact]:
    """The values that answer one question of `list_questions`."""
    named = without_denied(
        message, read_answer(message.text, question, context.concepts), context.concepts, context.own
    )
    for answer in named:
        if not _is_refused(message, answer, context):
            yield _make_answer(message, answer)
    yield from _read_event_answer(message, question, context)


def list_wish_answers(message: FoldedMessage, question: str) -> list[ExtractedFact]:
    """The wishes about manner that answer one question."""
    return [_make_wish(message, wish) for wish in read_wish_answers(message, question)]


def _is_refused(message: FoldedMessage, answer: Answer, context: ReaderContext) -> bool:
    """Whether a number is wished for or the like, or a thing only supposed: "if I were allergic, would you …"."""
    reader = context.readers[answer.type]
    if answer.type in NUMBER_TYPES:
        return is_refused(message, reader, answer.start, answer.end)
    guards = find_guards(message, reader, answer.start, answer.end)
    return "condition" in guards or ("past" in guards and answer.type == "allergy")


def without_denied(
    message: FoldedMessage,
    stated: Sequence[Stated],
    concepts: ConceptTable,
    own: AuthorSpans,
    *,
    explicit: bool = False,
) -> list[Stated]:
    """What is stated but for what the message denies: "You are allergic to nuts, right?" – "I'm not allergic to nuts".

    With `explicit` only what is plainly denied is left out.
    """
    things = [
        KnownFact(index, each.type, each.key, each.value)
        for index, each in enumerate(stated)
        if each.type in PROTECTED_TYPES
    ]
    lexicon = load_lexicon()
    if not things or not (lexicon.may_deny(message.text) or load_clause_patterns().may_deny(message.text)):
        return list(stated)
    denials = find_denials(message, own, things, referred=(), concepts=concepts, lexicon=lexicon)
    denied = {denial.fact.id for denial in denials if denial.strength == "explicit" or not explicit}
    return [each for index, each in enumerate(stated) if index not in denied]


def _make_answer(message: FoldedMessage, answer: Answer) -> ExtractedFact:
    row = make_answer_row(answer.type)
    return replace(make_fact(message, row, answer.key, answer.value, answer.start, answer.end), answers_previous=True)


def _make_wish(message: FoldedMessage, wish: ReadValue) -> ExtractedFact:
    row = make_answer_row(get_wish_type(wish.key))
    return replace(make_fact(message, row, wish.key, wish.value, wish.start, wish.end), answers_previous=True)


def _read_event_answer(message: FoldedMessage, question: str, context: ReaderContext) -> Iterator[ExtractedFact]:
    if LIFE_EVENT not in list_asked(question) or says_nothing(message.text):
        return
    row = InstantPattern("answer.life_event", LIFE_EVENT, "mixed", "", "event", confidence=0.85, pack=ANSWERS)
    end = len(message.text)
    if detect_subject(message.text, 0, end, end) != "other":
        for fact in read_event(message, row, (0, end), (0, end), context.concepts, context.now):
            yield replace(fact, answers_previous=True)
