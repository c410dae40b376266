"""From rows of the second stage to what is answered."""

from __future__ import annotations

from factcheck.extraction.actions.dry_runs import DryDelta, DryRun
from factcheck.extraction.api import shapes
from factcheck.extraction.core.given import Given
from factcheck.extraction.models import ExtractionDelta, ExtractionRun, FactCandidate
from factcheck.extraction.proposers.base import Proposer
from factcheck.extraction.selectors.runs import read_words


def render_run(run: ExtractionRun) -> shapes.ExtractionRunShape:
    """A run. Reads its user."""
    return shapes.ExtractionRunShape.model_validate(_list_columns(run))


def render_run_detail(run: ExtractionRun) -> shapes.ExtractionRunDetail:
    """A run with its deltas and messages. Two queries. Raises FactKeysMissing."""
    messages = [
        shapes.MessageOutcomeShape(message_id=row.message_id, state=row.outcome, code=row.code, run_id=run.pk)
        for row in run.message_rows.order_by("message_id")
    ]
    deltas = [render_delta(row) for row in run.delta_rows.order_by("position")]
    return shapes.ExtractionRunDetail.model_validate(
        {**_list_columns(run), "delta_list": deltas, "message_list": messages}
    )


def render_delta(row: ExtractionDelta) -> shapes.ExtractionDeltaShape:
    """A delta with its words. Raises FactKeysMissing."""
    columns = ("position", "operation", "type", "subject", "stance", "confidence", "verdict", "detail", "outcome")
    return shapes.ExtractionDeltaShape.model_validate(
        {
            **{column: getattr(row, column) for column in columns},
            **read_words(row),
            "fact_id": row.fact_id,
            "candidate_id": row.candidate_id,
        }
    )


def render_candidate(row: FactCandidate, key: str, value: str) -> shapes.FactCandidateShape:
    """A candidate. Reads its supports."""
    supports = list(row.supports.all())
    columns = ("type", "state", "confidence", "language", "fact_id", "first_said_at", "last_said_at")
    return shapes.FactCandidateShape.model_validate(
        {
            **{column: getattr(row, column) for column in columns},
            "candidate_id": row.pk,
            "key": key,
            "value": value,
            "evidence": [support.message_id for support in supports],
            "independent": sum(support.is_independent for support in supports),
        }
    )


def render_dry_run(dry: DryRun, proposer: Proposer) -> shapes.DryExtraction:
    """What a dry run found."""
    return shapes.DryExtraction(
        proposer=proposer.name,
        model=proposer.model,
        prompt_version=proposer.prompt_version,
        messages=len(dry.given.messages),
        input_tokens=dry.proposal.prompt_tokens,
        output_tokens=dry.proposal.completion_tokens,
        cost_usd=dry.proposal.cost,
        deltas=[_render_dry_delta(each, dry.given) for each in dry.deltas],
    )


def _list_columns(run: ExtractionRun) -> dict[str, object]:
    own = {"run_id", "user_id", "cost_usd"}
    columns = [name for name in shapes.ExtractionRunShape.model_fields if name not in own]
    return {
        **{column: getattr(run, column) for column in columns},
        "run_id": run.pk,
        "user_id": run.end_user.external_id,
        "cost_usd": None if run.cost_usd is None else float(run.cost_usd),
    }


def _render_dry_delta(dry: DryDelta, given: Given) -> shapes.DryDeltaShape:
    delta, verdict = dry.delta, dry.verdict
    quoted = [(given.find_message(quote.message), quote.text) for quote in delta.quotes]
    return shapes.DryDeltaShape(
        operation=verdict.operation.value if verdict.is_accepted else delta.operation.value,
        type=delta.type,
        key=verdict.key or delta.key,
        value=verdict.value or delta.value,
        quotes=[
            shapes.DeltaQuote(message_id=None if message is None else message.id, text=text) for message, text in quoted
        ],
        subject=delta.subject,
        stance=delta.stance,
        confidence=delta.confidence,
        verdict=verdict.code,
        detail=verdict.detail,
        would_be="fact" if dry.is_fact else "candidate" if verdict.is_accepted else "nothing",
    )
