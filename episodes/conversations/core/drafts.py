"""A message as it is posted, before it has its place in a conversation."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import unicodedata
from dataclasses import astuple, dataclass

from episodes.errors import InvalidMessage, MessageEmpty, MessageNotText, MessageTooLong, SentAtInFuture, SentAtTooEarly

MAX_CONTENT_LENGTH = 1_048_576
_INVISIBLE = frozenset({"Cf", "Cc", "Zs", "Zl", "Zp"})
_BLANK_LETTERS = frozenset("\u115f\u1160\u3164\uffa0\u2800")


@dataclass(frozen=True, slots=True)
class MessageDraft:
    """What the runtime posts. Empty texts mean that it did not say."""

    role: str
    content: str
    client_message_id: str | None = None
    reply_to_id: int | None = None
    npc_id: str = ""
    session_id: str = ""
    language: str = ""
    frame: str = ""
    memory_type: str = ""
    response_description: str = ""
    sent_at: dt.datetime | None = None
    mood: str = ""
    """Of whoever speaks, in the runtime's own word."""

    def hash_body(self) -> bytes:
        """SHA-256 of all that was posted; equal for a repeat of the same message."""
        values = [value.isoformat() if isinstance(value, dt.datetime) else value for value in astuple(self)]
        if not self.mood:
            values.pop()  # as it was hashed before messages had moods
        return hashlib.sha256(json.dumps(values).encode()).digest()


@dataclass(frozen=True, slots=True)
class Flaw:
    """Why a message can't be kept."""

    error: type[InvalidMessage]
    detail: str


def validate_message(
    draft: MessageDraft, *, now: dt.datetime, earliest: dt.datetime, skew: dt.timedelta
) -> Flaw | None:
    """The first reason not to keep a message, or None."""
    content = draft.content
    if len(content) > MAX_CONTENT_LENGTH:
        return Flaw(MessageTooLong, f"A message may have at most {MAX_CONTENT_LENGTH} characters.")
    if "\x00" in content or any("\ud800" <= character <= "\udfff" for character in content):
        return Flaw(MessageNotText, "The message holds NUL or half of a surrogate pair, which is not text.")
    if is_blank(content):
        return Flaw(MessageEmpty, "There is nothing in the message to be seen.")
    if draft.sent_at is not None and draft.sent_at > now + skew:
        return Flaw(SentAtInFuture, "sent_at lies in the future.")
    if draft.sent_at is not None and draft.sent_at < earliest:
        return Flaw(SentAtTooEarly, f"sent_at lies before {earliest:%Y}: a clock was not set.")
    return None


def is_blank(content: str) -> bool:
    """Whether nothing of a text can be seen: white space, controls and zero-width characters only."""
    return all(
        character in _BLANK_LETTERS or unicodedata.category(character) in _INVISIBLE or character == "\ufe0f"
        for character in content
    )
