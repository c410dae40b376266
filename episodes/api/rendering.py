"""Conversations, messages and episodes as JSON."""

from __future__ import annotations

from typing import Any

from episodes.api import search_shapes, shapes
from episodes.core.cards import EpisodeCard, SpanMessage
from episodes.models import Conversation, Message
from episodes.selectors.search import EpisodeResult
from knowledge.api.rendering import render_parts
from memoryproject.times import render_time


def render_conversation(conversation: Conversation) -> shapes.Conversation:
    """One conversation."""
    return {
        "id": conversation.pk,
        "external_id": conversation.external_id,
        "user_id": conversation.end_user.external_id,
        "world": None if conversation.world is None else conversation.world.slug,
        "npc_id": conversation.npc_id,
        "session_id": conversation.session_id,
        "participants": {
            role: name
            for role, name in (("user", conversation.user_name), ("assistant", conversation.assistant_name))
            if name
        },
        "message_count": conversation.last_seq,
        "trunk_id": conversation.trunk_id,
        "fork_seq": conversation.fork_seq or None,
        "created_at": render_time(conversation.created_at),
        "last_message_at": render_time(conversation.last_message_at),
    }


def render_message(message: Message) -> shapes.Message:
    """One message; of a forgotten one, only that there was one."""
    is_forgotten = message.forgotten_at is not None
    return {
        "id": message.pk,
        "conversation_id": message.conversation_id,
        "seq": message.seq,
        "alternative": message.alternative,
        "is_current": message.is_current,
        "revision_of": message.revision_of_id,
        "role": message.role,
        "content": None if is_forgotten else message.content,
        "reply_to": message.reply_to_id,
        "npc_id": message.npc_id,
        "session_id": message.session_id,
        "language": message.language,
        "frame": message.frame,
        "memory_type": message.memory_type,
        "mood": "" if is_forgotten else message.mood,
        "response_description": message.response_description,
        "client_message_id": message.client_message_id,
        "sent_at": render_time(message.sent_at),
        "created_at": render_time(message.created_at),
        "forgotten_at": render_time(message.forgotten_at),
    }


def render_episodes(result: EpisodeResult) -> search_shapes.Episodes:
    """A search's answer."""
    return {
        "query": result.query,
        "degraded": list(result.degraded),
        "embedder": result.embedder,
        "episodes": [render_card(card) for card in result.cards],
    }


def render_card(card: EpisodeCard) -> search_shapes.EpisodeCard:
    """One message that was found, and how it came to its place."""
    parts: Any = {**render_parts(card.parts, card.rerank_place), "features": dict(card.parts.features)}
    return {
        "message_id": card.message_id,
        "conversation_id": card.conversation_id,
        "seq": card.seq,
        "sent_at": render_time(card.sent_at),
        "role": card.role,
        "npc_id": card.npc_id,
        "memory_type": card.memory_type,
        "mood": card.mood,
        "language": card.language,
        "raw_excerpt": card.raw_excerpt,
        "snippet": card.snippet,
        "span_context": [_render_span_message(message) for message in card.span_context],
        "score": card.score,
        "parts": parts,
    }


def _render_span_message(message: SpanMessage) -> search_shapes.SpanMessage:
    return {
        "message_id": message.message_id,
        "seq": message.seq,
        "role": message.role,
        "text": message.text,
        "core": message.is_core,
        "cosine": message.cosine,
    }
