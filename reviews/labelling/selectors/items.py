"""What a reviewer sees of an item before the verdict: words in context, proposal, gate, and what is known now.

Neither confidence nor the verdicts of others: those come after (`reviews.labelling.selectors.aftermath`). A gold item
looks like any other.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.db.models import Q

from episodes.facts.core import Segment, split_segments
from episodes.models import Message, MessageRole
from factcheck.extraction.core.verdicts import VerdictCode
from factcheck.extraction.models import (
    DeltaOutcome,
    ExtractionDelta,
    ExtractionSample,
    RunMessage,
    SampleKind,
)
from factcheck.extraction.sealing import DELTA, open_document
from factcheck.extraction.selectors.own_facts import find_own_fact
from knowledge.facts.core.types import GUARANTEED_TYPES, SOFT_TYPES
from knowledge.facts.models import FACT_TYPE_CHOICES, UserFact
from knowledge.facts.sealing import get_key_ring
from knowledge.facts.selectors import FactView, find_active_fact
from knowledge.facts.selectors.facts import view_fact
from reviews.errors import SampleGone
from reviews.labelling.core.pseudonyms import build_pseudonym
from reviews.labelling.models import GoldItem, SampleLease

AROUND = 3
"""Messages before and after a quoted one."""
MAX_RUN_MESSAGES = 120
OPERATIONS: Final = {
    "ADD": "New fact",
    "UPDATE": "Another value",
    "REMOVE": "No longer so",
    "CONFIRM": "Said again",
}
GATE: Final[dict[str, str]] = {
    VerdictCode.ACCEPTED: "quote, speaker, anchor and value were found",
    VerdictCode.MALFORMED: "not well formed",
    VerdictCode.CANARY: "words of the prompt's examples",
    VerdictCode.FACT_UNKNOWN: "names a fact that is not known",
    VerdictCode.SUBJECT: "about somebody else",
    VerdictCode.STANCE: "not asserted",
    VerdictCode.LOW_CONFIDENCE: "the proposer was unsure",
    VerdictCode.EVIDENCE_UNKNOWN: "names no message of this player",
    VerdictCode.QUOTE_NOT_FOUND: "the quote stands in no message",
    VerdictCode.NOT_SAID_BY_USER: "the player did not say it",
    VerdictCode.FICTION: "said in character",
    VerdictCode.ECHO: "repeats what the player was told",
    VerdictCode.NO_ANCHOR: "no word of this type stands there",
    VerdictCode.VALUE_NOT_SAID: "the value does not stand there",
    VerdictCode.GUARDED: "a question, a condition or a joke",
    VerdictCode.DUPLICATE: "proposed twice",
}
OUTCOMES: Final[dict[str, str]] = {
    DeltaOutcome.REJECTED: "nothing came of it",
    DeltaOutcome.SHADOWED: "nothing was written: the extractor only watches",
    DeltaOutcome.CANDIDATE: "it waits for more evidence",
    DeltaOutcome.WRITTEN: "it became a fact",
    DeltaOutcome.SUPERSEDED: "it took another value's place",
    DeltaOutcome.CONFIRMED: "it confirmed a fact",
    DeltaOutcome.DISPUTED: "it put a fact in doubt",
    DeltaOutcome.ENDED: "it ended a fact",
    DeltaOutcome.OUTDATED: "something later is known",
}

SOFT_OPERATION: Final = "Taste, mood or habit"
SOFT_GATE: Final[dict[str, str]] = {
    VerdictCode.ACCEPTED: "said in two sessions, by the player and meant",
    VerdictCode.NO_ANCHOR: "said in one session only",
}
SOFT_OUTCOMES: Final[dict[str, str]] = {DeltaOutcome.CANDIDATE: "it is kept for people to see, and is never a fact"}


@dataclass(frozen=True, slots=True)
class ShownMessage:
    """A message of the talk. `place` is what a form names it by; `is_gap`: messages are left out before it."""

    place: int
    is_player: bool
    segments: tuple[Segment, ...]
    is_quoted: bool
    can_be_marked: bool
    is_gap: bool = False


@dataclass(frozen=True, slots=True)
class Proposal:
    """What was proposed, in plain words."""

    operation: str
    type: str
    key: str
    value: str


@dataclass(frozen=True, slots=True)
class ItemView:
    """One item of the queue. `live_fact_id`: a fact that a wrong verdict may end."""

    lease_id: int
    kind: str
    player: str
    language: str
    said_on: dt.date
    messages: tuple[ShownMessage, ...]
    proposal: Proposal | None = None
    gate: str = ""
    is_let_through: bool = False
    outcome: str = ""
    known: str = ""
    found: tuple[str, ...] = ()
    """Of a run: what it found, so that nobody calls it missing."""
    live_fact_id: int | None = None

    @property
    def is_run(self) -> bool:
        """Whether it asks for what was missed."""
        return self.kind == SampleKind.RUN


def view_item(lease: SampleLease) -> ItemView:
    """What the reviewer sees. Raises SampleGone where its words were forgotten. At most seven queries."""
    if lease.gold_id is not None:
        return _view_gold(lease, GoldItem.objects.get(pk=lease.gold_id))
    sample = ExtractionSample.objects.select_related("delta", "run").get(leases=lease)
    if sample.is_gone:
        raise SampleGone("Its words were forgotten: there is nothing left to label.")
    return _view_run(lease, sample) if sample.delta is None else _view_delta(lease, sample, sample.delta)


def get_pseudonym(*, tenant_id: int, end_user_id: int) -> str:
    """What reviewers call the player."""
    return build_pseudonym(settings.FACT_INDEX_KEY, tenant_id=tenant_id, end_user_id=end_user_id)


def open_words(delta: ExtractionDelta) -> dict[str, Any]:
    """Key, value and quotes of a proposal. Raises SampleGone where they were forgotten."""
    if not bytes(delta.words_sealed):
        raise SampleGone("Its words were forgotten: there is nothing left to label.")
    words: dict[str, Any] = open_document(
        bytes(delta.words_sealed), tenant_id=delta.tenant_id, end_user_id=delta.end_user_id, kind=DELTA
    )
    return words


def list_talk(delta: ExtractionDelta, words: Mapping[str, Any]) -> list[Message]:
    """The quoted messages with those around them, in order.

    Raises SampleGone where a quoted one was forgotten, or where there is none to show.
    """
    wanted = sorted({*delta.evidence, *(quote["message_id"] for quote in words["quotes"] if quote["message_id"])})
    own = Message.objects.filter(tenant_id=delta.tenant_id, conversation__end_user_id=delta.end_user_id)
    quoted = list(own.living().filter(pk__in=wanted).values_list("pk", "conversation_id", "seq"))
    if len(quoted) < len(wanted):
        raise SampleGone("A message of it was forgotten: there is nothing left to label.")
    around = Q(pk__in=[])
    for _, conversation_id, seq in quoted:
        around |= Q(conversation_id=conversation_id, seq__gte=seq - AROUND, seq__lte=seq + AROUND)
    rows = own.living().filter(around).exclude(role=MessageRole.SYSTEM)
    talk = list(rows.order_by("conversation_id", "seq"))
    if not talk:
        raise SampleGone("No message of it can be shown: there is nothing to label.")
    return talk


def _view_delta(lease: SampleLease, sample: ExtractionSample, delta: ExtractionDelta) -> ItemView:
    words = open_words(delta)
    talk = list_talk(delta, words)
    ranges = _list_ranges(delta, words, talk)
    live = find_own_fact(delta)
    operation, gate, outcome = describe_delta(delta)
    return ItemView(
        lease_id=lease.pk,
        kind=sample.kind,
        player=get_pseudonym(tenant_id=sample.tenant_id, end_user_id=sample.end_user_id),
        language=delta.language or sample.language,
        said_on=_find_day(talk, ranges),
        messages=_show(talk, ranges),
        proposal=Proposal(operation, describe_type(delta.type), str(words["key"] or ""), str(words["value"] or "")),
        gate=gate,
        is_let_through=delta.verdict == VerdictCode.ACCEPTED,
        outcome=outcome,
        known=_describe_known(sample, delta, str(words["key"] or "")),
        live_fact_id=live.pk if live else None,
    )


def _view_run(lease: SampleLease, sample: ExtractionSample) -> ItemView:
    """The messages that a run read, the player's to be marked. Raises SampleGone where one was forgotten since."""
    read = list(RunMessage.objects.filter(run_id=sample.run_id).values_list("message_id", flat=True))
    own = Message.objects.filter(tenant_id=sample.tenant_id, conversation__end_user_id=sample.end_user_id)
    said = list(own.living().filter(pk__in=read).values_list("conversation_id", "seq"))
    if not said or len(said) < len(read):
        raise SampleGone("A message of it was forgotten: there is nothing left to label.")
    around = Q(pk__in=[])
    for conversation_id in {conversation_id for conversation_id, _ in said}:
        seqs = [seq for each, seq in said if each == conversation_id]
        around |= Q(conversation_id=conversation_id, seq__gte=min(seqs) - 1, seq__lte=max(seqs) + 1)
    rows = own.living().filter(around).exclude(role=MessageRole.SYSTEM).order_by("conversation_id", "seq")
    talk = list(rows[:MAX_RUN_MESSAGES])
    return ItemView(
        lease_id=lease.pk,
        kind=sample.kind,
        player=get_pseudonym(tenant_id=sample.tenant_id, end_user_id=sample.end_user_id),
        language=sample.language,
        said_on=talk[-1].sent_at.date(),
        messages=_show(talk, {}, markable=set(read)),
        found=_list_found(sample),
    )


