"""The concept table: one canonical key for a thing, whatever language names it and in whichever form."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from factcheck.instant.core.arabizi import (
    is_distinctive,
    list_arabizi_readings,
    list_skeletons,
    make_arabizi_form,
    make_arabizi_skeleton,
)
from factcheck.instant.core.chinese import join_chinese
from factcheck.instant.core.concept_files import Concept
from factcheck.instant.core.forms import list_readings, list_word_forms
from factcheck.instant.core.messages import fold
from factcheck.instant.core.words import read_words
from knowledge.facts.core.types import THING_TYPES
from knowledge.text.analysis import analyse

MAX_NAME_WORDS = 5
EVENT_USE = "event"
_HYPHENS = str.maketrans({"-": " ", "‑": " ", "–": " "})
_MARKS = ".,!?;:…()\"'«»،؛؟"
_MIN_LENGTH_WITH_PREPOSITION = 4
_MIN_MISSPELT_LENGTH = 6
_MIN_SKELETON_LENGTH = 3
_MIN_SKELETONS_LENGTH = 5
"""Of the two words of a name together: two consonants each are shared by chance (`akl seeni`, `kol sana`)."""
_CORRECT_WORDS = read_words("correct_words")
_ALPHABETIC = re.compile(r"[a-z]+")


class ConceptTable:
    """Concepts by the forms of their names, for one kind of use at a time.

    A name of one word is found in its exact forms (`list_word_forms`); a longer one by the stems of its words, which
    are too many to be shared by chance.
    """

    def __init__(self, concepts: Iterable[Concept]) -> None:
        self.concepts: dict[str, Concept] = {}
        self._by_form: dict[str, dict[str, Concept]] = {}
        self._by_stems: dict[str, dict[tuple[str, ...], Concept]] = {}
        self._by_arabizi: dict[str, dict[str, Concept]] = {}
        self._by_skeleton: dict[str, dict[str, Concept]] = {}
        self._by_skeletons: dict[str, dict[tuple[str, ...], Concept]] = {}
        self._misspelt: dict[str, dict[str, Concept]] = {}
        self._longest: dict[str, int] = {}
        """How many words the longest name has that begins with a stem."""
        self._stems_by_key: dict[str, list[tuple[str, ...]]] = {}
        for concept in concepts:
            self.concepts[concept.key] = concept
            self._add(concept, concept.label, "en")
            for language, names in concept.names.items():
                for name in names:
                    self._add(concept, name, language)
        for concept in self.concepts.values():
            for name in concept.names.get("ar", ()):
                self._add_transliterated(concept, name)

    def find(self, text: str, use: str) -> Concept | None:
        """The concept that the whole text names, for a fact type or another use (`event`, `person`)."""
        words = fold(text).translate(_HYPHENS).split()
        found = self.find_prefix(words, use)
        return found[0] if found and found[1] == len(words) else None

    def find_prefix(self, words: Sequence[str], use: str) -> tuple[Concept, int] | None:
        """The concept that the first words name and how many they are; the longest name wins."""
        if not words:
            return None
        readings = list_readings(words[0])
        longest = max((self._longest.get(_first_stem(reading), 0) for reading in readings), default=0)
        if longest > 1:
            by_stems = self._by_stems.get(use, {})
            rest = [stems_of(word) for word in words[1:longest]]
            for count in range(len(rest) + 1, 0, -1):
                tail = tuple(stem for stems in rest[: count - 1] for stem in stems)
                for reading in readings:
                    stems = (*stems_of(reading), *tail)
                    concept = by_stems.get(stems) if len(stems) > 1 else None
                    if concept is not None:
                        return concept, count
        concept = self._find_word(words[0], use)
        return (concept, 1) if concept else None

    def find_all(self, text: str, use: str) -> list[tuple[Concept, int]]:
        """The concepts that a text mentions, in reading order, with the place of their first word."""
        words = fold(text).translate(_HYPHENS).split()
        found: list[tuple[Concept, int]] = []
        place = 0
        while place < len(words):
            ahead = [word.strip(_MARKS) for word in words[place : place + MAX_NAME_WORDS]]
            hit = self.find_prefix(ahead, use) or self._find_behind_preposition(ahead, use)
            if hit:
                found.append((hit[0], place))
            place += hit[1] if hit else 1
        return found

    def _find_behind_preposition(self, words: list[str], use: str) -> tuple[Concept, int] | None:
        """The concept that is named behind a joined ل ("for")."""
        if not words[0].startswith("ل") or len(words[0]) < _MIN_LENGTH_WITH_PREPOSITION:
            return None
        return self.find_prefix([words[0][1:], *words[1:]], use)

    def find_misspelt(self, word: str, use: str) -> Concept | None:
        """The concept whose name a longer word misses by one letter left out, put in or changed.

        A frequent word is no misspelling: `better` is not butter.
        """
        if len(word) < _MIN_MISSPELT_LENGTH or word in _CORRECT_WORDS or not _ALPHABETIC.fullmatch(word):
            return None
        misspelt = self._misspelt.get(use) or self._index_misspelt(use)
        for shorter in (word, *_delete_one(word)):
            if shorter in misspelt:
                return misspelt[shorter]
        return None

    def find_arabizi(self, word: str, use: str) -> Concept | None:
        """The concept that a word of Arabizi names in whatever spelling; only where the words around are Arabizi."""
        skeletons = self._by_skeleton.get(use, {})
        for reading in list_arabizi_readings(word):
            concept = self._by_form.get(use, {}).get(reading)
            concept = concept or self._by_arabizi.get(use, {}).get(make_arabizi_form(reading))
            if concept is not None:
                return concept
            skeleton = make_arabizi_skeleton(reading)
            if skeleton in skeletons and word not in _CORRECT_WORDS:
                return skeletons[skeleton]
        return None

    def find_arabizi_phrase(self, words: Sequence[str], use: str) -> tuple[Concept, int] | None:
        """The concept whose Arabic name of two words the first words spell in Latin letters, and how many they are."""
        phrases = self._by_skeletons.get(use, {})
        readings = [{make_arabizi_skeleton(each) for each in list_arabizi_readings(word)} for word in words[:2]]
        if len(readings) < 2:
            return None
        for first in readings[0]:
            for second in readings[1]:
                concept = phrases.get((first, second))
                if concept is not None:
                    return concept, 2
        return None

    def names_thing(self, text: str) -> bool:
        """Whether the whole text names a concept of any use."""
        return any(self.find(text, use) is not None for use in self._by_form)

    def list_stems(self, key: str) -> list[tuple[str, ...]]:
        """The stems of every name of a concept; none for an unknown key."""
        return self._stems_by_key.get(key, [])

    def list_forms(self) -> Iterator[tuple[str, str, Concept]]:
        """Every single word that names a concept, with its use."""
        for use, forms in self._by_form.items():
            for form, concept in forms.items():
                yield use, form, concept

    def _add(self, concept: Concept, name: str, language: str) -> None:
        folded = fold(name).translate(_HYPHENS)
        words = folded.split()
        stems = stems_of(folded.lstrip("="))
        if not words or not stems:
            return
        self._stems_by_key.setdefault(concept.key, []).append(stems)
        for use in concept.types:
            if len(words) > 1:
                self._by_stems.setdefault(use, {}).setdefault(stems, concept)
                self._by_form.setdefault(use, {})
                self._longest[stems[0]] = max(self._longest.get(stems[0], 0), len(words))
                continue
            forms = self._by_form.setdefault(use, {})
            if language == "arabizi" and use in THING_TYPES:
                self._add_arabizi(concept, words[0], use)
                continue
            if language == "arabizi" and use == EVENT_USE:
                self._add_arabizi_event(concept, words[0])
            for form in list_word_forms(words[0], language):
                forms.setdefault(form, concept)

    def _add_arabizi(self, concept: Concept, word: str, use: str) -> None:
        """Names in Arabizi look like words of other languages (`ward`, `fool`): they count among Arabizi alone."""
        self._by_arabizi.setdefault(use, {}).setdefault(make_arabizi_form(word), concept)
        skeleton = make_arabizi_skeleton(word)
        if is_distinctive(skeleton):
            self._by_skeleton.setdefault(use, {}).setdefault(skeleton, concept)

    def _add_arabizi_event(self, concept: Concept, word: str) -> None:
        """Other spellings of an event's name: by its sounds, and by its consonants where those are four or more."""
        self._by_arabizi.setdefault(EVENT_USE, {}).setdefault(make_arabizi_form(word), concept)
        skeleton = make_arabizi_skeleton(word)
        if len(skeleton) > _MIN_SKELETON_LENGTH:
            self._by_skeleton.setdefault(EVENT_USE, {}).setdefault(skeleton, concept)

    def _add_transliterated(self, concept: Concept, name: str) -> None:
        """An Arabic name of one or two words as it is spelt in Latin letters; names that are listed come first."""
        words = fold(name).split()
        skeletons = [list_skeletons(word, alone=len(words) == 1) for word in words]
        for use in set(concept.types) & set(THING_TYPES):
            if len(skeletons) == 1:
                for skeleton in skeletons[0]:
                    self._by_skeleton.setdefault(use, {}).setdefault(skeleton, concept)
            elif len(skeletons) == 2:
                for pair in itertools.product(*skeletons):
                    if len(pair[0] + pair[1]) < _MIN_SKELETONS_LENGTH:
                        continue
                    self._by_skeletons.setdefault(use, {}).setdefault(pair, concept)

    def _find_word(self, word: str, use: str) -> Concept | None:
        forms = self._by_form.get(use)
        if forms is None:
            return None
        for reading in list_readings(word):
            concept = forms.get(reading)
            if concept is not None:
                return concept
        return None

    def _index_misspelt(self, use: str) -> dict[str, Concept]:
        index: dict[str, Concept] = {}
        for form, concept in self._by_form.get(use, {}).items():
            if len(form) >= _MIN_MISSPELT_LENGTH and _ALPHABETIC.fullmatch(form):
                for shorter in (form, *_delete_one(form)):
                    index.setdefault(shorter, concept)
        self._misspelt[use] = index
        return index


def _delete_one(word: str) -> Iterator[str]:
    for place in range(1, len(word)):
        yield word[:place] + word[place + 1 :]


def _first_stem(word: str) -> str:
    stems = stems_of(word)
    return stems[0] if stems else ""


@lru_cache(maxsize=100_000)
def stems_of(text: str) -> tuple[str, ...]:
    """What two spellings or forms of one name have in common."""
    return tuple(analyse(fold(text).translate(_HYPHENS)))


def make_key(text: str) -> str:
    """A key for a thing that the concept table does not know: its words in order."""
    return "_".join(re.findall(r"[^\W_]+", join_chinese(fold(text))))[:100]
