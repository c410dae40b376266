"""Listens for what players say about answers, and notes it in their session's preference."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from functools import partial

import redis
from django.conf import settings
from django.utils import timezone

from episodes.conversations.selectors.sessions import find_previous_answer_id, find_worlds, list_unread
from episodes.models import Message, MessageRole, NarrativeMode
from runtime.metrics import PREFERENCE_SIGNALS
from runtime.session_memory import store
from runtime.session_memory.circuit import CIRCUIT
from runtime.session_memory.core.inference import serialize_signals
from runtime.session_memory.core.keys import SessionRef
from runtime.session_memory.core.signals import Signal, read_signals


def infer_preferences(messages: Sequence[Message]) -> None:
    """Signals of messages that are in RAW are noted. Never fails for want of Redis; without a signal, no query.

    What a character says in play is none of the player's wishes, and what was said long ago is over.
    """
    if not (settings.MEMORY_ENABLED and settings.PREFERENCE_INFERENCE_ENABLED):
        return
    since = timezone.now() - dt.timedelta(seconds=settings.MEMORY_TTL_SECONDS)
    for message in messages:
        is_own = message.role == MessageRole.USER and message.frame != NarrativeMode.IN_CHARACTER
        if message.session_id and is_own and message.sent_at >= since:
            signals = read_signals(message.content)
            if signals:
                _note(message, signals)


def _note(message: Message, signals: Sequence[Signal]) -> None:
    worlds = find_worlds(conversation_ids=[message.conversation_id])
    if message.conversation_id not in worlds:
        return
    session = SessionRef(message.tenant_id, worlds[message.conversation_id], message.session_id)
    exchange = f"{message.conversation_id}:{find_previous_answer_id(message)}"
    serialized = serialize_signals(exchange, signals)
    is_noted = CIRCUIT.call(partial(_write, session=session, message_id=message.pk, serialized=serialized))
    for signal in signals:
        PREFERENCE_SIGNALS.labels(field=signal.field, outcome="noted" if is_noted else "lost").inc()
    if is_noted and list_unread(tenant_id=message.tenant_id, message_ids=[message.pk]):
        CIRCUIT.call(lambda client: store.remove_signals(client, session, [message.pk]))


def _write(client: redis.Redis, *, session: SessionRef, message_id: int, serialized: str) -> bool:
    store.note_signals(client, session, message_id, serialized)
    return True
