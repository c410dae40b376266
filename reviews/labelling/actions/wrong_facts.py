"""A verdict that a fact is wrong ends the fact, after one confirmation."""

from __future__ import annotations

from knowledge.facts.actions import Correction, deactivate_fact
from knowledge.facts.actions.locks import lock_end_user
from knowledge.facts.models import CorrectionType, UserFact
from memoryproject.database import after_commit
from memoryproject.metrics import DRIFT
from reviews.actions.audit import Transition, write_audit
from reviews.actions.constraints import atomic_action
from reviews.core.actor import Actor
from reviews.errors import UnknownSample
from reviews.labelling.core.verdicts import ERRORS, NAMES, LabelVerdict
from reviews.labelling.models import SampleLabel
from reviews.labelling.selectors.items import find_live_fact


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
            live = find_live_fact(delta)
        if label is None or delta is None or live is None:
            raise UnknownSample("There is no fact that this label ends: it has ended, or rests on more than this.")
        verdict = NAMES[LabelVerdict(label.verdict)][0].lower()
        correction = Correction(
            CorrectionType.SUPPORT,
            language=delta.language,
            reason=f"Labelled as {verdict} in review (label {label.pk}).",
            made_by=made_by,
        )
        fact = deactivate_fact(
            tenant_id=tenant_id, end_user_id=delta.end_user_id, fact_id=live.pk, correction=correction
        )
        write_audit(
            [
                Transition(
                    action="label.fact_ended",
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
