"""What a question of the assistant checks, and a yes confirms: "So peanuts are out, right?" – "yeah, sesame too"."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from factcheck.instant.core.answer_numbers import list_sizes, read_amount, read_height, read_weight
from factcheck.instant.core.arabizi import is_arabizi
from factcheck.instant.core.assistant_claims import TAG, read_claims
from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.event_dates import find_event_date, without_date
from factcheck.instant.core.extracted import ExtractedFact, make_fact
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.measure_reader import read_measures
from factcheck.instant.core.messages import FoldedMessage, fold_message
from factcheck.instant.core.pattern_rows import InstantPattern
from factcheck.instant.core.questions import NUMBER_KEYS, find_question, is_permission, list_asked
from factcheck.instant.core.reader_words import compile_phrases
from factcheck.instant.core.said_yes import Yes, list_confirmed_keys, read_yes, skip_yes
from factcheck.instant.core.spoken_numbers import write_digits
from factcheck.instant.core.value_lists import list_mentions, split_tokens
from factcheck.instant.core.values import read_event
from factcheck.instant.core.words import read_words
from knowledge.facts.core.types import DEFAULT_KEYS, LIFE_EVENT, NUMBER_TYPES, THING_TYPES

_OPEN = read_words("open_questions")
_DAY = read_words("day_questions")
_OVER = read_words("past_checks")
_LIMITS = read_words("limits_of_sums")
_NEGATIONS = read_words("negated_checks")
_SAID_BY_READER = dict(pair.split("=") for pair in read_words("said_by_reader"))
_MAX_WORDS_OF_DAY_QUESTION = 12
_CONFIDENCE = 0.85
_DIGIT = re.compile(r"\d")
_TIME_SAID = compile_phrases("answers", "time_said")
_MOVED = compile_phrases("answers", "moved")
_WORD = re.compile(r"[^\W_](?:[\w'’-]*[^\W_])?")
_ASKED_ORDER = re.compile(r"(?<!\w)(?:are i|i are)(?!\w)")
_NO_MORE = re.compile(
    r"(?<!\w)(?:(?:no|not|nothing) (?:more|over|above|higher)(?: than)?|не (?:больше|дороже|выше|более|свыше)"
    r"|(?:ما|مش|مو|لا) ?(?:ي?زيد|اكثر|اكتر|فوق|ي?تجاوز|ي?تعدى)(?: (?:عن|من))?)(?!\w)|不 ?(?:超过|高于|多于)"
)
"""A limit in the negative."""
_ARABIC_YOUR = re.compile(r"(?<=[\u0620-\u064a]{3})ك(?!\w)")
_ARABIZI_YOUR = re.compile(r"(?<=[a-z0-9]{4})[aei]k(?!\w)")
_THAT = re.compile(r"[,،]\s*что(?!\w)")
"""What leads to what is checked: «правильно понимаю, что …»."""
_OFFERED = re.compile(r"^\W*(?:so |ok |okay )?(?:(?:shall|should) i|(?:do you |would you )?(?:want|like) me to) ")
"""What an offer begins with: "Shall I stop asking about your day?"."""
_CHINESE_SPACE = re.compile(r"(?<=[\u3400-\u9fff]) (?=[\u3400-\u9fff])")


def read_checked(
    message: FoldedMessage,
    previous: str,
    concepts: ConceptTable,
    now: datetime.datetime,
    read: Callable[[str], Iterable[ExtractedFact]],
) -> Iterator[ExtractedFact]:
    """What a message says a day for or says yes to, of what the assistant's message before it asks last.

    `read` gives the facts that a text states about its author: where no reader knows what a question names, it is read
    as who is asked would state it.
    """
    question = find_question(previous)
    if question:
        yield from _read_dated(message, previous, question, concepts, now)
        yield from _read_confirmed(message, previous, question, concepts, now, read)


def _read_confirmed(
    message: FoldedMessage,
    previous: str,
    question: str,
    concepts: ConceptTable,
    now: datetime.datetime,
    read: Callable[[str], Iterable[ExtractedFact]],
) -> Iterator[ExtractedFact]:
    """The facts that a question names and the message says yes to, with the yes as their words. An open question
    ("what …", "any …", "this or that") checks nothing, nor does one in the negative.
    """
    check = _THAT.sub(", ", TAG.sub(" ", _NO_MORE.sub(" below ", question)))
    words = frozenset(word for word, _, _ in split_tokens(check, 0, len(check)))
    if not _OPEN.isdisjoint(words):
        return
    keys = list_confirmed_keys(message.text) if _DIGIT.search(check) else frozenset()
    is_negative = not _NEGATIONS.isdisjoint(words) or list_asked(check)[:1] == ("hard_ban",)
    yes = Yes(len(message.text.rstrip()), keys=keys) if keys else read_yes(message.text, is_negative=is_negative)
    if yes is None:
        return
    named = list(_list_named(check, words, concepts, now))
    believed = [fact for fact in named if _may_be_so(fact, words, previous, concepts)]
    first, last = message.locate(0, yes.end)
    for place, fact in enumerate(believed if named else read(_say_as_reader(check))):
        if yes.covers(place, fact):
            yield replace(
                fact, value=yes.swaps.get(fact.value, fact.value), start=first, end=last,
                quote=message.source[first:last], confidence=_CONFIDENCE,
                pattern=f"answers/answer.{fact.type}.confirmed", answers_previous=True,
            )  # fmt: skip


def _read_dated(
    message: FoldedMessage, previous: str, question: str, concepts: ConceptTable, now: datetime.datetime
) -> Iterator[ExtractedFact]:
    """The event whose day a question asks for, where the message says a day: "When's your exam?" – "the 14th"."""
    words = frozenset(word for word, _, _ in split_tokens(question, 0, len(question)))
    is_moved = _MOVED.search(message.text) is not None
    if (_DAY.isdisjoint(words) and not is_moved and not skip_yes(message.text)) or not _OVER.isdisjoint(words):
        return
    date = find_event_date(message.text, now)
    if date is None and not _DAY.isdisjoint(words) and _TIME_SAID.search(message.text):
        date = without_date(now)
    if date is None or len(words) > _MAX_WORDS_OF_DAY_QUESTION:
        return
    for fact in _read_asked_event(question, concepts, now):
        if _may_be_so(fact, words, previous, concepts, least=0):
            first, last = message.locate(0, len(message.text.rstrip()))
            yield replace(
                fact, start=first, end=last, quote=message.source[first:last], confidence=_CONFIDENCE,
                happens_on=date.day, expires_at=date.expires_at, answers_previous=True,
            )  # fmt: skip


def _list_named(
    check: str, words: frozenset[str], concepts: ConceptTable, now: datetime.datetime
) -> Iterator[ExtractedFact]:
    """What the question names: things of the type that it asks for, measures, a sum within a limit, an event to come;
    of several the things first.
    """
    asked = list_asked(check)
    told = fold_message(check)
    whole = (0, len(check))
    if asked and asked[0] in THING_TYPES and not is_permission(check):
        for thing in list_mentions(check, *whole, concepts, asked[0], arabizi=is_arabizi(check)):
            yield make_fact(told, _make_row(asked[0]), thing.key, thing.value, *whole)
    if "budget" in asked or not _LIMITS.isdisjoint(words):
        amount = read_amount(write_digits(check), "")
        if amount is not None:
            yield make_fact(told, _make_row("budget"), DEFAULT_KEYS["budget"], amount, *whole)
    elif _DIGIT.search(check) or not NUMBER_KEYS.isdisjoint(asked):
        for key, value in _list_measures(check, asked):
            yield make_fact(told, _make_row("body_params"), key, value, *whole)
    if _OVER.isdisjoint(words):
        yield from _read_asked_event(check, concepts, now)


def _list_measures(check: str, asked: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The measures that a question names; where none has a name of its own, the one that is asked for."""
    said = fold_message(_say_as_reader(check))
    named = read_measures(said, (0, len(said.text)), is_expected=True)
    for value in named:
        yield value.key, value.value
    if not named and not NUMBER_KEYS.isdisjoint(asked):
        yield from _read_measure(write_digits(check), asked[0])


