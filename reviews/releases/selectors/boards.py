"""What a release board shows of a domain: what is live, what is on the stage, and how its golden queries went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from knowledge.canon.models import (
    Alias,
    AliasName,
    CanaryOverride,
    DomainIndex,
    GateState,
    LivePeriod,
    Release,
    ReleaseState,
)
from knowledge.canon.models.releases import GATE_OPEN, MAX_CANARY_PERCENT
from knowledge.canon.selectors.live_periods import find_current_periods, list_live_periods
from reviews.golden.core.scores import METRICS, subtract
from reviews.golden.selectors import have_queries_changed, list_waiting_changes
from reviews.models import ChangeRequest, ChangeState, GoldenChange, GoldenQuery, GoldenResult, GoldenRun

OPEN_RELEASES = (ReleaseState.BUILDING, ReleaseState.STAGED, ReleaseState.FAILED)
BUSY_GATES = (GateState.PENDING, GateState.RUNNING)
MAX_HISTORY = 50
SMALLEST_DELTA = 0.0005
METRIC_NAMES = {"ndcg": "nDCG", "recall": "Recall", "rr": "Reciprocal rank", "must_hit": "Must-hits found"}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a slug stood in the release and in what was live then; None: not among the first k."""

    slug: str
    place: int | None
    baseline: int | None


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One golden query's outcome, with the places of what it must find."""

    result: GoldenResult
    places: tuple[Place, ...]
    delta: float | None

    @property
    def has_moved(self) -> bool:
        """Whether it ranks differently from what was live."""
        return bool(self.delta and abs(self.delta) >= SMALLEST_DELTA)


@dataclass(frozen=True, slots=True)
class Results:
    """The queries of a run: those that want a look, and the others."""

    attention: tuple[ResultRow, ...]
    steady: tuple[ResultRow, ...]


@dataclass(frozen=True, slots=True)
class MetricRow:
    """The mean of one metric in the release, in the baseline, and the difference."""

    name: str
    value: float | None
    baseline: float | None
    delta: float | None


@dataclass(frozen=True, slots=True)
class BoardCard:
    """A domain at a glance."""

    index: DomainIndex
    latest: Alias | None
    stage: Release | None
    approved: int
    run: GoldenRun | None
    canary_override: CanaryOverride | None
    current: LivePeriod | None
    """Since when, by whose hand and why the live release is live."""


@dataclass(frozen=True, slots=True)
class Board:
    """A domain's releases, and what may become of them."""

    latest: Alias | None
    stage: Release | None
    stage_requests: Sequence[ChangeRequest]
    progress: dict[str, Any] | None
    run: GoldenRun | None
    results: Results | None
    metrics: Sequence[MetricRow]
    gate_open: bool
    stage_is_stale: bool
    approved: Sequence[ChangeRequest]
    history: Sequence[Release]
    earlier: Sequence[Release]
    query_count: int
    canary_override: CanaryOverride | None
    """An owner's word that lets the canary past a gate that is not open."""
    canary_max: int
    periods: Mapping[int, Sequence[LivePeriod]]
    """Release id to the stretches in which it was live, newest first."""
    current: LivePeriod | None
    queries_changed: bool
    """Whether the golden queries are others than those of the run that is shown."""
    waiting_changes: Sequence[GoldenChange]


def list_cards(indexes: list[DomainIndex]) -> list[BoardCard]:
    """One card a domain. Six queries, however many domains."""
    ids = [index.pk for index in indexes]
    latest = {row.domain_index_id: row for row in _list_latest(ids)}
    stages = {row.domain_index_id: row for row in Release.objects.filter(domain_index__in=ids, state__in=OPEN_RELEASES)}
    approved = Counter(
        ChangeRequest.objects.filter(domain_index__in=ids, state=ChangeState.APPROVED).values_list(
            "domain_index_id", flat=True
        )
    )
    runs = {
        run.domain_index_id: run
        for run in GoldenRun.objects.filter(domain_index__in=ids)
        .select_related("release")
        .order_by("domain_index_id", "-id")
        .distinct("domain_index_id")
    }
    current = find_current_periods(ids)
    words = {
        row.release_id: row
        for row in CanaryOverride.objects.filter(release__in=[stage.pk for stage in stages.values()]).order_by("id")
    }
    return [
        BoardCard(
            index,
            latest.get(index.pk),
            stage := stages.get(index.pk),
            approved[index.pk],
            runs.get(index.pk),
            words.get(stage.pk) if stage and stage.gate_state not in GATE_OPEN else None,
            current.get(index.pk),
        )
        for index in indexes
    ]


