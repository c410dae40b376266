"""Numbers of a folded text with their places: digits, words of four languages, dialects, Arabizi, ordinals."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache

from factcheck.core.number_words import ARABIC_AND, DUAL_SCALES, SCALES, SMALL
from factcheck.core.numbers import NumberSpan, find_numbers
from factcheck.core.tokens import Token
from factcheck.instant.core.messages import fold
from factcheck.instant.core.reader_words import read_group

_MAX_NUMBER = Decimal(10) ** 10
_DIGITS = re.compile(r"\d+(?:[.,]\d+)?")
_HAN_BEHIND = re.compile(r" ?[\u3400-\u9fff]")
_TOKEN = re.compile(
    r"(?P<grouped>(?<![\d.,])\d{1,3}(?:[ ,.'\u00a0]\d{3})+(?:[.,]\d{1,2})?(?!\d))"
    r"|(?P<number>\d+(?:[.,]\d+)?|(?<![\d.])\.\d+)|(?P<word>[^\W\d_]+(?:'[^\W\d_]+)*)"
)
_ARABIZI_WORD = re.compile(r"(?<![\w.,])(?:[235679]'?[a-z]['a-z]*|[a-z]+[2356789])['a-z235679]*(?!\w)")
_SUFFIXED = re.compile(
    r"\d+(?:[a-z]{1,2}|x+[sl]|e?ur|usd|aed|sar|qar|kwd|egp|gbp|cad|aud|chf|inr|try|jod|omr|bhd|dhs|rub|lbs|kgs|"
    r"feet|foot"
    r"|inch(?:es)?|stone|euros?|bucks?|quid|min|mins|hrs?|days?|weeks?|years?|grand|kilos?|pounds?|dollars?|xxl|xxxl)"
)
_PREFIXED = re.compile(r"(?:rm|rs?|us|usd|aed|sar|egp|eur|gbp|chf|php|ksh|inr|kd|jd|eu|uk|size|w|l)\d+")
"""Digits with a unit joined to them, which look like words of Arabizi."""


def _table(rows: dict[str, str]) -> dict[str, str]:
    return {fold(form): fold(word) for word, forms in rows.items() for form in forms.split()}


_SPOKEN = _table(read_group("spoken_numbers"))
"""What people say for a number to the word that the reader of numbers knows."""
_TEENS = {word: value for word, value in SMALL.items() if 11 <= value <= 19 and word.isascii()}
_THOUSANDS_FIRST = frozenset({"тысяч", "тыщ", "штук", "тысячи", "тыщи"})
"""Before a number they multiply it: "тысяч пятнадцать" is 15,000, and so is "тысяч до пятнадцати"."""
_ABOUT = frozenset({"до", "на", "в", "около", "под", "по"})
_FEW_THOUSANDS, _HUNDREDS_BEHIND = range(1, 100), range(100, 1000, 50)
_ONES, _TENS_BEHIND, _WITH_TENTHS, _TEENS_AND_TENS = range(1, 10), range(20, 100), range(15, 60), range(11, 100)
_ARABIC_JOINT = re.compile(r"\s(?:و\s?(?=[ء-ي])|w\s?(?=[a-z0-9]))")
_SHORT_RESTS = ((1_000_000, range(100, 1000), 1000), (1_000, range(1, 10), 100))
"""Of numbers from a scale on: what may stand behind it, and what that counts in."""
_CYRILLIC, _LATIN = re.compile("[а-я]"), re.compile("[a-z]")
_HUNDREDS = frozenset({"сотки", "соток", "сотен", "сотни"})
_JOINED, _MIN_JOINED_LENGTH = frozenset("بلفك"), 3
"""Arabic prepositions that are joined to a number: بخمسه."""
_TO = "ل"
"""Of these, the one before another number than the one it follows: 500 لالف is 500 to 1,000."""
_INVERTED = "\ue002"
_ENGLISH = {value: word for word, value in reversed(SMALL.items()) if word.isascii()}
_ORDINAL_STEMS = {
    1: "перв", 2: "втор", 3: "трет", 4: "четверт", 5: "пят", 6: "шест", 7: "седьм", 8: "восьм", 9: "девят",
    10: "десят", 11: "одиннадцат", 12: "двенадцат", 13: "тринадцат", 14: "четырнадцат", 15: "пятнадцат",
    16: "шестнадцат", 17: "семнадцат", 18: "восемнадцат", 19: "девятнадцат", 20: "двадцат", 30: "тридцат",
    40: "сороков", 50: "пятидесят", 60: "шестидесят",
}  # fmt: skip
_BY_ORDINAL = {stem: value for value, stem in _ORDINAL_STEMS.items()}
_ORDINAL = re.compile(
    rf"({'|'.join(sorted(_BY_ORDINAL, key=len, reverse=True))})"
    r"(?:[ыои]й|ь?его|ого|ому|[ыо]м|ую|ая|ое|ь?ей|ь[еяюи]|ы[ех])"
)
_BY_ENGLISH_ORDINAL = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16,
    "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30,
}  # fmt: skip
_PARTS_BEHIND = tuple(
    (Decimal(value), re.compile(rf"(?:{forms})(?![\w/]|\s+(?:of|is|are|off|now)(?!\w))"))
    for value, forms in {
        "0.5": r"\s+(?:(?:and|n|&)\s+(?:a\s+)?|with\s+a\s+)half|\s+с\s+половин(?:ой|кой)|\s+و\s?نصف?"
        r"|\s+w\s?n[ou]s+|\s?[号码]\s?半|\s\.5",
        "0.25": r"\s+and\s+a\s+quarter|\s+с\s+четвертью|\s+и\s+четверть|\s+و\s?ربع|\s+w\s?rob3|\s\.25",
        "0.75": r"\s+and\s+three[\s-]quarters|\s+и\s+три\s+четверти|\s\.75",
    }.items()
)
"""What is said behind a number that belongs to it; signs (½) are folded to decimals."""
_FRACTION_BEHIND = re.compile(
    r"(?:[\s-]|\s+(?:and|и)\s+)(?P<parts>[1-7])/(?P<of>[248])(?![\w/]|\s+(?!(?:wide|narrow|inch|in|us|uk|eu|women|men)(?!\w))[^\W\d_])"
)
_HUNDRED_BEHIND = re.compile(r"[ -]hundred(?!\w)")
_THOUSANDS_BEHIND = re.compile(r"(?:[kк]|\s?т\.?\s?р\.?)(?![\w'])")
_THOUSANDS_BEHIND_WORDS = re.compile(r"\s?[kк](?![\w'])")
_LAKHS_BEHIND = re.compile(r"\s?(?:lakh|lac|lakhs|lacs)(?![\w'])")
_PART_OF = re.compile(
    r"(?<![\w'])(?:(?P<half>half a |пол[ -]?|نص |نصف |n[ou]s+ )|(?:a )?quarter (?:of a )?|четверть |ربع |rob3 )"
    r"(?:(?P<million>mil|million|миллиона|ляма|лимона|مليون|malyon|melyon)"
    r"|(?P<thousand>grand|thousand|косаря|тысячи|тыщи|الف|alf))(?!\w)"
)
_SCALES_OF_PARTS = {1_000_000: "million", 1_000: "thousand"}
_PAIR = frozenset({"пара", "пару", "пары"})
"""Before thousands it is two; else it is a pair of something."""
_ARABIZI_HUNDREDS = {
    "триста": r"t(?:[ou]lt|alat|hal[ae]th|lat)", "четыреста": r"(?:ar|ro|ru)b[ae]?3[ae]?",
    "пятьсот": r"(?:5|kh)[oaue]ms", "шестьсот": r"s[uie]tt?", "семьсот": r"s[aeou]b3",
    "восемьсот": r"t(?:[aou]m|m[ae]|aman|haman|hamn)n?", "девятьсот": r"t[ieaou]s3",
}  # fmt: skip
_ARABIZI_HUNDRED = re.compile(
    "(?:" + "|".join(f"({stem})" for stem in _ARABIZI_HUNDREDS.values()) + r")[aou]?m(?:i+|e+|ei|ai)?(?:y+[aeo]?h?|a)"
)
"""Three hundred to nine hundred as they are spelt in Latin letters (`khomsomeyya`, `5amsmiye`), as the words that the
reader of numbers knows.
"""
_ARABIZI_TENS = tuple(
    (word, re.compile(forms))
    for word, forms in {
        "عشرين": r"(?:3[eioau]?|[eio])(?:sh|ch)r[ei]+ne?", "ثلاثين": r"th?[ae]?l[aeu]*th?[ei]+ne?",
        "اربعين": r"[aeo]?rb[ae]?3[ei]+ne?", "خمسين": r"(?:5|kh)[aeou]?ms[ei]+ne?", "ستين": r"s[ei]tt?[ei]+ne?|stt?i+n",
        "سبعين": r"s[ae]?b3[ei]+ne?", "ثمانين": r"th?[ae]?m[ae]+n[ei]+ne?", "تسعين": r"t[ei]?s3[ei]+ne?",
        "сто": r"m[ei]yy[ae]h?",
    }.items()
)  # fmt: skip
"""Twenty to ninety, and a hundred, as they are spelt in Latin letters (`3ochrin`, `thalatheen`, `miyya`)."""
_ARTICLES = ("بال", "لل", "ال", "فال")
_ALONE_NO_NUMBER = frozenset({"one", "couple", "один", "одна", "одно", "одну", "واحد", "zero", "ست"})
"""Words that are read as numbers only beside others: "one" is somebody, ست is a lady."""


@dataclass(frozen=True, slots=True)
class SpokenNumber:
    """A number of a folded text, from its first character to behind its last."""

    start: int
    end: int
    value: Decimal
    in_digits: bool

    @property
    def shown(self) -> str:
        """The number as values show it: no exponent, no zeros that say nothing."""
        return format(self.value.normalize(), "f")


@lru_cache(maxsize=128)
def list_numbers(
    text: str, start: int, end: int, *, groups: bool = True, ordinals: bool = False, is_stated: bool = False
) -> tuple[SpokenNumber, ...]:
    """The numbers of a part of a folded text in reading order.

    With `groups`, `30 000` is one number; without, 30 and 0. With `ordinals`, `сорок второй` is 42. Digits that are
    letters of an Arabizi word are none. A half said behind belongs to the number (`десять с половиной`), and so do
    thousands (`15к`, `тысяч пятнадцать`). `is_stated`: it is known that the part states a measure or a sum; then two
    numbers may be one that are time or count elsewhere (`two fifty`, `двадцать шесть и три`).
    The last parts are remembered: readers of sums, measures and days ask for the same ones.
    """
    words = _cut(text, start, end, groups=groups, ordinals=ordinals)
    numbers: list[SpokenNumber] = []
    parts = [_make_part(match) for match in _PART_OF.finditer(text, start, end)]
    for found in find_numbers(words):
        number = _make_number(text, end, words, found)
        number = _complete(text, number) if number and is_stated else number
        if number is None or (numbers and number.start < numbers[-1].end):
            continue
        scale = SCALES.get(words[found.start].text) if found.end == found.start + 1 else None
        if scale and numbers and numbers[-1].value % 1 and not text[numbers[-1].end : number.start].strip():
            before = numbers.pop()
            number = SpokenNumber(before.start, number.end, before.value * scale, in_digits=False)
        joined = _join(text, numbers[-1], number, is_stated=is_stated) if numbers else None
        if joined is not None:
            number = SpokenNumber(numbers.pop().start, number.end, joined, in_digits=False)
        if not any(part.start < number.end and number.start < part.end for part in parts):
            numbers.append(number)
    said = [number for number in numbers if text[number.start : number.end] not in _ALONE_NO_NUMBER]
    return tuple(sorted([*said, *parts], key=lambda number: number.start))


def _complete(text: str, number: SpokenNumber) -> SpokenNumber:
    """What is said behind thousands and millions counts in hundreds and thousands: ألفين وخمس is 2,500 in talk of
    money, `melyon w tmenmiyye` 1,800,000.
    """
    if number.in_digits or not _ARABIC_JOINT.search(text, number.start, number.end):
        return number
    for scale, rests, factor in _SHORT_RESTS:
        rest = number.value % scale
        if number.value >= scale and rest in rests:
            return replace(number, value=number.value + rest * (factor - 1))
    return number


def _join(text: str, before: SpokenNumber, number: SpokenNumber, *, is_stated: bool) -> Decimal | None:
    """The value of two numbers in words that are one; None of others.

    «две восемьсот» is 2,800; where it `is_stated`, "two fifty" is 250 and «двадцать шесть и три» 26.3.
    """
    is_alone = text[before.start : before.end] in _ALONE_NO_NUMBER and not is_stated
    if before.in_digits or number.in_digits or is_alone:
        return None
    between = text[before.end : number.start]
    is_cyrillic = _CYRILLIC.match(text, number.start) is not None
    if is_cyrillic and between == " " and before.value in _FEW_THOUSANDS and number.value in _HUNDREDS_BEHIND:
        return before.value * 1000 + number.value
    if not is_stated:
        return None
    if is_cyrillic and between == " и " and before.value in _WITH_TENTHS and number.value in _ONES:
        return before.value + number.value / 10
    is_latin = _LATIN.match(text, before.start) is not None and _LATIN.match(text, number.start) is not None
    if is_latin and between in (" ", "-") and before.value in _ONES and number.value in _TENS_BEHIND:
        return before.value * 100 + number.value
    return None


def write_digits(text: str, *, ordinals: bool = False) -> str:
    """A folded text with what it says in words, or with a half, in digits: «тысяч тридцать пять» → `35000`."""
    parts, place = [], 0
    for number in list_numbers(text, 0, len(text), groups=False, ordinals=ordinals):
        if not text[number.start : number.end].isdecimal():
            parts += [text[place : number.start], number.shown]
            place = number.end
    return "".join([*parts, text[place:]])


def _make_part(match: re.Match[str]) -> SpokenNumber:
    scale = next(factor for factor, name in _SCALES_OF_PARTS.items() if match[name])
    return SpokenNumber(match.start(), match.end(), Decimal(scale) / (2 if match["half"] else 4), in_digits=False)


def _make_number(text: str, end: int, words: Sequence[Token], found: NumberSpan) -> SpokenNumber | None:
    if found.value is None:
        return None
    first, stop = words[found.start], words[found.end - 1].end
    value, start = Decimal(found.value.numerator) / Decimal(found.value.denominator), first.start
    hundred = None if found.in_digits else _HUNDRED_BEHIND.match(text, stop, end)
    if hundred and value in _TEENS_AND_TENS:
        value, stop = value * 100, hundred.end()
    part, stop = _read_part(text, stop, end)
    if part and value == int(value) and (value % 100 or value % 1000 == 0):
        value += part * (_find_scale(value) if not found.in_digits or found.end > found.start + 1 else 1)
    thousands = (_THOUSANDS_BEHIND if found.in_digits else _THOUSANDS_BEHIND_WORDS).match(text, stop, end)
    if thousands:
        value, stop = value * 1000, thousands.end()
    lakhs = _LAKHS_BEHIND.match(text, stop, end)
    if lakhs:
        value, stop = value * 100_000, lakhs.end()
    before = found.start - 1
    if before > 0 and words[before].text in _ABOUT:
        before -= 1
    if before >= 0 and words[before].text == _INVERTED and value < 1000:
        value, start = value * 1000, words[before].start
    return SpokenNumber(start, stop, value, found.in_digits) if 0 <= value < _MAX_NUMBER else None


def _read_part(text: str, place: int, end: int) -> tuple[Decimal, int]:
    """The part of one that is said behind a number, and where it ends; 0 and the place where none is."""
    written = _FRACTION_BEHIND.match(text, place, end)
    if written:
        part = Decimal(written["parts"]) / int(written["of"])
        return (part, written.end()) if part < 1 else (Decimal(0), place)
    for value, expression in _PARTS_BEHIND:
        match = expression.match(text, place, end)
        if match:
            return value, match.end()
    return Decimal(0), place


def _find_scale(value: Decimal) -> int:
    """What a part behind a number is a part of: of "a million and a half" it is half a million, else half of one."""
    return next((scale for scale in (1_000_000, 1_000) if value and value % scale == 0), 1)


def _cut(text: str, start: int, end: int, *, groups: bool, ordinals: bool) -> list[Token]:
    """The words of a text as the reader of numbers takes them, what is spoken replaced by standard words."""
    hidden = {match.start(): match.end() for match in _ARABIZI_WORD.finditer(text, start, end)}
    words: list[Token] = []
    position = place = start
    while place < end:
        kind, stop = _next_piece(text, place, end, hidden, groups=groups)
        if not kind:
            place += 1
            continue
        gap = "".join(text[position:place].split())
        said = text[place:stop]
        said = _read_digits(said) if kind in ("number", "grouped") else said
        if said in _TEENS and re.match(r"[ -]hundred\b", text[stop : stop + 9]):
            said, stop = str(_TEENS[said] * 100), stop + len(" hundred")
        words.append(_token(said, place, stop, gap, spaced=position < place))
        position = place = stop
    return _standardise(words, ordinals=ordinals)


def _next_piece(text: str, place: int, end: int, hidden: dict[int, int], *, groups: bool) -> tuple[str, int]:
    """The kind of the word or number at a place and where it ends; an empty kind where there is none."""
    stop = hidden.get(place)
    if stop is not None and not _SUFFIXED.fullmatch(text[place:stop]) and not _PREFIXED.fullmatch(text[place:stop]):
        return "word", stop
    match = _TOKEN.match(text, place, end)
    if match and match.lastgroup == "grouped" and not groups:
        match = _DIGITS.match(text, place, end)
        return "number", match.end() if match else place
    if match and match.lastgroup == "number" and "," in match[0] and _HAN_BEHIND.match(text, match.end()):
        return "number", place + match[0].index(",")  # Chinese writes decimals with a point: 我158，96斤
    return (match.lastgroup or "", match.end()) if match else ("", place)


def _read_digits(said: str) -> str:
    """Digits with a decimal point and nothing else: `1,200.50` → `1200.50`, `1,5` → `1.5`, `1.500` → `1500`."""
    if re.fullmatch(r"\d+(?:[.,]\d{1,2}|[.,]\d{4,})?", said):
        return said.replace(",", ".")
    if said.startswith("."):
        return f"0{said}"
    decimals = re.search(r"[.,](\d{1,2})$", said)
    whole = re.sub(r"\D", "", said[: decimals.start()] if decimals else said)
    return f"{whole}.{decimals[1]}" if decimals else whole


def _standardise(words: list[Token], *, ordinals: bool) -> list[Token]:
    """Words replaced by those that the reader of numbers knows; the Arabic "and" joined to the number behind it."""
    found: list[Token] = []
    for index, word in enumerate(words):
        after = words[index + 1].text if index + 1 < len(words) else ""
        said = _standard(word.text, after, ordinals=ordinals)
        before = found[-1] if found else None
        is_behind = before is not None and _is_number(before.text) and not word.gap
        behind = words[index + 2].text if after in _ABOUT and index + 2 < len(words) else after
        is_before = behind[:1].isdigit() or _is_number(_standard(behind, ""))
        if word.text in _THOUSANDS_FIRST and not is_behind and is_before:
            said = _INVERTED
        elif said == "of" and index and words[index - 1].text == "couple" and _is_scale(after):
            continue
        elif said == "hundred" and not is_behind:
            said = "сто"
        elif word.text in _HUNDREDS and is_behind:
            said = "hundred"
        elif said[:1] == ARABIC_AND and len(said) > 1 and _is_number(said[1:]) and not is_behind:
            said = said[1:]
        elif _is_joint(found) and _is_number(said) and not said[:1].isdigit():
            found[-1] = _token(ARABIC_AND + said, found[-1].start, word.end, "", spaced=True)
            continue
        gap = word.gap or (_TO if word.text.startswith(_TO) and _is_number(said) else "")
        found.append(_token(said, word.start, word.end, gap, spaced=word.spaced))
    return found


def _is_joint(found: Sequence[Token]) -> bool:
    """Whether the last word is an Arabic "and" that stands alone behind a number."""
    return len(found) > 1 and found[-1].text in ("w", "و") and _is_number(found[-2].text)


def _is_number(word: str) -> bool:
    bare = word[1:] if word[:1] == ARABIC_AND else word
    return word[:1].isdigit() or any(each in table for each in (word, bare) for table in (SMALL, SCALES, DUAL_SCALES))


def _standard(word: str, after: str, *, ordinals: bool = False) -> str:
    if word in SMALL or word in DUAL_SCALES:
        return word
    if word in _SPOKEN:
        return _SPOKEN[word]
    if word[:1] == ARABIC_AND and word[1:] in _SPOKEN:
        return ARABIC_AND + _SPOKEN[word[1:]]
    if (
        word[:1] in _JOINED
        and len(word) > _MIN_JOINED_LENGTH
        and (word[1:] in SMALL or word[1:] in _SPOKEN or _is_scale(word[1:]))
    ):
        return _SPOKEN.get(word[1:], word[1:])
    if word in _PAIR and _is_scale(after):
        return "two"
    if word == "تلت" and _is_scale(after):
        return "ثلاث"
    hundreds = _ARABIZI_HUNDRED.fullmatch(word)
    if hundreds and hundreds.lastindex:
        return tuple(_ARABIZI_HUNDREDS)[hundreds.lastindex - 1]
    tens = next((number for number, forms in _ARABIZI_TENS if forms.fullmatch(word)), "")
    if tens:
        return tens
    article = next((each for each in _ARTICLES if word.startswith(each)), "")
    if article and _is_scale(word[len(article) :]):
        return _SPOKEN.get(word[len(article) :], word[len(article) :])
    if word == "a" and after in ("hundred", "thousand", "grand", "million"):
        return "one"
    if ordinals:
        match = _ORDINAL.fullmatch(word)
        value = _BY_ORDINAL[match[1]] if match else _BY_ENGLISH_ORDINAL.get(word)
        return _ENGLISH[value] if value else word
    return word


def _is_scale(word: str) -> bool:
    """Whether a word multiplies, or is so many by itself: тысяч, сотен, الف, الفين."""
    known = _SPOKEN.get(word, word)
    return known in SCALES or known in DUAL_SCALES or word in _HUNDREDS


def _token(said: str, start: int, end: int, gap: str, *, spaced: bool) -> Token:
    is_number = said[:1].isdigit() and said.replace(".", "", 1).isdigit()
    return Token(said, said, "number" if is_number else "word", start, end, gap, spaced, capital=False)
