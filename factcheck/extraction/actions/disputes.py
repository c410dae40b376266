"""What a run put in doubt is so no more once the run is undone."""

from __future__ import annotations

from django.db.models import Q

from factcheck.extraction.models import DeltaOutcome, ExtractionDelta, ExtractionRun
from knowledge.facts.actions import Correction, restore_fact
from knowledge.facts.models import CorrectionOutcome, CorrectionType, MemoryCorrection, UserFact


def settle_disputes(run: ExtractionRun, *, made_by: str, reason: str) -> tuple[int, ...]:
    """The facts that only this run had put in doubt, settled by who undoes it. Call it under the player's lock.

    A fact that the player, a rule, a person or another run doubts as well stays in doubt.
    """
    settled = []
    for delta in run.delta_rows.filter(outcome=DeltaOutcome.DISPUTED).select_related("fact").order_by("position"):
        fact = delta.fact
        if fact is None or fact.pk in settled or not fact.is_active or not fact.is_disputed:
            continue
        if not _list_doubts(fact) - _list_undone(run, fact):
            restore_fact(
                tenant_id=run.tenant_id,
                end_user_id=run.end_user_id,
                fact_id=fact.pk,
                correction=Correction(CorrectionType.SUPPORT, language=delta.language, reason=reason, made_by=made_by),
            )
            settled.append(fact.pk)
    return tuple(settled)


def _list_doubts(fact: UserFact) -> set[int]:
    """The entries of the log that put the fact in doubt since it was last settled."""
    log = MemoryCorrection.objects.filter(fact=fact)
    settled = log.filter(outcome=CorrectionOutcome.RESTORED).order_by("-pk").values_list("pk", flat=True).first()
    return set(log.filter(outcome=CorrectionOutcome.DISPUTED, pk__gt=settled or 0).values_list("pk", flat=True))


def _list_undone(run: ExtractionRun, fact: UserFact) -> set[int]:
    """Of these entries, what this run made, or another that is undone: of messages that it quotes, while it ran."""
    deltas = ExtractionDelta.objects.filter(fact=fact, outcome=DeltaOutcome.DISPUTED).select_related("run")
    undone: set[int] = set()
    for delta in deltas.filter(Q(run=run) | Q(run__reverted_at__isnull=False)):
        log = MemoryCorrection.objects.filter(
            fact=fact, outcome=CorrectionOutcome.DISPUTED, trigger_message_id__in=delta.evidence
        )
        made = log.filter(created_at__gt=delta.run.created_at, created_at__lte=delta.created_at)
        undone |= set(made.values_list("pk", flat=True))
    return undone
