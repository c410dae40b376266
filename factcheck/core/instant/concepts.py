"""The concept table: one canonical key for a thing, whatever language names it and in whichever form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from factcheck.core.instant.messages import fold
from knowledge.text.analysis import analyse

LONGEST_NAME_WORDS = 5
_HYPHENS = str.maketrans({"-": " ", "‑": " ", "–": " "})


@dataclass(frozen=True, slots=True)
class Concept:
    """A thing that facts are about, and its names by language."""

    key: str
    types: tuple[str, ...]
    names: Mapping[str, Sequence[str]] = field(default_factory=dict)
    by_month: bool = False

    @property
    def label(self) -> str:
        """How the concept is written as a value."""
        return self.key.replace("_", " ")


class ConceptTable:
    """Concepts by the stems of their names, for one kind of use at a time."""

    def __init__(self, concepts: Iterable[Concept]) -> None:
        self.concepts: dict[str, Concept] = {}
        self._by_stems: dict[tuple[str, tuple[str, ...]], Concept] = {}
        self._stems_by_key: dict[str, list[tuple[str, ...]]] = {}
        self._all_stems: set[tuple[str, ...]] = set()
        for concept in concepts:
            self.concepts[concept.key] = concept
            names = [concept.label, *(name for group in concept.names.values() for name in group)]
            for name in names:
                stems = stems_of(name)
                if not stems:
                    continue
                self._all_stems.add(stems)
                self._stems_by_key.setdefault(concept.key, []).append(stems)
                for use in concept.types:
                    self._by_stems.setdefault((use, stems), concept)

    def find(self, text: str, use: str) -> Concept | None:
        """The concept that the whole text names, for a fact type or another use (`event`, `person`)."""
        return self._by_stems.get((use, stems_of(text)))

    def find_prefix(self, words: Sequence[str], use: str) -> tuple[Concept, int] | None:
        """The concept that the first words name and how many they are; the longest name wins."""
        for count in range(min(len(words), LONGEST_NAME_WORDS), 0, -1):
            concept = self.find(" ".join(words[:count]), use)
            if concept is not None:
                return concept, count
        return None

    def find_all(self, text: str, use: str) -> list[tuple[Concept, int]]:
        """The concepts that a text mentions, in reading order, with the place of their first word."""
        words = fold(text).translate(_HYPHENS).split()
        found: list[tuple[Concept, int]] = []
        place = 0
        while place < len(words):
            hit = self.find_prefix(words[place : place + LONGEST_NAME_WORDS], use)
            if hit:
                found.append((hit[0], place))
            place += hit[1] if hit else 1
        return found

    def names_thing(self, text: str) -> bool:
        """Whether the whole text names a concept of any use."""
        return stems_of(text) in self._all_stems

    def list_stems(self, key: str) -> list[tuple[str, ...]]:
        """The stems of every name of a concept; none for an unknown key."""
        return self._stems_by_key.get(key, [])


def stems_of(text: str) -> tuple[str, ...]:
    """What two spellings or forms of one name have in common."""
    return tuple(analyse(fold(text).translate(_HYPHENS)))


def make_key(text: str) -> str:
    """A key for a thing that the concept table does not know: its stems in order."""
    return "_".join(stems_of(text))[:100]
