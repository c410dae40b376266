"""The one place where events meet the graph of their world."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from uuid import UUID

from episodes.events.core.names import fold_name
from episodes.events.models import EventNode
from knowledge.graph.actions.events import upsert_from_events
from knowledge.graph.actions.withdrawal import erase_sources
from knowledge.graph.core.owners import GraphOwner
from knowledge.graph.core.statements import MentionedEntity, SourceStatements, StatedRelation

MAX_CONTEXT_LENGTH = 300
_SOURCE_BITS = 63


def number_event(node_id: UUID) -> int:
    """An event as the graph names its sources: by a number, the same for ever."""
    return node_id.int >> (128 - _SOURCE_BITS)


def link_events(nodes: Sequence[EventNode]) -> None:
    """People, places and things of archived events become entities, with the relations between them.

    Call it in the transaction that archives them. A talk without a world has no graph.
    """
    by_owner: dict[tuple[int, int, int], list[EventNode]] = defaultdict(list)
    for node in nodes:
        if node.world_id is not None and not node.is_hidden:
            by_owner[node.tenant_id, node.world_id, node.conversation_id].append(node)
    for (tenant_id, world_id, conversation_id), own in sorted(by_owner.items()):
        upsert_from_events(
            tenant_id=tenant_id,
            world_id=world_id,
            owner=GraphOwner("conversation", conversation_id),
            events=[_state(node) for node in own],
        )


def unlink_events(node_ids: Sequence[UUID]) -> None:
    """What only these events say in the graph is erased. Call it in the transaction that withdraws them."""
    rows = EventNode.objects.filter(pk__in=node_ids, world__isnull=False).order_by("conversation_id", "pk")
    by_owner: dict[tuple[int, int], list[int]] = defaultdict(list)
    for pk, tenant_id, conversation_id in rows.values_list("pk", "tenant_id", "conversation_id"):
        by_owner[tenant_id, conversation_id].append(number_event(pk))
    for (tenant_id, conversation_id), numbers in by_owner.items():
        erase_sources(tenant_id=tenant_id, owner=GraphOwner("conversation", conversation_id), source_ids=numbers)


def _state(node: EventNode) -> SourceStatements:
    plot = node.read_plot()
    assert plot is not None  # noqa: S101 - an archived event has words
    entities = [MentionedEntity(each.name, each.type) for each in plot.entities]
    if plot.location and fold_name(plot.location) not in {fold_name(each.name) for each in plot.entities}:
        entities.append(MentionedEntity(plot.location, "Location"))
    return SourceStatements(
        source_id=number_event(node.pk),
        entities=tuple(entities),
        relations=tuple(StatedRelation(each.subject, each.predicate, each.object) for each in plot.relations),
        audience=tuple(f"npc:{npc_id}" for npc_id in node.npc_ids),
        story_from=node.first_seq,
        story_time=plot.timestamp,
        context=plot.summary[:MAX_CONTEXT_LENGTH],
    )
