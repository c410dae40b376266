"""Sizes and numbers as a message says them, and whether a known size, measure or sum may have such a value."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.sizes import read_letter_size, read_number_size

_SIZE = re.compile(
    r"(?<![\w'’`.,])(?:[2-6]?[xх]{0,4}-?[smlмл]|х[лс]|small|medium|large|эм[кауи]+|эс[кауи]+|эл[ькауи]+"
    r"|medium|سمول|ميديوم|ميديم|لارج|اكس لارج)(?![\w'’])"
)
_NUMBER = re.compile(
    r"(?<![\w'’.,])(?:[wв]|us |eu |eur |размер )?(?P<digits>\d{1,3}(?:[ ,.]\d{3})+|\d+(?:[.,]\d+)?)(?!['’]\d)"
    r"(?P<unit>[ ]?(?:k|к|тыс\w*|[اآ]لاف|الف|alf|alaf"
    r"|cm|см|kg|кг|м|m|斤|公斤|厘米|公分|码|号|元|块|块钱)(?!\w)|-?[йяе]\w?(?!\w)|th(?!\w))?"
)
_HALF = re.compile(r" (?:and a half|с половиной|و ?نص\w?|w ?no[s9]+\w*)(?!\w)| ?(?:码 ?)?半(?!\w)")
_NUMBER_WORDS = re.compile(
    r"(?<!\w)(?:тридцать|сорок|пятьдесят|шестьдесят|thirty|forty|fifty)(?:[ -](?:один|два|три|четыре|пять"
    r"|шесть|семь|восемь|девять|первый|второй|третий|четвертый|шестой|восьмой"
    r"|one|two|three|four|five|six|seven|eight|nine))?(?!\w)"
)
_DIGITS = re.compile(r"\d+(?:[.,]\d+)?")
_THOUSAND = re.compile(r"[ ]?(?:k|к|тыс\w*|[اآ]لاف|الف|alf|alaf)$")
_MAX_SHARE = 5
"""Of a new sum and the old one."""
_CLOTHES = range(20, 80)


@dataclass(frozen=True, slots=True)
class SaidValue:
    """A size or a number in a folded text, and where it stands."""

    text: str
    value: str
    is_letter: bool
    start: int
    end: int


def list_said(text: str) -> list[SaidValue]:
    """The sizes and numbers of a folded text: letters, figures, then number words."""
    said = []
    for match in _SIZE.finditer(text):
        size = read_letter_size(match[0])
        if size:
            said.append(SaidValue(match[0], size, is_letter=True, start=match.start(), end=match.end()))
    for match in _NUMBER.finditer(text):
        digits = match["digits"]
        grouped = re.fullmatch(r"\d{1,3}(?:[ ,.]\d{3})+", digits)
        number = re.sub(r"[ ,.]", "", digits) if grouped else digits.replace(",", ".")
        half = _HALF.match(text, match.end()) if number.isdigit() else None
        number, end = (f"{number}.5", half.end()) if half else (number, match.end())
        if match["unit"] and _THOUSAND.fullmatch(match["unit"]):
            number = f"{float(number) * 1000:g}" if float(number) < 1000 else number
        if match["unit"] and match["unit"].strip() == "斤":
            number = f"{float(number) / 2:g}"
        said.append(SaidValue(text[match.start() : end], number, is_letter=False, start=match.start(), end=end))
    for match in _NUMBER_WORDS.finditer(text):
        number_size = read_number_size(match[0].replace("-", " "), _CLOTHES)
        if number_size:
            said.append(SaidValue(match[0], number_size, is_letter=False, start=match.start(), end=match.end()))
    return said


def fits(said: SaidValue, fact: KnownFact) -> bool:
    """Whether a value may be of the fact: letters for sizes, numbers near the old one for measures."""
    if fact.type == "budget":
        return not said.is_letter and float(said.value) > 0
    if "size" in fact.key and "shoe" not in fact.key and (said.is_letter or read_letter_size(fact.value)):
        return said.is_letter or read_number_size(said.value, _CLOTHES) is not None
    known = _read_known(fact)
    return not said.is_letter and known > 0 and 0.5 <= float(said.value) / known <= 2


def is_near(said: SaidValue, fact: KnownFact) -> bool:
    """Whether a sum is of the size of the one that is known: "make it 3 pizzas" is no budget in place of 800."""
    known = _read_known(fact)
    if fact.type != "budget" or not known:
        return True
    return 1 / _MAX_SHARE <= float(said.value) / known <= _MAX_SHARE


def in_thousands(said: SaidValue, fact: KnownFact) -> SaidValue:
    """A number of a sum that is known in thousands: 55 in place of 40,000."""
    thousands = replace(said, value=f"{said.value}000")
    is_short = fact.type == "budget" and said.value.isdigit() and "000" in fact.value and not is_near(said, fact)
    return thousands if is_short and is_near(thousands, fact) else said


def is_same(said: SaidValue, fact: KnownFact) -> bool:
    """Whether a value is the one that is known."""
    if said.is_letter or fact.type == "body_params":
        return said.value.casefold() == (read_letter_size(fact.value) or _first_number(fact.value)).casefold()
    return said.value == _first_number(fact.value)


def _first_number(value: str) -> str:
    found = _DIGITS.search(value)
    return found[0] if found else value


def _read_known(fact: KnownFact) -> float:
    """The first number of a known value; 0 where it has none."""
    found = _DIGITS.search(fact.value)
    return float(found[0].replace(",", ".")) if found else 0.0


def write_value(said: SaidValue, fact: KnownFact) -> str:
    """The value as it is kept: with the currency or the unit of the old one."""
    if fact.type != "budget":
        unit = re.fullmatch(r"\d+(?:[.,]\d+)?\s*(cm|kg|см|кг)", fact.value)
        return said.value if unit is None else f"{said.value} {unit[1]}"
    rest = re.sub(r"^[\d.,\s]+[kк]?\s*", "", fact.value).strip()
    return f"{said.value} {rest}".strip()
