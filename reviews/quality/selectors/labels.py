"""Labelled items, one row each: of two labels the first counts, the second measures agreement."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from types import MappingProxyType

from django.db.models import Exists, OuterRef, QuerySet

from factcheck.extraction.core.statistics import Bucket, Outcome, ReviewerQuality, bucket_reliability
from factcheck.extraction.core.verdicts import VerdictCode
from factcheck.extraction.models import BreakerEvent, SampleKind, SampleReason
from factcheck.extraction.selectors.breakers import ALL_LANGUAGES, Settled, build_unsettled
from reviews.labelling.core.verdicts import ERRORS, LabelVerdict
from reviews.labelling.models import SampleLabel

ESTIMATED = (SampleReason.RANDOM, SampleReason.FLOOR, SampleReason.ALL)
"""Reasons of samples that estimates count: what looked doubtful, and a breaker's trial, say nothing of all."""
MAX_ITEMS = 50_000
MAX_RECENT = 100
RIGHT_VERDICTS = (LabelVerdict.CORRECT, LabelVerdict.NOTHING_MISSED)


@dataclass(frozen=True, slots=True)
class LabelledItem:
    """A sample with the verdict that counts."""

    sample_id: int
    kind: str
    reason: str
    probability: float
    stratum: str
    language: str
    verdict: str
    trust: float
    is_accepted: bool
    confidence: float | None
    version: str
    labelled_at: dt.datetime

    @property
    def is_error(self) -> bool:
        """Whether the label calls the proposal wrong."""
        return self.verdict in ERRORS

    @property
    def is_estimated(self) -> bool:
        """Whether it speaks for all that passed the gate."""
        return self.kind == SampleKind.DELTA and self.is_accepted and self.reason in ESTIMATED

    @property
    def outcome(self) -> Outcome:
        """As estimates take it."""
        return Outcome(self.is_error, self.probability, self.trust)


def list_labelled(tenant_id: int, since: dt.datetime) -> list[LabelledItem]:
    """Items labelled since a time, newest first, at most 50,000. One query by index."""
    rows = (
        _first_labels(tenant_id)
        .filter(created_at__gte=since)
        .order_by("-created_at")
        .values_list(
            "sample_id",
            "sample__kind",
            "sample__reason",
            "sample__probability",
            "sample__stratum",
            "sample__language",
            "verdict",
            "weight",
            "sample__delta__verdict",
            "sample__delta__confidence",
            "sample__run__model",
            "sample__run__proposer",
            "sample__run__prompt_version",
            "created_at",
        )[:MAX_ITEMS]
    )
    return [
        LabelledItem(
            sample_id=pk, kind=kind, reason=reason, probability=odds, stratum=stratum, language=language,
            verdict=verdict, trust=weight, is_accepted=gate == VerdictCode.ACCEPTED, confidence=confidence,
            version=f"{model or proposer} {prompt}".strip()[:200], labelled_at=at,
        )
        for pk, kind, reason, odds, stratum, language, verdict, weight, gate, confidence, model, proposer, prompt, at
        in rows
    ]  # fmt: skip


def list_recent_outcomes(
    tenant_id: int, language: str, since: dt.datetime | None, *, settled: Settled = MappingProxyType({})
) -> tuple[list[bool], str]:
    """The last 100 reviews of a language, oldest first, True an error, and the prompt version of the newest.

    Of all languages where it is empty, but what breakers of their own have `settled`. `since`: when the breaker last
    closed; what was proposed before says nothing of it, whenever it is reviewed. One query by index.
    """
    rows = _first_labels(tenant_id).filter(
        sample__kind=SampleKind.DELTA,
        sample__reason__in=ESTIMATED,
        sample__delta__verdict=VerdictCode.ACCEPTED.value,
    )
    if language != ALL_LANGUAGES:
        rows = rows.filter(sample__language=language)
    for time in ("created_at", "sample__created_at"):
        rows = rows.filter(build_unsettled(settled, language="sample__language", time=time))
    if since is not None:
        rows = rows.filter(created_at__gt=since, sample__created_at__gt=since)
    newest = list(
        rows.order_by("-created_at", "-id").values_list("verdict", "sample__run__prompt_version")[:MAX_RECENT]
    )
    return [verdict in ERRORS for verdict, _ in reversed(newest)], newest[0][1] if newest else ""


