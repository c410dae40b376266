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
from factcheck.instant.core.extracted import ExtractedFact
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.messages import FoldedMessage, fold_message
from factcheck.instant.core.pattern_rows import InstantPattern
from factcheck.instant.core.reader_words import compile_phrases
from factcheck.instant.core.said_by_reader import list_sayings
from factcheck.instant.core.said_yes import skip_yes
from factcheck.instant.core.subjects import detect_subject
from factcheck.instant.core.value_lists import list_words
from factcheck.instant.core.values import read_event
from factcheck.instant.core.words import read_words
from knowledge.facts.core.types import LIFE_EVENT

_DAY = read_words("day_questions")
_OVER = read_words("past_checks")
_STILL = read_words("still_to_come")
_OTHERS = read_words("other_people") | read_words("neighbours_and_animals")
_MAX_WORDS_TO_OTHERS = 4
_PLAYED = (
    read_words("played_people")
    | read_words("second_person_works")
    | frozenset({"film", "movie", "фильме", "الفيلم", "电影"})
)
_NO = read_words("answer_refusals")
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
    is_no = bool(spoken) and spoken[0] in _NO
    is_moved = _MOVED.search(said) is not None
    is_yes = behind_yes > 0
    asks_day = not _DAY.isdisjoint(words)
    if not _OVER.isdisjoint(spoken) or _is_anothers(said):
        return None
    if not _OVER.isdisjoint(words):
        is_asked = is_no or is_moved or not _STILL.isdisjoint(spoken)
    elif asks_day:
        is_asked = is_moved or not is_no
    else:
        is_dated = find_event_date(question, now) is not None
        is_asked = (is_dated and (is_moved or is_yes)) or (is_yes and not _STILL.isdisjoint(words))
    if not is_asked:
        return None
    for part in (_CLAUSE_END.split(said)[0], said):
        before = list_words(DIGIT.split(part, maxsplit=1)[0])
        is_near = not DIGIT.search(part) or len(before) <= _MAX_WORDS_BEFORE_FIGURE or is_moved or is_yes
        date = find_event_date(part, now) or (_find_short_day(part, now) if asks_day else None)
        if date is not None and is_near:
            return date
    if asks_day and _TIME_SAID.search(" ".join(spoken[:_MAX_WORDS_BEFORE_FIGURE])):
        return without_date(now)
    return None


def _is_anothers(said: str) -> bool:
    """Whether an answer begins with somebody else, whose day it is: "the kid next door's is on the 4th"."""
    clause = _CLAUSE_END.split(said)[0]
    is_named = not _OTHERS.isdisjoint(list_words(clause)[:_MAX_WORDS_TO_OTHERS])
    return is_named or detect_subject(clause, 0, len(clause), len(clause)) == "other"


def _find_short_day(said: str, now: datetime.datetime) -> EventDate | None:
    """The day of a weekday that is short for one behind a preposition alone: "sat morning", «пт, в девять»."""
    for before in ("on ", "в "):
        date = find_event_date(before + said.lstrip(), now)
        if date is not None:
            return date
    return None


def read_asked_event(question: str, concepts: ConceptTable, now: datetime.datetime) -> Iterator[ExtractedFact]:
    """The event that a question names, also with an ending that only its reader's words would have: امتحانك."""
    row = InstantPattern(f"answer.{LIFE_EVENT}", LIFE_EVENT, "mixed", "", "phrase", pack="answers")
    for said in list_sayings(question):
        whole = (0, len(said))
        found = list(read_event(fold_message(said), row, whole, whole, concepts, now))
        if found:
            yield from found
            return


def names_event_to_come(words: frozenset[str]) -> bool:
    """Whether no word of a question says that what it names is over."""
    return _OVER.isdisjoint(words)


def may_be_readers(
    event: ExtractedFact, words: frozenset[str], previous: str, concepts: ConceptTable, *, least: int = 1
) -> bool:
    """Whether the assistant says that an event is its reader's, or with `least` 0 not that it is nobody's."""
    if not _PLAYED.isdisjoint(words):
        return False
    known = KnownFact(0, event.type, event.key, event.value)
    said = {claim.polarity for claim in read_claims(previous, [known], concepts).claims}
    return -1 not in said and max(said, default=0) >= least
