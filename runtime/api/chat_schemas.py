"""What talking to NPCs takes and answers by REST."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from episodes.api.schemas import BCP47, name
from episodes.models import MemoryType
from runtime.context.request import MAX_MESSAGE_LENGTH
from tenancy.api.schemas import SLUG

CHAT_BODY = {
    "type": "object",
    "additionalProperties": False,
    "required": ["npc_id", "session_id", "query"],
    "properties": {
        "tenant_id": {"type": "string", "maxLength": 63, "pattern": SLUG, "description": "As X-Tenant-ID."},
        "site_id": {"type": "string", "maxLength": 63, "pattern": SLUG, "description": "As X-Site-ID."},
        "npc_id": name(120, "Who is spoken to."),
        "session_id": name(200, "The play session: each NPC remembers its own talk in it."),
        "query": {
            "type": "string",
            "minLength": 1,
            "maxLength": MAX_MESSAGE_LENGTH,
            "description": "What the player says, word for word.",
        },
        "user_id": name(200, "The tenant's own id of the player. Left out, the session stands for the player."),
        "client_message_id": name(200, "The client's id: the same turn again gets the same reply."),
        "party_id": name(120, "The party that the player is of."),
        "scene_id": name(120, "The scene that is being played. Takes `party_id`."),
        "location_id": name(160, "Where it is being played."),
        "mood": name(
            40, "The player's mood now, in your own word: remembered emotions of another mood count for less."
        ),
        "memory_type": {
            "type": "string",
            "enum": list(MemoryType.values),
            "description": "What the query is about, where the game knows; an `emotion` is remembered with its mood.",
        },
        "language": {
            "type": "string",
            "maxLength": 35,
            "pattern": BCP47,
            "description": "BCP 47, where the query's letters do not tell.",
        },
        "stream": {"type": "boolean", "description": "Send the reply as server-sent events, as it is said."},
    },
    "dependentRequired": {"scene_id": ["party_id"]},
}


class ChatSourceSerializer(serializers.Serializer[Any]):
    """Where canon says so."""

    slug = serializers.CharField()
    title = serializers.CharField()
    excerpt = serializers.CharField()
    release = serializers.IntegerField()


class ContradictionSerializer(serializers.Serializer[Any]):
    """A sentence of the reply that canon denies."""

    claim = serializers.CharField()
    explanation = serializers.CharField()
    sources = ChatSourceSerializer(many=True)


class CanonCheckSerializer(serializers.Serializer[Any]):
    """What canon says to the reply."""

    contradictions = ContradictionSerializer(many=True)
    asked_again = serializers.BooleanField(help_text="Whether a first reply was withdrawn.")


class UsageSerializer(serializers.Serializer[Any]):
    """What the turn cost; null where the model's server does not count."""

    prompt_tokens = serializers.IntegerField(allow_null=True)
    completion_tokens = serializers.IntegerField(allow_null=True)
    cost = serializers.FloatField(allow_null=True, help_text="By the prices in the settings.")


class ChatSerializer(serializers.Serializer[Any]):
    """An NPC's reply."""

    session_id = serializers.CharField()
    npc_id = serializers.CharField()
    conversation_id = serializers.IntegerField()
    message_id = serializers.IntegerField(help_text="Of what the player said.")
    reply_message_id = serializers.IntegerField()
    reply = serializers.CharField()
    language = serializers.CharField()
    canon = CanonCheckSerializer(allow_null=True, help_text="Null for a turn that was answered before.")
    degraded = serializers.ListField(child=serializers.CharField())
    trace_id = serializers.CharField(
        allow_null=True, help_text="What was found, told, cut and said: `GET traces/{id}`."
    )
    usage = UsageSerializer()


ASKED = {
    "npc_id": "li-shen",
    "session_id": "session-abc123",
    "user_id": "player-1",
    "query": "May I cross the bridge tonight?",
}
ANSWERED = {
    "session_id": "session-abc123",
    "npc_id": "li-shen",
    "conversation_id": 12,
    "message_id": 91,
    "reply_message_id": 92,
    "reply": "Whoever pays the toll may cross.",
    "language": "en",
    "canon": {"contradictions": [], "asked_again": False},
    "degraded": [],
    "trace_id": "0198c2d4-6c53-7a4f-9d0e-1f6f0e7a5b21",
    "usage": {"prompt_tokens": 1431, "completion_tokens": 12, "cost": 0.00042},
}
CHAT_CODES = {
    400: {"site_id_conflict": "site_id and X-Site-ID name different worlds."},
    404: {
        "npc_not_found": "There is no NPC 'nobody'.",
        "party_not_found": "There is no party 'pty_9'.",
        "scene_not_found": "This campaign has no scene 'scn_9' yet.",
    },
    422: {"budget_too_small": "The rules, the facts about safety and the message do not fit into the budget."},
    503: {
        "model_not_configured": "There is no chat model; the player's words are kept as `message_id`.",
        "model_unavailable": "The chat model did not answer; the player's words are kept as `message_id`.",
        "model_refused": "The chat model declined to answer; the player's words are kept as `message_id`.",
    },
}
EVENTS = (
    "With `stream` (or `Accept: text/event-stream`) the answer is a stream of events: `heard` (`message_id`), `delta` "
    "(`text`, the next words), `withdrawn` (`reason`, one of contradiction, language, answered: the words so far may "
    "not stand, the reply begins anew), `answer` (the document below) and, where it fails on the way, `error` (a "
    "problem document)."
)
