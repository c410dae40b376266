"""What episodes count, and what the database says of open receipts, for Prometheus."""

from __future__ import annotations

from collections.abc import Iterator

import structlog
from django.db import DatabaseError, InterfaceError
from django.db.models import Count
from prometheus_client import Counter
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

import memoryproject.metrics  # noqa: F401 - makes the directory of the processes' metrics before the first counter

logger = structlog.get_logger("memory37.metrics")

FORGOTTEN_DESCRIPTIONS = Counter(
    "memory37_forget_cascade_snippets_nullified", "Descriptions emptied because a message was forgotten."
)
FORGOTTEN_FACTS = Counter(
    "memory37_forget_cascade_knowledge_deactivated", "Facts erased because a message that they rest on was forgotten."
)


class ForgettingStates(Collector):
    """Reads the open receipts anew at each look. One query, by a partial index."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """The gauge; nothing while the database does not answer."""
        from episodes.models import ForgetReceipt
        from episodes.models.forgetting import OPEN_STATES

        gauge = GaugeMetricFamily(
            "memory37_forget_receipts_pending",
            "Receipts of forgetting that are not done: a store does not answer, or the check finds something.",
            labels=["tenant", "state"],
        )
        try:
            rows = ForgetReceipt.objects.filter(state__in=OPEN_STATES).order_by()
            counts = list(rows.values_list("tenant__slug", "state").annotate(count=Count("*")))
        except (DatabaseError, InterfaceError) as error:
            logger.warning("states_not_read", error=type(error).__name__)
            return
        for tenant, state, count in counts:
            gauge.add_metric([tenant, state], count)
        yield gauge
