"""A run asks its proposer, once: the answer is kept sealed until it is applied."""

from __future__ import annotations

import json
import time

from django.utils import timezone

from factcheck.extraction.metrics import count_call
from factcheck.extraction.models import ExtractionRun, RunState
from factcheck.extraction.proposers.base import Proposer
from factcheck.extraction.sealing import ANSWER, seal_document
from factcheck.extraction.selectors.run_ranges import load_run_range
from memoryproject.jobs import LEASE, round_cost

TIMEOUT_SECONDS = 120.0
"""Of all calls of one run together; well below the lease."""


def answer_run(run: ExtractionRun, proposer: Proposer) -> ExtractionRun:
    """The run with its proposer's answer; where there is one, nobody is asked again. Call it outside transactions.

    Raises ProposerError, FactKeysMissing.
    """
    if run.state != RunState.CLAIMED:
        return run
    given = load_run_range(run).given
    began = time.monotonic()
    proposal = proposer.propose(given, language=run.language, timeout_seconds=TIMEOUT_SECONDS)
    paid = {"input_tokens": proposal.prompt_tokens, "output_tokens": proposal.completion_tokens}
    count_call(run.proposer, **paid, cost=proposal.cost)
    answer = {
        "messages": [each.id for each in given.messages],
        "facts": [each.id for each in given.facts],
        "answer": json.loads(proposal.answer),
    }
    sealed, key_number = seal_document(answer, tenant_id=run.tenant_id, end_user_id=run.end_user_id, kind=ANSWER)
    now = timezone.now()
    values = {
        "state": RunState.ANSWERED,
        "answer_sealed": sealed,
        "sealed_by": key_number,
        **paid,
        "cost_usd": round_cost(proposal.cost),
        "duration_ms": round((time.monotonic() - began) * 1000),
        "lease_until": now + LEASE,
    }
    # A worker that was given up for dead may answer late: the first answer stands.
    ExtractionRun.objects.filter(pk=run.pk, state=RunState.CLAIMED).update(**values)
    run.refresh_from_db()
    return run
