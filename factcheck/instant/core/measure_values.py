"""Figures and letters of a sentence that may measure its author, with the units that stand beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.narrative_modes import Span
from factcheck.instant.core.reader_words import compile_phrases
from factcheck.instant.core.sizes import read_letter_size
from factcheck.instant.core.spoken_numbers import SpokenNumber, list_numbers

INCH, POUNDS_OF_STONE = Decimal("2.54"), 14
HEIGHT_RANGE, WEIGHT_RANGE, POUND_RANGE = range(120, 231), range(30, 251), range(70, 551)
_UNITS = {
    "kg": r"kgs?|kilos?|kilograms?|kilogrammes?|кг|кило(?!метр)\w*|كجم|كغم?|كيلو(?!م)\w*|ك\.?غ|kelo|keelo|公 ?斤"
    "|千 ?克",
    "jin": r"斤",
    "lb": r"lbs?|lb's",
    "pound": r"pounds?|رطل",
    "stone": r"stones?|st",
    "cm": r"cms?|centimet(?:er|re)s?|см|сантиметр\w*|سم|سنتي?\w*|سانتي?\w*|santi\w*|sm|厘 ?米|公 ?分",
    "m": r"m|met(?:er|re)s?|м|метр\w*|متر|metr",
    "in": r"inch(?:es)?|ins?|\"|''|”|дюйм\w*|انش|بوصه",
    "ft": r"'|’|ft\.?|feet|foot|фут\w*|قدم",
}
_UNIT = re.compile("|".join(rf"(?P<{name}>\s?-?(?:{forms}))" for name, forms in _UNITS.items()))
_METRE_ALONE = re.compile(r"(?<!\w)(?:метр|متر|met(?:re?|er)|mi?ti?re?)\s+(?:و\s?|w\s+|and\s+|и\s+)?")
_HALF_METRE = re.compile(r"(?<!\w)(?:метр с половиной|متر و\s?نصف?|metr w n[ou]s+)(?!\w)")
_BRA = re.compile(
    r"(?<![\w.,])(\d{2,3})\s?-?(aaa?|a|bb?|c|d{1,4}|ee?|ff?|gg?|hh?|j|k|а{1,2}|в|с|д{1,2}|е{1,2})(?![\w'])"
)
_CYRILLIC_CUPS = str.maketrans({"а": "A", "в": "B", "с": "C", "д": "D", "е": "E"})
_DOUBLE_CUPS = frozenset({"AA", "DD", "DDD", "EE", "FF", "GG"})
_BANDS = frozenset((*range(26, 50, 2), *range(60, 125, 5)))
_ODD_BANDS = range(26, 125)
"""As some makers of East Asia mark them: `82E`."""
_JEANS = re.compile(
    r"(?<![\w.,])(?:w\s?(?P<w>\d{2})\s?[/,x-]?\s?l\s?(?P<l>\d{2})|(?P<w2>\d{2})\s?w\s?[/,x-]?\s?(?P<l2>\d{2})\s?l"
    r"|(?P<w3>\d{2})\s?[x×х*/]\s?(?P<l3>\d{2})|(?P<w4>\d{2})\s(?:by|на|عرض|علي)\s(?P<l4>\d{2}))(?![\w.,]\d|\w)"
)
_HEIGHT_AND_WEIGHT = re.compile(
    r"(?<![\w.,/:-])(?P<height>[12]\d\d)(?:\s?(?:см|cm|سم))?(?:\s?/\s?|\s+(?:на|x|х|/)\s+|[хx])"
    r"(?P<weight>\d{2,3})(?![\w.,/:-]\d|\w)(?!\s?(?:см|cm|سم|mm|мм|px))"
)
_WORD_BEHIND = re.compile(r"[\s-]*([^\W\d_][\w'/]*|%|°)")
_DOWN_TO = re.compile(r"(?<!\w)(?:down to|to|до|الي|ل|la|lal)\s+$")
_WORDS_BEFORE = 4
_MAX_RANGE = 6
_LETTER = re.compile(
    r"(?:(?<![\w'’.&-])|(?<=\sو))(?P<letter>(?:[2-9]\s?)?[xх]{1,5}\s?-?[smlслм]|[2-9]\s?[xх](?![\w])|[smlмлс]|"
    r"(?:(?:[2-5]\s?)(?:икс|اكس)|extra|икс|x|اكس|double x|два икс|дабл икс|икс икс|три икс)[ -]?"
    r"(?:large|small|эль|эс|эска|элька|"
    r"лардж|лардже|لارج|سمول|l|s)"
    r"|иксэ[лс]\w*|хэлька|small|medium|large|med|lrg|smol|эм|эмк\w*|эск\w*|эльк\w*|эль|эс|медиум|лардж|смолл?|"
    r"ميديم|ميديوم|مديم|ميديام"
    r"|لارج|لاج|سمول|اسمول|سمال|larg|larj|meduim|midium|meedium|one size|petite)(?![\w'’])"
)
_JOINED_FEET = re.compile(r"(?<![\w.,])([4-7])(?:ft|feet|foot)(\d|1[01])(?:in)?(?!\w)")
"""A height without spaces, "5ft3", of whose inches no number is made."""
_ALWAYS_SIZES = re.compile(r"[2-9]?\s?[xх]+.*|.*(?:эмк|эск|эльк|иксэ|икс|хэльк|مي?دي|لارج|سمول|سمال|اكس|xl|xs).*")


@dataclass(frozen=True, slots=True)
class Piece:
    """A figure or a letter of a sentence: what it is by itself, and its value as it would be kept."""

    kind: str
    """`height_cm`, `weight_kg`, `weight_lb`, `bra_size`, `jeans_size`, `letter` or `number`."""
    value: str
    start: int
    end: int
    unit: str = ""
    number: Decimal = Decimal(0)
    is_sure: bool = True
    """Whether it is what its kind says without a word near that names it."""


def list_pieces(message: FoldedMessage, span: Span, *, is_stated: bool = False) -> list[Piece]:
    """The pieces of a part of a sentence in reading order, none over another; `is_stated` as in `list_numbers`."""
    text = message.text
    letters = list(_list_letters(message, span))
    taken: list[Piece] = [
        *_list_jeans(text, span),
        *_list_bras(message, span, is_stated=is_stated),
        *_list_pairs(text, span),
        *_list_joined_feet(text, span),
    ]
    taken += [piece for piece in letters if text[piece.start].isdigit() and not _overlaps(piece, taken)]
    taken += [piece for piece in _list_figures(text, span, is_stated=is_stated) if not _overlaps(piece, taken)]
    taken += [piece for piece in letters if not _overlaps(piece, taken)]
    return _join_ranges(text, sorted(taken, key=lambda piece: piece.start))


def _join_ranges(text: str, pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces with two numbers that are a range as one: `56-58`."""
    joined: list[Piece] = []
    for piece in pieces:
        before = joined[-1] if joined else None
        is_number = before is not None and before.kind == piece.kind == "number" and not before.unit
        is_near = before and is_number and 0 < piece.number - before.number <= _MAX_RANGE
        if before and is_near and re.fullmatch(r"\s?[-–/]\s?", text[before.end : piece.start]):
            value = f"{before.value}-{piece.value}"
            joined[-1] = replace(before, value=value, end=piece.end, unit=piece.unit)
        else:
            joined.append(piece)
    return joined