def _list_found(sample: ExtractionSample) -> tuple[str, ...]:
    """What the run proposed, type and value, whatever the gate said of it."""
    deltas = ExtractionDelta.objects.filter(run_id=sample.run_id).exclude(words_sealed=b"").order_by("position")
    return tuple(f"{describe_type(delta.type)}: {open_words(delta)['value']}" for delta in deltas)


def _view_gold(lease: SampleLease, gold: GoldItem) -> ItemView:
    """A gold item in the clothes of a sample: a player and a day of its own."""
    content, proposal = gold.content, gold.content.get("proposal")
    draw = int.from_bytes(hashlib.sha256(f"{gold.slug}:{lease.tenant_id}".encode()).digest()[:4])
    messages = tuple(
        ShownMessage(
            place=place,
            is_player=each["role"] == "user",
            segments=tuple(split_segments(each["text"], _find_quote(proposal, place, each["text"]))),
            is_quoted=bool(_find_quote(proposal, place, each["text"])),
            can_be_marked=proposal is None and each["role"] == "user",
        )
        for place, each in enumerate(content["messages"], 1)
    )
    shown = ItemView(
        lease_id=lease.pk,
        kind=gold.kind,
        player=get_pseudonym(tenant_id=lease.tenant_id, end_user_id=-gold.pk),
        language=gold.language,
        said_on=lease.taken_at.date() - dt.timedelta(days=1 + draw % 9),
        messages=messages,
    )
    if proposal is None:
        return shown
    verdict = proposal.get("gate", VerdictCode.ACCEPTED)
    facts = [each for each in content["facts"] if each["type"] == proposal["type"]]
    return ItemView(
        **{field: getattr(shown, field) for field in ("lease_id", "kind", "player", "language", "said_on", "messages")},
        proposal=Proposal(
            OPERATIONS[proposal["operation"]], describe_type(proposal["type"]), proposal["key"], proposal["value"]
        ),
        gate=GATE.get(verdict, verdict),
        is_let_through=verdict == VerdictCode.ACCEPTED,
        outcome=OUTCOMES[DeltaOutcome.CANDIDATE if verdict == VerdictCode.ACCEPTED else DeltaOutcome.REJECTED],
        known=", ".join(each["value"] for each in facts),
    )


