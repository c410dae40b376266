"""What an answer picks of what the question offers in any words: "Samantha, or shall I call you Sam?" – "2nd one"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from factcheck.instant.core.answer_choices import BOTH, ORDINALS, list_places, resolve_place
from factcheck.instant.core.asked_of import is_of_others
from factcheck.instant.core.chinese import join_chinese
from factcheck.instant.core.extracted import ExtractedFact
from factcheck.instant.core.messages import FoldedMessage, fold
from factcheck.instant.core.reader_words import compile_phrases
from factcheck.instant.core.said_by_reader import say_as_reader
from factcheck.instant.core.said_yes import SPOKEN_TO
from factcheck.instant.core.value_lists import list_words
from factcheck.instant.core.words import read_words

_MAX_WORDS = 14
"""Of an answer; a longer one says more than which."""
_MAX_WORDS_OF_FIRST = 3
"""Of what stands before "or": farther words are the question's."""
_SIGNS = tuple("$€£₽¥")
"""Of currencies that stand before a sum."""
_MAX_WORDS_OF_OWNER = 3
"""Of a clause that says but whose the option is: "the latter, my son"."""
OPTION_SEPARATOR = re.compile(
    r",?\s*(?<!\w)(?:or|или|او|ولا|ام|والا|walla|wala|wla|aw|wella)(?!\w)\s*|\s*(?:还 ?是|或者?)\s*"
)
"""Between two options of a folded question, with the comma and space around it."""
_COMMA = re.compile(r"\s*[,،、]\s*")
_QUESTION = re.compile(r"(?<![^.!?؟\n])[^.!?؟\n]*[?؟]")
_MAX_PREVIOUS = 600
"""Characters at the end of the assistant's message in which it offers something."""
_END = re.compile(r"[?؟,،;:—–]|(?<!\w)(?:that|which|who|what|котор\w+|elli|illi|اللي|الذي|التي|الي)(?!\w)")
"""Where an option ends: "almonds, which one?"."""
_WORD = re.compile(r"[^\W\d_]+")
_CLAUSE = re.compile(r"[,،.!?؟;:(\n]|\s[-–—]\s")
_QUOTES = re.compile('[«»“”"]')
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*(?!\w)")
_PLAIN_NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d{1,2})?")
_PICKS = re.compile(
    r"\W*(?:(?:(?:i(?:'ll| would|'d)? (?:take|like|prefer|go with|pick|say)|go with|make it|it'?s|closer to|around"
    r"|from|of|on|to|with|the|a|an|тот,? что|тот|давай(?:те)?|лучше|наверное|от|на|к|по|с|из"
    r"|من|علي|خلينا|خليها|خلي|el|al|il|men|mn|5alina|khalina)(?!\w)|[选就要那])\s*)*"
)
"""What may stand before the word that picks."""
_BEHIND_PICK = re.compile(
    r"\s*(?:(?:one|option|variant|please|pls|tbh|i think|i guess|вариант\w*|пожалуйста|плиз|لو سمحت\w*|wa7da"
    r"|plz)(?!\w)\s*)*"
    r"(?:(?:那|个|档|款|种|吧|就 ?行|就 ?好|的)\s*)*(?:$|[,،.!;:()\n–—-])"
)
"""What may stand right behind it: no "last time", «в первый раз»."""
_TOO_MUCH = re.compile(r"(?<!\w)(?:too|isn'?t|слишком|не|كتير|كثير عليا|mesh|msh|more or less)(?!\w)|太|不")
_ORDINAL = re.compile(rf"(?:{'|'.join(sorted(map(re.escape, ORDINALS), key=len, reverse=True))}|[1-9])(?!\w)")
_LESS = compile_phrases("answers", "the_less")
_GREATER = compile_phrases("answers", "the_greater")
_OTHERS = read_words("other_people") | {"у", "maybe", "может", "يمكن", "可能"}
"""Whose option it is, or that nobody knows: «второе у дочки»."""
_SAYS_OTHERWISE = read_words("answer_refusals") | read_words("answer_buts") | read_words("deferrals")
"""What an answer begins with that picks nothing: a no, a "but", "let me think"."""


