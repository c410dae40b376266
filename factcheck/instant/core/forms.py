"""The exact forms in which one word occurs, plurals and cases, so that no stem is shared by chance."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import pymorphy3

_LATIN = re.compile(r"[a-z]")
_CYRILLIC = re.compile(r"[а-я]")
_ARABIC = re.compile(r"[\u0620-\u064a]")
_SIBILANT = re.compile(r"(?:s|x|z|ch|sh)$")
_NOT_PLURAL = re.compile(r"(?:ss|us|is|as)$")
_JOINED_ARTICLE = re.compile(r"^(?:و|ف)?(?:ب|ك|ل|و|ف)?ال(?=..)|^(?:و|ف)?لل(?=..)|^و(?=...)")
_NOMINAL = frozenset({"NOUN", "ADJF", "ADJS", "PRTF", "INFN", "VERB", "NPRO"})
_MIN_SINGULAR_LENGTH = 3
_CHINESE_WITH = "含带"
"""What is joined to a thing of two signs or more: 含酒精, but not 带鱼, which is a fish."""
_ARTICLE = re.compile(r"^(?:و|ف)?(?:ب|ك|و|ف|ع)?ال(?=...)|^(?:و|ف)?لل(?=...)")
_NO_COMMON_NOUNS = ("Name", "Surn", "Patr", "Abbr", "Init")


@lru_cache(maxsize=1)
def _morphology() -> pymorphy3.MorphAnalyzer:
    return pymorphy3.MorphAnalyzer(lang="ru")


@lru_cache(maxsize=20_000)
def list_word_forms(word: str, language: str) -> frozenset[str]:
    """All forms of a folded word that name the same thing, itself among them.

    Russian words are inflected as the reading of the dictionary whose base form they are, so that мед does not cover
    медь; English nouns get their other number; Arabic and Arabizi words stand for themselves, as `list_readings` takes
    joined articles off. `=` before a word keeps it to exactly that form.
    """
    if word.startswith("="):
        return frozenset({word[1:]})
    if _CYRILLIC.search(word):
        return _inflect_russian(word) | {word}
    if _LATIN.search(word) and language in ("en", ""):
        return _inflect_english(word) | {word}
    return frozenset({word})


@lru_cache(maxsize=50_000)
def list_readings(word: str) -> tuple[str, ...]:
    """A word of a message, and the same without what is joined to it: و, ال, بال, لل; the English 's; 含 ("with")."""
    if _ARABIC.search(word):
        readings = [word]
        match = _JOINED_ARTICLE.match(word)
        while match and len(readings) < 3:
            readings.append(word[match.end() :])
            match = _JOINED_ARTICLE.match(readings[-1])
        return tuple(readings)
    if len(word) > 2 and word[0] in _CHINESE_WITH:
        return (word, word[1:])
    if word.endswith("'s"):
        return (word, word[:-2])
    if word.endswith("'"):
        return (word, word[:-1])
    return (word,)


def _inflect_russian(word: str) -> frozenset[str]:
    parses = [
        parse for parse in _morphology().parse(word) if parse.tag.POS in _NOMINAL and _fold(parse.normal_form) == word
    ]
    if not parses:
        parses = [parse for parse in _morphology().parse(word) if parse.tag.POS in _NOMINAL][:1]
        parses = [parse for parse in parses if "plur" in parse.tag and "nomn" in parse.tag]
    nouns = [parse for parse in parses if parse.tag.POS in ("NOUN", "ADJF")] or parses
    forms = {_fold(form.word) for parse in nouns[:1] for form in parse.lexeme if form.tag.POS != "ADJS"}
    return frozenset(form for form in forms if len(form) > 1)


