"""PlotExtraction: what one chunk of talk came to, in the form of seed 001, section 2.1."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from memoryproject.json_schema import load_inlined_schema, make_strict_validator

PLOT_SCHEMA: dict[str, Any] = load_inlined_schema("plot_extraction")
UNKNOWN = "Unknown"
"""The type of a name that stands in a relation and in no list."""
CHARACTER, PLACE, ITEM = "Character", "Location", "Item"
MAX_TITLE_LENGTH = 80
_VALIDATOR = make_strict_validator(PLOT_SCHEMA)


class PlotInvalid(ValueError):
    """A document that is no PlotExtraction."""


@dataclass(frozen=True, slots=True)
class Entity:
    """Somebody or something that takes part."""

    name: str
    type: str


@dataclass(frozen=True, slots=True)
class Relation:
    """Who does what to whom, or is what to whom."""

    subject: str
    predicate: str
    object: str


@dataclass(frozen=True, slots=True)
class Plot:
    """One event."""

    summary: str
    keywords: tuple[str, ...]
    timestamp: str = ""
    location: str = ""
    entities: tuple[Entity, ...] = ()
    relations: tuple[Relation, ...] = ()
    details: str = ""

    def as_document(self) -> dict[str, Any]:
        """In the seed's form; `details` only where there are some."""
        document = asdict(self)
        for name in ("keywords", "entities", "relations"):
            document[name] = list(document[name])
        if not self.details:
            del document["details"]
        return document

    def as_search_text(self) -> str:
        """What the event is found by with keywords: all its words."""
        names = [entity.name for entity in self.entities]
        parts = [self.summary, ", ".join([*self.keywords, *names]), self.location, self.timestamp, self.details]
        return "\n".join(part for part in parts if part)


def parse_plot(document: Any) -> Plot:
    """The event of a document. Raises PlotInvalid where it is not in the form."""
    error = next(iter(_VALIDATOR.iter_errors(document)), None)
    if error is not None:
        raise PlotInvalid(f"{error.json_path}: {error.message}")
    return Plot(
        summary=document["summary"],
        keywords=tuple(document["keywords"]),
        timestamp=document["timestamp"],
        location=document["location"],
        entities=tuple(Entity(each["name"], each["type"]) for each in document["entities"]),
        relations=tuple(Relation(each["subject"], each["predicate"], each["object"]) for each in document["relations"]),
        details=document.get("details", ""),
    )


def apply_edits(plot: Plot, edits: Mapping[str, Any]) -> Plot:
    """The event as a person left it: `summary` and `keywords` of an edit stand for those that were extracted."""
    changed = {name: edits[name] for name in ("summary", "details") if edits.get(name) is not None}
    if edits.get("keywords"):
        changed["keywords"] = tuple(edits["keywords"])
    return replace(plot, **changed)


def make_title(plot: Plot) -> str:
    """What an entry is called in lists: who, and where, or the beginning of the summary."""
    people = [entity.name for entity in plot.entities if entity.type == CHARACTER][:3]
    told = " · ".join(part for part in (", ".join(people), plot.location) if part)
    return shorten_title(told or plot.summary.partition("\n")[0])


def shorten_title(text: str) -> str:
    """The text as far as a title may be long."""
    return text if len(text) <= MAX_TITLE_LENGTH else f"{text[: MAX_TITLE_LENGTH - 1].rstrip()}…"


def list_names(plots: Iterable[Plot]) -> list[str]:
    """All names of events, each once, in order."""
    return list(dict.fromkeys(entity.name for plot in plots for entity in plot.entities))
