"""Inputs of the gate for tests: messages, facts and deltas in few words."""

from __future__ import annotations

import datetime as dt
from functools import lru_cache

from factcheck.extraction.core.deltas import Delta, Operation, Quote, Stance, Subject
from factcheck.extraction.core.gate import GateRules
from factcheck.extraction.core.given import Given, GivenFact, GivenMessage
from factcheck.instant.core.pattern_sets import load_shipped

SAID_AT = dt.datetime(2026, 3, 4, 12, tzinfo=dt.UTC)


@lru_cache(maxsize=1)
def shipped_rules() -> GateRules:
    """Rules of the shipped packs."""
    patterns, concepts = load_shipped()
    return GateRules(patterns, concepts)


def talk(*said: str, facts: tuple[GivenFact, ...] = (), **fields: object) -> Given:
    """Messages in turn; what begins with "A: " is the assistant's. Ids are 100 and up."""
    messages = []
    for index, text in enumerate(said):
        role, content = ("assistant", text[3:]) if text.startswith("A: ") else ("user", text)
        values = {"frame": "unknown", "language": "en", "said_at": SAID_AT} | fields
        messages.append(GivenMessage(100 + index, 7, index + 1, role, content, **values))  # type: ignore[arg-type]
    return Given(tuple(messages), facts)


def fact(type_: str, key: str, value: str = "", **fields: object) -> GivenFact:
    """A known fact."""
    values = {"id": 500, "source": "batch", "confidence": 0.9, "said_at": SAID_AT} | fields
    return GivenFact(type=type_, key=key, value=value or key, **values)  # type: ignore[arg-type]


def delta(type_: str, key: str, value: str, *quotes: tuple[int, str], **fields: object) -> Delta:
    """An ADD that asserts something of the user at .9, unless the fields say otherwise."""
    values = {
        "operation": Operation.ADD, "subject": Subject.USER, "stance": Stance.ASSERTS, "confidence": 0.9,
    } | fields  # fmt: skip
    return Delta(type=type_, key=key, value=value, quotes=tuple(Quote(*quote) for quote in quotes), **values)  # type: ignore[arg-type]
