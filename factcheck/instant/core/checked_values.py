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
from factcheck.instant.core.event_dates import find_event_date
from factcheck.instant.core.extracted import ExtractedFact, make_fact
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.messages import FoldedMessage, fold_message
from factcheck.instant.core.pattern_rows import InstantPattern
from factcheck.instant.core.questions import NUMBER_KEYS, find_question, is_permission, list_asked
from factcheck.instant.core.spoken_numbers import write_digits
from factcheck.instant.core.value_lists import list_mentions, split_tokens
from factcheck.instant.core.values import read_event
from factcheck.instant.core.words import read_words
from knowledge.facts.core.types import DEFAULT_KEYS, LIFE_EVENT, NUMBER_TYPES, THING_TYPES

_YES = read_words("answer_yes")
_NO = read_words("answer_refusals") | read_words("answer_buts")
_OTHERS = read_words("other_people")
_AUTHOR = read_words("first_person")
_CONFIRMING = _YES | read_words("confirming")
_MORE = read_words("and_more")
_OPEN = read_words("open_questions")
_DAY = read_words("day_questions")
_OVER = read_words("past_checks")
_LIMITS = read_words("limits_of_sums")
_NEGATIONS = read_words("negated_checks")
_SAID_BY_READER = dict(pair.split("=") for pair in read_words("said_by_reader"))
_MAX_WORDS_OF_REST = 9
"""Of more words behind a yes nobody can tell what the yes is to."""
_MAX_WORDS_OF_DAY_QUESTION = 12
_MAX_WORDS_TO_MORE = 6
_CONFIDENCE = 0.85
_WORD = re.compile(r"[^\W_](?:[\w'’-]*[^\W_])?")
_ASKED_ORDER = re.compile(r"(?<!\w)(?:are i|i are)(?!\w)")
_NO_MORE = re.compile(
    r"(?<!\w)(?:(?:no|not|nothing) (?:more|over|above|higher)(?: than)?|не (?:больше|дороже|выше|более|свыше)"
    r"|(?:ما|مش|مو|لا) ?(?:ي?زيد|اكثر|اكتر|فوق|ي?تجاوز|ي?تعدى)(?: (?:عن|من))?)(?!\w)|不 ?(?:超过|高于|多于)"
)
"""A limit in the negative."""
_ARABIC_YOUR = re.compile(r"(?<=[\u0620-\u064a]{3})ك(?!\w)")
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
    end = _skip_yes(message.text)
    if not end:
        return
    check = _NO_MORE.sub(" below ", question)
    words = frozenset(word for word, _, _ in split_tokens(check, 0, len(check)))
    if not _OPEN.isdisjoint(words):
        return
    is_plain, adds = _is_plain(message.text, end), _adds_more(message.text[end:])
    if not (is_plain or adds):
        return
    named = list(_list_named(check, words, concepts, now))
    believed = [fact for fact in named if _may_be_so(fact, words, previous, concepts)]
    first, last = message.locate(0, end)
    for fact in believed if named else read(_say_as_reader(check)):
        if is_plain or fact.type in THING_TYPES:
            yield replace(
                fact, start=first, end=last, quote=message.source[first:last], confidence=_CONFIDENCE,
                pattern=f"answers/answer.{fact.type}.confirmed", answers_previous=True,
            )  # fmt: skip


def _read_dated(
    message: FoldedMessage, previous: str, question: str, concepts: ConceptTable, now: datetime.datetime
) -> Iterator[ExtractedFact]:
    """The event whose day a question asks for, where the message says a day: "When's your exam?" – "the 14th"."""
    words = frozenset(word for word, _, _ in split_tokens(question, 0, len(question)))
    if (_DAY.isdisjoint(words) and not _skip_yes(message.text)) or not _OVER.isdisjoint(words):
        return
    date = find_event_date(message.text, now)
    if date is None or len(words) > _MAX_WORDS_OF_DAY_QUESTION:
        return
    for fact in _read_asked_event(question, concepts, now):
        if _may_be_so(fact, words, previous, concepts, least=0):
            first, last = message.locate(0, len(message.text.rstrip()))
            yield replace(
                fact, start=first, end=last, quote=message.source[first:last], confidence=_CONFIDENCE,
                happens_on=date.day, expires_at=date.expires_at, answers_previous=True,
            )  # fmt: skip


