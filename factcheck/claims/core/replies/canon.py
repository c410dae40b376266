"""What articles of canon state, in pieces that a clause can be held against."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from factcheck.claims.core.replies.closures import Opening
from factcheck.claims.core.replies.epithets import KnownEpithet
from factcheck.claims.core.replies.passages import Passage
from factcheck.claims.core.replies.person_names import NameIndex
from factcheck.claims.core.replies.sides import SideFact
from factcheck.claims.core.replies.texts import (
    Text,
    TypedValue,
)

YEAR_CONCEPTS = frozenset({"@found", "@build", "@make", "@born", "@die_year", "@first_held", "@open_start", "@fought"})
MAX_NAME_LENGTH = 40
"""A longer text in a field is no name."""
ABSENT = frozenset({"нет", "нету"})
"""Russian denies behind what it denies too: `каменных домов нет`."""
UNSURE = ("rumour", "hypothetical", "condition", "opinion", "plan")


@dataclass(frozen=True, slots=True)
class CanonArticle:
    """What an NPC may know of one article."""

    slug: str
    title: str
    text: str
    aliases: tuple[str, ...] = ()
    fields: Mapping[str, Any] = field(default_factory=dict)
    field_labels: Mapping[str, Sequence[str]] = field(default_factory=dict)
    passage_ids: tuple[int, ...] = ()

    def describe_field(self, name: str) -> str:
        """The words for a field: its name and its labels."""
        return " ".join([name.replace("_", " "), *self.field_labels.get(name, ())])

    def quote_field(self, name: str) -> str:
        """A field and its value, as findings quote them."""
        return f"{self.title}: {name} = {self.fields[name]}"


@dataclass(frozen=True, slots=True)
class NumberFact:
    """A number that canon states, with what it counts and what is said around it."""

    slug: str
    value: Fraction
    nouns: frozenset[str]
    context: frozenset[str]
    is_year: bool
    quote: str
    field: str | None = None


@dataclass(frozen=True, slots=True)
class KindFact:
    """A colour, a direction, a material … and what has it."""

    slug: str
    group: str
    value: str
    heads: frozenset[str]
    quote: str
    field: str | None = None


@dataclass(frozen=True, slots=True)
class NameFact:
    """Who did something."""

    slug: str
    roles: frozenset[str]
    parts: frozenset[str]
    """The words of the name, as lexemes."""
    shown: str
    quote: str
    field: str | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """A clause of canon as a whole."""

    slug: str
    text: Text
    quote: str
    is_negated: bool
    is_unsure: bool
    is_rule: bool
    """Whether it forbids something."""
    values: tuple[TypedValue, ...]
    """The values of classes that it holds, whether it affirms them or not."""


@dataclass(frozen=True, slots=True)
class Source:
    """A clause or a text field of canon with the values of classes that it holds."""

    slug: str
    keys: frozenset[str]
    """Of its words, and for a field those of its label."""
    values: tuple[TypedValue, ...]
    quote: str
    field: str | None
    is_unsure: bool


@dataclass(frozen=True, slots=True)
class Canon:
    """All that a reply is held against."""

    articles: tuple[CanonArticle, ...]
    names: Mapping[str, tuple[tuple[str, ...], ...]]
    """Slug to titles and aliases as lexemes."""
    types: Mapping[str, frozenset[str]]
    """Slug to the words that say what sort of thing it is (`bridge`)."""
    numbers: tuple[NumberFact, ...]
    kinds: tuple[KindFact, ...]
    persons: tuple[NameFact, ...]
    statements: tuple[Statement, ...]
    sources: tuple[Source, ...]
    passages: tuple[Passage, ...]
    known_names: frozenset[tuple[str, ...]]
    name_words: frozenset[str]
    """The words of all names, as lexemes."""
    keys_of: Mapping[str, frozenset[str]]
    """Slug to the keys of all its words."""
    names_of_people: NameIndex
    epithets: tuple[KnownEpithet, ...]
    """What canon calls those whom it names."""
    openings: tuple[Opening, ...]
    sides: tuple[SideFact, ...]
    others: frozenset[str]
    """Words of persons in fields whose deed has no name here (`librarian`): they may be who is meant."""

    def list_name_words(self, slugs: Iterable[str]) -> frozenset[str]:
        """The words of titles and aliases, as lexemes."""
        return frozenset(word for slug in slugs for name in self.names.get(slug, ()) for word in name)
