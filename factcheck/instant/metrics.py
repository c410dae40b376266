"""What Prometheus hears of the patterns."""

from __future__ import annotations

from prometheus_client import Counter, Gauge

PATTERN_SET_VERSION = Gauge(
    "memory37_pattern_set_version",
    "The version of the patterns that was taken into use last.",
    multiprocess_mode="mostrecent",
)
PATTERN_SET_FAILURES = Counter(
    "memory37_pattern_set_failures",
    "Versions of the patterns that did not load or compile; the last good one serves on.",
)
