"""Posting messages: the answer says what was understood."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from episodes.conversations.api import shapes
from episodes.conversations.api.conversations import CONVERSATION_ID
from episodes.conversations.api.messages import MessagesView
from episodes.conversations.core.drafts import MessageDraft
from episodes.conversations.selectors.conversations import check_conversation
from episodes.errors import InvalidSentAt, UnknownConversation
from factcheck.posting.actions.messages import PostedMessage, post_messages
from factcheck.posting.api import shapes as message_shapes
from factcheck.posting.rendering import render_extraction
from factcheck.posting.selectors import hide_other_worlds
from factcheck.posting.shapes import CORRECTING
from knowledge.errors import FactKeysMissing
from memoryproject.rest.bodies import Body
from memoryproject.rest.operations import operation, reply
from memoryproject.rest.schemas import IDEMPOTENCY_HEADER
from memoryproject.rest.times import parse_time
from tenancy.actions.idempotency import Answer
from tenancy.api.views import MachineView

MESSAGE_SCHEMA = shapes.MESSAGE_BODY
BODY = Body(MESSAGE_SCHEMA)
BATCH = Body(shapes.BATCH_BODY)
PROBLEMS = (UnknownConversation, shapes.MESSAGE_CODES, FactKeysMissing)


class ExtractingMessagesView(MessagesView):
    """`conversations/{id}/messages`."""

    scopes = {"GET": "read", "POST": "engine"}

    @operation(
        "messages_post",
        "Conversations",
        {
            200: reply(message_shapes.PostedMessage, "It came before under its client id."),
            201: reply(message_shapes.PostedMessage, "It has its place.", extraction=CORRECTING),
        },
        *PROBLEMS,
        path=(CONVERSATION_ID,),
        headers=(IDEMPOTENCY_HEADER,),
        body=BODY,
        sent={"a message": shapes.POSTED},
    )
    def post(self, request: Request, conversation_id: int) -> Response:
        """Post a message.

        Keeps the message word for word at the next place of the conversation and answers what it says about the
        player: facts that are known now, and corrections of what the assistant claimed. Only what players say as
        themselves is understood. A repeat under its client id answers what was understood the first time.
        """
        body = self.body
        check_conversation(tenant_id=self.caller.tenant_id, conversation_id=conversation_id, world_id=self.world_id)
        draft = parse_draft(body)
        return self.idempotent_response(self.find_world(), body, lambda: self.store(conversation_id, draft))

    def store(self, conversation_id: int, draft: MessageDraft) -> Answer:
        """Store one message and say what was understood."""
        [posted] = post_messages(tenant_id=self.caller.tenant_id, conversation_id=conversation_id, drafts=[draft])
        [posted] = hide_other_worlds([posted], self.caller.world_id)
        return Answer(201 if posted.created else 200, render_posted(posted))


class UnderstandingBatchesView(MachineView):
    """`conversations/{id}/messages/batch`."""

    scopes = {"POST": "engine"}

    @operation(
        "messages_post_batch",
        "Conversations",
        reply(message_shapes.PostedBatch, "All have their places."),
        *PROBLEMS,
        path=(CONVERSATION_ID,),
        headers=(IDEMPOTENCY_HEADER,),
        body=BATCH,
        sent={"a history": {"messages": [shapes.POSTED]}},
    )
    def post(self, request: Request, conversation_id: int) -> Response:
        """Post up to 500 messages.

        All or none, in the given order; with `sent_at` a history keeps its original times, and what was said later
        stands whatever comes first. Repeats under their client ids give the first messages, so that an import may be
        sent again. Each message answers what was understood of it.
        """
        body = self.body
        check_conversation(tenant_id=self.caller.tenant_id, conversation_id=conversation_id, world_id=self.world_id)
        drafts = [parse_draft(message, position) for position, message in enumerate(body["messages"])]
        return self.idempotent_response(self.find_world(), body, lambda: self.store(conversation_id, drafts))

    def store(self, conversation_id: int, drafts: Sequence[MessageDraft]) -> Answer:
        """Store the messages and say what was understood."""
        posted = post_messages(tenant_id=self.caller.tenant_id, conversation_id=conversation_id, drafts=drafts)
        shown = hide_other_worlds(posted, self.caller.world_id)
        return Answer(200, {"messages": [render_posted(each) for each in shown]})


def parse_draft(body: dict[str, Any], position: int = 0) -> MessageDraft:
    """A message of the form of `MESSAGE_BODY`. Raises InvalidMessage for a time that is none."""
    values = dict(body)
    values["reply_to_id"] = values.pop("reply_to", None)
    if "sent_at" in values:
        values["sent_at"] = _parse_time(values["sent_at"], position)
    return MessageDraft(**values)


def render_posted(posted: PostedMessage) -> dict[str, Any]:
    """Where a message got its place, and what was understood of it."""
    message, extraction = posted.message, render_extraction(posted.understood)
    return {
        "message_id": message.pk,
        "seq": message.seq,
        "created": posted.created,
        "frame": message.frame,
        "language": message.language,
        "extraction": extraction,
        "understood": extraction,
    }


def _parse_time(text: str, position: int) -> dt.datetime:
    time = parse_time(text)
    if time is None:
        raise InvalidSentAt("sent_at is not a time with an offset.", position=position)
    return time
