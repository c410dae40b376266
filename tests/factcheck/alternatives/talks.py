"""Talks that are edited, swiped and branched."""

from __future__ import annotations

from episodes.alternatives.actions import AlternativeDraft
from episodes.conversations.core.drafts import MessageDraft
from factcheck.alternatives.actions import add_swipe, edit_message, select_message
from factcheck.posting.actions.messages import post_messages
from knowledge.facts.selectors import list_facts


def say(chat, *lines):
    drafts = [MessageDraft(role=role, content=text) for role, text in lines]
    return [each.message for each in post_messages(tenant_id=chat.tenant_id, conversation_id=chat.pk, drafts=drafts)]


def swipe(chat, seq, text):
    return add_swipe(
        tenant_id=chat.tenant_id,
        conversation_id=chat.pk,
        seq=seq,
        draft=AlternativeDraft(text),
        requested_by="test",
    )


def edit(message, text, **more):
    return edit_message(
        tenant_id=message.tenant_id, message_id=message.pk, draft=AlternativeDraft(text, **more), requested_by="test"
    )


def select(message):
    return select_message(tenant_id=message.tenant_id, message_id=message.pk, requested_by="test")


def known(chat):
    facts = list_facts(tenant_id=chat.tenant_id, end_user_id=chat.end_user_id)
    return {(fact.type, fact.key): fact.value for fact in facts}