def _overlaps(piece: Piece, others: Sequence[Piece]) -> bool:
    return any(piece.start < other.end and other.start < piece.end for other in others)


def _list_jeans(text: str, span: Span) -> Iterator[Piece]:
    for match in _JEANS.finditer(text, *span):
        waist, leg = (int(next(match[f"{side}{n}"] for n in ("", 2, 3, 4) if match[f"{side}{n}"])) for side in "wl")
        if waist in range(23, 61) and leg in range(26, 41):
            is_named = bool(match["w"] or match["w2"])
            yield Piece("jeans_size", f"{waist}x{leg}", *match.span(), is_sure=is_named)


def _list_joined_feet(text: str, span: Span) -> Iterator[Piece]:
    for match in _JOINED_FEET.finditer(text, *span):
        yield Piece("height_cm", str(round((int(match[1]) * 12 + int(match[2])) * INCH)), *match.span())


def _list_bras(message: FoldedMessage, span: Span, *, is_stated: bool) -> Iterator[Piece]:
    for match in _BRA.finditer(message.text, *span):
        if int(match[1]) in (_ODD_BANDS if is_stated else _BANDS):
            cup = match[2].translate(_CYRILLIC_CUPS).upper()
            written = message.quote(match.start(2), match.end(2))
            is_joined = match.end(1) == match.start(2)
            is_sure = is_joined and written.isupper()
            if is_joined or written.isupper() or cup in _DOUBLE_CUPS:
                yield Piece("bra_size", f"{match[1]}{cup}", *match.span(), is_sure=is_sure)


