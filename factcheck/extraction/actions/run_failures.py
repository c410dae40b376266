"""A run that came to nothing: its messages keep waiting, and it says why."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from factcheck.extraction.metrics import count_call, count_run
from factcheck.extraction.models import OPEN_STATES, ExtractionRun, MessageOutcome, RunMessage, RunState
from factcheck.extraction.proposers.base import NOTHING_PAID, Paid
from factcheck.extraction.selectors.run_ranges import list_range_ids
from memoryproject.database import after_commit
from memoryproject.jobs import round_cost


def fail_run(run: ExtractionRun, *, failure: str, detail: str, paid: Paid = NOTHING_PAID) -> ExtractionRun:
    """The run, over: nothing was written, its messages wait for the next. The same of one that is over already.

    `failure` is a code for lists and figures; `paid` is what its calls took all the same. One that was answered keeps
    what it was paid.
    """
    with transaction.atomic():
        locked = ExtractionRun.objects.select_for_update(no_key=True).get(pk=run.pk)
        if locked.state not in OPEN_STATES:
            return locked
        if (locked.state, locked.tries) != (run.state, run.tries):  # another worker has it now
            return locked
        own_ids = list_range_ids(locked)
        if locked.state == RunState.CLAIMED:
            locked.input_tokens, locked.output_tokens = paid.prompt_tokens, paid.completion_tokens
            locked.cost_usd = round_cost(paid.cost)
        locked.state = RunState.FAILED
        locked.messages = locked.failed = len(own_ids)
        locked.error_code, locked.error_detail = failure, detail[:300]
        locked.answer_sealed = b""
        locked.finished_at = timezone.now()
        locked.save()
        RunMessage.objects.bulk_create(
            RunMessage(run=locked, message_id=pk, outcome=MessageOutcome.FAILED, code=failure) for pk in own_ids
        )
        after_commit(count_run, locked)
        if paid.calls:
            after_commit(
                count_call,
                run.proposer,
                input_tokens=paid.prompt_tokens,
                output_tokens=paid.completion_tokens,
                cost=paid.cost,
            )
    return locked
