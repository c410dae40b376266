"""What a reviewer learns of an item once they have judged it."""

from __future__ import annotations

from dataclasses import dataclass

from factcheck.extraction.selectors.own_facts import find_own_fact
from reviews.errors import UnknownSample
from reviews.labelling.core.verdicts import ERRORS, NAMES, LabelVerdict
from reviews.labelling.models import SampleLabel


@dataclass(frozen=True, slots=True)
class Aftermath:
    """A label that was given, and what its reviewer may see now.

    `live_fact_id`: the verdict calls a fact wrong that stands; `right_verdict` and `reason` are of gold.
    """

    label_id: int
    verdict: str
    is_error: bool
    is_late: bool
    confidence: float | None
    others: tuple[str, ...]
    live_fact_id: int | None
    end_user_id: int | None
    is_gold: bool
    is_right: bool
    right_verdict: str
    reason: str
    has_case: bool
    can_be_case: bool


def get_aftermath(*, tenant_id: int, reviewer_id: int, label_id: int) -> Aftermath:
    """Of one of the reviewer's own labels. At most five queries. Raises UnknownSample."""
    label = (
        SampleLabel.objects.select_related("sample__delta", "gold", "golden_case")
        .filter(tenant_id=tenant_id, reviewer_id=reviewer_id, pk=label_id, undone_at__isnull=True)
        .first()
    )
    if label is None:
        raise UnknownSample("You have no such label.")
    sample, gold = label.sample, label.gold
    delta = None if sample is None else sample.delta
    is_error = label.verdict in ERRORS
    live = find_own_fact(delta) if delta is not None and is_error else None
    return Aftermath(
        label_id=label.pk,
        verdict=NAMES[LabelVerdict(label.verdict)][0],
        is_error=is_error,
        is_late=label.is_late,
        confidence=None if delta is None else delta.confidence,
        others=_list_others(label),
        live_fact_id=live.pk if live else None,
        end_user_id=None if sample is None else sample.end_user_id,
        is_gold=gold is not None,
        is_right=gold is not None and gold.verdict == label.verdict,
        right_verdict="" if gold is None else NAMES[LabelVerdict(gold.verdict)][0],
        reason="" if gold is None else gold.reason,
        has_case=hasattr(label, "golden_case"),
        can_be_case=delta is not None and not sample.is_gone and label.verdict != LabelVerdict.CANNOT_TELL
        if sample is not None
        else False,
    )


def _list_others(label: SampleLabel) -> tuple[str, ...]:
    """The verdicts of others on the same sample, oldest first; no names."""
    if label.sample_id is None:
        return ()
    rows = SampleLabel.objects.filter(sample_id=label.sample_id, undone_at__isnull=True).exclude(pk=label.pk)
    return tuple(NAMES[LabelVerdict(verdict)][0] for verdict in rows.order_by("pk").values_list("verdict", flat=True))
