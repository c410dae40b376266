"""What session memory takes and answers by REST."""

from __future__ import annotations

from typing import Annotated, Literal

from typing_extensions import TypedDict

from memoryproject.rest.forms import form, text
from memoryproject.rest.typed_dicts import Time, member
from runtime.errors import InvalidPreference, SessionMemoryDisabled
from runtime.session_memory.core.preferences import MAX_LANGUAGE_LENGTH, MAX_TAGS, TONES, VERBOSITIES
from runtime.session_memory.core.signals import MAX_TAG_LENGTH

MAX_SESSION_ID_LENGTH = 200
MAX_NPC_ID_LENGTH = 120
TAGS = {"type": "array", "maxItems": MAX_TAGS, "items": text(MAX_TAG_LENGTH)}
PREFERENCE_BODY = form(
    {},
    {
        "verbosity": {"type": "string", "maxLength": 35, "description": f"One of {', '.join(VERBOSITIES)}."},
        "tone": {"type": "string", "maxLength": 35, "description": f"One of {', '.join(TONES)}."},
        "interest_tag": {**TAGS, "description": "Topics that are added to those known."},
        "interest_tags": {**TAGS, "description": "Topics in the place of those known; an empty list takes all away."},
        "language": {"type": "string", "maxLength": MAX_LANGUAGE_LENGTH, "description": "BCP 47."},
    },
)


class SessionMessage(TypedDict):
    """One message as short memory keeps it."""

    role: Annotated[str, member("user", choices=("user", "assistant"))]
    content: Annotated[
        str, member("Who may cross the bridge?", "Of a message that alone would fill the memory, head and tail.")
    ]
    timestamp: Annotated[Time, member("2026-03-01T19:00:00Z")]
    npc_id: Annotated[str, member("oda-marr")]
    message_id: Annotated[int, member(91)]


class Preference(TypedDict):
    """What the player prefers in this session; null where nothing was said."""

    verbosity: Annotated[str | None, member("detailed")]
    tone: Annotated[str | None, member("respectful")]
    interest_tags: Annotated[list[str], member(["农耕"])]
    language: Annotated[str | None, member("zh")]
    updated_at: Annotated[Time | None, member("2026-03-01T19:10:00Z")]
    source: Annotated[
        dict[str, Literal["explicit", "inferred"]],
        member(
            {"verbosity": "explicit", "tone": "inferred", "language": "explicit", "interest_tags": "explicit"},
            "Of each field that is known: `explicit` where it was set, `inferred` from what the "
            "player said in two exchanges. What is set is never inferred.",
        ),
    ]
    evidence: Annotated[
        dict[str, list[int]], member({"tone": [91, 97]}, "Of each inferred field the messages that it rests on.")
    ]


class SessionMemory(TypedDict):
    """What is remembered of a session."""

    session_id: Annotated[str, member("session-abc123")]
    npc_id: Annotated[str | None, member("oda-marr", "Null: all NPCs of the session.")]
    message_count: Annotated[int, member(2, "Messages that are remembered, of all NPCs where none is named.")]
    recent_messages: Annotated[list[SessionMessage], member(description="The newest of them, oldest first.")]
    first_message_at: Annotated[Time | None, member("2026-03-01T19:00:00Z")]
    last_message_at: Annotated[Time | None, member("2026-03-01T19:00:04Z")]
    preference: Preference | None
    degraded: Annotated[list[str], member([], "`session_memory_unavailable`: from RAW.")]


class ChangedPreference(TypedDict):
    """The preference after the change."""

    success: Annotated[bool, member(True)]
    preference: Preference


class DroppedPreference(TypedDict):
    """What was dropped, and what is left."""

    success: Annotated[bool, member(True)]
    field: Annotated[str, member("tone")]
    tag: Annotated[str | None, member(None)]
    dropped: Annotated[bool, member(True, "False where nothing was known.")]
    preference: Preference


class ClearedSession(TypedDict):
    """What was cleared."""

    success: Annotated[bool, member(True)]
    session_id: Annotated[str, member("session-abc123")]
    npc_id: Annotated[str | None, member("oda-marr")]


PREFERENCE_CODES = (InvalidPreference, SessionMemoryDisabled)
