"""What people decide about entities: merges and their undoing, pairs that are not the same, names of their own."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from knowledge.canon.core.names import storable_text
from knowledge.canon.models import PUBLIC
from knowledge.graph.core.canon import make_name
from knowledge.graph.errors import (
    EntitiesMerged,
    EntityUnknown,
    GraphReasonRequired,
    InvalidName,
    ProposalDecided,
    ProposalUnknown,
)
from knowledge.graph.models import (
    GraphEntity,
    GraphMergeProposal,
    GraphName,
    GraphNotSame,
    MergeKind,
    NameSource,
    ProposalState,
)
from knowledge.graph.models.guards import OwnerKind
from memoryproject.constraints import atomic_write
from tenancy.core.audit_log import AuditRecord, Decider, record_decision

MAX_REASON_LENGTH = 1000


@dataclass(frozen=True, slots=True)
class Decision:
    """Who decides, in which world, and why."""

    tenant_id: int
    world_id: int
    decider: Decider
    reason: str

    def check(self) -> str:
        """The reason. Raises InvalidGraphInput without one."""
        reason = storable_text(self.reason).strip()[:MAX_REASON_LENGTH]
        if not reason:
            raise GraphReasonRequired("Say why: the log keeps it.")
        return reason


def propose_merge(decision: Decision, first_id: int, second_id: int) -> GraphMergeProposal:
    """An open proposal for two entities of canon that an editor holds for one. Raises as `accept_merge`."""
    reason = decision.check()
    with transaction.atomic():
        first, second = _lock_pair(decision, first_id, second_id)
        proposal, _ = GraphMergeProposal.objects.get_or_create(
            tenant_id=decision.tenant_id,
            first=first,
            second=second,
            defaults={
                "world_id": decision.world_id,
                "owner_kind": OwnerKind.CANON,
                "first_name": _name_of(first),
                "second_name": _name_of(second),
                "first_context": reason,
                "similarity": 0.0,
                "reason": "by_hand",
            },
        )
        if proposal.state in (ProposalState.REFUSED, ProposalState.UNDONE):
            _decide(proposal, ProposalState.OPEN, decision, "")
        _record(decision, "merge_proposed", proposal, before="", after=ProposalState.OPEN)
    return proposal


def accept_merge(decision: Decision, proposal_id: int) -> GraphMergeProposal:
    """The proposal, accepted: the entity of play, or else the younger one, stands for nothing of its own any more.

    Its names keep their own texts, so that it can be undone. Locks the proposal, then the entities in pk order. Raises
    ProposalUnknown, ProposalDecided, EntitiesMerged, EntitiesNotSame, InvalidGraphInput.
    """
    reason = decision.check()
    with atomic_write():
        proposal = _lock_proposal(decision, proposal_id)
        if proposal.state != ProposalState.OPEN:
            raise ProposalDecided(f"The proposal is {proposal.get_state_display().lower()}.")
        first, second = _lock_pair(decision, proposal.first_id, proposal.second_id)
        winner, loser = sorted((first, second), key=lambda entity: (entity.slug == "", entity.pk))
        moved = list(GraphEntity.objects.filter(merged_into=loser).values_list("pk", flat=True))
        GraphEntity.objects.filter(pk__in=moved).update(merged_into=None, merged_by="")
        GraphEntity.objects.filter(pk=loser.pk).update(merged_into=winner, merged_by=MergeKind.EDITOR)
        GraphEntity.objects.filter(pk__in=moved).update(merged_into=winner, merged_by=MergeKind.EDITOR)
        proposal.loser, proposal.moved = loser, moved
        _decide(proposal, ProposalState.ACCEPTED, decision, reason)
        _record(decision, "merge_accepted", proposal, before=ProposalState.OPEN, after=ProposalState.ACCEPTED)
    return proposal


def refuse_merge(decision: Decision, proposal_id: int) -> GraphMergeProposal:
    """The proposal, refused, and the two kept apart for good. Raises ProposalUnknown, ProposalDecided."""
    reason = decision.check()
    with transaction.atomic():
        proposal = _lock_proposal(decision, proposal_id)
        if proposal.state != ProposalState.OPEN:
            raise ProposalDecided(f"The proposal is {proposal.get_state_display().lower()}.")
        _decide(proposal, ProposalState.REFUSED, decision, reason)
        first, second = _lock_pair(decision, proposal.first_id, proposal.second_id)
        _keep_apart(decision, first, second, reason)
        _record(decision, "merge_refused", proposal, before=ProposalState.OPEN, after=ProposalState.REFUSED)
    return proposal


def undo_merge(decision: Decision, proposal_id: int) -> GraphMergeProposal:
    """The proposal, undone: both entities stand for themselves as before. Raises ProposalUnknown, ProposalDecided."""
    reason = decision.check()
    with transaction.atomic():
        proposal = _lock_proposal(decision, proposal_id)
        if proposal.state != ProposalState.ACCEPTED or proposal.loser_id is None:
            raise ProposalDecided("Only an accepted merge can be undone.")
        list(GraphEntity.objects.select_for_update().filter(pk__in=[proposal.loser_id, *proposal.moved]).order_by("pk"))
        back = [proposal.loser_id, *proposal.moved]
        GraphEntity.objects.filter(pk__in=back).update(merged_into=None, merged_by="")
        GraphEntity.objects.filter(pk__in=proposal.moved).update(
            merged_into_id=proposal.loser_id, merged_by=MergeKind.EDITOR
        )
        _decide(proposal, ProposalState.UNDONE, decision, reason)
        _record(decision, "merge_undone", proposal, before=ProposalState.ACCEPTED, after=ProposalState.UNDONE)
    return proposal


def keep_apart(decision: Decision, first_id: int, second_id: int) -> GraphNotSame:
    """An editor's word that two entities are two. Raises EntityUnknown, EntitiesMerged, InvalidGraphInput."""
    reason = decision.check()
    with transaction.atomic():
        first, second = _lock_pair(decision, first_id, second_id)
        pair = _keep_apart(decision, first, second, reason)
        _record_pair(decision, "kept_apart", pair)
    return pair


