"""Rows of patterns, guards and corrections as they are written, before anything is compiled."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from factcheck.instant.core.guards import Where

CORRECTION_KINDS = ("denied", "not_value", "outdated", "other_subject", "ambiguous", "no", "yes")
SEMANTIC = "semantic"
"""In the place of a pattern set: what was heard by the meaning of its sentence and not by a pattern."""
SEMANTIC_CONFIDENCE = 0.85
MAX_PATTERN_LENGTH = 4_000


class PatternInvalid(ValueError):
    """The expression cannot be compiled, or breaks a rule for patterns; `name` says which one."""

    def __init__(self, name: str, detail: str) -> None:
        super().__init__(f"{name}: {detail}")
        self.name = name
        self.detail = detail


@dataclass(frozen=True, slots=True)
class InstantPattern:
    """A row: what to look for, and what a hit means."""

    name: str
    type: str
    language: str
    pattern: str
    key_rule: str
    key: str = ""
    anchors: str = ""
    anti_anchors: str = ""
    skips: tuple[str, ...] = ()
    closed: bool = False
    confidence: float = 0.95
    priority: int = 100
    pack: str = ""
    rollout_percent: int = 100


ANSWERS = "answers"
"""What the pattern of a fact begins with that an answer gave."""
HAPPENED = ".happened_"
"""In the names of patterns of what has just happened: "my mom died". Few lines that layers learnt from say so plainly,
and a day beside it is over, and none to come.
"""


def make_answer_row(fact_type: str) -> InstantPattern:
    """The row by which facts of a type are told that no pattern, but a question of the assistant makes heard."""
    return InstantPattern(f"answer.{fact_type}", fact_type, "mixed", "", "phrase", pack=ANSWERS)


@dataclass(frozen=True, slots=True)
class Guard:
    """A reason not to believe a hit: an expression that must not occur before, after or anywhere near it."""

    name: str
    where: Where
    pattern: str
    types: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CorrectionPattern:
    """An expression by which people correct, confirm or doubt what they were told about themselves."""

    name: str
    kind: str
    language: str
    pattern: str


@dataclass(frozen=True, slots=True)
class Anchor:
    """Words that state a relation of a fact type; the gate wants them beside the value of what a model proposes."""

    name: str
    type: str
    language: str
    pattern: str
    pack: str = ""


@dataclass(frozen=True, slots=True)
class PatternSet:
    """One file of patterns, guards, corrections, anchors and the words that they share."""

    name: str
    patterns: tuple[InstantPattern, ...] = ()
    guards: tuple[Guard, ...] = ()
    corrections: tuple[CorrectionPattern, ...] = ()
    macros: Mapping[str, str] = field(default_factory=dict)
    version: int = 1
    description: str = ""
    anchors: tuple[Anchor, ...] = ()


def takes_part(row: InstantPattern, user_key: str) -> bool:
    """Whether a row's rollout share includes a user; the same user always gets the same answer."""
    if row.rollout_percent >= 100:
        return True
    digest = hashlib.sha256(f"{row.pack}/{row.name}/{user_key}".encode()).digest()
    return int.from_bytes(digest[:4], "big") % 100 < row.rollout_percent
