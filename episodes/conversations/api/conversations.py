"""Opening and reading conversations."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from episodes.conversations.actions.conversations import open_conversation
from episodes.conversations.api import shapes
from episodes.conversations.api.rendering import render_conversation
from episodes.conversations.selectors.conversations import get_conversation
from episodes.errors import UnknownConversation
from episodes.models import Conversation
from memoryproject.rest.bodies import Body
from memoryproject.rest.operations import operation, reply
from memoryproject.rest.parameters import MAX_ID, NumberParameter
from memoryproject.rest.schemas import IDEMPOTENCY_HEADER
from tenancy.actions.idempotency import Answer
from tenancy.api.views import MachineView

BODY = Body(shapes.CONVERSATION_BODY)
CONVERSATION_ID = NumberParameter("conversation_id", "", 7, 1, MAX_ID)


class ConversationMixin:
    """Finds the conversation that a path names, for the caller's tenant and world."""

    def find_conversation(self: MachineView, conversation_id: int) -> Conversation:  # type: ignore[misc]
        """The conversation. Raises UnknownConversation, UnknownWorld."""
        return get_conversation(
            tenant_id=self.caller.tenant_id, conversation_id=conversation_id, world_id=self.world_id
        )


class ConversationsView(MachineView):
    """`conversations`."""

    scopes = {"POST": "engine"}

    @operation(
        "conversations_open",
        "Conversations",
        {
            200: reply(shapes.Conversation, "It was open already."),
            201: reply(shapes.Conversation, "It is new; `Location` says where.", message_count=0),
        },
        shapes.OPEN_CODES,
        headers=(IDEMPOTENCY_HEADER,),
        body=BODY,
        sent={
            "a chat": {"user_id": "player-1", "external_id": "chat-1"},
            "a chat whose sides have names": {
                "user_id": "player-1",
                "external_id": "chat-1",
                "participants": {"user": "Lena", "assistant": "Mira"},
            },
        },
    )
    def post(self, request: Request) -> Response:
        """Open a conversation.

        A new conversation of a user, or the one that `external_id` already names. With `X-Site-ID`, or with a key of
        one world, it belongs to that world.
        """
        body = self.body
        world = self.find_world()
        world_id = None if world is None else world.world_id

        def write() -> Answer:
            opened = open_conversation(tenant_id=self.caller.tenant_id, world_id=world_id, **body)
            return Answer(201 if opened.created else 200, render_conversation(opened.conversation))

        response = self.idempotent_response(world, body, write)
        response["Location"] = f"{request.path}/{response.data['id']}"
        return response


class ConversationView(ConversationMixin, MachineView):
    """`conversations/{id}`."""

    scopes = {"GET": "read"}

    @operation(
        "conversations_get",
        "Conversations",
        reply(shapes.Conversation, "The conversation, without its messages."),
        UnknownConversation,
        path=(CONVERSATION_ID,),
    )
    def get(self, request: Request, conversation_id: int) -> Response:
        """Read what a conversation is."""
        return Response(render_conversation(self.find_conversation(conversation_id)))
