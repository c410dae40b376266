"""What a turn of talk is, the events that it is made of, and the record of how it went."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Literal

from django.conf import settings

from episodes.models import Message
from factcheck.core.message_extraction import EMPTY_EXTRACTION, MessageExtraction
from knowledge.notebook.selectors.memberships import Seat
from memoryproject.chat_model import ChatReply
from runtime.chat.actions.reply_check import ReplyCheck
from runtime.context.pipeline import AssembledContext
from runtime.traces.core.costs import NO_USAGE, Prices, Usage, add_usage, sum_usage
from tenancy.core.caller import WorldRef


@dataclass(frozen=True, slots=True)
class Turn:
    """One thing that a player says to an NPC in a session."""

    world: WorldRef
    npc_id: str
    session_id: str
    query: str
    user_id: str
    """The player; who the game does not name is known by the session."""
    client_message_id: str | None = None
    party_id: str | None = None
    scene_id: str | None = None
    location_id: str | None = None
    mood: str = ""
    memory_type: str = ""
    language: str | None = None
    request_id: str = ""


@dataclass(frozen=True, slots=True)
class MessageAccepted:
    """The player's words are in RAW."""

    conversation_id: int
    message_id: int


@dataclass(frozen=True, slots=True)
class TextDelta:
    """The next words of the reply, as the model says them."""

    text: str


@dataclass(frozen=True, slots=True)
class ReplyRetracted:
    """What was said so far may not stand; the reply begins anew."""

    reason: Literal["contradiction", "language", "answered"]
    """`answered`: the same turn, sent twice, has got its reply meanwhile, which comes now."""


@dataclass(frozen=True, slots=True)
class ReplyCompleted:
    """The reply, in RAW."""

    conversation_id: int
    message_id: int
    reply: str
    reply_message_id: int
    language: str
    check: ReplyCheck | None
    """None for the repeat of a turn that was answered meanwhile; later ones are told as the first."""
    was_asked_again: bool = False
    degraded: tuple[str, ...] = ()
    trace_id: str | None = None
    usage: Usage = NO_USAGE
    extraction: MessageExtraction = EMPTY_EXTRACTION
    """What the player's message says about the player; of a repeat, what it said the first time."""


TalkEvent = MessageAccepted | TextDelta | ReplyRetracted | ReplyCompleted


@dataclass
class ChatTurnState:
    """What a turn did so far, for its trace."""

    turn: Turn
    conversation_id: int
    message: Message
    extraction: MessageExtraction = EMPTY_EXTRACTION
    context: AssembledContext | None = None
    replies: list[ChatReply] = field(default_factory=list)
    checks: list[ReplyCheck] = field(default_factory=list)
    degraded: list[str] = field(default_factory=list)
    steps_ms: dict[str, float] = field(default_factory=dict)
    seat: Seat | None = None
    """The NPC's notebook with the player; None where the world has none."""
    shown: list[str] = field(default_factory=list)
    """What the model was told: a command that it only repeats from there is none."""

    def time(self, name: str, since: float) -> None:
        """Note how long a step took; `since` is of `time.perf_counter`."""
        self.steps_ms[name] = self.steps_ms.get(name, 0.0) + (time.perf_counter() - since) * 1000

    def count_usage(self) -> Usage:
        """Tokens of the replies and of their checks so far, each at its model's prices."""
        checked = [call for check in self.checks for call in check.calls]
        said = add_usage(self.replies, Prices(settings.CHAT_PRICE_PROMPT, settings.CHAT_PRICE_COMPLETION))
        if not checked:
            return said
        return sum_usage(said, add_usage(checked, Prices(settings.CHECK_PRICE_PROMPT, settings.CHECK_PRICE_COMPLETION)))
