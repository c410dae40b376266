"""Conversations, messages and episodes as JSON."""

from __future__ import annotations

from typing import Any

from episodes.conversations.api import shapes
from episodes.models import Conversation, Message
from episodes.search.api import shapes as search_shapes
from episodes.search.core import EpisodeCard, SpanMessage
from episodes.search.selectors.search import EpisodeResult
from knowledge.api.rendering import render_parts
from memoryproject.rest.shapes import fill


def render_conversation(conversation: Conversation) -> shapes.Conversation:
    """One conversation."""
    return fill(
        shapes.Conversation,
        conversation,
        id=conversation.pk,
        conversation_id=conversation.pk,
        user_id=conversation.end_user.external_id,
        world=None if conversation.world is None else conversation.world.slug,
        participants={
            role: name
            for role, name in (("user", conversation.user_name), ("assistant", conversation.assistant_name))
            if name
        },
        message_count=conversation.last_seq,
        fork_seq=conversation.fork_seq or None,
    )


def render_message(message: Message) -> shapes.Message:
    """One message; of a forgotten one, only that there was one."""
    is_forgotten = message.forgotten_at is not None
    return fill(
        shapes.Message,
        message,
        id=message.pk,
        revision_of=message.revision_of_id,
        content=None if is_forgotten else message.content,
        reply_to=message.reply_to_id,
        mood="" if is_forgotten else message.mood,
    )


def render_episodes(result: EpisodeResult) -> search_shapes.Episodes:
    """A search's answer."""
    return fill(search_shapes.Episodes, result, episodes=[render_card(card) for card in result.cards])


def render_card(card: EpisodeCard) -> search_shapes.EpisodeCard:
    """One message that was found, and how it came to its place."""
    parts: Any = {**render_parts(card.parts, card.rerank_place), "features": dict(card.parts.features)}
    return fill(
        search_shapes.EpisodeCard,
        card,
        span_context=[_render_span_message(message) for message in card.span_context],
        parts=parts,
    )


def _render_span_message(message: SpanMessage) -> search_shapes.SpanMessage:
    return fill(search_shapes.SpanMessage, message, core=message.is_core)
