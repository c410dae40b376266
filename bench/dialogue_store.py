"""Folders of dialogue stored as conversations: each ns one user with one conversation, messages with speaker and
time."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import dateparser

from bench.report import Report
from episodes.conversations.actions.conversations import open_conversation
from episodes.conversations.actions.messages import MAX_BATCH_SIZE, store_messages
from episodes.conversations.core.drafts import MessageDraft
from episodes.embedding.actions.embeddings import embed_messages
from episodes.models import Conversation, MessagePassage
from knowledge.errors import EmbedderUnavailable
from knowledge.search.models import EmbeddingState
from tenancy.actions.worlds import ensure_tenant

MAX_TRIES = 5
FIRST_WAIT_SECONDS = 5.0
ROLES = ("user", "assistant")


@dataclass(frozen=True)
class StoredDialogue:
    """A conversation, and the corpus' key of each message and of each passage."""

    conversation: Conversation
    keys: Mapping[int, str]

    def name_passages(self) -> dict[int, str]:
        """The corpus' key of each passage."""
        rows = MessagePassage.objects.filter(conversation=self.conversation).values_list("pk", "message_id")
        return {pk: self.keys[message_id] for pk, message_id in rows}


def store_dialogue(report: Report, label: str, lines: Sequence[Mapping[str, Any]]) -> StoredDialogue:
    """The messages of one ns, word for word; whoever speaks first is the user. Waits for an embedder that fails."""
    speakers = list(dict.fromkeys(name_speaker(line) for line in lines))
    participants = {
        role: name for role, name in zip(ROLES, speakers, strict=False) if name and name.lower() not in ROLES
    }
    conversation = open_conversation(
        tenant_id=ensure_tenant(slug="bench").pk, user_id=label[:200], participants=participants
    ).conversation
    keys: dict[int, str] = {}
    times = list_times(lines)
    for start in range(0, len(lines), MAX_BATCH_SIZE):
        part = lines[start : start + MAX_BATCH_SIZE]
        drafts = [
            MessageDraft(
                "user" if name_speaker(line) == speakers[0] else "assistant", line["text"], sent_at=times[start + place]
            )
            for place, line in enumerate(part)
        ]
        messages = store_messages(tenant_id=conversation.tenant_id, conversation_id=conversation.pk, drafts=drafts)
        keys.update({each.message.pk: line["_id"] for each, line in zip(messages, part, strict=True)})
    embedded = _embed_all(report, conversation)
    report.say(f"{label}: {len(lines)} messages, {embedded} with vectors")
    return StoredDialogue(conversation, keys)


def name_speaker(line: Mapping[str, Any]) -> str:
    """Who speaks: as the row says, else what stands before the first colon."""
    return str(line.get("speaker") or line["text"].partition(":")[0])


def list_times(lines: Sequence[Mapping[str, Any]]) -> list[dt.datetime | None]:
    """When each message was said; one that does not say was said with the one before it."""
    times: list[dt.datetime | None] = []
    for line in lines:
        times.append(_parse_time(str(line.get("time") or "")) or (times[-1] if times else None))
    return times


@lru_cache(maxsize=10_000)
def _parse_time(said: str) -> dt.datetime | None:
    if not said.strip():
        return None
    return dateparser.parse(
        said, languages=["en"], settings={"DATE_ORDER": "DMY", "TIMEZONE": "UTC", "RETURN_AS_TIMEZONE_AWARE": True}
    )


def _embed_all(report: Report, conversation: Conversation) -> int:
    """How many messages have vectors, once none waits or the embedder failed too often in a row."""
    waiting = MessagePassage.objects.filter(conversation=conversation, embedding_state=EmbeddingState.PENDING)
    failures = 0
    while failures < MAX_TRIES and waiting.exists():
        try:
            if embed_messages(conversation.pk).done:
                failures = 0
                continue
            reason = "nothing was embedded"
        except EmbedderUnavailable as error:
            reason = str(error)
        wait = FIRST_WAIT_SECONDS * 2**failures
        failures += 1
        report.say(f"{reason}; try {failures} of {MAX_TRIES}, {wait:.0f} s until the next")
        time.sleep(wait)
    return MessagePassage.objects.filter(conversation=conversation, embedding_state=EmbeddingState.DONE).count()
