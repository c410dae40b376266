"""Conversations and messages. A line is the user's text, or a pair of role and text."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from django.utils import timezone

from episodes.conversations.actions.conversations import open_conversation
from episodes.conversations.actions.messages import store_messages
from episodes.conversations.core.drafts import MessageDraft
from episodes.models import Conversation, Message
from factcheck.posting.actions.messages import PostedMessage, post_messages
from tenancy.models import Tenant, World

Line = str | tuple[str, str]


def open_chat(tenant: Tenant, user: str = "player-1", *, world: World | None = None, **more: Any) -> Conversation:
    """A player's conversation; without an `external_id` each call opens another."""
    world_id = None if world is None else world.pk
    return open_conversation(tenant_id=tenant.pk, user_id=user, world_id=world_id, **more).conversation


def make_drafts(*lines: Line, role: str = "user", ago: dt.timedelta | None = None, **more: Any) -> list[MessageDraft]:
    """Messages as a game sends them; `ago` before now, where it is given."""
    if ago is not None:
        more["sent_at"] = timezone.now() - ago
    pairs = [(role, line) if isinstance(line, str) else line for line in lines]
    return [MessageDraft(role=role, content=text, **more) for role, text in pairs]


def say(chat: Conversation, *lines: Line, **more: Any) -> list[Message]:
    """Messages that are stored and that no rule reads."""
    drafts = make_drafts(*lines, **more)
    stored = store_messages(tenant_id=chat.tenant_id, conversation_id=chat.pk, drafts=drafts)
    return [each.message for each in stored]


def say_alternately(chat: Conversation, texts: Sequence[str], *, first: str = "user", **more: Any) -> list[Message]:
    """Messages of player and narrator in alternation, stored and not read."""
    roles = ("user", "assistant") if first == "user" else ("assistant", "user")
    return say(chat, *((roles[index % 2], text) for index, text in enumerate(texts)), **more)


def post_and_extract(chat: Conversation, *lines: Line, **more: Any) -> list[PostedMessage]:
    """Messages that the rules read as they are posted, each with what was extracted."""
    drafts = make_drafts(*lines, **more)
    return post_messages(tenant_id=chat.tenant_id, conversation_id=chat.pk, drafts=drafts)


def post(chat: Conversation, *lines: Line, **more: Any) -> list[Message]:
    """Messages that the rules read as they are posted."""
    return [each.message for each in post_and_extract(chat, *lines, **more)]
