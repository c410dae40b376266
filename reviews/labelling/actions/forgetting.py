"""What is forgotten leaves the queue at once, under an open lease too; labels stay, without words."""

from __future__ import annotations

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from episodes.forgetting.selectors.forgetting import list_own_messages
from factcheck.extraction.actions.sample_labels import withdraw_all_samples, withdraw_samples
from factcheck.extraction.models import ExtractionSample
from memoryproject.forgetting.registry import DeletedFacts, Forgotten, Gone
from reviews.labelling.models import GoldenCase, SampleLabel

QUERY_BATCH_SIZE = 1000


def forget_in_labelling(forgotten: Forgotten) -> int:
    """How many samples left the queue, remarks were emptied and golden cases lost their line."""
    owner = {"tenant_id": forgotten.tenant_id, "end_user_id": forgotten.end_user_id}
    count = 0
    for start in range(0, len(forgotten.message_ids), QUERY_BATCH_SIZE):
        ids = list(forgotten.message_ids[start : start + QUERY_BATCH_SIZE])
        with transaction.atomic():
            count += len(withdraw_samples(**owner, message_ids=ids))
            count += _empty_cases(GoldenCase.objects.filter(**owner, message_ids__overlap=ids))
    with transaction.atomic():
        if forgotten.is_everything:
            count += _forget_all(forgotten.tenant_id, forgotten.end_user_id, forgotten.world_id)
        return count + _follow_proposals(owner)


def forget_all_in_labelling(gone: Gone) -> int:
    """The same for all that a user said, in the transaction that accepts the order."""
    count = _forget_all(gone.tenant_id, gone.end_user_id, gone.world_id)
    return count + _follow_proposals({"tenant_id": gone.tenant_id, "end_user_id": gone.end_user_id})


def forget_facts_in_labelling(deleted: DeletedFacts) -> int:
    """How many remarks and golden cases were emptied with facts that are deleted by hand.

    The store of extraction is asked before: what it emptied tells which they are.
    """
    with transaction.atomic():
        return _follow_proposals({"tenant_id": deleted.tenant_id, "end_user_id": deleted.end_user_id})


def _forget_all(tenant_id: int, end_user_id: int, world_id: int | None) -> int:
    owner = {"tenant_id": tenant_id, "end_user_id": end_user_id}
    cases = GoldenCase.objects.filter(**owner)
    if world_id is not None:
        said = list_own_messages(**owner, world_id=world_id)
        cases = cases.filter(message_ids__overlap=list(said.values_list("pk", flat=True)))
    return len(withdraw_all_samples(**owner, world_id=world_id)) + _empty_cases(cases)


def _follow_proposals(owner: dict[str, int]) -> int:
    """How many remarks and golden cases were emptied because the proposal that they are about has no words any more."""
    emptied = GoldenCase.objects.filter(**owner, label__sample__delta__words_sealed=b"")
    return _empty_cases(emptied) + _empty_remarks(ExtractionSample.objects.filter(**owner, is_gone=True))


def _empty_cases(cases: QuerySet[GoldenCase]) -> int:
    return cases.filter(forgotten_at__isnull=True).update(line=None, forgotten_at=timezone.now())


def _empty_remarks(samples: QuerySet[ExtractionSample]) -> int:
    """How many remarks of labels on these samples were emptied: they may quote."""
    return SampleLabel.objects.filter(sample__in=samples).exclude(comment="").update(comment="")
