"""What the quality of extraction looks like by REST."""

from __future__ import annotations

import datetime as dt
from typing import Any, Literal

from pydantic import BaseModel, Field

from factcheck.extraction.core.statistics import MIN_PARITY_SAMPLE

Finding = Literal["not_enough_data", "estimated"]


class ErrorRateShape(BaseModel):
    """How often what passed the gate was wrong, with its interval of 95 %."""

    language: str = Field(description="`all` for all languages together.")
    reviewed: int
    wrong: int
    finding: Finding = Field(description=f"Below {MIN_PARITY_SAMPLE} reviews no rate is given: `not_enough_data`.")
    error_rate: float | None = Field(description="Weighted by the odds of reviews, corrected for reviewers.")
    lower: float | None
    upper: float | None
    ceiling: float | None = Field(description="At most so much, at 95 % (one-sided).")


class BreakerShape(BaseModel):
    """A breaker that ever opened, as it stands now."""

    kind: Literal["reviews", "denials"]
    language: str = Field(description="Empty: all languages.")
    state: Literal["closed", "open", "half_open"]
    reviewed: int
    wrong: int
    lower: float
    upper: float
    rule: str
    since: dt.datetime


class LanguageCounts(BaseModel):
    """Proposals of a language on their way to facts."""

    language: str
    proposed: int
    gated: int = Field(description="Passed the gate.")
    shadowed: int = Field(description="Passed in a run that writes nothing.")
    candidates: int
    facts: int
    reviewed: int


class ParityShape(BaseModel):
    """Whether a language is got wrong more often than English, by Fisher's exact test."""

    language: str
    reviewed: int
    wrong: int
    english_reviewed: int
    english_wrong: int
    finding: Literal["not_enough_data", "no_difference_found", "different"]
    difference: float | None
    p_value: float | None


class MutedConfidence(BaseModel):
    """A confidence that labels proved wrong too often: the gate refuses what is proposed with it."""

    version: str = Field(description="The model with its prompt version.")
    confidence_from: float = Field(description="Lower end of the bucket, a twentieth wide.")
    reviewed: int
    right: int


class ExtractionQuality(BaseModel):
    """What is known of how good extraction is, over the last days."""

    days: int
    extraction: Literal["off", "shadow", "on"]
    paused: bool
    error_rates: list[ErrorRateShape]
    breakers: list[BreakerShape]
    counts: list[LanguageCounts]
    parity: list[ParityShape]
    muted_confidences: list[MutedConfidence]
    held_runs: int = Field(description="Runs of which something is written once a breaker closes.")


EXAMPLE: dict[str, Any] = {
    "days": 30,
    "extraction": "on",
    "paused": False,
    "error_rates": [
        {
            "language": "all",
            "reviewed": 214,
            "wrong": 3,
            "finding": "estimated",
            "error_rate": 0.014,
            "lower": 0.005,
            "upper": 0.041,
            "ceiling": 0.036,
        },
        {
            "language": "ar",
            "reviewed": 12,
            "wrong": 1,
            "finding": "not_enough_data",
            "error_rate": None,
            "lower": None,
            "upper": None,
            "ceiling": None,
        },
    ],
    "breakers": [
        {
            "kind": "reviews",
            "language": "ru",
            "state": "closed",
            "reviewed": 50,
            "wrong": 1,
            "lower": 0.004,
            "upper": 0.105,
            "rule": "trial: at most 2 errors of 50",
            "since": "2026-03-01T18:31:00Z",
        }
    ],
    "counts": [
        {
            "language": "en",
            "proposed": 640,
            "gated": 212,
            "shadowed": 0,
            "candidates": 61,
            "facts": 148,
            "reviewed": 40,
        }
    ],
    "parity": [
        {
            "language": "ar",
            "reviewed": 12,
            "wrong": 1,
            "english_reviewed": 140,
            "english_wrong": 2,
            "finding": "not_enough_data",
            "difference": None,
            "p_value": None,
        }
    ],
    "muted_confidences": [
        {"version": "gpt-4.1-mini 3", "confidence_from": 0.8, "reviewed": 23, "right": 18},
    ],
    "held_runs": 0,
}
