"""What the gate says of a delta. Every refusal has its code; codes are stored, counted and answered by REST."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from enum import StrEnum

from factcheck.extraction.core.deltas import Operation


class VerdictCode(StrEnum):
    """In the order in which the gate asks."""

    ACCEPTED = "accepted"
    MALFORMED = "rejected_malformed"
    CANARY = "rejected_canary"
    FACT_UNKNOWN = "rejected_fact_unknown"
    SUBJECT = "rejected_subject"
    STANCE = "rejected_stance"
    LOW_CONFIDENCE = "rejected_low_confidence"
    EVIDENCE_UNKNOWN = "rejected_no_evidence"
    QUOTE_NOT_FOUND = "rejected_no_quote"
    NOT_SAID_BY_USER = "rejected_not_said_by_user"
    FICTION = "rejected_fiction"
    ECHO = "rejected_echo"
    NO_ANCHOR = "rejected_no_anchor"
    VALUE_NOT_SAID = "rejected_value_not_said"
    GUARDED = "rejected_guarded"
    DUPLICATE = "rejected_duplicate"


@dataclass(frozen=True, slots=True)
class EvidenceSpan:
    """Where a quote stands in the raw text of a message: `content[start:end]`. Of an assistant's question that a bare
    answer needs to be understood, too; then `is_question`.
    """

    message_id: int
    start: int
    end: int
    is_question: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the gate says of a delta, and of an accepted one what it comes to.

    `operation` may differ from the proposed one: ADD of a known key is UPDATE or CONFIRM. `is_declared`: the player
    says it outright, in the first person. `expires_at` of events alone, read from the quote by our own reader.
    `is_denied`: of REMOVE, the player takes the fact back in so many words; else it is in doubt at most. What protects
    a person is never ended so: a proposer only disputes it.
    """

    code: VerdictCode
    detail: str = ""
    operation: Operation = Operation.ADD
    type: str = ""
    key: str = ""
    value: str = ""
    confidence: float = 0.0
    evidence: tuple[EvidenceSpan, ...] = ()
    fact_id: int | None = None
    language: str = ""
    is_declared: bool = False
    expires_at: dt.datetime | None = None
    is_denied: bool = False

    @property
    def is_accepted(self) -> bool:
        """Whether it may become a candidate or a fact."""
        return self.code == VerdictCode.ACCEPTED
