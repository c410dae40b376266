"""Events of conversations: listed, read, tried again, hidden, archived."""

from __future__ import annotations

from uuid import UUID

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from episodes.alternatives.selectors import list_trunks
from episodes.api import shapes as conversation_shapes
from episodes.api.conversations import CONVERSATION_ID, ConversationMixin
from episodes.events.actions.decisions import archive_now, hide_event, retry_event
from episodes.events.api import examples, shapes
from episodes.events.api.rendering import render_event
from episodes.events.models import EventNode
from episodes.events.selectors.nodes import get_event, list_events, list_external_ids
from tenancy.api.bodies import Body
from tenancy.api.parameters import NO_PARAMETERS, ChoiceParameter, NumberParameter, Parameters
from tenancy.api.schemas import BODY_CODES, describe_headers
from tenancy.api.shapes import answer, describe_answer
from tenancy.api.views import MachineView

MAX_SEQ = 2_147_483_647
PARAMETERS = Parameters(
    (
        ChoiceParameter("status", "Only events in this state.", "buffer", shapes.STATES),
        NumberParameter("cursor", "`next_cursor` of the page before.", 16, 1, MAX_SEQ),
        NumberParameter("limit", "At most so many.", 50, 1, 100, default=50),
    )
)
ARCHIVE = Body(shapes.ARCHIVE_BODY)
HIDDEN = Body(shapes.HIDDEN_BODY)
EVENT_ID = OpenApiParameter(
    "node_id",
    {"type": "string", "format": "uuid"},
    OpenApiParameter.PATH,
    examples=[OpenApiExample("example", examples.EVENT_ID)],
)


class ConversationEventsView(ConversationMixin, MachineView):
    """`conversations/{id}/events`."""

    @extend_schema(
        operation_id="conversation_events_list",
        tags=["Events"],
        summary="List the events of a conversation",
        description="In the order of their messages, in whatever state: what could not be extracted says why. A branch "
        "begins with the events of its trunk up to the fork.",
        parameters=[CONVERSATION_ID, *PARAMETERS.describe(), *describe_headers()],
        responses=describe_answer(shapes.EventList, examples.EVENTS, conversation_shapes.CONVERSATION_CODES),
    )
    def get(self, request: Request, conversation_id: int) -> Response:
        """List the events of a conversation."""
        values = PARAMETERS.read(request)
        conversation = self.find_conversation(conversation_id)
        nodes = list_events(
            tenant_id=self.caller.tenant_id,
            conversation_id=conversation_id,
            trunks=list_trunks(conversation),
            state=values.get("status", ""),
            after_seq=values.get("cursor") or 0,
            limit=values["limit"] + 1,
        )
        page = nodes[: values["limit"]]
        users = list_external_ids(page)
        cursor = page[-1].first_seq if len(nodes) > len(page) else None
        return answer(shapes.EventList(data=[render_event(node, users) for node in page], next_cursor=cursor))


class EventMixin:
    """Finds the event that a path names, for the caller's tenant and world."""

    def find_event(self: MachineView, event_id: UUID) -> EventNode:  # type: ignore[misc]
        """The event. Raises UnknownEvent, UnknownWorld."""
        world = self.find_world()
        return get_event(
            tenant_id=self.caller.tenant_id,
            event_id=event_id,
            world_id=None if world is None else world.world_id,
        )


class EventView(EventMixin, MachineView):
    """`events/{node_id}`."""

    scopes = {"GET": "read", "PATCH": "engine"}

    @extend_schema(
        operation_id="events_get",
        tags=["Events"],
        summary="Read an event",
        parameters=[EVENT_ID, *describe_headers()],
        responses=describe_answer(shapes.EventShape, examples.EVENT, examples.EVENT_CODES),
    )
    def get(self, request: Request, node_id: UUID) -> Response:
        """Read an event."""
        NO_PARAMETERS.read(request)
        node = self.find_event(node_id)
        return answer(render_event(node, list_external_ids([node])))

    @extend_schema(
        operation_id="events_hide",
        tags=["Events"],
        summary="Hide an event, or show it again",
        description="A hidden event is in no lorebook and found by no search; it stays listed.",
        parameters=[EVENT_ID, *describe_headers()],
        request={"application/json": shapes.HIDDEN_BODY},
        examples=[OpenApiExample("hide", {"is_hidden": True}, request_only=True)],
        responses=describe_answer(
            shapes.EventShape, examples.EVENT, examples.EVENT_CODES, examples.HIDE_CODES, BODY_CODES
        ),
    )
    def patch(self, request: Request, node_id: UUID) -> Response:
        """Hide an event, or show it again."""
        NO_PARAMETERS.read(request)
        body = HIDDEN.read(request)
        self.find_event(node_id)
        node = hide_event(tenant_id=self.caller.tenant_id, event_id=node_id, is_hidden=body["is_hidden"])
        return answer(render_event(node, list_external_ids([node])))


class EventRetryView(EventMixin, MachineView):
    """`events/{node_id}/retry`."""

    scopes = {"POST": "engine"}

    @extend_schema(
        operation_id="events_retry",
        tags=["Events"],
        summary="Try again to extract an event",
        description="What failed, or rested on words that are gone, waits to be extracted again. No body.",
        parameters=[EVENT_ID, *describe_headers()],
        request=None,
        responses=describe_answer(
            shapes.EventShape,
            {**examples.EVENT, "state": "pending", "plot": None, "title": "", "display_text": "", "refusals": []},
            examples.EVENT_CODES,
            examples.RETRY_CODES,
        ),
    )
    def post(self, request: Request, node_id: UUID) -> Response:
        """Try again to extract an event."""
        NO_PARAMETERS.read(request)
        self.find_event(node_id)
        node = retry_event(tenant_id=self.caller.tenant_id, event_id=node_id)
        return answer(render_event(node, list_external_ids([node])))


class EventArchiveView(ConversationMixin, MachineView):
    """`events/archive`."""

    scopes = {"POST": "engine"}

    @extend_schema(
        operation_id="events_archive",
        tags=["Events"],
        summary="Archive a conversation's events now",
        description="Without waiting until its buffer is full: each gets a vector, and leaves the lorebook as the "
        "world's policy says.",
        parameters=describe_headers(),
        request={"application/json": shapes.ARCHIVE_BODY},
        examples=[OpenApiExample("one conversation", {"conversation_id": 7}, request_only=True)],
        responses=describe_answer(
            shapes.ArchivedEvents,
            examples.ARCHIVED,
            conversation_shapes.CONVERSATION_CODES,
            examples.ARCHIVE_CODES,
            BODY_CODES,
        ),
    )
    def post(self, request: Request) -> Response:
        """Archive a conversation's events now."""
        NO_PARAMETERS.read(request)
        conversation_id = ARCHIVE.read(request)["conversation_id"]
        self.check_conversation(conversation_id)
        reports = archive_now(tenant_id=self.caller.tenant_id, conversation_ids=[conversation_id]).values()
        return answer(
            shapes.ArchivedEvents(
                archived=sum(report.archived for report in reports), waiting=sum(report.waiting for report in reports)
            )
        )
