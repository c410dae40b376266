"""Golden runs, and how a run differs from what was live."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from reviews.golden.core.queries import hash_queries, read_columns
from reviews.golden.core.scores import subtract
from reviews.models import GoldenChange, GoldenChangeState, GoldenQuery, GoldenResult, GoldenRun


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One query of a run with its metrics, and by how much they differ from the baseline's."""

    result: GoldenResult
    deltas: dict[str, float]


@dataclass(frozen=True, slots=True)
class RunReport:
    """A run with its means, their deltas to the baseline, and its queries, failed ones first."""

    run: GoldenRun
    deltas: dict[str, float]
    rows: tuple[ResultRow, ...]


def list_active_queries(domain_index_id: int) -> QuerySet[GoldenQuery]:
    """The queries that a run asks, by key."""
    return GoldenQuery.objects.filter(domain_index_id=domain_index_id, active=True).order_by("key")


def have_queries_changed(run: GoldenRun) -> bool:
    """Whether a run begun now would ask or expect something else. One query."""
    if run.queries_hash is None:
        return False
    queries = list_active_queries(run.domain_index_id)
    return bytes(run.queries_hash) != hash_queries((query.key, read_columns(query)) for query in queries)


def list_waiting_changes(domain_index_ids: Sequence[int]) -> QuerySet[GoldenChange]:
    """Changes of golden queries that wait for a second person, oldest first."""
    return (
        GoldenChange.objects.filter(domain_index__in=domain_index_ids, state=GoldenChangeState.PROPOSED)
        .select_related("domain_index__world", "author")
        .order_by("id")
    )


def list_golden_runs(domain_index_id: int) -> QuerySet[GoldenRun]:
    """A domain's runs, newest first."""
    return (
        GoldenRun.objects.filter(domain_index_id=domain_index_id).select_related("release", "baseline").order_by("-pk")
    )


def find_last_run(domain_index_id: int, *, release_id: int | None = None) -> GoldenRun | None:
    """The newest run of the domain, or of one release in it."""
    runs = list_golden_runs(domain_index_id)
    return (runs if release_id is None else runs.filter(release_id=release_id)).first()


def report_run(run: GoldenRun) -> RunReport:
    """The run's table. One query."""
    return RunReport(
        run=run,
        deltas=subtract(run.metrics, run.baseline_metrics),
        rows=tuple(
            ResultRow(result=result, deltas=subtract(result.metrics, result.baseline_metrics))
            for result in run.results.order_by("passed", "key")
        ),
    )
