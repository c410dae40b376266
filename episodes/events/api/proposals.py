"""Entries that people edited while their event changed: listed, and decided."""

from __future__ import annotations

from collections.abc import Callable

from rest_framework.request import Request
from rest_framework.response import Response

from episodes.events.actions.proposals import accept_proposal, decline_proposal
from episodes.events.api import shapes
from episodes.events.errors import EventNotShown, EventProposalDecided, UnknownEventProposal
from episodes.events.models import EventProposal, ProposalState
from episodes.events.selectors.proposals import list_proposals
from memoryproject.rest.bodies import Body
from memoryproject.rest.forms import form, text
from memoryproject.rest.operations import operation, reply
from memoryproject.rest.parameters import MAX_ID, ChoiceParameter, NumberParameter, Parameters
from memoryproject.rest.shapes import answer, cut_page, fill
from tenancy.api.views import MachineView
from tenancy.core.audit_log import Decider

PARAMETERS = Parameters(
    (
        ChoiceParameter("status", "Only proposals in this state.", "open", tuple(ProposalState.values)),
        NumberParameter("cursor", "`next_cursor` of the page before.", 16, 1, MAX_ID),
        NumberParameter("limit", "At most so many.", 50, 1, 100, default=50),
    )
)
DECISION = Body(form({"reason": text(500)}))
PROPOSAL_ID = NumberParameter("event_proposal_id", "", 4, 1, MAX_ID)
PROBLEMS = (UnknownEventProposal, EventProposalDecided, EventNotShown)


class EventProposalsView(MachineView):
    """`events/proposals`."""

    @operation("event_proposals_list", "Events", shapes.EventProposalList, parameters=PARAMETERS)
    def get(self, request: Request) -> Response:
        """List proposals for events.

        Texts of entries that people edited on top of an older revision, the newest first.
        """
        values = self.values
        rows = list_proposals(
            tenant_id=self.caller.tenant_id,
            world_id=self.world_id,
            state=values.get("status", ""),
            before_id=values.get("cursor") or 0,
            limit=values["limit"] + 1,
        )
        page, cursor = cut_page(rows, values["limit"])
        return answer(shapes.EventProposalList(data=[_render(each) for each in page], next_cursor=cursor))


class DecisionView(MachineView):
    """What both decisions share."""

    scopes = {"POST": "engine"}

    def decide(self, proposal_id: int, action: Callable[..., EventProposal]) -> Response:
        """The proposal as it stands then. Raises what the action raises."""
        if proposal_id > MAX_ID:
            raise UnknownEventProposal(f"There is no proposal {proposal_id}.")
        proposal = action(
            tenant_id=self.caller.tenant_id,
            proposal_id=proposal_id,
            world_id=self.world_id,
            decider=Decider("key", self.caller.key_id, f"key {self.caller.key_prefix}"),
            reason=self.body["reason"],
        )
        return answer(_render(proposal))


class EventProposalAcceptView(DecisionView):
    """`events/proposals/{event_proposal_id}/accept`."""

    @operation(
        "event_proposals_accept",
        "Events",
        reply(shapes.EventProposalShape, state="accepted"),
        *PROBLEMS,
        path=(PROPOSAL_ID,),
        body=DECISION,
        sent={"a decision": {"reason": "So it was."}},
    )
    def post(self, request: Request, event_proposal_id: int) -> Response:
        """Accept a proposal for an event.

        The event's summary becomes the text that people wrote: in search at once, by meaning with the next sweep.
        """
        return self.decide(event_proposal_id, accept_proposal)


class EventProposalDeclineView(DecisionView):
    """`events/proposals/{event_proposal_id}/decline`."""

    @operation(
        "event_proposals_decline",
        "Events",
        reply(shapes.EventProposalShape, state="declined"),
        *PROBLEMS,
        path=(PROPOSAL_ID,),
        body=DECISION,
        sent={"a decision": {"reason": "A mistake."}},
    )
    def post(self, request: Request, event_proposal_id: int) -> Response:
        """Decline a proposal for an event.

        The entry tells the event's own card again; what was written stays among the event's edits.
        """
        return self.decide(event_proposal_id, decline_proposal)


def _render(proposal: EventProposal) -> shapes.EventProposalShape:
    return fill(
        shapes.EventProposalShape,
        proposal,
        proposal_id=proposal.pk,
        event_id=str(proposal.node_id),
        conversation_id=proposal.node.conversation_id,
    )