def _list_pairs(text: str, span: Span) -> Iterator[Piece]:
    """Height and weight that stand together: `168 на 54`, `180/75`, `160 و 55`."""
    for match in _HEIGHT_AND_WEIGHT.finditer(text, *span):
        is_lean = Decimal(match["weight"]) < Decimal(match["height"]) - 40
        if int(match["height"]) in range(140, 216) and int(match["weight"]) in range(35, 151) and is_lean:
            yield Piece("height_cm", match["height"], *match.span("height"))
            yield Piece("weight_kg", match["weight"], *match.span("weight"))


def _list_figures(text: str, span: Span, *, is_stated: bool) -> Iterator[Piece]:
    numbers = list_numbers(text, *span, groups=False, ordinals=True, is_stated=is_stated)
    index = 0
    for match in _HALF_METRE.finditer(text, *span):
        yield Piece("height_cm", "150", *match.span())
    while index < len(numbers):
        number, following = numbers[index], numbers[index + 1] if index + 1 < len(numbers) else None
        pair = _read_pair(text, span, number, following)
        if pair is not None:
            index += 1 if following is not None and pair.end >= following.end else 0
            yield pair
        else:
            yield _read_figure(text, span, number)
        index += 1


def _read_pair(text: str, span: Span, number: SpokenNumber, following: SpokenNumber | None) -> Piece | None:
    """Figures that are one measure together: feet and inches, metres and centimetres, stones and pounds."""
    metre = next((m for m in _METRE_ALONE.finditer(text, max(span[0], number.start - 12), number.start)), None)
    if metre and metre.end() == number.start and 20 <= number.value <= 99 and number.value == int(number.value):
        return Piece("height_cm", str(100 + int(number.value)), metre.start(), number.end)
    unit = _UNIT.match(text, number.end, span[1])
    said = unit.lastgroup if unit else ""
    if following is None:
        return None
    between = text[number.end : following.start]
    behind = text[unit.end() : following.start] if unit else "?"
    if said == "ft" and number.value in (4, 5, 6, 7) and following.value < 12 and not behind.strip(" ,-"):
        return _make_height(text, span, number, following)
    if said == "m" and number.value in (1, 2) and not behind:
        centimetres = int(following.value) if following.in_digits and following.value < 100 else -1
        total = int(number.value) * 100 + centimetres
        return Piece("height_cm", str(total), number.start, following.end) if total in HEIGHT_RANGE else None
    if said == "stone" and 5 <= number.value <= 40 and following.value < POUNDS_OF_STONE and not behind.strip(" ,and"):
        return _make_stones(text, span, number, following)
    is_spoken = not number.in_digits and not following.in_digits and between in (" ", "-")
    if is_spoken and number.value in (4, 5, 6) and following.value < 12:
        inches = int(number.value) * 12 + following.value
        return Piece("height_cm", str(round(inches * INCH)), number.start, following.end, is_sure=False)
    return None


def _make_height(text: str, span: Span, feet: SpokenNumber, inches: SpokenNumber) -> Piece:
    unit = _UNIT.match(text, inches.end, span[1])
    end = unit.end() if unit and unit.lastgroup == "in" else inches.end
    return Piece("height_cm", str(round((feet.value * 12 + inches.value) * INCH)), feet.start, end)


def _make_stones(text: str, span: Span, stones: SpokenNumber, pounds: SpokenNumber) -> Piece:
    unit = _UNIT.match(text, pounds.end, span[1])
    end = unit.end() if unit and unit.lastgroup in ("lb", "pound") else pounds.end
    return Piece("weight_lb", str(int(stones.value * POUNDS_OF_STONE + pounds.value)), stones.start, end)


