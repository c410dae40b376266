"""What a question of the assistant checks, and a yes confirms: "You can't have walnuts, right?" – "yes, figs too"."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from factcheck.instant.core.answer_numbers import list_sizes, read_amount, read_height, read_weight
from factcheck.instant.core.answered_numbers import DIGIT
from factcheck.instant.core.answers import ASKS_WHETHER_NONE, NEGATIONS, NO_CHECK, REMOVES, is_taken_back
from factcheck.instant.core.arabizi import is_arabizi
from factcheck.instant.core.asked_events import (
    CONFIDENCE,
    is_over,
    may_be_readers,
    read_asked_event,
    read_dated_event,
)
from factcheck.instant.core.asked_of import is_of_others
from factcheck.instant.core.assistant_claims import TAG, read_claims
from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.extracted import ExtractedFact, make_fact
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.measure_labels import list_labels
from factcheck.instant.core.measure_reader import read_measures
from factcheck.instant.core.messages import FoldedMessage, fold, fold_message
from factcheck.instant.core.pattern_rows import ANSWERS, make_answer_row
from factcheck.instant.core.questions import NUMBER_KEYS, READER, find_question, is_permission, list_asked
from factcheck.instant.core.reader_words import compile_phrases
from factcheck.instant.core.said_by_reader import OFFERED, say_as_reader, say_plainly
from factcheck.instant.core.said_yes import NO_MORE, Yes, list_confirmed_keys, read_yes
from factcheck.instant.core.spoken_numbers import write_digits
from factcheck.instant.core.value_lists import list_mentions, split_tokens
from factcheck.instant.core.words import read_words
from knowledge.facts.core.types import DEFAULT_KEYS, LIFE_EVENT, NUMBER_TYPES, THING_TYPES

_OPEN = read_words("open_questions")
_CLOSED, _NOR = read_words("open_questions_closed"), read_words("open_questions_nor")
"""Of those what opens no question that ends with "right?": "any pork", 还是; in the negative also "nor": ولا."""
_LIMITS = read_words("limits_of_sums")
CONFIRMED = ".confirmed"
"""What the pattern of a fact ends with that a yes states: all such facts have the words of the yes."""
_SENTENCE = re.compile(r"[^.!?؟\n]+(?:\.(?=\d)[^.!?؟\n]+)*[.!?؟]*")
_MAX_WORDS_OF_TAG = 4
"""Of a question that only asks whether the sentence before it is right: "Is that correct?"."""
_TAG_WORDS = read_words("tag_words")
_DAY = read_words("day_questions")
PLAYS = compile_phrases("answers", "played_checks")
MAX_PREVIOUS = 600
"""Characters of the assistant's message in which it may give a part to play."""
_THAT_ONE = re.compile(r"(?<!\w)(?:that|it|this|them|это|этого|него|нее|هذا|منه|منها|hada|keda)(?!\w)|这个|那个")
_AUTHOR = read_words("first_person")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
_WORD = re.compile(r"[^\W_](?:[\w'’-]*[^\W_])?")
_MORE = re.compile(
    r"(?<!\w)(?:above|over|more than|beyond|выше|больше|дороже|свыше|فوق|اكثر من|akthar men|aktar men) (?=\W*\d)"
    r"|超过 ?(?=\d)"
)
"""What an offer goes beyond is no limit: "Shall I go above $75?"."""
_CHINESE_DATE = re.compile(r"\d+ ?月 ?\d+ ?[号日]?")
"""Its day is no size, which has the same sign."""
RELATIVE_THAT = re.compile(r"[,،]\s*что(?!\w)")
"""What leads to what is checked: «правильно понимаю, что …»."""


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
    question = _find_check(previous)
    if question and not (REMOVES.search(question) or PLAYS.search(fold(previous[-MAX_PREVIOUS:]))):
        yield from read_dated_event(message, previous, question, concepts, now)
        yield from _read_confirmed(message, previous, question, concepts, now, read)


def is_open(words: frozenset[str], question: str) -> bool:
    """Whether a question leaves open what it asks: "what …", "any …", "this or that"."""
    closed = _CLOSED if NEGATIONS.isdisjoint(words) else _CLOSED | _NOR
    return not (words & _OPEN) <= (closed if TAG.search(question) else frozenset())


def is_no_check(check: str) -> bool:
    """Whether a question only supposes, tells or offers something, or offers to go beyond a number."""
    goes_beyond = _MORE.search(check) is not None and OFFERED.search(check) is not None
    return goes_beyond or (NO_CHECK.search(check) is not None and list_asked(check)[:1] != ("hard_ban",))


def _find_check(previous: str) -> str:
    """The folded sentence that asks last, as `find_last`; nothing where the assistant speaks of itself in it."""
    check = find_last(find_question(previous))
    is_own = is_of_itself(frozenset(_WORD.findall(check))) and OFFERED.search(check) is None
    return "" if is_own else check


