"""All that is known of one player, for a person who must explain it: facts with their reasons, and how they came."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q
from django.utils import timezone

from episodes.alternatives.histories import PlaceHistory, load_place_histories
from episodes.conversations.selectors.conversations import mask_gone
from episodes.facts.core import Quote, Segment, split_excerpt, split_segments
from episodes.facts.selectors.evidence import list_evidence_messages
from episodes.facts.selectors.quotes import find_quotes, list_quote_ranges
from episodes.models import Conversation, Erasure, ForgetReceipt, Message, MessageRole, TalkSummary
from knowledge.facts.models import MemoryCorrection, UserFact
from knowledge.facts.sealing import get_key_ring
from knowledge.facts.selectors import FactView, list_corrections
from knowledge.facts.selectors.facts import view_fact
from tenancy.models import EndUser

MAX_FACTS = 200
MAX_EVENTS = 100
MAX_CONVERSATIONS = 50
MAX_MESSAGES = 100


@dataclass(frozen=True, slots=True)
class FactMessage:
    """A message that proves or explains a fact, its excerpt with the words marked that state the fact."""

    message: Message
    is_source: bool
    """Whether it proves the fact; else it only stands beside one that does."""
    segments: tuple[Segment, ...]
    """Empty where the message is forgotten."""


@dataclass(frozen=True, slots=True)
class KnownFact:
    """A version of a fact, where it stands, and the messages that prove and explain it, in their order."""

    fact: FactView
    status: str
    messages: tuple[FactMessage, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """One entry of the timeline."""

    at: dt.datetime
    text: str
    reason: str = ""
    made_by: str = ""


@dataclass(frozen=True, slots=True)
class PlayerMemory:
    """What a support person sees of a player."""

    facts: tuple[KnownFact, ...]
    timeline: tuple[Change, ...]
    conversations: tuple[Conversation, ...]


@dataclass(frozen=True, slots=True)
class CausedMessage:
    """A message, what it says (None once it is forgotten), and what it caused.

    The segments are the content with the words marked that state its facts or make its corrections.
    """

    message: Message
    content: str | None
    segments: tuple[Segment, ...]
    facts: tuple[FactView, ...]
    corrections: tuple[MemoryCorrection, ...]
    is_neighbour: bool
    """Whether it only stands beside a message that proves a fact."""
    snippet: str = ""
    """What a model made of it."""
    story: PlaceHistory | None = None
    """What else stood at its place."""


def get_player_memory(user: EndUser) -> PlayerMemory:
    """All of it, newest first. Six queries, however much there is. Raises FactKeysMissing."""
    facts = _list_facts(user)
    wanted = {message_id for fact in facts for message_id in (*fact.evidence, *fact.evidence_span)}
    rows = list_evidence_messages(tenant_id=user.tenant_id, end_user_id=user.pk, message_ids=wanted)
    proving = {pk for fact in facts for pk in fact.evidence}
    quotes = _read_quotes(rows, proving, end_user_id=user.pk)
    known = tuple(KnownFact(fact, get_fact_status(fact), _list_fact_messages(fact, rows, quotes)) for fact in facts)
    conversations = Conversation.objects.filter(tenant_id=user.tenant_id, end_user_id=user.pk).order_by("-id")
    return PlayerMemory(known, _build_timeline(user, facts), tuple(conversations[:MAX_CONVERSATIONS]))


def list_caused_messages(conversation: Conversation, *, before: int | None = None) -> list[CausedMessage]:
    """The last messages of a conversation (before a place), each with what it caused. Three queries."""
    rows = Message.objects.seen_in(conversation).filter(is_current=True).select_related("snippet")
    if before is not None:
        rows = rows.filter(seq__lt=before)
    messages = mask_gone(conversation, rows.order_by("-seq")[:MAX_MESSAGES])[::-1]
    ids = [message.pk for message in messages]
    owner_filter = {"tenant_id": conversation.tenant_id, "end_user_id": conversation.end_user_id}
    ring = get_key_ring()
    around = UserFact.objects.filter(Q(evidence__overlap=ids) | Q(evidence_span__overlap=ids), **owner_filter)
    facts = [view_fact(row, ring) for row in around.order_by("pk")]
    proving = {pk for fact in facts for pk in fact.evidence}
    beside = {pk for fact in facts for pk in fact.evidence_span} - proving
    corrections = list(MemoryCorrection.objects.filter(**owner_filter, trigger_message_id__in=ids).order_by("pk"))
    quotes = _read_quotes(messages, proving, end_user_id=conversation.end_user_id)
    stories = load_place_histories(messages)
    return [
        _build_caused(
            message,
            [fact for fact in facts if message.pk in fact.evidence],
            [each for each in corrections if each.trigger_message_id == message.pk],
            quotes.get(message.pk, ()),
            is_neighbour=message.pk in beside,
            story=stories.get(message.pk),
        )
        for message in messages
    ]


def list_summaries(conversation: Conversation) -> list[TalkSummary]:
    """What a model made of the conversation's talk that left the window, one for each NPC and session. One query."""
    return list(TalkSummary.objects.filter(conversation=conversation).exclude(text="").order_by("-updated_at", "-pk"))


