"""What reads of the graph answer: frozen, already as far as the reader may know."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from knowledge.graph.core.owners import GraphOwner


@dataclass(frozen=True, slots=True)
class GraphReader:
    """Who reads the graph, and which state of it.

    `audience` None stands for the editors, who see all of canon. `owners` are the parts of play that are read beside
    canon; an NPC reads of them only what its audience names, a player's engine reads all.
    """

    tenant_id: int
    world_id: int
    releases: tuple[tuple[int, int], ...]
    """Domain index to release number, for each domain of the world that has one."""
    audience: tuple[str, ...] | None
    is_npc: bool = False
    owners: tuple[GraphOwner, ...] = ()
    as_of: dt.datetime | None = None


@dataclass(frozen=True, slots=True)
class EntityName:
    """One name of an entity and who calls it so."""

    text: str
    language: str
    source: str
    is_title: bool


@dataclass(frozen=True, slots=True)
class EntitySummary:
    """An entity by the name that its reader knows."""

    entity_id: int
    name: str
    kind: str
    language: str
    slug: str
    """Its article's, if the reader may know one; else empty."""
    names: tuple[EntityName, ...]


@dataclass(frozen=True, slots=True)
class RelationView:
    """A relation between entities that the reader knows both of."""

    relation_id: int
    src: int
    predicate: str
    dst: int
    stated_as: str
    state: str
    source_kind: str
    source_slug: str
    """Of canon the article that states it; else empty."""
    source_field: str
    span: str
    added_in: int | None
    removed_in: int | None
    story_time: str
    recorded_at: dt.datetime
    ended_at: dt.datetime | None
    evidence_id: int | None
    """Of play the event or summary."""


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """An entity with what is within some steps of it."""

    entity: EntitySummary
    entities: tuple[EntitySummary, ...]
    """The others, nearest first."""
    depths: dict[int, int]
    relations: tuple[RelationView, ...]
    is_capped: bool
    """Whether a limit left something out."""


@dataclass(frozen=True, slots=True)
class GraphPath:
    """Entities in a row, each joined to the next by a relation."""

    entity_ids: tuple[int, ...]
    relations: tuple[RelationView, ...]


@dataclass(frozen=True, slots=True)
class PathResult:
    """The shortest paths between two entities, and the entities on them."""

    paths: tuple[GraphPath, ...]
    entities: tuple[EntitySummary, ...]
    is_capped: bool
