"""Session memory: reading it, clearing it, and what the player prefers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from rest_framework.request import Request
from rest_framework.response import Response

from memoryproject.rest.bodies import Body
from memoryproject.rest.operations import operation, reply
from memoryproject.rest.parameters import (
    CONTROL_CHARACTERS,
    PLAIN_WORD,
    ChoiceParameter,
    ListParameter,
    Parameters,
    TextParameter,
)
from memoryproject.rest.schemas import WORLD_CODES
from memoryproject.rest.shapes import fill
from runtime.errors import InvalidPreference, InvalidSession
from runtime.session_memory.actions import change_preference, clear_session, drop_preference
from runtime.session_memory.api import shapes
from runtime.session_memory.core.inference import FIELDS
from runtime.session_memory.core.keys import SessionRef
from runtime.session_memory.core.preferences import (
    MAX_LANGUAGE_LENGTH,
    TONES,
    VERBOSITIES,
    Preference,
    PreferenceChange,
)
from runtime.session_memory.core.signals import MAX_TAG_LENGTH
from runtime.session_memory.selectors import SessionMemory, ShortMemory, load_session, load_short_memory
from tenancy.api.views import MachineView

NPC = Parameters((TextParameter("npc_id", "Only the talk with this NPC.", "oda-marr", shapes.MAX_NPC_ID_LENGTH),))
_TAG = (MAX_TAG_LENGTH, PLAIN_WORD)
CHANGES = Parameters(
    (
        ChoiceParameter("verbosity", "How long answers should be.", "detailed", VERBOSITIES, error=InvalidPreference),
        ChoiceParameter("tone", "In which tone.", "respectful", TONES, error=InvalidPreference),
        ListParameter("interest_tag", "A topic that is added to those known; may be repeated.", "农耕", *_TAG),
        ListParameter("interest_tags", "Topics in the place of those known.", "农耕", *_TAG),
        TextParameter("language", "BCP 47.", "zh", MAX_LANGUAGE_LENGTH),
    )
)
DROPPED = Parameters(
    (
        ChoiceParameter("field", "What to drop.", "tone", FIELDS, error=InvalidPreference),
        TextParameter("tag", "Of interest_tags, only this one.", "农耕", MAX_TAG_LENGTH),
    )
)
BODY = Body(shapes.PREFERENCE_BODY)
SESSION_ID = TextParameter(
    "session_id",
    "The game's own id of the play session, percent-encoded; a slash may stay or be %2F. It can't end in /preference.",
    "session-abc123",
    shapes.MAX_SESSION_ID_LENGTH,
)


class SessionMixin:
    """Finds the session that a path names."""

    def find_session(self: MachineView, session_id: str) -> SessionRef:  # type: ignore[misc]
        """The session that a path names, in the caller's world. Raises InvalidSession, UnknownWorld, WorldRequired."""
        is_plain = not CONTROL_CHARACTERS.search(session_id) and session_id.strip()
        if not is_plain or len(session_id) > shapes.MAX_SESSION_ID_LENGTH:
            most = shapes.MAX_SESSION_ID_LENGTH
            raise InvalidSession(f"A session's id has 1 to {most} characters, none of them a control character.")
        world = self.get_world()
        return SessionRef(world.tenant_id, world.world_id, session_id)


class SessionView(SessionMixin, MachineView):
    """`npc/sessions/{session_id}`."""

    scopes = {"GET": "read", "DELETE": "engine"}

    @operation(
        "session_memory_get",
        "Session memory",
        reply(shapes.SessionMemory, "What is remembered now."),
        InvalidSession,
        WORLD_CODES,
        path=(SESSION_ID,),
        parameters=NPC,
    )
    def get(self, request: Request, session_id: str) -> Response:
        """Read what is remembered of a session.

        The last messages with one NPC, or with all of them, and what the player prefers. A session that nobody has
        spoken in looks like one that is over: nothing is remembered of it.
        """
        npc_id = self.values.get("npc_id")
        session = self.find_session(session_id)
        if npc_id is None:
            return Response(render_session(session_id, None, load_session(session)))
        memory = load_short_memory(session, npc_id)
        return Response(
            render_session(session_id, npc_id, SessionMemory((memory,), memory.preference, memory.degraded))
        )

    @operation(
        "session_memory_clear",
        "Session memory",
        reply(shapes.ClearedSession, "Nothing of it is remembered."),
        InvalidSession,
        WORLD_CODES,
        path=(SESSION_ID,),
        parameters=NPC,
    )
    def delete(self, request: Request, session_id: str) -> Response:
        """Clear what is remembered of a session.

        The talk with one NPC, or all talk of the session with the player's preference. The conversation itself stays:
        to forget for good, forget its messages.
        """
        npc_id = self.values.get("npc_id")
        clear_session(self.find_session(session_id), npc_id=npc_id)
        return Response({"success": True, "session_id": session_id, "npc_id": npc_id})


