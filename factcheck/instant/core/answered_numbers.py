"""Numbers that a short answer says where sums, sizes or measures are asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from factcheck.instant.core.answer_choices import Answer, choose_options
from factcheck.instant.core.answer_numbers import (
    list_sizes,
    read_amount,
    read_height,
    read_sizes,
    read_small_shoe,
    read_weight,
)
from factcheck.instant.core.measure_labels import Label, make_labelled
from factcheck.instant.core.measure_reader import read_measures, read_ring_answer, read_stated_measure
from factcheck.instant.core.measure_values import Piece
from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.money import read_money
from factcheck.instant.core.questions import NUMBER_KEYS
from factcheck.instant.core.reader_words import compile_phrases
from factcheck.instant.core.spoken_numbers import write_digits
from factcheck.instant.core.subjects import detect_subject
from factcheck.instant.core.sum_reader import list_amounts, read_upper_bound
from factcheck.instant.core.value_lists import ListedValue, split_tokens
from factcheck.instant.core.words import read_words

_CURRENCY_OF_QUESTION = re.compile(
    r"(?<!\w)(aed|dirhams?|eur|euros?|usd|dollars?|gbp|pounds?|quid|sar|riyals?|рубл\w*|руб|евро|доллар\w*|тенге"
    r"|درهم|ريال|جنيه|دينار|دولار|يورو|"
    r"[$€£₽¥]|元|块|人民币|港币|台币|美元|美金|欧元|英镑|日元)(?!\w)"
)
_GIVING = read_words("giving")
_MIN_BARE_SUM = 5
"""A smaller number without a currency counts something: "the two models"."""
_WAS = compile_phrases("answers", "was")
_NUMBER = re.compile(r"\d+(?:\.\d)?")
_BETWEEN_NUMBERS = re.compile(r"[\s,،/;-]+")
_ROW = re.compile(r"\s*\d+(?:\.\d)?(?:[\s,،/;-]+\d+(?:\.\d)?)+(?!\w)")
_NOT_OWN_ROW = re.compile(
    r"(?<!\w)(?:wish|dreams?|bro|question|мечта\w*|мечте|модел\w+|احلم\w*|حلم)(?!\w)|梦|男朋友|女朋友|想得美"
)
"""Behind measures: they are wished for, or another's."""
NOT_NUMBER = re.compile(r"(?:(?<!\w)(?:not|не|مش|مو|msh|mish)|不是)\s*\d+(?:[.,]\d+)?")
"""A number that an answer says not to be meant."""
_MAX_WORDS_BEFORE_WAS = 2
"""Farther from a number "was" is of something else."""
_COUNTED = compile_phrases("answers", "counted")
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*\s*")
_COUNTS = compile_phrases("answers", "counts_another")
_YEARS = re.compile(r"\d\s?(?:years?|yrs|лет|год|года|سنه|سنوات|عام|岁|sana|sneen)(?!\w)")
_SETTLED = compile_phrases("answers", "settled")
_WAS_NOW = re.compile(r"(?<!\w)was[,\s]+(?:but )?now\s+(?:it's\s+)?(?=\d)")
DIGIT = re.compile(r"\d")
_VALUE = re.compile(r"\d|(?<![\w'])(?:x{1,4}[sl]|[sml]|small|medium|large)(?![\w'])")
"""A figure or the letter of a size."""
_MIN_MEASURES = 2
"""One number is read as any other answer."""


def read_budget(folded: str, start: int, question: str) -> Iterator[Answer]:
    """The sum that an answer names from `start` on, or picks by its place among those of the question."""
    said = _CURRENCY_OF_QUESTION.search(question)
    currency = said[1] if said else ""
    offered = [ListedValue(each, each, 0, 0, is_known=True) for each in list_amounts(question)]
    chosen = choose_options(folded, offered) if not DIGIT.search(folded) else []
    text = NOT_NUMBER.sub(" ", folded[start:])
    amount = (
        chosen[0].value if len(chosen) == 1 else _read_sum(_cut_to_final(text), currency) or _read_sum(text, currency)
    )
    if amount is not None and not (_is_of_others(folded, gives=True) or _counts_another(folded)):
        yield Answer("budget", "general", amount, start, len(folded.rstrip()))


def _read_sum(text: str, currency: str) -> str | None:
    """A sum, of a range the upper bound; None where a small number without a currency counts something."""
    bound = read_upper_bound(text)
    if bound is not None:
        return " ".join(filter(None, bound)) if bound[1] or not currency else read_amount(bound[0], currency)
    amount = read_amount(write_digits(text), currency)
    number = amount.split()[0] if amount else ""
    is_count = number.isdigit() and int(number) < _MIN_BARE_SUM and read_money(text) is None
    return None if is_count else amount