def _skip_yes(folded: str) -> int:
    """The place behind the yes that a folded message begins with; 0 where it begins with none, or takes it back."""
    end = 0
    for word, _, last in split_tokens(folded, 0, len(folded)):
        if not word[0].isalnum():
            continue
        if word not in _CONFIRMING or (word not in _YES if not end else word in _MORE):
            break
        end = last
    following = _list_words(folded[end:])
    return 0 if following and following[0] in _NO and not _adds_more(folded[end:]) else end


def _is_plain(folded: str, end: int) -> bool:
    """Whether what stands behind the yes is nothing, or talk that takes nothing back."""
    rest = _list_words(folded[end:])
    if not rest:
        return True
    takes_back = any(word in _NO or word in _OTHERS or word[0].isdigit() for word in rest)
    is_apart = rest[0] in _AUTHOR or not folded[end:].lstrip(" ")[0].isalnum()
    return is_apart and not takes_back and len(rest) <= _MAX_WORDS_OF_REST


def _adds_more(rest: str) -> bool:
    """Whether words behind a yes add to it: "yes, and cashews", «угу, ещё на новокаин», 嗯，虾也不行."""
    return not _MORE.isdisjoint(_list_words(rest)[:_MAX_WORDS_TO_MORE])


def _list_words(text: str) -> list[str]:
    return [word for word, _, _ in split_tokens(text, 0, len(text)) if word[0].isalnum()]


def _list_named(
    check: str, words: frozenset[str], concepts: ConceptTable, now: datetime.datetime
) -> Iterator[ExtractedFact]:
    """What the question names, of the types that it asks for, of sums within a limit, and of events to come."""
    asked = list_asked(check)
    told = fold_message(check)
    whole = (0, len(check))
    if asked and asked[0] in THING_TYPES:
        if is_permission(check):
            return
        for thing in list_mentions(check, *whole, concepts, asked[0], arabizi=is_arabizi(check)):
            yield make_fact(told, _make_row(asked[0]), thing.key, thing.value, *whole)
    elif "budget" in asked or not _LIMITS.isdisjoint(words):
        amount = read_amount(write_digits(check), "")
        if amount is not None:
            yield make_fact(told, _make_row("budget"), DEFAULT_KEYS["budget"], amount, *whole)
    elif not NUMBER_KEYS.isdisjoint(asked):
        for key, value in _read_measure(write_digits(check), asked[0]):
            yield make_fact(told, _make_row("body_params"), key, value, *whole)
    elif _OVER.isdisjoint(words):
        yield from _read_asked_event(check, concepts, now)


def _read_asked_event(question: str, concepts: ConceptTable, now: datetime.datetime) -> Iterator[ExtractedFact]:
    """The event that a question names, also with an ending that only its reader's words would have: امتحانك."""
    for said in dict.fromkeys((question, _say_as_reader(question))):
        whole = (0, len(said))
        found = list(read_event(fold_message(said), _make_row(LIFE_EVENT), whole, whole, concepts, now))
        if found:
            yield from found
            return


def _read_measure(check: str, key: str) -> Iterator[tuple[str, str]]:
    """The measure that is asked for; a size where one alone is named."""
    sizes = list_sizes(check)
    if key == "height_cm" and (height := read_height(check)):
        yield key, height
    elif key == "weight_kg" and (weight := read_weight(check, after_height=False)):
        yield key, weight
    elif key in ("size", "shoe_size") and len(sizes) == 1:
        yield key, sizes[0]


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
    said = _WORD.sub(lambda match: _SAID_BY_READER.get(match[0], match[0]), TAG.sub(" ", check))
    said = _ARABIC_YOUR.sub("ي", _ASKED_ORDER.sub("i am", said))
    return _CHINESE_SPACE.sub("", said.rstrip(" ?؟.,،"))
