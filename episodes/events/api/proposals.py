"""Entries that people edited while their event changed: listed, and decided."""

from __future__ import annotations

from collections.abc import Callable

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from episodes.events.actions.proposals import accept_proposal, decline_proposal
from episodes.events.api import examples, shapes
from episodes.events.errors import UnknownEventProposal
from episodes.events.models import EventProposal, ProposalState
from episodes.events.selectors.proposals import list_proposals
from tenancy.api.bodies import Body
from tenancy.api.parameters import MAX_ID, NO_PARAMETERS, ChoiceParameter, NumberParameter, Parameters
from tenancy.api.schemas import BODY_CODES, describe_headers
from tenancy.api.shapes import answer, describe_answer
from tenancy.api.views import MachineView
from tenancy.core.audit_log import Decider

PARAMETERS = Parameters(
    (
        ChoiceParameter("status", "Only proposals in this state.", "open", tuple(ProposalState.values)),
        NumberParameter("cursor", "`next_cursor` of the page before.", 16, 1, MAX_ID),
        NumberParameter("limit", "At most so many.", 50, 1, 100, default=50),
    )
)
DECISION = Body(shapes.DECISION_BODY)
PROPOSAL_ID = OpenApiParameter(
    "event_proposal_id",
    {"type": "integer", "minimum": 1, "maximum": MAX_ID},
    OpenApiParameter.PATH,
    examples=[OpenApiExample("example", 4)],
)


class EventProposalsView(MachineView):
    """`events/proposals`."""

    @extend_schema(
        operation_id="event_proposals_list",
        tags=["Events"],
        summary="List proposals for events",
        description="Texts of entries that people edited on top of an older revision, the newest first.",
        parameters=[*PARAMETERS.describe(), *describe_headers()],
        responses=describe_answer(shapes.EventProposalList, examples.PROPOSALS),
    )
    def get(self, request: Request) -> Response:
        """List proposals for events."""
        values = PARAMETERS.read(request)
        world = self.find_world()
        rows = list_proposals(
            tenant_id=self.caller.tenant_id,
            world_id=None if world is None else world.world_id,
            state=values.get("status", ""),
            before_id=values.get("cursor") or 0,
            limit=values["limit"] + 1,
        )
        page = rows[: values["limit"]]
        cursor = page[-1].pk if len(rows) > len(page) else None
        return answer(shapes.EventProposalList(data=[_render(each) for each in page], next_cursor=cursor))


class DecisionView(MachineView):
    """What both decisions share."""

    scopes = {"POST": "engine"}

    def decide(self, request: Request, proposal_id: int, action: Callable[..., EventProposal]) -> Response:
        """The proposal as it stands then. Raises what the action raises."""
        NO_PARAMETERS.read(request)
        body = DECISION.read(request)
        world = self.find_world()
        if proposal_id > MAX_ID:
            raise UnknownEventProposal(f"There is no proposal {proposal_id}.")
        proposal = action(
            tenant_id=self.caller.tenant_id,
            proposal_id=proposal_id,
            world_id=None if world is None else world.world_id,
            decider=Decider("key", self.caller.key_id, f"key {self.caller.key_prefix}"),
            reason=body["reason"],
        )
        return answer(_render(proposal))


class EventProposalAcceptView(DecisionView):
    """`events/proposals/{event_proposal_id}/accept`."""

    @extend_schema(
        operation_id="event_proposals_accept",
        tags=["Events"],
        summary="Accept a proposal for an event",
        description="The event's summary becomes the text that people wrote: in search at once, by meaning with the "
        "next sweep.",
        parameters=[PROPOSAL_ID, *describe_headers()],
        request={"application/json": shapes.DECISION_BODY},
        examples=[OpenApiExample("a decision", {"reason": "So it was."}, request_only=True)],
        responses=describe_answer(
            shapes.EventProposalShape, {**examples.PROPOSAL, "state": "accepted"}, examples.PROPOSAL_CODES, BODY_CODES
        ),
    )
    def post(self, request: Request, event_proposal_id: int) -> Response:
        """Accept a proposal for an event."""
        return self.decide(request, event_proposal_id, accept_proposal)


class EventProposalDeclineView(DecisionView):
    """`events/proposals/{event_proposal_id}/decline`."""

    @extend_schema(
        operation_id="event_proposals_decline",
        tags=["Events"],
        summary="Decline a proposal for an event",
        description="The entry tells the event's own card again; what was written stays among the event's edits.",
        parameters=[PROPOSAL_ID, *describe_headers()],
        request={"application/json": shapes.DECISION_BODY},
        examples=[OpenApiExample("a decision", {"reason": "A mistake."}, request_only=True)],
        responses=describe_answer(
            shapes.EventProposalShape, {**examples.PROPOSAL, "state": "declined"}, examples.PROPOSAL_CODES, BODY_CODES
        ),
    )
    def post(self, request: Request, event_proposal_id: int) -> Response:
        """Decline a proposal for an event."""
        return self.decide(request, event_proposal_id, decline_proposal)


def _render(proposal: EventProposal) -> shapes.EventProposalShape:
    return shapes.EventProposalShape(
        proposal_id=proposal.pk,
        event_id=str(proposal.node_id),
        conversation_id=proposal.node.conversation_id,
        state=proposal.state,
        author=proposal.author,
        seen_rev=proposal.seen_rev,
        rev=proposal.rev,
        before=proposal.before,
        after=proposal.after,
        decided_by=proposal.decided_by,
        reason=proposal.reason,
        created_at=proposal.created_at,
        decided_at=proposal.decided_at,
    )
