"""A verdict that a fact is wrong ends the fact, after one confirmation; undone, it brings the fact back."""

from __future__ import annotations

from factcheck.extraction.actions.bring_back import bring_back_fact
from factcheck.extraction.selectors.own_facts import find_own_fact
from knowledge.facts.actions import Correction, deactivate_fact
from knowledge.facts.actions.locks import lock_end_user
from knowledge.facts.models import CorrectionType, UserFact
from memoryproject.database import after_commit
from memoryproject.metrics import DRIFT
from reviews.actions.constraints import atomic_action
from reviews.audit.actions import Transition, write_audit
from reviews.audit.models import AuditEntry
from reviews.core.actor import Actor
from reviews.errors import UnknownSample
from reviews.labelling.core.verdicts import ERRORS, NAMES, LabelVerdict
from reviews.labelling.models import SampleLabel

FACT_ENDED, FACT_RESTORED = "label.fact_ended", "label.fact_restored"


def end_wrong_fact(*, actor: Actor, made_by: str, tenant_id: int, label_id: int) -> UserFact:
    """The fact, ended by the reviewer's own label: in the log of corrections under their name, and in the audit log.

    What it rests on is asked under the lock: the player may say it again at that moment. Locks user and fact.
    Raises UnknownSample, FactEnded.
    """
    with atomic_action():
        label = (
            SampleLabel.objects.select_related("sample__delta")
            .filter(tenant_id=tenant_id, reviewer_id=actor.user_id or 0, pk=label_id, undone_at__isnull=True)
            .first()
        )
        delta = None if label is None or label.sample is None else label.sample.delta
        live = None
        if label is not None and delta is not None and label.verdict in ERRORS:
            lock_end_user(tenant_id=tenant_id, end_user_id=delta.end_user_id)
            live = find_own_fact(delta)
        if label is None or delta is None or live is None:
            raise UnknownSample("There is no fact that this label ends: it has ended, or rests on more than this.")
        correction = Correction(
            CorrectionType.SUPPORT, language=delta.language, reason=_write_reason(label), made_by=made_by
        )
        fact = deactivate_fact(
            tenant_id=tenant_id, end_user_id=delta.end_user_id, fact_id=live.pk, correction=correction
        )
        write_audit(
            [
                Transition(
                    action=FACT_ENDED,
                    object_type="fact",
                    object_id=fact.pk,
                    object_label=f"{fact.type} {fact.pk}",
                    before="active",
                    after="ended",
                    details={"label": label.pk, "sample": label.sample_id, "verdict": label.verdict},
                )
            ],
            actor=actor,
            tenant_id=tenant_id,
        )
        after_commit(DRIFT.labels(source="review").inc)
    return fact


def find_ended_fact(label: SampleLabel) -> int | None:
    """The fact that its reviewer ended by it: a version of the one that was proposed. Two queries by index."""
    delta = None if label.sample is None else label.sample.delta
    if delta is None or delta.fact is None or label.verdict not in ERRORS:
        return None
    versions = UserFact.objects.filter(
        tenant_id=delta.tenant_id, end_user_id=delta.end_user_id, type=delta.fact.type, key_index=delta.fact.key_index
    )
    ended = AuditEntry.objects.filter(
        tenant_id=label.tenant_id,
        object_type="fact",
        object_id__in=[str(pk) for pk in versions.values_list("pk", flat=True)],
        action=FACT_ENDED,
        details__label=label.pk,
    )
    found = ended.values_list("object_id", flat=True).first()
    return None if found is None else int(found)


def restore_ended_fact(label: SampleLabel, fact_id: int, actor: Actor) -> UserFact | None:
    """The fact that a label which is undone had ended, as it holds again; None where something else speaks against it.

    Call it under the player's lock.
    """
    if label.sample is None:
        return None
    owner = {"tenant_id": label.tenant_id, "end_user_id": label.sample.end_user_id}
    fact = bring_back_fact(**owner, fact_id=fact_id, reason=_write_reason(label))
    if fact is not None:
        write_audit(
            [
                Transition(
                    action=FACT_RESTORED,
                    object_type="fact",
                    object_id=fact.pk,
                    object_label=f"{fact.type} {fact.pk}",
                    before="ended",
                    after="active",
                    details={"label": label.pk, "sample": label.sample_id, "ended": fact_id},
                )
            ],
            actor=actor,
            tenant_id=label.tenant_id,
        )
    return fact


def _write_reason(label: SampleLabel) -> str:
    """Why the log of corrections says that the fact ended."""
    return f"Labelled as {NAMES[LabelVerdict(label.verdict)][0].lower()} in review (label {label.pk})."
