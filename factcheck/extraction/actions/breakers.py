"""Switches that stop extraction by themselves, try it again, and are closed by a trial or by an owner.

The tenant's row is locked while an event is written, and the newest event read again: of two that judge at once, one
writes. Source: design notes B-R4 and B-R5.
"""

from __future__ import annotations

from collections.abc import Sequence

import structlog
from django.db import transaction

from factcheck.errors import BreakerMoved
from factcheck.extraction.actions.breaker_notices import queue_breaker_notice
from factcheck.extraction.core.breakers import (
    MAX_TRIAL_ERRORS,
    TRIALS,
    Finding,
    judge_denials,
    judge_reviews,
    judge_trials,
)
from factcheck.extraction.core.statistics import Interval, wilson_bounds
from factcheck.extraction.metrics import BREAKER_CHANGES
from factcheck.extraction.models import BreakerEvent, BreakerKind, BreakerState
from factcheck.extraction.selectors.breakers import (
    ALL_LANGUAGES,
    count_denials,
    find_breaker,
    find_settled,
    list_denied_languages,
)
from memoryproject.database import after_commit
from tenancy.models import Tenant

logger = structlog.get_logger("memory37.extraction")

SERVICE = "service"
BY_HAND = "by hand"
MAX_REASON_LENGTH = 500


def judge_review_breaker(
    seen: BreakerEvent | None,
    *,
    tenant_id: int,
    language: str,
    outcomes: Sequence[bool],
    prompt_version: str = "",
) -> BreakerEvent | None:
    """What reviews do to a closed breaker, oldest first, True an error: an event if it opens, else None.

    `outcomes` are those since it last closed. Locks the tenant.
    """
    finding = judge_reviews(outcomes)
    if not finding.trips:
        return None
    reason = f"{finding.errors} of the last {finding.n} reviews found an error"
    return _open(seen, BreakerKind.REVIEWS, tenant_id, language, finding, reason, prompt_version)


def judge_denial_breakers(tenant_id: int) -> list[BreakerEvent]:
    """Open the breakers of languages in which players deny more than 3 % of what was written. Locks the tenant.

    That of all languages comes last, without what breakers of a language judged: one bad language is one breaker.
    """
    found = []
    for language in [*list_denied_languages(tenant_id), ALL_LANGUAGES]:
        seen = find_breaker(tenant_id, BreakerKind.DENIALS, language)
        if seen is not None and seen.state != BreakerState.CLOSED:
            continue
        settled = find_settled(tenant_id, BreakerKind.DENIALS) if language == ALL_LANGUAGES else {}
        counts = count_denials(tenant_id, language, since=seen.created_at if seen else None, settled=settled)
        finding = judge_denials(counts.denied, counts.facts)
        if finding.trips:
            reason = f"players denied {counts.denied} of {counts.facts} facts of the last 7 days"
            found.append(_open(seen, BreakerKind.DENIALS, tenant_id, language, finding, reason, ""))
    return [event for event in found if event is not None]


def judge_trial(seen: BreakerEvent, outcomes: Sequence[bool]) -> BreakerEvent | None:
    """What reviews of a half-open breaker's trial do: it closes at 50 with two errors at most, opens at the third."""
    trial = judge_trials(outcomes)
    if not trial.is_over:
        return None
    bounds = wilson_bounds(trial.errors, trial.n)
    rule = f"trial: at most {MAX_TRIAL_ERRORS} errors of {TRIALS}"
    finding = Finding(trial.n, trial.errors, bounds, rule, trips=not trial.passed)
    verb = "passed" if trial.passed else "failed"
    state = BreakerState.CLOSED if trial.passed else BreakerState.OPEN
    reason = f"the trial {verb}: {trial.errors} of {trial.n} reviews found an error"
    return _move(seen, seen.kind, seen.tenant_id, seen.language, state, finding, reason, SERVICE, seen.prompt_version)


def resume_breaker(event: BreakerEvent, *, state: str, made_by: str, reason: str) -> BreakerEvent:
    """An owner lets extraction go on: by a trial (`half_open`), or at once (`closed`).

    The caller saw to a reason. Raises BreakerMoved (it is closed, or somebody was faster). Locks the tenant.
    """
    finding = Finding(event.n, event.errors, Interval(event.lower, event.upper), BY_HAND, trips=False)
    moved = None
    if event.state != BreakerState.CLOSED and state != BreakerState.OPEN and state != event.state:
        moved = _move(
            event, event.kind, event.tenant_id, event.language, state, finding, reason, made_by, event.prompt_version
        )
    if moved is None:
        raise BreakerMoved("The breaker is not in the state that you saw. Load the page again.")
    return moved


def pause_by_hand(tenant_id: int, *, language: str = ALL_LANGUAGES, made_by: str, reason: str) -> BreakerEvent:
    """An owner stops extraction, of all languages or of one. Raises BreakerMoved. Locks the tenant."""
    seen = find_breaker(tenant_id, BreakerKind.REVIEWS, language)
    moved = None
    if seen is None or seen.state != BreakerState.OPEN:
        finding = Finding(0, 0, Interval(0.0, 1.0), BY_HAND, trips=True)
        state = BreakerState.OPEN
        moved = _move(seen, BreakerKind.REVIEWS, tenant_id, language, state, finding, reason, made_by, "")
    if moved is None:
        raise BreakerMoved("The breaker is open already.")
    return moved


def _open(
    seen: BreakerEvent | None, kind: str, tenant_id: int, language: str, finding: Finding, reason: str,
    prompt_version: str,
) -> BreakerEvent | None:  # fmt: skip
    if seen is not None and seen.state != BreakerState.CLOSED:
        return None
    return _move(seen, kind, tenant_id, language, BreakerState.OPEN, finding, reason, SERVICE, prompt_version)


def _move(
    seen: BreakerEvent | None, kind: str, tenant_id: int, language: str, state: str, finding: Finding, reason: str,
    made_by: str, prompt_version: str,
) -> BreakerEvent | None:  # fmt: skip
    """The new event; None where the breaker moved since it was `seen`."""
    with transaction.atomic():
        Tenant.objects.select_for_update(no_key=True).get(pk=tenant_id)
        newest = find_breaker(tenant_id, kind, language)
        if (newest.pk if newest else None) != (seen.pk if seen else None):
            return None
        event = BreakerEvent.objects.create(
            tenant_id=tenant_id,
            kind=kind,
            language=language,
            state=state,
            n=finding.n,
            errors=finding.errors,
            lower=finding.bounds.lower,
            upper=finding.bounds.upper,
            rule=finding.rule[:80],
            prompt_version=prompt_version,
            made_by=made_by[:150],
            reason=reason[:MAX_REASON_LENGTH],
        )
        after_commit(_notify, event)
    return event


def _notify(event: BreakerEvent) -> None:
    BREAKER_CHANGES.labels(kind=event.kind, state=event.state).inc()
    logger.warning(
        "breaker_changed", kind=event.kind, state=event.state, language=event.language, n=event.n, errors=event.errors,
        rule=event.rule, tenant_id=event.tenant_id,
    )  # fmt: skip
    if event.state == BreakerState.OPEN:
        queue_breaker_notice(event.pk)
