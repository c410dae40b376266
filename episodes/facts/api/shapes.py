"""What user facts take and answer by REST."""

from __future__ import annotations

from typing import Annotated, NotRequired

from typing_extensions import TypedDict

from episodes.conversations.api.shapes import BCP47
from episodes.errors import UnknownEvidence
from knowledge.errors import (
    FactDoesNotExpire,
    FactEvidenceMissing,
    InstructionRefused,
    InvalidExpiry,
    InvalidFactKey,
    InvalidFactValue,
    SoftFactType,
    UnknownFactType,
)
from knowledge.facts.core.types import GUARANTEED_TYPES, MAX_KEY_LENGTH, MAX_VALUE_LENGTH
from memoryproject.rest.forms import ID, form, text
from memoryproject.rest.pages import NEXT_CURSOR
from memoryproject.rest.typed_dicts import Time, deprecated, member
from tenancy.errors import InvalidUserId

FACT_BODY = form(
    {
        "type": {
            "type": "string",
            "minLength": 1,
            "maxLength": 32,
            "pattern": r"^[a-z_]+$",
            "description": f"One of {', '.join(GUARANTEED_TYPES)}. Soft types are refused by their own code.",
        },
        "value": text(MAX_VALUE_LENGTH, "What is known."),
        "source": {"type": "string", "enum": ["onboarding", "explicit"]},
    },
    {
        "key": text(MAX_KEY_LENGTH, "Which fact of its type. Left out: the type's own key, or the value."),
        "evidence": {
            "type": "array",
            "maxItems": 50,
            "items": ID,
            "description": "Ids of the user's messages that say so. Only onboarding may have none.",
        },
        "language": {"type": "string", "maxLength": 35, "pattern": BCP47},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1, "default": 1},
        "expires_at": {
            "type": "string",
            "format": "date-time",
            "maxLength": 40,
            "description": "Of life events, with offset. Left out: 30 days from now.",
        },
    },
)


class Fact(TypedDict):
    """One version of one fact. Of a deleted or forgotten one, key and value are null."""

    id: Annotated[int, member(31)]
    type: Annotated[str, member("allergy")]
    key: Annotated[str | None, member("nickel")]
    value: Annotated[str | None, member("nickel")]
    confidence: Annotated[float, member(1.0)]
    source: Annotated[str, member("onboarding")]
    language: Annotated[str, member("en")]
    evidence: Annotated[list[int], member([], "The messages that prove it, by id.")]
    evidence_span: Annotated[
        list[int], member([], "The messages right before and after those: they explain it and prove nothing.")
    ]
    valid_from: Annotated[Time, member("2026-03-01T19:12:31Z")]
    valid_to: Annotated[Time | None, member(None)]
    superseded_by: Annotated[int | None, member(None)]
    is_active: Annotated[bool, member(True)]
    is_disputed: Annotated[bool, member(False, "Ask again before it is used.")]
    corrected_message_id: Annotated[int | None, member(None)]
    ended_reason: Annotated[str, member("")]
    expires_at: Annotated[Time | None, member(None)]


class FactList(TypedDict):
    """What is known of a user."""

    data: list[Fact]
    next_cursor: Annotated[str | None, member(None, NEXT_CURSOR)]
    facts: NotRequired[Annotated[list[Fact], deprecated("data")]]


class Evidence(TypedDict):
    """One message that proves or explains a fact."""

    message_id: Annotated[int, member(91)]
    conversation_id: Annotated[int, member(7)]
    seq: Annotated[int, member(13)]
    role: Annotated[str, member("user")]
    sent_at: Annotated[Time, member("2026-03-01T19:12:31Z")]
    excerpt: Annotated[
        str | None, member("I am allergic to nickel.", "Head and tail of long messages; null once forgotten.")
    ]
    is_current: Annotated[bool, member(True, "False once it was edited or swiped away: it proves nothing then.")]


class FactDetail(TypedDict):
    """A fact, what proves and what explains it, and its versions."""

    fact: Fact
    evidence: Annotated[list[Evidence], member(description="What proves it. With the last of these forgotten it ends.")]
    evidence_span: Annotated[list[Evidence], member(description="What stands around that.")]
    history: Annotated[list[Fact], member(description="All versions, newest first.")]


class AppliedFact(TypedDict):
    """What came of a write."""

    outcome: Annotated[str, member("confirmed", choices=("written", "superseded", "confirmed", "restored"))]
    superseded: Annotated[int | None, member(None, "The fact in whose place it came.")]
    fact: Fact


class DeletedFact(TypedDict):
    """What came of a deletion."""

    versions_erased: Annotated[int, member(2)]


POSTED = {"type": "allergy", "value": "nickel", "source": "onboarding"}
WRITE_CODES = (
    SoftFactType,
    UnknownEvidence,
    UnknownFactType,
    InvalidFactValue,
    InstructionRefused,
    InvalidFactKey,
    FactEvidenceMissing,
    FactDoesNotExpire,
    InvalidExpiry,
    InvalidUserId,
)
