"""What turns cost and how well they went, and what the database says of canon, for Prometheus."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

import structlog
from django.db import DatabaseError, InterfaceError
from django.db.models import Count, Min, QuerySet
from prometheus_client import Counter, Histogram
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

import memoryproject.metrics  # noqa: F401 - makes the directory of the processes' metrics before the first counter
from episodes.embedding.selectors.enrichment import count_backlog, get_waited_seconds
from knowledge.canon.models import LorePassage, Release, ReleaseState
from knowledge.canon.selectors.embeddings import list_outdated_domains
from knowledge.notebook.models import ConflictState, NotebookConflict, NotebookEntry
from knowledge.notebook.models.entries import SHOWN_STATES
from knowledge.search.models import EmbeddingState

logger = structlog.get_logger("memory37.metrics")

CONTEXT_TOKENS = Histogram(
    "memory37_context_tokens",
    "Tokens of the context packs that were made.",
    buckets=(100, 250, 500, 750, 1000, 1250, 1500, 1800, 2500, 4000, 8000, 16000, 32000),
)
TURN_COST = Counter("memory37_turn_cost", "What answers of NPCs cost, by the prices that are set.")
CONTRADICTIONS = Counter(
    "memory37_contradiction",
    "Claims in answers of NPCs that canon denies, after all tries, by the part that found them.",
    ["part"],
)
SUSPECT_CLAIMS = Counter(
    "memory37_reply_suspect",
    "Claims in answers of NPCs that are near a statement of canon without being plainly against it.",
    ["part"],
)
REPLY_CHECKS = Counter(
    "memory37_reply_check", "Replies that were held against canon, by the part that answered.", ["part"]
)
RETRIEVAL_SHOWN = Counter(
    "memory37_retrieval_shown", "Items that models were told, in the traces that got feedback.", ["layer"]
)
RETRIEVAL_HITS = Counter("memory37_retrieval_hit", "Those of them that the answer used.", ["layer"])
RECIPROCAL_PLACES = Counter(
    "memory37_retrieval_reciprocal_place",
    "Sums of 1/place of what the answer used, in the search's fused order and as it was told.",
    ["layer", "order"],
)
FEEDBACK = Counter("memory37_feedback", "Thumbs on answers.", ["thumb"])
SPAN_FILTERED = Counter(
    "memory37_privacy_span_filtered", "Neighbours of episodes kept back because they have nothing to do with the query."
)
PREFERENCE_SIGNALS = Counter(
    "memory37_preference_signals",
    "What players said about answers, by field; lost where Redis did not take it.",
    ["field", "outcome"],
)
TALK_SUMMARIES = Counter("memory37_talk_summaries", "Summaries of talk that left the window, by outcome.", ["outcome"])
SNIPPET_LOOKUPS = Counter(
    "memory37_snippet_cache_lookups", "Long messages that packs told, where a chat model makes snippets."
)
SNIPPET_HITS = Counter("memory37_snippet_cache_hits", "Those of them that had a snippet.")
SNIPPETS = Counter("memory37_snippets", "Long messages that were to be condensed, by outcome.", ["outcome"])

EXCHANGES_MEASURED = Counter(
    "memory37_exchanges_measured", "Exchanges that were held against all that their player said before, by night."
)
USER_REPEATS = Counter(
    "memory37_user_repeated_info", "Those in which the player said again what the last two requests did not use."
)
RETRIEVAL_MISSES = Counter("memory37_retrieval_miss", "Those whose relevant message is in RAW and was not in the pack.")

INDEX_COLUMNS = ("domain_index__tenant__slug", "domain_index__world__slug", "domain_index__domain")
INDEX_LABELS = ["tenant", "world", "domain"]
OPEN_RELEASES = (ReleaseState.BUILDING, ReleaseState.STAGED, ReleaseState.FAILED)


class CanonStates(Collector):
    """Reads the states anew at each look. Two queries by partial indexes or over few rows, and one a domain."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """The gauges; none of them while the database does not answer."""
        try:
            yield from [_count_releases(), _count_embeddings(), _count_outdated_domains()]
        except (DatabaseError, InterfaceError) as error:
            logger.warning("states_not_read", error=type(error).__name__)


class BacklogStates(Collector):
    """Reads anew what waits for a vector, by tenant and kind. Two queries, over rows without one alone."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """The gauges; neither while the database does not answer."""
        try:
            counts = [*count_backlog(), *_count_passage_backlog()]
        except (DatabaseError, InterfaceError) as error:
            logger.warning("states_not_read", error=type(error).__name__)
            return
        pending = GaugeMetricFamily(
            "memory37_embeddings_pending",
            "Messages, summaries and passages of canon that wait for a vector.",
            labels=["tenant", "kind"],
        )
        oldest = GaugeMetricFamily(
            "memory37_embeddings_oldest_pending_seconds",
            "How long the first of those that wait for a vector has waited.",
            labels=["tenant", "kind"],
        )
        for tenant, kind, count, since in counts:
            pending.add_metric([tenant, kind], count)
            oldest.add_metric([tenant, kind], get_waited_seconds(since) or 0.0)
        yield from (pending, oldest)


class NotebookStates(Collector):
    """Reads anew what stands in notebooks and which conflicts wait for somebody, by tenant. Two queries."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """The gauges; neither while the database does not answer."""
        entries = GaugeMetricFamily(
            "memory37_notebook_entries",
            "Entries of notebooks by store and state: live, in quarantine, archived.",
            labels=["tenant", "store", "state"],
        )
        conflicts = GaugeMetricFamily(
            "memory37_notebook_conflicts_open", "Conflicts of notebooks that nobody has resolved.", labels=["tenant"]
        )
        standing = NotebookEntry.objects.filter(state__in=SHOWN_STATES).order_by()
        waiting = NotebookConflict.objects.filter(state=ConflictState.OPEN).order_by()
        try:
            for *labels, count in standing.values_list("tenant__slug", "kind", "state").annotate(count=Count("*")):
                entries.add_metric(labels, count)
            for tenant, count in waiting.values_list("tenant__slug").annotate(count=Count("*")):
                conflicts.add_metric([tenant], count)
        except (DatabaseError, InterfaceError) as error:
            logger.warning("states_not_read", error=type(error).__name__)
            return
        yield from (entries, conflicts)


def _count_passage_backlog() -> list[tuple[str, str, int, dt.datetime]]:
    rows = LorePassage.objects.filter(embedding_state=EmbeddingState.PENDING).order_by()
    counts = rows.values_list("tenant__slug").annotate(count=Count("*"), since=Min("created_at"))
    return [(tenant, "passage", count, since) for tenant, count, since in counts]


def _count_releases() -> GaugeMetricFamily:
    rows = Release.objects.filter(state__in=OPEN_RELEASES)
    gauge = GaugeMetricFamily(
        "memory37_open_releases",
        "Releases that are built, staged or failed, by state and golden gate.",
        labels=[*INDEX_LABELS, "state", "gate"],
    )
    return _fill(gauge, rows, "state", "gate_state")


def _count_embeddings() -> GaugeMetricFamily:
    rows = LorePassage.objects.filter(embedding_state__in=[EmbeddingState.PENDING, EmbeddingState.FAILED])
    gauge = GaugeMetricFamily(
        "memory37_passages_without_embedding",
        "Passages that wait for a vector, or could not get one.",
        labels=[*INDEX_LABELS, "state"],
    )
    return _fill(gauge, rows, "embedding_state")


def _count_outdated_domains() -> GaugeMetricFamily:
    gauge = GaugeMetricFamily(
        "memory37_canon_outdated_embedder",
        "Domains whose live release another embedder made than the configured one: searched by keywords alone.",
        labels=INDEX_LABELS,
    )
    for domain in list_outdated_domains():
        index = domain.index
        gauge.add_metric([index.tenant.slug, index.world.slug, index.domain], 1)
    return gauge


def _fill(gauge: GaugeMetricFamily, rows: QuerySet, *states: str) -> GaugeMetricFamily:  # type: ignore[type-arg]
    counts = rows.order_by().values_list(*INDEX_COLUMNS, *states).annotate(count=Count("*"))
    for *labels, count in counts:
        gauge.add_metric([str(label) for label in labels], count)
    return gauge
