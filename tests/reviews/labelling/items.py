"""Samples to label, made row by row: what a run would have written."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from django.utils import timezone

from episodes.models import Conversation, Message
from factcheck.extraction.models import (
    DeltaOutcome,
    ExtractionDelta,
    ExtractionRun,
    ExtractionSample,
    RunMessage,
)
from factcheck.extraction.sealing import DELTA, seal_document
from tests.factories.conversations import say

SAID = "My skin reacts to nickel, so no rings."


def make_run(talk: Conversation, messages: Sequence[Message], **more: Any) -> ExtractionRun:
    """A finished run over messages."""
    run = ExtractionRun.objects.create(
        tenant=talk.tenant, end_user=talk.end_user, lease_until=timezone.now(), finished_at=timezone.now(),
        state="applied", nothing=len(messages), messages=len(messages),
        **{
            "triggered_by": "manual", "mode": "on", "proposer": "offline", "prompt_version": "en-1", "language": "en",
            "range_hash": secrets.token_bytes(32), **more,
        },
    )  # fmt: skip
    RunMessage.objects.bulk_create([RunMessage(run=run, message_id=each.pk, outcome="nothing") for each in messages])
    return run


def make_delta(run: ExtractionRun, message: Message, quote: str, **more: Any) -> ExtractionDelta:
    """A proposal that quotes a message."""
    words = {
        "key": more.pop("key", "nickel"),
        "value": more.pop("value", "nickel"),
        "quotes": [{"message_id": more.pop("quoted", message.pk), "text": quote}],
    }
    sealed, number = seal_document(words, tenant_id=run.tenant_id, end_user_id=run.end_user_id, kind=DELTA)
    start = message.content.index(quote)
    values = {
        "position": 1, "operation": "ADD", "type": "allergy", "subject": "user", "stance": "asserts",
        "confidence": 0.91, "language": message.language, "evidence": [message.pk],
        "spans": [[message.pk, start, start + len(quote)]], "verdict": "accepted", "outcome": DeltaOutcome.CANDIDATE,
    }  # fmt: skip
    return ExtractionDelta.objects.create(
        tenant=run.tenant, end_user=run.end_user, run=run, words_sealed=sealed, sealed_by=number, **{**values, **more}
    )


def make_sample(talk: Conversation, said: str = SAID, quote: str = "reacts to nickel", **more: Any) -> ExtractionSample:
    """A sampled proposal over a message that is said for it. One label is wanted unless more are asked for."""
    drawn = {name: more.pop(name) for name in ("reason", "labels_wanted", "language", "probability") if name in more}
    [message] = say(talk, said)
    delta = make_delta(make_run(talk, [message]), message, quote, **more)
    return ExtractionSample.objects.create(
        tenant=talk.tenant, end_user=talk.end_user, run=delta.run, delta=delta, kind="delta",
        **{
            "reason": "random", "probability": 0.01, "stratum": "en ADD en-1", "language": "en", "labels_wanted": 1,
            **drawn,
        },
    )  # fmt: skip


def make_run_sample(talk: Conversation, *said: str, **more: Any) -> ExtractionSample:
    """A sampled run that found nothing."""
    messages = say(talk, *(said or ("Hello there.", "I never eat shellfish.")))
    return ExtractionSample.objects.create(
        tenant=talk.tenant, end_user=talk.end_user, run=make_run(talk, messages), kind="run",
        **{
            "reason": "random", "probability": 0.05, "stratum": "en - en-1", "language": "en", "labels_wanted": 1,
            **more,
        },
    )  # fmt: skip
