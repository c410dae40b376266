"""Concepts out of the files that ship: things that facts are about, with their names by language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from factcheck.core.yaml_files import read_yaml
from factcheck.instant.core.pattern_rows import PatternInvalid
from knowledge.text.languages import PATTERN_LANGUAGES

SHIPPED_FOLDER = Path(__file__).resolve().parents[2] / "pattern_sets"
SHIPPED_CONCEPTS = (
    "concepts",
    "concepts_food",
    "concepts_medicines",
    "concepts_things",
    "concepts_clothes",
    "concepts_stories",
    "concepts_topics",
)
"""Files of concepts; where two names are the same, the file that comes first has the name."""


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


@lru_cache(maxsize=1)
def read_shipped_concepts() -> tuple[Concept, ...]:
    """The concepts that come with the product, file by file."""
    return merge_concepts(
        {name: parse_concepts(read_yaml(SHIPPED_FOLDER / f"{name}.yaml")) for name in SHIPPED_CONCEPTS}
    )


def merge_concepts(files: Mapping[str, tuple[Concept, ...]]) -> tuple[Concept, ...]:
    """The concepts of all files in their order; raises PatternInvalid for a key that two files define."""
    owners: dict[str, str] = {}
    for name, concepts in files.items():
        for concept in concepts:
            if owners.setdefault(concept.key, name) != name:
                raise PatternInvalid(concept.key, f"{owners[concept.key]} and {name} both define it")
    return tuple(concept for concepts in files.values() for concept in concepts)


def parse_concepts(content: Mapping[str, Any]) -> tuple[Concept, ...]:
    """Concepts out of a file's content, group by group; a row's own `for` goes before its group's."""
    return tuple(
        Concept(
            key=key,
            types=tuple(row.get("for", group["for"])),
            names={code: tuple(map(str, names)) for code, names in row.items() if code in PATTERN_LANGUAGES},
            by_month=bool(row.get("by_month", False)),
        )
        for group in content.values()
        for key, row in group["concepts"].items()
    )
