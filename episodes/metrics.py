"""What episodes count, and what database and broker say of open receipts and of enrichment, for Prometheus."""

from __future__ import annotations

from collections.abc import Iterator

import redis
import structlog
from celery import current_app
from django.db import DatabaseError, InterfaceError
from django.db.models import Count, Min
from django.utils import timezone
from kombu.exceptions import OperationalError
from prometheus_client import Counter, Histogram
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

import memoryproject.metrics  # noqa: F401 - makes the directory of the processes' metrics before the first counter
from episodes.embedding.priorities import PRIORITIES

logger = structlog.get_logger("memory37.metrics")

FORGOTTEN_DESCRIPTIONS = Counter(
    "memory37_forget_cascade_snippets_nullified", "Descriptions and snippets emptied because a message was forgotten."
)
FORGOTTEN_FACTS = Counter(
    "memory37_forget_cascade_knowledge_deactivated", "Facts erased because a message that they rest on was forgotten."
)
ROLLBACKS = Counter("memory37_rollbacks", "Rollbacks of play that changed something.")
NPC_SHARES = Counter(
    "memory37_npc_shares", "What NPCs told each other when a scene ended, by whether it was a rumour.", ["kind"]
)
ENRICHMENT_SECONDS = Histogram(
    "memory37_enrichment_latency_seconds",
    "Time from a message being stored to its vector, by the priority of the task that made it.",
    ["priority"],
    buckets=(0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300, 1800, 7200, 21600),
)


class ForgettingStates(Collector):
    """Reads the open receipts anew at each look. One query, by a partial index."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """The gauge; nothing while the database does not answer."""
        from episodes.forgetting.models import OPEN_STATES
        from episodes.models import ForgetReceipt

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


class EnrichmentStates(Collector):
    """Reads anew what waits for a vector. One query over rows without one, and three lengths of the broker's lists."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """The gauges; each is missing while what it is read from does not answer."""
        from episodes.embedding.selectors.enrichment import count_orphans

        orphans = GaugeMetricFamily(
            "memory37_orphan_messages_total",
            "Messages that could not be embedded, or have waited for more than an hour.",
            labels=["tenant"],
        )
        queued = GaugeMetricFamily(
            "memory37_enrichment_queue_size",
            "Tasks that wait at the broker, one for each conversation or campaign with texts to embed.",
            labels=["priority"],
        )
        for gauge, read in ((orphans, count_orphans), (queued, count_queued_tasks)):
            try:
                for label, count in read().items():
                    gauge.add_metric([label], count)
            except (DatabaseError, InterfaceError, redis.RedisError, OperationalError) as error:
                logger.warning("states_not_read", error=type(error).__name__)
            else:
                yield gauge


def count_queued_tasks() -> dict[str, int]:
    """Priority to the tasks of enrichment that no worker has taken. Empty with a broker that is not Redis."""
    queue = current_app.conf.task_default_queue
    with current_app.connection_for_read() as broker:
        if broker.transport.driver_type != "redis":
            return {}
        channel = broker.default_channel
        return {
            name: int(channel.client.llen(channel._q_for_pri(queue, priority)))  # noqa: SLF001 - the list's own name
            for priority, name in PRIORITIES.items()
        }


class EventStates(Collector):
    """Reads anew how many events are open, and how long the oldest has been. One query by a partial index."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """The gauges; nothing while the database does not answer."""
        from episodes.events.models import EventNode

        open_states = ("pending", "extracting", "stale", "archiving")
        counted = GaugeMetricFamily(
            "memory37_events_open", "Events that wait for a worker, or are worked on.", labels=["state"]
        )
        oldest = GaugeMetricFamily(
            "memory37_events_oldest_open_seconds", "How long the oldest of them has been there.", labels=["state"]
        )
        try:
            rows = EventNode.objects.filter(state__in=open_states).order_by().values_list("state")
            found = list(rows.annotate(count=Count("*"), since=Min("updated_at")))
        except (DatabaseError, InterfaceError) as error:
            logger.warning("states_not_read", error=type(error).__name__)
            return
        for state, count, since in found:
            counted.add_metric([state], count)
            oldest.add_metric([state], max((timezone.now() - since).total_seconds(), 0.0))
        yield counted
        yield oldest
