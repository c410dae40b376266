"""What an answer picks of what the question offers in any words: "Samantha, or shall I call you Sam?" – "2nd one"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from factcheck.instant.core.answer_choices import BOTH, list_places
from factcheck.instant.core.chinese import join_chinese
from factcheck.instant.core.extracted import ExtractedFact
from factcheck.instant.core.messages import FoldedMessage, fold
from factcheck.instant.core.reader_words import compile_phrases
from factcheck.instant.core.said_by_reader import say_as_reader
from factcheck.instant.core.said_yes import SPOKEN_TO
from factcheck.instant.core.value_lists import list_words
from factcheck.instant.core.words import read_words

_MAX_WORDS = 14
_MAX_WORDS_OF_FIRST = 3
"""Of what stands before "or": farther words are the question's."""
_OR = re.compile(r",?\s*(?<!\w)(?:or|или|او|ولا|ام|والا|walla|wala|wla|aw|wella)(?!\w)\s*|\s*(?:还 ?是|或者?)\s*")
_COMMA = re.compile(r"\s*[,،、]\s*")
_QUESTION = re.compile(r"[^.!?؟\n]*[?؟]")
_END = re.compile(r"[?؟,،;:—–]|(?<!\w)(?:that|which|who|what|котор\w+|elli|illi|اللي|الذي|التي|الي)(?!\w)")
"""Where an option ends: "almonds, which one?"."""
_WORD = re.compile(r"[^\W\d_]+")
_CLAUSE = re.compile(r"[,،.!?؟;:(\n]|\s[-–—]\s")
_QUOTES = re.compile('[«»“”"]')
_NUMBER = re.compile(r"\d[\d.,]*")
_LESS = compile_phrases("answers", "the_less")
_GREATER = compile_phrases("answers", "the_greater")
_OTHER_CASE = read_words("answer_refusals") | read_words("answer_buts") | read_words("deferrals")


def read_chosen(
    message: FoldedMessage, previous: str, read: Callable[[str, str], Iterable[ExtractedFact]]
) -> list[ExtractedFact]:
    """The facts of the one option that a short answer picks by its place or its size, with the answer as their words.

    `read` gives the facts of an answer behind the assistant's message. Both or all of the options are picked elsewhere,
    where readers know them.
    """
    folded = SPOKEN_TO.sub("", message.text)
    words = list_words(folded)
    if not words or len(words) > _MAX_WORDS or BOTH.search(folded) or words[0] in _OTHER_CASE:
        return []
    options = _list_options(previous)
    chosen = _choose(folded, options) if len(options) > 1 else None
    if chosen is None:
        return []
    end = len(message.source.rstrip())
    return [
        replace(fact, start=0, end=end, quote=message.source[:end], answers_previous=True)
        for said in dict.fromkeys(_as_written(each, previous) for each in (chosen, say_as_reader(chosen)))
        for fact in read(said, previous)
    ]


def _as_written(option: str, previous: str) -> str:
    """A folded option with the letters of names as they were written: "call me Sam", أبو خالد."""
    written = {fold(word): word for word in _WORD.findall(previous)}
    return _WORD.sub(lambda match: written.get(match[0], match[0]), option)


def _choose(folded: str, options: list[str]) -> str | None:
    """The option that an answer picks; None where it picks none, or several."""
    numbers = [number for option in options if (number := _NUMBER.search(option))]
    if (
        len(numbers) == len(options)
        and not _NUMBER.search(folded)
        and (_LESS.search(folded) or _GREATER.search(folded))
    ):
        ranked = sorted((number[0] for number in numbers), key=lambda said: float(said.replace(",", "").rstrip(".")))
        unit = numbers[-1].string[numbers[-1].end() :]
        return (ranked[0] if _LESS.search(folded) else ranked[-1]) + unit
    places = [place for place, is_wanted in list_places(_CLAUSE.split(folded.strip())[0]) if is_wanted is not False]
    if len(places) != 1 or _NUMBER.fullmatch(folded.strip()) or not -len(options) <= places[0] < len(options):
        return None
    return options[places[0]]


def _list_options(previous: str) -> list[str]:
    """What the last question with an "or" offers, in its own words: of what stands before it the last few."""
    for question in reversed(_QUESTION.findall(fold(previous))):
        parts = [part for part in _OR.split(question) if part.strip(" ?؟")]
        if len(parts) == 1:
            continue
        *earlier, last = parts
        named = [option for part in earlier for option in _list_before(part)]
        return [join_chinese(_QUOTES.sub("", option)) for option in (*named, _END.split(last.strip())[0].strip())]
    return []


def _list_before(part: str) -> list[str]:
    """The options before an "or": behind the last words of the question those that commas part."""
    said = [each for each in _COMMA.split(part.strip()) if each]
    if len(said) < 2:
        return [" ".join(part.split()[-_MAX_WORDS_OF_FIRST:])]
    listed = [each for each in said[1:] if len(each.split()) <= _MAX_WORDS_OF_FIRST]
    return listed or [" ".join(said[0].split()[-_MAX_WORDS_OF_FIRST:])]
