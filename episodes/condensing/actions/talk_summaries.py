"""Summaries of talk are claimed, kept, given up and cleared. Who makes their text is none of this app's business."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from episodes.models import Conversation, Message, MessageRole, TalkSummary

DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation with an NPC ('' for none), in a play session ('': in whichever)."""

    conversation_id: int
    npc_id: str
    session_id: str


@dataclass(frozen=True, slots=True)
class SummaryClaim:
    """The right to ask a model once about talk that left the window, and what is to be read for it."""

    id: uuid.UUID
    row_id: int
    earlier: str
    earlier_evidence: tuple[int, ...]
    messages: tuple[Message, ...]
    """Those that left the window since, oldest first."""
    names: tuple[str, ...]

    @property
    def evidence(self) -> tuple[int, ...]:
        """All that the new summary rests on."""
        return (*self.earlier_evidence, *(message.pk for message in self.messages))


@dataclass(frozen=True, slots=True)
class SummaryBounds:
    """How much a pack tells itself, how many more messages make a call worth it, and how many a call reads."""

    window: int
    window_chars: int
    fewest: int
    most: int
    max_evidence: int


def claim_summary(
    *,
    tenant_id: int,
    talk: Talk,
    bounds: SummaryBounds,
    prompt_version: int,
    lease: dt.timedelta,
    after_id: int = 0,
) -> SummaryClaim | None:
    """The claim; None where too little left the window, a model failed at it, or another worker is at it.

    `after_id`: up to this message the session was cleared; nothing of it is summed up.
    Begins anew where the earlier summary rests on too much, or more left the window since than a call reads.
    """
    conversation = Conversation.objects.filter(tenant_id=tenant_id, pk=talk.conversation_id).first()
    if conversation is None:
        return None
    key: dict[str, Any] = {"conversation": conversation, "npc_id": talk.npc_id, "session_id": talk.session_id}
    own: dict[str, Any] = {"tenant_id": tenant_id, "end_user_id": conversation.end_user_id}
    own["prompt_version"] = prompt_version
    row = TalkSummary.objects.filter(**key).first() or TalkSummary(**key, **own)
    left = [each for each in _list_left(conversation, talk, row, bounds) if each.place_id > after_id]
    if len(left) < bounds.fewest or left[-1].seq - row.tried_seq < bounds.fewest:
        return None
    if row.pk is None:
        row, _ = TalkSummary.objects.get_or_create(**key, defaults=own)
    is_new = len(left) > bounds.most or len(row.evidence) + len(left) > bounds.max_evidence
    now = timezone.now()
    token = uuid.uuid4()
    free = Q(claim__isnull=True) | Q(claimed_until__lt=now)
    taken = TalkSummary.objects.filter(free, pk=row.pk, through_seq=row.through_seq, evidence=row.evidence)
    if not taken.update(claim=token, claimed_until=now + lease):
        return None
    return SummaryClaim(
        id=token,
        row_id=row.pk,
        earlier="" if is_new else row.text,
        earlier_evidence=() if is_new else tuple(row.evidence),
        messages=tuple(left[-bounds.most :]),
        names=tuple(filter(None, (talk.npc_id, conversation.user_name, conversation.assistant_name))),
    )


def keep_summary(claim: SummaryClaim, text: str, *, model: str, prompt_version: int) -> bool:
    """Whether the summary stands: not where one of its messages was forgotten meanwhile."""
    seq = claim.messages[-1].seq
    return _settle(
        claim,
        text=text,
        evidence=list(claim.evidence),
        through_seq=seq,
        tried_seq=seq,
        code="",
        model=model[:200],
        prompt_version=prompt_version,
        updated_at=timezone.now(),
    )


def fail_summary(claim: SummaryClaim, code: str, *, model: str) -> bool:
    """Whether it is noted that a model failed; the earlier summary stands, and more talk is another try."""
    return _settle(claim, tried_seq=claim.messages[-1].seq, code=code, model=model[:200])


def release_summary(claim: SummaryClaim) -> None:
    """Another worker may try: the model did not answer."""
    _settle(claim)


def drop_summary(*, tenant_id: int, summary_id: int) -> bool:
    """Whether there was a text that is gone now, by a person's hand; only later talk is condensed again."""
    rows = TalkSummary.objects.filter(tenant_id=tenant_id, pk=summary_id).exclude(text="")
    return bool(rows.update(text="", evidence=[], code=DROPPED, claim=None, claimed_until=None))


def clear_session_summaries(*, tenant_id: int, world_id: int, session_id: str, npc_id: str | None = None) -> int:
    """How many summaries of a session's talk are gone, of one NPC or of all. RAW keeps the messages."""
    rows = TalkSummary.objects.filter(
        tenant_id=tenant_id, conversation__world_id=world_id, session_id=session_id
    ).exclude(session_id="")
    return _delete(rows if npc_id is None else rows.filter(npc_id=npc_id))


def clear_summaries(message_ids: Sequence[int]) -> int:
    """How many summaries are gone that rest on one of these messages. Call it under the conversations' locks."""
    said = Conversation.objects.filter(messages__in=list(message_ids))
    branched = Q(conversation__tree_id__in=said.exclude(tree_id=None).values("tree_id"))
    told = TalkSummary.objects.filter(Q(conversation__in=said) | branched)
    return _delete(told.filter(evidence__overlap=list(message_ids)))


def clear_summaries_of(conversation_ids: Collection[int]) -> int:
    """How many summaries of these conversations are gone. Call it under the conversations' locks."""
    return _delete(TalkSummary.objects.filter(conversation_id__in=conversation_ids))


def _list_left(conversation: Conversation, talk: Talk, row: TalkSummary, bounds: SummaryBounds) -> Sequence[Message]:
    """What left the window since the summary, oldest first; one more than a call reads tells that there is more."""
    rows = Message.objects.living().seen_in(conversation).exclude(role=MessageRole.SYSTEM)
    if talk.session_id:
        rows = rows.filter(session_id=talk.session_id, npc_id=talk.npc_id)
    elif talk.npc_id:
        rows = rows.filter(npc_id__in=("", talk.npc_id))
    newest = list(rows.order_by("-seq")[: bounds.window + bounds.most + 1])
    told, chars = 0, 0
    for message in newest[: bounds.window]:
        chars += min(len(message.content), bounds.window_chars)
        if told and chars > bounds.window_chars:
            break
        told += 1
    return [message for message in reversed(newest[told:]) if message.seq > row.through_seq]


def _settle(claim: SummaryClaim, **values: Any) -> bool:
    rows = TalkSummary.objects.filter(pk=claim.row_id, claim=claim.id)
    try:
        with transaction.atomic():
            return bool(rows.update(claim=None, claimed_until=None, **values))
    except IntegrityError:  # a message of it was forgotten while the model wrote
        rows.update(claim=None, claimed_until=None)
        return False


def _delete(rows: QuerySet[TalkSummary]) -> int:
    told = rows.exclude(text="").count()
    rows.delete()
    return told
