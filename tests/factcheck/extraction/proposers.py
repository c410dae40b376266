"""Proposers for tests: one that answers what a test wrote, and one that fails."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from factcheck.extraction.core.deltas import parse_deltas
from factcheck.extraction.core.given import Given
from factcheck.extraction.proposers.base import Paid, Proposal, ProposerError

Answer = Sequence[dict[str, Any]]


def make_delta(value: str, *quotes: tuple[int, str], **more: Any) -> dict[str, Any]:
    """A delta in JSON: of an allergy to a value that the player states, unless told otherwise."""
    return {
        "operation": "ADD", "fact": None, "type": "allergy", "key": value, "value": value, "subject": "user",
        "stance": "asserts", "confidence": 0.95, "quotes": [{"message": place, "text": text} for place, text in quotes],
        **more,
    }  # fmt: skip


@dataclass
class FixedProposer:
    """Answers what it was made with, or what a function makes of the input; keeps what it was asked."""

    answer: Answer | Callable[[Given], Answer] = ()
    prompt_version: str = "test-1"
    name: str = "openai"
    model: str = "fixed"
    asked: list[Given] = field(default_factory=list)

    def propose(self, given: Given, *, language: str, timeout_seconds: float) -> Proposal:
        """The answer, at the price of a hundred tokens."""
        self.asked.append(given)
        deltas = list(self.answer(given) if callable(self.answer) else self.answer)
        document = {"deltas": deltas}
        return Proposal(tuple(parse_deltas(document)), json.dumps(document), 100, 10, 0.01, calls=1)

    def describe(self) -> str:
        """For people."""
        return "A fixed answer."


class BrokenProposer(FixedProposer):
    """Fails each time, after it was paid."""

    code = "model_unavailable"

    def propose(self, given: Given, *, language: str, timeout_seconds: float) -> Proposal:
        """Nothing."""
        self.asked.append(given)
        raise ProposerError("It does not answer.", code=self.code, paid=Paid(1, 50, 0, 0.005))
