"""Words of size, clothes and wearing around a figure: what tells a size from any other number or letter."""

from __future__ import annotations

import re
from collections.abc import Sequence

from factcheck.instant.core.measure_labels import BORDER
from factcheck.instant.core.measure_values import Piece
from factcheck.instant.core.narrative_modes import Span
from factcheck.instant.core.reader_words import compile_phrases, read_group

_MAX_TAIL = 40
"""Characters before a figure in which the word stands that it is about."""

_BEFORE_GARMENT = re.compile(r"^(?:(?:in|on|for|at|up|size|в|на|по|для|في|ف|fi|f|bel|fel|the|my|most|all|ال|el|al) )+")
_FILLERS_AT_END = re.compile(r"(?:[\s:=-]+|(?<!\w)(?:a|an|the|is|usually|обычно|размер|в|это|like)(?!\w))+$")
_WEARING = re.compile(
    r"(?<![\w'])(?:wear|i take|i fit|takes?|order|buy|ношу|носить|беру|на мне|влезаю в|надену|البس|بلبس|كنلبس|"
    r"نلبس|لابس\w*|ارتدي|لبسي|balbes|alb[aei]s|"
    r"labes|lebsi|kanlbes|nalbes)(?:\s+(?:a|an|in|в|about|around|like|обычно|usually|always|"
    r"size))*\s*$"
)
_BEING = re.compile(r"(?<![\w'])(?:i'?m|i am)(?:\s+(?:usually|normally|like|about|more of|between))*\s+an?\s*$")


def mentions(text: str, span: Span, group: str, name: str = "") -> bool:
    """Whether a sentence holds a phrase of a group of `readers.yaml`, or of one entry of it."""
    return compile_phrases(group, name).search(text, *span) is not None


def starts_with_garment(after: str) -> bool:
    """Whether clothes are named behind a value: "in dresses"."""
    rest = _BEFORE_GARMENT.sub("", after)
    return any(compile_phrases("garments", name).match(rest) for name in read_group("garments"))


def ends_with_garment(before: str) -> bool:
    """Whether clothes are named right before a value: "jeans: "."""
    tail = re.sub(r"[\s:=,-]+$", "", before)[-_MAX_TAIL:]
    return any(_ends_in(tail, compile_phrases("garments", name)) for name in read_group("garments"))


def last_word_matches(before: str, names: Sequence[str]) -> bool:
    """Whether a word of size (`size`, `wear`) stands before a value with nothing but fillers between."""
    tail = _FILLERS_AT_END.sub("", before)[-_MAX_TAIL:]
    return any(_ends_in(tail, compile_phrases("size_words", name)) for name in names)


def ends_with(before: str, expression: re.Pattern[str]) -> bool:
    """Whether an expression ends right before a value."""
    return _ends_in(before.rstrip(" :-")[-30:], expression)


def _ends_in(tail: str, expression: re.Pattern[str]) -> bool:
    return any(match.end() == len(tail) for match in expression.finditer(tail))


def find_garment(text: str, span: Span, piece: Piece) -> str:
    """The part of the body whose clothes stand nearest to a piece, behind or before it."""
    best: tuple[int, str] | None = None
    for name in read_group("garments"):
        for match in compile_phrases("garments", name).finditer(text, *span):
            between = text[match.end() : piece.start] if match.end() <= piece.start else text[piece.end : match.start()]
            distance = len(between) + (20 if BORDER.search(between) else 0)
            if name != "clothes" and (best is None or distance < best[0]):
                best = distance, name
    return best[1] if best else ""


def is_worn(before: str, piece: Piece) -> bool:
    """Whether a number is what somebody wears, takes or is: "i usually wear a ", "i'm normally a "."""
    if _WEARING.search(before) and piece.number >= 4:
        return True
    return _BEING.search(before) is not None and piece.number <= 70
