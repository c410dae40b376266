"""What labels decide: after each one the breakers, once an hour the odds of reviews and the trust in confidence."""

from __future__ import annotations

import datetime as dt

from django.utils import timezone

from factcheck.extraction.actions.breakers import judge_denial_breakers, judge_review_breaker, judge_trial
from factcheck.extraction.actions.buckets import record_buckets
from factcheck.extraction.actions.sampling import set_sampling_rate
from factcheck.extraction.core.breakers import MIN_DENIAL_SAMPLE
from factcheck.extraction.core.sampling import WINDOW_DAYS, Standing
from factcheck.extraction.core.statistics import (
    correct_for_reviewers,
    estimate_rate,
)
from factcheck.extraction.metrics import count_review
from factcheck.extraction.models import BreakerEvent, BreakerKind, BreakerState, SamplingRate
from factcheck.extraction.selectors.breakers import (
    ALL_LANGUAGES,
    count_denials,
    find_breaker,
    find_settled,
    list_breakers,
    was_paused_since,
)
from factcheck.extraction.selectors.sampling import find_first_run, find_patterns_change, list_new_versions
from reviews.labelling.models import SampleLabel
from reviews.quality.selectors.labels import (
    LabelledItem,
    find_buckets,
    list_labelled,
    list_recent_outcomes,
    list_trial_outcomes,
    measure_reviewers,
)
from tenancy.models import Extraction, Tenant

RELIABILITY_DAYS = 90
GOLD_DAYS = 90


def judge_after_label(label_id: int) -> list[BreakerEvent]:
    """Count a label, and let it move the breakers of its language and of all. Call it once the label is committed."""
    label = SampleLabel.objects.select_related("sample").get(pk=label_id)
    if label.sample is None or label.is_late:
        return []
    if label.undone_at is None:
        count_review(label.verdict, label.sample.language)
    return judge_reviews(label.tenant_id, label.sample.language)


def judge_reviews(tenant_id: int, language: str) -> list[BreakerEvent]:
    """Let the reviews of a language, and of all, move the breakers: the events that follow.

    That of all languages comes last, without what breakers of a language judged: one bad language is one breaker.
    """
    moved = []
    for each in dict.fromkeys([language, ALL_LANGUAGES]):
        seen = find_breaker(tenant_id, BreakerKind.REVIEWS, each)
        if seen is not None and seen.state != BreakerState.CLOSED:
            continue
        settled = find_settled(tenant_id, BreakerKind.REVIEWS) if each == ALL_LANGUAGES else {}
        since = seen.created_at if seen else None
        outcomes, prompt_version = list_recent_outcomes(tenant_id, each, since, settled=settled)
        moved.append(
            judge_review_breaker(
                seen, tenant_id=tenant_id, language=each, outcomes=outcomes, prompt_version=prompt_version
            )
        )
    on_trial = [event for event in list_breakers(tenant_id, language) if event.state == BreakerState.HALF_OPEN]
    moved += [judge_trial(event, list_trial_outcomes(event)) for event in on_trial]
    return [event for event in moved if event is not None]


def judge_tenant(tenant_id: int) -> SamplingRate:
    """The breakers looked at again, trust in confidence renewed, and the odds that hold from now on."""
    judge_denial_breakers(tenant_id)
    items = list_labelled(tenant_id, _days_ago(RELIABILITY_DAYS))
    since = _days_ago(WINDOW_DAYS)
    recent = [item for item in items if item.labelled_at >= since]
    for language in sorted({item.language for item in recent}):
        judge_reviews(tenant_id, language)
    record_buckets(tenant_id, find_buckets(items))
    return set_sampling_rate(tenant_id, find_standing(tenant_id, recent))


def judge_all_tenants() -> int:
    """`judge_tenant` for each that reads talk a second time: how many."""
    tenants = list(Tenant.objects.exclude(extraction=Extraction.OFF).values_list("pk", flat=True))
    for tenant_id in tenants:
        judge_tenant(tenant_id)
    return len(tenants)


def find_standing(tenant_id: int, items: list[LabelledItem]) -> Standing:
    """What the items of the last 14 days, and all else that counts, say of a tenant's extraction."""
    estimated = [item for item in items if item.is_estimated]
    strata: dict[str, tuple[int, int]] = {}
    for item in estimated:
        errors, n = strata.get(item.stratum, (0, 0))
        strata[item.stratum] = (errors + item.is_error, n + 1)
    since = _days_ago(WINDOW_DAYS)
    quality = measure_reviewers(tenant_id, _days_ago(GOLD_DAYS))
    reviewed = correct_for_reviewers(estimate_rate(item.outcome for item in estimated), quality)
    changed = find_patterns_change()
    new = [f"prompt {each}" for each in list_new_versions(tenant_id)]
    if changed is not None and changed >= since:
        new.append("patterns")
    first, denials = find_first_run(tenant_id), count_denials(tenant_id)
    return Standing(
        reviewed=reviewed,
        strata=strata,
        days=(timezone.now() - first).total_seconds() / 86_400 if first else 0.0,
        new=new,
        was_paused=was_paused_since(tenant_id, since),
        correction_rate=denials.denied / denials.facts if denials.facts >= MIN_DENIAL_SAMPLE else None,
    )


def _days_ago(days: int) -> dt.datetime:
    return timezone.now() - dt.timedelta(days=days)
