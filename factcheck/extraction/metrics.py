"""What Prometheus hears of the second stage. Names are the seed's, under our prefix. Source: seed 002, KM."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import structlog
from django.db import DatabaseError, InterfaceError
from prometheus_client import Counter, Gauge, Histogram
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from factcheck.core.message_extraction import label_language
from factcheck.extraction.models import BreakerState, ExtractionDelta, ExtractionRun, RunState

logger = structlog.get_logger("memory37.metrics")

DELTAS = Counter("memory37_batch_extraction_deltas", "Changes that proposers proposed.", ["operation"])
DURATION = Histogram(
    "memory37_batch_extraction_duration_seconds",
    "Time from asking a proposer to what came of it.",
    ["proposer"],
    buckets=(0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 20, 40, 60, 120, 300),
)
QUEUE_SIZE = Gauge(
    "memory37_batch_extraction_queue_size",
    "Players with messages that a run is due for, at the last sweep.",
    multiprocess_mode="mostrecent",
)
ERRORS = Counter("memory37_batch_extraction_errors", "Runs that failed, by code.", ["code"])
CALLS = Counter("memory37_batch_extraction_calls", "Calls of proposers.", ["proposer"])
TOKENS = Counter("memory37_batch_extraction_tokens", "Tokens that proposers read and wrote.", ["kind"])
COST = Counter("memory37_batch_extraction_cost", "What calls of proposers cost, by the prices that are set.")
GATE = Counter("memory37_validator_gate", "Proposals by what the gate said: accepted, or why not.", ["result"])
CANARIES = Counter("memory37_extraction_canary", "Answers of proposers with a word of the prompt's own examples.")
OUTCOMES = Counter(
    "memory37_extraction_outcome", "What came of proposals that passed the gate.", ["outcome", "language"]
)
PENDING = Histogram(
    "memory37_pending_extraction_count",
    "Messages of a player that waited when a run took them up.",
    buckets=(1, 2, 5, 10, 15, 20, 30, 50, 100, 200, 500),
)
FALLBACKS = Counter(
    "memory37_staging_fallback_triggered",
    "Context packs that told words that no run has read yet: `normal`, or `overdue` where a run was due before.",
    ["reason"],
)
REVIEWS = Counter("memory37_extraction_review", "Labels of reviewers.", ["verdict", "language"])
BUCKET_CHANGES = Counter(
    "memory37_extraction_confidence_changes",
    "Confidences of proposers that labels muted, or made believed again.",
    ["state"],
)
BREAKER_CHANGES = Counter("memory37_extraction_breaker_changes", "Changes of breakers.", ["kind", "state"])

_LEVELS = {BreakerState.CLOSED: 0.0, BreakerState.HALF_OPEN: 0.5, BreakerState.OPEN: 1.0}
MIN_SHOWN = 30
"""Below so many a rate is noise: the gauge is left out, so that no rule sees it."""


def count_run(run: ExtractionRun, deltas: Sequence[ExtractionDelta] = ()) -> None:
    """Count a run that is over, and its deltas. Call it once it is committed."""
    if run.state == RunState.FAILED:
        ERRORS.labels(code=run.error_code).inc()
    if run.duration_ms is not None:
        DURATION.labels(proposer=run.proposer).observe(run.duration_ms / 1000)
    for delta in deltas:
        DELTAS.labels(operation=str(delta.operation).lower()).inc()
        GATE.labels(result=str(delta.verdict)).inc()
        if delta.verdict == "accepted":
            OUTCOMES.labels(outcome=str(delta.outcome), language=label_language(delta.language)).inc()


def count_call(
    proposer: str, *, input_tokens: int | None = None, output_tokens: int | None = None, cost: float | None = None
) -> None:
    """Count one call of a proposer, whatever becomes of its answer."""
    CALLS.labels(proposer=proposer).inc()
    TOKENS.labels(kind="input").inc(input_tokens or 0)
    TOKENS.labels(kind="output").inc(output_tokens or 0)
    COST.inc(cost or 0)


def count_review(verdict: str, language: str) -> None:
    """Count one label. Call it once it is committed."""
    REVIEWS.labels(verdict=verdict, language=label_language(language)).inc()


class ExtractionStates(Collector):
    """Reads the breakers and the figures that rules watch anew at each look. Four queries by index."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """The gauges; none of them while the database does not answer."""
        try:
            yield from [_read_breakers(), *_read_figures(), _read_oldest_candidate()]
        except (DatabaseError, InterfaceError) as error:
            logger.warning("states_not_read", error=type(error).__name__)


def _read_breakers() -> GaugeMetricFamily:
    from factcheck.extraction.models import BreakerEvent

    gauge = GaugeMetricFamily(
        "memory37_extraction_breaker_open",
        "Breakers that ever opened: 1 open, 0.5 half open, 0 closed.",
        labels=["tenant", "kind", "language"],
    )
    newest = BreakerEvent.objects.select_related("tenant").order_by("tenant_id", "kind", "language", "-id")
    for row in newest.distinct("tenant_id", "kind", "language"):
        gauge.add_metric([row.tenant.slug, row.kind, row.language or "all"], _LEVELS[BreakerState(row.state)])
    return gauge


def _read_figures() -> list[GaugeMetricFamily]:
    from factcheck.extraction.selectors.figures import list_denied_shares, list_rejection_shares

    rejected = GaugeMetricFamily(
        "memory37_validator_rejection_rate",
        "Share of the last day's proposals that the gate refused; left out below 30.",
        labels=["tenant"],
    )
    for tenant, share, n in list_rejection_shares():
        if n >= MIN_SHOWN:
            rejected.add_metric([tenant], share)
    denied = GaugeMetricFamily(
        "memory37_extraction_denied_rate",
        "Share of the last 7 days' batch facts that players denied or doubted; left out below 30.",
        labels=["tenant"],
    )
    for tenant, share, n in list_denied_shares():
        if n >= MIN_SHOWN:
            denied.add_metric([tenant], share)
    return [rejected, denied]


def _read_oldest_candidate() -> GaugeMetricFamily:
    from factcheck.extraction.selectors.figures import find_oldest_candidate_seconds

    gauge = GaugeMetricFamily(
        "memory37_extraction_oldest_candidate_seconds", "How long ago the oldest open candidate was last said."
    )
    gauge.add_metric([], find_oldest_candidate_seconds() or 0.0)
    return gauge
