"""What conversations take and answer by REST."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from episodes.actions.messages import MAX_BATCH_SIZE
from episodes.core.drafts import MAX_CONTENT_LENGTH
from episodes.models import Frame, MemoryType, MessageRole
from tenancy.api.parameters import MAX_ID, PLAIN_TEXT

ID = {"type": "integer", "minimum": 1, "maximum": MAX_ID}
BCP47 = r"^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$"


def name(length: int, description: str) -> dict[str, Any]:
    """A text without control characters."""
    return {
        "type": "string",
        "minLength": 1,
        "maxLength": length,
        "pattern": PLAIN_TEXT,
        "description": description,
    }


CONVERSATION_BODY = {
    "type": "object",
    "additionalProperties": False,
    "required": ["user_id"],
    "properties": {
        "user_id": name(200, "The tenant's own id of the player. A user that is not known yet is created."),
        "external_id": name(200, "The tenant's own id of the conversation: it is opened once, then found again."),
        "npc_id": name(120, "Whom the player talks to; messages may say otherwise."),
        "session_id": name(200, "The play session; messages may say otherwise."),
        "participants": {
            "type": "object",
            "additionalProperties": False,
            "description": "What the two sides are called: a question that names one of them looks for what that one "
            "said. An NPC is called by its profile where this does not say. Sent again, names are replaced.",
            "properties": {
                "user": name(80, "The player's name."),
                "assistant": name(80, "The name of whoever answers."),
            },
        },
    },
}
MESSAGE_BODY = {
    "type": "object",
    "additionalProperties": False,
    "required": ["role", "content"],
    "properties": {
        "role": {"type": "string", "enum": list(MessageRole.values)},
        "content": {
            "type": "string",
            "minLength": 1,
            "maxLength": MAX_CONTENT_LENGTH,
            "description": "Word for word. White space and invisible characters alone are refused.",
        },
        "client_message_id": name(
            200, "The client's id, unique in the conversation: a repeat gives the first message, another body is 409."
        ),
        "reply_to": {**ID, "description": "The message of this conversation that it answers."},
        "npc_id": name(120, "Who speaks or is spoken to."),
        "session_id": name(200, "The play session."),
        "language": {
            "type": "string",
            "maxLength": 35,
            "pattern": BCP47,
            "description": "BCP 47. Left out, it is told by the script.",
        },
        "frame": {
            "type": "string",
            "enum": list(Frame.values),
            "description": "Whether the player speaks in character. Left out, it is told from quotes and asterisks.",
        },
        "memory_type": {"type": "string", "enum": list(MemoryType.values), "description": "What the message is about."},
        "mood": name(
            40, "The mood of whoever speaks, in your own word: packs of another mood tell such emotions later."
        ),
        "response_description": {
            "type": "string",
            "minLength": 1,
            "maxLength": 2000,
            "pattern": PLAIN_TEXT,
            "description": "What an assistant's message shows or does, in short.",
        },
        "sent_at": {
            "type": "string",
            "format": "date-time",
            "maxLength": 40,
            "description": "When it was said, with offset; now if left out. Not in the future, not before 2000.",
        },
    },
}
BATCH_BODY = {
    "type": "object",
    "additionalProperties": False,
    "required": ["messages"],
    "properties": {
        "messages": {"type": "array", "minItems": 1, "maxItems": MAX_BATCH_SIZE, "items": MESSAGE_BODY},
    },
}


class ConversationSerializer(serializers.Serializer[Any]):
    """One chat of one player."""

    id = serializers.IntegerField()
    external_id = serializers.CharField(allow_null=True)
    user_id = serializers.CharField()
    world = serializers.CharField(allow_null=True)
    npc_id = serializers.CharField(allow_blank=True)
    session_id = serializers.CharField(allow_blank=True)
    participants = serializers.DictField(
        child=serializers.CharField(), help_text="Role to name, of those whose names are known."
    )
    message_count = serializers.IntegerField(help_text="The last place; of a branch, what it shares counts.")
    trunk_id = serializers.IntegerField(allow_null=True, help_text="The conversation that it branched off.")
    fork_seq = serializers.IntegerField(allow_null=True, help_text="The last place that it shares with its trunk.")
    created_at = serializers.DateTimeField()
    last_message_at = serializers.DateTimeField(allow_null=True)


class MessageSerializer(serializers.Serializer[Any]):
    """A message in its place."""

    id = serializers.IntegerField()
    conversation_id = serializers.IntegerField()
    seq = serializers.IntegerField(help_text="Place in the conversation, from 1, without gaps.")
    alternative = serializers.IntegerField(help_text="Which alternative of its place it is; 0 came first.")
    is_current = serializers.BooleanField(help_text="Whether it is the alternative that is read.")
    revision_of = serializers.IntegerField(allow_null=True, help_text="The message that it edits.")
    role = serializers.ChoiceField(choices=MessageRole.values)
    content = serializers.CharField(allow_null=True, help_text="Word for word; null once it is forgotten.")
    reply_to = serializers.IntegerField(allow_null=True)
    npc_id = serializers.CharField(allow_blank=True)
    session_id = serializers.CharField(allow_blank=True)
    language = serializers.CharField()
    frame = serializers.CharField()
    memory_type = serializers.CharField(allow_blank=True)
    mood = serializers.CharField(allow_blank=True)
    response_description = serializers.CharField(allow_blank=True)
    client_message_id = serializers.CharField(allow_null=True)
    sent_at = serializers.DateTimeField()
    created_at = serializers.DateTimeField()
    forgotten_at = serializers.DateTimeField(allow_null=True)


class StoredMessageSerializer(serializers.Serializer[Any]):
    """Where a message got its place."""

    message_id = serializers.IntegerField()
    seq = serializers.IntegerField()
    created = serializers.BooleanField(help_text="False for a repeat under its client id: the first one stands.")
    frame = serializers.CharField()
    language = serializers.CharField()


class MessagePageSerializer(serializers.Serializer[Any]):
    """Messages in the order in which they were said."""

    messages = MessageSerializer(many=True)
    has_more = serializers.BooleanField(help_text="Whether there are more in the direction that was asked for.")


CONVERSATION = {
    "id": 7,
    "external_id": "chat-1",
    "user_id": "player-1",
    "world": "selmar",
    "npc_id": "oda-marr",
    "session_id": "evening-3",
    "participants": {"user": "Lena", "assistant": "Oda Marr"},
    "message_count": 12,
    "trunk_id": None,
    "fork_seq": None,
    "created_at": "2026-03-01T19:00:00Z",
    "last_message_at": "2026-03-01T19:12:31Z",
}
POSTED = {"role": "user", "content": "I am allergic to nickel.", "client_message_id": "c-101"}
STORED = {"message_id": 91, "seq": 13, "created": True, "frame": "unknown", "language": "en"}
MESSAGE = {
    "id": 91,
    "conversation_id": 7,
    "seq": 13,
    "alternative": 0,
    "is_current": True,
    "revision_of": None,
    "role": "user",
    "content": "I am allergic to nickel.",
    "reply_to": None,
    "npc_id": "oda-marr",
    "session_id": "evening-3",
    "language": "en",
    "frame": "unknown",
    "memory_type": "",
    "mood": "",
    "response_description": "",
    "client_message_id": "c-101",
    "sent_at": "2026-03-01T19:12:31Z",
    "created_at": "2026-03-01T19:12:31Z",
    "forgotten_at": None,
}
CONVERSATION_CODES = {404: {"conversation_not_found": "There is no conversation 7."}}
OPEN_CODES = {
    400: {"user_id_invalid": "A user's id must be 1 to 200 printable characters."},
    409: {
        "conversation_external_id_taken": "A conversation with this external_id belongs to another user or world.",
    },
}
MESSAGE_CODES = {
    400: {
        "message_empty": "There is nothing in the message to be seen.",
        "message_not_text": "The message holds NUL or half of a surrogate pair, which is not text.",
        "sent_at_in_future": "sent_at lies in the future.",
        "sent_at_too_early": "sent_at lies before 2000: a clock was not set.",
        "sent_at_invalid": "sent_at is not a time with an offset.",
        "reply_to_unknown": "There is no message 5 in this conversation to reply to.",
    },
    409: {"client_message_id_reused": "The client id 'c-101' came before with another message."},
}
