"""Talks that no rule has read, and runs over them."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.utils import timezone

from episodes.conversations.actions.conversations import open_conversation
from episodes.conversations.actions.messages import store_message
from episodes.conversations.core.drafts import MessageDraft
from episodes.models import Conversation, Message
from factcheck.extraction.actions.runs import extract_user
from factcheck.extraction.models import ExtractionRun
from knowledge.facts.selectors import list_facts
from tenancy.models import Tenant
from tests.factcheck.extraction.proposers import FixedProposer


def open_chat(tenant: Tenant, user: str = "player-1") -> Conversation:
    return open_conversation(tenant_id=tenant.pk, user_id=user).conversation


def say(
    chat: Conversation, *texts: str, role: str = "user", ago: dt.timedelta = dt.timedelta(), **more: Any
) -> list[Message]:
    """Messages that no rule read."""
    drafts = [MessageDraft(role=role, content=text, sent_at=timezone.now() - ago, **more) for text in texts]
    return [store_message(tenant_id=chat.tenant_id, conversation_id=chat.pk, draft=draft).message for draft in drafts]


def owner_filter(chat: Conversation) -> dict[str, int]:
    return {"tenant_id": chat.tenant_id, "end_user_id": chat.end_user_id}


def extract(chat: Conversation, proposer: FixedProposer) -> ExtractionRun:
    [run] = extract_user(**owner_filter(chat), triggered_by="manual", proposer=proposer)
    return run


def known(chat: Conversation) -> dict[tuple[str, str | None], str | None]:
    return {(fact.type, fact.key): fact.value for fact in list_facts(**owner_filter(chat))}
