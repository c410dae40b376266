"""What is forgotten goes from proposals, candidates and the reviewers' queue, too; verdicts and counts stay."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.db import transaction
from django.db.models import QuerySet

from episodes.core.stores import Forgotten, Gone
from episodes.selectors.forgetting import list_own_messages
from factcheck.extraction.actions.candidates import block_candidates, read_candidate, weigh_supports
from factcheck.extraction.models import (
    CandidateState,
    CandidateSupport,
    ExtractionDelta,
    ExtractionSample,
    FactCandidate,
)
from factcheck.extraction.workbench.store import drop_trials
from knowledge.facts.actions.locks import lock_end_user

FORGOTTEN = "What proved it was forgotten."
QUERY_BATCH_SIZE = 1000


def forget_in_extraction(forgotten: Forgotten) -> int:
    """How many deltas and candidates lost their words with the messages, and trials of prompts are gone; called again,
    none. Locks the player. Raises redis.RedisError.
    """
    whose = {"tenant_id": forgotten.tenant_id, "end_user_id": forgotten.end_user_id}
    gone = 0
    for start in range(0, len(forgotten.message_ids), QUERY_BATCH_SIZE):
        ids = forgotten.message_ids[start : start + QUERY_BATCH_SIZE]
        with transaction.atomic():
            lock_end_user(**whose)
            gone += _empty_deltas(ExtractionDelta.objects.filter(**whose, evidence__overlap=list(ids)))
            gone += _withdraw_supports(FactCandidate.objects.filter(**whose), ids)
    return gone + drop_trials([forgotten.end_user_id])


def forget_all_extraction(gone: Gone) -> int:
    """How many deltas and candidates lost their words with all that a user said, in one world or in all of the tenant,
    and trials of prompts are gone.

    Locks the player. A few queries, however much was said. Raises redis.RedisError.
    """
    return _forget_all(gone) + drop_trials([gone.end_user_id])


def _forget_all(gone: Gone) -> int:
    whose = {"tenant_id": gone.tenant_id, "end_user_id": gone.end_user_id}
    deltas, candidates = ExtractionDelta.objects.filter(**whose), FactCandidate.objects.filter(**whose)
    with transaction.atomic():
        lock_end_user(**whose)
        if gone.world_id is None:
            living = candidates.exclude(state=CandidateState.BLOCKED)
            return _empty_deltas(deltas) + block_candidates(living, reason=FORGOTTEN)
        quoted = {pk for evidence in _with_words(deltas).values_list("evidence", flat=True) for pk in evidence}
        quoted |= set(CandidateSupport.objects.filter(candidate__in=candidates).values_list("message_id", flat=True))
        said = list_own_messages(tenant_id=gone.tenant_id, end_user_id=gone.end_user_id, world_id=gone.world_id)
        ids = list(said.filter(pk__in=quoted).values_list("pk", flat=True))
        return _empty_deltas(deltas.filter(evidence__overlap=ids)) + _withdraw_supports(candidates, ids)


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
    block_candidates(_list_unsupported(touched), reason=FORGOTTEN)
    for candidate in touched:
        if candidate.state == CandidateState.OPEN:
            weigh_supports(candidate, read_candidate(candidate)[1])
    return len(touched)


def _list_unsupported(candidates: Iterable[FactCandidate]) -> list[FactCandidate]:
    return [each for each in candidates if each.state != CandidateState.BLOCKED and not each.supports.exists()]
