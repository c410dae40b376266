"""Names of entities: the keys they are found by, when two of them are one, and what keeps look-alikes apart.

Two names are the same only if they differ in nothing that a writer would notice: compatibility forms, case, spaces,
typographic quotes and dashes, and what writers leave out (ё, Arabic vowel marks, the hamza of alef). Everything else
that looks alike is at most a candidate, for a person to decide; and what differs in a digit, a numeral, a patronymic,
a title or a word of its own is not even that.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum

from knowledge.canon.core.slugs import make_slug
from knowledge.graph.core.name_parts import find_difference
from knowledge.text.folding import normalise

MAX_NAME_LENGTH = 300
CANDIDATE_SIMILARITY = 0.45
"""Below it names share too little to trouble an editor with; measured on the look-alikes of tests/knowledge/graph."""
_SPACES = re.compile(r"\s+")
_DASHES = re.compile(r"\s*[\u2010-\u2015\u2212]\s*|\s*-\s+|\s+-\s*")
_QUOTES = re.compile(r"[«»“”„‟\"‹›「」『』《》]")
_APOSTROPHES = re.compile(r"[’‘ʼʻ´`′]")
_ARABIC_MARKS = re.compile("[\u064b-\u0652\u0670]")
_ALEF_SEATS = str.maketrans("أإآٱ", "اااا")
_HASHED = re.compile(r"(?:^|-)x?[0-9a-f]{10}$")


class NameVerdict(StrEnum):
    """What two names say of whether their bearers are one."""

    SAME = "same"
    CANDIDATE = "candidate"
    DIFFERENT = "different"


@dataclass(frozen=True, slots=True)
class NameComparison:
    """The verdict on two names, what it rests on, and how alike they look (0 to 1)."""

    verdict: NameVerdict
    reason: str
    similarity: float


def name_key(name: str) -> str:
    """The form by which names are found: folded as search folds texts, spaces and quotes made one. Never long."""
    text = _QUOTES.sub(" ", normalise(name))
    return _SPACES.sub(" ", _DASHES.sub("-", text)).strip()[:MAX_NAME_LENGTH]


def latin_key(name: str) -> str:
    """The name in Latin letters, for finding it across scripts; empty where its script has no letters for them."""
    slug = make_slug(normalise(name))
    return "" if _HASHED.search(slug) else slug[:MAX_NAME_LENGTH]


def list_trigrams(key: str) -> tuple[str, ...]:
    """The trigrams of a key, each once, padded so that its beginning counts; of CJK names the characters, too."""
    grams: dict[str, None] = {}
    for word in key.split():
        padded = f"  {word} "
        for start in range(len(padded) - 2):
            grams[padded[start : start + 3]] = None
        if any(char >= "\u2e80" for char in word):
            grams.update(dict.fromkeys(word))
    return tuple(grams)


def measure_similarity(one: str, other: str) -> float:
    """Share of trigrams that two keys have in common, 0 to 1. Worked example: "ada" and "adam" share 3 of 6."""
    first, second = set(list_trigrams(one)), set(list_trigrams(other))
    return len(first & second) / len(first | second) if first | second else 0.0


def compare_names(one: str, other: str) -> NameComparison:
    """Whether two names may be one bearer's."""
    if is_same_name(one, other):
        return NameComparison(NameVerdict.SAME, "equal", 1.0)
    similarity = max(
        measure_similarity(name_key(one), name_key(other)), measure_similarity(latin_key(one), latin_key(other))
    )
    difference = find_difference(name_key(one), name_key(other))
    if difference:
        return NameComparison(NameVerdict.DIFFERENT, difference, similarity)
    if similarity < CANDIDATE_SIMILARITY:
        return NameComparison(NameVerdict.DIFFERENT, "unlike", similarity)
    return NameComparison(NameVerdict.CANDIDATE, "alike", similarity)


def is_same_name(one: str, other: str) -> bool:
    """Whether two names are equal but for what writers leave out or type otherwise. Accents and letters all count."""
    first, second = strict_key(one), strict_key(other)
    if first == second:
        return bool(first)
    return _equal_arabic(first, second) or _equal_with_yo(first, second)


def strict_key(name: str) -> str:
    """The name without what no writer means: compatibility forms, case, spaces, invisible characters, quotes."""
    if any(unicodedata.category(char) in {"No", "Nl"} for char in name):
        name = f"\x01{name}"  # a circled or raised digit is no plain one: equal only to itself
    else:
        name = unicodedata.normalize("NFKC", name)
    text = _APOSTROPHES.sub("'", name.casefold().replace("\u0640", ""))
    text = "".join(
        str(unicodedata.decimal(char)) if unicodedata.category(char) == "Nd" else char
        for char in text
        if unicodedata.category(char) != "Cf"
    )
    text = _SPACES.sub(" ", _DASHES.sub("-", _QUOTES.sub(" ", text))).strip()
    return unicodedata.normalize("NFC", text)


def _equal_arabic(one: str, other: str) -> bool:
    """Equal where one of them leaves out vowel marks, or the hamza of an alef that the other writes."""
    bare_one, bare_other = _ARABIC_MARKS.sub("", one), _ARABIC_MARKS.sub("", other)
    if bare_one != one and bare_other != other:
        return False
    return len(bare_one) == len(bare_other) and bool(bare_one) and all(map(_is_same_alef, bare_one, bare_other))


def _is_same_alef(one: str, other: str) -> bool:
    if one == other:
        return True
    return "ا" in (one, other) and one.translate(_ALEF_SEATS) == other.translate(_ALEF_SEATS)


def _equal_with_yo(one: str, other: str) -> bool:
    """Equal where one of them leaves out the dots of every ё."""
    folded_one, folded_other = one.replace("ё", "е"), other.replace("ё", "е")
    return folded_one == folded_other and ("ё" not in one or "ё" not in other)
