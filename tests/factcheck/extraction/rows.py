"""Rows of the second stage as a run leaves them, for tests of what reads them."""

from __future__ import annotations

import itertools
from typing import Any

from django.utils import timezone

from factcheck.extraction.models import (
    DeltaOutcome,
    ExtractionDelta,
    ExtractionRun,
    RunMode,
    RunState,
    SamplingRate,
)
from knowledge.facts.actions import apply_fact
from knowledge.facts.core.drafts import FactDraft
from knowledge.facts.models import UserFact
from tenancy.models import EndUser, Tenant

_ranges = itertools.count(1)


def make_player(tenant: str = "studio", name: str = "ada", extraction: str = "on") -> EndUser:
    """A player of a tenant whose extraction is switched so."""
    owner, _ = Tenant.objects.get_or_create(slug=tenant, defaults={"name": tenant, "extraction": extraction})
    return EndUser.objects.get_or_create(tenant=owner, external_id=name)[0]


def make_run(user: EndUser, *, mode: str = RunMode.ON, language: str = "en", **more: Any) -> ExtractionRun:
    """A run that is applied, over one message."""
    values: dict[str, Any] = {
        "triggered_by": "cron", "proposer": "offline", "prompt_version": "en-1", "messages": 1, "nothing": 1,
        "state": RunState.APPLIED, "finished_at": timezone.now(), "duration_ms": 20,
    }  # fmt: skip
    return ExtractionRun.objects.create(
        tenant_id=user.tenant_id, end_user=user, mode=mode, language=language, lease_until=timezone.now(),
        range_hash=next(_ranges).to_bytes(32, "big"), **{**values, **more},
    )  # fmt: skip


def make_deltas(run: ExtractionRun, count: int, *, verdict: str = "accepted", **more: Any) -> list[ExtractionDelta]:
    """Deltas of a run, behind those that it has."""
    is_accepted = verdict == "accepted"
    values: dict[str, Any] = {
        "operation": "ADD", "type": "budget", "subject": "user", "stance": "asserts", "confidence": 0.95,
        "language": run.language, "words_sealed": b"x", "sealed_by": 1, "evidence": [7], "verdict": verdict,
        "outcome": DeltaOutcome.CANDIDATE if is_accepted else DeltaOutcome.REJECTED,
    }  # fmt: skip
    first = run.delta_rows.count() + 1
    return ExtractionDelta.objects.bulk_create(
        ExtractionDelta(tenant_id=run.tenant_id, end_user_id=run.end_user_id, run=run, position=place, **values | more)
        for place in range(first, first + count)
    )


def make_batch_facts(run: ExtractionRun, count: int, *, type_: str = "budget") -> list[UserFact]:
    """Facts that a run wrote, each with its delta."""
    facts = []
    for _ in range(count):
        draft = FactDraft(type=type_, key=f"key {next(_ranges)}", value="1", source="batch", evidence=(next(_ranges),))
        fact = apply_fact(tenant_id=run.tenant_id, end_user_id=run.end_user_id, draft=draft).fact
        make_deltas(run, 1, outcome=DeltaOutcome.WRITTEN, fact=fact, type=type_)
        facts.append(fact)
    return facts


def set_rate(user: EndUser, rate: float, **more: Any) -> SamplingRate:
    """A setting of the odds."""
    values: dict[str, Any] = {
        "policy": 0.01, "accepted_rate": rate, "rejected_rate": rate, "run_rate": rate, "needed": 149,
        "accepted": 14_900, "rejected": 0, "runs": 100, "reviewed": 0, "errors": 0, "ceiling": 1.0,
        "versions": ["offline en-1"], "reason": "a test", "made_by": "service",
    }  # fmt: skip
    return SamplingRate.objects.create(tenant_id=user.tenant_id, **values | more)
