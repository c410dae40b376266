"""The second stage in the sample: histories that it read, and two weeks of labels that are marked as sample data."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone

from episodes.conversations.actions.conversations import open_conversation
from episodes.conversations.core.drafts import MessageDraft
from episodes.models import Message
from factcheck.extraction.actions.candidates import collect_candidate
from factcheck.extraction.actions.runs import extract_user
from factcheck.extraction.core.deltas import Operation, Stance, Subject
from factcheck.extraction.core.statistics import wilson_bounds
from factcheck.extraction.core.verdicts import EvidenceSpan, VerdictCode
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
from factcheck.extraction.sealing import DELTA, seal_document
from factcheck.extraction.selectors.given import MAX_MESSAGES, find_last_places, load_range
from factcheck.posting.actions.messages import post_messages
from knowledge.facts.actions.locks import lock_end_user
from knowledge.facts.core.drafts import FactDraft, complete
from knowledge.facts.core.types import LIFE_EVENT, canonical_key
from knowledge.facts.models import FactSource
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
REMARK = "the harvest fair"
STOPPED = ((9, BreakerState.OPEN, 20, 5), (8, BreakerState.HALF_OPEN, 20, 5), (7, BreakerState.CLOSED, 50, 1))
"""Days ago, state, items looked at, errors: a breaker that once opened."""


def ensure_second_stage(world: World, source: Path) -> None:
    """Extraction is on and has read the sample's histories; the quality page and the queue have something to show."""
    tenant = world.tenant
    if BreakerEvent.objects.filter(tenant=tenant).exists():  # what comes last
        return
    Tenant.objects.filter(pk=tenant.pk).update(extraction=Extraction.ON)
    paths = sorted((Path(settings.BASE_DIR) / source).glob("*.json"))
    documents = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
    runs = [_read_history(world, path.stem, document) for path, document in zip(paths, documents, strict=True)]
    with transaction.atomic():
        _make_history(list(zip(runs, documents, strict=True)))
        _make_candidate(tenant)
        _make_breaker(tenant)


def _read_history(world: World, name: str, document: dict[str, Any]) -> ExtractionRun:
    """The run over one player's history, imported at once and read a second time.

    It is long enough for an import, which patterns alone read at first.
    """
    conversation = open_conversation(
        tenant_id=world.tenant_id, world_id=world.pk, external_id=f"history-{name}", user_id=document["user_id"]
    ).conversation
    drafts = [
        MessageDraft(role=each["role"], content=each["content"], client_message_id=f"{name}-{number}")
        for number, each in enumerate(document["messages"], start=1)
    ]
    post_messages(tenant_id=world.tenant_id, conversation_id=conversation.pk, drafts=drafts)
    user_id = conversation.end_user_id
    with suppress(NothingPending):  # an earlier demo got as far as this
        extract_user(tenant_id=world.tenant_id, end_user_id=user_id, triggered_by=RunTrigger.SESSION_CLOSED)
    return ExtractionRun.objects.filter(end_user_id=user_id).order_by("pk")[0]


def _make_history(read: Sequence[tuple[ExtractionRun, dict[str, Any]]]) -> None:
    """Each run once more on each of the last days, with proposals of the sample's own and, but for today, labels."""
    people = list(get_user_model().objects.filter(username__in=[role.value for role in LABELLERS]).order_by("username"))
    number = 0
    for days in range(DAYS, -1, -1):
        for run, document in read:
            when = timezone.now() - dt.timedelta(days=days)
            samples = _make_run(run, document["labelled"], when, is_labelled=days > 0)
            for sample in samples if days else ():
                number += 1
                _label(sample, people[number % len(people)].pk, WRONG.get(number % 60, LabelVerdict.CORRECT))


def _make_run(
    run: ExtractionRun, labelled: Sequence[dict[str, str]], when: dt.datetime, *, is_labelled: bool
) -> list[ExtractionSample]:
    """A run of that day that wrote nothing, with its proposals as samples."""
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
        extracted=len(labelled),
        nothing=run.messages - len(labelled),
        deltas=len(labelled),
        lease_until=when,
        duration_ms=run.duration_ms,
        created_at=when,
        finished_at=when,
    )
    messages = list(Message.objects.living().filter(pk__in=run.message_rows.values("message_id")))
    rows = ExtractionDelta.objects.bulk_create(
        _make_delta(copy, position, each, messages) for position, each in enumerate(labelled, start=1)
    )
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
            label_count=int(is_labelled),
            created_at=when,
        )
        for row in rows
    )


def _make_delta(
    run: ExtractionRun, position: int, labelled: dict[str, str], messages: Sequence[Message]
) -> ExtractionDelta:
    """A proposal that passed the gate, in the words of one message."""
    message = next(each for each in messages if labelled["quote"] in each.content)
    start = message.content.index(labelled["quote"])
    words = {
        "key": canonical_key(labelled["value"]),
        "value": labelled["value"],
        "quotes": [{"message_id": message.pk, "text": labelled["quote"]}],
    }
    sealed, key_number = seal_document(words, tenant_id=run.tenant_id, end_user_id=run.end_user_id, kind=DELTA)
    return ExtractionDelta(
        tenant_id=run.tenant_id,
        end_user_id=run.end_user_id,
        run=run,
        position=position,
        operation=Operation.ADD,
        type=labelled["type"],
        subject=Subject.USER,
        stance=Stance.ASSERTS,
        confidence=0.9,
        language=run.language,
        words_sealed=sealed,
        sealed_by=key_number,
        evidence=[message.pk],
        spans=[[message.pk, start, start + len(labelled["quote"])]],
        verdict=VerdictCode.ACCEPTED,
        outcome=DeltaOutcome.SHADOWED,
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


def _make_candidate(tenant: Tenant) -> None:
    """What a model might have proposed of one remark: it waits for a second one."""
    message = Message.objects.living().get(tenant=tenant, content__contains=REMARK)
    run = ExtractionRun.objects.filter(message_rows__message_id=message.pk)[0]
    user_id = run.end_user_id
    since = find_last_places(tenant_id=tenant.pk, end_user_id=user_id, count=MAX_MESSAGES)
    given = load_range(tenant_id=tenant.pk, end_user_id=user_id, since=since).given
    said = {each.id: each for each in given.messages}
    start = message.content.index(REMARK)
    span = EvidenceSpan(message.pk, start, start + len(REMARK))
    draft = FactDraft(
        LIFE_EVENT, REMARK, FactSource.BATCH, evidence=(message.pk,), confidence=0.85, valid_from=message.created_at
    )
    lock_end_user(tenant_id=tenant.pk, end_user_id=user_id)
    collect_candidate(run, complete(draft, now=timezone.now()), [span], said)


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
