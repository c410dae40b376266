"""Sizes and measures of the author of a sentence, read without a pattern: a word or a unit says what is measured."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from factcheck.core.instant.frames import Span
from factcheck.core.instant.measure_values import HEIGHT_RANGE, WEIGHT_RANGE, Piece, has_refusal, list_pieces
from factcheck.core.instant.messages import FoldedMessage
from factcheck.core.instant.reader_words import compile_phrases, read_group
from factcheck.core.instant.value_types import ReadValue

_RANGES = {
    "shoe_size": (1, 52), "waist": (20, 170), "hips": (28, 180), "chest": (28, 170), "belly": (24, 180),
    "under_bust": (26, 130), "inseam": (24, 100), "neck": (12, 55), "sleeve": (20, 95), "shoulders": (14, 70),
    "thigh": (15, 90), "calf": (10, 60), "wrist": (5, 25), "ankle": (6, 35), "bicep": (9, 60), "ring_size": (1, 70),
    "hat_size": (6, 66), "glove_size": (4, 13), "belt_size": (24, 140), "height_cm": (120, 230),
    "weight_kg": (30, 250), "bra_size": (0, 0),
}  # fmt: skip
"""Least and largest value of a measure, in inches or centimetres."""
_HALVES = frozenset({"shoe_size", "ring_size", "neck", "hat_size", "glove_size"})
_LETTERED = frozenset({"glove_size", "ring_size", "hat_size"})
_WORD = re.compile(r"[^\W_]+(?:'[^\W\d_]+)*")
_BORDER = re.compile(r"[,،;:()\n|]|(?<!\w)(?:but|а|но|بس|bas)(?!\w)")
_MAX_GAP = 6
_NEXT_TO = 3
_UNMISTAKABLE = frozenset({"height_cm", "weight_kg"})
"""Measures whose figures are hardly anything else: two unknown words may stand between ("وزني يا دكتور ١٠٤")."""
_NUMBERED = frozenset({"shoe_size", "ring_size", "glove_size", "hat_size"})
"""Measures that are ordinal numbers in Russian: «нога сорок третья»."""
_RING_LETTER = re.compile(r"(?<!\w)size\s([a-z])(?![\w'])")
_SHORT_SENTENCE = 4
_MIN_ORDINAL_SIZE = 30
"""Smaller ordinals are dates: «20-го»."""
_ORDINAL_END = re.compile(r"-?(?:й|ый|ой|го|ого|ом|му)(?!\w)")
_MAX_BARE_KILOS, _MIN_BARE_HALF_KILOS = 75, 111
"""Weight in Chinese without a unit: up to the first in kilograms, from the second on in 斤, between them in either."""
_SIZE_NUMBERS = ((30, 70), (0, 28))
_ALTERNATIVE = re.compile(
    r"(?<![\w'])(?:or|sometimes|occasionally|to|between|or even|depending|или|иногда|бывает|между|او|احيانا|"
    r"او احيانا|aw|aw a7yanan|"
    r"a7yanan|sa3at)(?![\w'])"
)
_RANGE = re.compile(r"\s?[-–/]\s?|\s(?:to|or|до)\s")


_BEFORE_GARMENT = re.compile(r"^(?:(?:in|on|for|at|up|size|в|на|по|для|في|ف|fi|f|bel|fel|the|my|most|all|ال|el|al) )+")


@dataclass(frozen=True, slots=True)
class _Label:
    key: str
    start: int
    end: int
    is_chinese: bool = False


def read_measures(message: FoldedMessage, span: Span, *, is_expected: bool = False) -> list[ReadValue]:
    """Sizes and measures by key: `size`, `shoe_size`, `height_cm`, `waist`, `bra_size`; the first said of each.

    Of two sizes of clothes that differ the second is kept by its part of the body: `size_bottom`. `is_expected`: it is
    known that the sentence states a measure; then bare figures count that can be heights, weights or sizes.
    """
    text = message.text
    pieces = list_pieces(message, span)
    labels = _list_labels(text, span) if pieces or _RING_LETTER.search(text, *span) else []
    found: dict[str, ReadValue] = {}
    for index, piece in enumerate(pieces):
        read = _read_piece(message, span, pieces, index, labels)
        if read is None and is_expected:
            read = _read_expected(text, span, piece, found, labels)
        if read is None:
            continue
        key = read.key
        if key == "size" and key in found and found[key].value != read.value:
            garment = _find_garment(text, span, piece)
            is_other = _ALTERNATIVE.search(text[found[key].end : piece.start]) is not None
            key = f"size_{garment}" if garment and not is_other else ""
        if key and key not in found:
            found[key] = ReadValue(key, read.value, read.start, read.end)
    ring = _RING_LETTER.search(text, *span)
    if ring and any(label.key == "ring_size" for label in labels):
        found.setdefault("ring_size", ReadValue("ring_size", ring[1].upper(), *ring.span()))
    return sorted(found.values(), key=lambda value: value.start)


def _read_piece(
    message: FoldedMessage, span: Span, pieces: Sequence[Piece], index: int, labels: Sequence[_Label]
) -> ReadValue | None:
    text, piece = message.text, pieces[index]
    label = _find_label(text, span, pieces, index, labels)
    if _is_denied(text, span, piece) or has_refusal(text, piece, span, is_named=label is not None):
        return None
    if piece.kind in ("height_cm", "weight_kg", "weight_lb"):
        wanted = "height_cm" if piece.kind == "height_cm" else "weight_kg"
        if not piece.is_sure and not (label and label.key == wanted) and not _is_said_of_author(text, span, piece):
            return None
        return _make(piece.kind, piece.value, piece, label if label and label.key == wanted else None)
    if piece.kind == "bra_size":
        is_named = any(each.key == "bra_size" for each in labels)
        return _make("bra_size", piece.value, piece, None) if piece.is_sure or is_named else None
    if piece.kind == "jeans_size":
        is_named = _mentions(text, span, "garments", "bottom") or _mentions(text, span, "size_words")
        return _make("jeans_size", piece.value, piece, None) if piece.is_sure or is_named else None
    if piece.kind == "letter":
        return _read_letter(message, span, piece, label)
    return _read_number(text, span, pieces, index, label)


def _read_expected(
    text: str, span: Span, piece: Piece, found: Mapping[str, ReadValue], labels: Sequence[_Label]
) -> ReadValue | None:
    """What a figure is where the sentence is known to state measures: by its size, and by the shoes that are named."""
    if _is_denied(text, span, piece) or has_refusal(text, piece, span, is_named=False):
        return None
    if piece.kind != "number":
        return _make("size" if piece.kind == "letter" else piece.kind, piece.value, piece, None)
    number = piece.number
    if 140 <= number <= 215 and number % 1 == 0:
        return _make("height_cm", piece.value, piece, None)
    if "height_cm" in found and 38 <= number <= 150 and "weight_kg" not in found:
        return _make("weight_kg", str(round(number)), piece, None)
    has_shoes = any(label.key == "shoe_size" for label in labels)
    if has_shoes and 3 <= number <= 52 and number % Decimal("0.5") == 0:
        return _make("shoe_size", piece.value, piece, None)
    return _make("size", piece.value, piece, None) if 30 <= number <= 70 and number % 1 == 0 else None


def _make(key: str, value: str, piece: Piece, label: _Label | None) -> ReadValue:
    start, end = piece.start, piece.end
    if label is not None:
        start, end = min(start, label.start), max(end, label.end)
    return ReadValue(key, value, start, end)


# -- Letters -------------------------------------------------------------------------------------------------------


def _read_letter(message: FoldedMessage, span: Span, piece: Piece, label: _Label | None) -> ReadValue | None:
    text = message.text
    if label is not None and label.key in _LETTERED:
        return _make(label.key, piece.value, piece, label)
    words = len(_WORD.findall(text[span[0] : span[1]]))
    has_cue = _mentions(text, span, "size_words") or _mentions(text, span, "garments")
    if not piece.is_sure and not has_cue and words > _SHORT_SENTENCE - 1:
        return None
    if piece.unit == "single":
        if not (has_cue or words <= _SHORT_SENTENCE) or not _is_single_size(text, span, piece):
            return None
    elif not piece.is_sure and not _stands_as_size(text, span, piece):
        return None
    return _make("size", piece.value, piece, None)


def _is_single_size(text: str, span: Span, piece: Piece) -> bool:
    """Whether a lone letter is a size: in capitals, or lower case beside a word of size, wearing or clothes."""
    if re.search(r"\d\s?$", text[span[0] : piece.start]):
        return False
    if piece.is_sure:
        return True
    before, after = text[span[0] : piece.start].rstrip(), text[piece.end : span[1]].lstrip()
    is_bare_behind = not after or not after[0].isalnum() or _starts_with_garment(after)
    cue = _last_word_matches(before, ("size", "wear")) or _ends_with_garment(before)
    if text[piece.start] == "с":  # "with": only between a cue and a mark
        return cue and (not after or not after[0].isalnum())
    return cue or (is_bare_behind and _starts_with_garment(after)) or (not before and is_bare_behind)


def _stands_as_size(text: str, span: Span, piece: Piece) -> bool:
    """Whether `small` or `large` is a size and no adjective: nothing it could describe stands behind it."""
    behind = text[piece.end : span[1]].lstrip()
    if not behind or not behind[0].isalnum():
        return True
    return _starts_with_garment(behind) or compile_phrases("size_followers").match(behind) is not None


def _starts_with_garment(after: str) -> bool:
    rest = _BEFORE_GARMENT.sub("", after)
    return any(compile_phrases("garments", name).match(rest) for name in read_group("garments"))


def _ends_with_garment(before: str) -> bool:
    tail = re.sub(r"[\s:=,-]+$", "", before)[-40:]
    return any(m.end() == len(tail) for m in _garment_matches(tail))


def _garment_matches(text: str) -> list[re.Match[str]]:
    return [m for name in read_group("garments") for m in compile_phrases("garments", name).finditer(text)]


def _last_word_matches(before: str, names: Sequence[str]) -> bool:
    tail = re.sub(r"(?:[\s:=-]+|(?<!\w)(?:a|an|the|is|usually|обычно|размер|в|это|like)(?!\w))+$", "", before)[-40:]
    return any(m.end() == len(tail) for name in names for m in compile_phrases("size_words", name).finditer(tail))


# -- Numbers -------------------------------------------------------------------------------------------------------


def _read_number(text: str, span: Span, pieces: Sequence[Piece], index: int, label: _Label | None) -> ReadValue | None:
    piece = pieces[index]
    if label is not None:
        return _make_labelled(piece, label)
    is_size = piece.unit == "" and _is_size_number(text, span, piece)
    if piece.unit == "cm" and round(piece.number) in HEIGHT_RANGE and _is_said_of_author(text, span, piece):
        return _make("height_cm", str(round(piece.number)), piece, None)
    if piece.unit or (piece.number != int(piece.number) and piece.number % 1 != Decimal("0.5")):
        return None
    if not is_size:
        return None
    is_shoe = piece.number % 1 != 0
    return _make("shoe_size" if is_shoe else "size", piece.value, piece, None)


def _make_labelled(piece: Piece, label: _Label) -> ReadValue | None:
    """The value of a number whose label stands near, if it can be one of that."""
    number, key = piece.number, label.key
    low, high = _RANGES.get(key, (0, 70))
    if key == "height_cm":
        metres = number * 100 if number < 3 else number
        return _make(key, str(round(metres)), piece, label) if round(metres) in HEIGHT_RANGE else None
    if key == "weight_kg":
        if not piece.unit and label.is_chinese and number > _MAX_BARE_KILOS:
            number = number / 2 if number >= _MIN_BARE_HALF_KILOS else Decimal(0)
        is_weight = piece.unit in ("", "kg") and round(number) in WEIGHT_RANGE
        return _make(key, str(round(number)), piece, label) if is_weight else None
    if not low <= number <= high or piece.unit not in ("", "cm", "in"):
        return None
    if key == "hat_size" and 9 < number < 48:
        return None
    if number % 1 and key not in _HALVES and piece.unit == "":
        return None
    return _make(key, piece.value, piece, label)


def _is_size_number(text: str, span: Span, piece: Piece) -> bool:
    """Whether a number without a measure's name is a size of clothes: a size word, a system, a garment or wearing."""
    if not any(low <= piece.number <= high for low, high in _SIZE_NUMBERS):
        return False
    before, after = text[span[0] : piece.start], text[piece.end : span[1]]
    after = _ORDINAL_END.sub("", after, count=1) if _ORDINAL_END.match(after) else after
    was_ordinal = after != text[piece.end : span[1]]
    behind = after.lstrip()
    systems = compile_phrases("size_systems")
    if (_ends_with(before, systems) and not re.search(r"(?<!\w)(?:it|us|de) $", before)) or systems.match(behind):
        return True
    if _ends_with(before, systems) and compile_phrases("size_words").search(text, *span):
        return True
    if (
        _last_word_matches(before, ("size",))
        or _follows_size_word(text, span, piece)
        or compile_phrases("size_words", "size").match(behind)
    ):
        return True
    if (_ends_with_garment(before) and piece.number >= 30) or _starts_with_garment(behind):
        return piece.number >= 4
    is_closed = not behind or not behind[0].isalnum() or compile_phrases("size_followers").match(behind) is not None
    if was_ordinal:
        if piece.number < _MIN_ORDINAL_SIZE or text[piece.end : span[1]].startswith("го"):
            return False
        return is_closed or _last_word_matches(before, ("wear",))
    return is_closed and _is_worn(before, piece)