def _find_quote(proposal: Mapping[str, Any] | None, place: int, text: str) -> list[tuple[int, int]]:
    if proposal is None or proposal["message"] != place:
        return []
    start = text.index(proposal["quote"])
    return [(start, start + len(proposal["quote"]))]


def _list_ranges(
    delta: ExtractionDelta, words: Mapping[str, Any], talk: Sequence[Message]
) -> dict[int, list[tuple[int, int]]]:
    """Where the quotes stand: by the gate's offsets, else where their words are found. A message that was named, but
    does not hold the quote, has an empty list.
    """
    ranges: dict[int, list[tuple[int, int]]] = {message_id: [] for message_id in delta.evidence}
    for message_id, start, end in delta.spans:
        ranges.setdefault(message_id, []).append((start, end))
    if not delta.spans:
        contents = {message.pk: message.content for message in talk}
        for quote in words["quotes"]:
            start = contents.get(quote["message_id"], "").find(quote["text"])
            if start >= 0:
                ranges.setdefault(quote["message_id"], []).append((start, start + len(quote["text"])))
    return ranges


def _show(
    talk: Sequence[Message], ranges: Mapping[int, Sequence[tuple[int, int]]], markable: Collection[int] = ()
) -> tuple[ShownMessage, ...]:
    shown: list[ShownMessage] = []
    before: Message | None = None
    for message in talk:
        follows = before is None or (
            before.conversation_id == message.conversation_id and before.seq == message.seq - 1
        )
        shown.append(
            ShownMessage(
                place=message.pk,
                is_player=message.role == MessageRole.USER,
                segments=tuple(split_segments(message.content, ranges.get(message.pk, ()))),
                is_quoted=message.pk in ranges,
                can_be_marked=message.pk in markable,
                is_gap=not follows,
            )
        )
        before = message
    return tuple(shown)