def _read_figure(text: str, span: Span, number: SpokenNumber) -> Piece:
    unit = _UNIT.match(text, number.end, span[1])
    said, end = "", number.end
    if unit and not re.compile(r"[\w'’]").match(text, unit.end()):
        said, end = unit.lastgroup or "", unit.end()
    value = number.value
    written = text[number.start : number.end]
    shown = written if "/" in written and value * 2 % 1 else number.shown
    if said == "jin":
        said, value = "kg", value / 2
    if said == "kg" and round(value) in WEIGHT_RANGE:
        return Piece("weight_kg", str(round(value)), number.start, end, said, value)
    if said in ("lb", "pound") and round(value) in POUND_RANGE:
        return Piece("weight_lb", str(round(value)), number.start, end, said, value, is_sure=said == "lb")
    if said == "stone" and 5 <= value <= 40:
        return Piece("weight_lb", str(round(value * POUNDS_OF_STONE)), number.start, end, said, value)
    if said == "ft" and Decimal("4.5") <= value <= 7:
        return Piece("height_cm", str(round(value * 12 * INCH)), number.start, end, said, value, is_sure=False)
    if said == "m" and round(value * 100) in HEIGHT_RANGE:
        return Piece("height_cm", str(round(value * 100)), number.start, end, said, value, is_sure=bool(value % 1))
    return Piece("number", shown, number.start, end, said, value)


def _list_letters(message: FoldedMessage, span: Span) -> Iterator[Piece]:
    """Letter sizes; those that are words or single letters are not sure."""
    for match in _LETTER.finditer(message.text, *span):
        said = match["letter"]
        size = _read_letter(said)
        if size is None:
            continue
        written = message.quote(*match.span())
        is_single = len(said) == 1
        is_sure = _ALWAYS_SIZES.fullmatch(said) is not None or (is_single and written.isupper() and said != "с")
        yield Piece("letter", size, *match.span(), unit="single" if is_single else "", is_sure=is_sure)


def _read_letter(said: str) -> str | None:
    times = re.match(r"(?:(?P<n>[2-9])|(?P<two>double|два|дабл|икс икс)|(?P<three>три))\s?(?=[xхиэا])", said)
    spoken = re.search(r"(large|l|эль|элька|лардж|лардже|لارج|л)$|(small|s|эс|эска|سمول|с)$", said)
    if spoken and _SPOKEN_EXTRA.match(said) and not re.fullmatch(r"[xх]+-?[slлс]", said):
        letter = "L" if spoken[1] else "S"
        if times and times["n"]:
            return f"{times['n']}X{letter}"
        return f"{'X' if not times else 'XX' if times['two'] else '3X'}{letter}"
    if re.match(r"иксэл|хэл", said):
        return "XL"
    if re.match(r"иксэс", said):
        return "XS"
    if re.fullmatch(r"[2-9]\s?[xх]", said):
        said = said.replace(" ", "") + "l"
    for pattern, size in _SPOKEN_LETTERS:
        if pattern.fullmatch(said):
            return size
    return read_letter_size(said)


_SPOKEN_EXTRA = re.compile(
    r"(?:(?:[2-5]\s?)(?:икс|اكس)|extra|икс|x|اكس|double x|два икс|дабл икс|икс икс|три икс)[ -]?[^\W\d_]{1,7}$"
)
_SPOKEN_LETTERS = tuple(
    (re.compile(forms), size)
    for size, forms in {
        "S": r"эск\w*|смолл?|smol|سمول|اسمول|سمال|petite",
        "M": r"эмк\w*|эм|med|midium|meduim|meedium|مديم|ميديام|ميديم|ميديوم",
        "L": r"эльк\w*|лардж|larg|larj|lrg|لاج|لارج",
    }.items()
)


def has_refusal(text: str, piece: Piece, span: Span, *, is_named: bool) -> bool:
    """Whether the words beside a piece say that it is a figure of something else: years, metres away, a score."""
    units, others = (compile_phrases("measure_refusals", name) for name in ("units", "others"))
    after = _WORD_BEHIND.match(text, piece.end, span[1])
    if after and (after[1] in "%°" or units.match(text, after.start(1))):
        return True
    if is_named:
        return False
    if after and others.match(text, after.start(1)):
        return True
    said = text[span[0] : piece.start]
    if _DOWN_TO.search(said):
        return False
    if re.search(r"\d[-/:]\s?$|[#№]\s?$", said):
        return True
    if piece.kind == "bra_size":
        return others.search(text, *span) is not None
    near = re.split(r"[,،;:.]", said)[-1]
    words = list(re.finditer(r"[^\W\d_][\w']*", near))[-_WORDS_BEFORE:]
    return bool(words) and others.search(near, words[0].start()) is not None