def _read_measure(check: str, key: str) -> Iterator[tuple[str, str]]:
    """One measure of a key; a size where one alone is named."""
    sizes = list_sizes(check)
    if key == "height_cm" and (height := read_height(check)):
        yield key, height
    elif key == "weight_kg" and (weight := read_weight(check, after_height=False)):
        yield key, weight
    elif key in ("size", "shoe_size") and len(sizes) == 1:
        yield key, sizes[0]


def _read_asked_event(question: str, concepts: ConceptTable, now: datetime.datetime) -> Iterator[ExtractedFact]:
    """The event that a question names, also with an ending that only its reader's words would have: امتحانك."""
    for said in dict.fromkeys((question, _say_as_reader(question), _ARABIZI_YOUR.sub("", question))):
        whole = (0, len(said))
        found = list(read_event(fold_message(said), _make_row(LIFE_EVENT), whole, whole, concepts, now))
        if found:
            yield from found
            return


def _make_row(fact_type: str) -> InstantPattern:
    return InstantPattern(f"answer.{fact_type}", fact_type, "mixed", "", "phrase", pack="answers")


def _may_be_so(
    fact: ExtractedFact, words: frozenset[str], previous: str, concepts: ConceptTable, *, least: int = 1
) -> bool:
    """Whether the assistant says that it is so, not the opposite ("You can eat peanuts, right?"); of an event that it
    is its reader's, or with `least` 0 that it is not told to be nobody's.
    """
    if fact.type in NUMBER_TYPES:
        return _NEGATIONS.isdisjoint(words)
    known = KnownFact(0, fact.type, fact.key, fact.value)
    said = {claim.polarity for claim in read_claims(previous, [known], concepts).claims}
    return -1 not in said and (fact.type != LIFE_EVENT or max(said, default=0) >= least)


def _say_as_reader(check: str) -> str:
    """A question as its reader would state it: "you're allergic to penicillin, right?" as "i'm allergic to
    penicillin".
    """
    check = _OFFERED.sub("", check)
    said = _WORD.sub(lambda match: _SAID_BY_READER.get(match[0], match[0]), TAG.sub(" ", check))
    said = _ARABIC_YOUR.sub("ي", _ASKED_ORDER.sub("i am", said))
    said = _ARABIZI_YOUR.sub("i", said) if is_arabizi(check) else said
    return _CHINESE_SPACE.sub("", said.rstrip(" ?؟.,،"))
