"""Reading messages, and the parts of posting them: what is posted is understood by the app above."""

from __future__ import annotations

import datetime as dt
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from episodes.actions import StoredMessage
from episodes.api import shapes
from episodes.api.conversations import CONVERSATION_ID, ConversationMixin
from episodes.api.rendering import render_message
from episodes.api.times import parse_time
from episodes.core.drafts import MessageDraft
from episodes.errors import AfterAndBefore, InvalidSentAt, UnknownConversation
from episodes.selectors.conversations import list_messages
from tenancy.api.operations import operation, reply
from tenancy.api.parameters import NumberParameter, Parameters
from tenancy.api.views import MachineView

MAX_SEQ = 2_147_483_647
PAGE = Parameters(
    (
        NumberParameter("after", "The first messages behind this place.", 40, 0, MAX_SEQ),
        NumberParameter("before", "The last messages before this place.", 91, 1, MAX_SEQ),
        NumberParameter("limit", "How many at most.", 20, 1, 200, default=50),
    ),
    exclusive=(("after", "before", AfterAndBefore),),
)


class MessagesView(ConversationMixin, MachineView):
    """`conversations/{id}/messages`."""

    scopes = {"GET": "read"}

    @operation(
        "messages_list",
        "Conversations",
        reply(shapes.MessagePage, "A page."),
        UnknownConversation,
        AfterAndBefore,
        path=(CONVERSATION_ID,),
        parameters=PAGE,
    )
    def get(self, request: Request, conversation_id: int) -> Response:
        """Read a conversation's messages.

        Word for word, in order. Of a forgotten message only its place is left to see.
        """
        values = self.values
        conversation = self.find_conversation(conversation_id)
        page = list_messages(conversation, **values)
        return Response({"messages": [render_message(row) for row in page.messages], "has_more": page.has_more})


def parse_draft(body: dict[str, Any], position: int = 0) -> MessageDraft:
    """A message of the form of `MESSAGE_BODY`. Raises InvalidMessage for a time that is none."""
    values = dict(body)
    values["reply_to_id"] = values.pop("reply_to", None)
    if "sent_at" in values:
        values["sent_at"] = _parse_time(values["sent_at"], position)
    return MessageDraft(**values)


def render_stored(stored: StoredMessage) -> dict[str, Any]:
    """Where a message got its place."""
    message = stored.message
    return {
        "message_id": message.pk,
        "seq": message.seq,
        "created": stored.created,
        "frame": message.frame,
        "language": message.language,
    }


def _parse_time(text: str, position: int) -> dt.datetime:
    time = parse_time(text)
    if time is None:
        raise InvalidSentAt("sent_at is not a time with an offset.", position=position)
    return time
