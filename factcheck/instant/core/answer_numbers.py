"""Sizes, measures and sums as short answers say them, where the question has said what they are of."""

from __future__ import annotations

import re

from factcheck.instant.core.money import read_bare_amount, read_money
from factcheck.instant.core.sizes import CLOTHES_RANGE, SHOE_RANGE, read_letter_size, read_number_size

_WORD = re.compile(r"(?<!\w['’])(?<![^\W_])[^\W_]+(?:[.,]5)?")
"""Not what an apostrophe joins: the s of "it's" and the l of "I'll" are no sizes."""
_SHORT_WORDS = ("с", "м", "m", "s", "l")
"""Sizes that are words, too, where more is said than a size."""
_MAX_WORDS_OF_BARE_SIZE = 4
_SMALL_SHOE = re.compile(
    r"\W*(?:(?:a|an|size|i'?m|im|i|am|take|wear|usually|normally|about|around|mens?|womens?|ladies|in|uk|us|au)\s+)*"
    r"(?P<number>[3-9]|1[0-6])(?P<half>[.,]5|½|\s?1/2|\s+and a half)?"
    r"(?:\s+(?:in|uk|us|au|mens?|womens?|ladies|extra|wide|narrow|regular|standard|fit|fitting|foot|feet|w|d|e{1,3}))*\W*"
)
"""A British or American size that is all of an answer: "uk 9 wide fit", "10 and a half"."""
_FEET = re.compile(r"(?<!\d)([3-8])\s?(?:'|ft|foot|feet|фут\w*|قدم)\s?(\d{1,2})?")
_CENTIMETRES = re.compile(r"(?<![\d.,])(1\d\d|2[0-2]\d)(?!\d|[.,]\d)")
_METRES = re.compile(r"(?<!\d)([12])(?:[.,]|\s?[mм]\s?)(\d\d)(?!\d)(?!\s?(?:kg|kilo|кг|кило|كيلو|كغ|公斤))")
_KILOS = re.compile(r"(?<![\d.,])(\d{2,3})(?!\d|[.,]\d)")
_HALF_KILOS = re.compile(r"(?<![\d.,])(\d{2,3}(?:\.\d)?)\s?斤")
_DIGIT_OF_WORD = re.compile(r"(?<!\w)(?:[2-9]['a-z]{3,}|[a-z]+[2-9][a-z]*)(?!\w)")
"""A word of Arabizi, whose digits are letters: `7awali 500`."""
_THOUSANDS_BEFORE = re.compile(r"(?<!\w)(?:тысяч|тыщ|тыс|штук)\w* (\d+)")
_METRE = re.compile(r"(?<!\w)(?:метр|met(?:re|er)|متر)\s(?:и\s|and\s|و\s?)?(\d\d?)(?!\w)")


def read_sizes(text: str, key: str, *, are_options: bool = False) -> list[str]:
    """The sizes of an answer in reading order; of shoes only numbers."""
    found: list[str] = []
    for match in _WORD.finditer(text):
        allowed = SHOE_RANGE if key == "shoe_size" else CLOTHES_RANGE
        number = read_number_size(match[0], allowed)
        is_word = not are_options and match[0] in _SHORT_WORDS and len(text.split()) > _MAX_WORDS_OF_BARE_SIZE
        letter = read_letter_size(match[0]) if key == "size" and not is_word else None
        size = number or letter
        if size and size not in found:
            found.append(size)
    return found


def read_small_shoe(text: str) -> str | None:
    """A British or American shoe size, where an answer says nothing else."""
    match = _SMALL_SHOE.fullmatch(text)
    return None if match is None else f"{match['number']}{'.5' if match['half'] else ''}"


def list_sizes(text: str) -> list[str]:
    """Every size that a text names, as options of a question."""
    return read_sizes(text, "size", are_options=True)


def read_height(text: str) -> str | None:
    """A height in centimetres: `163`, `1.63`, `5 foot 4`, `метр 63`."""
    match = _CENTIMETRES.search(text)
    if match:
        return match[1]
    match = _METRES.search(text)
    if match:
        return match[1] + match[2]
    match = _FEET.search(text)
    if match:
        return str(round((int(match[1]) * 12 + int(match[2] or 0)) * 2.54))
    match = _METRE.search(text)
    return str(100 + int(match[1])) if match else None


def read_weight(text: str, *, after_height: bool) -> str | None:
    """A weight in kilograms; behind the height, where both are said."""
    jin = _HALF_KILOS.search(text)
    if jin:
        return str(round(float(jin[1]) / 2))
    numbers = [match[1] for match in _KILOS.finditer(_METRES.sub(_keep_height if after_height else " ", text))]
    if after_height and len(numbers) > 1:
        return numbers[1]
    return numbers[0] if numbers and not after_height else None


def _keep_height(match: re.Match[str]) -> str:
    """Metres as centimetres: the 63 of `1m63` are no kilograms."""
    return f"{match[1]}{match[2]}"


def read_amount(text: str, currency: str) -> str | None:
    """A sum: with its own currency, else with that of the question, else bare."""
    text = _DIGIT_OF_WORD.sub(" ", _THOUSANDS_BEFORE.sub(r"\1 тысяч", text))
    money = read_money(text)
    if money is not None:
        return money[0]
    bare = read_bare_amount(text)
    if bare is None:
        return None
    named = read_money(f"{bare} {currency}") if currency else None
    return named[0] if named else bare
