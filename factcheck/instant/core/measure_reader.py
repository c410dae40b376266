"""Sizes and measures of the author of a sentence, read without a pattern: a word or a unit says what is measured."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal

from factcheck.instant.core.measure_labels import (
    BORDER,
    LETTERED,
    ORDINAL_END,
    WORD,
    Label,
    find_label,
    list_labels,
    make_labelled,
    make_value,
    measure_gap,
)
from factcheck.instant.core.measure_values import HEIGHT_RANGE, Piece, has_refusal, list_pieces
from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.narrative_modes import Span
from factcheck.instant.core.reader_words import compile_phrases, read_group
from factcheck.instant.core.size_words import (
    ends_with,
    ends_with_garment,
    find_garment,
    is_worn,
    last_word_matches,
    mentions,
    starts_with_garment,
)
from factcheck.instant.core.value_types import ReadValue

_HALF_LETTER = r"(?P<letter>[f-hj-tv-z])(?P<half>\s?½|\s1/2| and a half)?(?![\w'-])"
_RING_LETTER = re.compile(rf"(?<!\w)(?:size|is|an?)\s{_HALF_LETTER}")
_RING_ANSWER = re.compile(
    rf"\W*(?:it's )?(?:(?P<label>(?:uk |us )?size )|an? )?{_HALF_LETTER}(?P<more>.*\w)?", re.DOTALL
)
"""A ring's size as an answer begins with it: "N and a half", "UK size N"."""
_CHAT_LETTERS = frozenset("knrwy")
"""Letters that are words of chat by themselves: "k", "n", "y"."""
_WIDTH = re.compile(r"[\s,]*(?:(?:extra|double|x|too|super)[\s-]?)?(?:wide|narrow)(?!\w)|\s\d?[ew]{1,4}\s(?:fit|width)")
"""Of a shoe, behind its size: `11 wide`, `7 EE fitting`."""
_SHORT_SENTENCE = 4
_MIN_ORDINAL_SIZE = 30
"""Smaller ordinals are dates: «20-го»."""
_SIZE_NUMBERS = ((30, 70), (0, 28))
_FOOT_CENTIMETRES = frozenset(Decimal(tenths) / 10 for tenths in range(210, 311))
"""Shoe sizes by the length of the foot: they alone have tenths."""
_FEVERS = frozenset(Decimal(tenths) / 10 for tenths in range(370, 421))
"""Degrees of who is ill, which may look like a size."""
_METRES = (Decimal("1.4"), Decimal("2.15"))
"""Heights of grown people; halves may be shoe sizes."""
_ALTERNATIVE = re.compile(
    r"(?<![\w'])(?:or|sometimes|occasionally|to|between|or even|depending|или|иногда|бывает|между|او|احيانا|"
    r"او احيانا|aw|aw a7yanan|"
    r"a7yanan|sa3at)(?![\w'])"
)


def read_measures(message: FoldedMessage, span: Span, *, is_expected: bool = False) -> list[ReadValue]:
    """Sizes and measures by key: `size`, `shoe_size`, `height_cm`, `waist`, `bra_size`; the first said of each.

    Of two sizes of clothes that differ the second is kept by its part of the body: `size_bottom`. `is_expected`: it is
    known that the sentence states a measure; then bare figures count that can be heights, weights or sizes.
    """
    text = message.text
    pieces = list_pieces(message, span)
    labels = list_labels(text, span) if pieces or _RING_LETTER.search(text, *span) else []
    found: dict[str, ReadValue] = {}
    for index, piece in enumerate(pieces):
        read = _read_piece(message, span, pieces, index, labels)
        if read is None and is_expected:
            read = _read_expected(text, span, piece, found, labels)
        if read is None:
            continue
        key = read.key
        if key == "size" and key in found and found[key].value != read.value:
            garment = find_garment(text, span, piece)
            is_other = _ALTERNATIVE.search(text[found[key].end : piece.start]) is not None
            key = f"size_{garment}" if garment and not is_other else ""
        if key and key not in found:
            found[key] = ReadValue(key, read.value, read.start, read.end)
    ring = _RING_LETTER.search(text, *span)
    if ring and any(label.key == "ring_size" for label in labels):
        found.setdefault("ring_size", ReadValue("ring_size", _name_ring_letter(ring), *ring.span()))
    return sorted(found.values(), key=lambda value: value.start)


def read_ring_answer(folded: str) -> str | None:
    """The letter that answers which size a ring has; a bare one must be all that is said, and no word of chat."""
    match = _RING_ANSWER.match(folded)
    if match is None:
        return None
    is_bare = match["letter"] not in _CHAT_LETTERS and match["more"] is None
    return _name_ring_letter(match) if match["label"] or match["half"] or is_bare else None


def _name_ring_letter(match: re.Match[str]) -> str:
    """The letter of a ring's size, with its half: `N 1/2`."""
    return match["letter"].upper() + (" 1/2" if match["half"] else "")


