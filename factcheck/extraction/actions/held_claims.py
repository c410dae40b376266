"""A run that writes what a breaker held back of an earlier one: from the stored answer, else read again."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone

from episodes.models import Message
from factcheck.extraction.actions.held_runs import release
from factcheck.extraction.actions.run_claims import name_lock, take_up
from factcheck.extraction.errors import RunInProgress
from factcheck.extraction.models import (
    OPEN_STATES,
    DeltaOutcome,
    ExtractionRun,
    ExtractionSample,
    RunMode,
    RunState,
    RunTrigger,
)
from factcheck.extraction.proposers.base import Proposer
from factcheck.extraction.run_mode import find_run_mode
from factcheck.extraction.sealing import ANSWER, open_document, seal_document
from factcheck.extraction.selectors.given import load_again
from factcheck.extraction.selectors.run_ranges import list_own_ids
from knowledge.facts.actions.locks import lock_end_user
from memoryproject.jobs import LEASE, try_lock


def claim_held_run(*, tenant_id: int, end_user_id: int, proposer: Proposer) -> ExtractionRun | None:
    """The player's next run over what was held back, under a lease; or one whose worker is gone; None where nothing may
    be written. Of what reviewers found wrong, and of what is forgotten, nothing is.

    Locks the player. Raises RunInProgress, FactKeysMissing.
    """
    with transaction.atomic():
        if not try_lock(name_lock(tenant_id, end_user_id)):
            raise RunInProgress("Another worker begins a run of this user now.")
        left = ExtractionRun.objects.filter(end_user_id=end_user_id, state__in=OPEN_STATES).first()
        if left is not None:
            return take_up(left)
        lock_end_user(tenant_id=tenant_id, end_user_id=end_user_id)
        held = ExtractionRun.objects.select_for_update(no_key=True).filter(
            tenant_id=tenant_id, end_user_id=end_user_id, held_for__isnull=False
        )
        for run in held.order_by("pk"):
            if find_run_mode(tenant_id=tenant_id, language=run.held_for or "") == RunMode.ON:
                following = _follow(run, proposer)
                if following is not None:
                    return following
    return None


def _follow(run: ExtractionRun, proposer: Proposer) -> ExtractionRun | None:
    """The run that writes what is held back; None where nothing of it is left, which ends it."""
    is_current = (run.proposer, run.prompt_version) == (proposer.name, proposer.prompt_version)
    values = _build_answered(run) if is_current and bytes(run.answer_sealed) else _build_claimed(run, proposer)
    if not values["messages"]:
        release(run)
        return None
    return ExtractionRun.objects.create(
        tenant_id=run.tenant_id,
        end_user_id=run.end_user_id,
        triggered_by=RunTrigger.TRIAL_PASSED,
        mode=RunMode.ON,
        language=run.language,
        range_hash=bytes(run.range_hash),
        follows=run,
        lease_until=timezone.now() + LEASE,
        **values,
    )


def _build_answered(run: ExtractionRun) -> dict[str, Any]:
    """Of a stored answer, the changes that were held back and that nobody found wrong.

    `messages` is 0 where all that they rest on was edited or forgotten meanwhile: what stands there now is read anew.
    """
    owner_filter = {"tenant_id": run.tenant_id, "end_user_id": run.end_user_id}
    answer = open_document(bytes(run.answer_sealed), **owner_filter, kind=ANSWER)
    wrong = ExtractionSample.objects.filter(run=run, wrong_count__gt=0, delta__isnull=False).values("delta_id")
    rows = run.delta_rows.filter(outcome=DeltaOutcome.SHADOWED).exclude(pk__in=wrong)
    quoted = dict(rows.values_list("position", "evidence"))
    proofs = set(list_own_ids(run)).intersection(pk for evidence in quoted.values() for pk in evidence)
    own = sorted(Message.objects.living().filter(pk__in=proofs).values_list("pk", flat=True))
    deltas = [delta for place, delta in enumerate(answer["answer"]["deltas"], 1) if place in quoted]
    kept = {**answer, "own": own, "answer": {"deltas": deltas}}
    sealed, key_number = seal_document(kept, **owner_filter, kind=ANSWER)
    return {
        "state": RunState.ANSWERED,
        "answer_sealed": sealed,
        "sealed_by": key_number,
        "proposer": run.proposer,
        "model": run.model,
        "prompt_version": run.prompt_version,
        "messages": len(own),
    }


def _build_claimed(run: ExtractionRun, proposer: Proposer) -> dict[str, Any]:
    """Where the answer is gone, or of another prompt: what is left of the messages is to be read again."""
    again = load_again(tenant_id=run.tenant_id, end_user_id=run.end_user_id, own_ids=list_own_ids(run))
    return {
        "proposer": proposer.name,
        "model": proposer.model,
        "prompt_version": proposer.prompt_version,
        "messages": len(again.own_ids),
    }
