"""A fact as it is proposed, and why one can't be kept."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace

from knowledge.errors import (
    FactDoesNotExpire,
    FactEvidenceMissing,
    InstructionRefused,
    InvalidConfidence,
    InvalidFact,
    InvalidFactKey,
    InvalidFactValue,
    SoftFactType,
    UnknownFactType,
)
from knowledge.facts.core.instructions import widens_powers
from knowledge.facts.core.types import (
    FACT_TYPES,
    MAX_KEY_LENGTH,
    MAX_VALUE_LENGTH,
    SOFT_TYPES,
    WISH_TYPES,
    canonical_key,
)


@dataclass(frozen=True, slots=True)
class FactDraft:
    """What is to be known. `key` None takes the type's own key, or the value; `valid_from` None is now.

    `evidence` proves it, `evidence_span` holds the messages around that.

    `valid_from` is when it was said, too. `said_in` is the one message among the evidence that says it.
    """

    type: str
    value: str
    source: str
    key: str | None = None
    evidence: tuple[int, ...] = ()
    evidence_span: tuple[int, ...] = ()
    confidence: float = 0.95
    language: str = ""
    valid_from: dt.datetime | None = None
    expires_at: dt.datetime | None = None
    said_in: int | None = None
    stated_in: tuple[int, ...] = ()
    """Of a fact without a message: the worlds that state it; 0 for the whole tenant."""
    is_doubtful: bool = False
    """Whether it is kept as disputed, so that the player is asked; of what is known already it only adds proof."""


@dataclass(frozen=True, slots=True)
class FactFlaw:
    """Why a fact can't be kept."""

    error: type[InvalidFact | SoftFactType]
    detail: str


def validate_fact_draft(draft: FactDraft) -> FactFlaw | None:
    """The first reason not to keep a fact, or None."""
    if draft.type in SOFT_TYPES:
        return FactFlaw(SoftFactType, f"Facts of the type {draft.type!r} are guesses and are never kept.")
    fact_type = FACT_TYPES.get(draft.type)
    if fact_type is None:
        return FactFlaw(UnknownFactType, f"There is no fact type {draft.type!r}.")
    value = draft.value.strip()
    if not value or len(value) > MAX_VALUE_LENGTH or not value.isprintable():
        return FactFlaw(InvalidFactValue, f"A value has 1 to {MAX_VALUE_LENGTH} printable characters.")
    if draft.type in WISH_TYPES and len(value) > fact_type.max_length:
        return FactFlaw(InvalidFactValue, f"An instruction has at most {fact_type.max_length} characters.")
    if draft.type in WISH_TYPES and widens_powers(value):
        return FactFlaw(InstructionRefused, "An instruction can only say how to speak to the player.")
    if not 1 <= len(complete(draft, now=dt.datetime.now(dt.UTC)).key or "") <= MAX_KEY_LENGTH:
        return FactFlaw(InvalidFactKey, f"A key has 1 to {MAX_KEY_LENGTH} letters and digits.")
    if not 0 <= draft.confidence <= 1:
        return FactFlaw(InvalidConfidence, "Confidence lies between 0 and 1.")
    if not draft.evidence and draft.source != "onboarding":
        return FactFlaw(FactEvidenceMissing, "A fact needs the messages that it rests on; only onboarding has none.")
    if draft.expires_at is not None and fact_type.ttl_days is None:
        return FactFlaw(FactDoesNotExpire, "Only life events expire.")
    return None


def complete(draft: FactDraft, *, now: dt.datetime) -> FactDraft:
    """The draft with key, times and evidence in their one form."""
    fact_type = FACT_TYPES.get(draft.type)  # none of a taste or a mood, which is held as a candidate
    default_key = fact_type.default_key if fact_type else ""
    key = draft.key if draft.key is not None else default_key or draft.value
    valid_from = min(draft.valid_from or now, now)
    expires_at = draft.expires_at
    if fact_type is not None and fact_type.ttl_days is not None and expires_at is None:
        expires_at = valid_from + dt.timedelta(days=fact_type.ttl_days)
    return replace(
        draft,
        key=canonical_key(key),
        value=draft.value.strip(),
        evidence=tuple(sorted(set(draft.evidence))),
        evidence_span=tuple(sorted(set(draft.evidence_span) - set(draft.evidence))),
        valid_from=valid_from,
        expires_at=expires_at,
    )
