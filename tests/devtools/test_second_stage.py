"""What the demo shows of the second stage without a chat model."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth import get_user_model

from devtools.demo.second_stage import ensure_second_stage
from factcheck.extraction.models import (
    BreakerEvent,
    ExtractionDelta,
    ExtractionRun,
    ExtractionSample,
    FactCandidate,
)
from knowledge.facts.models import UserFact
from reviews.labelling.core.verdicts import ERRORS
from reviews.labelling.models import SampleLabel
from tenancy.actions.worlds import ensure_tenant, ensure_world

HISTORIES = Path("samples") / "selmar" / "histories"


@pytest.mark.django_db
def test_facts_a_queue_in_four_languages_and_two_weeks_of_labels_that_say_what_they_are():
    world = ensure_world(tenant_id=ensure_tenant(slug="demo").pk, slug="selmar")
    for name in ("labeller", "reviewer"):
        get_user_model().objects.create_user(name)
    ensure_second_stage(world, HISTORIES)

    read = ExtractionRun.objects.filter(mode="on", state="applied")
    assert set(read.values_list("proposer", "language")) >= {("offline", each) for each in ("en", "ru", "ar", "zh")}
    written = ExtractionDelta.objects.filter(run__in=read, outcome="written")
    facts = UserFact.objects.filter(pk__in=written.values("fact"), is_active=True, source="batch")
    assert facts.values("end_user").distinct().count() == 5, "an answer that was put off, in each history"
    waiting = ExtractionSample.objects.filter(label_count=0, is_gone=False, delta__in=written)
    assert set(waiting.values_list("language", flat=True)) >= {"en", "ru", "ar", "zh"}
    labels = SampleLabel.objects.all()
    assert set(labels.values_list("comment", flat=True)) == {"Sample data: nobody gave this label."}
    assert len({each.date() for each in labels.values_list("created_at", flat=True)}) >= 14
    assert labels.filter(verdict__in=[each.value for each in ERRORS]).exists()
    assert FactCandidate.objects.filter(state="open").count() == 1
    states = BreakerEvent.objects.order_by("created_at").values_list("state", flat=True)
    assert list(states) == ["open", "half_open", "closed"]

    counts = [model.objects.count() for model in (ExtractionRun, ExtractionSample, SampleLabel, BreakerEvent)]
    ensure_second_stage(world, HISTORIES)
    again = [model.objects.count() for model in (ExtractionRun, ExtractionSample, SampleLabel, BreakerEvent)]
    assert again == counts
