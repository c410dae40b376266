"""What becomes of a sample when people label it, and when its words are forgotten."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from episodes.forgetting.selectors.forgetting import list_own_messages
from factcheck.extraction.models import ExtractionDelta, ExtractionSample, RunMessage, SampleKind


def lock_sample(*, tenant_id: int, sample_id: int) -> ExtractionSample:
    """The sample, locked until the transaction ends. Raises ExtractionSample.DoesNotExist."""
    rows = ExtractionSample.objects.filter(tenant_id=tenant_id).select_for_update(no_key=True)
    return rows.get(pk=sample_id)


def count_label(sample: ExtractionSample, change: int, *, wrong: int = 0) -> None:
    """One label more or one less, and of those that call the proposal wrong. Call it under `lock_sample`."""
    ExtractionSample.objects.filter(pk=sample.pk).update(
        label_count=F("label_count") + change, wrong_count=F("wrong_count") + wrong
    )
    sample.label_count += change
    sample.wrong_count += wrong


def withdraw_samples(*, tenant_id: int, end_user_id: int, message_ids: Collection[int]) -> list[int]:
    """The samples that leave the queue because they rest on one of these messages: a proposal by what it quotes, a run
    by what it read. Those whose words are gone already leave it as well.
    """
    ids = list(message_ids)
    quoting = ExtractionDelta.objects.filter(Q(evidence__overlap=ids) | Q(words_sealed=b""), pk=OuterRef("delta_id"))
    reading = RunMessage.objects.filter(run_id=OuterRef("run_id"), message_id__in=ids)
    own = ExtractionSample.objects.filter(tenant_id=tenant_id, end_user_id=end_user_id)
    return _withdraw(own.filter(Exists(quoting) | Q(Exists(reading), kind=SampleKind.RUN)))


def withdraw_all_samples(*, tenant_id: int, end_user_id: int, world_id: int | None = None) -> list[int]:
    """The samples of a user that leave the queue: all, or those that rest on something said in one world."""
    own = ExtractionSample.objects.filter(tenant_id=tenant_id, end_user_id=end_user_id)
    if world_id is not None:
        said = list_own_messages(tenant_id=tenant_id, end_user_id=end_user_id, world_id=world_id)
        own = own.filter(Exists(RunMessage.objects.filter(run_id=OuterRef("run_id"), message_id__in=said.values("pk"))))
    return _withdraw(own)


def _withdraw(samples: QuerySet[ExtractionSample]) -> list[int]:
    """In pk order, as all who lock several samples do."""
    ids = list(samples.filter(is_gone=False).order_by("pk").values_list("pk", flat=True))
    locked = ExtractionSample.objects.filter(pk__in=ids, is_gone=False).select_for_update(no_key=True).order_by("pk")
    gone = list(locked.values_list("pk", flat=True))
    ExtractionSample.objects.filter(pk__in=gone).update(is_gone=True)
    return gone