def read_stated_measure(message: FoldedMessage, place: Span, asked: Sequence[str]) -> ReadValue | None:
    """The first figure or letter at a place of the folded text of which it is known that it states a measure.

    Of what, its unit says, a name near it, or the question (`asked`, as `list_asked_measures`); else it is a size or a
    height, if it can be one. None where the words beside it say that it is something else.
    """
    text, (first, last) = message.text, message.sentence(*place)
    pieces = list_pieces(message, (first, last), is_stated=True)
    index = next((number for number, each in enumerate(pieces) if each.end > place[0]), len(pieces))
    if index == len(pieces) or pieces[index].start >= place[1]:
        return None
    piece = pieces[index]
    labels = list_labels(text, (first, last))
    label = find_label(text, (first, last), pieces, index, labels)
    if _is_denied(text, (first, last), piece) or has_refusal(text, piece, (first, last), is_named=label is not None):
        return None
    if piece.kind not in ("number", "letter"):
        return make_value(piece.kind, piece.value, piece, None)
    if piece.kind == "number" and _METRES[0] <= piece.number <= _METRES[1] and piece.number * 2 % 1:
        return make_value("height_cm", format((piece.number * 100).normalize(), "f"), piece, None)
    if label is not None:
        is_read = piece.kind == "number" or label.key in LETTERED
        return _read_named(piece, label) if is_read else make_value("size", piece.value, piece, None)
    if not asked and piece.number in _FEVERS and compile_phrases("measure_refusals", "fever").search(text):
        return None
    return _read_asked(piece, asked, sum(each.kind == "number" for each in pieces[:index]))


def _read_asked(piece: Piece, asked: Sequence[str], place: int) -> ReadValue | None:
    """A figure or letter as what was asked, of several measures the one of its place among the figures."""
    measures = [key for key in asked if key != "size"]
    if piece.kind == "letter":
        return make_value(next((key for key in measures if key in LETTERED), "size"), piece.value, piece, None)
    turned = [*measures[place:], *measures[:place]]
    named = [_read_named(piece, Label(key, piece.start, piece.end)) for key in turned]
    found = next((value for value in named if value is not None), None)
    return found or (_guess_measure(piece) if not named else None)


def _read_named(piece: Piece, label: Label) -> ReadValue | None:
    is_number = piece.kind == "number"
    return make_labelled(piece, label) if is_number else make_value(label.key, piece.value, piece, label)


def _guess_measure(piece: Piece) -> ReadValue | None:
    """What a bare number can be by its height alone: a height, a shoe size where it has a half, a size."""
    number = piece.number
    if _is_height(number):
        return make_value("height_cm", piece.value, piece, None)
    is_size = any(max(low, 1) <= number <= high for low, high in _SIZE_NUMBERS)
    is_size = is_size and (number * 2 % 1 == 0 or number in _FOOT_CENTIMETRES)
    return make_value("shoe_size" if number % 1 else "size", piece.value, piece, None) if is_size else None


def _is_height(number: Decimal) -> bool:
    """Whether a bare figure can be the centimetres of a grown person."""
    return number % 1 == 0 and 140 <= number <= 215


def _read_piece(
    message: FoldedMessage, span: Span, pieces: Sequence[Piece], index: int, labels: Sequence[Label]
) -> ReadValue | None:
    text, piece = message.text, pieces[index]
    label = find_label(text, span, pieces, index, labels)
    if _is_denied(text, span, piece) or has_refusal(text, piece, span, is_named=label is not None):
        return None
    if piece.kind in ("height_cm", "weight_kg", "weight_lb"):
        wanted = "height_cm" if piece.kind == "height_cm" else "weight_kg"
        if not piece.is_sure and not (label and label.key == wanted) and not _is_said_of_author(text, span, piece):
            return None
        return make_value(piece.kind, piece.value, piece, label if label and label.key == wanted else None)
    if piece.kind == "bra_size":
        is_named = any(each.key == "bra_size" for each in labels)
        return make_value("bra_size", piece.value, piece, None) if piece.is_sure or is_named else None
    if piece.kind == "jeans_size":
        is_named = mentions(text, span, "garments", "bottom") or mentions(text, span, "size_words")
        return make_value("jeans_size", piece.value, piece, None) if piece.is_sure or is_named else None
    if piece.kind == "letter":
        return _read_letter(message, span, piece, label)
    return _read_number(text, span, pieces, index, label)


def _read_expected(
    text: str, span: Span, piece: Piece, found: Mapping[str, ReadValue], labels: Sequence[Label]
) -> ReadValue | None:
    """What a figure is where the sentence is known to state measures: by its size, and by the shoes that are named."""
    if _is_denied(text, span, piece) or has_refusal(text, piece, span, is_named=False):
        return None
    if piece.kind != "number":
        return make_value("size" if piece.kind == "letter" else piece.kind, piece.value, piece, None)
    number = piece.number
    if _is_height(number):
        return make_value("height_cm", piece.value, piece, None)
    if "height_cm" in found and 38 <= number <= 150 and "weight_kg" not in found:
        return make_value("weight_kg", str(round(number)), piece, None)
    has_shoes = any(label.key == "shoe_size" for label in labels) or _WIDTH.match(text, piece.end, span[1]) is not None
    if has_shoes and 3 <= number <= 52 and number % Decimal("0.5") == 0:
        return make_value("shoe_size", piece.value, piece, None)
    return make_value("size", piece.value, piece, None) if 30 <= number <= 70 and number % 1 == 0 else None