def is_of_itself(words: frozenset[str]) -> bool:
    """Whether the assistant speaks of itself and not of its reader, by the words of a sentence."""
    return not _AUTHOR.isdisjoint(words) and READER.isdisjoint(words)


def find_last(said: str) -> str:
    """The sentence of a folded text that asks last, or the last one, with the one before it where it only asks whether
    that is right, or when that is, or names but a number for what that asks; nothing where it asks whether there is
    none.
    """
    sentences = [each.strip() for each in _SENTENCE.findall(said) if each.strip()]
    if not sentences:
        return ""
    asking = [number for number, each in enumerate(sentences) if each.endswith(("?", "؟"))]
    sentences = sentences[: asking[-1] + 1] if asking else sentences
    last = frozenset(_WORD.findall(sentences[-1]))
    is_tag = len(last) <= _MAX_WORDS_OF_TAG and not (_TAG_WORDS.isdisjoint(last) and _DAY.isdisjoint(last))
    check = " ".join(sentences[-2 if is_tag or _THAT_ONE.search(sentences[-1]) else -1 :])
    if len(sentences) > 1 and last and all(map(_NUMBER.fullmatch, last)):
        asked = " ".join(word for word in _WORD.findall(sentences[-2]) if word not in _OPEN)
        check = f"{asked}: {sentences[-1]}"  # "What's the size? 38?"
    return "" if ASKS_WHETHER_NONE.search(check) else check


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
    check = RELATIVE_THAT.sub(", ", TAG.sub(" ", NO_MORE.sub(" below ", question)))
    words = frozenset(word for word, _, _ in split_tokens(check, 0, len(check)))
    if is_open(words, question) or is_taken_back(message.text):
        return
    if is_no_check(check):
        return
    values = frozenset(_NUMBER.findall(check))
    keys = list_confirmed_keys(message.text) if values else frozenset()
    is_negative = not NEGATIONS.isdisjoint(words)
    if keys:
        yes: Yes | None = Yes(len(message.text.rstrip()), keys=keys)
    else:
        yes = read_yes(message.text, is_negative=is_negative, asked_values=values)
    if yes is None:
        return
    is_told = TAG.search(question) is not None or say_as_reader(check) != say_plainly(check)
    named = list(list_named(check, words, concepts, now))
    stated = named or list(read(say_as_reader(check)))
    first, last = message.locate(0, yes.end)
    for place, fact in enumerate(stated):
        if named and not _may_be_so(fact, words, previous, concepts, is_told=is_told):
            continue
        if yes.covers(place, len(stated), fact) and (fact.type == LIFE_EVENT or not is_of_others(check)):
            yield replace(
                fact, value=yes.swaps.get(fact.value, fact.value), start=first, end=last,
                quote=message.source[first:last], confidence=CONFIDENCE,
                pattern=f"{ANSWERS}/answer.{fact.type}{CONFIRMED}", answers_previous=True,
            )  # fmt: skip


def list_named(
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
            yield make_fact(told, make_answer_row(asked[0]), thing.key, thing.value, *whole)
    if "budget" in asked or not _LIMITS.isdisjoint(words):
        amount = read_amount(write_digits(check), "")
        if amount is not None:
            yield make_fact(told, make_answer_row("budget"), DEFAULT_KEYS["budget"], amount, *whole)
    elif DIGIT.search(check) or not NUMBER_KEYS.isdisjoint(asked):
        for key, value in _list_measures(check, asked):
            yield make_fact(told, make_answer_row("body_params"), key, value, *whole)
    if not is_over(words):
        yield from read_asked_event(check, concepts, now)


def _list_measures(check: str, asked: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The measures that a question names; where none has a name of its own, the one that is asked for."""
    said = fold_message(say_as_reader(_CHINESE_DATE.sub(" ", check)))
    if "%" in check:
        return
    whole = (0, len(said.text))
    is_expected = bool(list_labels(said.text, whole)) or not NUMBER_KEYS.isdisjoint(asked)
    named = read_measures(said, whole, is_expected=is_expected)
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


def _may_be_so(
    fact: ExtractedFact, words: frozenset[str], previous: str, concepts: ConceptTable, *, is_told: bool
) -> bool:
    """Whether the assistant says that it is so, not the opposite ("You can eat peanuts, right?"); of an event that it
    is its reader's, where the question does not speak to them or ends with a tag (`is_told`).
    """
    if fact.type in NUMBER_TYPES:
        return NEGATIONS.isdisjoint(words)
    if fact.type == LIFE_EVENT:
        return may_be_readers(fact, words, previous, concepts, least=0 if is_told else 1)
    said = list_polarities(fact, previous, concepts)
    if fact.type == "allergy" and 1 not in said and not NEGATIONS.isdisjoint(words):
        return False
    return -1 not in said


def list_polarities(fact: ExtractedFact, previous: str, concepts: ConceptTable) -> set[int]:
    """1 where the assistant says that a thing is so, -1 where it says the opposite."""
    known = KnownFact(0, fact.type, fact.key, fact.value)
    return {claim.polarity for claim in read_claims(previous, [known], concepts).claims}
