"""Talks of the sample that came to events: one still in the lorebook, one archived.

Doing it again changes nothing: messages have their client ids, and each belongs to one event.
"""

from __future__ import annotations

import json
from pathlib import Path

from episodes.conversations.actions.conversations import open_conversation
from episodes.conversations.core.drafts import MessageDraft
from episodes.events.actions.archive import archive_conversation
from episodes.events.actions.plans import plan_events
from episodes.events.models import EventTrigger
from factcheck.plots.actions.runs import extract_event
from factcheck.plots.proposers.offline.proposer import OfflinePlotProposer
from factcheck.posting.actions.messages import post_messages
from tenancy.models import World

ARCHIVED = "ru"
"""The language of the talk whose events are archived."""


def load_stories(world: World, source: Path) -> int:
    """How many events the sample's talks came to now. Rules extract them, whatever model is configured."""
    count = 0
    for path in sorted(source.glob("*.json")):
        told = json.loads(path.read_text(encoding="utf-8"))
        chat = open_conversation(
            tenant_id=world.tenant_id, world_id=world.pk, user_id=told["user_id"], external_id=told["external_id"]
        ).conversation
        drafts = [
            MessageDraft(
                role=each["role"],
                content=each["content"],
                language=told["language"],
                client_message_id=f"{told['external_id']}-{place}",
            )
            for place, each in enumerate(told["messages"], 1)
        ]
        post_messages(tenant_id=world.tenant_id, conversation_id=chat.pk, drafts=drafts)
        nodes = plan_events(conversation_id=chat.pk, trigger=EventTrigger.SESSION_CLOSED)
        for node in nodes:
            extract_event(node.pk, proposer=OfflinePlotProposer())
        if nodes and told["language"] == ARCHIVED:
            archive_conversation(chat.pk, by_hand=True)
        count += len(nodes)
    return count
