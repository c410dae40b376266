"""The event that a question of the assistant names: "When's your exam?" – "the 14th"."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from dataclasses import replace

from factcheck.instant.core.answered_numbers import DIGIT
from factcheck.instant.core.assistant_claims import read_claims
from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.event_dates import EventDate, find_event_date, without_date
from factcheck.instant.core.event_days import DAY_NAMES
from factcheck.instant.core.event_reader import read_events
from factcheck.instant.core.extracted import ExtractedFact, make_fact
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.messages import FoldedMessage, fold_message
from factcheck.instant.core.pattern_rows import make_answer_row
from factcheck.instant.core.questions import list_asked
from factcheck.instant.core.reader_words import compile_phrases
from factcheck.instant.core.said_by_reader import list_sayings
from factcheck.instant.core.said_yes import skip_yes
from factcheck.instant.core.value_lists import list_words
from factcheck.instant.core.values import read_event
from factcheck.instant.core.words import read_words
from knowledge.facts.core.types import LIFE_EVENT, THING_TYPES

_DAY = read_words("day_questions")
_OVER = read_words("past_checks")
_STILL = read_words("still_to_come")
_OTHERS = read_words("owners_of_days")
_PUTS_OFF = read_words("puts_off")
_DAY_NAME = "|".join(sorted(map(re.escape, DAY_NAMES), key=len, reverse=True))
_DAY_WORD = re.compile(
    rf"\d+(?:[:.]\d+)?(?:st|nd|rd|th|am|pm|h|го|ое|е|м)?|\d*[下周这个月号日明后天上午晚早一二三四五六七八九十末点半两吧]+|{_DAY_NAME}"
)
_SHORT_DAY = re.compile(
    r"\W*(mon|tue|wed|thu|fri|sat|sun|пн|вт|ср|чт|пт|сб|вс)(?=\s*(?:[,.!)]|$|\d)|\s(?:morning|noon|night|evening|afternoon"
    r"|at|утром|днем|вечером|в)(?!\w))"
)
_MAX_OTHERS = 4
"""Beside the day in a clause that answers when something is: more say something else."""
_PLAYED = (
    read_words("played_people")
    | read_words("second_person_works")
    | frozenset({"film", "movie", "фильме", "الفيلم", "电影"})
)
_NO = read_words("answer_refusals")
_BESIDE_DAY = _NO | _STILL | read_words("beside_days")
_TIME_SAID = compile_phrases("answers", "time_said")
_MOVED = compile_phrases("answers", "moved")
_MAX_WORDS_OF_QUESTION = 14
"""A longer one tells of more than the event."""
_MAX_WORDS_OF_DAY = 8
"""At the beginning of an answer, in which its day must stand."""
_MAX_WORDS_BEFORE_FIGURE = 4
"""More of them say what else is on that day."""
_HEAD = re.compile(rf"\W*(?:[^\s.!?؟،,(\n](?:[^\s.!?؟(\n]|\.(?=\d))*[^\S\n]*){{1,{_MAX_WORDS_OF_DAY}}}")
_CLAUSE_END = re.compile(r"[,،;]")
CONFIDENCE = 0.85
"""As of an event that answers: the value is another's words."""


def read_dated_event(
    message: FoldedMessage, previous: str, question: str, concepts: ConceptTable, now: datetime.datetime
) -> Iterator[ExtractedFact]:
    """The event that a question names, where the message begins with its day: because the day was asked for, to put
    one right, or because the event is still to come.
    """
    words = frozenset(list_words(question))
    date = _find_day(message.text, question, words, now) if len(words) <= _MAX_WORDS_OF_QUESTION else None
    if date is None:
        return
    for fact in read_asked_event(question, concepts, now):
        if may_be_readers(fact, words, previous, concepts, least=0):
            first, last = message.locate(0, len(message.text.rstrip()))
            yield replace(
                fact, start=first, end=last, quote=message.source[first:last], confidence=CONFIDENCE,
                happens_on=date.day, expires_at=date.expires_at, answers_previous=True,
            )  # fmt: skip


