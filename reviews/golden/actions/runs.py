"""Running a domain's golden queries against a release, by its number, beside the release that is live."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.utils import timezone

from knowledge.canon.models import Release
from knowledge.canon.models.documents import PUBLIC
from knowledge.canon.selectors.audience import get_npc_audience
from knowledge.canon.selectors.releases import ResolvedRelease, resolve_release
from knowledge.canon.selectors.search import MAX_K, search_lore
from memoryproject.errors import DomainError, UnavailableError
from reviews.golden.core.queries import hash_queries, read_columns
from reviews.golden.core.scores import Expectation, Verdict, average, judge
from reviews.golden.selectors import list_active_queries
from reviews.models import GoldenQuery, GoldenResult, GoldenRun, GoldenRunState
from reviews.releases.selectors.live import find_latest_release, find_never_used_slugs, find_unknown_slugs

NO_GOLDEN_QUERIES = "no_golden_queries"
QUERY_BATCH_SIZE = 20
Progress = Callable[[], None]


@dataclass
class _Tally:
    """What has come out so far."""

    passed: int = 0
    failed: int = 0
    metrics: list[dict[str, float]] = field(default_factory=list)
    baseline_metrics: list[dict[str, float]] = field(default_factory=list)
    degraded: set[str] = field(default_factory=set)
    queries_hash: bytes = b""
    rerank_gains: list[float] = field(default_factory=list)
    """nDCG after rerank less nDCG of the fused order, of each query that a rerank looked at."""


def execute_golden_run(release: Release, *, on_progress: Progress | None = None) -> GoldenRun:
    """A finished run of every active golden query of the release's domain, with one result a query.

    Call it outside a transaction: queries are embedded, over the network if the embedder is remote, and results are
    stored as they come. A run that breaks off is left in state error, and the error goes on to the caller.
    """
    latest = find_latest_release(release.domain_index_id)
    baseline = latest if latest is not None and latest.pk != release.pk else None
    run = GoldenRun.objects.create(
        tenant_id=release.tenant_id, domain_index_id=release.domain_index_id, release=release, baseline=baseline
    )
    try:
        tally = _run_all(run, on_progress or (lambda: None))
    except Exception as error:
        run.state, run.finished_at = GoldenRunState.ERROR, timezone.now()
        run.error = f"{type(error).__name__}: {error}"[:2000]
        run.save(update_fields=["state", "error", "finished_at"])
        raise
    run.state = GoldenRunState.FAILED if tally.failed else GoldenRunState.PASSED
    run.queries_hash = tally.queries_hash
    run.metrics = average(tally.metrics) | {"queries": tally.passed + tally.failed, "failed": tally.failed}
    if tally.rerank_gains:
        run.metrics["rerank_gain"] = round(sum(tally.rerank_gains) / len(tally.rerank_gains), 6)
    run.baseline_metrics = average(tally.baseline_metrics)
    run.degraded = sorted(tally.degraded)
    run.note = "" if tally.passed or tally.failed else NO_GOLDEN_QUERIES
    run.finished_at = timezone.now()
    run.save(update_fields=["state", "metrics", "baseline_metrics", "degraded", "note", "queries_hash", "finished_at"])
    return run


def _run_all(run: GoldenRun, on_progress: Progress) -> _Tally:
    tally = _Tally()
    queries = list(list_active_queries(run.domain_index_id))
    tally.queries_hash = hash_queries((query.key, read_columns(query)) for query in queries)
    if not queries:
        return tally
    index = run.release.domain_index
    target = resolve_release(world_id=index.world_id, domain=index.domain, release=run.release.number)
    other = None
    if run.baseline is not None:
        other = resolve_release(world_id=index.world_id, domain=index.domain, release=run.baseline.number)
    problems = _find_problems(queries, target, other)
    for start in range(0, len(queries), QUERY_BATCH_SIZE):
        batch = [
            _run_one(run, query, target, other, problems.get(query.key, ""), tally)
            for query in queries[start : start + QUERY_BATCH_SIZE]
        ]
        with transaction.atomic():
            GoldenResult.objects.bulk_create(batch)
        on_progress()
    return tally


def _run_one(
    run: GoldenRun,
    query: GoldenQuery,
    target: ResolvedRelease,
    other: ResolvedRelease | None,
    problem: str,
    tally: _Tally,
) -> GoldenResult:
    expectation = Expectation(
        key=query.key,
        k=query.k,
        must_hit=tuple(query.must_hit),
        must_not_hit=tuple(query.must_not_hit),
        relevant=query.relevant,
    )
    verdict = baseline = judge(expectation, ())
    try:
        verdict = _search_and_judge(query, expectation, target, tally)
        if other is not None:
            baseline = _search_and_judge(query, expectation, other, tally)
    except UnavailableError:
        raise
    except DomainError as error:
        problem = problem or f"The search refuses the query: {error.detail}"
    passed = not (problem or verdict.missed or verdict.forbidden)
    tally.passed += passed
    tally.failed += not passed
    tally.metrics.append(dict(verdict.metrics))
    if other is not None:
        tally.baseline_metrics.append(dict(baseline.metrics))
    return GoldenResult(
        tenant_id=run.tenant_id,
        run=run,
        key=query.key,
        query=query.query,
        passed=passed,
        problem=problem,
        found=list(verdict.found),
        baseline_found=list(baseline.found) if other else [],
        missed=list(verdict.missed),
        forbidden=list(verdict.forbidden),
        metrics=dict(verdict.metrics),
        baseline_metrics=dict(baseline.metrics) if other else {},
    )


def _search_and_judge(query: GoldenQuery, expectation: Expectation, release: ResolvedRelease, tally: _Tally) -> Verdict:
    """What runtime would get for the query; and, for what must never be found, the deepest search there is."""
    audience: Sequence[str] = (PUBLIC,)
    if query.npc_id:
        audience = get_npc_audience(release.world_id, query.npc_id, release=release)
    result = search_lore(release, query.query, k=query.k, audience=audience, remember_misses=False)
    tally.degraded.update(result.degraded)
    ranked = [hit.slug for hit in result.hits]
    if expectation.must_not_hit and query.k < MAX_K:
        deep = search_lore(release, query.query, k=MAX_K, audience=audience, rerank=False, remember_misses=False)
        ranked = ranked + [hit.slug for hit in deep.hits if hit.slug in expectation.must_not_hit]
    verdict = judge(expectation, ranked)
    if any(hit.rerank_place is not None for hit in result.hits) and "ndcg" in verdict.metrics:
        fused = search_lore(release, query.query, k=query.k, audience=audience, rerank=False, remember_misses=False)
        before = judge(expectation, [hit.slug for hit in fused.hits]).metrics["ndcg"]
        tally.rerank_gains.append(verdict.metrics["ndcg"] - before)
    return verdict


def _find_problems(
    queries: Sequence[GoldenQuery], target: ResolvedRelease, other: ResolvedRelease | None
) -> dict[str, str]:
    """Key to what is wrong with a query: it counts on articles that neither release has."""
    wanted: set[str] = set()
    unwanted: set[str] = set()
    for query in queries:
        wanted |= {*query.must_hit, *query.relevant}
        unwanted |= set(query.must_not_hit)
    numbers = [release.number for release in (target, other) if release is not None]
    unknown = find_unknown_slugs(target.domain_index_id, wanted, numbers)
    never = find_never_used_slugs(target.domain_index_id, unwanted)
    problems = {}
    for query in queries:
        broken = sorted({*query.must_hit, *query.relevant} & unknown | set(query.must_not_hit) & never)
        if broken:
            names = ", ".join(map(repr, broken))
            problems[query.key] = f"The query names articles that neither release has: {names}."
    return problems


def describe_run(run: GoldenRun) -> dict[str, Any]:
    """What the log and a gate's reason say of a run."""
    return {
        "run": run.pk,
        "queries": run.metrics.get("queries", 0),
        "failed": run.metrics.get("failed", 0),
        "note": run.note,
        "degraded": list(run.degraded),
    }
