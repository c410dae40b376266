"""Events are extracted: claimed, asked about once, gated, stored."""

from __future__ import annotations

import time
import uuid

import structlog
from django.conf import settings

from episodes.events.actions.jobs import (
    ExtractedEvent,
    claim_event,
    fail_event,
    keep_answer,
    release_event,
    store_event,
)
from episodes.events.core.plot import PlotInvalid
from episodes.events.models import EventNode
from factcheck.extraction.proposers.base import Paid, ProposerError
from factcheck.extraction.sealing import open_document, seal_document
from factcheck.plots.core.gate import check_plot
from factcheck.plots.metrics import count_event, count_plot_call
from factcheck.plots.proposers.base import PlotProposer
from factcheck.plots.proposers.registry import get_plot_proposer
from factcheck.plots.selectors import load_chunk
from memoryproject.jobs import Spent

log = structlog.get_logger("memory37.events")
PLOT = "plot"
"""What is sealed as a JSON document: of another kind it does not open."""
EMPTY = "nothing_left"


def extract_event(node_id: uuid.UUID, *, proposer: PlotProposer | None = None) -> EventNode | None:
    """The event as this run leaves it; None where it is another worker's, or not to be extracted. Outside transactions.

    The proposer is asked once: an answer that a dead worker left is used by the next.
    """
    proposer = proposer or get_plot_proposer()
    node = claim_event(node_id, proposer=proposer.name, model=proposer.model, prompt_version=proposer.prompt_version)
    if node is None:
        return None
    try:
        if not bytes(node.answer_sealed) and not _answer(node, proposer):
            return node
    except ProposerError as error:
        return _give_up(node, error)
    node.refresh_from_db()
    node = _store(node)
    count_event(node)
    return node


def _answer(node: EventNode, proposer: PlotProposer) -> bool:
    """Whether the event has its answer now. Raises ProposerError, FactKeysMissing."""
    chunk = load_chunk(node)
    if not any(line.shown.strip() for line in chunk.lines):
        fail_event(node, failure=EMPTY, detail="All of it only repeats earlier events.", spent=Spent())
        return False
    began = time.monotonic()
    proposal = proposer.propose(chunk, timeout_seconds=settings.EVENTS_TIMEOUT_SECONDS)
    count_plot_call(proposer.name, proposal.paid)
    sealed, key_number = seal_document(
        dict(proposal.document), tenant_id=node.tenant_id, end_user_id=node.end_user_id, kind=PLOT
    )
    return keep_answer(
        node,
        sealed=sealed,
        sealed_by=key_number,
        evidence=[line.message_id for line in chunk.lines],
        duration_ms=round((time.monotonic() - began) * 1000),
        language=chunk.language,
        spent=_read_paid(proposal.paid),
    )


def _store(node: EventNode) -> EventNode:
    try:
        document = open_document(
            bytes(node.answer_sealed), tenant_id=node.tenant_id, end_user_id=node.end_user_id, kind=PLOT
        )
        gated = check_plot(document, load_chunk(node, with_frequencies=False))
    except PlotInvalid as error:
        return fail_event(node, failure="model_unusable", detail=str(error), spent=_read_kept(node))
    if gated.plot is None:
        return fail_event(
            node, failure=gated.refusals[-1]["code"], detail=gated.refusals[-1]["value"], spent=_read_kept(node)
        )
    extracted = ExtractedEvent(document, gated.plot, gated.refusals, gated.spans)
    return store_event(node.pk, extracted)


def _give_up(node: EventNode, error: ProposerError) -> EventNode:
    """An outage leaves the event waiting; what cannot be used is listed."""
    log.warning("event_not_extracted", event_id=str(node.pk), code=error.code, detail=error.detail)
    count_plot_call(node.proposer, error.paid)
    if error.code == "model_unavailable":
        node = release_event(node, failure=error.code, detail=error.detail)
    else:
        node = fail_event(node, failure=error.code, detail=error.detail, spent=_read_paid(error.paid))
    count_event(node)
    return node


def _read_paid(paid: Paid) -> Spent:
    return Spent(paid.prompt_tokens, paid.completion_tokens, paid.cost)


def _read_kept(node: EventNode) -> Spent:
    return Spent(node.input_tokens, node.output_tokens, None if node.cost_usd is None else float(node.cost_usd))
