"""What a claim says of one field."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Reading:
    """A stated value next to canon's."""

    places: frozenset[int]
    """The words that state it."""
    equal: bool
    may_refute: bool
    """Whether a difference is enough to call the claim false."""
    expected: Any
    unit_said: bool = False
