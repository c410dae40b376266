"""Words of a player that only repeat what they were told: they prove nothing about the player."""

from __future__ import annotations

import re
from collections.abc import Iterable

from factcheck.extraction.core.given import Span

MIN_WORDS = 8
"""Words in a row. Shorter runs are ordinary speech; source: seed 002's rule for recalled text."""
_WORD = re.compile(r"\w+")
_HAN = re.compile("[\u4e00-\u9fff]")


def find_echoes(text: str, told: Iterable[str]) -> tuple[Span, ...]:
    """The spans of a text that say `MIN_WORDS` words in a row as one of the texts told before, case aside.

    Chinese has no spaces: there a word is a character.
    """
    words = _split(text)
    if len(words) < MIN_WORDS:
        return ()
    known: set[tuple[str, ...]] = set()
    for each in told:
        known.update(_list_runs([word for word, _, _ in _split(each)]))
    spans: list[Span] = []
    for place, run in enumerate(_list_runs([word for word, _, _ in words])):
        if run in known:
            start, end = words[place][1], words[place + MIN_WORDS - 1][2]
            if spans and start <= spans[-1][1]:
                spans[-1] = (spans[-1][0], end)
            else:
                spans.append((start, end))
    return tuple(spans)


def _split(text: str) -> list[tuple[str, int, int]]:
    words: list[tuple[str, int, int]] = []
    for match in _WORD.finditer(text):
        if _HAN.search(match.group()):
            words += [
                (letter, match.start() + place, match.start() + place + 1) for place, letter in enumerate(match.group())
            ]
        else:
            words.append((match.group().casefold(), match.start(), match.end()))
    return words


def _list_runs(words: list[str]) -> list[tuple[str, ...]]:
    return [tuple(words[start : start + MIN_WORDS]) for start in range(len(words) - MIN_WORDS + 1)]
