"""What a source said leaves the graph: ended when the source no longer stands, deleted when it was forgotten."""

from __future__ import annotations

from collections.abc import Collection

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from knowledge.graph.actions.erasure import erasing
from knowledge.graph.actions.events import lock_owner
from knowledge.graph.core.owners import GraphOwner
from knowledge.graph.core.statements import PlaySource
from knowledge.graph.models import GraphEntity, GraphMergeProposal, GraphName, GraphRelation, RelationState


def withdraw_sources(
    *, tenant_id: int, owner: GraphOwner, source_ids: Collection[int], source: PlaySource = "event"
) -> int:
    """End what some sources said, and let stand again what they had ended; how many relations and names ended.

    For sources that went stale: edited, deselected. Call it in the transaction that says so.
    """
    with transaction.atomic():
        lock_owner(tenant_id, owner)
        said = _said_by(tenant_id, owner, source, source_ids)
        now = timezone.now()
        relations = GraphRelation.objects.filter(said)
        ids = list(relations.values_list("pk", flat=True))
        count = relations.filter(ended_at__isnull=True).update(ended_at=now, state=RelationState.WITHDRAWN)
        relations.exclude(state=RelationState.WITHDRAWN).update(state=RelationState.WITHDRAWN)
        count += GraphName.objects.filter(said, ended_at__isnull=True).update(ended_at=now)
        _reopen(_list_ended_by(ids))
    return count


def erase_sources(
    *, tenant_id: int, owner: GraphOwner, source_ids: Collection[int], source: PlaySource = "event"
) -> int:
    """Delete what some sources said, words and all; how many rows went. For what a person wants forgotten.

    Entities of the owner that nothing speaks of any more go with their proposals.
    """
    with transaction.atomic():
        lock_owner(tenant_id, owner)
        said = _said_by(tenant_id, owner, source, source_ids)
        ids = list(GraphRelation.objects.filter(said).values_list("pk", flat=True))
        ended = _list_ended_by(ids)
        named = list(GraphName.objects.filter(said).values_list("entity_id", flat=True))
        told = GraphMergeProposal.objects.filter(
            Q(first_id__in=named) | Q(second_id__in=named),
            tenant_id=tenant_id,
            owner_kind=owner.kind,
            owner_id=owner.id,
        )
        with erasing():
            count = GraphRelation.objects.filter(pk__in=ids).delete()[0]
            count += GraphName.objects.filter(said).delete()[0]
            count += told.update(first_context="", second_context="")
            count += _purge_unnamed(tenant_id, owner)
        _reopen(ended)
    return count


def erase_owner(*, tenant_id: int, owner: GraphOwner) -> int:
    """Delete all of an owner's part of the graph; how many rows went."""
    mine = Q(tenant_id=tenant_id, owner_kind=owner.kind, owner_id=owner.id)
    with transaction.atomic():
        lock_owner(tenant_id, owner)
        with erasing():
            count = GraphRelation.objects.filter(mine).delete()[0]
            count += GraphName.objects.filter(mine).delete()[0]
            count += _purge_unnamed(tenant_id, owner)
            count += GraphMergeProposal.objects.filter(mine).delete()[0]
    return count


def _said_by(tenant_id: int, owner: GraphOwner, source: PlaySource, source_ids: Collection[int]) -> Q:
    return Q(
        tenant_id=tenant_id,
        owner_kind=owner.kind,
        owner_id=owner.id,
        source_kind=source,
        source_id__in=list(source_ids),
    )


def _list_ended_by(ids: Collection[int]) -> list[int]:
    """What some relations had ended, the newest first."""
    rows = GraphRelation.objects.filter(ended_by_id__in=ids).exclude(pk__in=ids).exclude(state=RelationState.WITHDRAWN)
    return list(rows.order_by("-story_from", "-pk").values_list("pk", flat=True))


def _reopen(ids: Collection[int]) -> None:
    """Let stand again, in the order given, what has its slot free."""
    for pk in ids:
        try:
            with transaction.atomic():
                GraphRelation.objects.filter(pk=pk).update(ended_at=None, ended_by=None, story_to=None)
        except IntegrityError:
            continue


def _purge_unnamed(tenant_id: int, owner: GraphOwner) -> int:
    """Delete the owner's entities that have no name and no relation left, and proposals about them."""
    mine = GraphEntity.objects.filter(tenant_id=tenant_id, owner_kind=owner.kind, owner_id=owner.id, slug="")
    named = GraphName.objects.filter(tenant_id=tenant_id, entity_id__in=mine).values_list("entity_id", flat=True)
    gone = set(mine.values_list("pk", flat=True)) - set(named)
    count = GraphMergeProposal.objects.filter(Q(first_id__in=gone) | Q(second_id__in=gone)).delete()[0]
    used = GraphRelation.objects.filter(Q(src_id__in=gone) | Q(dst_id__in=gone), tenant_id=tenant_id)
    held = {end for ends in used.values_list("src_id", "dst_id") for end in ends}
    held |= set(
        GraphEntity.objects.filter(merged_into_id__in=gone)
        .exclude(pk__in=gone)
        .values_list("merged_into_id", flat=True)
    )
    GraphEntity.objects.filter(merged_into_id__in=gone - held, pk__in=gone).update(merged_into=None, merged_by="")
    return count + GraphEntity.objects.filter(pk__in=gone - held).delete()[0]
