"""An entry that was edited while its event changed: the edit stands in the book, the event follows by decision."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from episodes.events.actions.books import lock_book
from episodes.events.actions.node_edits import edit_event
from episodes.events.errors import EventNotShown, EventProposalDecided, UnknownEventProposal
from episodes.events.models import SHOWN_STATES, EventNode, EventProposal, ProposalState
from episodes.events.selectors.policies import get_policy
from tenancy.core.audit_log import AuditRecord, Decider, record_decision


def propose_edit(node: EventNode, content: str, *, seen_rev: int, author: str) -> EventProposal:
    """The proposal that the event's summary become this text. Call it under the lock of the event."""
    plot = node.read_plot()
    return EventProposal.objects.create(
        tenant_id=node.tenant_id,
        node=node,
        author=author[:150],
        seen_rev=seen_rev,
        rev=node.rev,
        before="" if plot is None else plot.summary,
        after=content,
    )


def withdraw_proposals(node_ids: Collection[UUID], *, with_words: bool = False) -> int:
    """How many open proposals of events are withdrawn; `with_words`: no words of any of theirs are kept."""
    rows = EventProposal.objects.filter(node_id__in=node_ids)
    count = rows.filter(state=ProposalState.OPEN).update(state=ProposalState.WITHDRAWN)
    if with_words:
        rows.update(before="", after="")
    return count


def accept_proposal(
    *, tenant_id: int, proposal_id: int, decider: Decider, world_id: int | None = None, reason: str = ""
) -> EventProposal:
    """The event's summary is the text that people wrote: in the index at once, with a vector by the next sweep.

    Logged. Raises UnknownEventProposal, EventProposalDecided, EventNotShown.
    """
    return _decide(tenant_id, world_id, proposal_id, ProposalState.ACCEPTED, decider, reason)


def decline_proposal(
    *, tenant_id: int, proposal_id: int, decider: Decider, world_id: int | None = None, reason: str = ""
) -> EventProposal:
    """The entry tells the event's own card again; what was written stays among the event's edits.

    Logged. Raises UnknownEventProposal, EventProposalDecided, EventNotShown.
    """
    return _decide(tenant_id, world_id, proposal_id, ProposalState.DECLINED, decider, reason)


def _decide(
    tenant_id: int, world_id: int | None, proposal_id: int, state: ProposalState, decider: Decider, reason: str
) -> EventProposal:
    rows = EventProposal.objects.filter(tenant_id=tenant_id, pk=proposal_id)
    if world_id is not None:
        rows = rows.filter(node__world_id=world_id)
    with transaction.atomic():
        found = rows.select_related("node").first()
        if found is None:
            raise UnknownEventProposal(f"There is no proposal {proposal_id}.")
        book = lock_book(found.node.conversation_id)
        node = EventNode.objects.select_for_update(no_key=True).get(pk=found.node_id)
        proposal = EventProposal.objects.select_for_update(no_key=True).get(pk=found.pk)
        if proposal.state != ProposalState.OPEN:
            raise EventProposalDecided(f"The proposal is {proposal.state}.")
        if node.state not in SHOWN_STATES:
            raise EventNotShown(f"The event is {node.state}: it has no words.")
        proposal.state, proposal.decided_at = state, timezone.now()
        proposal.decided_by, proposal.reason = decider.name[:150], reason.strip()[:500]
        proposal.save(update_fields=["state", "decided_at", "decided_by", "reason"])
        change = {"summary": proposal.after} if state == ProposalState.ACCEPTED else {"content": None}
        edit_event(node, change, book=book, policy=get_policy(node.world_id), author=decider.name)
        record_decision(_describe(proposal, node, decider))
    return proposal


def _describe(proposal: EventProposal, node: EventNode, decider: Decider) -> AuditRecord:
    return AuditRecord(
        tenant_id=proposal.tenant_id,
        decider=decider,
        action=f"event_proposal.{proposal.state}",
        object_type="event_proposal",
        object_id=proposal.pk,
        object_label=f"proposal for event {node.pk}",
        before=ProposalState.OPEN,
        after=proposal.state,
        reason=proposal.reason,
        details={"event_id": str(node.pk)},
    )