def _follows_size_word(text: str, span: Span, piece: Piece) -> bool:
    """Whether only fillers and clothes stand between "size" and a number: "my dress size is usually 14"."""
    words = list(compile_phrases("size_words", "size").finditer(text, span[0], piece.start))
    if not words or re.search(r"\d", text[words[-1].end() : piece.start]):
        return False
    between = text[words[-1].end() : piece.start]
    for name in read_group("garments"):
        between = compile_phrases("garments", name).sub(" ", between)
    return _measure_gap(between, 0, len(between), 0) is not None and len(_BORDER.findall(between)) == 0


def _is_worn(before: str, piece: Piece) -> bool:
    verb = re.search(
        r"(?<![\w'])(?:wear|i take|i fit|takes?|order|buy|ношу|носить|беру|на мне|влезаю в|надену|البس|بلبس|كنلبس|"
        r"نلبس|لابس\w*|ارتدي|لبسي|balbes|alb[aei]s|"
        r"labes|lebsi|kanlbes|nalbes)(?:\s+(?:a|an|in|в|about|around|like|обычно|usually|always|"
        r"size))*\s*$",
        before,
    )
    article = re.search(
        r"(?<![\w'])(?:i'?m|i am)(?:\s+(?:usually|normally|like|about|more of|between))*\s+an?\s*$", before
    )
    return bool(verb and piece.number >= 4) or bool(article and piece.number <= 70)


