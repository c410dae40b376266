"""What the REST interface of the second stage takes and answers."""

from __future__ import annotations

import datetime as dt
from typing import Any, Literal

from pydantic import BaseModel, Field

from factcheck.extraction.models import CandidateState, RunState

RunStateName = Literal["claimed", "answered", "applied", "failed"]
CandidateStateName = Literal["open", "held", "promoted", "rejected", "expired", "contradicted", "blocked"]
RUN_STATES = tuple(RunState.values)
CANDIDATE_STATES = tuple(CandidateState.values)


class ExtractionRunShape(BaseModel):
    """One call of a proposer for some of a player's messages. The counts of messages add up to `messages`."""

    run_id: int
    user_id: str
    state: RunStateName
    mode: Literal["shadow", "on", "trial"] = Field(description="`shadow` and `trial` write nothing.")
    triggered_by: Literal["session_closed", "pending_15", "cron", "manual", "trial_passed"]
    proposer: str
    model: str
    prompt_version: str
    language: str
    messages: int
    extracted: int
    nothing: int
    rejected: int
    failed: int
    deltas: int
    deltas_applied: int
    input_tokens: int | None
    output_tokens: int | None
    cost_usd: float | None
    duration_ms: int | None
    error_code: str
    created_at: dt.datetime
    finished_at: dt.datetime | None
    reverted_at: dt.datetime | None
    held_for: str | None = Field(
        description="The language whose breaker holds back what passed the gate; empty for all, null where none does."
    )
    follows_id: int | None = Field(description="The run that was held back and whose proposals this one writes.")


class ExtractionRunList(BaseModel):
    """Runs, newest first; `next_cursor` is null at the end."""

    data: list[ExtractionRunShape]
    next_cursor: int | None


class DeltaQuote(BaseModel):
    """Words that a delta rests on."""

    message_id: int | None
    text: str


class ExtractionDeltaShape(BaseModel):
    """One proposed change, the gate's verdict and what came of it. Words that were forgotten are null."""

    position: int
    operation: Literal["ADD", "UPDATE", "REMOVE", "CONFIRM"]
    type: str
    key: str | None
    value: str | None
    quotes: list[DeltaQuote]
    subject: str
    stance: str
    confidence: float
    verdict: str = Field(description="`accepted`, or `rejected_…` with the rule that refused it.")
    detail: str
    outcome: str
    fact_id: int | None
    candidate_id: int | None


class MessageOutcomeShape(BaseModel):
    """What became of one message of the player."""

    message_id: int
    state: Literal["waiting", "off", "not_read", "extracted", "nothing", "rejected", "failed"]
    code: str = Field(
        description="Why it was rejected, or failed. Of `extracted`, why it is not written: `held` until a breaker "
        "closes, read in `shadow`, or `not_written` after a trial, which reviewers found wrong or shadow ended."
    )
    run_id: int | None


class ReadMessageShape(BaseModel):
    """A message as it was said, and what became of it. `content` is null once it is forgotten."""

    message_id: int
    user_id: str
    conversation_id: int
    seq: int
    role: str
    content: str | None
    language: str
    sent_at: dt.datetime
    is_current: bool = Field(description="Whether it is the alternative of its place that is read.")
    forgotten_at: dt.datetime | None
    extraction: MessageOutcomeShape | None = Field(description="Null where nothing reads it any more.")


class ExtractionRunDetail(ExtractionRunShape):
    """A run with its deltas and its messages."""

    delta_list: list[ExtractionDeltaShape]
    message_list: list[MessageOutcomeShape]


class QueuedExtraction(BaseModel):
    """A run is on its way; `waiting` messages of the player are worked off."""

    user_id: str
    waiting: int


class RevertedRun(BaseModel):
    """What undoing a run did. `kept` are facts that people decided on, or that were stated again since."""

    run: ExtractionRunShape
    ended: list[int]
    restored: list[int]
    kept: list[int]
    settled: list[int] = Field(description="Facts that only this run had put in doubt, and that are so no more.")


class DryDeltaShape(BaseModel):
    """What would be proposed, and what would come of it."""

    operation: Literal["ADD", "UPDATE", "REMOVE", "CONFIRM"]
    type: str
    key: str
    value: str
    quotes: list[DeltaQuote]
    subject: str
    stance: str
    confidence: float
    verdict: str
    detail: str
    would_be: Literal["fact", "candidate", "nothing"]


class DryExtraction(BaseModel):
    """What a run over a player's last messages would propose. Nothing was written."""

    proposer: str
    model: str
    prompt_version: str
    messages: int
    input_tokens: int | None
    output_tokens: int | None
    cost_usd: float | None
    deltas: list[DryDeltaShape]


class FactCandidateShape(BaseModel):
    """A fact that waits for more evidence. Of a blocked one the words are gone."""

    candidate_id: int
    type: str
    key: str
    value: str
    state: CandidateStateName
    confidence: float
    language: str
    evidence: list[int]
    independent: int = Field(description="Messages that count: two make a fact.")
    fact_id: int | None
    first_said_at: dt.datetime
    last_said_at: dt.datetime


class FactCandidateList(BaseModel):
    """A player's candidates, newest first; `next_cursor` is null at the end."""

    data: list[FactCandidateShape]
    next_cursor: int | None


REASON_BODY: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["reason"],
    "properties": {"reason": {"type": "string", "minLength": 1, "maxLength": 500, "pattern": r"\S"}},
}
DRY_RUN_BODY: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "properties": {"messages": {"type": "integer", "minimum": 1, "maximum": 120}},
}
