"""What play states about entities: by the engine's account of a scene, or by an event that a model took from talk."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from knowledge.graph.core.kinds import UNKNOWN

PlaySource = Literal["engine", "event"]


@dataclass(frozen=True, slots=True)
class MentionedEntity:
    """Somebody or something that a source names, in the source's own words.

    `slugs` are articles that it can only be, where the engine names it by id.
    """

    name: str
    kind: str = UNKNOWN
    slugs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StatedRelation:
    """A relation between two of the names; the words that state it are its evidence."""

    subject: str
    predicate: str
    object: str
    span: str = ""


@dataclass(frozen=True, slots=True)
class SourceStatements:
    """What one source states: an event node, a summary.

    `audience` says which NPCs know of it (`npc:ID`), or `public`; `story_from` orders sources in the story, by message
    or scene; `context` is what an editor sees beside a name that may be another's.
    """

    source_id: int
    entities: tuple[MentionedEntity, ...]
    relations: tuple[StatedRelation, ...] = ()
    audience: tuple[str, ...] = ()
    story_from: int | None = None
    story_time: str = ""
    context: str = ""


@dataclass(frozen=True, slots=True)
class GraphReport:
    """What was written, by count, and whom the sources name."""

    entities_created: int = 0
    names: int = 0
    relations: int = 0
    disputed: int = 0
    ended: int = 0
    skipped: int = 0
    """Relations that say nothing: to itself, without a predicate, or known already."""
    proposals: int = 0
    entity_ids: tuple[tuple[int, tuple[int, ...]], ...] = ()
    """Source to the entities that it names."""
    mentions: tuple[tuple[int, tuple[tuple[str, int], ...]], ...] = ()
    """Source to its names, each with the entity that it means."""
