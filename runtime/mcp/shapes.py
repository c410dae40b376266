"""What the tools answer: the shapes of REST, and those of answers that are cut for a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from typing_extensions import TypedDict

from episodes.art.api.shapes import ArtSuggestion
from episodes.campaigns.api.shapes import Session
from factcheck.claims.api.shapes import Assertion
from knowledge.api.shapes import ChunkName, DocumentText, ReadRelease, RuleMatch, Search
from knowledge.graph.api.shapes import GraphEntityName, GraphStatement
from knowledge.graph.models import RelationSource
from memoryproject.rest.typed_dicts import member
from npcs.profiles.api.shapes import Npc


class RuleText(DocumentText):
    """A rule with its text."""

    chunks: list[ChunkName]


class FoundRule(RuleMatch):
    """The rule that was asked for, without what links it."""

    rule: Annotated[RuleText, member(description="The rule that was asked for.")]


class NamedEntity(GraphEntityName):
    """An entity and what else it is called."""

    aliases: Annotated[list[str], member(["Nine Arches"])]


class NearEntity(NamedEntity):
    """An entity near another."""

    depth: Annotated[int, member(1, "Steps from the entity asked for.")]


class SourcedStatement(GraphStatement):
    """A relation and what states it."""

    source: Annotated[str, member("canon", choices=RelationSource.values)]
    slug: Annotated[str | None, member("moon-bridge", "The article that states it.")]
    text: Annotated[str, member("kept_by: li-shen", "The words that state it.")]


class Neighbourhood(TypedDict):
    """An entity with what is around it."""

    domain: Annotated[str | None, member("lore")]
    release: Annotated[ReadRelease | None, member(description="Null where a world has play and no canon.")]
    entity: NamedEntity
    others: Annotated[list[NamedEntity], member([], "Entities that may have been meant instead, best first.")]
    entities: Annotated[list[NearEntity], member(description="What is around it, nearest first.")]
    relations: list[SourcedStatement]
    capped: Annotated[bool, member(False, "Whether a limit left something out.")]


class RecalledEvent(TypedDict):
    """An event in short."""

    event_id: Annotated[str, member("6f1c2f0e-7d5b-4d3a-9a51-0c8a4f1d2b3c")]
    conversation_id: Annotated[int, member(7)]
    state: Annotated[str, member("archived", "buffer, archiving or archived.")]
    title: Annotated[str, member("Miron, Irina · Moon Tavern")]
    timestamp: Annotated[str, member("day 42 late at night", "Time within the story.")]
    location: Annotated[str, member("Moon Tavern")]
    summary: Annotated[str, member("Irina brings the silver key to the Moon Tavern.")]
    names: Annotated[list[str], member(["Miron", "Irina"])]
    score: Annotated[float, member(1.25)]


class RecalledEvents(TypedDict):
    """Events of a player's earlier talk."""

    query: Annotated[str, member("what was that thing at the tavern?")]
    is_vague: Annotated[bool, member(True, "Whether the question only points at something.")]
    pointed_at: Annotated[list[str], member(["Miron"], "The names that it was taken to point at.")]
    events: Annotated[list[RecalledEvent], member(description="Best first.")]
    degraded: Annotated[list[str], member([])]


@dataclass(frozen=True, slots=True)
class AnswerShape:
    """The shape of a tool's answers."""

    shape: Any
    is_closed: bool = True
    """Whether they hold no other members; open ones may get more."""


ANSWERS: Mapping[str, AnswerShape] = {
    "rules_lookup": AnswerShape(FoundRule),
    "lore_search": AnswerShape(Search),
    "lore_assert": AnswerShape(Assertion),
    "graph_lookup": AnswerShape(Neighbourhood),
    "npc_profile": AnswerShape(Npc, is_closed=False),
    "art_suggest": AnswerShape(ArtSuggestion, is_closed=False),
    "session_fetch": AnswerShape(Session),
    "event_search": AnswerShape(RecalledEvents),
}
"""Without `context_pack`, which answers texts."""
