"""What assistants said after a player's words and said again of them: it goes where the words go."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from django.db.models import OuterRef, Q, QuerySet, Subquery

from episodes.forgetting.core.echoes import AssistantMessage, get_echo_finder
from episodes.models import EchoSearch, Message, MessageRole
from knowledge.facts.models import UserFact
from knowledge.facts.selectors.facts import view_fact

MESSAGE_BATCH_SIZE = 500
MAX_ECHO_CHECKS = 5_000
"""A message held against one fact is a check, and takes 0.1 ms under the player's lock (measured)."""
MAX_ANSWERED = 100
"""Words whose answers are looked at before all else."""


@dataclass(frozen=True, slots=True)
class _MessageFilter:
    """Whose messages are looked through, and which are known to go."""

    tenant_id: int
    end_user_id: int
    world_id: int | None
    chosen: frozenset[int]

    def filter(self, rows: QuerySet[Message]) -> QuerySet[Message]:
        """By the passage's index: every living message that is searched has one."""
        rows = rows.filter(
            tenant_id=self.tenant_id, passage__tenant_id=self.tenant_id, passage__end_user_id=self.end_user_id
        )
        if self.world_id is not None:
            rows = rows.filter(conversation__world_id=self.world_id)
        return rows.exclude(pk__in=self.chosen)


@dataclass(frozen=True, slots=True)
class _Proof:
    """A message that is to be forgotten and proves facts; `answered_to` is the place of what the player said next."""

    message_id: int
    conversation_id: int
    seq: int
    sent_at: dt.datetime
    answered_to: int | None

    def is_before(self, row: Message) -> bool:
        if row.conversation_id == self.conversation_id:
            return row.seq > self.seq
        return row.sent_at >= self.sent_at

    def is_answered_by(self, row: Message) -> bool:
        """Whether it is the reply, or stands between these words and what the player said next."""
        if row.reply_to_id == self.message_id:
            return True
        is_same = row.conversation_id == self.conversation_id and row.seq > self.seq
        return is_same and (self.answered_to is None or row.seq < self.answered_to)


@dataclass(frozen=True, slots=True)
class EchoScan:
    """The assistants' messages that say lost facts again, in pk order, and whether all were looked through."""

    message_ids: tuple[int, ...]
    search: EchoSearch


def find_echoes(
    *,
    tenant_id: int,
    end_user_id: int,
    message_ids: Collection[int],
    facts: Sequence[UserFact],
    world_id: int | None = None,
) -> EchoScan:
    """The assistants' messages that say again what is lost with the messages; forgotten ones left out.

    Reads what assistants said to the player since, the answers to the words first, then in the order in which it was
    said, until `MAX_ECHO_CHECKS` are spent. Three queries, and none where no fact is lost. Raises FactKeysMissing.
    """
    finder = get_echo_finder()
    if not facts or finder is None:
        return EchoScan((), EchoSearch.NOT_NEEDED)
    proofs = _list_proofs(tenant_id, {pk for row in facts for pk in row.evidence} & set(message_ids))
    views = [(view_fact(row), [proofs[pk] for pk in row.evidence if pk in proofs]) for row in facts]
    message_filter = _MessageFilter(tenant_id, end_user_id, world_id, frozenset(message_ids))
    checks = 0
    found: list[int] = []
    seen: set[int] = set()
    for row in _list_candidates(message_filter, list(proofs.values())):
        if row.pk in seen:
            continue
        seen.add(row.pk)
        since = [(fact, before) for fact, before in views if any(proof.is_before(row) for proof in before)]
        checks += len(since)
        if checks > MAX_ECHO_CHECKS:
            return EchoScan(tuple(sorted(found)), EchoSearch.TRUNCATED)
        near = [fact for fact, before in since if any(proof.is_answered_by(row) for proof in before)]
        if since and finder(AssistantMessage(row.content, tuple(near), tuple(fact for fact, _ in since))):
            found.append(row.pk)
    return EchoScan(tuple(sorted(found)), EchoSearch.COMPLETE)


def _list_proofs(tenant_id: int, message_ids: Collection[int]) -> dict[int, _Proof]:
    following = Message.objects.filter(
        conversation_id=OuterRef("conversation_id"), role=MessageRole.USER, seq__gt=OuterRef("seq")
    )
    rows = Message.objects.filter(tenant_id=tenant_id, pk__in=message_ids)
    columns = rows.annotate(next_said=Subquery(following.order_by("seq").values("seq")[:1]))
    told = columns.values_list("pk", "conversation_id", "seq", "sent_at", "next_said")
    return {proof.message_id: proof for proof in (_Proof(*row) for row in told)}


def _list_candidates(message_filter: _MessageFilter, proofs: Sequence[_Proof]) -> Iterator[Message]:
    """What assistants said to the player since the first of the words; answers to the words come first, and again."""
    if not proofs:
        return
    said = message_filter.filter(Message.objects.kept().filter(role=MessageRole.ASSISTANT))
    answers = Q(reply_to_id__in=[proof.message_id for proof in proofs])
    for proof in proofs[:MAX_ANSWERED]:
        place = Q(conversation_id=proof.conversation_id, seq__gt=proof.seq)
        answers |= place if proof.answered_to is None else place & Q(seq__lt=proof.answered_to)
    yield from said.filter(answers).order_by("pk")[:MAX_ECHO_CHECKS].iterator(chunk_size=MESSAGE_BATCH_SIZE)
    since = min(proof.sent_at for proof in proofs)
    later = Q(sent_at__gte=since) | Q(conversation_id__in={proof.conversation_id for proof in proofs})
    in_order = said.filter(later).order_by("passage__created_at", "pk")
    yield from in_order[: 2 * MAX_ECHO_CHECKS].iterator(chunk_size=MESSAGE_BATCH_SIZE)
