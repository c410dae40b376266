"""Undoing what a run wrote: its facts end, what they replaced or what it ended comes back, candidates open again."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from factcheck.extraction.actions.bring_back import draft_version
from factcheck.extraction.actions.candidates import change_state
from factcheck.extraction.actions.disputes import settle_disputes
from factcheck.extraction.errors import RunNotRevertible, UnknownRun
from factcheck.extraction.models import (
    CandidateState,
    DeltaOutcome,
    ExtractionDelta,
    ExtractionRun,
    FactCandidate,
    RunState,
)
from factcheck.extraction.selectors.own_facts import WROTE, find_own_fact
from knowledge.facts.actions import end_unsupported_facts, put_facts
from knowledge.facts.actions.locks import lock_end_user
from knowledge.facts.models import CorrectionType, EndReason, MemoryCorrection, UserFact
from tenancy.errors import ReasonMissing


@dataclass(frozen=True, slots=True)
class Reverted:
    """What undoing a run did; `kept` are facts that people decided on, or that were said again since; `settled` are in
    doubt no more.
    """

    run: ExtractionRun
    ended: tuple[int, ...]
    restored: tuple[int, ...]
    kept: tuple[int, ...]
    settled: tuple[int, ...] = ()


def revert_run(*, tenant_id: int, run_id: int, made_by: str, reason: str) -> Reverted:
    """What the run wrote ends, what that had replaced or what it ended holds again, the candidates that it promoted are
    open, and what it alone put in doubt is so no more.

    A fact that a person decided on stays, and one that the player, or a later run, stated again. Messages are not read
    again. Locks the player, then the run. Raises UnknownRun, RunNotRevertible, ReasonMissing.
    """
    if not reason.strip():
        raise ReasonMissing("Say why.")
    found = ExtractionRun.objects.filter(tenant_id=tenant_id, pk=run_id).first()
    if found is None:
        raise UnknownRun(f"There is no run {run_id}.")
    with transaction.atomic():
        lock_end_user(tenant_id=tenant_id, end_user_id=found.end_user_id)
        run = ExtractionRun.objects.select_for_update(no_key=True).get(pk=run_id)
        if run.state != RunState.APPLIED or run.reverted_at is not None:
            raise RunNotRevertible("Only an applied run can be undone, and once.")
        deltas = list(run.delta_rows.filter(outcome__in=WROTE).select_related("fact", "replaced_fact"))
        standing = {delta.pk: fact for delta in deltas if (fact := _find_standing(delta)) is not None}
        own = [delta for delta in deltas if delta.pk in standing]
        kept = tuple(delta.fact_id for delta in deltas if delta.fact_id is not None and _is_kept(delta, standing))
        ended = tuple(dict.fromkeys(fact.pk for fact in standing.values()))
        _reopen_candidates(own, made_by, reason)
        end_unsupported_facts(tenant_id=tenant_id, end_user_id=run.end_user_id, fact_ids=ended)
        restored = _restore(run, own)
        settled = settle_disputes(run, made_by=made_by, reason=reason.strip())
        run.reverted_at, run.reverted_by, run.revert_reason = timezone.now(), made_by, reason.strip()[:500]
        run.held_for, run.answer_sealed = None, b""
        run.save(update_fields=["reverted_at", "reverted_by", "revert_reason", "held_for", "answer_sealed"])
    return Reverted(run, ended, restored, kept, settled)


def _find_standing(delta: ExtractionDelta) -> UserFact | None:
    """The delta's own fact where it stands and nobody decided on it."""
    fact = find_own_fact(delta)
    if fact is None:
        return None
    decided = MemoryCorrection.objects.filter(fact=fact, correction_type=CorrectionType.SUPPORT)
    return None if decided.exists() else fact


def _is_kept(delta: ExtractionDelta, standing: dict[int, UserFact]) -> bool:
    """Whether what the run wrote stays: it stands, on more than the run's word."""
    return delta.pk not in standing and delta.fact is not None and delta.fact.is_active


def _restore(run: ExtractionRun, deltas: list[ExtractionDelta]) -> tuple[int, ...]:
    """The versions that hold again, each as a new version that was said when the old one was."""
    replaced = {row.pk: row for delta in deltas if (row := _find_replaced(delta, run)) is not None}
    replaced |= {row.pk: row for row in _list_denied(run)}
    living = [row for row in replaced.values() if bytes(row.value_sealed)]
    put_facts(
        tenant_id=run.tenant_id,
        end_user_id=run.end_user_id,
        facts=[draft_version(row) for row in living],
    )
    return tuple(row.pk for row in living)


def _list_denied(run: ExtractionRun) -> list[UserFact]:
    """The facts that the run ended by a denial, where nothing stands in their place and nobody decided on them."""
    facts = [delta.fact for delta in run.delta_rows.filter(outcome=DeltaOutcome.ENDED).select_related("fact")]
    return [
        fact
        for fact in facts
        if fact is not None
        and fact.ended_reason == EndReason.DENIED
        and not MemoryCorrection.objects.filter(fact=fact, correction_type=CorrectionType.SUPPORT).exists()
        and not UserFact.objects.filter(
            end_user_id=run.end_user_id, type=fact.type, key_index=fact.key_index, is_active=True
        ).exists()
    ]


def _find_replaced(delta: ExtractionDelta, run: ExtractionRun) -> UserFact | None:
    """What held before the delta, and before all that undone runs wrote in its place: this run, and earlier ones."""
    while delta.replaced_fact is not None:
        writer = (
            ExtractionDelta.objects.filter(fact=delta.replaced_fact_id, outcome__in=WROTE)
            .select_related("run", "replaced_fact")
            .order_by("pk")
            .first()
        )
        if writer is None or (writer.run_id != run.pk and writer.run.reverted_at is None):
            return delta.replaced_fact
        delta = writer
    return None


def _reopen_candidates(deltas: list[ExtractionDelta], made_by: str, reason: str) -> None:
    rows = FactCandidate.objects.filter(fact__in=[delta.fact_id for delta in deltas], state=CandidateState.PROMOTED)
    for candidate in rows:
        change_state(candidate, CandidateState.OPEN, made_by=made_by, reason=reason)
