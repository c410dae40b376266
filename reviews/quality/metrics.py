"""What labels say of extraction, for Prometheus."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

import structlog
from django.db import DatabaseError, InterfaceError
from django.utils import timezone
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from factcheck.core.message_extraction import label_language
from factcheck.extraction.core.sampling import WINDOW_DAYS
from factcheck.extraction.core.statistics import Z_ONE_SIDED_95, wilson_bounds
from factcheck.extraction.metrics import MIN_SHOWN
from reviews.quality.selectors.counts import count_open_samples, list_review_rates

logger = structlog.get_logger("memory37.metrics")


class ReviewStates(Collector):
    """Reads labels of the last 14 days and the open queue anew at each look. Three queries by index."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """The gauges; none of them while the database does not answer."""
        try:
            yield from [*_read_rates(), *_read_queue()]
        except (DatabaseError, InterfaceError) as error:
            logger.warning("states_not_read", error=type(error).__name__)


def _read_rates() -> list[GaugeMetricFamily]:
    labels = ["tenant", "language"]
    rate = GaugeMetricFamily(
        "memory37_extraction_review_error_rate",
        "Share of what passed the gate that reviewers of the last 14 days call wrong, weighted; left out below 30.",
        labels=labels,
    )
    lower = GaugeMetricFamily(
        "memory37_extraction_review_error_rate_lower", "Lower bound of that share (95 %).", labels=labels
    )
    reviewed = GaugeMetricFamily("memory37_extraction_reviewed", "Reviews of the last 14 days.", labels=labels)
    for row in list_review_rates(timezone.now() - dt.timedelta(days=WINDOW_DAYS)):
        where = [row.tenant, label_language(row.language)]
        reviewed.add_metric(where, row.n)
        if row.n >= MIN_SHOWN:
            rate.add_metric(where, row.rate)
            lower.add_metric(where, wilson_bounds(row.errors, row.n, z=Z_ONE_SIDED_95).lower)
    return [rate, lower, reviewed]


def _read_queue() -> list[GaugeMetricFamily]:
    queue = GaugeMetricFamily(
        "memory37_extraction_review_queue", "Samples that nobody has labelled yet.", labels=["tenant"]
    )
    oldest = GaugeMetricFamily(
        "memory37_extraction_review_oldest_seconds", "How long the first of them has waited.", labels=["tenant"]
    )
    for tenant, count, since in count_open_samples():
        queue.add_metric([tenant], count)
        oldest.add_metric([tenant], max(0.0, (timezone.now() - since).total_seconds()))
    return [queue, oldest]
