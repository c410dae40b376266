"""Reads for the odds of reviews: the setting that holds, and the volumes of the last 14 days."""

from __future__ import annotations

import datetime as dt

from django.db.models import Count, Min, Q
from django.utils import timezone

from factcheck.extraction.core.sampling import WINDOW_DAYS, Volumes
from factcheck.extraction.core.verdicts import VerdictCode
from factcheck.extraction.models import ExtractionDelta, ExtractionRun, RunState, SamplingRate
from factcheck.patterns.models.versions import PatternVersion


def find_sampling_rate(tenant_id: int) -> SamplingRate | None:
    """The setting of a tenant that holds. One query by index."""
    return SamplingRate.objects.filter(tenant_id=tenant_id).order_by("-id").first()


def name_version(run: ExtractionRun) -> str:
    """What answered a run, and under which prompt."""
    return _name(run.model, run.proposer, run.prompt_version)


def get_window_start() -> dt.datetime:
    """When the 14 days began that figures are of."""
    return timezone.now() - dt.timedelta(days=WINDOW_DAYS)


def count_volumes(tenant_id: int) -> Volumes:
    """Proposals and runs of the last 14 days. Two queries by index."""
    since = get_window_start()
    passed = Q(verdict=VerdictCode.ACCEPTED.value)
    deltas = ExtractionDelta.objects.filter(tenant_id=tenant_id, created_at__gte=since).aggregate(
        accepted=Count("pk", filter=passed), rejected=Count("pk", filter=~passed)
    )
    runs = ExtractionRun.objects.filter(tenant_id=tenant_id, created_at__gte=since, state=RunState.APPLIED).count()
    return Volumes(accepted=deltas["accepted"], rejected=deltas["rejected"], runs=runs)


def list_versions(tenant_id: int) -> list[str]:
    """Models with prompt versions of the last 14 days."""
    return sorted(_find_versions(tenant_id))


def list_new_versions(tenant_id: int) -> list[str]:
    """Those of them that ran for the first time within the 14 days. Two queries."""
    current = _find_versions(tenant_id)
    since = get_window_start()
    before = {
        _name(*row)
        for row in ExtractionRun.objects.filter(tenant_id=tenant_id, created_at__lt=since, state=RunState.APPLIED)
        .order_by()
        .values_list("model", "proposer", "prompt_version")
        .distinct()
    }
    return sorted(set(current) - before)


def find_first_run(tenant_id: int) -> dt.datetime | None:
    """When the tenant's first run that worked began."""
    rows = ExtractionRun.objects.filter(tenant_id=tenant_id, state=RunState.APPLIED)
    first: dt.datetime | None = rows.aggregate(first=Min("created_at"))["first"]
    return first


def find_patterns_change() -> dt.datetime | None:
    """When the patterns and anchors last changed; None while they are as they ship."""
    return PatternVersion.objects.values_list("changed_at", flat=True).first()


def _find_versions(tenant_id: int) -> set[str]:
    rows = ExtractionRun.objects.filter(
        tenant_id=tenant_id, created_at__gte=get_window_start(), state=RunState.APPLIED
    ).order_by()
    return {_name(*row) for row in rows.values_list("model", "proposer", "prompt_version").distinct()}


def _name(model: str, proposer: str, prompt_version: str) -> str:
    return f"{model or proposer} {prompt_version}".strip()[:200]
