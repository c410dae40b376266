"""Branching a conversation, and reading what stands beside a message."""

from __future__ import annotations

from typing import Annotated, NotRequired

from rest_framework.request import Request
from rest_framework.response import Response
from typing_extensions import TypedDict

from episodes.alternatives.branches import branch_conversation
from episodes.alternatives.selectors import list_alternatives
from episodes.conversations.api import shapes
from episodes.conversations.api.conversations import CONVERSATION_ID
from episodes.conversations.api.rendering import render_conversation, render_message
from episodes.conversations.selectors.conversations import check_conversation, get_conversation, get_message
from episodes.errors import ConversationTaken, InvalidBranch, MessageForgotten, UnknownConversation, UnknownMessage
from episodes.models import Message
from memoryproject.rest.bodies import Body
from memoryproject.rest.forms import form
from memoryproject.rest.operations import operation, reply
from memoryproject.rest.pages import render_page
from memoryproject.rest.parameters import MAX_ID, NumberParameter
from memoryproject.rest.schemas import IDEMPOTENCY_HEADER
from memoryproject.rest.typed_dicts import deprecated, member
from tenancy.actions.idempotency import Answer
from tenancy.api.views import MachineView

MAX_SEQ = 2_147_483_647
BRANCH_BODY = form(
    {
        "from_seq": {
            "type": "integer",
            "minimum": 1,
            "maximum": MAX_SEQ,
            "description": "The last place that the branch shares.",
        }
    },
    {
        "external_id": shapes.CONVERSATION_BODY["properties"]["external_id"],
        "session_id": {
            **shapes.CONVERSATION_BODY["properties"]["session_id"],
            "description": "The branch's own play session. Never its trunk's: two lines would mix in its memory.",
        },
    },
)
BODY = Body(BRANCH_BODY)
MESSAGE_ID = NumberParameter("message_id", "", 91, 1, MAX_ID)
BRANCH_CODES = (InvalidBranch, MessageForgotten, ConversationTaken)


class MessageMixin:
    """Finds the message that a path names, for the caller's tenant and world."""

    def find_message(self: MachineView, message_id: int) -> Message:  # type: ignore[misc]
        """The message. Raises UnknownMessage, UnknownWorld."""
        world = self.find_world()
        if message_id > MAX_ID:
            raise UnknownMessage(f"There is no message {message_id}.")
        message = get_message(tenant_id=self.caller.tenant_id, message_id=message_id)
        if world is not None and message.conversation.world_id != world.world_id:
            raise UnknownMessage(f"There is no message {message_id}.")
        return message


class Alternatives(TypedDict):
    """All that ever stood at one place, oldest first."""

    data: list[shapes.Message]
    next_cursor: Annotated[None, member(None, "Always null: they come all at once.")]
    messages: NotRequired[Annotated[list[shapes.Message], deprecated("data")]]


class BranchView(MachineView):
    """`conversations/{id}/branch`."""

    scopes = {"POST": "engine"}

    @operation(
        "conversations_branch",
        "Conversations",
        {
            200: reply(
                shapes.Conversation,
                "Its `external_id` names this branch already.",
                id=8,
                external_id=None,
                session_id="",
                trunk_id=7,
                fork_seq=12,
            ),
            201: reply(
                shapes.Conversation,
                "It is new; `Location` says where.",
                id=8,
                external_id=None,
                session_id="",
                trunk_id=7,
                fork_seq=12,
            ),
        },
        UnknownConversation,
        BRANCH_CODES,
        path=(CONVERSATION_ID,),
        headers=(IDEMPOTENCY_HEADER,),
        body=BODY,
        sent={"a branch": {"from_seq": 12}},
    )
    def post(self, request: Request, conversation_id: int) -> Response:
        """Branch a conversation.

        A conversation of its own that shares the messages up to a place: they are read in it, and an edit of one
        shows in both. What is said in one line later is never read in the other; facts about the player hold in all.
        """
        body = self.body
        check_conversation(tenant_id=self.caller.tenant_id, conversation_id=conversation_id, world_id=self.world_id)
        tenant_id = self.caller.tenant_id

        def write() -> Answer:
            opened = branch_conversation(tenant_id=tenant_id, conversation_id=conversation_id, **body)
            branch = get_conversation(tenant_id=tenant_id, conversation_id=opened.conversation.pk)
            return Answer(201 if opened.created else 200, render_conversation(branch))

        response = self.idempotent_response(self.find_world(), body, write)
        response["Location"] = f"/api/v1/conversations/{response.data['id']}"
        return response


class AlternativesView(MessageMixin, MachineView):
    """`messages/{id}/alternatives`."""

    scopes = {"GET": "read"}

    @operation(
        "messages_alternatives",
        "Conversations",
        reply(Alternatives, "All alternatives of the place."),
        UnknownMessage,
        path=(MESSAGE_ID,),
    )
    def get(self, request: Request, message_id: int) -> Response:
        """Read what stands beside a message.

        The message, its edits and its swipes, in the order in which they came. One is current.
        """
        found = list_alternatives(self.find_message(message_id))
        return Response(render_page([render_message(message) for message in found], None, was="messages"))
