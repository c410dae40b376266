"""Rows of a hashed table for the words of a text, by their consonants: spellings of one word share them.

The embedder was taught little Arabic in Latin letters, where everybody spells in their own way, and cuts such words
into pieces that mean nothing to it. Fitted layers read the rows of a word beside its pieces; fastText has its tables of
parts of words for the same reason. The rows are what a shipped table was fitted by: a change of them, or of skeletons,
needs another fit (``manage.py fit_tagger``).
"""

from __future__ import annotations

import itertools
import re
import zlib
from dataclasses import dataclass
from functools import lru_cache

from factcheck.instant.core.arabizi import list_arabizi_readings, list_skeletons, make_arabizi_skeleton
from knowledge.text.folding import normalise

TABLE_ROWS = 16384
"""A megabyte in half precision."""
_MAX_SKELETONS = 6
_MIN_LENGTH = 2
"""Consonants; one alone says nothing."""
_LATIN_LETTER = "a-z\u00c0-\u024f"
_ARABIC_LETTER = "\u0620-\u065f\u0670-\u06d3\u06d5"
_WORD = re.compile(
    f"(?=[0-9'’]*[{_LATIN_LETTER}])[0-9{_LATIN_LETTER}](?:['’]?[0-9{_LATIN_LETTER}\u0300-\u036f])*|[{_ARABIC_LETTER}]+",
    re.IGNORECASE,
)
"""In Latin letters with the digits of Arabizi, or in Arabic ones with their marks; 我对peanuts过敏 has one word."""
_ARABIC = re.compile(f"[{_ARABIC_LETTER}]")
_ENDING = re.compile("ة$")
"""Silent, or a t; folded with the ه that stands for ح in Latin letters."""
_JOINED = re.compile("^(?:[وبفك]?ال|لل|و)(?=..)")


@dataclass(frozen=True, slots=True)
class IndexedWords:
    """The words of a text."""

    indexes: list[int]
    """Of each letter the number of its word in `rows`; 0 between words and in other letters."""
    rows: list[tuple[int, ...]]
    """Of each word; the first is no word and has none."""


def index_words(text: str) -> IndexedWords:
    """The words of a text with their rows."""
    indexes = [0] * len(text)
    rows: list[tuple[int, ...]] = [()]
    for match in _WORD.finditer(text):
        indexes[match.start() : match.end()] = [len(rows)] * len(match[0])
        rows.append(hash_skeletons(match[0]))
    return IndexedWords(indexes, rows)


@lru_cache(maxsize=20_000)
def hash_skeletons(word: str) -> tuple[int, ...]:
    """The rows of a word in Arabic or Latin letters, with and without what is joined to its beginning."""
    if _ARABIC.search(word):
        folded = normalise(_ENDING.sub("", word))
        readings = [_list_by_length(each) for each in dict.fromkeys((_JOINED.sub("", folded), folded))]
    else:
        readings = [[make_arabizi_skeleton(each)] for each in list_arabizi_readings(normalise(word))]
    by_rank = itertools.chain(*itertools.zip_longest(*readings, fillvalue=""))
    skeletons = [each for each in dict.fromkeys(by_rank) if len(each) >= _MIN_LENGTH]
    return tuple(dict.fromkeys(zlib.crc32(each.encode()) % TABLE_ROWS for each in skeletons[:_MAX_SKELETONS]))


def _list_by_length(arabic: str) -> list[str]:
    """The fewer letters are left silent, the sooner a skeleton comes."""
    return sorted(dict.fromkeys(list_skeletons(arabic, alone=False)), key=len, reverse=True)