def read_row(text: str, asked: tuple[str, ...]) -> list[tuple[str, str]]:
    """Bare numbers in the order of the measures that a question names ("Waist and inseam?" – "32 / 34, been there for
    years"): all that can be those measures, or none.
    """
    row = _ROW.match(text)
    if row and (
        _NOT_OWN_ROW.search(text, row.end()) or detect_subject(text, row.end(), len(text), len(text)) == "other"
    ):
        return []
    parts = [part for part in _BETWEEN_NUMBERS.split(row[0]) if part] if row else []
    if len(asked) < _MIN_MEASURES or len(parts) != len(asked) or not all(map(_NUMBER.fullmatch, parts)):
        return []
    named = zip(asked, parts, strict=True)
    read = [
        make_labelled(Piece("number", part, 0, len(part), number=Decimal(part)), Label(key, 0, 0))
        for key, part in named
    ]
    return [(value.key, value.value) for value in read if value is not None] if all(read) else []


def _read_units(text: str) -> dict[str, str]:
    """Heights and weights in units that are not the metric ones: stones, pounds."""
    message = FoldedMessage(text, text)
    read = read_measures(message, (0, len(text)))
    kept = {each.key: each.value for each in read if each.key.startswith(("height", "weight"))}
    return kept if "weight_lb" in kept else {}


def read_measure(folded: str, key: str) -> Iterator[Answer]:
    """The measure that a question names ("Your waist is 80, right?" – "it was, now 86"), the last that the answer
    settles on.
    """
    text = _cut_to_final(NOT_NUMBER.sub(" ", write_digits(folded)))
    if _is_of_others(folded) or _is_over(text) or _counts_another(folded):
        return
    number = DIGIT.search(text)
    read = read_stated_measure(FoldedMessage(text, text), number.span(), (key,)) if number else None
    value = read.value if read is not None and read.key == key else None
    if key == "ring_size" and not number:
        value = read_ring_answer(text)
    if value is not None:
        yield Answer("body_params", key, value, 0, len(folded.rstrip()))


def _is_of_others(folded: str, *, gives: bool = False) -> bool:
    """Whether the first number of an answer is somebody else's: "my friend's limit was 100"; with `gives` not where
    they are whom it is spent on: "for my sister, 50".
    """
    number = DIGIT.search(folded)
    place = number.start() if number else len(folded)
    if detect_subject(folded, 0, place, len(folded)) != "other":
        return False
    return not (gives and any(word in _GIVING for word, _, _ in split_tokens(folded, 0, place)))


def _counts_another(folded: str) -> bool:
    """Whether the clause of the first number is about something else: "I have 180 books", «мне 42 года»."""
    number = DIGIT.search(folded)
    if number is None:
        return False
    first = max(folded.rfind(mark, 0, number.start()) for mark in ",،.;!\n") + 1
    last = min((at for mark in ",،.;!\n" if (at := folded.find(mark, number.end())) >= 0), default=len(folded))
    figure = _FIGURE.match(folded, number.start())
    if figure is not None and _COUNTED.match(folded, figure.end()):
        return True
    return _COUNTS.search(folded, first, last) is not None or _YEARS.search(folded, first, last) is not None


def _is_over(text: str) -> bool:
    """Whether the first number of an answer is one that was: «до пандемии была 44»."""
    number = _VALUE.search(text)
    words = text[: number.start()].split()[-_MAX_WORDS_BEFORE_WAS:] if number else []
    return _WAS.search(" ".join(words)) is not None


def _cut_to_final(text: str) -> str:
    """An answer from where it settles on a number: "38 is tight, let's say 39", «был 16, сейчас 17»."""
    for settled in reversed([*_SETTLED.finditer(text), *_WAS_NOW.finditer(text)]):
        if _VALUE.search(text, settled.end()):
            return text[settled.end() :]
    return text


def read_body(folded: str, start: int, asked: tuple[str, ...], question: str) -> Iterator[Answer]:
    """The sizes and measures that an answer says from `start` on, of the keys that are asked for."""
    end = len(folded.rstrip())
    said = NOT_NUMBER.sub(" ", write_digits(folded[start:], ordinals=True))
    text = _cut_to_final(said) if len(NUMBER_KEYS.intersection(asked)) == 1 else said
    if _is_of_others(folded) or _is_over(text) or _counts_another(folded):
        return
    measured = _read_units(text) if not {"height_cm", "weight_kg"}.isdisjoint(asked) else {}
    for key, value in measured.items():
        yield Answer("body_params", key, value, start, end)
    if measured:
        return
    height = read_height(text) if "height_cm" in asked else None
    if height is not None:
        yield Answer("body_params", "height_cm", height, start, end)
    if "weight_kg" in asked:
        weight = read_weight(text, after_height=height is not None)
        if weight is not None:
            yield Answer("body_params", "weight_kg", weight, start, end)
    if "shoe_size" in asked or "size" in asked:
        key = "shoe_size" if "shoe_size" in asked else "size"
        options = list_sizes(question)
        places = [ListedValue(size, size, 0, 0, is_known=True) for size in options]
        chosen = choose_options(folded, places) if not read_sizes(text, key) else []
        small = read_small_shoe(text) if key == "shoe_size" else None
        for size in [option.value for option in chosen] or ([small] if small else read_sizes(text, key)[:1]):
            yield Answer("body_params", key, size, start, end)
