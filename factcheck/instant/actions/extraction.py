"""Reading a message by the patterns of now: pure CPU, no lock and no query."""

from __future__ import annotations

import datetime as dt
from typing import cast

from episodes.models import Message, MessageRole
from factcheck.core.message_extraction import NOTHING_READ, Reading
from factcheck.instant.change_reader import may_change
from factcheck.instant.core.answers import may_answer
from factcheck.instant.core.corrections import may_correct
from factcheck.instant.core.narrative_modes import NarrativeMode
from factcheck.instant.registry import get_compiled
from factcheck.instant.scorer import get_scorer

MAX_MESSAGES_BY_MEANING = 10
"""Of one request. A longer batch is history: patterns alone read it at once, the worker hears its meaning."""


def read_message(
    *,
    tenant_id: int,
    role: str,
    content: str,
    mode: str,
    said_at: dt.datetime,
    end_user_id: int,
    previous: str = "",
    by_meaning: bool = True,
) -> Reading:
    """What a player's message says; nothing of what assistants and systems say, and no words of a character.

    `previous` is the assistant's message that it answers, where that is known. Without `by_meaning` patterns hear
    alone.
    """
    if role != MessageRole.USER:
        return NOTHING_READ
    version = get_compiled()
    facts = version.extract(
        content,
        tenant_id=tenant_id,
        user_key=str(end_user_id),
        now=said_at,
        mode=cast("NarrativeMode", mode),
        previous=previous,
        scorer=get_scorer() if by_meaning else None,
    )
    is_correcting = may_correct(content, compiled=version.patterns)
    if not is_correcting and by_meaning and mode != "in_character":
        is_correcting = may_change(content, previous=previous)
    is_open = not facts or any(fact.answers_previous for fact in facts)
    is_answering = is_open and may_answer_claim(role, content, mode)
    reading = Reading(tuple(facts), is_correcting, is_answering, previous, by_meaning)
    return reading if reading.says_something else NOTHING_READ


def may_answer_claim(role: str, content: str, mode: str) -> bool:
    """Whether what the assistant said right before may decide what a message means."""
    is_own = role == MessageRole.USER and mode != "in_character"
    return is_own and may_answer(content, concepts=get_compiled().concepts)


def read_kept(message: Message, *, end_user_id: int, previous: str = "", by_meaning: bool = True) -> Reading:
    """What a message that has its place says by the patterns of now, its events counted from when it was said."""
    return read_message(
        tenant_id=message.tenant_id,
        role=message.role,
        content=message.content,
        mode=message.frame,
        said_at=message.said_at,
        end_user_id=end_user_id,
        previous=previous,
        by_meaning=by_meaning,
    )