def _ends_with(before: str, expression: re.Pattern[str]) -> bool:
    tail = before.rstrip(" :-")[-30:]
    return any(match.end() == len(tail) for match in expression.finditer(tail))


# -- Labels --------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _label_keys() -> tuple[str, ...]:
    return tuple(read_group("measure_labels"))


def _list_labels(text: str, span: Span) -> list[_Label]:
    found = [
        _Label(key, *match.span(), is_chinese=match[0][0] > "\u2e7f")
        for key in _label_keys()
        for match in compile_phrases("measure_labels", key).finditer(text, *span)
    ]
    longest = sorted(found, key=lambda label: label.start - label.end)
    kept: list[_Label] = []
    for label in longest:
        if not any(label.start < other.end and other.start < label.end for other in kept):
            kept.append(label)
    return sorted(kept, key=lambda label: label.start)


def _find_label(text: str, span: Span, pieces: Sequence[Piece], index: int, labels: Sequence[_Label]) -> _Label | None:
    """The label nearest to a piece with nothing but fillers between; before it, unless values stand first."""
    piece = pieces[index]
    values_first = bool(labels) and labels[0].start > pieces[0].start and labels[-1].start > pieces[-1].start
    best: tuple[float, _Label] | None = None
    is_ordinal = _is_ordinal(text, piece)
    for label in labels:
        is_before = label.end <= piece.start
        low, high = (label.end, piece.start) if is_before else (piece.end, label.start)
        if low > high or (not is_before and not values_first and _belongs_to_next(text, pieces, index, label)):
            continue
        distance = _measure_gap(text, low, high, 2 if label.key in _UNMISTAKABLE else 1)
        others = [other for other in pieces if other is not piece and low <= other.start < high]
        if distance is None or (others and not _is_listed(text, others, piece, low, high)):
            continue
        distance += 1.5 if is_before and values_first else 0 if is_before else 1
        if is_ordinal and label.key not in _NUMBERED:
            continue
        if _fits(piece, label) and (best is None or distance < best[0]):
            best = distance, label
    return best[1] if best else None


