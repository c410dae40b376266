"""What the REST interface of the second stage takes and answers."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Any, Literal

from pydantic import BaseModel

from factcheck.extraction.models import CandidateState, RunState
from memoryproject.rest.forms import form
from memoryproject.rest.typed_dicts import member

RunStateName = Literal["claimed", "answered", "applied", "failed"]
CandidateStateName = Literal["open", "held", "promoted", "rejected", "expired", "contradicted", "blocked"]
RUN_STATES = tuple(RunState.values)
CANDIDATE_STATES = tuple(CandidateState.values)


class ExtractionRunShape(BaseModel):
    """One call of a proposer for some of a player's messages. The counts of messages add up to `messages`."""

    run_id: Annotated[int, member(7)]
    user_id: Annotated[str, member("player-1")]
    state: Annotated[RunStateName, member("applied")]
    mode: Annotated[Literal["shadow", "on", "trial"], member("on", "`shadow` and `trial` write nothing.")]
    triggered_by: Annotated[
        Literal["session_closed", "pending_15", "cron", "manual", "trial_passed"], member("session_closed")
    ]
    proposer: Annotated[str, member("openai")]
    model: Annotated[str, member("gpt-4.1-mini")]
    prompt_version: Annotated[str, member("3")]
    language: Annotated[str, member("en")]
    messages: Annotated[int, member(14)]
    extracted: Annotated[int, member(1)]
    nothing: Annotated[int, member(12)]
    rejected: Annotated[int, member(1)]
    failed: Annotated[int, member(0)]
    deltas: Annotated[int, member(2)]
    deltas_applied: Annotated[int, member(1)]
    input_tokens: Annotated[int | None, member(2150)]
    output_tokens: Annotated[int | None, member(180)]
    cost_usd: Annotated[float | None, member(0.0011)]
    duration_ms: Annotated[int | None, member(1840)]
    error_code: Annotated[str, member("")]
    created_at: Annotated[dt.datetime, member("2026-03-01T18:31:00Z")]
    finished_at: Annotated[dt.datetime | None, member("2026-03-01T18:31:02Z")]
    reverted_at: Annotated[dt.datetime | None, member(None)]
    held_for: Annotated[
        str | None,
        member(
            None, "The language whose breaker holds back what passed the gate; empty for all, null where none does."
        ),
    ]
    follows_id: Annotated[int | None, member(None, "The run that was held back and whose proposals this one writes.")]


class ExtractionRunList(BaseModel):
    """Runs, newest first; `next_cursor` is null at the end."""

    data: list[ExtractionRunShape]
    next_cursor: Annotated[int | None, member(None)]


class DeltaQuote(BaseModel):
    """Words that a delta rests on."""

    message_id: Annotated[int | None, member(91)]
    text: Annotated[str, member("sesame is what closes my throat, remember")]


class ExtractionDeltaShape(BaseModel):
    """One proposed change, the gate's verdict and what came of it. Words that were forgotten are null."""

    position: Annotated[int, member(1)]
    operation: Annotated[Literal["ADD", "UPDATE", "REMOVE", "CONFIRM"], member("ADD")]
    type: Annotated[str, member("allergy")]
    key: Annotated[str | None, member("sesame")]
    value: Annotated[str | None, member("sesame")]
    quotes: list[DeltaQuote]
    subject: Annotated[str, member("user")]
    stance: Annotated[str, member("asserts")]
    confidence: Annotated[float, member(0.93)]
    verdict: Annotated[str, member("accepted", "`accepted`, or `rejected_…` with the rule that refused it.")]
    detail: Annotated[str, member("")]
    outcome: Annotated[str, member("written")]
    fact_id: Annotated[int | None, member(31)]
    candidate_id: Annotated[int | None, member(None)]


class MessageOutcomeShape(BaseModel):
    """What became of one message of the player."""

    message_id: Annotated[int, member(91)]
    state: Annotated[
        Literal["waiting", "off", "not_read", "extracted", "nothing", "rejected", "failed"], member("extracted")
    ]
    code: Annotated[
        str,
        member(
            "",
            "Why it was rejected, or failed. Of `extracted`, why it is not written: `held` until a "
            "breaker closes, read in `shadow`, or `not_written` after a trial, which reviewers found "
            "wrong or shadow ended.",
        ),
    ]
    run_id: Annotated[int | None, member(7)]


