"""What a question of the assistant checks, and a yes confirms: "So peanuts are out, right?" – "yeah, sesame too"."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from factcheck.instant.core.answer_numbers import list_sizes, read_amount, read_height, read_weight
from factcheck.instant.core.answers import BOTH, list_places
from factcheck.instant.core.arabizi import is_arabizi
from factcheck.instant.core.assistant_claims import TAG, read_claims
from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.event_dates import find_event_date, without_date
from factcheck.instant.core.extracted import ExtractedFact, make_fact
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.measure_labels import list_labels
from factcheck.instant.core.measure_reader import read_measures
from factcheck.instant.core.messages import FoldedMessage, fold_message
from factcheck.instant.core.pattern_rows import InstantPattern
from factcheck.instant.core.questions import NUMBER_KEYS, find_question, is_permission, list_asked
from factcheck.instant.core.reader_words import compile_phrases
from factcheck.instant.core.spoken_numbers import write_digits
from factcheck.instant.core.value_lists import list_mentions, split_tokens
from factcheck.instant.core.values import read_event
from factcheck.instant.core.words import read_words
from knowledge.facts.core.types import DEFAULT_KEYS, LIFE_EVENT, NUMBER_TYPES, THING_TYPES

_YES = read_words("answer_yes")
_BUTS = read_words("answer_buts")
_NO = read_words("answer_refusals") | _BUTS
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
_MAX_WORDS_OF_REST = 14
"""Of more words behind a yes nobody can tell what the yes is to."""
_MAX_WORDS_OF_DAY_QUESTION = 12
_MAX_WORDS_TO_MORE = 6
_MAX_WORDS_TO_BOTH = 4
_CONFIDENCE = 0.85
_DIGIT = re.compile(r"\d")
_TIME_SAID = compile_phrases("answers", "time_said")
_MOVED = compile_phrases("answers", "moved")
_NUMBER_INSTEAD = re.compile(
    r"(?<!\d)(?P<is>\d+(?:[.,]\d+)?)[\s,،]*(?:а |and )?(?:не|not|مش|مو|لا|وليس|不是|msh|mish|mo|instead of|вместо)\s*"
    r"(?P<not>\d+(?:[.,]\d+)?)(?!\d)"
)
_WORD = re.compile(r"[^\W_](?:[\w'’-]*[^\W_])?")
_ASKED_ORDER = re.compile(r"(?<!\w)(?:are i|i are)(?!\w)")
_NO_MORE = re.compile(
    r"(?<!\w)(?:(?:no|not|nothing) (?:more|over|above|higher)(?: than)?|не (?:больше|дороже|выше|более|свыше)"
    r"|(?:ما|مش|مو|لا) ?(?:ي?زيد|اكثر|اكتر|فوق|ي?تجاوز|ي?تعدى)(?: (?:عن|من))?)(?!\w)|不 ?(?:超过|高于|多于)"
)
"""A limit in the negative."""
_ARABIC_YOUR = re.compile(r"(?<=[\u0620-\u064a]{3})ك(?!\w)")
_ARABIZI_YOUR = re.compile(r"(?<=[a-z0-9]{4})[aei]k(?!\w)")
_SHORT_YES = re.compile(
    r"(?:yes |yeah |yep )?(?:it|that|they|i|we|she|he) (?:sure )?(?:is|are|am|do|does|did|have|will)"
    r"(?: indeed| so)?(?=[,.!;]|$)"
)
"""Yes as English says it: "it is", "I do"."""
_THAT = re.compile(r"[,،]\s*что(?!\w)")
"""What leads to what is checked: «правильно понимаю, что …»."""
_CLAUSE_END = re.compile(r"[,.!?;:،؛؟\n]|(?<!\w)(?:but|а|но|بس|لكن|bas|但|但是)(?!\w)")
_CLAUSE_MARK = re.compile(r"[,.!?;:،؛؟\n]")
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
    keys = _list_confirmed_keys(message.text) if _DIGIT.search(check) else frozenset()
    is_negative = not _NEGATIONS.isdisjoint(words) or list_asked(check)[:1] == ("hard_ban",)
    yes = _Yes(len(message.text.rstrip()), keys=keys) if keys else _read_yes(message.text, is_negative=is_negative)
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


@dataclass(frozen=True, slots=True)
class _Yes:
    """What a message says yes to."""

    end: int
    """Of the words that say it."""
    is_plain: bool = True
    """Whether it takes nothing back; else it adds a thing to a thing."""
    places: frozenset[int] | None = None
    """Of what is confirmed among what is asked; None for all."""
    keys: frozenset[str] | None = None
    """Of the measures that are confirmed by name; None for all."""
    swaps: Mapping[str, str] = field(default_factory=dict)
    """Numbers that it puts right: "all correct, only 70, not 80"."""

    def covers(self, place: int, fact: ExtractedFact) -> bool:
        """Whether it confirms a fact at a place among those that were asked."""
        is_meant = (self.places is None or place in self.places) and (self.keys is None or fact.key in self.keys)
        return is_meant and (self.is_plain or fact.type in THING_TYPES)


def _read_yes(folded: str, *, is_negative: bool) -> _Yes | None:
    """The yes of a message; None where it says none, or one that nobody can tell what it is to."""
    places = _choose_places(folded)
    if places is not None:
        return _Yes(len(folded.rstrip()), places=places) if places else None
    both = BOTH.match(folded)
    end = both.end() if both else _skip_yes(folded, is_negative=is_negative)
    if not end:
        return None
    swaps = {match["not"]: match["is"] for match in _NUMBER_INSTEAD.finditer(folded)}
    if swaps or BOTH.search(" ".join(_list_words(folded)[:_MAX_WORDS_TO_BOTH])):
        return _Yes(end, swaps=swaps)
    is_plain = _is_plain(folded, end, is_negative=is_negative)
    return _Yes(end, is_plain) if is_plain or _adds_more(folded[end:]) else None


def _choose_places(folded: str) -> frozenset[int] | None:
    """Which of several things a message says yes to by their place ("first one yes, second no"); None by no place."""
    named = {place: is_wanted for place, is_wanted in list_places(folded) if is_wanted is not None}
    return frozenset(place for place, is_wanted in named.items() if is_wanted) if named else None


def _list_confirmed_keys(folded: str) -> frozenset[str]:
    """The measures that a message says yes to by name: "yes on the weight, no on the height", «рост верно, вес 70»."""
    labels = list_labels(folded, (0, len(folded)))
    confirmed = set()
    for number, label in enumerate(labels):
        before = folded[labels[number - 1].end if number else 0 : label.start]
        behind = folded[label.end : labels[number + 1].start if number + 1 < len(labels) else len(folded)]
        parts = _CLAUSE_END.split(before)[-1], _CLAUSE_END.split(behind)[0]
        words = [word for part in parts for word in _list_words(part)]
        if not _YES.isdisjoint(words) and _NO.isdisjoint(words):
            confirmed.add(label.key)
    return frozenset(confirmed)


def _read_dated(
    message: FoldedMessage, previous: str, question: str, concepts: ConceptTable, now: datetime.datetime
) -> Iterator[ExtractedFact]:
    """The event whose day a question asks for, where the message says a day: "When's your exam?" – "the 14th"."""
    words = frozenset(word for word, _, _ in split_tokens(question, 0, len(question)))
    is_moved = _MOVED.search(message.text) is not None
    if (_DAY.isdisjoint(words) and not is_moved and not _skip_yes(message.text)) or not _OVER.isdisjoint(words):
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


def _skip_yes(folded: str, *, is_negative: bool = False) -> int:
    """The place behind the yes that a folded message begins with; 0 where it begins with none, or takes it back, which
    a no behind it does but to a question in the negative.
    """
    short = _SHORT_YES.match(folded)
    end = short.end() if short else 0
    for word, _, last in split_tokens(folded, end, len(folded)):
        if not word[0].isalnum():
            continue
        if word not in _CONFIRMING or (word not in _YES if not end else word in _MORE):
            break
        end = last
    following = _list_words(folded[end:])
    takes_back = bool(following) and following[0] in _NO and not is_negative
    return 0 if takes_back and not _adds_more(folded[end:]) else end


def _is_plain(folded: str, end: int, *, is_negative: bool) -> bool:
    """Whether what stands behind the yes is nothing, or talk that takes nothing back: a no in its first clause or at
    the beginning of another does, but not to a question in the negative ("You don't drink, right?" – "yes, never").
    """
    rest = _list_words(folded[end:])
    if not rest:
        return True
    clauses = [words for part in _CLAUSE_MARK.split(folded[end:]) if (words := _list_words(part))]
    denies = not is_negative and (
        not _NO.isdisjoint(clauses[0]) or any(words[0] in _NO or words[0] in _BUTS for words in clauses[1:])
    )
    is_others = any(word in _OTHERS or word[0].isdigit() for word in rest)
    is_apart = rest[0] in _AUTHOR or not folded[end:].lstrip(" ")[0].isalnum()
    return is_apart and not (denies or is_others) and len(rest) <= _MAX_WORDS_OF_REST


def _adds_more(rest: str) -> bool:
    """Whether words behind a yes add to it: "yes, and cashews", «угу, ещё на новокаин», 嗯，虾也不行."""
    return not _MORE.isdisjoint(_list_words(rest)[:_MAX_WORDS_TO_MORE])


def _list_words(text: str) -> list[str]:
    return [word for word, _, _ in split_tokens(text, 0, len(text)) if word[0].isalnum()]


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