def withdraw_pair(decision: Decision, pair_id: int) -> GraphNotSame:
    """The pair, no longer kept apart. Raises ProposalUnknown, InvalidGraphInput."""
    decision.check()
    with transaction.atomic():
        pair = (
            GraphNotSame.objects.select_for_update()
            .filter(pk=pair_id, tenant_id=decision.tenant_id, world_id=decision.world_id, withdrawn_at__isnull=True)
            .first()
        )
        if pair is None:
            raise ProposalUnknown("There is no such pair.")
        pair.withdrawn_at = timezone.now()
        pair.save(update_fields=["withdrawn_at"])
        _record_pair(decision, "pair_withdrawn", pair)
    return pair


def add_alias(decision: Decision, entity_id: int, text: str, *, language: str = "") -> GraphName:
    """A public name that an editor gives to an entity of canon. Raises EntityUnknown, InvalidGraphInput."""
    reason = decision.check()
    with transaction.atomic():
        entity = GraphEntity.objects.filter(
            pk=entity_id, tenant_id=decision.tenant_id, world_id=decision.world_id, owner_kind=OwnerKind.CANON
        ).first()
        if entity is None:
            raise EntityUnknown(f"There is no entity {entity_id} in canon.")
        draft = make_name(storable_text(text), kind=entity.kind, language=language[:16])
        if draft is None:
            raise InvalidName("A name needs a letter or a digit.")
        name, created = GraphName.objects.get_or_create(
            tenant_id=decision.tenant_id,
            entity=entity,
            owner_kind=OwnerKind.CANON,
            owner_id=0,
            source_kind=NameSource.EDITOR,
            source_id=0,
            key=draft.key,
            ended_at=None,
            defaults={
                "world_id": decision.world_id,
                "text": draft.text,
                "latin": draft.latin,
                "grams": list(draft.grams),
                "kind": draft.kind,
                "language": draft.language,
                "audience": [PUBLIC],
                "reason": reason,
                "actor": decision.decider.name[:200],
            },
        )
        if created:
            _record_name(decision, "alias_added", name)
    return name


