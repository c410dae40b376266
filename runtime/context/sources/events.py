"""Events that the turn is about: what chunks of earlier talk came to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from episodes.events.selectors.event_filters import EventFilters
from episodes.events.selectors.event_hits import EventHit
from episodes.events.selectors.expansion import expand_question
from episodes.events.selectors.recall import (
    NOTHING_RECALLED,
    RecalledEvents,
    embed_event_query,
    list_event_queries,
    recall_events,
)
from knowledge.graph.core.views import GraphReader
from knowledge.search.embedding import Embedder
from runtime.context.core.pack import PLACE, Item, Provenance
from runtime.context.sources.source import Fetched, Found, Source
from runtime.context.turn import ResolvedTurn

MAX_LINE_LENGTH = 700
"""Characters of a card's one line in a pack: 120 tokens of any script, a little more of Arabic."""


@dataclass(frozen=True, slots=True)
class FoundEvents(Fetched):
    """Events, best first."""

    recalled: RecalledEvents = NOTHING_RECALLED


class Events(Source[FoundEvents]):
    """Events of the player in this world; with an NPC, only those that it took part in.

    A question that only points ("that thing") is about the last names of the talk.
    """

    name = "events"
    layer = "events"
    step = "events"
    is_parallel = True

    def is_needed(self, turn: ResolvedTurn) -> bool:
        """Of a player who is known, where the budget takes events."""
        return turn.player is not None and bool(turn.budget.layers["events"].max_items)

    def list_queries(self, turn: ResolvedTurn) -> Iterable[tuple[Embedder, str]]:
        """The message itself, and a vague one in its talk."""
        return list_event_queries(turn.message.query, [entry.text for entry in turn.talk])

    def fetch(self, turn: ResolvedTurn) -> FoundEvents:
        """One query of a player without events, else two."""
        request, player = turn.request, turn.player
        if player is None:
            return FoundEvents()
        filters = EventFilters(
            tenant_id=request.tenant_id,
            end_user_id=player.end_user_id,
            world_id=request.world_id,
            or_without_world=not request.is_world_bound,
            npc_id=request.npc_id,
            conversation_id=player.conversation_id,
            tree_id=None if player.conversation_id is None else player.tree_id,
            campaign_id=None if turn.party is None else turn.party.campaign_id,
            graph=_make_reader(turn),
        )
        recalled = recall_events(
            filters,
            query=turn.message.query,
            talk=[entry.text for entry in turn.talk],
            embed=embed_event_query,
            expand=expand_question,
            limit=turn.budget.layers["events"].max_items,
        )
        return FoundEvents(recalled, degraded=recalled.degraded)

    def build_items(self, turn: ResolvedTurn, found: Found) -> Sequence[Item]:
        """The best first, each as one line: place and time, then what happened."""
        result = found.get(Events)
        hits = () if result is None else result.recalled.hits
        return [
            Item(
                id=f"event_node:{hit.id}",
                text=_render_line(hit),
                provenance=Provenance(
                    "event_node",
                    {
                        "event_id": str(hit.id),
                        "conversation_id": hit.conversation_id,
                        "first_seq": hit.first_seq,
                        "last_seq": hit.last_seq,
                        "state": hit.state,
                    },
                    evidence=hit.evidence,
                    scores={
                        "score": hit.score,
                        "bm25": hit.parts.bm25,
                        "vector": hit.parts.vector,
                        "names": float(hit.names),
                        PLACE: place,
                    },
                ),
                template="event",
                repeats=tuple(f"message:{message_id}" for message_id in hit.evidence),
            )
            for place, hit in enumerate(hits, start=1)
        ]


def _make_reader(turn: ResolvedTurn) -> GraphReader:
    """Who reads the graph: whoever speaks in this turn, of the releases that the turn reads. No query."""
    return GraphReader(
        tenant_id=turn.request.tenant_id,
        world_id=turn.request.world_id,
        releases=tuple(sorted((each.domain_index_id, each.number) for each in turn.releases.values())),
        audience=turn.audience,
        is_npc=turn.request.npc_id is not None,
    )


def _render_line(hit: EventHit) -> str:
    head = ", ".join(part for part in (hit.plot.timestamp, hit.plot.location) if part)
    text = " ".join([*([f"[{head}]"] if head else []), hit.plot.summary, hit.plot.details]).strip()
    return text if len(text) <= MAX_LINE_LENGTH else f"{text[:MAX_LINE_LENGTH].rstrip()}…"