def get_fact_status(fact: FactView) -> str:
    """Where a fact stands: active, disputed, expired, or why it ended."""
    if not fact.is_active:
        return fact.ended_reason
    if fact.expires_at is not None and fact.expires_at <= timezone.now():
        return "expired"
    return "disputed" if fact.is_disputed else "active"


_Quotes = Mapping[int, Sequence[Quote]]
"""Message to all that it states."""


def _read_quotes(rows: Sequence[Message], proving: Collection[int], *, end_user_id: int) -> _Quotes:
    """Those of the messages that prove facts, each read once. The rows stand in the order of their conversations."""
    return {
        row.pk: find_quotes(row, end_user_id=end_user_id, previous=_get_question(previous, row))
        for previous, row in zip([None, *rows], rows, strict=False)
        if row.pk in proving
    }


def _list_fact_messages(fact: FactView, rows: Sequence[Message], quotes: _Quotes) -> tuple[FactMessage, ...]:
    own = [row for row in rows if row.pk in fact.evidence or row.pk in fact.evidence_span]
    return tuple(_mark_fact(row, fact, quotes) for row in own)


def _mark_fact(row: Message, fact: FactView, quotes: _Quotes) -> FactMessage:
    is_source = row.pk in fact.evidence
    if row.forgotten_at is not None:
        return FactMessage(row, is_source, ())
    ranges = list_quote_ranges(quotes.get(row.pk, ()), [fact]) if is_source else []
    return FactMessage(row, is_source, tuple(split_excerpt(row.content, ranges, memory_type=row.memory_type)))


def _get_question(previous: Message | None, row: Message) -> str:
    """What the assistant said just before the message; empty where that is not known."""
    if previous is None or previous.role != MessageRole.ASSISTANT or previous.forgotten_at is not None:
        return ""
    is_next = previous.conversation_id == row.conversation_id and previous.seq == row.seq - 1
    return previous.content if is_next else ""


def _build_caused(
    message: Message,
    facts: Sequence[FactView],
    corrections: Sequence[MemoryCorrection],
    quotes: Sequence[Quote],
    *,
    is_neighbour: bool,
    story: PlaceHistory | None,
) -> CausedMessage:
    content = None if message.forgotten_at else message.content
    segments = split_segments(content or "", list_quote_ranges(quotes, facts, corrections))
    snippet = None if content is None else getattr(message, "snippet", None)
    told = "" if snippet is None else snippet.text
    return CausedMessage(message, content, tuple(segments), tuple(facts), tuple(corrections), is_neighbour, told, story)


def _list_facts(user: EndUser) -> list[FactView]:
    rows = UserFact.objects.filter(tenant_id=user.tenant_id, end_user_id=user.pk).order_by("-is_active", "type", "-id")
    ring = get_key_ring()
    return [view_fact(row, ring) for row in rows[:MAX_FACTS]]


def _build_timeline(user: EndUser, facts: Sequence[FactView]) -> tuple[Change, ...]:
    changes = [Change(fact.valid_from, f"{_name(fact)} became known ({fact.source})") for fact in facts]
    changes += [
        Change(fact.valid_to, f"{_name(fact)} ended: {fact.ended_reason}")
        for fact in facts
        if fact.valid_to is not None
    ]
    corrections = list_corrections(tenant_id=user.tenant_id, end_user_id=user.pk)[:MAX_EVENTS]
    changes += [
        Change(
            each.created_at,
            f"Correction ({each.get_correction_type_display()}): {each.outcome}"
            + (f" #{each.fact_id}" if each.fact_id else ""),
            each.reason,
            each.made_by,
        )
        for each in corrections
    ]
    receipts = ForgetReceipt.objects.filter(tenant_id=user.tenant_id, end_user_id=user.pk).order_by("-created_at")
    changes += [
        Change(each.created_at, f"Forgotten ({each.asked['scope']}): {each.cleared['messages']} messages, "
               f"{each.cleared['facts']} facts; {each.state}", made_by=each.requested_by)
        for each in receipts.defer("message_ids", "work")[:MAX_EVENTS]
    ]  # fmt: skip
    erasures = Erasure.objects.filter(tenant_id=user.tenant_id, end_user_id=user.pk).order_by("-id")
    changes += [Change(each.created_at, "Erased", each.reason, each.requested_by) for each in erasures[:MAX_EVENTS]]
    return tuple(sorted(changes, key=lambda change: change.at, reverse=True)[:MAX_EVENTS])


def _name(fact: FactView) -> str:
    told = f"{fact.type} “{fact.value}”" if fact.value is not None else f"{fact.type} (gone)"
    return f"{told} #{fact.id}"
