"""An event of play proposed as canon, at the REST API."""

from __future__ import annotations

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from episodes.events.selectors.nodes import get_event
from memoryproject.rest.bodies import Body
from memoryproject.rest.operations import operation
from memoryproject.rest.parameters import describe_uuid
from memoryproject.rest.schemas import IDEMPOTENCY_HEADER, WORLD_CODES
from reviews.core.actor import actor_of_key
from reviews.lorebooks.api import shapes
from reviews.lorebooks.api.bodies import PROPOSE_SCHEMA
from reviews.lorebooks.api.rendering import render_import
from reviews.lorebooks.api.views import IMPORT_ANSWERS
from reviews.lorebooks.event_proposals import propose_event
from tenancy.actions.idempotency import Answer
from tenancy.api.views import MachineView
from tenancy.selectors import check_scope

PROPOSE = Body(PROPOSE_SCHEMA)
EVENT_ID = describe_uuid("node_id", "6f0d7c66-2a0e-4c61-9d54-0c3c1f6f2b10")

CODES = {
    404: {"event_not_found": "There is no event 6f0d7c66-2a0e-4c61-9d54-0c3c1f6f2b10."},
    409: {"event_not_archived": "The event is not archived, is hidden, or belongs to no world."},
}


class EventProposeView(MachineView):
    """`events/{node_id}/propose`."""

    scopes = {"POST": "editor"}

    @operation(
        "events_propose",
        "Events",
        IMPORT_ANSWERS,
        WORLD_CODES,
        shapes.IMPORT_CODES,
        CODES,
        path=(EVENT_ID,),
        headers=(IDEMPOTENCY_HEADER,),
        body=PROPOSE,
        sent={"as a draft": {"draft": True}},
    )
    def post(self, request: Request, node_id: UUID) -> Response:
        """Propose an event as canon.

        Title, text and keywords of an archived event as an article of a change request, as `lorebooks/import` makes
        them. It is canon only once another person has approved it. A second call changes nothing while the event says
        the same, and answers 200 without a change request. The key needs `read`, too: events tell of players.
        """
        check_scope(self.caller, "read")
        world, body = self.get_world(), self.body
        actor = actor_of_key(self.caller)

        def write() -> Answer:
            node = get_event(tenant_id=self.caller.tenant_id, event_id=node_id, world_id=world.world_id)
            done, file = propose_event(
                actor=actor, node=node, domain=body.get("domain", "lore"), is_draft=body.get("draft", False)
            )
            return Answer(201 if done.change_request_ids else 200, render_import(done, file))

        return self.idempotent_response(world, body, write)
