"""A message, and what became of it."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from episodes.conversations.selectors.conversations import get_message
from episodes.errors import UnknownMessage
from episodes.models import Message
from factcheck.extraction.api import shapes
from factcheck.extraction.api.operations import ExtractionView, describe_id
from factcheck.extraction.errors import TenantKeyRequired
from factcheck.extraction.selectors.runs import MessageState, find_message_state
from memoryproject.rest.operations import operation
from memoryproject.rest.parameters import MAX_ID
from memoryproject.rest.shapes import answer, fill


class MessageView(ExtractionView):
    """`messages/{message_id}`."""

    @operation(
        "messages_get",
        "Conversations",
        shapes.ReadMessageShape,
        TenantKeyRequired,
        UnknownMessage,
        path=(describe_id("message_id"),),
        world=False,
    )
    def get(self, request: Request, message_id: int) -> Response:
        """Read a message.

        Word for word, with what became of it in extraction. Of a forgotten one only that there was one.
        """
        tenant_id = self.check_tenant_key()
        if message_id > MAX_ID:
            raise UnknownMessage(f"There is no message {message_id}.")
        message = get_message(tenant_id=tenant_id, message_id=message_id)
        state = find_message_state(tenant_id=tenant_id, message_id=message_id)
        return answer(_render_message(message, state))


class MessageExtractionView(ExtractionView):
    """`messages/{message_id}/extraction`."""

    @operation(
        "message_extraction",
        "Extraction",
        shapes.MessageOutcomeShape,
        TenantKeyRequired,
        UnknownMessage,
        path=(describe_id("message_id"),),
        world=False,
    )
    def get(self, request: Request, message_id: int) -> Response:
        """See what became of a message.

        Whether extraction has worked it off, and with what outcome.
        """
        state = find_message_state(tenant_id=self.check_tenant_key(), message_id=message_id)
        if state is None:
            raise UnknownMessage(f"There is no message {message_id}.")
        return answer(_render_state(state))


def _render_message(message: Message, state: MessageState | None) -> shapes.ReadMessageShape:
    """What is forgotten, or was replaced by another alternative, has no state: nothing reads it any more."""
    return fill(
        shapes.ReadMessageShape,
        message,
        message_id=message.pk,
        user_id=message.conversation.end_user.external_id,
        content=None if message.forgotten_at is not None else message.content,
        extraction=None if state is None else _render_state(state),
    )


def _render_state(state: MessageState) -> shapes.MessageOutcomeShape:
    return fill(shapes.MessageOutcomeShape, state)
