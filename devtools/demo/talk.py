"""What players of the sample said: posted as a game server posts it, so that facts, corrections and traces follow.

Doing it again changes nothing: every message has its client id, and what was forgotten stays forgotten.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.conf import settings

from episodes.conversations.actions.conversations import open_conversation
from episodes.conversations.core.drafts import MessageDraft
from episodes.embedding.actions.embeddings import embed_messages
from episodes.facts.actions import write_fact
from episodes.forgetting.actions.forgetting import forget_messages
from episodes.forgetting.core.selections import Selection
from episodes.models import ForgetReceipt
from factcheck.posting.actions.messages import post_messages
from knowledge.errors import EmbedderUnavailable
from knowledge.facts.core.drafts import FactDraft
from memoryproject.chat_model import ChatMessage, ChatReply
from runtime.chat.actions.events import Turn
from runtime.chat.actions.turns import name_conversation, talk
from runtime.models import Trace, TraceKind
from tenancy.core.caller import WorldRef
from tenancy.models import World

REQUESTED_BY = "sample"
TOLD_SESSION = "sample-en"
"""The session whose first reply is wrong, and mended."""


@dataclass(slots=True)
class RecordedModel:
    """Answers with lines that were written before: the sample's NPCs speak without a chat model."""

    lines: list[str] = field(default_factory=list)
    name: str = "recorded-sample"

    def chat(self, messages: Sequence[ChatMessage], *, timeout_seconds: float, max_tokens: int) -> ChatReply:
        """The next line."""
        return ChatReply(text=self.lines.pop(0), model=self.name, finish_reason="stop")

    def stream_chat(
        self, messages: Sequence[ChatMessage], *, timeout_seconds: float, max_tokens: int
    ) -> Iterator[str | ChatReply]:
        """The next line, in one piece."""
        reply = self.chat(messages, timeout_seconds=timeout_seconds, max_tokens=max_tokens)
        yield reply.text
        yield reply


def load_talk(world: World, source: Path) -> None:
    """Every session of the sample has been played."""
    for path in sorted((Path(settings.BASE_DIR) / source).glob("*.json")):
        load_session(world, path.stem, json.loads(path.read_text(encoding="utf-8")))


def load_session(world: World, name: str, document: dict[str, Any]) -> None:
    """One player's session with one NPC: messages, facts that the game states, what is forgotten, answered turns."""
    reference = WorldRef(world.pk, world.tenant_id, world.slug, world.name)
    places = {key: document[key] for key in ("party_id", "location_id", "language") if key in document}
    who = {key: document[key] for key in ("user_id", "npc_id", "session_id")}
    begin = Turn(world=reference, query="", **who, **places)
    conversation = open_conversation(
        tenant_id=world.tenant_id, world_id=world.pk, external_id=name_conversation(begin), **who
    ).conversation
    numbers = [
        _post(world, conversation.pk, f"sample-{name}-{number}", message)
        for number, message in enumerate(document["messages"], start=1)
    ]
    for fact in document.get("facts", ()):
        _state_fact(world, who["user_id"], fact, numbers)
    if document["forget"]:
        _forget(world, conversation.end_user_id, [numbers[seq - 1] for seq in document["forget"]])
    _embed(conversation.pk)
    for number, turn in enumerate(document["turns"], start=1):
        said = Turn(
            world=reference, query=turn["query"], client_message_id=f"sample-{name}-turn-{number}", **who, **places
        )
        for _ in talk(said, streamed=False, model=RecordedModel(list(turn["replies"]))):
            pass
    _embed(conversation.pk)


def find_told_trace(world: World) -> str:
    """The id of the trace to look at first: a reply that was asked for again because canon denied it."""
    traces = Trace.objects.filter(tenant_id=world.tenant_id, world=world, kind=TraceKind.CHAT, session_id=TOLD_SESSION)
    return str(traces.order_by("pk").values_list("pk", flat=True).first() or "")


def _embed(conversation_id: int) -> None:
    """Vectors at once, so that no trace of the sample says that some were missing; else the worker makes them."""
    with suppress(EmbedderUnavailable):
        embed_messages(conversation_id)


def _post(world: World, conversation_id: int, client_message_id: str, message: dict[str, str]) -> int:
    draft = MessageDraft(role=message["role"], content=message["content"], client_message_id=client_message_id)
    [posted] = post_messages(tenant_id=world.tenant_id, conversation_id=conversation_id, drafts=[draft])
    return posted.message.pk


def _state_fact(world: World, user_id: str, fact: dict[str, Any], numbers: list[int]) -> None:
    draft = FactDraft(
        type=fact["type"],
        key=fact["key"],
        value=fact["value"],
        source="explicit",
        evidence=tuple(numbers[seq - 1] for seq in fact["evidence"]),
    )
    write_fact(tenant_id=world.tenant_id, user_id=user_id, draft=draft)


def _forget(world: World, end_user_id: int, message_ids: list[int]) -> None:
    if ForgetReceipt.objects.filter(end_user_id=end_user_id, message_ids__contains=message_ids).exists():
        return
    forget_messages(
        tenant_id=world.tenant_id,
        end_user_id=end_user_id,
        selection=Selection("messages", message_ids=tuple(message_ids)),
        requested_by=REQUESTED_BY,
    )
