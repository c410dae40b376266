"""A text as the check reads it: its words, what they are about, its numbers, and the values that exclude each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from factcheck.claims.core.replies.base_forms import base_of
from factcheck.claims.core.replies.lexicon import Found, Lexicon
from factcheck.claims.core.replies.quantities import Quantity, find_quantities
from factcheck.core.tokens import Token, Tokens, tokenize
from knowledge.text.folding import normalise

_WITHIN_WORDS = "-'\u2019"
"""Marks that end nothing."""
ARABIC_WEAK = frozenset("\u0627\u0648\u064a\u0649\u0629\u0647\u0621\u0626\u0624")
"""Letters that Arabic plurals and verb forms change: what is left of a word is compared."""
CAPITALISED = frozenset({"weekday", "month"})
"""Words with a capital wherever they stand."""
ARABIC_OF_VERBS = frozenset("\u064a\u062a\u0646")
"""Letters before an Arabic verb that say who: `يسقط` is of `سقط`, `تعلمت` of `علم`."""
MIN_VERB_LENGTH = 4
MIN_SKELETON_LENGTH = 2
MIN_STEM_LENGTH = 3


@dataclass(frozen=True, slots=True)
class Kind:
    """A value of a class whose values exclude each other: a colour, a material, a direction."""

    start: int
    end: int
    group: str
    value: str


TypedValue = Found
"""A value of any class or sort; the label is `class:value`."""


@dataclass(frozen=True, slots=True)
class Text:
    """Words with what each says."""

    tokens: Tokens
    keys: tuple[frozenset[str], ...]
    """For each word the keys by which it meets others; empty for words that say nothing of their own."""
    kinds: tuple[Kind, ...]
    quantities: tuple[Quantity, ...]
    concepts: tuple[Found, ...]

    @property
    def words(self) -> tuple[Token, ...]:
        """The words in order."""
        return self.tokens.words

    def all_keys(self) -> frozenset[str]:
        """The keys of all words."""
        return frozenset().union(*self.keys)

    def labels(self) -> frozenset[str]:
        """The concepts that are spoken of."""
        return frozenset(found.label for found in self.concepts)


def read_text(text: str, lexicon: Lexicon, *, masked: frozenset[int] = frozenset()) -> Text:
    """The text's words and values. `masked` are places of words that are names and so say nothing else."""
    tokens = tokenize(text)
    words = tokens.words
    concepts = tuple(found for found in lexicon.concepts.find(words) if not masked & _span(found))
    quantities = tuple(find_quantities(words, masked=masked))
    numbers = {place for quantity in quantities for place in range(quantity.start, quantity.end)}
    stops = lexicon.lists["stop"].places(words)
    kinds = tuple(
        Kind(found.start, found.end, *found.label.split(":"))
        for found in lexicon.classes.find(words)
        if not masked & _span(found) and not _is_name(words, found) and not stops >= _span(found)
        if not any(unit.label in lexicon.coins and _span(unit) & _span(found) for unit in concepts)
    )
    keys: list[set[str]] = [set() for _ in words]
    for place, word in enumerate(words):
        if place in masked or place in numbers or word.kind == "number":
            continue
        if word.kind == "han":
            _add_pair(keys, words, place, stops)
        elif place not in stops:
            keys[place].add(key_of(word))
            base = _base_of_arabic(word) if is_arabic(word) else base_of(word.text)
            if base is not None:
                keys[place].add(base)
    for found in concepts:
        for place in range(found.start, found.end):
            if place not in numbers:
                keys[place].add(found.label)
    for kind in kinds:
        for place in range(kind.start, kind.end):
            if place in stops:
                continue
            keys[place].add(f"%{kind.group}:{kind.value}")
    return Text(tokens, tuple(map(frozenset, keys)), kinds, quantities, concepts)


