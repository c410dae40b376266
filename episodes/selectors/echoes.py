"""What assistants said after a player's words and said again of them: it goes where the words go."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from django.db.models import OuterRef, Q, Subquery

from episodes.core.echoes import AssistantMessage, get_echo_finder
from episodes.models import Message, MessageRole
from knowledge.facts.models import UserFact
from knowledge.facts.selectors.facts import view_fact

MESSAGES_AT_ONCE = 500


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


def find_echoes(
    *,
    tenant_id: int,
    end_user_id: int,
    message_ids: Collection[int],
    facts: Sequence[UserFact],
    world_id: int | None = None,
) -> list[int]:
    """The assistants' messages that say again what is lost with the messages, in pk order; forgotten ones left out.

    Reads what assistants said to the player since. Two queries, and none where no fact is lost. Raises FactKeysMissing.
    """
    finder = get_echo_finder()
    if not facts or finder is None:
        return []
    proofs = _list_proofs(tenant_id, {pk for row in facts for pk in row.evidence} & set(message_ids))
    views = [(view_fact(row), [proofs[pk] for pk in row.evidence if pk in proofs]) for row in facts]
    found = []
    for row in _list_candidates(tenant_id, end_user_id, message_ids, list(proofs.values()), world_id):
        since = [(fact, before) for fact, before in views if any(proof.is_before(row) for proof in before)]
        near = [fact for fact, before in since if any(proof.is_answered_by(row) for proof in before)]
        if since and finder(AssistantMessage(row.content, tuple(near), tuple(fact for fact, _ in since))):
            found.append(row.pk)
    return sorted(found)


def _list_proofs(tenant_id: int, message_ids: Collection[int]) -> dict[int, _Proof]:
    following = Message.objects.filter(
        conversation_id=OuterRef("conversation_id"), role=MessageRole.USER, seq__gt=OuterRef("seq")
    )
    rows = Message.objects.filter(tenant_id=tenant_id, pk__in=message_ids)
    columns = rows.annotate(next_said=Subquery(following.order_by("seq").values("seq")[:1]))
    told = columns.values_list("pk", "conversation_id", "seq", "sent_at", "next_said")
    return {row[0]: _Proof(*row) for row in told}


def _list_candidates(
    tenant_id: int, end_user_id: int, message_ids: Collection[int], proofs: Sequence[_Proof], world_id: int | None
) -> Iterator[Message]:
    """What assistants said to the player since the first of the words."""
    if not proofs:
        return iter(())
    since = min(proof.sent_at for proof in proofs)
    later = Q(sent_at__gte=since) | Q(conversation_id__in={proof.conversation_id for proof in proofs})
    rows = Message.objects.filter(
        later,
        tenant_id=tenant_id,
        conversation__end_user_id=end_user_id,
        role=MessageRole.ASSISTANT,
        forgotten_at__isnull=True,
    )
    if world_id is not None:
        rows = rows.filter(conversation__world_id=world_id)
    return rows.exclude(pk__in=message_ids).order_by("pk").iterator(chunk_size=MESSAGES_AT_ONCE)
