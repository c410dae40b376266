"""What a question asks for besides its words: a time, a period, something that one of the speakers said."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from knowledge.text.analysis import analyse, choose_stemmers
from knowledge.text.folding import normalise
from knowledge.text.languages import DIALOGUE_WORDS
from knowledge.text.periods import Period, find_periods
from knowledge.text.queries import list_telling_forms

_ASIDE = re.compile(r"\[[^\[\]]*\]\s*$")
_END = 80
_QUESTION_MARKS = ("?", "؟", "？", "?!", "？！", "?.")
_AMBIGUOUS_MONTH = "may"
_MAY = re.compile(r"(?<=\w )May\b")
_YEAR = re.compile(r"(?<![\d.,])(?:19|20)\d\d(?![\d%]|[.,]\d)")
_MIN_NICKNAME = 3


@dataclass(frozen=True, slots=True)
class QuestionReading:
    """A question as the ranking of messages reads it."""

    periods: tuple[Period, ...]
    asks_when: bool
    asks_of_self: bool
    """In the first person and not in the second: the asker's own messages answer it."""
    lexemes: tuple[str, ...]
    """In reading order, without words that only ask."""
    words: frozenset[str]
    """All lexemes, for names."""
    text: str
    """Normalised."""


def read_question(text: str, *, today: dt.date) -> QuestionReading:
    """What a question in any of the languages asks for."""
    folded = normalise(text)[:4_000]
    first, second = (_matches_any(_list_person_patterns(person), folded) for person in ("first", "second"))
    return QuestionReading(
        periods=tuple(find_periods(folded, today=today)),
        asks_when=_matches_any(_list_when_patterns(), folded),
        asks_of_self=first and not second,
        lexemes=tuple(forms[0] for forms in list_telling_forms(text[:4_000])),
        words=frozenset(analyse(folded)),
        text=folded,
    )


def find_named(reading: QuestionReading, names: Mapping[str, str]) -> str | None:
    """The key of the only speaker whom a question names, by the whole name or a part of it; None for none or several.

    `names` holds each speaker's name by any key. A part that speakers share names none of them.
    """
    parts = {key: _list_name_parts(name) for key, name in names.items()}
    named = set()
    for key, own in parts.items():
        others: set[str] = set().union(*(other for each, other in parts.items() if each != key))
        if any(_is_said(part, reading) for part in own - others):
            named.add(key)
    return named.pop() if len(named) == 1 else None


@lru_cache(maxsize=10_000)
def _list_name_parts(name: str) -> frozenset[str]:
    """The lexemes of a name in all its forms (split by `;`); of one written without spaces the whole of it."""
    parts: set[str] = set()
    for form in normalise(name).split(";"):
        is_spaced = re.search(r"[\u3040-\u30ff\u3400-\u9fff]", form) is None
        parts |= {part for part in analyse(form) if len(part) > 1} if is_spaced else {form.strip()}
    return frozenset(parts)


def _is_said(part: str, reading: QuestionReading) -> bool:
    """Whether a lexeme of a name stands in the question, whole or shortened as nicknames are: `Mel` for `Melanie`."""
    if part in reading.words or (part >= "\u3040" and part in reading.text):
        return True
    return any(len(word) >= _MIN_NICKNAME and part.startswith(word) for word in reading.lexemes)


def is_question(ending: str) -> bool:
    """Whether a message, given by its last characters, ends by asking; emoji and asides in brackets do not count."""
    said = ending[-_END:].rstrip()
    if said.endswith("]"):
        said = _ASIDE.sub("", said).rstrip()
    while said and not said[-1].isalnum() and said[-1] not in "?؟？.!…。！":
        said = said[:-1].rstrip()
    return said.endswith(_QUESTION_MARKS) or _compile_question_ending().search(said) is not None


@cache
def _compile_question_ending() -> re.Pattern[str]:
    endings = [words.question_endings for words in DIALOGUE_WORDS.values() if words.question_endings]
    return re.compile(rf"(?:{'|'.join(endings)})[。.~～]?$")


def has_time(lexemes: Collection[str], text: str) -> bool:
    """Whether a message holds a word of time: a weekday, a month, a year, `yesterday`, `ago`, `on the weekend`."""
    if not _list_temporal_lexemes().isdisjoint(lexemes) or _YEAR.search(text) is not None:
        return True
    return _AMBIGUOUS_MONTH in lexemes and _MAY.search(text) is not None


@cache
def _list_temporal_lexemes() -> frozenset[str]:
    listed: set[str] = set()
    for code, words in DIALOGUE_WORDS.items():
        for word in words.temporal.split():
            lexemes = list(dict.fromkeys([*analyse(word), *analyse(word, stemmers=choose_stemmers(code))]))
            listed |= {lexeme for lexeme in lexemes if words.is_spaced or len(lexeme) == min(len(word), 2)}
    return frozenset(listed)


@cache
def _list_when_patterns() -> tuple[re.Pattern[str], ...]:
    return tuple(_bound(words.asks_when, words.is_spaced) for words in DIALOGUE_WORDS.values())


@cache
def _list_person_patterns(person: str) -> tuple[re.Pattern[str], ...]:
    return tuple(_bound(getattr(words, f"{person}_person"), words.is_spaced) for words in DIALOGUE_WORDS.values())


def _bound(form: str, is_spaced: bool) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{form})(?!\w)" if is_spaced else f"(?:{form})")


def _matches_any(patterns: Collection[re.Pattern[str]], text: str) -> bool:
    return any(pattern.search(text) for pattern in patterns)
