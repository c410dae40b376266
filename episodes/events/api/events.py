"""Events of conversations: listed, read, tried again, hidden, archived."""

from __future__ import annotations

from operator import attrgetter
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from episodes.alternatives.selectors import list_trunks
from episodes.conversations.api.conversations import CONVERSATION_ID, ConversationMixin
from episodes.conversations.selectors.conversations import check_conversation
from episodes.errors import UnknownConversation
from episodes.events.actions.decisions import archive_now, hide_event, retry_event
from episodes.events.api import shapes
from episodes.events.api.rendering import render_event
from episodes.events.errors import EventNotBuffered, EventNotFailed, EventNotShown, EventRangeTaken, UnknownEvent
from episodes.events.models import EventNode
from episodes.events.selectors.nodes import get_event, list_events, list_external_ids
from memoryproject.rest.bodies import Body
from memoryproject.rest.forms import FLAG, ID, form
from memoryproject.rest.operations import operation, reply
from memoryproject.rest.parameters import ChoiceParameter, NumberParameter, Parameters, describe_uuid
from memoryproject.rest.shapes import answer, cut_page
from tenancy.api.views import MachineView

MAX_SEQ = 2_147_483_647
PARAMETERS = Parameters(
    (
        ChoiceParameter("status", "Only events in this state.", "buffer", shapes.STATES),
        NumberParameter("cursor", "`next_cursor` of the page before.", 16, 1, MAX_SEQ),
        NumberParameter("limit", "At most so many.", 50, 1, 100, default=50),
    )
)
ARCHIVE = Body(form({"conversation_id": {**ID, "description": "Whose buffer is archived."}}))
EVENT_ID = describe_uuid("node_id", shapes.EVENT_ID)


class ConversationEventsView(ConversationMixin, MachineView):
    """`conversations/{id}/events`."""

    @operation(
        "conversation_events_list",
        "Events",
        shapes.EventList,
        UnknownConversation,
        path=(CONVERSATION_ID,),
        parameters=PARAMETERS,
    )
    def get(self, request: Request, conversation_id: int) -> Response:
        """List the events of a conversation.

        In the order of their messages, in whatever state: what could not be extracted says why. A branch begins with
        the events of its trunk up to the fork.
        """
        values = self.values
        conversation = self.find_conversation(conversation_id)
        nodes = list_events(
            tenant_id=self.caller.tenant_id,
            conversation_id=conversation_id,
            trunks=list_trunks(conversation),
            state=values.get("status", ""),
            after_seq=values.get("cursor") or 0,
            limit=values["limit"] + 1,
        )
        page, cursor = cut_page(nodes, values["limit"], attrgetter("first_seq"))
        users = list_external_ids(page)
        return answer(shapes.EventList(data=[render_event(node, users) for node in page], next_cursor=cursor))


class EventMixin:
    """Finds the event that a path names, for the caller's tenant and world."""

    def find_event(self: MachineView, event_id: UUID) -> EventNode:  # type: ignore[misc]
        """The event. Raises UnknownEvent, UnknownWorld."""
        return get_event(tenant_id=self.caller.tenant_id, event_id=event_id, world_id=self.world_id)


class EventView(EventMixin, MachineView):
    """`events/{node_id}`."""

    scopes = {"GET": "read", "PATCH": "engine"}

    @operation("events_get", "Events", shapes.EventShape, UnknownEvent, path=(EVENT_ID,))
    def get(self, request: Request, node_id: UUID) -> Response:
        """Read an event."""
        node = self.find_event(node_id)
        return answer(render_event(node, list_external_ids([node])))

    @operation(
        "events_hide",
        "Events",
        shapes.EventShape,
        UnknownEvent,
        EventNotShown,
        path=(EVENT_ID,),
        body=Body(form({"is_hidden": FLAG})),
        sent={"hide": {"is_hidden": True}},
    )
    def patch(self, request: Request, node_id: UUID) -> Response:
        """Hide an event, or show it again.

        A hidden event is in no lorebook and found by no search; it stays listed.
        """
        self.find_event(node_id)
        node = hide_event(tenant_id=self.caller.tenant_id, event_id=node_id, is_hidden=self.body["is_hidden"])
        return answer(render_event(node, list_external_ids([node])))


class EventRetryView(EventMixin, MachineView):
    """`events/{node_id}/retry`."""

    scopes = {"POST": "engine"}

    @operation(
        "events_retry",
        "Events",
        reply(shapes.EventShape, state="pending", plot=None, title="", display_text="", refusals=[]),
        UnknownEvent,
        EventNotFailed,
        EventRangeTaken,
        path=(EVENT_ID,),
    )
    def post(self, request: Request, node_id: UUID) -> Response:
        """Try again to extract an event.

        What failed, or rested on words that are gone, waits to be extracted again. No body.
        """
        self.find_event(node_id)
        node = retry_event(tenant_id=self.caller.tenant_id, event_id=node_id)
        return answer(render_event(node, list_external_ids([node])))


class EventArchiveView(MachineView):
    """`events/archive`."""

    scopes = {"POST": "engine"}

    @operation(
        "events_archive",
        "Events",
        shapes.ArchivedEvents,
        UnknownConversation,
        EventNotBuffered,
        body=ARCHIVE,
        sent={"one conversation": {"conversation_id": 7}},
    )
    def post(self, request: Request) -> Response:
        """Archive a conversation's events now.

        Without waiting until its buffer is full: each gets a vector, and leaves the lorebook as the world's policy
        says.
        """
        conversation_id = self.body["conversation_id"]
        check_conversation(tenant_id=self.caller.tenant_id, conversation_id=conversation_id, world_id=self.world_id)
        reports = archive_now(tenant_id=self.caller.tenant_id, conversation_ids=[conversation_id]).values()
        return answer(
            shapes.ArchivedEvents(
                archived=sum(report.archived for report in reports), waiting=sum(report.waiting for report in reports)
            )
        )