def _belongs_to_next(text: str, pieces: Sequence[Piece], index: int, label: _Label) -> bool:
    """Whether a label behind a piece stands right before the next one: "size 38, shoes 39"."""
    following = pieces[index + 1] if index + 1 < len(pieces) else None
    return following is not None and 0 <= following.start - label.end <= _NEXT_TO


def _is_ordinal(text: str, piece: Piece) -> bool:
    """Whether a number is said as an ordinal, so that it is a size and no length."""
    is_spoken = piece.kind == "number" and not text[piece.start].isdigit()
    return _ORDINAL_END.match(text, piece.end) is not None or (
        is_spoken and re.search(r"(?:ый|ой|ий|ого|ому|ом|ую|ая|ья)$", text[piece.start : piece.end]) is not None
    )


def _is_listed(text: str, others: Sequence[Piece], piece: Piece, low: int, high: int) -> bool:
    """Whether the pieces between a label and a piece are alternatives of it: "waist 70-72"."""
    return all(other.kind == piece.kind for other in others) and _RANGE.search(text[low:high]) is not None


def _fits(piece: Piece, label: _Label) -> bool:
    if piece.kind == "letter":
        return label.key in _LETTERED
    if piece.kind == "number":
        return _make_labelled(piece, label) is not None
    return True


