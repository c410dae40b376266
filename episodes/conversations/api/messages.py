"""Reading messages."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from episodes.conversations.api import shapes
from episodes.conversations.api.conversations import CONVERSATION_ID, ConversationMixin
from episodes.conversations.api.rendering import render_message
from episodes.conversations.selectors.conversations import MessagePage, list_messages
from episodes.errors import AfterAndBefore, UnknownConversation
from memoryproject.rest.errors import InvalidParameter
from memoryproject.rest.operations import operation, reply
from memoryproject.rest.pages import CURSOR, MAX_PAGE_SIZE, render_page
from memoryproject.rest.parameters import NumberParameter, Parameters, TextParameter
from tenancy.api.views import MachineView

MAX_SEQ = 2_147_483_647
CURSOR_PATTERN = r"^(?:after|before):[0-9]{1,10}$"
PAGE = Parameters(
    (
        NumberParameter("after", "The first messages behind this place.", 40, 0, MAX_SEQ),
        NumberParameter("before", "The last messages before this place.", 91, 1, MAX_SEQ),
        TextParameter("cursor", f"{CURSOR} It goes on in the same direction.", "after:40", 17, CURSOR_PATTERN),
        NumberParameter("limit", "How many at most.", 20, 1, MAX_PAGE_SIZE, default=50),
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
        path=(CONVERSATION_ID,),
        parameters=PAGE,
    )
    def get(self, request: Request, conversation_id: int) -> Response:
        """Read a conversation's messages.

        Word for word, in order. Of a forgotten message only its place is left to see.
        """
        values = self.values
        conversation = self.find_conversation(conversation_id)
        place = _read_place(values)
        page = list_messages(conversation, **place, limit=values["limit"])
        data = [render_message(row) for row in page.messages]
        cursor = _write_cursor(page, place) if page.has_more else None
        return Response({**render_page(data, cursor, was="messages"), "has_more": page.has_more})


def _read_place(values: dict[str, Any]) -> dict[str, int]:
    """`after` or `before` with its place, as the cursor says or the parameters do. Raises InvalidParameter for both."""
    sent: dict[str, int] = {name: values[name] for name in ("after", "before") if name in values}
    if "cursor" not in values:
        return sent
    if sent:
        raise InvalidParameter("A cursor says already where to go on.", parameter="cursor")
    direction, _, seq = values["cursor"].partition(":")
    return {direction: min(int(seq), MAX_SEQ)}


def _write_cursor(page: MessagePage, place: dict[str, int]) -> str:
    return f"before:{page.messages[0].seq}" if "before" in place else f"after:{page.messages[-1].seq}"