def get_board(index: DomainIndex) -> Board:
    """The board of one domain."""
    latest = _list_latest([index.pk]).first()
    stage = find_stage(index)
    run = _find_run(stage)
    history = list(Release.objects.filter(domain_index=index)[:MAX_HISTORY])
    live_id = latest.release_id if latest else None
    return Board(
        latest=latest,
        stage=stage,
        stage_requests=list(stage.change_requests.select_related("author", "author_key")) if stage else [],
        progress=describe_progress(stage) if stage else None,
        run=run,
        results=describe_results(run) if run else None,
        metrics=describe_metrics(run.metrics, run.baseline_metrics) if run else [],
        gate_open=bool(stage and stage.gate_state in GATE_OPEN),
        stage_is_stale=bool(stage and latest and stage.base_number != latest.release.number),
        approved=list(
            ChangeRequest.objects.filter(domain_index=index, state=ChangeState.APPROVED)
            .select_related("author", "author_key", "approved_by")
            .order_by("id")
        ),
        history=history,
        earlier=[row for row in history if row.state == ReleaseState.PUBLISHED and row.pk != live_id],
        query_count=GoldenQuery.objects.filter(domain_index=index, active=True).count(),
        canary_override=stage.canary_overrides.first() if stage and stage.gate_state not in GATE_OPEN else None,
        canary_max=MAX_CANARY_PERCENT,
        periods=list_live_periods([index.pk]),
        current=find_current_periods([index.pk]).get(index.pk),
        queries_changed=bool(run and have_queries_changed(run)),
        waiting_changes=list(list_waiting_changes([index.pk])),
    )


def find_stage(index: DomainIndex) -> Release | None:
    """The release that is being built, gated, or stands on the stage."""
    return Release.objects.filter(domain_index=index, state__in=OPEN_RELEASES).select_related("vector_space").first()


def describe_progress(stage: Release) -> dict[str, Any]:
    """The step that a release is at, in words and as a share, with a stamp of its state."""
    step, percent = "", 100
    if stage.state == ReleaseState.BUILDING:
        total, done = max(stage.edits_total, 1), stage.edits_done
        percent = round(80 * done / total)
        step = f"Building: {done} of {stage.edits_total} articles chunked and indexed"
        if stage.attempts > 1:
            step += f" (attempt {stage.attempts})"
        if done == 0 and stage.heartbeat_at is None:
            step = "Waiting for a worker to take it up"
    elif stage.state == ReleaseState.STAGED and stage.gate_state in BUSY_GATES:
        run = GoldenRun.objects.filter(release=stage).order_by("-id").first()
        total = GoldenQuery.objects.filter(domain_index_id=stage.domain_index_id, active=True).count()
        done = run.results.count() if run else 0
        percent = 80 + round(20 * done / max(total, 1))
        step = f"Golden queries: {done} of {total} asked"
    busy = stage.state == ReleaseState.BUILDING or (
        stage.state == ReleaseState.STAGED and stage.gate_state in BUSY_GATES
    )
    return {
        "stamp": f"{stage.pk}:{stage.state}:{stage.gate_state}",
        "busy": busy,
        "step": step,
        "percent": min(percent, 100),
    }


def describe_metrics(metrics: Mapping[str, float], baseline: Mapping[str, float]) -> list[MetricRow]:
    """The means beside those of the baseline."""
    deltas = subtract(metrics, baseline)
    return [
        MetricRow(METRIC_NAMES[name], metrics.get(name), baseline.get(name), deltas.get(name))
        for name in METRICS
        if name in metrics
    ]


def describe_results(run: GoldenRun) -> Results:
    """The run's queries, those that failed or moved apart from those that stand as they did."""
    queries = {row.key: row for row in GoldenQuery.objects.filter(domain_index_id=run.domain_index_id)}
    rows = []
    for result in run.results.all():
        query = queries.get(result.key)
        wanted = list(dict.fromkeys([*(query.must_hit if query else []), *result.missed]))
        places = tuple(Place(slug, _place(result.found, slug), _place(result.baseline_found, slug)) for slug in wanted)
        delta = subtract(result.metrics, result.baseline_metrics).get("ndcg")
        rows.append(ResultRow(result, places, delta))
    return Results(
        attention=tuple(row for row in rows if not row.result.passed or row.has_moved),
        steady=tuple(row for row in rows if row.result.passed and not row.has_moved),
    )


def _place(found: list[str], slug: str) -> int | None:
    return found.index(slug) + 1 if slug in found else None


def _find_run(stage: Release | None) -> GoldenRun | None:
    if stage is None:
        return None
    return GoldenRun.objects.filter(release=stage).select_related("baseline").order_by("-id").first()


def _list_latest(index_ids: list[int]) -> QuerySet[Alias]:
    return Alias.objects.filter(domain_index__in=index_ids, name=AliasName.LATEST).select_related("release")
