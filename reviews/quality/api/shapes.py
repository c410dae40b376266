"""What the quality of extraction looks like by REST."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Literal

from pydantic import BaseModel

from factcheck.extraction.core.statistics import MIN_PARITY_SAMPLE
from memoryproject.rest.typed_dicts import member

Finding = Literal["not_enough_data", "estimated"]


class ErrorRateShape(BaseModel):
    """How often what passed the gate was wrong, with its interval of 95 %."""

    language: Annotated[str, member("all", "`all` for all languages together.")]
    reviewed: Annotated[int, member(214)]
    wrong: Annotated[int, member(3)]
    finding: Annotated[
        Finding, member("estimated", f"Below {MIN_PARITY_SAMPLE} reviews no rate is given: `not_enough_data`.")
    ]
    error_rate: Annotated[float | None, member(0.014, "Weighted by the odds of reviews, corrected for reviewers.")]
    lower: Annotated[float | None, member(0.005)]
    upper: Annotated[float | None, member(0.041)]
    ceiling: Annotated[float | None, member(0.036, "At most so much, at 95 % (one-sided).")]


class BreakerShape(BaseModel):
    """A breaker that ever opened, as it stands now."""

    kind: Annotated[Literal["reviews", "denials"], member("reviews")]
    language: Annotated[str, member("ru", "Empty: all languages.")]
    state: Annotated[Literal["closed", "open", "half_open"], member("closed")]
    reviewed: Annotated[int, member(50)]
    wrong: Annotated[int, member(1)]
    lower: Annotated[float, member(0.004)]
    upper: Annotated[float, member(0.105)]
    rule: Annotated[str, member("trial: at most 2 errors of 50")]
    since: Annotated[dt.datetime, member("2026-03-01T18:31:00Z")]


class LanguageCounts(BaseModel):
    """Proposals of a language on their way to facts."""

    language: Annotated[str, member("en")]
    proposed: Annotated[int, member(640)]
    gated: Annotated[int, member(212, "Passed the gate.")]
    shadowed: Annotated[int, member(0, "Passed in a run that writes nothing.")]
    candidates: Annotated[int, member(61)]
    facts: Annotated[int, member(148)]
    reviewed: Annotated[int, member(40)]


class ParityShape(BaseModel):
    """Whether a language is got wrong more often than English, by Fisher's exact test."""

    language: Annotated[str, member("ar")]
    reviewed: Annotated[int, member(12)]
    wrong: Annotated[int, member(1)]
    english_reviewed: Annotated[int, member(140)]
    english_wrong: Annotated[int, member(2)]
    finding: Annotated[Literal["not_enough_data", "no_difference_found", "different"], member("not_enough_data")]
    difference: Annotated[float | None, member(None)]
    p_value: Annotated[float | None, member(None)]


class MutedConfidence(BaseModel):
    """A confidence that labels proved wrong too often: the gate refuses what is proposed with it."""

    version: Annotated[str, member("gpt-4.1-mini 3", "The model with its prompt version.")]
    confidence_from: Annotated[float, member(0.8, "Lower end of the bucket, a twentieth wide.")]
    reviewed: Annotated[int, member(23)]
    right: Annotated[int, member(18)]


class ExtractionQuality(BaseModel):
    """What is known of how good extraction is, over the last days."""

    days: Annotated[int, member(30)]
    extraction: Annotated[Literal["off", "shadow", "on"], member("on")]
    paused: Annotated[bool, member(False)]
    error_rates: list[ErrorRateShape]
    breakers: list[BreakerShape]
    counts: list[LanguageCounts]
    parity: list[ParityShape]
    muted_confidences: list[MutedConfidence]
    held_runs: Annotated[int, member(0, "Runs of which something is written once a breaker closes.")]
