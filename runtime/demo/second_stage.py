"""The second stage in the sample: histories that it read, and two weeks of labels that are marked as sample data."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from django.conf import settings
from django.contrib.auth import get_user_model
from django.utils import timezone

from episodes.actions import open_conversation
from episodes.core.drafts import MessageDraft
from factcheck.actions.messages import post_messages
from factcheck.extraction.actions.runs import extract_user
from factcheck.extraction.core.statistics import wilson_bounds
from factcheck.extraction.errors import NothingPending
from factcheck.extraction.models import (
    BreakerEvent,
    BreakerKind,
    BreakerState,
    DeltaOutcome,
    ExtractionDelta,
    ExtractionRun,
    ExtractionSample,
    RunMode,
    RunState,
    RunTrigger,
    SampleKind,
    SampleReason,
)
from reviews.labelling.core.verdicts import LabelVerdict
from reviews.labelling.models import SampleLabel
from tenancy.models import Extraction, Role, Tenant, World

SAMPLE = "sample"
"""The model and the prompt version of runs that never were."""
COMMENT = "Sample data: nobody gave this label."
DAYS = 14
WRONG = {7: LabelVerdict.WRONG_PERSON, 31: LabelVerdict.NOT_MEANT, 47: LabelVerdict.WRONG_VALUE}
"""Of each sixty labels of the sample, those that say what was wrong."""
LABELLERS = (Role.LABELLER, Role.REVIEWER)
STOPPED = ((9, BreakerState.OPEN, 20, 5), (8, BreakerState.HALF_OPEN, 20, 5), (7, BreakerState.CLOSED, 50, 1))
"""Days ago, state, items looked at, errors: a breaker that once opened."""


def ensure_second_stage(world: World, source: Path) -> None:
    """Extraction is on and has read the sample's histories; the quality page and the queue have something to show."""
    tenant = world.tenant
    if ExtractionRun.objects.filter(tenant=tenant).exists():
        return
    Tenant.objects.filter(pk=tenant.pk).update(extraction=Extraction.ON)
    for path in sorted((Path(settings.BASE_DIR) / source).glob("*.json")):
        _read_history(world, path)
    _make_history(tenant, list(ExtractionRun.objects.filter(tenant=tenant)))
    _make_breaker(tenant)


def _read_history(world: World, path: Path) -> None:
    """One player's history, imported at once and read a second time.

    It is long enough for an import, which patterns alone read at first.
    """
    document = json.loads(path.read_text(encoding="utf-8"))
    conversation = open_conversation(
        tenant_id=world.tenant_id, world_id=world.pk, external_id=f"history-{path.stem}", user_id=document["user_id"]
    ).conversation
    drafts = [
        MessageDraft(role=each["role"], content=each["content"], client_message_id=f"{path.stem}-{place}")
        for place, each in enumerate(document["messages"], start=1)
    ]
    post_messages(tenant_id=world.tenant_id, conversation_id=conversation.pk, drafts=drafts)
    try:
        extract_user(
            tenant_id=world.tenant_id, end_user_id=conversation.end_user_id, triggered_by=RunTrigger.SESSION_CLOSED
        )
    except NothingPending:
        return


def _make_history(tenant: Tenant, runs: Sequence[ExtractionRun]) -> None:
    """Each run once more on each of the last days, with labels on what it had proposed."""
    people = list(get_user_model().objects.filter(username__in=[role.value for role in LABELLERS]).order_by("username"))
    place = 0
    for days in range(DAYS, 0, -1):
        for run in runs:
            for sample in _copy_run(run, timezone.now() - dt.timedelta(days=days)):
                place += 1
                _label(sample, people[place % len(people)].pk, WRONG.get(place % 60, LabelVerdict.CORRECT))


def _copy_run(run: ExtractionRun, when: dt.datetime) -> list[ExtractionSample]:
    """A run of that day with the deltas of another, of which none wrote anything; its accepted ones as samples."""
    deltas = list(run.delta_rows.all())
    copy = ExtractionRun.objects.create(
        tenant_id=run.tenant_id,
        end_user_id=run.end_user_id,
        triggered_by=RunTrigger.SESSION_CLOSED,
        mode=RunMode.SHADOW,
        state=RunState.APPLIED,
        proposer=run.proposer,
        model=SAMPLE,
        prompt_version=SAMPLE,
        language=run.language,
        range_hash=hashlib.sha256(f"{SAMPLE} {run.pk} {when:%Y-%m-%d}".encode()).digest(),
        messages=run.messages,
        extracted=run.extracted,
        nothing=run.nothing,
        rejected=run.rejected,
        deltas=len(deltas),
        lease_until=when,
        duration_ms=run.duration_ms,
        created_at=when,
        finished_at=when,
    )
    rows = ExtractionDelta.objects.bulk_create(_copy_delta(delta, copy) for delta in deltas)
    return ExtractionSample.objects.bulk_create(
        ExtractionSample(
            tenant_id=run.tenant_id,
            end_user_id=run.end_user_id,
            kind=SampleKind.DELTA,
            run=copy,
            delta=row,
            reason=SampleReason.ALL,
            probability=1.0,
            stratum=f"{row.language} {row.operation} {SAMPLE}",
            language=row.language,
            labels_wanted=1,
            label_count=1,
            created_at=when,
        )
        for row in rows
        if row.outcome != DeltaOutcome.REJECTED
    )


def _copy_delta(delta: ExtractionDelta, run: ExtractionRun) -> ExtractionDelta:
    is_rejected = delta.outcome == DeltaOutcome.REJECTED
    columns = (
        "tenant_id", "end_user_id", "position", "operation", "type", "subject", "stance", "confidence", "language",
        "words_sealed", "sealed_by", "evidence", "spans", "verdict", "detail",
    )  # fmt: skip
    return ExtractionDelta(
        **{column: getattr(delta, column) for column in columns},
        run=run,
        outcome=DeltaOutcome.REJECTED if is_rejected else DeltaOutcome.SHADOWED,
        created_at=run.created_at,
    )


def _label(sample: ExtractionSample, reviewer_id: int, verdict: LabelVerdict) -> None:
    SampleLabel.objects.create(
        tenant_id=sample.tenant_id,
        sample=sample,
        reviewer_id=reviewer_id,
        verdict=verdict.value,
        comment=COMMENT,
        seconds=4,
        created_at=sample.created_at + dt.timedelta(hours=1),
    )


def _make_breaker(tenant: Tenant) -> None:
    """It opened, was tried, and closed again."""
    for days, state, n, errors in STOPPED:
        bounds = wilson_bounds(errors, n)
        BreakerEvent.objects.create(
            tenant=tenant,
            kind=BreakerKind.REVIEWS,
            state=state,
            n=n,
            errors=errors,
            lower=bounds.lower,
            upper=bounds.upper,
            rule=SAMPLE,
            prompt_version=SAMPLE,
            made_by=SAMPLE,
            reason=f"Sample data: {errors} of {n} reviews found an error.",
            created_at=timezone.now() - dt.timedelta(days=days),
        )
