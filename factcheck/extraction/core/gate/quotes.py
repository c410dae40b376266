"""Where a quote stands in the raw text of a message: the same words but for Unicode composition, white space and the
shape of quotation marks and apostrophes, which models retype.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from factcheck.instant.core.narrative_modes import Span

_MARKS = str.maketrans({
    "’": "'", "‘": "'", "ʼ": "'", "´": "'", "`": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"',
})  # fmt: skip
_CLUSTER = re.compile(r"\s+|.", re.DOTALL)
_GAPS = re.compile(r"\s\s|[^\S ]")
_JAMO = range(0x1160, 0x1200)
"""Hangul vowels and finals: they compose with what stands before them, and combine with nothing by their class."""
MAX_OCCURRENCES = 20


class QuotedText:
    """A message folded for quotes, with the way back to its raw places."""

    __slots__ = ("_ends", "_starts", "folded")

    def __init__(self, raw: str) -> None:
        self._starts: list[int] | None = None
        self._ends: list[int] | None = None
        if _is_plain(raw):
            self.folded = raw.translate(_MARKS)
        else:
            self.folded, self._starts, self._ends = _fold(raw)

    def find(self, quote: str) -> list[Span]:
        """The raw ranges of the places where the quote stands, in reading order; empty where it does not."""
        wanted = fold_quote(quote).strip(" ")
        found: list[Span] = []
        place = self.folded.find(wanted) if wanted else -1
        while place >= 0 and len(found) < MAX_OCCURRENCES:
            found.append(self._locate(place, place + len(wanted)))
            place = self.folded.find(wanted, place + 1)
        return found

    def _locate(self, start: int, end: int) -> Span:
        if self._starts is None or self._ends is None:
            return start, end
        return self._starts[start], self._ends[end - 1]


def fold_quote(text: str) -> str:
    """A text in the form in which quotes are compared."""
    return text.translate(_MARKS) if _is_plain(text) else _fold(text)[0]


def _is_plain(text: str) -> bool:
    """Whether folding leaves every character in its place."""
    return _GAPS.search(text) is None and (text.isascii() or unicodedata.is_normalized("NFC", text))


def _fold(raw: str) -> tuple[str, list[int], list[int]]:
    parts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for start, end in _list_clusters(raw):
        cluster = raw[start:end]
        folded = " " if cluster.isspace() else unicodedata.normalize("NFC", cluster).translate(_MARKS)
        parts.append(folded)
        starts += [start] * len(folded)
        ends += [end] * len(folded)
    return "".join(parts), starts, ends


def _list_clusters(raw: str) -> Iterator[Span]:
    """Runs of white space, and characters with the marks that compose with them."""
    start = end = -1
    for match in _CLUSTER.finditer(raw):
        first = match[0]
        joins = start >= 0 and not first.isspace() and (unicodedata.combining(first) or ord(first) in _JAMO)
        if joins:
            end = match.end()
            continue
        if start >= 0:
            yield start, end
        start, end = match.span()
    if start >= 0:
        yield start, end
