"""What conversations take and answer by REST."""

from __future__ import annotations

from typing import Annotated, NotRequired

from typing_extensions import TypedDict

from episodes.conversations.actions.messages import MAX_BATCH_SIZE
from episodes.conversations.core.drafts import MAX_CONTENT_LENGTH
from episodes.errors import (
    ClientMessageIdReused,
    ConversationTaken,
    InvalidSentAt,
    MessageEmpty,
    MessageNotText,
    SentAtInFuture,
    SentAtTooEarly,
    UnknownConversation,
    UnknownReplyTo,
)
from episodes.models import MemoryType, MessageRole, NarrativeMode
from memoryproject.rest.forms import ID, form, text
from memoryproject.rest.pages import NEXT_CURSOR
from memoryproject.rest.typed_dicts import LEFT_OUT, Time, deprecated, member
from tenancy.errors import InvalidUserId

BCP47 = r"^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$"


CONVERSATION_BODY = form(
    {"user_id": text(200, "The tenant's own id of the player. A user that is not known yet is created.")},
    {
        "external_id": text(200, "The tenant's own id of the conversation: it is opened once, then found again."),
        "npc_id": text(120, "Whom the player talks to; messages may say otherwise."),
        "session_id": text(200, "The play session; messages may say otherwise."),
        "participants": form(
            {},
            {"user": text(80, "The player's name."), "assistant": text(80, "The name of whoever answers.")},
            description="What the two sides are called: a question that names one of them looks for what that one "
            "said. An NPC is called by its profile where this does not say. Sent again, names are replaced.",
        ),
    },
)
MESSAGE_BODY = form(
    {
        "role": {"type": "string", "enum": list(MessageRole.values)},
        "content": {
            "type": "string",
            "minLength": 1,
            "maxLength": MAX_CONTENT_LENGTH,
            "description": "Word for word. White space and invisible characters alone are refused.",
        },
    },
    {
        "client_message_id": text(
            200, "The client's id, unique in the conversation: a repeat gives the first message, another body is 409."
        ),
        "reply_to": {**ID, "description": "The message of this conversation that it answers."},
        "npc_id": text(120, "Who speaks or is spoken to."),
        "session_id": text(200, "The play session."),
        "language": {
            "type": "string",
            "maxLength": 35,
            "pattern": BCP47,
            "description": "BCP 47. Left out, it is told by the script.",
        },
        "frame": {
            "type": "string",
            "enum": list(NarrativeMode.values),
            "description": "Whether the player speaks in character. Left out, it is told from quotes and asterisks.",
        },
        "memory_type": {"type": "string", "enum": list(MemoryType.values), "description": "What the message is about."},
        "mood": text(
            40, "The mood of whoever speaks, in your own word: packs of another mood tell such emotions later."
        ),
        "response_description": text(2000, "What an assistant's message shows or does, in short."),
        "sent_at": {
            "type": "string",
            "format": "date-time",
            "maxLength": 40,
            "description": "When it was said, with offset; now if left out. Not in the future, not before 2000.",
        },
    },
)
BATCH_BODY = form({"messages": {"type": "array", "minItems": 1, "maxItems": MAX_BATCH_SIZE, "items": MESSAGE_BODY}})


class Conversation(TypedDict):
    """One chat of one player."""

    id: Annotated[int, member(7)]
    conversation_id: Annotated[int, member(7, "The same as `id`.")]
    external_id: Annotated[str | None, member("chat-1")]
    user_id: Annotated[str, member("player-1")]
    world: Annotated[str | None, member("selmar")]
    npc_id: Annotated[str, member("oda-marr")]
    session_id: Annotated[str, member("evening-3")]
    participants: Annotated[
        dict[str, str],
        member({"user": "Lena", "assistant": "Oda Marr"}, "Role to name, of those whose names are known."),
    ]
    message_count: Annotated[int, member(12, "The last place; of a branch, what it shares counts.")]
    trunk_id: Annotated[int | None, member(None, "The conversation that it branched off.")]
    fork_seq: Annotated[int | None, member(None, "The last place that it shares with its trunk.")]
    created_at: Annotated[Time, member("2026-03-01T19:00:00Z")]
    last_message_at: Annotated[Time | None, member("2026-03-01T19:12:31Z")]


class ConversationList(TypedDict):
    """A player's conversations, newest first."""

    data: list[Conversation]
    next_cursor: Annotated[int | None, member(None, NEXT_CURSOR)]


class Message(TypedDict):
    """A message in its place."""

    id: Annotated[int, member(91)]
    conversation_id: Annotated[int, member(7)]
    seq: Annotated[int, member(13, "Place in the conversation, from 1, without gaps.")]
    alternative: Annotated[int, member(0, "Which alternative of its place it is; 0 came first.")]
    is_current: Annotated[bool, member(True, "Whether it is the alternative that is read.")]
    revision_of: Annotated[int | None, member(None, "The message that it edits.")]
    role: Annotated[str, member("user", choices=MessageRole.values)]
    content: Annotated[str | None, member("I am allergic to nickel.", "Word for word; null once it is forgotten.")]
    reply_to: Annotated[int | None, member(None)]
    npc_id: Annotated[str, member("oda-marr")]
    session_id: Annotated[str, member("evening-3")]
    language: Annotated[str, member("en")]
    frame: Annotated[str, member("unknown")]
    memory_type: Annotated[str, member("")]
    mood: Annotated[str, member("")]
    response_description: Annotated[str, member("")]
    client_message_id: Annotated[str | None, member("c-101")]
    sent_at: Annotated[Time, member("2026-03-01T19:12:31Z")]
    created_at: Annotated[Time, member("2026-03-01T19:12:31Z")]
    forgotten_at: Annotated[Time | None, member(None)]


class StoredMessage(TypedDict):
    """Where a message got its place."""

    message_id: Annotated[int, member(91)]
    seq: Annotated[int, member(13)]
    created: Annotated[bool, member(False, "False for a repeat under its client id: the first one stands.")]
    frame: Annotated[str, member("unknown")]
    language: Annotated[str, member("en")]


class MessagePage(TypedDict):
    """Messages in the order in which they were said."""

    data: list[Message]
    next_cursor: Annotated[str | None, member(None, f"{NEXT_CURSOR} It goes on in the same direction.")]
    messages: NotRequired[Annotated[list[Message], deprecated("data")]]
    has_more: NotRequired[Annotated[bool, member(LEFT_OUT, "Whether there are more.", deprecated=True)]]


POSTED = {"role": "user", "content": "I am allergic to nickel.", "client_message_id": "c-101"}
CONVERSATION_CODES = UnknownConversation
OPEN_CODES = (ConversationTaken, InvalidUserId)
MESSAGE_CODES = (
    ClientMessageIdReused,
    MessageEmpty,
    MessageNotText,
    SentAtInFuture,
    SentAtTooEarly,
    InvalidSentAt,
    UnknownReplyTo,
)