def _inflect_english(word: str) -> frozenset[str]:
    if word.endswith("ies") and len(word) > 4:
        return frozenset({word[:-3] + "y"})
    if word.endswith("s") and not _NOT_PLURAL.search(word) and len(word) > _MIN_SINGULAR_LENGTH:
        singular = word[:-1]
        return frozenset({singular, singular[:-1]} if re.search(r"(?:s|x|z|ch|sh|o)es$", word) else {singular})
    if word.endswith("y") and not re.search(r"[aeiou]y$", word):
        return frozenset({word[:-1] + "ies", word + "s"})
    if _SIBILANT.search(word):
        return frozenset({word + "es"})
    return frozenset({word + "s", word + "es"} if word.endswith("o") else {word + "s"})


def _fold(word: str) -> str:
    return word.replace("ё", "е")


@lru_cache(maxsize=50_000)
def find_russian_lemma(word: str) -> str:
    """The dictionary form of the likeliest reading, of a participle that of its verb."""
    return _fold(str(_morphology().parse(word)[0].normal_form))


@lru_cache(maxsize=50_000)
def is_russian_verb(word: str) -> bool:
    """Whether the likeliest reading of a word is a verb."""
    return bool(_CYRILLIC.search(word)) and _morphology().parse(word)[0].tag.POS in ("VERB", "INFN")


@lru_cache(maxsize=20_000)
def find_russian_first_person(word: str) -> str:
    """A folded verb as its speaker says it of themselves: летите, летишь → лечу; another word as it is."""
    parses = (parse for parse in _morphology().parse(word) if {"VERB", "2per", "indc"} in parse.tag)
    parse = next(parses, None)
    said = parse.inflect({"1per", "sing"}) if parse else None
    return _fold(str(said.word)) if said else word


@lru_cache(maxsize=20_000)
def is_russian_nominative(word: str) -> bool:
    """Whether the likeliest reading of a word is in the nominative."""
    return "nomn" in _morphology().parse(word)[0].tag


@dataclass(frozen=True, slots=True)
class RussianWord:
    """A reading of a word as a noun or an adjective: its nominative, and what agrees with it."""

    nominative: str
    tag: frozenset[str]
    parse: Any

    def agree(self, grammemes: frozenset[str]) -> str:
        """The word in the nominative of the number and gender that another word has; itself where it has no such."""
        found = self.parse.inflect(grammemes)
        return _fold(found.word) if found else self.nominative


@lru_cache(maxsize=20_000)
def get_russian_readings(word: str) -> tuple[RussianWord | None, RussianWord | None]:
    """The likeliest reading of a folded word as a noun and as an adjective, if any; names of people have none."""
    noun = adjective = None
    for parse in _morphology().parse(word):
        tag = parse.tag
        if any(mark in tag for mark in _NO_COMMON_NOUNS):
            continue
        if tag.POS == "NOUN" and noun is None:
            nominative = parse.inflect({"nomn", tag.number}) if tag.number else None
            if nominative:
                wanted = {"nomn", tag.number, *({tag.gender} if tag.number == "sing" and tag.gender else ())}
                noun = RussianWord(_fold(nominative.word), frozenset(wanted), parse)
        elif tag.POS in ("ADJF", "PRTF") and adjective is None and "Apro" not in tag:
            adjective = RussianWord(_fold(parse.normal_form), frozenset(), parse)
    return noun, adjective


def strip_arabic_article(word: str) -> str:
    """An Arabic word without the article and the prepositions that are joined to it: بالتعذيب, للتعذيب → تعذيب."""
    match = _ARTICLE.match(word)
    return word[match.end() :] if match else word


@lru_cache(maxsize=5_000)
def find_russian_nominative(word: str) -> str:
    """The nominative of a folded word in the instrumental singular; empty where it has no such reading."""
    for parse in _morphology().parse(word):
        if parse.tag.POS in ("NOUN", "ADJF") and "ablt" in parse.tag and "sing" in parse.tag:
            found = parse.inflect({"nomn", "sing"})
            return _fold(found.word) if found else ""
    return ""


@lru_cache(maxsize=20_000)
def is_russian_order(word: str) -> bool:
    """Whether a folded word is an imperfective imperative: what is to be done always («напоминай»), not once."""
    if not _CYRILLIC.search(word):
        return False
    return any("impr" in parse.tag and "impf" in parse.tag for parse in _morphology().parse(word)[:2])
