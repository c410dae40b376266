"""What session memory takes and answers by REST."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from runtime.session_memory.core.preferences import MAX_LANGUAGE_LENGTH, MAX_TAGS, TONES, VERBOSITIES
from runtime.session_memory.core.signals import MAX_TAG_LENGTH
from tenancy.api.parameters import PLAIN_TEXT

MAX_SESSION_ID_LENGTH = 200
MAX_NPC_ID_LENGTH = 120
TAGS = {
    "type": "array",
    "maxItems": MAX_TAGS,
    "items": {"type": "string", "minLength": 1, "maxLength": MAX_TAG_LENGTH, "pattern": PLAIN_TEXT},
}
PREFERENCE_BODY = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "verbosity": {"type": "string", "maxLength": 35, "description": f"One of {', '.join(VERBOSITIES)}."},
        "tone": {"type": "string", "maxLength": 35, "description": f"One of {', '.join(TONES)}."},
        "interest_tag": {**TAGS, "description": "Topics that are added to those known."},
        "interest_tags": {**TAGS, "description": "Topics in the place of those known; an empty list takes all away."},
        "language": {"type": "string", "maxLength": MAX_LANGUAGE_LENGTH, "description": "BCP 47."},
    },
}


class SessionMessageSerializer(serializers.Serializer[Any]):
    """One message as short memory keeps it."""

    role = serializers.ChoiceField(choices=["user", "assistant"])
    content = serializers.CharField(help_text="Of a message that alone would fill the memory, head and tail.")
    timestamp = serializers.DateTimeField()
    npc_id = serializers.CharField(allow_blank=True)
    message_id = serializers.IntegerField()


class PreferenceSerializer(serializers.Serializer[Any]):
    """What the player prefers in this session; null where nothing was said."""

    verbosity = serializers.CharField(allow_null=True)
    tone = serializers.CharField(allow_null=True)
    interest_tags = serializers.ListField(child=serializers.CharField())
    language = serializers.CharField(allow_null=True)
    updated_at = serializers.DateTimeField(allow_null=True)
    source = serializers.DictField(  # type: ignore[assignment]  # a field of the answer, not of the serializer
        child=serializers.ChoiceField(choices=["explicit", "inferred"]),
        help_text="Of each field that is known: `explicit` where it was set, `inferred` from what the player said in "
        "two exchanges. What is set is never inferred.",
    )
    evidence = serializers.DictField(
        child=serializers.ListField(child=serializers.IntegerField()),
        help_text="Of each inferred field the messages that it rests on.",
    )


class SessionMemorySerializer(serializers.Serializer[Any]):
    """What is remembered of a session."""

    session_id = serializers.CharField()
    npc_id = serializers.CharField(allow_null=True, help_text="Null: all NPCs of the session.")
    message_count = serializers.IntegerField(help_text="Messages that are remembered, of all NPCs where none is named.")
    recent_messages = SessionMessageSerializer(many=True, help_text="The newest of them, oldest first.")
    first_message_at = serializers.DateTimeField(allow_null=True)
    last_message_at = serializers.DateTimeField(allow_null=True)
    preference = PreferenceSerializer(allow_null=True)
    degraded = serializers.ListField(child=serializers.CharField(), help_text="`session_memory_unavailable`: from RAW.")


class ChangedPreferenceSerializer(serializers.Serializer[Any]):
    """The preference after the change."""

    success = serializers.BooleanField()
    preference = PreferenceSerializer()


class DroppedPreferenceSerializer(serializers.Serializer[Any]):
    """What was dropped, and what is left."""

    success = serializers.BooleanField()
    field = serializers.CharField()
    tag = serializers.CharField(allow_null=True)
    dropped = serializers.BooleanField(help_text="False where nothing was known.")
    preference = PreferenceSerializer()


class ClearedSessionSerializer(serializers.Serializer[Any]):
    """What was cleared."""

    success = serializers.BooleanField()
    session_id = serializers.CharField()
    npc_id = serializers.CharField(allow_null=True)


PREFERENCE = {
    "verbosity": "detailed",
    "tone": "respectful",
    "interest_tags": ["农耕"],
    "language": "zh",
    "updated_at": "2026-03-01T19:10:00Z",
    "source": {"verbosity": "explicit", "tone": "inferred", "language": "explicit", "interest_tags": "explicit"},
    "evidence": {"tone": [91, 97]},
}
PREFERENCE_WITHOUT_TONE = {
    **PREFERENCE,
    "tone": None,
    "source": {"verbosity": "explicit", "language": "explicit", "interest_tags": "explicit"},
    "evidence": {},
}
DROPPED_TONE = {
    "success": True,
    "field": "tone",
    "tag": None,
    "dropped": True,
    "preference": PREFERENCE_WITHOUT_TONE,
}
SESSION = {
    "session_id": "session-abc123",
    "npc_id": "oda-marr",
    "message_count": 2,
    "recent_messages": [
        {
            "role": "user",
            "content": "Who may cross the bridge?",
            "timestamp": "2026-03-01T19:00:00Z",
            "npc_id": "oda-marr",
            "message_id": 91,
        },
        {
            "role": "assistant",
            "content": "Whoever pays the toll.",
            "timestamp": "2026-03-01T19:00:04Z",
            "npc_id": "oda-marr",
            "message_id": 92,
        },
    ],
    "first_message_at": "2026-03-01T19:00:00Z",
    "last_message_at": "2026-03-01T19:00:04Z",
    "preference": PREFERENCE,
    "degraded": [],
}
SESSION_CODES = {
    400: {"session_id_invalid": "A session's id has 1 to 200 characters, none of them a control character."}
}
PREFERENCE_CODES = {
    400: {"preference_invalid": "verbosity must be one of brief, normal, detailed."},
    409: {"session_memory_disabled": "MEMORY_ENABLED is off: this installation keeps no preferences."},
}
