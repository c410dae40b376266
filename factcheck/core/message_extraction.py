"""What a message was understood to say, before and after it is kept."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import TYPE_CHECKING

from factcheck.instant.core.extracted import ExtractedFact
from knowledge.facts.core.drafts import FactDraft
from knowledge.text.languages import PATTERN_LANGUAGES

if TYPE_CHECKING:
    from knowledge.facts.actions import AppliedFact

OTHER_LANGUAGE = "other"


@dataclass(frozen=True, slots=True)
class Reading:
    """What the text of a message says by itself: facts, and whether it may correct what was said before."""

    facts: tuple[ExtractedFact, ...] = ()
    may_correct: bool = False
    may_answer: bool = False
    """Whether it is short and names something that a question before it may have asked for."""
    answered: str = ""
    """The assistant's message behind which it was read."""
    reads_changes: bool = False
    """Whether fitted layers may say what it does to what is known."""

    @property
    def says_something(self) -> bool:
        """Whether anything is to be looked up or written."""
        return self.needs_claim or bool(self.facts)

    @property
    def needs_claim(self) -> bool:
        """Whether what the assistant said before decides what it means."""
        return self.may_correct or self.may_answer


@dataclass(frozen=True, slots=True)
class AdjacentMessages:
    """The messages around one: the one before, the one after where it is known, and the assistant's last claim."""

    previous_id: int | None = None
    next_id: int | None = None
    claim_id: int | None = None
    claim: str = ""
    is_reply: bool = False
    """Whether the message names the assistant's as the one that it answers."""

    @property
    def answered(self) -> str:
        """The assistant's message right before, or the one replied to; empty where the player speaks on."""
        return self.claim if self.is_reply or self.claim_id == self.previous_id else ""

    @property
    def span(self) -> tuple[int, ...]:
        """The ids of the messages before and after, as far as they are known: they explain and prove nothing."""
        return tuple(pk for pk in (self.previous_id, self.next_id) if pk is not None)

    def draft_fact(self, fact: ExtractedFact, *, said_in: int, said_at: dt.datetime, source: str) -> FactDraft:
        """The fact as it is to be kept: proved by its message, and by the question where it is a bare answer to one."""
        asked = (self.claim_id,) if fact.answers_previous and self.claim_id is not None else ()
        return FactDraft(
            type=fact.type,
            key=fact.key,
            value=fact.value,
            source=source,
            evidence=(*asked, said_in),
            evidence_span=self.span,
            confidence=fact.confidence,
            language=fact.language,
            valid_from=said_at,
            expires_at=fact.expires_at,
            said_in=said_in,
            is_doubtful=fact.is_doubtful,
        )


@dataclass(frozen=True, slots=True)
class FactExtraction:
    """What came of one fact of a message. `fact_id` is None where it was over before it came."""

    fact_id: int | None
    type: str
    key: str
    value: str
    outcome: str
    superseded_id: int | None
    confidence: float
    language: str
    expires_at: dt.datetime | None
    evidence: tuple[int, ...]
    evidence_span: tuple[int, ...]
    quote: str
    is_disputed: bool = False

    @classmethod
    def from_applied(cls, applied: AppliedFact, quote: str) -> FactExtraction:
        """What came of a fact that was handed to the store of facts."""
        row = applied.fact
        is_known = applied.outcome != "outdated"
        return cls(
            fact_id=row.pk if is_known else None,
            type=row.type,
            key=applied.key,
            value=applied.value,
            outcome=applied.outcome,
            superseded_id=applied.superseded_id,
            confidence=row.confidence,
            language=row.language,
            expires_at=row.expires_at if is_known else None,
            evidence=tuple(row.evidence) if is_known else (),
            evidence_span=tuple(row.evidence_span) if is_known else (),
            quote=quote,
            is_disputed=is_known and row.is_disputed,
        )

    @classmethod
    def from_ended(cls, draft: FactDraft, quote: str) -> FactExtraction:
        """What came of a fact that was over before its message came: nothing is kept."""
        return cls(
            fact_id=None,
            type=draft.type,
            key=draft.key or "",
            value=draft.value,
            outcome="outdated",
            superseded_id=None,
            confidence=draft.confidence,
            language=draft.language,
            expires_at=draft.expires_at,
            evidence=(),
            evidence_span=(),
            quote=quote,
        )


@dataclass(frozen=True, slots=True)
class CorrectionExtraction:
    """What came of a correction for one fact, named by type, key and value; `unmatched` is about none."""

    outcome: str
    type: str
    language: str
    quote: str = ""
    fact_id: int | None = None
    fact_type: str = ""
    fact_key: str = ""
    fact_value: str = ""
    corrected_message_id: int | None = None
    receipt_id: str | None = None
    """The receipt of what the player asked to forget; not told again of a repeat."""
    is_forgetting: bool = False
    """Whether the player asked to forget the words of the fact."""
    replacement: FactExtraction | None = None


@dataclass(frozen=True, slots=True)
class MessageExtraction:
    """All that was understood of one message."""

    facts: tuple[FactExtraction, ...] = ()
    corrections: tuple[CorrectionExtraction, ...] = ()


NOTHING_READ = Reading()
EMPTY_EXTRACTION = MessageExtraction()


def label_language(language: str) -> str:
    """The language as a metric's label: one of the seed's, else `other`."""
    return language if language in PATTERN_LANGUAGES else OTHER_LANGUAGE
