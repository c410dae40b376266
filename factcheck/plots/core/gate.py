"""The gate of plots: what an extraction says must stand in its chunk. Every refusal has a code.

Names, keywords and the place stand there, or under an alias; relations hold between listed entities; a summary is made
of the chunk's words. What fails is left out and listed, and the rest stands.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from episodes.events.core.plot import UNKNOWN, Entity, Plot, Relation, parse_plot
from factcheck.core.tokens import name_sequence
from factcheck.extraction.core.canaries import holds_canary
from factcheck.plots.core.chunk import Chunk, ChunkIndex, Place

MIN_SUMMARY_SHARE = 0.45
"""Of a summary's words so many must be said in the chunk: one in another language has next to none of them, one that
rephrases verbs keeps its names and things."""
MAX_KEYWORDS = 12
_BLANKS = re.compile(r"\s+")
_DIGITS = re.compile(r"\d+")
_NUL = re.compile(r"[\x00\ud800-\udfff]")


class Refusal(StrEnum):
    """Why a part of an extraction, or all of it, is left out."""

    CANARY = "canary"
    SUMMARY_UNSUPPORTED = "summary_unsupported"
    DETAILS_UNSUPPORTED = "details_unsupported"
    KEYWORD_NOT_FOUND = "keyword_not_found"
    KEYWORD_REPEATED = "keyword_repeated"
    LOCATION_NOT_FOUND = "location_not_found"
    TIMESTAMP_NOT_FOUND = "timestamp_not_found"
    ENTITY_NOT_FOUND = "entity_not_found"
    ENTITY_REPEATED = "entity_repeated"
    ENTITY_ADDED = "entity_added"
    RELATION_NOT_FOUND = "relation_not_found"
    RELATION_TO_ITSELF = "relation_to_itself"


@dataclass(frozen=True, slots=True)
class GatedPlot:
    """What passed, where its names stand, and what did not. `plot` is None where nothing of it can be used."""

    plot: Plot | None
    refusals: tuple[Mapping[str, str], ...] = ()
    spans: Mapping[str, tuple[int, int, int]] = field(default_factory=dict)


class _Notes:
    """Refusals and spans, as the gate goes along."""

    def __init__(self, index: ChunkIndex) -> None:
        self.index = index
        self.refusals: list[Mapping[str, str]] = []
        self.spans: dict[str, tuple[int, int, int]] = {}

    def refuse(self, code: Refusal, value: str) -> None:
        """Notes what is left out."""
        self.refusals.append({"code": str(code), "value": value[:160]})

    def find(self, name: str) -> bool:
        """Whether the name stands in the chunk; its span is kept."""
        place: Place | None = self.index.find_known(name)
        if place is not None:
            self.spans[name] = (place.message_id, place.start, place.end)
        return place is not None


def check_plot(document: Mapping[str, Any], chunk: Chunk) -> GatedPlot:
    """What of an extraction stands in its chunk. Raises PlotInvalid where it is not in the form."""
    came = parse_plot(document)
    notes = _Notes(ChunkIndex(chunk))
    if holds_canary(dict(document)):
        notes.refuse(Refusal.CANARY, "")
        return GatedPlot(None, tuple(notes.refusals))
    summary = _tidy(came.summary)
    if not name_sequence(summary) or notes.index.share(summary) < MIN_SUMMARY_SHARE:
        notes.refuse(Refusal.SUMMARY_UNSUPPORTED, summary)
        return GatedPlot(None, tuple(notes.refusals))
    entities = _check_entities(came, notes)
    relations = _check_relations(came, entities, notes)
    location = _check_location(came.location, notes)
    plot = Plot(
        summary=summary,
        keywords=_check_keywords(came, entities, location, notes),
        timestamp=_check_timestamp(came.timestamp, notes),
        location=location,
        entities=tuple(entities.values()),
        relations=tuple(relations),
        details=_check_details(came.details, notes),
    )
    return GatedPlot(plot, tuple(notes.refusals), notes.spans)


def _check_entities(came: Plot, notes: _Notes) -> dict[tuple[str, ...], Entity]:
    """By the words of their names, so that the same one is listed once."""
    entities: dict[tuple[str, ...], Entity] = {}
    for entity in came.entities:
        name = _tidy(entity.name)
        key = name_sequence(name)
        if not key or not notes.find(name):
            notes.refuse(Refusal.ENTITY_NOT_FOUND, name)
        elif key in entities:
            notes.refuse(Refusal.ENTITY_REPEATED, name)
        else:
            entities[key] = Entity(name, _tidy(entity.type) or UNKNOWN)
    return entities


def _check_relations(came: Plot, entities: dict[tuple[str, ...], Entity], notes: _Notes) -> list[Relation]:
    relations: list[Relation] = []
    for relation in came.relations:
        sides = [_tidy(relation.subject), _tidy(relation.object)]
        told = f"{sides[0]} — {_tidy(relation.predicate)} — {sides[1]}"
        if name_sequence(sides[0]) == name_sequence(sides[1]):
            notes.refuse(Refusal.RELATION_TO_ITSELF, told)
            continue
        if not all(name_sequence(side) in entities or notes.find(side) for side in sides):
            notes.refuse(Refusal.RELATION_NOT_FOUND, told)
            continue
        for side in sides:
            if name_sequence(side) not in entities:
                entities[name_sequence(side)] = Entity(side, UNKNOWN)
                notes.refuse(Refusal.ENTITY_ADDED, side)
        checked = Relation(sides[0], _tidy(relation.predicate), sides[1])
        if checked not in relations:
            relations.append(checked)
    return relations


def _check_keywords(
    came: Plot, entities: Mapping[tuple[str, ...], Entity], location: str, notes: _Notes
) -> tuple[str, ...]:
    """Those that stand there; where none does, the names that do."""
    kept: dict[tuple[str, ...], str] = {}
    for keyword in map(_tidy, came.keywords):
        key = name_sequence(keyword)
        if not key or not notes.find(keyword):
            notes.refuse(Refusal.KEYWORD_NOT_FOUND, keyword)
        elif key in kept:
            notes.refuse(Refusal.KEYWORD_REPEATED, keyword)
        else:
            kept[key] = keyword
    if not kept:
        names = [*(entity.name for entity in entities.values()), *filter(None, [location])]
        kept = {name_sequence(name): name for name in names}
    return tuple(kept.values())[:MAX_KEYWORDS]


def _check_location(location: str, notes: _Notes) -> str:
    """The place as it was named: all its words stand in the chunk, be it in two sentences."""
    location = _tidy(location)
    if not location or notes.find(location):
        return location
    if name_sequence(location) and notes.index.share(location) == 1.0:
        return location
    notes.refuse(Refusal.LOCATION_NOT_FOUND, location)
    return ""


def _check_timestamp(timestamp: str, notes: _Notes) -> str:
    """A time within the story: its numbers stand in the chunk, and at least one of its words or numbers does."""
    timestamp = _tidy(timestamp)
    if not timestamp:
        return ""
    numbers = set(_DIGITS.findall(timestamp))
    if numbers <= notes.index.lexemes and notes.index.share(timestamp) > 0:
        return timestamp
    notes.refuse(Refusal.TIMESTAMP_NOT_FOUND, timestamp)
    return ""


def _check_details(details: str, notes: _Notes) -> str:
    details = _NUL.sub("", details).strip()
    if not details or notes.index.share(details) >= MIN_SUMMARY_SHARE:
        return details
    notes.refuse(Refusal.DETAILS_UNSUPPORTED, details)
    return ""


def _tidy(text: str) -> str:
    """Blanks as one, and nothing that is no text."""
    return _BLANKS.sub(" ", _NUL.sub("", text)).strip()
