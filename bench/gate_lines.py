"""Realistic lines with what a proposer would plausibly make of them, and what the gate has to say."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from factcheck.extraction.core.deltas import Delta, Operation, Quote, Stance, Subject
from factcheck.extraction.core.given import Given, GivenMessage
from factcheck.extraction.core.verdicts import Verdict, VerdictCode

FILE = Path(__file__).resolve().parents[1] / "qa" / "extraction" / "gate.jsonl"
SAID_AT = dt.datetime(2026, 3, 4, 12, tzinfo=dt.UTC)
CODES = {
    "subject": {VerdictCode.SUBJECT},
    "meant": {VerdictCode.GUARDED, VerdictCode.STANCE},
    "fiction": {VerdictCode.FICTION},
    "speaker": {VerdictCode.NOT_SAID_BY_USER, VerdictCode.FICTION},
    "unsaid": {VerdictCode.NO_ANCHOR, VerdictCode.VALUE_NOT_SAID},
}
"""What a class of expected refusals covers; `any`: whatever the code."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the file."""

    id: str
    part: str
    language: str
    why: str
    expected: str
    given: Given
    delta: Delta

    def is_right(self, verdict: Verdict) -> bool:
        """Whether it is accepted or refused as it has to be."""
        return verdict.is_accepted == (self.expected == "accepted")

    def is_code_right(self, verdict: Verdict) -> bool:
        """Whether the refusal gives the reason, too."""
        return self.is_right(verdict) and (self.expected in ("accepted", "any") or verdict.code in CODES[self.expected])


def read_lines(part: str = "") -> list[Line]:
    """The lines of a part (`seen`, `apart`), or all."""
    rows = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines() if line]
    return [_make(row) for row in rows if not part or row["part"] == part]


def _make(row: Mapping[str, Any]) -> Line:
    messages = []
    if row.get("previous"):
        messages.append(GivenMessage(10, 1, 1, "assistant", row["previous"], "unknown", row["language"], SAID_AT))
    place = len(messages) + 1
    messages.append(
        GivenMessage(11, 1, place, "user", row["text"], row.get("frame", "unknown"), row["language"], SAID_AT)
    )
    delta = Delta(
        operation=Operation.ADD,
        type=row["type"],
        key=row["key"],
        value=row["value"],
        quotes=(Quote(place, row.get("quote", row["text"])),),
        subject=Subject.USER,
        stance=Stance.ASSERTS,
        confidence=0.9,
    )
    return Line(row["id"], row["part"], row["language"], row["why"], row["expected"], Given(tuple(messages)), delta)
