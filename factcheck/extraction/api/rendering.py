"""From rows of the second stage to what is answered."""

from __future__ import annotations

from typing import Any

from factcheck.extraction.actions.dry_runs import DryDelta, DryRun
from factcheck.extraction.api import shapes
from factcheck.extraction.core.given import Given
from factcheck.extraction.models import ExtractionDelta, ExtractionRun, FactCandidate
from factcheck.extraction.proposers.base import Proposer
from factcheck.extraction.selectors.runs import read_words
from memoryproject.rest.shapes import fill


def render_run(run: ExtractionRun) -> shapes.ExtractionRunShape:
    """A run. Reads its user."""
    return fill(shapes.ExtractionRunShape, run, **_render_own(run))


def render_run_detail(run: ExtractionRun) -> shapes.ExtractionRunDetail:
    """A run with its deltas and messages. Two queries. Raises FactKeysMissing."""
    messages = [
        shapes.MessageOutcomeShape(message_id=row.message_id, state=row.outcome, code=row.code, run_id=run.pk)
        for row in run.message_rows.order_by("message_id")
    ]
    deltas = [render_delta(row) for row in run.delta_rows.order_by("position")]
    return fill(shapes.ExtractionRunDetail, run, **_render_own(run), delta_list=deltas, message_list=messages)


def render_delta(row: ExtractionDelta) -> shapes.ExtractionDeltaShape:
    """A delta with its words. Raises FactKeysMissing."""
    return fill(shapes.ExtractionDeltaShape, row, **read_words(row))


def render_candidate(row: FactCandidate, key: str, value: str) -> shapes.FactCandidateShape:
    """A candidate. Reads its supports."""
    supports = list(row.supports.all())
    return fill(
        shapes.FactCandidateShape,
        row,
        candidate_id=row.pk,
        key=key,
        value=value,
        evidence=[support.message_id for support in supports],
        independent=sum(support.is_independent for support in supports),
    )


def render_dry_run(dry: DryRun, proposer: Proposer) -> shapes.DryExtraction:
    """What a dry run found."""
    return fill(
        shapes.DryExtraction,
        proposer,
        proposer=proposer.name,
        messages=len(dry.given.messages),
        input_tokens=dry.proposal.prompt_tokens,
        output_tokens=dry.proposal.completion_tokens,
        cost_usd=dry.proposal.cost,
        deltas=[_render_dry_delta(each, dry.given) for each in dry.deltas],
    )


def _render_own(run: ExtractionRun) -> dict[str, Any]:
    """What a run's row has under another name or type."""
    cost = None if run.cost_usd is None else float(run.cost_usd)
    return {"run_id": run.pk, "user_id": run.end_user.external_id, "cost_usd": cost}


def _render_dry_delta(dry: DryDelta, given: Given) -> shapes.DryDeltaShape:
    delta, verdict = dry.delta, dry.verdict
    quoted = [(given.find_message(quote.message), quote.text) for quote in delta.quotes]
    return fill(
        shapes.DryDeltaShape,
        delta,
        operation=verdict.operation.value if verdict.is_accepted else delta.operation.value,
        key=verdict.key or delta.key,
        value=verdict.value or delta.value,
        quotes=[
            shapes.DeltaQuote(message_id=None if message is None else message.id, text=text) for message, text in quoted
        ],
        verdict=verdict.code,
        detail=verdict.detail,
        would_be="fact" if dry.is_fact else "candidate" if verdict.is_accepted else "nothing",
    )
