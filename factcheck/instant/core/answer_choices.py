"""What an answer is made of, and which of several offered things it picks: by their places, or all of them."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass

from factcheck.instant.core.value_lists import ListedValue, split_tokens
from factcheck.instant.core.words import read_words

_YES = read_words("answer_yes")
_REFUSALS = read_words("answer_refusals")
_MIN_OPTIONS = 2
ORDINALS = {
    word: place
    for place, name in {0: "first", 1: "second", 2: "third", 3: "fourth", -1: "last", -2: "middle"}.items()
    for word in read_words(f"ordinal_{name}")
}
_MIDDLE = -2
_TIMES = frozenset(
    {"time", "times", "year", "week", "month", "night", "раз", "году", "неделе", "مره", "marra", "次", "年"}
)
"""Behind an ordinal: it tells when, and picks nothing: «в первый раз слышу»."""
BOTH = re.compile(
    r"(?<!\w)(?:both|كلاهما|كليهما|كلتاهما"
    r"|all(?: of (?:them|the above|those)| three| four)?|each|every(?: one|thing)?|the lot"
    r"|оба|обе|обоих|все"
    r"(?: три| четыре| это| сразу| перечисленное)?|каждое|كلهم|كلها|كلهن|جميعهم|جميعها|الكل|الثنتين"
    r"|الاثنين|الاتنين|التلاته"
    r"|الثلاثه|kolhom|kolha|kellon|kello|kolloh|itnein|etnein|el kol|都|都 ?是|都 ?不|全部|全都|两 ?个 ?都|两者 ?都?"
    r"|统统)(?!\w)"
)


@dataclass(frozen=True, slots=True)
class Answer:
    """One value of an answer: what it is of, and where it stands in the folded answer."""

    type: str
    key: str
    value: str
    start: int
    end: int


def choose_options(folded: str, options: list[ListedValue]) -> list[ListedValue]:
    """The options that an answer picks by place: "the last", "второй", "الأولى والثالثة", "both"."""
    if len(options) < _MIN_OPTIONS:
        return []
    if BOTH.search(folded):
        return options
    chosen: list[ListedValue] = []
    for place, is_wanted in list_places(folded):
        index = resolve_place(place, len(options))
        if is_wanted is not False and index is not None and options[index] not in chosen:
            chosen.append(options[index])
    return chosen


def resolve_place(place: int, count: int) -> int | None:
    """The index of a place of `list_places` among so many options; None where there is none: no middle of two."""
    if place == _MIDDLE:
        return count // 2 if count % 2 else None
    return place if -count <= place < count else None


def list_places(folded: str) -> list[tuple[int, bool | None]]:
    """The places that an answer names, and whether it says yes or no to each: "first one yes, second no"."""
    named: list[tuple[int, bool | None]] = []
    tokens = split_tokens(folded, 0, len(folded))
    for (word, _, _), (following, _, _) in itertools.zip_longest(tokens, tokens[1:], fillvalue=("", 0, 0)):
        if following in _TIMES:
            continue
        bare = word[1:] if word.startswith("و") and word not in ORDINALS else word
        if bare in ORDINALS:
            named.append((ORDINALS[bare], None))
        elif re.fullmatch(r"[1-9]", bare):
            named.append((int(bare) - 1, None))
        elif named and named[-1][1] is None and (word in _REFUSALS or word in _YES):
            named[-1] = (named[-1][0], word not in _REFUSALS)
    return named
