"""What comes of holding a claim against canon."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Verdict = Literal["true", "false", "unknown"]
Method = Literal["fields", "retrieval", "model"]


@dataclass(frozen=True, slots=True)
class FieldVerdict:
    """What one field of a subject says to a claim."""

    verdict: Verdict
    field: str
    slug: str
    expected: Any
    reason: str
    strength: int = 0
    """How many of the claim's words name the field: the better named of two fields is the one that is meant."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where canon says so."""

    slug: str
    title: str
    passage_id: int | None
    version: str
    excerpt: str
    field: str | None
    release: int


@dataclass(frozen=True, slots=True)
class AssertionResult:
    """Whether canon bears a claim out; `unknown` wherever it does not plainly say."""

    verdict: Verdict
    method: Method | None
    sources: tuple[Source, ...]
    expected: Any
    """What canon says instead, for a false claim about a structured fact."""
    explanation: str
    release: int
    degraded: tuple[str, ...]
