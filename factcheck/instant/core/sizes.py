"""Sizes and measures as people say them: `M`, `xxl`, `эмка`, `сорок два`, `مقاسي ٤٢`."""

from __future__ import annotations

import re

from factcheck.instant.core.messages import fold


def _fold(name: str) -> str:
    return name if "\u4e00" <= name[0] <= "\u9fff" else fold(name)


_LETTER_SIZE = re.compile(r"([2-6])?\s*(x{0,4})-?([sml])")
_CHINESE_SIZE = re.compile(r"1[4-9]\d[/-](?:[6-9]\d|1[0-3]\d)[abcy]?")
"""Height and chest or waist: `170/92A`."""
_CYRILLIC_LOOKALIKES = str.maketrans({"м": "m", "х": "x", "л": "l", "с": "s"})
_NAMED = {
    _fold(name): size
    for size, names in {
        "XS": "xs икс-эс иксэска",
        "S": "small s эс эска эску эски smol سمول 小码",
        "M": "medium med m эм эмка эмку эмки медиум ميديم ميديوم 中码",
        "L": "large l эль элька эльку эльки лардж لارج 大码",
        "XL": "加大码 xl икс-эль иксэль иксэлька extra-large اكس-لارج",
    }.items()
    for name in names.split()
}
_TENS = {
    fold(word): value
    for word, value in {
        "тридцать": 30,
        "сорок": 40,
        "пятьдесят": 50,
        "шестьдесят": 60,
        "thirty": 30,
        "forty": 40,
        "fifty": 50,
        "sixty": 60,
    }.items()
}
_ONES = {
    fold(word): value
    for word, value in {
        "один": 1,
        "два": 2,
        "три": 3,
        "четыре": 4,
        "пять": 5,
        "шесть": 6,
        "семь": 7,
        "восемь": 8,
        "девять": 9,
        "первый": 1,
        "второй": 2,
        "третий": 3,
        "четвертый": 4,
        "шестой": 6,
        "восьмой": 8,
        "one": 1,
        "two": 2,
        "three": 3,
        "four": 4,
        "five": 5,
        "six": 6,
        "seven": 7,
        "eight": 8,
        "nine": 9,
    }.items()
}
_SIZE_WORDS = frozenset({"码", "号"})
CLOTHES_RANGE = range(30, 71)
SHOE_RANGE = range(20, 52)


def read_letter_size(text: str) -> str | None:
    """`M`, `XXL`, `3XL` of however it is written; None if it is no letter size."""
    word = fold(text).strip().replace(" ", "-").removesuffix("-码").removesuffix("-号")
    if word in _NAMED:
        return _NAMED[word]
    if _CHINESE_SIZE.fullmatch(word):
        return word.upper().replace("-", "/")
    match = _LETTER_SIZE.fullmatch(word.translate(_CYRILLIC_LOOKALIKES).replace("-", ""))
    if match is None or (match[1] and not match[2]) or (match[3] == "m" and match[2]):
        return None
    return f"{match[1] or ''}{match[2].upper()}{match[3].upper()}"


def read_number_size(text: str, allowed: range) -> str | None:
    """A size in digits or words within a range; a half size keeps its half."""
    words = [word for word in fold(text).replace(",", ".").split() if word not in _SIZE_WORDS]
    if len(words) == 1 and re.fullmatch(r"\d{2}(?:\.5)?", words[0]):
        return words[0] if int(words[0][:2]) in allowed else None
    values = [_TENS.get(word, _ONES.get(word)) for word in words]
    if not values or values[0] is None or values[0] < 20 or len(values) > 2 or None in values[1:]:
        return None
    total = sum(value for value in values if value is not None)
    return str(total) if total in allowed else None