def read_chosen(
    message: FoldedMessage, previous: str, read: Callable[[str], Iterable[ExtractedFact]]
) -> list[ExtractedFact]:
    """The facts of the one option that a short answer picks by its place or its size, with the answer as their words.

    `read` gives the facts of an answer to the assistant's message `previous`. Both or all of the options are picked
    elsewhere, where readers know them.
    """
    folded = SPOKEN_TO.sub("", message.text)
    words = list_words(folded)
    if not words or len(words) > _MAX_WORDS or BOTH.search(folded) or words[0] in _SAYS_OTHERWISE:
        return []
    first = _CLAUSE.split(folded.strip())[0]
    is_asking = folded.rstrip().endswith(("?", "؟"))
    if is_asking or not _OTHERS.isdisjoint(_list_words_near(folded, first)) or is_of_others(fold(previous)):
        return []
    if not (_LESS.search(first) or _GREATER.search(first) or list_places(first)):
        return []
    options = _list_options(previous[-_MAX_PREVIOUS:])
    chosen = _choose(first, options) if len(options) > 1 else None
    if chosen is None or list_places(chosen):
        return []  # "your first or last name?"
    end = len(message.source.rstrip())
    return [
        replace(fact, start=0, end=end, quote=message.source[:end], answers_previous=True)
        for said in dict.fromkeys(_as_written(each, previous) for each in (chosen, say_as_reader(chosen)))
        for fact in read(said)
    ]


def _list_words_near(folded: str, first: str) -> list[str]:
    """The words of the first clause, and of the next where that says but who: "the latter, my son"."""
    clauses = [list_words(part) for part in _CLAUSE.split(folded.strip())]
    following = next((words for words in clauses[1:] if words), [])
    return list_words(first) + (following if len(following) <= _MAX_WORDS_OF_OWNER else [])


def _as_written(option: str, previous: str) -> str:
    """A folded option with the letters of names as they were written: "call me Sam", أبو خالد."""
    written = {fold(word): word for word in _WORD.findall(previous)}
    return _WORD.sub(lambda match: written.get(match[0], match[0]), option)


def _choose(said: str, options: list[str]) -> str | None:
    """The option that the first clause of an answer picks; None where it picks none, or several."""
    lead = _PICKS.match(said)
    start = lead.end() if lead else 0
    less, greater = (_match_size(said, start, phrases) for phrases in (_LESS, _GREATER))
    if less or greater:
        return _pick_by_size(options, least=less) if less != greater and not _TOO_MUCH.search(said) else None
    word = _ORDINAL.match(said, start)
    places = list_places(word[0]) if word else []
    if word is None or len(places) != 1 or len(list_places(said)) != 1 or not _BEHIND_PICK.match(said, word.end()):
        return None
    index = resolve_place(places[0][0], len(options))
    return None if index is None else options[index]


def _match_size(said: str, start: int, phrases: re.Pattern[str]) -> bool:
    """Whether a phrase of size is all that picks: "the lower one", not "higher than that"."""
    found = phrases.match(said, start)
    return found is not None and _BEHIND_PICK.match(said, found.end()) is not None


def _pick_by_size(options: list[str], *, least: bool) -> str | None:
    """The option with the least or the greatest number, with the words behind the last one's: "300 euros"."""
    numbers = [_NUMBER.findall(option) for option in options]
    if any(len(found) != 1 or not _PLAIN_NUMBER.fullmatch(found[0]) for found in numbers):
        return None
    ranked = sorted(range(len(options)), key=lambda place: float(numbers[place][0].replace(",", "")))
    place = ranked[0] if least else ranked[-1]
    before, number, behind = options[place].partition(numbers[place][0])
    unit = behind.strip() or options[-1].partition(numbers[-1][0])[2].strip()
    return f"{before[-1:] if before[-1:] in _SIGNS else ''}{number} {unit}".strip()


def _list_options(previous: str) -> list[str]:
    """What the last question with an "or" offers, in its own words: of what stands before it the last few."""
    for question in reversed(_QUESTION.findall(fold(previous))):
        parts = [part for part in OPTION_SEPARATOR.split(question) if part.strip(" ?؟")]
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
