"""Giving a label, and taking it back."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db.models import Q
from django.utils import timezone

from factcheck.extraction.actions.sample_labels import count_label, lock_sample
from factcheck.extraction.models import ExtractionSample
from knowledge.facts.actions.locks import lock_end_user
from knowledge.facts.models import UserFact
from memoryproject.database import after_commit
from reviews.actions.constraints import atomic_action
from reviews.core.actor import Actor
from reviews.errors import InvalidField, NothingToUndo, SampleGone, SampleLabelled, UnknownSample
from reviews.labelling.actions.gold_schedule import get_gold_score
from reviews.labelling.actions.leases import find_lease, give_lease, has_place
from reviews.labelling.actions.wrong_facts import find_ended_fact, restore_ended_fact
from reviews.labelling.core.verdicts import ERRORS, LabelVerdict
from reviews.labelling.models import SampleLabel, SampleLease
from reviews.labelling.models.labels import MAX_COMMENT_LENGTH, MAX_SECONDS
from reviews.quality.actions.judgements import judge_after_label

MAX_UNDO = 20
LEASES_KEPT = dt.timedelta(days=1)
"""After which a page that was left open can no longer send its late label. No query draws by such rows."""
_GONE = "Its words were forgotten meanwhile: there is nothing left to label."


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a reviewer says of an item. `seconds` is how long it was on the screen, where the page knows."""

    verdict: str
    missed_message_id: int | None = None
    comment: str = ""
    seconds: int | None = None


def submit_label(*, tenant_id: int, reviewer_id: int, lease_id: int, given: Verdict) -> SampleLabel:
    """The label. A form that is sent twice gives the same one; one that comes too late is kept beside the others.

    Locks the sample. Raises UnknownSample, SampleGone, SampleLabelled, InvalidField.
    """
    if given.verdict not in set(LabelVerdict):
        raise InvalidField("There is no such verdict.", field="verdict")
    with atomic_action():
        earlier = _find_earlier(tenant_id, reviewer_id, lease_id, given)
        if earlier is not None:
            return earlier
        lease = find_lease(tenant_id=tenant_id, reviewer_id=reviewer_id, lease_id=lease_id)
        if lease is None:
            raise UnknownSample("This item is not open with you.")
        sample = None
        if lease.sample_id is not None:
            sample = lock_sample(tenant_id=tenant_id, sample_id=lease.sample_id)
            # While the lock was waited for, the same form may have come twice.
            earlier = _find_earlier(tenant_id, reviewer_id, lease_id, given)
            if earlier is not None:
                return earlier
            if sample.is_gone:
                raise SampleGone(_GONE)
        return _write_label(lease, sample, given)


@dataclass(frozen=True, slots=True)
class UndoneLabel:
    """A label that was taken back. `lease` is that by which its item is the reviewer's again; None where the words are
    forgotten meanwhile. `ended_fact`: it had ended a fact; `restored_fact` is the one that holds again.
    """

    label: SampleLabel
    lease: SampleLease | None
    ended_fact: bool = False
    restored_fact: UserFact | None = None


def undo_last_label(*, tenant_id: int, actor: Actor) -> UndoneLabel:
    """The newest of the person's last 20 labels that stood, undone; the fact that it ended holds again.

    It stays ended where something else speaks against it.
    Locks the player where it ended a fact, then the sample. Raises NothingToUndo.
    """
    reviewer_id = actor.user_id or 0
    with atomic_action():
        label = _find_last(tenant_id, reviewer_id)
        ended_id = find_ended_fact(label)
        if ended_id is not None and label.sample is not None:
            lock_end_user(tenant_id=tenant_id, end_user_id=label.sample.end_user_id)
        sample = None if label.sample_id is None else lock_sample(tenant_id=tenant_id, sample_id=label.sample_id)
        undone = SampleLabel.objects.filter(pk=label.pk, undone_at__isnull=True).update(undone_at=timezone.now())
        if not undone:
            raise NothingToUndo("That label is undone already.")
        if sample is not None:
            count_label(sample, 0 if label.is_late else -1, wrong=-int(label.verdict in ERRORS))
        is_gone = sample is not None and sample.is_gone
        restored = None
        if ended_id is not None and sample is not None and not is_gone and not sample.wrong_count:
            restored = restore_ended_fact(label, ended_id, actor)
        owner = {"tenant_id": tenant_id, "reviewer_id": reviewer_id}
        lease = None if is_gone else give_lease(**owner, sample_id=label.sample_id, gold_id=label.gold_id)
        return UndoneLabel(label, lease, ended_id is not None, restored)


def _find_last(tenant_id: int, reviewer_id: int) -> SampleLabel:
    last = SampleLabel.objects.filter(tenant_id=tenant_id, reviewer_id=reviewer_id).select_related(
        "sample__delta__fact"
    )
    label = next((each for each in last.order_by("-id")[:MAX_UNDO] if each.undone_at is None), None)
    if label is None:
        raise NothingToUndo(f"None of your last {MAX_UNDO} labels stands.")
    return label


def _find_earlier(tenant_id: int, reviewer_id: int, lease_id: int, given: Verdict) -> SampleLabel | None:
    """The live label under the lease. Raises SampleLabelled where it says something else."""
    label = SampleLabel.objects.filter(
        tenant_id=tenant_id, reviewer_id=reviewer_id, lease_id=lease_id, undone_at__isnull=True
    ).first()
    if label is not None and label.verdict != given.verdict:
        raise SampleLabelled("You have labelled this item otherwise already: undo that label first.")
    return label


def _write_label(lease: SampleLease, sample: ExtractionSample | None, given: Verdict) -> SampleLabel:
    is_late = sample is not None and not has_place(sample, lease)
    open_for = int((timezone.now() - lease.taken_at).total_seconds())
    seconds = open_for if given.seconds is None else min(given.seconds, open_for)
    label = SampleLabel.objects.create(
        tenant_id=lease.tenant_id,
        sample_id=lease.sample_id,
        gold_id=lease.gold_id,
        reviewer_id=lease.reviewer_id,
        lease_id=lease.pk,
        verdict=given.verdict,
        missed_message_id=given.missed_message_id if given.verdict == LabelVerdict.MISSED else None,
        comment=given.comment.strip().replace("\x00", "")[:MAX_COMMENT_LENGTH],
        is_gold_check=lease.gold_id is not None,
        is_late=is_late,
        weight=get_gold_score(lease.reviewer_id).weight,
        seconds=max(0, min(seconds, MAX_SECONDS)),
    )
    if sample is not None:
        count_label(sample, 0 if is_late else 1, wrong=int(label.verdict in ERRORS))
    dead = Q(tenant_id=lease.tenant_id, reviewer_id=lease.reviewer_id, expires_at__lt=timezone.now() - LEASES_KEPT)
    SampleLease.objects.filter(Q(pk=lease.pk) | dead).delete()
    after_commit(judge_after_label, label.pk)
    return label
