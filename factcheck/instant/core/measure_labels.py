"""Names of measures beside figures: which measure a figure is of, and whether it can be one of that."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from factcheck.instant.core.measure_values import HEIGHT_RANGE, WEIGHT_RANGE, Piece
from factcheck.instant.core.narrative_modes import Span
from factcheck.instant.core.reader_words import compile_phrases, read_group
from factcheck.instant.core.value_types import ReadValue

_RANGES = {
    "shoe_size": (1, 52), "waist": (20, 170), "hips": (28, 180), "chest": (28, 170), "belly": (24, 180),
    "under_bust": (26, 130), "inseam": (24, 100), "neck": (12, 55), "sleeve": (20, 95), "shoulders": (14, 70),
    "thigh": (15, 90), "calf": (10, 60), "wrist": (5, 25), "ankle": (6, 35), "bicep": (9, 60), "ring_size": (1, 70),
    "hat_size": (6, 66), "glove_size": (4, 13), "belt_size": (24, 140), "height_cm": (120, 230),
    "weight_kg": (30, 250), "bra_size": (0, 0),
}  # fmt: skip
"""Least and largest value of a measure, in inches or centimetres."""
_FOOT_LENGTHS = range(215, 311, 5)
"""In millimetres, as shoes are marked in China."""
_HALVES = frozenset({"shoe_size", "ring_size", "neck", "hat_size", "glove_size"})
"""Measures that have halves."""
LETTERED = frozenset({"glove_size", "ring_size", "hat_size"})
"""Measures that are letters as well: a ring in size N."""
WORD = re.compile(r"[^\W_]+(?:'[^\W\d_]+)*")
BORDER = re.compile(r"[,،;:()\n|]|(?<!\w)(?:but|а|но|بس|bas)(?!\w)")
_MAX_GAP = 6
_NEXT_TO = 3
_UNMISTAKABLE = frozenset({"height_cm", "weight_kg"})
"""Measures whose figures are hardly anything else: two unknown words may stand between ("وزني يا دكتور ١٠٤")."""
_NUMBERED = frozenset({"shoe_size", "ring_size", "glove_size", "hat_size"})
"""Measures that are ordinal numbers in Russian: «нога сорок третья»."""
ORDINAL_END = re.compile(r"-?(?:й|ый|ой|го|ого|ом|му)(?!\w)")
_SPOKEN_ORDINAL = re.compile(r"(?:ый|ой|ий|ого|ому|ом|ую|ая|ья)$")
_MAX_BARE_KILOS, _MIN_BARE_HALF_KILOS = 75, 111
"""Weight in Chinese without a unit: up to the first in kilograms, from the second on in 斤, between them in either."""
_RANGE = re.compile(r"\s?[-–/]\s?|\s(?:to|or|до)\s")


@dataclass(frozen=True, slots=True)
class Label:
    """The name of a measure in a text: "waist", «обхват груди»."""

    key: str
    start: int
    end: int
    is_chinese: bool = False


def list_labels(text: str, span: Span) -> list[Label]:
    """The names of measures in a sentence, in reading order; of two that overlap the longer one."""
    found = [
        Label(key, *match.span(), is_chinese=match[0][0] > "\u2e7f")
        for key in _label_keys()
        for match in compile_phrases("measure_labels", key).finditer(text, *span)
    ]
    longest = sorted(found, key=lambda label: label.start - label.end)
    kept: list[Label] = []
    for label in longest:
        if not any(label.start < other.end and other.start < label.end for other in kept):
            kept.append(label)
    return sorted(kept, key=lambda label: label.start)


def find_label(text: str, span: Span, pieces: Sequence[Piece], index: int, labels: Sequence[Label]) -> Label | None:
    """The label nearest to a piece with nothing but fillers between; before it, unless values stand first."""
    piece = pieces[index]
    values_first = bool(labels) and labels[0].start > pieces[0].start and labels[-1].start > pieces[-1].start
    best: tuple[float, Label] | None = None
    is_ordinal = _is_ordinal(text, piece)
    for label in labels:
        is_before = label.end <= piece.start
        low, high = (label.end, piece.start) if is_before else (piece.end, label.start)
        if low > high or (not is_before and not values_first and _belongs_to_next(text, pieces, index, label)):
            continue
        if not is_before and label.is_chinese and "," in text[low:high]:
            continue  # 178，体重保密
        distance = measure_gap(text, low, high, 2 if label.key in _UNMISTAKABLE else 1)
        others = [other for other in pieces if other is not piece and low <= other.start < high]
        if distance is None or (others and not _is_listed(text, others, piece, low, high)):
            continue
        distance += 1.5 if is_before and values_first else 0 if is_before else 1
        if is_ordinal and label.key not in _NUMBERED:
            continue
        if _fits(piece, label) and (best is None or distance < best[0]):
            best = distance, label
    return best[1] if best else None


def make_labelled(piece: Piece, label: Label) -> ReadValue | None:
    """The value of a number whose label stands near, if it can be one of that."""
    number, key = piece.number, label.key
    low, high = _RANGES.get(key, (0, 70))
    if key == "height_cm":
        metres = number * 100 if number < 3 else number
        return make_value(key, str(round(metres)), piece, label) if round(metres) in HEIGHT_RANGE else None
    if key == "weight_kg":
        if not piece.unit and label.is_chinese and number > _MAX_BARE_KILOS:
            number = number / 2 if number >= _MIN_BARE_HALF_KILOS else Decimal(0)
        is_weight = piece.unit in ("", "kg") and round(number) in WEIGHT_RANGE
        return make_value(key, str(round(number)), piece, label) if is_weight else None
    if key == "shoe_size" and label.is_chinese and number in _FOOT_LENGTHS:
        return make_value(key, piece.value, piece, label)
    if not low <= number <= high or piece.unit not in ("", "cm", "in"):
        return None
    if key == "hat_size" and 9 < number < 48:
        return None
    if number % 1 and key not in _HALVES and piece.unit == "":
        return None
    return make_value(key, piece.value, piece, label)


def make_value(key: str, value: str, piece: Piece, label: Label | None) -> ReadValue:
    """A value at the place of its figure, and of its label where it has one."""
    start, end = piece.start, piece.end
    if label is not None:
        start, end = min(start, label.start), max(end, label.end)
    return ReadValue(key, value, start, end)


@lru_cache(maxsize=1)
def _label_keys() -> tuple[str, ...]:
    return tuple(read_group("measure_labels"))


def _belongs_to_next(text: str, pieces: Sequence[Piece], index: int, label: Label) -> bool:
    """Whether a label behind a piece stands right before the next one: "size 38, shoes 39"."""
    following = pieces[index + 1] if index + 1 < len(pieces) else None
    return following is not None and 0 <= following.start - label.end <= _NEXT_TO


def _is_ordinal(text: str, piece: Piece) -> bool:
    """Whether a number is said as an ordinal, so that it is a size and no length."""
    if ORDINAL_END.match(text, piece.end):
        return True
    is_spoken = piece.kind == "number" and not text[piece.start].isdigit()
    return is_spoken and _SPOKEN_ORDINAL.search(text, piece.start, piece.end) is not None


def _is_listed(text: str, others: Sequence[Piece], piece: Piece, low: int, high: int) -> bool:
    """Whether the pieces between a label and a piece are alternatives of it: "waist 70-72"."""
    return all(other.kind == piece.kind for other in others) and _RANGE.search(text[low:high]) is not None


def _fits(piece: Piece, label: Label) -> bool:
    if piece.kind == "letter":
        return label.key in LETTERED
    if piece.kind == "number":
        return make_labelled(piece, label) is not None
    return True


def measure_gap(text: str, low: int, high: int, max_unknown: int) -> float | None:
    """How far a label is: fillers count little, marks more; None behind two unknown words or too many words."""
    between = text[low:high]
    words = WORD.findall(between)
    if len(words) > _MAX_GAP:
        return None
    fillers = compile_phrases("measure_fillers")
    unknown = sum(fillers.fullmatch(word) is None and not word[0].isdigit() for word in words)
    borders = len(BORDER.findall(between))
    if unknown > max_unknown or borders > 1 or (unknown and borders):
        return None
    return len(words) * 0.3 + unknown * 2 + borders * 2
