"""Events of a conversation, extracted now."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel
from rest_framework.request import Request
from rest_framework.response import Response

from episodes.conversations.selectors.conversations import check_conversation
from episodes.errors import UnknownConversation
from episodes.events.errors import NothingToExtract
from factcheck.extraction.api.operations import describe_id
from factcheck.plots.actions.sweeps import extract_now
from memoryproject.rest.operations import operation
from memoryproject.rest.shapes import answer
from memoryproject.rest.typed_dicts import member
from tenancy.api.views import MachineView

CODES = (
    UnknownConversation,
    NothingToExtract,
    {503: {"model_not_configured": "EVENTS_PROPOSER asks for a chat model, and none is configured."}},
)


class QueuedEvents(BaseModel):
    """The events that are extracted now."""

    conversation_id: Annotated[int, member(7)]
    events: Annotated[list[str], member(["6f1c2f0e-7d5b-4d3a-9a51-0c8a4f1d2b3c"])]


class EventExtractionView(MachineView):
    """`conversations/{id}/events/extract`."""

    scopes = {"POST": "engine"}

    @operation(
        "conversation_events_extract", "Events", {202: QueuedEvents}, CODES, path=(describe_id("conversation_id"),)
    )
    def post(self, request: Request, conversation_id: int) -> Response:
        """Extract a conversation's events now.

        Without waiting for 15 messages or the end of the session: all that was said since the last event becomes one,
        or several. No body.
        """
        check_conversation(tenant_id=self.caller.tenant_id, conversation_id=conversation_id, world_id=self.world_id)
        nodes = extract_now(conversation_id=conversation_id)
        return answer(QueuedEvents(conversation_id=conversation_id, events=[str(node.pk) for node in nodes]), 202)
