"""The one place where events meet the graph of their world."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from uuid import UUID

from episodes.events.core.names import fold_name
from episodes.events.models import EventName, EventNode
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
        report = upsert_from_events(
            tenant_id=tenant_id,
            world_id=world_id,
            owner=GraphOwner("conversation", conversation_id),
            events=[_state(node) for node in own],
        )
        _link_names(own, dict(report.mentions))


def _link_names(nodes: Sequence[EventNode], mentions: Mapping[int, Sequence[tuple[str, int]]]) -> None:
    """The names that lead to the events know their entities, so that recall can go from one to its neighbours."""
    entities = {
        (node.pk, folded): entity_id
        for node in nodes
        for name, entity_id in mentions.get(number_event(node.pk), ())
        if (folded := fold_name(name))
    }
    rows = EventName.objects.filter(node__in=[node.pk for node in nodes]).exclude(type="").order_by("pk")
    changed = []
    for row in rows:
        entity_id = entities.get((row.node_id, row.folded))
        if entity_id is not None and row.entity_id != entity_id:
            row.entity_id = entity_id
            changed.append(row)
    EventName.objects.bulk_update(changed, ["entity_id"], batch_size=500)


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