def _measure_gap(text: str, low: int, high: int, max_unknown: int) -> float | None:
    """How far a label is: fillers count little, marks more; None behind two unknown words or too many words."""
    between = text[low:high]
    words = _WORD.findall(between)
    if len(words) > _MAX_GAP:
        return None
    fillers = compile_phrases("measure_fillers")
    unknown = sum(fillers.fullmatch(word) is None and not word[0].isdigit() for word in words)
    borders = len(_BORDER.findall(between))
    if unknown > max_unknown or borders > 1 or (unknown and borders):
        return None
    return len(words) * 0.3 + unknown * 2 + borders * 2


def _find_garment(text: str, span: Span, piece: Piece) -> str:
    """The part of the body whose clothes stand nearest to a piece, behind or before it."""
    best: tuple[int, str] | None = None
    for name in read_group("garments"):
        for match in compile_phrases("garments", name).finditer(text, *span):
            between = text[match.end() : piece.start] if match.end() <= piece.start else text[piece.end : match.start()]
            distance = len(between) + (20 if _BORDER.search(between) else 0)
            if name != "clothes" and (best is None or distance < best[0]):
                best = distance, name
    return best[1] if best else ""


def _mentions(text: str, span: Span, group: str, name: str = "") -> bool:
    return compile_phrases(group, name).search(text, *span) is not None


# -- Of whom -------------------------------------------------------------------------------------------------------


def _is_said_of_author(text: str, span: Span, piece: Piece) -> bool:
    """Whether a length may be the author's height: they are named in the sentence, or nothing else is measured."""
    before = text[span[0] : piece.start].rstrip()
    return not before or before[-1] in ",:" or compile_phrases("measured_author").search(text, *span) is not None


def _is_denied(text: str, span: Span, piece: Piece) -> bool:
    """Whether a value is one that the sentence says is not, or no longer, so: "not a 40", "раньше был 46"."""
    if compile_phrases("not_fitting").match(text[piece.end : span[1]].lstrip(" ,-–")):
        return True
    tail = text[max(span[0], piece.start - 24) : piece.start].rstrip()
    tail = re.sub(r"(?:\s|(?<!\w)(?:size|an?|the|размер|uk|us|eu)(?!\w))+$", "", tail)
    return any(match.end() == len(tail) for match in compile_phrases("nots").finditer(tail))
