"""Gold items: how a line of their file reads, how often they come, and what they say of a reviewer."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from reviews.labelling.core.verdicts import DELTA_KEYS, ERRORS, RUN_KEYS, LabelVerdict

MIN_GAP, MAX_GAP = 10, 16
"""Labels between two gold items, so that 6 to 9 in a hundred are gold; which ones, nobody can tell."""
MAX_EXPOSURES = 3
"""A reviewer who sees an item more often knows it by heart."""
FRESH_DAYS = 30
REST_DAYS = 120
"""After which a reviewer may meet an item again that they met before."""
MIN_JUDGED = 5
"""Gold items of each sort below which nothing is said of a reviewer."""
MIN_WEIGHT = 0.1
"""Nobody is left out by a figure: a person talks to them instead."""
RIGHT_VERDICTS: Final = frozenset({LabelVerdict.CORRECT, LabelVerdict.NOTHING_MISSED})


class InvalidGoldLine(ValueError):
    """A line of a gold file is not well formed; the message says what is wrong."""


@dataclass(frozen=True, slots=True)
class GoldLine:
    """One item of a gold file."""

    slug: str
    language: str
    kind: str
    verdict: str
    reason: str
    content: dict[str, Any]

    @property
    def is_planted(self) -> bool:
        """Whether an error is planted."""
        return self.verdict not in RIGHT_VERDICTS


@dataclass(frozen=True, slots=True)
class GoldScore:
    """How a reviewer did on gold: planted errors that they found, and right items that they let stand."""

    planted: int
    found: int
    right: int
    let_stand: int

    @property
    def sensitivity(self) -> float | None:
        """The share of planted errors that were called errors."""
        return self.found / self.planted if self.planted else None

    @property
    def specificity(self) -> float | None:
        """The share of right items that were not."""
        return self.let_stand / self.right if self.right else None

    @property
    def weight(self) -> float:
        """How far the reviewer's labels count: Youden's index, shrunk by one hit and one miss; 1 while little is known.

        >>> GoldScore(planted=8, found=8, right=8, let_stand=8).weight
        0.8
        """
        if min(self.planted, self.right) < MIN_JUDGED:
            return 1.0
        sensitivity = (self.found + 1) / (self.planted + 2)
        specificity = (self.let_stand + 1) / (self.right + 2)
        return round(max(sensitivity + specificity - 1, MIN_WEIGHT), 3)


def score_gold(judged: Iterable[tuple[bool, str]]) -> GoldScore:
    """The score of (is planted, verdict given). `cannot_tell` finds no error and lets nothing stand that is right."""
    planted = found = right = let_stand = 0
    for is_planted, verdict in judged:
        if is_planted:
            planted += 1
            found += verdict in ERRORS or verdict == LabelVerdict.MISSED
        else:
            right += 1
            let_stand += verdict in RIGHT_VERDICTS
    return GoldScore(planted, found, right, let_stand)


def choose_gap(seed: str) -> int:
    """How many labels come before the next gold item: the same for the same seed, from MIN_GAP to MAX_GAP."""
    digest = hashlib.sha256(seed.encode()).digest()
    return MIN_GAP + int.from_bytes(digest[:8]) % (MAX_GAP - MIN_GAP + 1)


def parse_gold_line(row: Any) -> GoldLine:
    """The item of a line. Raises InvalidGoldLine."""
    if not isinstance(row, dict):
        raise InvalidGoldLine("A line is a JSON object.")
    slug, language, verdict, reason = (_read_text(row, name) for name in ("id", "language", "verdict", "reason"))
    messages = row.get("messages")
    if not isinstance(messages, list) or not messages:
        raise InvalidGoldLine(f"{slug}: `messages` is a list that is not empty.")
    for each in messages:
        if each.get("role") not in ("user", "assistant") or not each.get("text"):
            raise InvalidGoldLine(f"{slug}: a message has a `role`, user or assistant, and a `text`.")
    proposal = row.get("proposal")
    kind = "delta" if proposal else "run"
    allowed = set((DELTA_KEYS if proposal else RUN_KEYS).values()) - {LabelVerdict.CANNOT_TELL}
    if verdict not in allowed:
        raise InvalidGoldLine(f"{slug}: the verdict {verdict} is not one of {', '.join(sorted(allowed))}.")
    if proposal:
        _check_proposal(slug, proposal, messages)
    content = {"messages": messages, "facts": row.get("facts", []), "proposal": proposal}
    return GoldLine(slug, language, kind, verdict, reason, content)


def _check_proposal(slug: str, proposal: dict[str, Any], messages: list[dict[str, Any]]) -> None:
    for name in ("operation", "type", "key", "value", "quote"):
        if not isinstance(proposal.get(name), str) or not proposal[name]:
            raise InvalidGoldLine(f"{slug}: the proposal has no `{name}`.")
    place = proposal.get("message")
    if not isinstance(place, int) or not 1 <= place <= len(messages):
        raise InvalidGoldLine(f"{slug}: `message` is the place of the quoted message, from 1.")
    if proposal["quote"] not in messages[place - 1]["text"]:
        raise InvalidGoldLine(f"{slug}: the quote does not stand in message {place}.")


def _read_text(row: dict[str, Any], name: str) -> str:
    value = row.get(name)
    if not isinstance(value, str) or not value:
        raise InvalidGoldLine(f"A line has no `{name}`: {str(row)[:80]}")
    return value
