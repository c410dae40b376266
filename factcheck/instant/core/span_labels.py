"""Which words of a labelled line say each of its facts: labels name the thing, not its place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.labelled_lines import Expected, LabelledLine, is_meant
from factcheck.instant.core.messages import FoldedMessage, fold
from factcheck.instant.core.tagged_words import Word
from factcheck.instant.core.value_choice import Candidate
from factcheck.instant.core.value_lists import list_words

_ARABIC_PREFIXES = ("وال", "بال", "فال", "كال", "لل", "ال", "و", "ب", "ل", "ف")
_MIN_STEM_LENGTH = 3
_MAX_ENDING_LENGTH = 4
_CLOSE = 0.9
"""From which on a longer spelling is taken rather than a closer one."""
MAX_HIT_LENGTH = 40
"""Characters; a longer place of what a pattern heard is the statement, not the thing."""


@dataclass(frozen=True, slots=True)
class LabelledWords:
    """The words that say a fact; none where they were not found."""

    kind: str
    words: frozenset[int]


def label_words(
    line: LabelledLine,
    message: FoldedMessage,
    words: Sequence[Word],
    candidates: Sequence[Candidate],
    concepts: ConceptTable,
) -> list[LabelledWords]:
    """The words of each fact: where a reader finds its value, else where one of its spellings stands."""
    return [
        LabelledWords(
            each["type"], frozenset(_find_read(each, words, candidates, concepts) or _find_spelt(each, words))
        )
        for each in line.expected
    ]


def _find_read(
    expected: Expected, words: Sequence[Word], candidates: Sequence[Candidate], concepts: ConceptTable
) -> set[int]:
    found: set[int] = set()
    for candidate in candidates:
        start, end = candidate.span
        if end - start <= MAX_HIT_LENGTH and is_meant(candidate.fact, expected, concepts):
            found |= {number for number, word in enumerate(words) if word.start < end and word.end > start}
    return found


def _find_spelt(expected: Expected, words: Sequence[Word]) -> set[int]:
    """The place of the longest spelling whose words stand there in some form."""
    best: tuple[bool, int, float] = (False, 0, 0.0)
    found: set[int] = set()
    for spelling in expected["any_of"]:
        folded = fold(str(spelling)).replace("_", " ").replace("-", " ")
        said = list_words(folded)
        for start, likeness in _list_places(said, words):
            rank = (likeness >= _CLOSE, len(said), likeness)
            if rank > best:
                best, found = rank, set(range(start, start + len(said)))
    return found


def _list_places(said: Sequence[str], words: Sequence[Word]) -> Iterator[tuple[int, float]]:
    for start in range(len(words) - len(said) + 1 if said else 0):
        own = words[start : start + len(said)]
        likenesses = [_compare(word.text, each) for word, each in zip(own, said, strict=True)]
        if min(likenesses) > 0:
            yield start, sum(likenesses) / len(likenesses)


def _compare(one: str, other: str) -> float:
    """How alike two forms of a word are: 1 of the same, 0 of two words."""
    if one == other:
        return 1.0
    best = 0.0
    for first in _list_bare(one):
        for second in _list_bare(other):
            shared = next(
                (place for place, pair in enumerate(zip(first, second, strict=False)) if pair[0] != pair[1]),
                min(len(first), len(second)),
            )
            longest, shortest = max(len(first), len(second)), min(len(first), len(second))
            if shared == longest:
                best = max(best, 0.95)
            elif shared >= max(_MIN_STEM_LENGTH, shortest - 2, longest - _MAX_ENDING_LENGTH):
                best = max(best, 0.6 + 0.3 * shared / longest)
    return best


def _list_bare(word: str) -> set[str]:
    """An Arabic word without what is joined before it, too."""
    return {word} | {
        word.removeprefix(prefix)
        for prefix in _ARABIC_PREFIXES
        if word.startswith(prefix) and len(word) - len(prefix) >= _MIN_STEM_LENGTH
    }