# -- Letters -------------------------------------------------------------------------------------------------------


def _read_letter(message: FoldedMessage, span: Span, piece: Piece, label: Label | None) -> ReadValue | None:
    text = message.text
    if label is not None and label.key in LETTERED:
        return make_value(label.key, piece.value, piece, label)
    words = len(WORD.findall(text[span[0] : span[1]]))
    has_cue = mentions(text, span, "size_words") or mentions(text, span, "garments")
    if not piece.is_sure and not has_cue and words > _SHORT_SENTENCE - 1:
        return None
    if piece.unit == "single":
        if not (has_cue or words <= _SHORT_SENTENCE) or not _is_single_size(text, span, piece):
            return None
    elif not piece.is_sure and not _stands_as_size(text, span, piece):
        return None
    return make_value("size", piece.value, piece, None)


def _is_single_size(text: str, span: Span, piece: Piece) -> bool:
    """Whether a lone letter is a size: in capitals, or lower case beside a word of size, wearing or clothes."""
    if re.search(r"\d\s?$", text[span[0] : piece.start]):
        return False
    if piece.is_sure:
        return True
    before, after = text[span[0] : piece.start].rstrip(), text[piece.end : span[1]].lstrip()
    is_bare_behind = not after or not after[0].isalnum() or starts_with_garment(after)
    cue = last_word_matches(before, ("size", "wear")) or ends_with_garment(before)
    if text[piece.start] == "с":  # "with": only between a cue and a mark
        return cue and (not after or not after[0].isalnum())
    return cue or (is_bare_behind and starts_with_garment(after)) or (not before and is_bare_behind)


def _stands_as_size(text: str, span: Span, piece: Piece) -> bool:
    """Whether `small` or `large` is a size and no adjective: nothing it could describe stands behind it."""
    behind = text[piece.end : span[1]].lstrip()
    if not behind or not behind[0].isalnum():
        return True
    return starts_with_garment(behind) or compile_phrases("size_followers").match(behind) is not None


# -- Numbers -------------------------------------------------------------------------------------------------------


def _read_number(text: str, span: Span, pieces: Sequence[Piece], index: int, label: Label | None) -> ReadValue | None:
    piece = pieces[index]
    if label is not None:
        return make_labelled(piece, label)
    is_size = piece.unit == "" and _is_size_number(text, span, piece)
    if piece.unit == "cm" and round(piece.number) in HEIGHT_RANGE and _is_said_of_author(text, span, piece):
        return make_value("height_cm", str(round(piece.number)), piece, None)
    if piece.unit or (piece.number != int(piece.number) and piece.number % 1 != Decimal("0.5")):
        return None
    if not is_size:
        return None
    is_shoe = piece.number % 1 != 0
    return make_value("shoe_size" if is_shoe else "size", piece.value, piece, None)


def _is_size_number(text: str, span: Span, piece: Piece) -> bool:
    """Whether a number without a measure's name is a size of clothes: a size word, a system, a garment or wearing."""
    if not any(low <= piece.number <= high for low, high in _SIZE_NUMBERS):
        return False
    before, after = text[span[0] : piece.start], text[piece.end : span[1]]
    after = ORDINAL_END.sub("", after, count=1) if ORDINAL_END.match(after) else after
    was_ordinal = after != text[piece.end : span[1]]
    behind = after.lstrip()
    systems = compile_phrases("size_systems")
    if (ends_with(before, systems) and not re.search(r"(?<!\w)(?:it|us|de) $", before)) or systems.match(behind):
        return True
    if ends_with(before, systems) and compile_phrases("size_words").search(text, *span):
        return True
    if (
        last_word_matches(before, ("size",))
        or _follows_size_word(text, span, piece)
        or compile_phrases("size_words", "size").match(behind)
    ):
        return True
    if (ends_with_garment(before) and piece.number >= 30) or starts_with_garment(behind):
        return piece.number >= 4
    is_closed = not behind or not behind[0].isalnum() or compile_phrases("size_followers").match(behind) is not None
    if was_ordinal:
        if piece.number < _MIN_ORDINAL_SIZE or text[piece.end : span[1]].startswith("го"):
            return False
        return is_closed or last_word_matches(before, ("wear",))
    return is_closed and is_worn(before, piece)


def _follows_size_word(text: str, span: Span, piece: Piece) -> bool:
    """Whether only fillers and clothes stand between "size" and a number: "my dress size is usually 14"."""
    words = list(compile_phrases("size_words", "size").finditer(text, span[0], piece.start))
    if not words or re.search(r"\d", text[words[-1].end() : piece.start]):
        return False
    between = text[words[-1].end() : piece.start]
    for name in read_group("garments"):
        between = compile_phrases("garments", name).sub(" ", between)
    return measure_gap(between, 0, len(between), 0) is not None and len(BORDER.findall(between)) == 0


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
