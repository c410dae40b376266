"""Posting and reading messages."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from episodes.actions import StoredMessage, store_message, store_messages
from episodes.api import schemas
from episodes.api.conversations import CONVERSATION_ID, ConversationMixin
from episodes.api.rendering import render_message
from episodes.api.times import parse_time
from episodes.core.drafts import MessageDraft
from episodes.errors import InvalidMessage
from episodes.models import Conversation
from episodes.selectors.conversations import list_messages
from tenancy.actions.idempotency import Answer
from tenancy.api.bodies import Body
from tenancy.api.parameters import NO_PARAMETERS, NumberParameter, Parameters
from tenancy.api.schemas import BODY_CODES, IDEMPOTENCY_HEADER, ONCE_CODES, describe_headers, describe_problems
from tenancy.api.views import MachineView

BODY = Body(schemas.MESSAGE_BODY)
BATCH = Body(schemas.BATCH_BODY)
SEQ_MOST = 2_147_483_647
PAGE = Parameters(
    (
        NumberParameter("after", "The first messages behind this place.", 40, 0, SEQ_MOST),
        NumberParameter("before", "The last messages before this place.", 91, 1, SEQ_MOST),
        NumberParameter("limit", "How many at most.", 20, 1, 200, default=50),
    ),
    exclusive=(("after", "before"),),
)
WRITE_PROBLEMS = describe_problems(BODY_CODES, ONCE_CODES, schemas.CONVERSATION_CODES, schemas.MESSAGE_CODES)


class MessagesView(ConversationMixin, MachineView):
    """`conversations/{id}/messages`."""

    scopes = {"GET": "read", "POST": "engine"}

    @extend_schema(
        operation_id="messages_list",
        tags=["Conversations"],
        summary="Read a conversation's messages",
        description="Word for word, in order. Of a forgotten message only its place is left to see.",
        parameters=[CONVERSATION_ID, *PAGE.describe(), *describe_headers()],
        responses={
            200: OpenApiResponse(
                schemas.MessagePageSerializer,
                description="A page.",
                examples=[OpenApiExample("page", {"messages": [schemas.MESSAGE], "has_more": False})],
            ),
            **describe_problems(
                schemas.CONVERSATION_CODES, {400: {"after_and_before": "Send after or before, not both."}}
            ),
        },
    )
    def get(self, request: Request, conversation_id: int) -> Response:
        """Read a conversation's messages."""
        values = PAGE.read(request)
        conversation = self.find_conversation(conversation_id)
        page = list_messages(conversation_id=conversation.pk, **values)
        return Response({"messages": [render_message(row) for row in page.messages], "has_more": page.has_more})

    @extend_schema(
        operation_id="messages_post",
        tags=["Conversations"],
        summary="Post a message",
        description="Keeps the message word for word at the next place of the conversation.",
        parameters=[CONVERSATION_ID, *describe_headers(IDEMPOTENCY_HEADER)],
        request={"application/json": schemas.MESSAGE_BODY},
        examples=[OpenApiExample("a message", schemas.POSTED, request_only=True)],
        responses={
            200: OpenApiResponse(
                schemas.StoredMessageSerializer,
                description="It came before under its client id.",
                examples=[OpenApiExample("repeat", {**schemas.STORED, "created": False}, status_codes=["200"])],
            ),
            201: OpenApiResponse(
                schemas.StoredMessageSerializer,
                description="It has its place.",
                examples=[OpenApiExample("stored", schemas.STORED, status_codes=["201"])],
            ),
            **WRITE_PROBLEMS,
        },
    )
    def post(self, request: Request, conversation_id: int) -> Response:
        """Post a message."""
        NO_PARAMETERS.read(request)
        body = BODY.read(request)
        conversation = self.find_conversation(conversation_id)
        draft = parse_draft(body)
        return self.answer_once(self.find_world(), body, lambda: self.store(conversation, draft))

    def store(self, conversation: Conversation, draft: MessageDraft) -> Answer:
        """Store one message and say where."""
        stored = store_message(tenant_id=conversation.tenant_id, conversation_id=conversation.pk, draft=draft)
        return Answer(201 if stored.created else 200, render_stored(stored))


class MessageBatchesView(ConversationMixin, MachineView):
    """`conversations/{id}/messages/batch`."""

    scopes = {"POST": "engine"}

    @extend_schema(
        operation_id="messages_post_batch",
        tags=["Conversations"],
        summary="Post up to 500 messages",
        description="All or none, in the given order; with `sent_at` a history keeps its original times. Repeats under "
        "their client ids give the first messages, so that an import may be sent again.",
        parameters=[CONVERSATION_ID, *describe_headers(IDEMPOTENCY_HEADER)],
        request={"application/json": schemas.BATCH_BODY},
        examples=[OpenApiExample("a history", {"messages": [schemas.POSTED]}, request_only=True)],
        responses={
            200: OpenApiResponse(
                schemas.StoredBatchSerializer,
                description="All have their places.",
                examples=[OpenApiExample("stored", {"messages": [schemas.STORED]})],
            ),
            **WRITE_PROBLEMS,
        },
    )
    def post(self, request: Request, conversation_id: int) -> Response:
        """Post up to 500 messages."""
        NO_PARAMETERS.read(request)
        body = BATCH.read(request)
        conversation = self.find_conversation(conversation_id)
        drafts = [parse_draft(message, position) for position, message in enumerate(body["messages"])]
        return self.answer_once(self.find_world(), body, lambda: self.store(conversation, drafts))

    def store(self, conversation: Conversation, drafts: Sequence[MessageDraft]) -> Answer:
        """Store the messages and say where."""
        stored = store_messages(tenant_id=conversation.tenant_id, conversation_id=conversation.pk, drafts=drafts)
        return Answer(200, {"messages": [render_stored(each) for each in stored]})


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
        raise InvalidMessage("sent_at is not a time with an offset.", code="sent_at_invalid", position=position)
    return time
