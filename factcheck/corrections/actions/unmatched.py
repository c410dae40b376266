"""Corrections that were about nothing known when they were said, heard once more when something older becomes known."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from django.db.models import QuerySet
from django.db.models.functions import Least

from episodes.conversations.models import PLACE_ID
from episodes.models import Message, MessageRole
from factcheck.core.message_extraction import CorrectionExtraction, Reading
from factcheck.corrections.actions.corrections import apply_correction
from factcheck.instant.actions.adjacent_messages import load_adjacent_messages
from factcheck.instant.actions.extraction import read_kept
from knowledge.facts.models import CorrectionOutcome, MemoryCorrection

MESSAGE_BATCH_SIZE = 200


def reapply_unmatched_corrections(
    *, tenant_id: int, end_user_id: int, since: dt.datetime
) -> tuple[CorrectionExtraction, ...]:
    """What corrections that were said after a time and changed nothing do now, in the order in which they were said.

    A history may be imported behind a "no, that's wrong"; the player has denied it all the same. What still matches
    nothing is not logged twice. Reads all that the player said after the time. Within the caller's transaction, under
    the user's lock. Raises FactKeysMissing.
    """
    heard: list[CorrectionExtraction] = []
    for message, reading in _list_corrections(tenant_id, end_user_id, since):
        around = load_adjacent_messages(message, with_claim=True)
        applied = apply_correction(
            end_user_id=end_user_id,
            message=message,
            reading=reading,
            around=around,
            is_reapplied=True,
        )
        heard += [each for each in applied.told if each.outcome != CorrectionOutcome.UNMATCHED]
    return tuple(heard)


def _list_corrections(tenant_id: int, end_user_id: int, since: dt.datetime) -> Iterator[tuple[Message, Reading]]:
    """The messages that may correct and have not, read by patterns: this runs under the player's lock."""
    for message in _list_messages(tenant_id, end_user_id, since).iterator(chunk_size=MESSAGE_BATCH_SIZE):
        reading = read_kept(message, end_user_id=end_user_id, by_meaning=False)
        if reading.may_correct:
            yield message, reading


def _list_messages(tenant_id: int, end_user_id: int, since: dt.datetime) -> QuerySet[Message]:
    made = MemoryCorrection.objects.filter(tenant_id=tenant_id, end_user_id=end_user_id, fact__isnull=False)
    messages = Message.objects.living().filter(
        # What was said after a time came after it, and the passage's index knows when.
        passage__tenant_id=tenant_id,
        passage__end_user_id=end_user_id,
        passage__created_at__gt=since,
        tenant_id=tenant_id,
        role=MessageRole.USER,
    )
    said = messages.annotate(time=Least("sent_at", "created_at")).filter(time__gt=since)
    heard = made.filter(trigger_message_id__isnull=False).values("trigger_message_id")
    return said.exclude(pk__in=heard).order_by("time", PLACE_ID)