class ReadMessageShape(BaseModel):
    """A message as it was said, and what became of it. `content` is null once it is forgotten."""

    message_id: Annotated[int, member(91)]
    user_id: Annotated[str, member("player-1")]
    conversation_id: Annotated[int, member(7)]
    seq: Annotated[int, member(13)]
    role: Annotated[str, member("user")]
    content: Annotated[str | None, member("I am allergic to nickel.")]
    language: Annotated[str, member("en")]
    sent_at: Annotated[dt.datetime, member("2026-03-01T19:12:31Z")]
    is_current: Annotated[bool, member(True, "Whether it is the alternative of its place that is read.")]
    forgotten_at: Annotated[dt.datetime | None, member(None)]
    extraction: Annotated[MessageOutcomeShape | None, member(description="Null where nothing reads it any more.")]


class ExtractionRunDetail(ExtractionRunShape):
    """A run with its deltas and its messages."""

    delta_list: list[ExtractionDeltaShape]
    message_list: list[MessageOutcomeShape]


class QueuedExtraction(BaseModel):
    """A run is on its way; `waiting` messages of the player are worked off."""

    user_id: Annotated[str, member("player-1")]
    waiting: Annotated[int, member(14)]


class RevertedRun(BaseModel):
    """What undoing a run did. `kept` are facts that people decided on, or that were stated again since."""

    run: ExtractionRunShape
    ended: Annotated[list[int], member([31])]
    restored: Annotated[list[int], member([])]
    kept: Annotated[list[int], member([])]
    settled: Annotated[list[int], member([], "Facts that only this run had put in doubt, and that are so no more.")]


class DryDeltaShape(BaseModel):
    """What would be proposed, and what would come of it."""

    operation: Annotated[Literal["ADD", "UPDATE", "REMOVE", "CONFIRM"], member("ADD")]
    type: Annotated[str, member("allergy")]
    key: Annotated[str, member("sesame")]
    value: Annotated[str, member("sesame")]
    quotes: list[DeltaQuote]
    subject: Annotated[str, member("user")]
    stance: Annotated[str, member("asserts")]
    confidence: Annotated[float, member(0.93)]
    verdict: Annotated[str, member("accepted")]
    detail: Annotated[str, member("")]
    would_be: Annotated[Literal["fact", "candidate", "nothing"], member("fact")]


class DryExtraction(BaseModel):
    """What a run over a player's last messages would propose. Nothing was written."""

    proposer: Annotated[str, member("openai")]
    model: Annotated[str, member("gpt-4.1-mini")]
    prompt_version: Annotated[str, member("3")]
    messages: Annotated[int, member(30)]
    input_tokens: Annotated[int | None, member(2150)]
    output_tokens: Annotated[int | None, member(180)]
    cost_usd: Annotated[float | None, member(0.0011)]
    deltas: list[DryDeltaShape]


class FactCandidateShape(BaseModel):
    """A fact that waits for more evidence. Of a blocked one the words are gone."""

    candidate_id: Annotated[int, member(5)]
    type: Annotated[str, member("life_event")]
    key: Annotated[str, member("wedding")]
    value: Annotated[str, member("wedding")]
    state: Annotated[CandidateStateName, member("open")]
    confidence: Annotated[float, member(0.86)]
    language: Annotated[str, member("en")]
    evidence: Annotated[list[int], member([88])]
    independent: Annotated[int, member(1, "Messages that count: two make a fact.")]
    fact_id: Annotated[int | None, member(None)]
    first_said_at: Annotated[dt.datetime, member("2026-03-01T18:02:00Z")]
    last_said_at: Annotated[dt.datetime, member("2026-03-01T18:02:00Z")]


class FactCandidateList(BaseModel):
    """A player's candidates, newest first; `next_cursor` is null at the end."""

    data: list[FactCandidateShape]
    next_cursor: Annotated[int | None, member(None)]


REASON_BODY: dict[str, Any] = form({"reason": {"type": "string", "minLength": 1, "maxLength": 500, "pattern": r"\S"}})
DRY_RUN_BODY: dict[str, Any] = form({}, {"messages": {"type": "integer", "minimum": 1, "maximum": 120}})
