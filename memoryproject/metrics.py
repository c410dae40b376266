"""Prometheus metrics of this process, or of all processes when ``PROMETHEUS_MULTIPROC_DIR`` is set."""

from __future__ import annotations

import os
from pathlib import Path

from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
    Path(os.environ["PROMETHEUS_MULTIPROC_DIR"]).mkdir(parents=True, exist_ok=True)

CONTENT_TYPE = CONTENT_TYPE_LATEST

HTTP_REQUEST_SECONDS = Histogram(
    "memory37_http_request_seconds",
    "Time to answer HTTP requests.",
    ["method", "route", "status"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
)
TASK_SECONDS = Histogram(
    "memory37_task_seconds",
    "Time that background tasks took.",
    ["task"],
    buckets=(0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 1800),
)
TASKS = Counter("memory37_tasks", "Background tasks by how they ended.", ["task", "state"])
MCP_TOOL_CALLS = Counter("memory37_mcp_tool_calls", "Calls of MCP tools by outcome: ok or a code.", ["tool", "outcome"])
NOTEBOOK_COMMANDS = Counter(
    "memory37_notebook_commands", "Commands in models' texts by what became of them.", ["command", "status"]
)
NOTEBOOK_WRITES = Counter("memory37_notebook_writes", "Writes of notebooks by outcome.", ["store", "outcome"])
STORE_OPS = Counter("memory37_store_ops", "Operations on the store of agents.", ["op"])
STORE_EXPIRED = Counter("memory37_store_expired", "Items of the store that were deleted because their time had passed.")

DRIFT = Counter(
    "memory37_drift",
    "What had to be corrected: found by `lore_assert`, a change request, a reviewer or a player.",
    ["source"],
)

SUMMARIES = Counter("memory37_summaries", "Summaries of scenes that came: stored or repeated.", ["outcome"])

STATE_COLLECTORS: list[Collector] = []
"""What apps read from the database when someone looks: the same from every process, so never added up."""


def render_metrics() -> bytes:
    """The metrics in Prometheus' text format."""
    registry = REGISTRY
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        registry = CollectorRegistry()
        MultiProcessCollector(registry)
    states = CollectorRegistry()
    for collector in STATE_COLLECTORS:
        states.register(collector)
    return generate_latest(registry) + generate_latest(states)