def _find_day(folded: str, question: str, words: frozenset[str], now: datetime.datetime) -> EventDate | None:
    """The day of the event that a question names, where the answer says one for it."""
    behind_yes = skip_yes(folded)
    head = _HEAD.match(folded, behind_yes)
    said = head[0] if head else ""
    spoken = list_words(said)
    is_moved = _MOVED.search(said) is not None
    if not spoken or not _OVER.isdisjoint(spoken) or _is_anothers(said):
        return None
    if _DAY.isdisjoint(words) or is_over(words):
        is_told = is_moved or _says_when(question, words, spoken, is_yes=behind_yes > 0, now=now)
        return _read_bare_day(said, now, is_moved=is_moved) if is_told else None
    is_put_off = spoken[0] in _PUTS_OFF or (spoken[0] in _NO and not is_moved)
    return None if is_put_off else _read_asked_day(said, now, is_yes=behind_yes > 0)


def _read_asked_day(said: str, now: datetime.datetime, *, is_yes: bool) -> EventDate | None:
    """The day, or at least a time, that an answer to "when" says in its first clause or its first words."""
    first = _CLAUSE_END.split(said)[0]
    for part in (first, said):
        before = list_words(DIGIT.split(part, maxsplit=1)[0])
        is_near = not DIGIT.search(part) or len(before) <= _MAX_WORDS_BEFORE_FIGURE or is_yes
        date = find_event_date(part, now) or _find_short_day(part, now)
        if date is not None and is_near and len(list_without_days(part)) <= _MAX_OTHERS:
            return date
    return without_date(now) if _TIME_SAID.search(first) and len(list_without_days(first)) <= _MAX_OTHERS else None


def _says_when(
    question: str, words: frozenset[str], spoken: list[str], *, is_yes: bool, now: datetime.datetime
) -> bool:
    """Whether an answer to a question that asks for no day may say the day: a yes to a day or to "still", or that it
    is still to come, to a question whether it is over.
    """
    if is_over(words):
        return spoken[0] in _NO or not _STILL.isdisjoint(spoken)
    return is_yes and (find_event_date(question, now) is not None or not _STILL.isdisjoint(words))


def _read_bare_day(said: str, now: datetime.datetime, *, is_moved: bool) -> EventDate | None:
    """The day that a clause says and nothing else: "not yet, on the 28th", not "no, monday I'm working"."""
    for clause in _CLAUSE_END.split(said):
        date = find_event_date(clause, now)
        if date is not None:
            return date if is_moved or not list_without_days(clause) else None
    return None


def list_without_days(clause: str) -> list[str]:
    """The words of a folded clause that are no part of a day, nor may stand beside one."""
    return [word for word in list_words(clause) if not (_DAY_WORD.fullmatch(word) or word in _BESIDE_DAY)]


def _is_anothers(said: str) -> bool:
    """Whether an answer begins with somebody else, whose day it is: "the kid next door's is on the 4th"."""
    return not _OTHERS.isdisjoint(list_words(_CLAUSE_END.split(said)[0]))


def _find_short_day(said: str, now: datetime.datetime) -> EventDate | None:
    """The day of a weekday that is short for one, first in an answer: "sat morning", «пт, в девять»."""
    short = _SHORT_DAY.match(said)
    return find_event_date(f"on {short[1]}", now) or find_event_date(f"в {short[1]}", now) if short else None


def read_asked_event(question: str, concepts: ConceptTable, now: datetime.datetime) -> Iterator[ExtractedFact]:
    """The event that a question names, also with an ending that only its reader's words would have: امتحانك."""
    row = make_answer_row(LIFE_EVENT)
    sayings = [fold_message(said) for said in list_sayings(question)]
    for said in sayings:
        whole = (0, len(said.text))
        found = list(read_event(said, row, whole, whole, concepts, now))
        if found:
            yield from found
            return
    if any(each in THING_TYPES for each in list_asked(question)):
        return
    for said in sayings:
        events = read_events(said, (0, len(said.text)), concepts, now)
        if events:
            for event in events:
                fact = make_fact(said, row, event.key, event.value, event.start, event.end)
                yield replace(fact, happens_on=event.happens_on, expires_at=event.expires_at)
            return


def is_over(words: frozenset[str]) -> bool:
    """Whether a word of a question says that what it names is over: "did you have the exam?"."""
    return not _OVER.isdisjoint(words)


def may_be_readers(
    event: ExtractedFact, words: frozenset[str], previous: str, concepts: ConceptTable, *, least: int = 1
) -> bool:
    """Whether the assistant says that an event is its reader's, or with `least` 0 not that it is nobody's."""
    if not _PLAYED.isdisjoint(words):
        return False
    known = KnownFact(0, event.type, event.key, event.value)
    said = {claim.polarity for claim in read_claims(previous, [known], concepts).claims}
    return -1 not in said and max(said, default=0) >= least