def end_alias(decision: Decision, name_id: int) -> GraphName:
    """An editor's name, ended. Raises EntityUnknown, InvalidGraphInput."""
    decision.check()
    with transaction.atomic():
        name = (
            GraphName.objects.select_for_update()
            .filter(
                pk=name_id,
                tenant_id=decision.tenant_id,
                world_id=decision.world_id,
                source_kind=NameSource.EDITOR,
                ended_at__isnull=True,
            )
            .first()
        )
        if name is None:
            raise EntityUnknown("There is no such name of an editor's.")
        name.ended_at = timezone.now()
        name.save(update_fields=["ended_at"])
        _record_name(decision, "alias_ended", name)
    return name


def _lock_proposal(decision: Decision, proposal_id: int) -> GraphMergeProposal:
    rows = GraphMergeProposal.objects.select_for_update().filter(
        pk=proposal_id, tenant_id=decision.tenant_id, world_id=decision.world_id
    )
    proposal = rows.first()
    if proposal is None:
        raise ProposalUnknown("There is no such proposal.")
    return proposal


def _lock_pair(decision: Decision, first_id: int, second_id: int) -> tuple[GraphEntity, GraphEntity]:
    """Both entities, the smaller id first. Raises EntityUnknown, EntitiesMerged."""
    rows = GraphEntity.objects.select_for_update().filter(
        pk__in={first_id, second_id}, tenant_id=decision.tenant_id, world_id=decision.world_id
    )
    found = list(rows.order_by("pk"))
    if len(found) != 2:
        raise EntityUnknown("Name two different entities of this world.")
    first, second = found
    if first.merged_into_id is not None or second.merged_into_id is not None:
        raise EntitiesMerged("One of them stands for another already; undo that first.")
    return first, second


def _keep_apart(decision: Decision, first: GraphEntity, second: GraphEntity, reason: str) -> GraphNotSame:
    pair, _ = GraphNotSame.objects.get_or_create(
        tenant_id=decision.tenant_id,
        first=first,
        second=second,
        withdrawn_at=None,
        defaults={"world_id": decision.world_id, "reason": reason, "actor": decision.decider.name[:200]},
    )
    return pair


def _decide(proposal: GraphMergeProposal, state: ProposalState, decision: Decision, reason: str) -> None:
    is_open = state == ProposalState.OPEN
    proposal.state = state
    proposal.decided_by = "" if is_open else decision.decider.name[:200] or "someone"
    proposal.decided_why = reason
    proposal.decided_at = None if is_open else timezone.now()
    proposal.save()


def _name_of(entity: GraphEntity) -> str:
    names = GraphName.objects.filter(Q(entity=entity) | Q(entity__merged_into=entity))
    title = names.order_by("-is_title", "pk").values_list("text", flat=True).first()
    return title or entity.slug


def _record(decision: Decision, action: str, proposal: GraphMergeProposal, *, before: str, after: str) -> None:
    details = {"first": proposal.first_id, "second": proposal.second_id, "world": decision.world_id}
    _write(decision, action, "graph_merge_proposal", proposal.pk, before, after, details)


def _record_pair(decision: Decision, action: str, pair: GraphNotSame) -> None:
    details = {"first": pair.first_id, "second": pair.second_id, "world": decision.world_id}
    _write(decision, action, "graph_not_same", pair.pk, "", "", details)


def _record_name(decision: Decision, action: str, name: GraphName) -> None:
    _write(decision, action, "graph_name", name.pk, "", name.text, {"entity": name.entity_id})


def _write(
    decision: Decision, action: str, kind: str, object_id: int, before: str, after: str, details: dict[str, int]
) -> None:
    """The log says which entities, not what players call them."""
    record_decision(
        AuditRecord(
            tenant_id=decision.tenant_id,
            decider=decision.decider,
            action=f"graph.{action}",
            object_type=kind,
            object_id=object_id,
            object_label=f"{kind.replace('_', ' ')} {object_id}",
            before=str(before),
            after=str(after),
            reason=decision.reason[:MAX_REASON_LENGTH],
            details=details,
        )
    )
