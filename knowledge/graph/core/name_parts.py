"""What keeps two names that look alike apart: digits, numerals, patronymics, titles, and words that only one has."""

from __future__ import annotations

import re

from knowledge.graph.core.name_words import GENERATIONS, GIVEN_NAME_PAIRS, ORDINALS, SIDES, TITLES

_DIGITS = re.compile(r"\d+")
_ROMAN = re.compile(r"m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
_HAN_NUMERALS = re.compile(r"[零〇一二三四五六七八九十百千两]+")
_HAN = re.compile(r"[\u3400-\u9fff]")
_PATRONYMIC = re.compile(r"(?:ович|евич|ьевич|ич|овна|евна|ична|инична|ovich|evich|yevich|ovna|evna|yevna|ichna)$")
_WORD = re.compile(r"[^\W_]+(?:['.][^\W_]+)*\.?")
_ADJECTIVE_ENDING = re.compile(r"(?<=[а-я]{3})(?:ый|ий|ой|ая|яя|ое|ее|ые|ие|ого|его|ых|их)$")
_ARABIC_LINEAGE = frozenset({"بن", "ابن", "بنت", "ibn", "bin", "bint", "ben"})
_ARABIC_BEFORE = frozenset({"ابو", "ام", "abu", "umm", "um"})


def find_difference(one: str, other: str) -> str:
    """Why two keys can't be one bearer's: the kind of part in which they differ; empty if none is found.

    Worked example: "ivan petrovich" and "ivan pavlovich" differ in a patronymic.
    """
    if one == other:
        return ""
    checks = (
        ("digit", _DIGITS.findall),
        ("numeral", _list_numerals),
        ("patronymic", _list_patronymics),
        ("lineage", _list_lineage),
        ("title", lambda name: sorted(TITLES & set(_words(name)))),
        ("generation", lambda name: sorted(GENERATIONS & set(_words(name)))),
        ("side", lambda name: sorted({SIDES[stem] for stem in _stems(name) if stem in SIDES})),
        ("initial", _list_initials),
    )
    for reason, parts in checks:
        if parts(one) != parts(other):
            return reason
    return _find_other_word(one, other)


def _words(name: str) -> list[str]:
    return [match.rstrip(".") if len(match) > 2 else match for match in _WORD.findall(name)]


def _stems(name: str) -> list[str]:
    """The words with Russian adjectives in their first form, as `SIDES` has them."""
    return [_ADJECTIVE_ENDING.sub("ый", word) for word in _words(name)]


def _list_numerals(name: str) -> list[str]:
    """Roman numerals, ordinals in words, Chinese numerals and single Latin letters: what numbers things of one name."""
    found = []
    for word in _words(name):
        if word in ORDINALS:
            found.append(str(ORDINALS[word]))
        elif word and _ROMAN.fullmatch(word):
            found.append(word)
    return found + _HAN_NUMERALS.findall(name)


def _list_patronymics(name: str) -> list[str]:
    words = _words(name)
    return [word for word in words[1:] if len(word) > 4 and _PATRONYMIC.search(word)]


def _list_lineage(name: str) -> list[str]:
    """Whose son, daughter, father or mother somebody is, as Arabic names tell it."""
    words = _words(name)
    return [
        " ".join(words[place : place + 2])
        for place, word in enumerate(words[:-1])
        if word in _ARABIC_LINEAGE or word in _ARABIC_BEFORE
    ]


def _list_initials(name: str) -> list[str]:
    """Single letters beside longer words: "j. smith", "wing b"."""
    words = _words(name)
    short = [word.rstrip(".") for word in words if word.endswith(".") or (len(word) == 1 and word.isalpha())]
    return short if len(short) < len(words) else []


def _find_other_word(one: str, other: str) -> str:
    """Whether the names differ in one word of the same place, or in a Chinese character, or are two known names."""
    first, second = _words(one), _words(other)
    if _HAN.search(one) and _HAN.search(other):
        return "character" if len(one) == len(other) else ""
    for pair in GIVEN_NAME_PAIRS:
        if len(pair & set(first)) == 1 and len(pair & set(second)) == 1 and pair & set(first) != pair & set(second):
            return "given_name"
    if len(first) == len(second) > 1:
        differing = [(a, b) for a, b in zip(first, second, strict=True) if a != b]
        if len(differing) == 1 and differing[0][0][0] != differing[0][1][0]:
            return "word"
    return ""
