"""What a proposer answers: changes to what is known of a player, each with the words that it rests on.

Source: seed 002, fix 1B. Messages and facts are named by their places in the input, from 1: a proposer sees no id.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from knowledge.facts.core.types import HEARD_TYPES, MAX_KEY_LENGTH, MAX_VALUE_LENGTH, SOFT_TYPES

MAX_DELTAS = 20
"""Of one answer; more is a proposer gone wild."""
MAX_QUOTES = 3
MAX_QUOTE_LENGTH = 500

EXTRACTED_TYPES = HEARD_TYPES
"""What may become a fact. A style is chosen at onboarding, never guessed at."""
PROPOSED_TYPES = (*EXTRACTED_TYPES, *SOFT_TYPES)
"""What a proposer may propose. Of the soft types nothing becomes a fact: they are held for people to see."""


class Operation(StrEnum):
    """What a delta does to what is known."""

    ADD = "ADD"
    UPDATE = "UPDATE"
    REMOVE = "REMOVE"
    CONFIRM = "CONFIRM"


OPERATIONS = tuple(operation.value for operation in Operation)


class Subject(StrEnum):
    """Whom a statement is about."""

    USER = "user"
    OTHER = "other"
    UNKNOWN = "unknown"


class Stance(StrEnum):
    """How the player means what they say."""

    ASSERTS = "asserts"
    DENIES = "denies"
    ASKS = "asks"
    QUOTES = "quotes"
    JOKES = "jokes"


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of one message of the input, copied; `message` is its place, from 1."""

    message: int
    text: str


@dataclass(frozen=True, slots=True)
class Delta:
    """One proposed change. `fact` is the place of a known fact, from 1: of all operations but ADD."""

    operation: Operation
    type: str
    key: str
    value: str
    quotes: tuple[Quote, ...]
    subject: Subject
    stance: Stance
    confidence: float
    fact: int | None = None


DELTA_SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["deltas"],
    "properties": {
        "deltas": {
            "type": "array",
            "maxItems": MAX_DELTAS,
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": [
                    "operation", "fact", "type", "key", "value", "quotes", "subject", "stance", "confidence",
                ],
                "properties": {
                    "operation": {"enum": list(Operation)},
                    "fact": {"type": ["integer", "null"], "minimum": 1},
                    "type": {"enum": list(PROPOSED_TYPES)},
                    "key": {"type": "string", "maxLength": MAX_KEY_LENGTH},
                    "value": {"type": "string", "minLength": 1, "maxLength": MAX_VALUE_LENGTH},
                    "quotes": {
                        "type": "array",
                        "minItems": 1,
                        "maxItems": MAX_QUOTES,
                        "items": {
                            "type": "object",
                            "additionalProperties": False,
                            "required": ["message", "text"],
                            "properties": {
                                "message": {"type": "integer", "minimum": 1},
                                "text": {"type": "string", "minLength": 1, "maxLength": MAX_QUOTE_LENGTH},
                            },
                        },
                    },
                    "subject": {"enum": list(Subject)},
                    "stance": {"enum": list(Stance)},
                    "confidence": {"type": "number", "minimum": 0, "maximum": 1},
                },
            },
        }
    },
}  # fmt: skip
"""JSON Schema of an answer. A server that knows strict schemas is sent it; every answer is checked against it here."""


def parse_deltas(document: dict[str, Any]) -> list[Delta]:
    """The deltas of a document that `DELTA_SCHEMA` allows."""
    return [
        Delta(
            operation=Operation(item["operation"]),
            type=item["type"],
            key=item["key"],
            value=item["value"],
            quotes=tuple(Quote(quote["message"], quote["text"]) for quote in item["quotes"]),
            subject=Subject(item["subject"]),
            stance=Stance(item["stance"]),
            confidence=float(item["confidence"]),
            fact=item["fact"],
        )
        for item in document["deltas"]
    ]