def list_typed_values(text: Text, lexicon: Lexicon) -> list[TypedValue]:
    """The values of all classes and sorts in reading order, of those of one class within each other the longest."""
    words = text.words
    found = [
        TypedValue(each.start, each.end, each.label) for each in lexicon.sorts.find(words) if not _is_name(words, each)
    ]
    found += [TypedValue(kind.start, kind.end, f"{kind.group}:{kind.value}") for kind in text.kinds]
    kept = [
        each
        for each in found
        if not any(
            other.group == each.group
            and other.start <= each.start
            and each.end <= other.end
            and other.end - other.start > each.end - each.start
            for other in found
        )
    ]
    return sorted(dict.fromkeys(kept), key=lambda each: (each.start, each.end))


def key_of(word: Token) -> str:
    """What a word is compared by: its stem, of Arabic ones the letters that inflection keeps."""
    if is_arabic(word):
        skeleton = "".join(letter for letter in word.lexeme if letter not in ARABIC_WEAK)
        return skeleton if len(skeleton) >= MIN_SKELETON_LENGTH else word.lexeme
    return word.lexeme


def is_arabic(word: Token) -> bool:
    """Whether a word is of Arabic letters."""
    return "\u0600" <= word.text[:1] <= "\u06ff"


def _base_of_arabic(word: Token) -> str | None:
    """The letters of a verb without the one that says who does it."""
    lexeme = word.lexeme
    if len(lexeme) < MIN_VERB_LENGTH or lexeme[0] not in ARABIC_OF_VERBS:
        return None
    skeleton = "".join(letter for letter in lexeme[1:] if letter not in ARABIC_WEAK)
    return skeleton if len(skeleton) >= MIN_STEM_LENGTH else None


def word_set(text: str) -> frozenset[str]:
    """The words of a list, normalised."""
    return frozenset(normalise(word) for word in text.split())


LOCATIVES = word_set(
    "on upon under behind beneath near beside above against inside with without for to at like from "
    "на под над у за возле около без для от فوق تحت على عند خلف أمام قرب بجانب مع بدون إلى 在"
)


def script_of(text: str) -> str:
    """The script of the first letter."""
    first = next((letter for letter in text if letter.isalpha()), "a").lower()
    if "\u0430" <= first <= "\u04ff":
        return "cyrillic"
    if "\u0600" <= first <= "\u06ff":
        return "arabic"
    return "latin" if first < "\u0400" else "han"


def is_round(value: Fraction) -> bool:
    """Whether a number ends in a nought, as rounded ones do."""
    return value.denominator == 1 and value >= 20 and int(value) % 10 == 0


def is_placed(words: Sequence[Token], place: int) -> bool:
    """Whether the word before says where: what stands on a stone is not of stone."""
    return bool(place) and words[place - 1].text in LOCATIVES


def _add_pair(keys: list[set[str]], words: tuple[Token, ...], place: int, stops: frozenset[int]) -> None:
    """Chinese words are compared as pairs of characters that stand together."""
    after = place + 1
    if after < len(words) and words[after].kind == "han" and not words[after].spaced and not {place, after} & stops:
        pair = words[place].text + words[after].text
        keys[place].add(pair)


def _is_name(words: tuple[Token, ...], found: Found) -> bool:
    """Whether a word with a capital within a sentence: `the Temple of Ash` is not made of ash."""
    first = words[found.start]
    if found.group in CAPITALISED:
        return False
    return first.capital and found.start > 0 and not set(first.gap) & set(".!?…\u00ab\u201c\"'")


def _span(found: Found) -> frozenset[int]:
    return frozenset(range(found.start, found.end))


def follows_mark(word: Token) -> bool:
    """Whether a mark that ends something stands before the word."""
    return bool(word.gap.strip(_WITHIN_WORDS))


def find_mark(words: Sequence[Token], start: int) -> int:
    """The place of the first word from `start` on that follows a mark; behind the last one if none does."""
    return next((place for place in range(start, len(words)) if follows_mark(words[place])), len(words))
