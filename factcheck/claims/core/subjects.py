"""What canon says of a subject, in the form that a claim is held against: a subject, its fields, and their labels."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from factcheck.claims.core.dates import parse_iso_date
from factcheck.claims.core.units import SUFFIXES, Unit, field_unit
from factcheck.claims.core.words import HAN_ASKING
from factcheck.core.tokens import name_sequence, name_surface, tokenize

FieldKind = Literal["number", "date", "boolean", "name", "list"]
Scalar = float | int | bool | str

REFERENCE = re.compile(r"\[\[\s*([a-z0-9]+(?:-[a-z0-9]+)*)\s*(?:\|[^\]]*)?\]\]")
NAMELESS_WORDS = frozenset({"is", "has", "was", "count", "number", "year", "years", "date", "of"})
USUAL_LABELS: Mapping[str, tuple[str, ...]] = {
    "age": ("years old", "aged", "лет", "года", "возраст", "عمره", "عمرها", "岁"),
    "born_year": ("born", "родился", "родилась", "وُلد", "وُلدت", "生于", "出生于"),
    "founded_year": ("founded", "established", "основан", "основана", "تأسست", "تأسس", "成立于", "创立于"),
    "built_year": ("built", "построен", "построена", "بُني", "建于", "建成于"),
    "height_metres": ("high", "tall", "height", "высота", "высотой", "ارتفاع", "高"),
    "length_metres": ("long", "length", "длина", "длиной", "طول", "长"),
    "weight_kg": ("weighs", "weight", "весит", "вес", "يزن", "وزن", "重"),
    "population": ("population", "inhabitants", "население", "жителей", "سكان", "人口"),
}
"""Words by which everybody speaks of fields with these names."""


@dataclass(frozen=True, slots=True)
class Label:
    """Words that address a field: Chinese ones as unbroken pieces, others as words in any order."""

    lexemes: tuple[str, ...]
    pieces: tuple[tuple[str, ...], ...]
    ends_with_by: bool


@dataclass(frozen=True, slots=True)
class Named:
    """A value that is a name: the spellings it goes by, and the document that it is, if it is one."""

    sequences: tuple[tuple[str, ...], ...]
    surfaces: tuple[tuple[str, ...], ...]
    """The same names uninflected, as canon writes them."""
    shown: str
    document: str | None = None
    """The slug of the document that is meant; None for a plain text."""
    type: str | None = None
    resolved: bool = True
    """Whether the document that a reference names was found."""


@dataclass(frozen=True, slots=True)
class Field:
    """One structured fact of a subject, with all that translations say of it."""

    name: str
    kind: FieldKind
    labels: tuple[Label, ...]
    unit: Unit | str | None
    values: tuple[Scalar, ...] = ()
    """Numbers, dates as ISO texts or booleans; more than one only where translations differ."""
    names: tuple[Named, ...] = ()
    slugs: tuple[str, ...] = ()
    """The articles that state it."""

    def vocabulary(self) -> frozenset[str]:
        """Lexemes of the field's own words."""
        return frozenset(lexeme for label in self.labels for lexeme in label.lexemes)


@dataclass(frozen=True, slots=True)
class Subject:
    """A thing that canon describes, in one article or in several translations of one."""

    key: str
    """The slug that stands for all translations."""
    slugs: tuple[str, ...]
    type: str
    sequences: tuple[tuple[str, ...], ...]
    """Titles and aliases as lexemes."""
    surfaces: tuple[tuple[str, ...], ...]
    """Titles and aliases as written."""
    fields: tuple[Field, ...] = field(default=())
    sequences_by_slug: Mapping[str, frozenset[tuple[str, ...]]] = field(default_factory=dict, compare=False)
    """Which of its articles goes by which names."""

    def cite(self, stated: Field, name: tuple[str, ...]) -> str:
        """The article to name as the source: the one that the claim named, if it states the field, else the first."""
        named = (slug for slug in stated.slugs if name in self.sequences_by_slug.get(slug, ()))
        return next(named, stated.slugs[0])


def make_label(text: str) -> Label:
    """The label of a text; the asking words of Chinese labels (`恢复几点火焰`) cut it into pieces."""
    pieces: list[tuple[str, ...]] = []
    rest = text
    for asking in HAN_ASKING:
        rest = rest.replace(asking, "\n")
    lexemes: list[str] = []
    for part in rest.split("\n"):
        words = tokenize(part).words
        if words and words[0].kind == "han":
            pieces.append(tuple(word.lexeme for word in words))
        else:
            lexemes += [word.lexeme for word in words if word.text not in {"the", "a", "an"}]
    last = tokenize(text).words[-1:]
    return Label(tuple(lexemes), tuple(pieces), bool(last) and last[0].text == "by")


def make_labels(name: str, labels: Sequence[str]) -> tuple[Label, ...]:
    """The labels of a field: its own, the usual ones, and the words of its name without unit and filler."""
    parts = name.split("_")
    if len(parts) > 1 and (parts[-1] in SUFFIXES or parts[-1] == "year"):
        parts = parts[:-1]
    words = [part for part in parts if part not in NAMELESS_WORDS] or parts
    texts = [*labels, *USUAL_LABELS.get(name, ()), " ".join(words)]
    made = [make_label(text) for text in texts]
    return tuple(dict.fromkeys(label for label in made if label.lexemes or label.pieces))


def kind_of(value: object) -> FieldKind | None:
    """How a field's value is compared; None for one that can't be."""
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, list):
        return "list" if all(isinstance(item, str) for item in value) else None
    if isinstance(value, str):
        return "date" if parse_iso_date(value) else "name"
    return None


def make_named(text: str) -> Named:
    """A plain text as a value."""
    return Named(sequences=(name_sequence(text),), surfaces=(name_surface(text),), shown=text)


def unit_of(name: str, kind: FieldKind) -> Unit | str | None:
    """The unit of a field; only numbers have one."""
    return field_unit(name) if kind == "number" else None


def date_of(value: Scalar) -> datetime.date | None:
    """The day of a date field's value."""
    return parse_iso_date(str(value))