class PreferenceView(SessionMixin, MachineView):
    """`npc/sessions/{session_id}/preference`."""

    scopes = {"PUT": "engine", "DELETE": "engine"}

    @operation(
        "session_memory_change_preference",
        "Session memory",
        shapes.ChangedPreference,
        InvalidSession,
        shapes.PREFERENCE_CODES,
        WORLD_CODES,
        path=(SESSION_ID,),
        parameters=CHANGES,
        body=BODY,
        sent={"a change": {"verbosity": "brief", "interest_tag": ["bridges"]}},
        is_body_optional=True,
    )
    def put(self, request: Request, session_id: str) -> Response:
        """Change what the player prefers.

        In the query or in a JSON body; all NPCs of the session share it. What is not named stays.
        """
        values = self.values
        body = self.body
        doubled = sorted(values.keys() & body.keys())
        if doubled:
            raise InvalidPreference(f"Send {doubled[0]} in the query or in the body, not in both.")
        change = parse_change({**values, **body})
        preference = change_preference(self.find_session(session_id), change)
        return Response({"success": True, "preference": render_preference(preference)})

    @operation(
        "session_memory_drop_preference",
        "Session memory",
        reply(shapes.DroppedPreference, "The preference without it."),
        InvalidSession,
        shapes.PREFERENCE_CODES,
        WORLD_CODES,
        path=(SESSION_ID,),
        parameters=DROPPED,
    )
    def delete(self, request: Request, session_id: str) -> Response:
        """Drop one field of what the player prefers.

        Set or inferred. What the player said so far is no ground to infer it again.
        """
        values = self.values
        field, tag = values.get("field", ""), values.get("tag")
        dropped, preference = drop_preference(self.find_session(session_id), field, tag=tag)
        told = {"success": True, "field": field, "tag": tag, "dropped": dropped}
        return Response({**told, "preference": render_preference(preference)})


def parse_change(values: dict[str, Any]) -> PreferenceChange:
    """The change that query and body describe."""
    tags = values.get("interest_tags")
    return PreferenceChange(
        new_tags=tuple(values.get("interest_tag", ())),
        verbosity=values.get("verbosity"),
        tone=values.get("tone"),
        language=values.get("language"),
        interest_tags=None if tags is None else tuple(tags),
    )


def render_session(session_id: str, npc_id: str | None, memory: SessionMemory) -> dict[str, Any]:
    """What is remembered, in the order in which it was said."""
    messages = _list_messages(memory.memories)
    times = [message["timestamp"] for message in messages]
    return {
        "session_id": session_id,
        "npc_id": npc_id,
        "message_count": len(messages),
        "recent_messages": messages[-settings.MEMORY_MAX_MESSAGES :],
        "first_message_at": min(times, default=None),
        "last_message_at": max(times, default=None),
        "preference": None if memory.preference is None else render_preference(memory.preference),
        "degraded": list(memory.degraded),
    }


def render_preference(preference: Preference) -> shapes.Preference:
    """The preference as JSON."""
    return fill(
        shapes.Preference,
        preference,
        source=dict(preference.source),
        evidence={name: list(ids) for name, ids in preference.evidence.items()},
    )


def _list_messages(memories: Sequence[ShortMemory]) -> list[dict[str, Any]]:
    """The messages of all memories, oldest first."""
    entries = sorted(
        ((entry, memory.npc_id) for memory in memories for entry in memory.entries), key=lambda pair: pair[0].message_id
    )
    return [
        {
            "role": entry.role,
            "content": entry.content,
            "timestamp": entry.timestamp,
            "npc_id": npc_id,
            "message_id": entry.message_id,
        }
        for entry, npc_id in entries
    ]
