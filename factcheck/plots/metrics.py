"""What Prometheus hears of events."""

from __future__ import annotations

from prometheus_client import Counter, Histogram

from episodes.events.models import EventNode
from factcheck.extraction.proposers.base import Paid

EVENTS = Counter("memory37_events", "Chunks of talk that were worked off, by what became of them.", ["state"])
REFUSALS = Counter("memory37_event_refusals", "Parts of extractions that the gate left out, by code.", ["code"])
CALLS = Counter("memory37_event_calls", "Calls of proposers of events.", ["proposer"])
TOKENS = Counter("memory37_event_tokens", "Tokens that proposers of events read and wrote.", ["kind"])
COST = Counter("memory37_event_cost", "What calls of proposers of events cost, by the prices that are set.")
SECONDS = Histogram(
    "memory37_event_extraction_seconds",
    "Time that a proposer took over a chunk.",
    ["proposer"],
    buckets=(0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 20, 40, 60, 120),
)


def count_event(node: EventNode) -> None:
    """Count what became of a chunk. Call it once it is committed."""
    EVENTS.labels(state=node.state).inc()
    if node.duration_ms is not None:
        SECONDS.labels(proposer=node.proposer).observe(node.duration_ms / 1000)
    for refusal in node.refusals:
        REFUSALS.labels(code=refusal["code"]).inc()


def count_plot_call(proposer: str, paid: Paid) -> None:
    """Count a call of a proposer, whatever becomes of its answer."""
    CALLS.labels(proposer=proposer).inc()
    TOKENS.labels(kind="input").inc(paid.prompt_tokens or 0)
    TOKENS.labels(kind="output").inc(paid.completion_tokens or 0)
    COST.inc(paid.cost or 0)
