"""What a player said in earlier sessions, in any conversation: so that remarks add up over days and over runs.

One remark proves nothing lasting; a proposer that sees only what is new could never tell that it is the second one.
Source: seed 002, "not by one phrase", and K9.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Sequence

from django.utils import timezone

from episodes.models import Conversation, Message, MessageRole
from factcheck.extraction.core.given import GivenRemark
from factcheck.extraction.core.verdicts import VerdictCode
from factcheck.extraction.models import CandidateState, CandidateSupport, ExtractionDelta
from factcheck.extraction.sealing import DELTA, open_document, read_candidate
from knowledge.facts.core.types import SOFT_TYPES

MAX_REMARKS = 8
"""Messages of earlier sessions that a run is shown: about 300 tokens of its 6,000."""
MAX_HELD_REMARKS = 12
"""Messages that held candidates and refused remarks rest on, however many were said since."""
MAX_CONVERSATIONS = 5
MAX_REMARK_LENGTH = 300
"""Characters; a remark is short, as is what packs tell of what waits."""
WINDOW = dt.timedelta(days=90)
"""As long as a candidate waits."""


def list_earlier(
    tenant_id: int, end_user_id: int, new: Sequence[Message], shown: Collection[int], *, remarks: Iterable[GivenRemark]
) -> list[Message]:
    """The player's last short messages before the new ones, of any conversation, and what remarks rest on.

    `shown` are ids of messages that the run is given anyway. Three queries.
    """
    since = timezone.now() - WINDOW
    own = [each for each in new if each.role == MessageRole.USER]
    if not own:
        return []
    first = min(each.said_at for each in own)
    talks = Conversation.objects.filter(tenant_id=tenant_id, end_user_id=end_user_id, last_message_at__gte=since)
    ids = list(talks.order_by("-last_message_at").values_list("pk", flat=True)[:MAX_CONVERSATIONS])
    living = Message.objects.living().filter(tenant_id=tenant_id, role=MessageRole.USER, sent_at__gte=since)
    living = living.exclude(frame="in_character")
    last = [
        living.filter(conversation_id=pk, sent_at__lt=first).exclude(pk__in=shown).order_by("-seq")[:MAX_REMARKS]
        for pk in ids
    ]
    rows = list(last[0].union(*last[1:], all=True)) if last else []
    recent = sorted(rows, key=lambda each: (each.said_at, each.pk))[-MAX_REMARKS:]
    held = {each.message_id for each in remarks}.difference(shown, (each.pk for each in recent))
    newest = sorted(held)[-MAX_HELD_REMARKS:]
    supports = living.filter(pk__in=newest, conversation__end_user_id=end_user_id) if newest else []
    return [each for each in (*supports, *recent) if len(each.content) <= MAX_REMARK_LENGTH]


def list_read(tenant_id: int, end_user_id: int, message_ids: Collection[int]) -> list[Message]:
    """Those of the messages that are still the player's to be read. One query."""
    living = Message.objects.living().filter(tenant_id=tenant_id, conversation__end_user_id=end_user_id)
    return list(living.filter(pk__in=message_ids)) if message_ids else []


def list_said_times(tenant_id: int, end_user_id: int, earlier: Sequence[Message]) -> list[dt.datetime]:
    """When the player said anything from the first of the earlier messages on: gaps in it end sessions. One query."""
    if not earlier:
        return []
    said = Message.objects.filter(
        tenant_id=tenant_id,
        conversation__end_user_id=end_user_id,
        role=MessageRole.USER,
        sent_at__gte=min(each.sent_at for each in earlier),
    )
    return [min(sent, created) for sent, created in said.values_list("sent_at", "created_at")]


def list_remarks(tenant_id: int, end_user_id: int) -> tuple[GivenRemark, ...]:
    """What was proposed as a taste or a mood of the last 90 days: held already, or refused as of one session alone.

    What a person rejected, what was forgotten and what an undone run proposed is left out. Two queries, and one where
    something is held. Raises FactKeysMissing.
    """
    since = timezone.now() - WINDOW
    owner_filter = {"tenant_id": tenant_id, "end_user_id": end_user_id}
    supports = CandidateSupport.objects.filter(
        candidate__tenant_id=tenant_id, candidate__end_user_id=end_user_id, candidate__type__in=SOFT_TYPES
    ).select_related("candidate")
    held, settled = [], set()
    for row in supports:
        if row.candidate.state == CandidateState.HELD:
            key, _ = read_candidate(row.candidate)
            held.append(GivenRemark(row.candidate.type, key, row.message_id, row.start, row.end))
        elif row.candidate.state == CandidateState.REJECTED:
            settled.add((row.candidate.type, row.message_id))
    refused = ExtractionDelta.objects.filter(
        **owner_filter,
        run__tenant_id=tenant_id,
        run__end_user_id=end_user_id,
        run__reverted_at__isnull=True,
        created_at__gte=since,
        type__in=SOFT_TYPES,
        verdict=VerdictCode.NO_ANCHOR,
    ).exclude(words_sealed=b"")
    for delta in refused.order_by("-pk")[: 4 * MAX_HELD_REMARKS]:
        words = open_document(bytes(delta.words_sealed), **owner_filter, kind=DELTA)
        held += [GivenRemark(delta.type, words["key"], *span) for span in delta.spans]
    unique = {(each.type, each.key, each.message_id): each for each in reversed(held)}
    return tuple(each for each in unique.values() if (each.type, each.message_id) not in settled)
