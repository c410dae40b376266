"""Reads of the breakers: the newest event of each holds, and what players denied of what was written."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from django.db.models import Count, Exists, OuterRef, Q
from django.utils import timezone

from factcheck.extraction.models import BreakerEvent, BreakerKind, BreakerState, DeltaOutcome, ExtractionDelta
from knowledge.facts.models import CorrectionOutcome, CorrectionType, MemoryCorrection

ALL_LANGUAGES = ""
DENIAL_DAYS = 7
DENYING_TYPES = (CorrectionType.USER_DENIED, CorrectionType.WRONG_SUBJECT, CorrectionType.AMBIGUOUS)
"""What says that a fact never was true. `outdated` and `narrowed` say that it was; `support` is no player's."""
DENYING_OUTCOMES = (CorrectionOutcome.DEACTIVATED, CorrectionOutcome.SUPERSEDED, CorrectionOutcome.DISPUTED)


def list_breakers(tenant_id: int, language: str | None = None) -> list[BreakerEvent]:
    """The events that hold: one of each breaker that ever opened. With a language, only those that touch it."""
    rows = BreakerEvent.objects.filter(tenant_id=tenant_id)
    if language is not None:
        rows = rows.filter(language__in={ALL_LANGUAGES, language})
    return list(rows.order_by("kind", "language", "-id").distinct("kind", "language"))


def find_breaker(tenant_id: int, kind: str, language: str) -> BreakerEvent | None:
    """The event of one breaker that holds; None while it never opened."""
    return BreakerEvent.objects.filter(tenant_id=tenant_id, kind=kind, language=language).order_by("-id").first()


def list_unclosed_breakers(tenant_ids: Iterable[int] | None = None) -> list[BreakerEvent]:
    """Breakers that are open or half open, newest first: of some tenants, or of all."""
    rows = BreakerEvent.objects.select_related("tenant")
    if tenant_ids is not None:
        rows = rows.filter(tenant_id__in=tenant_ids)
    newest = rows.order_by("tenant_id", "kind", "language", "-id").distinct("tenant_id", "kind", "language")
    unclosed = [row for row in newest if row.state != BreakerState.CLOSED]
    return sorted(unclosed, key=lambda row: -row.pk)


def was_paused_since(tenant_id: int, since: dt.datetime) -> bool:
    """Whether any breaker of the tenant opened, or has not closed, since a time."""
    if BreakerEvent.objects.filter(tenant_id=tenant_id, created_at__gte=since, state=BreakerState.OPEN).exists():
        return True
    return any(row.state != BreakerState.CLOSED for row in list_breakers(tenant_id))


@dataclass(frozen=True, slots=True)
class DenialCount:
    """Facts that batch extraction wrote lately, and those of them that players denied or doubted."""

    facts: int
    denied: int


Settled = Mapping[str, "dt.datetime | None"]
"""Language to when its own breaker last closed; None while it is not closed."""


def find_settled(tenant_id: int, kind: str) -> Settled:
    """Languages that had a breaker of their own: what it judged before it closed is not held against all again."""
    return {
        event.language: event.created_at if event.state == BreakerState.CLOSED else None
        for event in list_breakers(tenant_id)
        if event.kind == kind and event.language != ALL_LANGUAGES
    }


def build_unsettled(settled: Settled, *, language: str, time: str) -> Q:
    """The rows that no breaker of a language has judged yet, by the names of their columns."""
    unsettled = Q()
    for each, closed_at in settled.items():
        judged = Q(**{language: each})
        unsettled &= ~(judged if closed_at is None else judged & Q(**{f"{time}__lte": closed_at}))
    return unsettled


def count_denials(
    tenant_id: int,
    language: str = ALL_LANGUAGES,
    *,
    since: dt.datetime | None = None,
    settled: Settled = MappingProxyType({}),
) -> DenialCount:
    """Facts of a language that were written in the last 7 days, or later than `since`. One query by index.

    Of all languages where it is empty, but what breakers of their own have `settled`.
    """
    start = timezone.now() - dt.timedelta(days=DENIAL_DAYS)
    deltas = ExtractionDelta.objects.filter(
        tenant_id=tenant_id,
        created_at__gte=max(start, since) if since else start,
        fact__isnull=False,
        outcome__in=[DeltaOutcome.WRITTEN, DeltaOutcome.SUPERSEDED],
    )
    if language != ALL_LANGUAGES:
        deltas = deltas.filter(language=language)
    deltas = deltas.filter(build_unsettled(settled, language="language", time="created_at"))
    denial = MemoryCorrection.objects.filter(
        tenant_id=tenant_id,
        fact_id=OuterRef("fact_id"),
        correction_type__in=DENYING_TYPES,
        outcome__in=DENYING_OUTCOMES,
    )
    counts = deltas.annotate(is_denied=Exists(denial)).values("is_denied").order_by()
    found = dict(counts.annotate(count=Count("fact_id", distinct=True)).values_list("is_denied", "count"))
    return DenialCount(facts=sum(found.values()), denied=found.get(True, 0))


def list_denied_languages(tenant_id: int) -> list[str]:
    """Languages in which something was written in the last 7 days."""
    since = timezone.now() - dt.timedelta(days=DENIAL_DAYS)
    rows = ExtractionDelta.objects.filter(tenant_id=tenant_id, created_at__gte=since, fact__isnull=False).order_by()
    return sorted(set(rows.values_list("language", flat=True).distinct()) - {ALL_LANGUAGES})


def is_paused(tenant_id: int) -> bool:
    """Whether any breaker of a tenant keeps extraction from writing."""
    return any(row.state != BreakerState.CLOSED for row in list_breakers(tenant_id))


def name_breaker(event: BreakerEvent) -> str:
    """A breaker in words: what it watches, and in which language."""
    return f"{BreakerKind(event.kind).label}, {event.language or 'all languages'}"
