"""What labels of one message come to: a line of which all facts are known, or none at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from reviews.labelling.core.verdicts import LabelVerdict


@dataclass(frozen=True, slots=True)
class JudgedProposal:
    """A proposal about a message. `verdict` is what its reviewers say, None where nobody did or they do not agree."""

    type: str
    key: str
    value: str
    is_accepted: bool
    verdict: str | None


def agree(verdicts: Sequence[tuple[str, float]]) -> str | None:
    """The verdict that has more than half of the weight; None without one, and where it is "cannot tell"."""
    weights: dict[str, float] = {}
    for verdict, weight in verdicts:
        weights[verdict] = weights.get(verdict, 0.0) + weight
    best = max(weights, key=lambda each: weights[each], default=None)
    if best is None or best == LabelVerdict.CANNOT_TELL or weights[best] * 2 <= sum(weights.values()):
        return None
    return best


def list_expected(proposals: Sequence[JudgedProposal]) -> list[dict[str, Any]] | None:
    """All facts of a message, as `expect` of a labelled line; None where not all of them are known.

    A message is no example while something that the gate let through is not judged, or while a value is known to be
    another one. What the gate refused and nobody judged does not count.
    """
    expected: list[dict[str, Any]] = []
    for each in proposals:
        if each.verdict is None:
            if each.is_accepted:
                return None
            continue
        if each.verdict == LabelVerdict.WRONG_VALUE:
            return None
        if each.verdict == LabelVerdict.CORRECT:
            spellings = list(dict.fromkeys(text for text in (each.value, each.key) if text))
            expected.append({"type": each.type, "any_of": spellings})
    return expected
