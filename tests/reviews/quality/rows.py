"""Labelled samples, past the queue: for tests of what reads them."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.utils import timezone

from factcheck.extraction.models import ExtractionRun, ExtractionSample, SampleKind
from reviews.labelling.models import GoldItem, SampleLabel
from tenancy.models import EndUser
from tests.factcheck.extraction.rows import make_deltas, make_run


def make_samples(run: ExtractionRun, count: int, *, reason: str = "random", **more: Any) -> list[ExtractionSample]:
    """Samples of deltas of a run, drawn at the odds of 10 %, or for certain where they were not drawn."""
    odds = more.pop("probability", 0.1 if reason == "random" else 1.0)
    deltas = make_deltas(run, count, **more)
    return ExtractionSample.objects.bulk_create(
        ExtractionSample(
            tenant_id=run.tenant_id, end_user_id=run.end_user_id, kind=SampleKind.DELTA, run=run, delta=delta,
            reason=reason, probability=odds, stratum=f"{run.language} · ADD · en-1", language=run.language,
        )
        for delta in deltas
    )  # fmt: skip


def label(sample: ExtractionSample, person: Any, verdict: str = "correct", **more: Any) -> SampleLabel:
    """One label of a sample."""
    return SampleLabel.objects.create(
        tenant_id=sample.tenant_id, sample=sample, reviewer=person, verdict=verdict, **{"seconds": 5, **more}
    )


def label_many(
    user: EndUser, person: Any, right: int, wrong: int, *, language: str = "en", reason: str = "random", **more: Any
) -> list[SampleLabel]:
    """A run with so many samples that are right and then so many that are wrong, each labelled once."""
    run = make_run(user, language=language, **more.pop("run", {}))
    verdicts = ["correct"] * right + ["wrong_value"] * wrong
    samples = make_samples(run, right + wrong, reason=reason, **more)
    start = timezone.now() - dt.timedelta(minutes=len(verdicts))
    return SampleLabel.objects.bulk_create(
        SampleLabel(
            tenant_id=user.tenant_id, sample=sample, reviewer=person, verdict=verdict, seconds=5,
            created_at=start + dt.timedelta(seconds=place),
        )
        for place, (sample, verdict) in enumerate(zip(samples, verdicts, strict=True))
    )  # fmt: skip


def label_gold(user: EndUser, person: Any, *, planted: bool, verdicts: list[str]) -> None:
    """Labels of gold items of one kind."""
    for place, verdict in enumerate(verdicts):
        item = GoldItem.objects.create(
            slug=f"gold-{planted}-{place}-{person.pk}", language="en", kind="delta", content={},
            verdict="wrong_value" if planted else "correct", is_planted=planted, reason="known",
        )  # fmt: skip
        SampleLabel.objects.create(
            tenant_id=user.tenant_id, gold=item, reviewer=person, verdict=verdict, is_gold_check=True
        )
