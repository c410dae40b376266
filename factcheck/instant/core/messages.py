"""A message in the spelling that patterns are matched against, with the way back to what was typed."""

from __future__ import annotations

import bisect
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from factcheck.instant.core.chinese import fold_chinese, is_chinese, trace_chinese
from knowledge.text.folding import normalise

_STRETCHED = re.compile(r"([^\W\d_xх])\1{2,}")
_THREE_ALIKE = re.compile(r"(.)\1\1")
"""Any three: a sixth of the time of looking for letters, where nothing is stretched."""
_FRACTION_SIGNS = dict(zip(map(ord, "½¼¾⅛⅜⅝⅞"), (".5", ".25", ".75", ".125", ".375", ".625", ".875"), strict=True))
"""As `71/2` "7½" could not be told from a date."""
_FRACTION_SIGN = re.compile("[½¼¾⅛⅜⅝⅞]")
_SENTENCE_END = re.compile(r"[!?؟;؛\n…]|\.(?=\s|$)")
_MAX_SENTENCE_SIDE = 240


@dataclass(slots=True)
class FoldedMessage:
    """The folded text of a message; offsets into it lead back to the message as typed."""

    source: str
    text: str
    _origins: list[int] | None = field(default=None, repr=False)
    instructions: dict[tuple[int, int], Any] = field(default_factory=dict, repr=False)
    """What was read of its sentences as standing instructions: several cues may stand in one."""
    _searched: dict[tuple[int, str], bool] = field(default_factory=dict, repr=False)
    _matched: dict[tuple[int, str], Sequence[int]] = field(default_factory=dict, repr=False)

    def holds(self, expression: Any, text: str) -> bool:
        """Whether a compiled RE2 expression occurs in a part of the message, looked up once for each part."""
        key = (id(expression), text)
        found = self._searched.get(key)
        if found is None:
            found = self._searched[key] = expression.search(text.encode()) is not None
        return found

    def list_matches(self, expressions: Any, text: str) -> Sequence[int]:
        """Which expressions of a compiled RE2 set occur in a part of the message, looked up once for each part."""
        key = (id(expressions), text)
        found = self._matched.get(key)
        if found is None:
            found = self._matched[key] = tuple(expressions.Match(text.encode()) or ())
        return found

    def quote(self, start: int, end: int) -> str:
        """The typed text that a folded range came from."""
        first, last = self.locate(start, end)
        return self.source[first:last]

    def locate(self, start: int, end: int) -> tuple[int, int]:
        """The range of the typed text that a folded range came from."""
        if self._origins is None:
            self._origins = _trace_origins(self.source, self.text)
        if end <= start:
            return self._origins[start], self._origins[start]
        return self._origins[start], max(self._origins[end], self._origins[end - 1] + 1)

    def find_place(self, offset: int) -> int:
        """The first place of the folded text that came from this place of the typed text or one behind it."""
        if self._origins is None:
            self._origins = _trace_origins(self.source, self.text)
        return min(bisect.bisect_left(self._origins, offset), len(self.text))

    def sentence(self, start: int, end: int) -> tuple[int, int]:
        """The bounds of the sentence around a folded range, looking at most 240 characters to either side."""
        floor = max(0, start - _MAX_SENTENCE_SIDE)
        ceiling = min(len(self.text), end + _MAX_SENTENCE_SIDE)
        first = floor
        for match in _SENTENCE_END.finditer(self.text, floor, start):
            first = match.end()
        closing = _SENTENCE_END.search(self.text, max(start, end - 1), ceiling)
        return first, closing.end() if closing else ceiling


def fold_message(source: str) -> FoldedMessage:
    """The message folded: compatibility forms, case, Arabic forms, invisible characters, stretched letters."""
    return FoldedMessage(source, fold(source))


def fold(text: str) -> str:
    """The text as `normalise` leaves it, with letters that are stretched for effect (`sooo`) written once.

    Chinese is simplified and cut into words (`fold_chinese`).
    """
    plain = _normalise(text)
    return fold_chinese(_STRETCHED.sub(r"\1", plain) if _THREE_ALIKE.search(plain) else plain)


def _normalise(text: str) -> str:
    has_sign = not text.isascii() and _FRACTION_SIGN.search(text) is not None
    return normalise(text.translate(_FRACTION_SIGNS) if has_sign else text)


def _trace_origins(source: str, folded: str) -> list[int]:
    """For each place of the folded text the place it came from, and the source's length at the end."""
    if not is_chinese(source):
        return _trace_plain(source, folded)
    plain = _STRETCHED.sub(r"\1", _normalise(source))
    origins = _trace_plain(source, plain)
    return [origins[place] for place in trace_chinese(plain)]


def _trace_plain(source: str, folded: str) -> list[int]:
    if source.isascii() and len(source) == len(folded):
        return list(range(len(source) + 1))
    plain: list[str] = []
    places: list[int] = []
    for start, cluster in _clusters(source):
        for character in _normalise_cluster(cluster):
            plain.append(character)
            places.append(start)
    joined = "".join(plain)
    origins: list[int] = []
    position = 0
    for match in _STRETCHED.finditer(joined):
        origins += places[position : match.start() + 1]
        position = match.end()
    origins += places[position:]
    if len(origins) != len(folded):  # forms that only meet across clusters: proportional places are near enough
        share = len(source) / max(1, len(folded))
        origins = [min(len(source), int(place * share)) for place in range(len(folded))]
    return [*origins, len(source)]


_normalise_cluster = lru_cache(maxsize=10_000)(_normalise)


def _clusters(source: str) -> list[tuple[int, str]]:
    clusters: list[tuple[int, str]] = []
    start = 0
    for place in range(1, len(source) + 1):
        if place == len(source) or not (unicodedata.combining(source[place]) or source[place] == "\u0640"):
            clusters.append((start, source[start:place]))
            start = place
    return clusters
