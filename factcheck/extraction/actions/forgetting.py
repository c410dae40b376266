"""What is forgotten goes from proposals, candidates and the reviewers' queue, too; verdicts and counts stay."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from django.db import transaction
from django.db.models import Q, QuerySet

from episodes.forgetting.selectors.forgetting import list_own_messages
from factcheck.extraction.actions.candidates import SERVICE, block_candidates, weigh_supports
from factcheck.extraction.actions.held_runs import drop_held_answers, list_held_read, list_read
from factcheck.extraction.actions.run_failures import fail_run
from factcheck.extraction.models import (
    LIVING_STATES,
    CandidateState,
    CandidateSupport,
    CandidateTransition,
    DeltaOutcome,
    ExtractionDelta,
    ExtractionRun,
    ExtractionSample,
    FactCandidate,
    RunMessage,
    RunState,
)
from factcheck.extraction.sealing import read_candidate
from factcheck.extraction.workbench.store import drop_trials
from knowledge.facts.actions.locks import lock_end_user
from knowledge.facts.models import FORGOTTEN_REASON, UserFact
from memoryproject.database import after_commit
from memoryproject.forgetting.registry import DeletedFacts, Forgotten, Gone

FORGOTTEN = "What proved it was forgotten."
FACT_DELETED = "The fact that it was for was deleted."
MESSAGES_FORGOTTEN = "messages_forgotten"
QUERY_BATCH_SIZE = 1000


def forget_in_extraction(forgotten: Forgotten) -> int:
    """How many deltas and candidates lost their words with the messages, open runs their answer, and trials of prompts
    are gone; called again, none. Locks the player. Raises redis.RedisError, FactKeysMissing.
    """
    owner_filter = {"tenant_id": forgotten.tenant_id, "end_user_id": forgotten.end_user_id}
    gone = 0
    for start in range(0, len(forgotten.message_ids), QUERY_BATCH_SIZE):
        ids = forgotten.message_ids[start : start + QUERY_BATCH_SIZE]
        with transaction.atomic():
            lock_end_user(**owner_filter)
            gone += (
                _fail_answered_run(owner_filter, ids)
                + drop_held_answers(owner_filter, ids)
                + _empty_told(owner_filter, ids)
            )
            gone += _withdraw_supports(FactCandidate.objects.filter(**owner_filter), ids)
    if forgotten.is_everything and forgotten.world_id is None:
        with transaction.atomic():
            lock_end_user(**owner_filter)
            gone += drop_held_answers(owner_filter) + _empty_deltas(ExtractionDelta.objects.filter(**owner_filter))
            _empty_undo_reasons(ExtractionRun.objects.filter(**owner_filter))
    return gone + drop_trials([forgotten.end_user_id])


def forget_all_extraction(gone: Gone) -> int:
    """How many deltas and candidates lost their words with all that a user said, in one world or in all of the tenant,
    and open runs their answer. Trials of prompts go once the transaction holds; where Redis does not answer, the
    order's batches drop them.

    Locks the player. A few queries, however much was said. Raises FactKeysMissing.
    """
    with transaction.atomic():
        count = _forget_all(gone)
        after_commit(drop_trials, [gone.end_user_id])
    return count


def forget_facts_in_extraction(deleted: DeletedFacts) -> int:
    """How many deltas and candidates lost their words with facts that are deleted by hand; called again, none.

    A delta goes that wrote, changed or replaced one of the facts, and each that a candidate for it was collected from.
    A candidate stays where its fact does, for another world. Locks the player.
    """
    owner_filter = {"tenant_id": deleted.tenant_id, "end_user_id": deleted.end_user_id}
    fact_ids = list(deleted.fact_ids)
    deltas, candidates = ExtractionDelta.objects.filter(**owner_filter), FactCandidate.objects.filter(**owner_filter)
    with transaction.atomic():
        lock_end_user(**owner_filter)
        erased = UserFact.objects.filter(**owner_filter, pk__in=fact_ids, value_sealed=b"").values("pk")
        made = Q(fact__in=erased) | Q(pk__in=deltas.filter(fact__in=erased).values("candidate"))
        candidate_ids = list(candidates.filter(made).values_list("pk", flat=True))
        told = Q(fact__in=fact_ids) | Q(replaced_fact__in=fact_ids) | Q(candidate__in=candidate_ids)
        living = candidates.filter(pk__in=candidate_ids).exclude(state=CandidateState.BLOCKED).order_by("pk")
        return _empty_deltas(deltas.filter(told)) + _block(living, reason=FACT_DELETED)


def _forget_all(gone: Gone) -> int:
    owner_filter = {"tenant_id": gone.tenant_id, "end_user_id": gone.end_user_id}
    deltas, candidates = ExtractionDelta.objects.filter(**owner_filter), FactCandidate.objects.filter(**owner_filter)
    lock_end_user(**owner_filter)
    if gone.world_id is None:
        living = candidates.exclude(state=CandidateState.BLOCKED)
        _empty_undo_reasons(ExtractionRun.objects.filter(**owner_filter))
        answers = _fail_answered_run(owner_filter) + drop_held_answers(owner_filter)
        return answers + _empty_deltas(deltas) + _block(living, reason=FORGOTTEN)
    open_run = _find_answered_run(owner_filter)
    told = {pk for evidence in _with_words(deltas).values_list("evidence", flat=True) for pk in evidence}
    told |= set(CandidateSupport.objects.filter(candidate__in=candidates).values_list("message_id", flat=True))
    told |= set(
        RunMessage.objects.filter(run__in=_with_words(deltas).values("run")).values_list("message_id", flat=True)
    )
    told |= set() if open_run is None else list_read(open_run)
    told |= list_held_read(owner_filter)
    said = list_own_messages(tenant_id=gone.tenant_id, end_user_id=gone.end_user_id, world_id=gone.world_id)
    ids = list(said.filter(pk__in=told).values_list("pk", flat=True))
    answers = _fail_answered_run(owner_filter, ids) + drop_held_answers(owner_filter, ids)
    return answers + _empty_told(owner_filter, ids) + _withdraw_supports(candidates, ids)


def _find_answered_run(owner_filter: Mapping[str, int]) -> ExtractionRun | None:
    """The player's run whose answer waits to be applied, locked: no worker takes it up now. There is one at most."""
    return ExtractionRun.objects.select_for_update(no_key=True).filter(**owner_filter, state=RunState.ANSWERED).first()