def list_trial_outcomes(event: BreakerEvent) -> list[bool]:
    """Reviews of what a half-open breaker's trial proposed, oldest first, True an error. One query by index."""
    rows = _first_labels(event.tenant_id).filter(
        sample__reason=SampleReason.TRIAL,
        sample__delta__verdict=VerdictCode.ACCEPTED.value,
        sample__created_at__gt=event.created_at,
        created_at__gt=event.created_at,
    )
    if event.language != ALL_LANGUAGES:
        rows = rows.filter(sample__language=event.language)
    return [verdict in ERRORS for verdict in rows.order_by("created_at", "id").values_list("verdict", flat=True)]


def list_pairs(tenant_id: int, since: dt.datetime) -> list[tuple[str, bool, bool]]:
    """Items that two people labelled: language, whether the first found an error, whether the second did.

    Items that one of them could not tell are left out.
    """
    rows = (
        _live_labels(tenant_id)
        .filter(sample__kind=SampleKind.DELTA)
        .exclude(verdict=LabelVerdict.CANNOT_TELL)
        .filter(sample__label_count__gt=1, created_at__gte=since)
        .order_by("sample_id", "id")
        .values_list("sample_id", "sample__language", "verdict")[:MAX_ITEMS]
    )
    found: dict[int, list[tuple[str, bool]]] = {}
    for sample_id, language, verdict in rows:
        found.setdefault(sample_id, []).append((language, verdict in ERRORS))
    return [(labels[0][0], labels[0][1], labels[1][1]) for labels in found.values() if len(labels) > 1]


def measure_reviewers(tenant_id: int, since: dt.datetime, reviewer_id: int | None = None) -> ReviewerQuality:
    """How the tenant's reviewers, or one of them, did on gold items that show a proposal."""
    rows = SampleLabel.objects.filter(
        tenant_id=tenant_id, undone_at__isnull=True, is_gold_check=True, gold__kind=SampleKind.DELTA,
        created_at__gte=since,
    )  # fmt: skip
    if reviewer_id is not None:
        rows = rows.filter(reviewer_id=reviewer_id)
    return count_gold(list(rows.values_list("gold__is_planted", "verdict")[:MAX_ITEMS]))


def count_gold(judged: list[tuple[bool, str]]) -> ReviewerQuality:
    """Of (is planted, verdict given): what was found, and what was let pass."""
    planted = [verdict in ERRORS or verdict == LabelVerdict.MISSED for is_planted, verdict in judged if is_planted]
    right = [verdict in RIGHT_VERDICTS for is_planted, verdict in judged if not is_planted]
    return ReviewerQuality(len(planted), sum(planted), len(right), sum(right))


def find_buckets(items: list[LabelledItem]) -> dict[str, list[Bucket]]:
    """How often proposals were right, by model and prompt and by how sure the proposer was."""
    found: dict[str, list[tuple[float, bool]]] = {}
    for item in items:
        if item.is_estimated and item.confidence is not None:
            found.setdefault(item.version, []).append((item.confidence, not item.is_error))
    return {version: bucket_reliability(judged) for version, judged in sorted(found.items())}


def _live_labels(tenant_id: int) -> QuerySet[SampleLabel]:
    return SampleLabel.objects.filter(
        tenant_id=tenant_id, sample__isnull=False, undone_at__isnull=True, is_late=False, is_gold_check=False
    )


def _first_labels(tenant_id: int) -> QuerySet[SampleLabel]:
    earlier = SampleLabel.objects.filter(
        sample_id=OuterRef("sample_id"), undone_at__isnull=True, is_late=False, pk__lt=OuterRef("pk")
    )
    return _live_labels(tenant_id).filter(~Exists(earlier))
