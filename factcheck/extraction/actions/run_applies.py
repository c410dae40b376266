"""A run's answer goes through the gate, and what passes becomes facts and candidates, all or nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from factcheck.extraction.actions.canary_watch import watch_canaries
from factcheck.extraction.actions.delta_writes import Applied, apply_verdict
from factcheck.extraction.actions.denied_candidates import block_denied_candidates
from factcheck.extraction.actions.held_runs import release
from factcheck.extraction.actions.run_failures import fail_run
from factcheck.extraction.actions.sampling import draw_samples
from factcheck.extraction.actions.watermarks import move_watermarks
from factcheck.extraction.core.deltas import Delta, parse_deltas
from factcheck.extraction.core.gate import Denials, GateRules, check_deltas
from factcheck.extraction.core.given import Given, GivenMessage
from factcheck.extraction.core.verdicts import Verdict, VerdictCode
from factcheck.extraction.metrics import count_run
from factcheck.extraction.models import (
    DeltaOutcome,
    ExtractionDelta,
    ExtractionRun,
    MessageOutcome,
    RunMessage,
    RunMode,
    RunState,
)
from factcheck.extraction.run_mode import find_run_mode
from factcheck.extraction.sealing import ANSWER, DELTA, open_document, seal_document
from factcheck.extraction.selectors.given import is_empty_place, restore_given
from factcheck.extraction.selectors.run_ranges import load_run_range
from knowledge.facts.actions.locks import lock_end_user
from memoryproject.database import after_commit
from tenancy.models import Extraction, Tenant

UNCHANGED = (DeltaOutcome.REJECTED, DeltaOutcome.SHADOWED, DeltaOutcome.CANDIDATE, DeltaOutcome.OUTDATED)


@dataclass(frozen=True, slots=True)
class Judged:
    """A delta, what the gate says of it, and what came of it."""

    delta: Delta
    verdict: Verdict
    applied: Applied


def apply_run(run: ExtractionRun, rules: GateRules) -> ExtractionRun:
    """The run, over: its deltas kept with their verdicts, what passed written, each message accounted for.

    What was forgotten, or has ended, since the proposer was asked proves and changes nothing. Locks the player, then
    the run, then the conversations. Raises FactKeysMissing.
    """
    with transaction.atomic():
        lock_end_user(tenant_id=run.tenant_id, end_user_id=run.end_user_id)
        run = ExtractionRun.objects.select_for_update(no_key=True).get(pk=run.pk)
        if run.state != RunState.ANSWERED:
            return run
        allowed = find_run_mode(tenant_id=run.tenant_id, language=run.language)
        if allowed is None:
            return fail_run(run, failure="extraction_stopped", detail="It was switched off, or paused, meanwhile.")
        if run.mode == RunMode.ON:
            run.mode = allowed
        waiting = load_run_range(run)
        given, deltas = _open_answer(run, waiting.given)
        verdicts = _refuse_with_canaries(check_deltas(deltas, given, rules))
        denials = Denials(given, rules)
        block_denied_candidates(run, denials)
        judged = [
            Judged(delta, verdict, _apply(run, verdict, given, denials))
            for delta, verdict in zip(deltas, verdicts, strict=True)
        ]
        if any(each.applied.outcome == DeltaOutcome.CANDIDATE for each in judged):
            block_denied_candidates(run, denials)
        gone = _list_gone_places(given)
        rows = ExtractionDelta.objects.bulk_create(
            _build_row(run, place, each, given, is_forgotten=_tells_forgotten(each, gone))
            for place, each in enumerate(judged, 1)
        )
        _finish(run, _account(waiting.own_ids, judged, given), rows)
        draw_samples(run, [row for row in rows if row.words_sealed])
        move_watermarks(waiting.reaches)
        after_commit(count_run, run, rows)
        after_commit(watch_canaries, run, rows)
    return run


def _open_answer(run: ExtractionRun, current: Given) -> tuple[Given, list[Delta]]:
    answer = open_document(bytes(run.answer_sealed), tenant_id=run.tenant_id, end_user_id=run.end_user_id, kind=ANSWER)
    given = restore_given(current, message_ids=answer["messages"], fact_ids=answer["facts"])
    return given, parse_deltas(answer["answer"])


def _refuse_with_canaries(verdicts: list[Verdict]) -> list[Verdict]:
    """The verdicts; of an answer that repeats an example of the prompt nothing is believed."""
    if not any(verdict.code == VerdictCode.CANARY for verdict in verdicts):
        return verdicts
    refused = Verdict(VerdictCode.CANARY, "the answer repeats an example of the prompt")
    return [refused if verdict.is_accepted else verdict for verdict in verdicts]


def _apply(run: ExtractionRun, verdict: Verdict, given: Given, denials: Denials) -> Applied:
    if not verdict.is_accepted:
        return Applied(DeltaOutcome.REJECTED)
    if run.mode != RunMode.ON or not _may_write(run, verdict.language):
        return Applied(DeltaOutcome.SHADOWED)
    return apply_verdict(run, verdict, given, denials)


def _may_write(run: ExtractionRun, language: str) -> bool:
    """Whether no breaker of the words' own language is open, where they are in another than most of the run's."""
    if language in ("", run.language):
        return True
    return find_run_mode(tenant_id=run.tenant_id, language=language) == RunMode.ON


def _build_row(run: ExtractionRun, place: int, judged: Judged, given: Given, *, is_forgotten: bool) -> ExtractionDelta:
    delta, verdict, applied = judged.delta, judged.verdict, judged.applied
    quoted = {quote.message: given.find_message(quote.message) for quote in delta.quotes}
    ids = {message.id for message in quoted.values() if message is not None}
    sealed, key_number = (b"", 0) if is_forgotten else _seal_words(run, judged, quoted)
    return ExtractionDelta(
        tenant_id=run.tenant_id,
        end_user_id=run.end_user_id,
        run=run,
        position=place,
        operation=verdict.operation if verdict.is_accepted else delta.operation,
        type=delta.type[:32],
        subject=delta.subject,
        stance=delta.stance,
        confidence=delta.confidence,
        language=verdict.language or run.language,
        words_sealed=sealed,
        sealed_by=key_number,
        evidence=sorted(ids | {span.message_id for span in verdict.evidence}),
        spans=[[span.message_id, span.start, span.end] for span in verdict.evidence],
        verdict=verdict.code,
        detail="" if is_forgotten else (applied.detail or verdict.detail)[:200],
        outcome=applied.outcome,
        fact_id=applied.fact_id,
        replaced_fact_id=applied.replaced_fact_id,
        candidate_id=applied.candidate_id,
    )


def _seal_words(run: ExtractionRun, judged: Judged, quoted: Mapping[int, GivenMessage | None]) -> tuple[bytes, int]:
    """Key, value and quotes of a delta, sealed; and the number of the key."""
    delta, verdict = judged.delta, judged.verdict
    words = {
        "key": verdict.key or delta.key,
        "value": verdict.value or delta.value,
        "quotes": [
            {"message_id": message.id if (message := quoted[quote.message]) else None, "text": quote.text}
            for quote in delta.quotes
        ],
    }
    return seal_document(words, tenant_id=run.tenant_id, end_user_id=run.end_user_id, kind=DELTA)


def _list_gone_places(given: Given) -> set[int]:
    """The places of messages that were forgotten since the proposer was asked."""
    return {place for place, message in enumerate(given.messages, 1) if is_empty_place(message)}


def _tells_forgotten(judged: Judged, gone: set[int]) -> bool:
    """Whether a delta may tell what was forgotten since the proposer was asked: it quotes it, or, as nothing was found
    that proves it, may have its words from any message.
    """
    if not gone:
        return False
    return not judged.verdict.is_accepted or any(quote.message in gone for quote in judged.delta.quotes)


def _account(own_ids: Sequence[int], judged: Sequence[Judged], given: Given) -> dict[int, tuple[MessageOutcome, str]]:
    """What became of each message: something was extracted, or all that was proposed of it was rejected, or nothing."""
    outcomes: dict[int, tuple[MessageOutcome, str]] = dict.fromkeys(own_ids, (MessageOutcome.NOTHING, ""))
    for each in judged:
        quoted = [given.find_message(quote.message) for quote in each.delta.quotes]
        for pk in {message.id for message in quoted if message is not None} & outcomes.keys():
            if each.verdict.is_accepted:
                outcomes[pk] = (MessageOutcome.EXTRACTED, "")
            elif outcomes[pk][0] == MessageOutcome.NOTHING:
                outcomes[pk] = (MessageOutcome.REJECTED, each.verdict.code)
    return outcomes


def _finish(
    run: ExtractionRun, outcomes: dict[int, tuple[MessageOutcome, str]], rows: Sequence[ExtractionDelta]
) -> None:
    RunMessage.objects.bulk_create(
        RunMessage(run=run, message_id=pk, outcome=outcome, code=code) for pk, (outcome, code) in outcomes.items()
    )
    counts = [outcome for outcome, _ in outcomes.values()]
    run.state = RunState.APPLIED
    run.held_for = _find_holding_language(run, rows)
    if run.held_for is None:
        run.answer_sealed = b""
    run.messages = len(counts)
    run.extracted = counts.count(MessageOutcome.EXTRACTED)
    run.nothing = counts.count(MessageOutcome.NOTHING)
    run.rejected = counts.count(MessageOutcome.REJECTED)
    run.deltas = len(rows)
    run.deltas_applied = sum(row.outcome not in UNCHANGED for row in rows)
    run.finished_at = timezone.now()
    run.save()
    if run.follows is not None:
        release(run.follows)


def _find_holding_language(run: ExtractionRun, rows: Sequence[ExtractionDelta]) -> str | None:
    """The language whose breaker keeps the run from writing what passed the gate; None where none does.

    A tenant in shadow holds nothing back: it writes nothing by choice.
    """
    shadowed = [row for row in rows if row.outcome == DeltaOutcome.SHADOWED]
    if not shadowed or run.mode == RunMode.SHADOW:
        return None
    if Tenant.objects.values_list("extraction", flat=True).get(pk=run.tenant_id) != Extraction.ON:
        return None
    return run.language if run.mode == RunMode.TRIAL else shadowed[0].language