def _find_day(talk: Sequence[Message], ranges: Collection[int]) -> dt.date:
    """When the newest of the quoted messages was said."""
    said = [message.sent_at for message in talk if message.pk in ranges] or [message.sent_at for message in talk]
    return max(said).date()


def _describe_known(sample: ExtractionSample, delta: ExtractionDelta, key: str) -> str:
    """The fact as it is now: what came of the proposal, else what is known under its key."""
    view: FactView | None = None
    if delta.fact_id is not None:
        row = UserFact.objects.filter(pk=delta.fact_id, end_user_id=sample.end_user_id).first()
        view = view_fact(row, get_key_ring()) if row is not None else None
    elif delta.type in GUARANTEED_TYPES and key:
        view = find_active_fact(tenant_id=sample.tenant_id, end_user_id=sample.end_user_id, type=delta.type, key=key)
    if view is None or view.value is None:
        return ""
    if not view.is_active:
        return f"{view.value} (ended: {view.ended_reason})"
    return f"{view.value} (disputed)" if view.is_disputed else view.value


def describe_delta(delta: ExtractionDelta) -> tuple[str, str, str]:
    """What was proposed, what the gate says of it, and what came of it, in plain words."""
    operation = OPERATIONS.get(delta.operation, delta.operation)
    gate, outcome = GATE.get(delta.verdict, delta.verdict), OUTCOMES.get(delta.outcome, delta.outcome)
    if delta.type not in SOFT_TYPES:
        return operation, gate, outcome
    gate = SOFT_GATE.get(delta.verdict, gate)
    return SOFT_OPERATION, gate, SOFT_OUTCOMES.get(delta.outcome, outcome)


def describe_type(type_: str) -> str:
    """The name of a type for people."""
    return dict(FACT_TYPE_CHOICES).get(type_) or type_.replace("_", " ").capitalize()
