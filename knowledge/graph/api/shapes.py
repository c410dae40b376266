"""What reads of the graph answer, for the OpenAPI document. Nothing is rendered by these classes."""

from __future__ import annotations

from typing import Annotated, NotRequired

from typing_extensions import TypedDict

from knowledge.api.shapes import ReadRelease
from knowledge.graph.errors import EntityUnknown
from knowledge.graph.models import RelationSource, RelationState
from memoryproject.rest.pages import NEXT_CURSOR
from memoryproject.rest.typed_dicts import Time, deprecated, member


class GraphName(TypedDict):
    """One name of an entity."""

    text: Annotated[str, member("The Moon Bridge")]
    language: Annotated[str, member("en", "Empty where the source does not say.")]
    source: Annotated[str, member("canon", "Who calls it so.", choices=("canon", "editor", "engine", "event"))]
    title: Annotated[bool, member(True, "Whether it is the title of an article.")]


class GraphEntityName(TypedDict):
    """Who or what is meant."""

    id: Annotated[int, member(11)]
    name: Annotated[str, member("The Moon Bridge")]
    kind: Annotated[str, member("place", "character, place, item, faction, event, … or a word of the studio's own.")]
    slug: Annotated[str | None, member("moon-bridge", "Its article; null where the reader may know none.")]


class GraphEntity(GraphEntityName):
    """Somebody or something, by the name that the reader knows."""

    language: Annotated[str, member("en")]
    names: list[GraphName]


class GraphEvidence(TypedDict):
    """What states a relation."""

    source: Annotated[str, member("canon", choices=RelationSource.values)]
    slug: Annotated[str | None, member("moon-bridge", "Of canon: the article.")]
    field: Annotated[str, member("relations", "Of canon: `relations`, `fields.NAME` or `body`.")]
    id: Annotated[int | None, member(None, "Of play: the event or the scene.")]
    text: Annotated[str, member("kept_by: li-shen", "The words that state it.")]


_From = TypedDict("_From", {"from": Annotated[int, member(11, "Entity.")]})


class GraphStatement(_From):
    """What connects two entities."""

    predicate: Annotated[str, member("keeps")]
    to: Annotated[int, member(11, "Entity.")]
    state: Annotated[
        str, member("active", "disputed: a source of higher authority says otherwise.", choices=RelationState.values)
    ]


class GraphRelation(GraphStatement):
    """One source's statement. Releases and times are half-open ranges."""

    id: Annotated[int, member(31)]
    stated_as: Annotated[
        str, member("kept_by", "The predicate as the source has it; it may be said from the other end.")
    ]
    evidence: GraphEvidence
    added_in: Annotated[int | None, member(1, "Of canon: the first release that has it.")]
    removed_in: Annotated[int | None, member(None, "Of canon: the first release without it.")]
    story_time: Annotated[str, member("", "As the story tells time.")]
    recorded_at: Annotated[Time, member("2026-01-15T12:00:00Z")]
    ended_at: Annotated[Time | None, member(None)]


class GraphState(TypedDict):
    """Which state of the graph was read."""

    domain: Annotated[str, member("lore")]
    release: Annotated[
        ReadRelease | None, member(description="Null with `as_of`, and where play is read in a world without canon.")
    ]
    as_of: Annotated[Time | None, member(None)]


class GraphEntityList(GraphState):
    """Entities that a name may mean, best first."""

    data: list[GraphEntity]
    next_cursor: Annotated[int | None, member(None, f"{NEXT_CURSOR} Null too where `q` was asked for.")]
    entities: NotRequired[Annotated[list[GraphEntity], deprecated("data")]]


class GraphNearEntity(GraphEntity):
    """An entity near another."""

    depth: Annotated[int, member(1, "Steps from the entity asked for.")]


class GraphNeighbourhood(GraphEntity):
    """An entity with what is around it."""

    domain: Annotated[str, member("lore")]
    release: ReadRelease | None
    as_of: Annotated[Time | None, member(None)]
    entities: list[GraphNearEntity]
    relations: list[GraphRelation]
    capped: Annotated[bool, member(False, "Whether a limit left something out.")]


class GraphPath(TypedDict):
    """Entities in a row, and the relation of each step."""

    entities: Annotated[list[int], member([12, 11])]
    relations: Annotated[list[int], member([31])]


class GraphPaths(GraphState):
    """The shortest paths, and what stands on them."""

    paths: list[GraphPath]
    entities: list[GraphEntity]
    relations: list[GraphRelation]
    capped: Annotated[bool, member(False, "Whether a limit left something out.")]


GRAPH_CODES = (
    {
        404: {
            "conversation_not_found": "There is no conversation 7.",
            "campaign_not_found": "There is no campaign 'camp_1'.",
        }
    },
)
ENTITY_CODES = EntityUnknown