def _fail_answered_run(owner_filter: Mapping[str, int], message_ids: Collection[int] | None = None) -> int:
    """How many runs lost their answer because they read one of the messages (None: any): what is left of their range is
    read anew, without these.
    """
    run = _find_answered_run(owner_filter)
    if run is None or (message_ids is not None and list_read(run).isdisjoint(message_ids)):
        return 0
    fail_run(run, failure=MESSAGES_FORGOTTEN, detail="What it read was forgotten before its answer was applied.")
    return 1


def _empty_told(owner_filter: Mapping[str, int], message_ids: Collection[int]) -> int:
    """How many deltas lost their words: those that quote one of the messages, and of runs that read one all that was
    rejected, which may quote it in the wrong place, or in none.
    """
    deltas = ExtractionDelta.objects.filter(**owner_filter)
    read = RunMessage.objects.filter(run__end_user=owner_filter["end_user_id"], message_id__in=list(message_ids))
    run_ids = list(read.values_list("run_id", flat=True).distinct())
    _empty_undo_reasons(ExtractionRun.objects.filter(pk__in=run_ids))
    return _empty_deltas(deltas.filter(evidence__overlap=list(message_ids))) + _empty_deltas(
        deltas.filter(run__in=run_ids, outcome=DeltaOutcome.REJECTED)
    )


def _with_words(deltas: QuerySet[ExtractionDelta]) -> QuerySet[ExtractionDelta]:
    return deltas.exclude(words_sealed=b"")


def _empty_deltas(deltas: QuerySet[ExtractionDelta]) -> int:
    """How many deltas lost their words; items that showed them leave the reviewers' queue."""
    ids = list(_with_words(deltas).values_list("pk", flat=True))
    ExtractionSample.objects.filter(delta__in=ids).update(is_gone=True)
    return ExtractionDelta.objects.filter(pk__in=ids).update(words_sealed=b"", detail="")


def _withdraw_supports(candidates: QuerySet[FactCandidate], message_ids: Collection[int]) -> int:
    """How many candidates lost a message: without any they are blocked, with others they are weighed again."""
    supports = CandidateSupport.objects.filter(candidate__in=candidates, message_id__in=list(message_ids))
    touched = list(candidates.filter(pk__in=supports.values("candidate")).order_by("pk"))
    supports.delete()
    _block(_list_unsupported(touched), reason=FORGOTTEN)
    for candidate in touched:
        if candidate.state in LIVING_STATES:
            weigh_supports(candidate, read_candidate(candidate)[1])
    return len(touched)


def _block(candidates: Iterable[FactCandidate], *, reason: str) -> int:
    """How many candidates were blocked; what people wrote of them, which may quote, is gone."""
    rows = list(candidates)
    blocked = block_candidates(rows, reason=reason)
    CandidateTransition.objects.filter(candidate__in=rows).exclude(made_by=SERVICE).update(reason=FORGOTTEN_REASON)
    return blocked


def _empty_undo_reasons(runs: QuerySet[ExtractionRun]) -> None:
    """Why people undid the runs, which may quote, is gone."""
    runs.exclude(revert_reason__in=["", FORGOTTEN_REASON]).update(revert_reason=FORGOTTEN_REASON)


def _list_unsupported(candidates: Iterable[FactCandidate]) -> list[FactCandidate]:
    return [each for each in candidates if each.state != CandidateState.BLOCKED and not each.supports.exists()]
