"""Changes of dispositions: what the engine asks for, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Literal

Towards = Literal["party", "user"]
MAX_REASON_LENGTH = 500
MAX_RULE_LENGTH = 120
MAX_ID_LENGTH = 200
HUNDREDTH = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Scale:
    """The bounds of dispositions in one world."""

    least: int | float
    most: int | float
    initial: int | float
    step_most: int | float


DEFAULT_SCALE = Scale(least=-5, most=5, initial=0, step_most=3)
"""A world's scale until it is set."""


@dataclass(frozen=True, slots=True)
class DispositionChange:
    """What the engine asks for: an NPC stands better or worse towards a party or a user, because of something."""

    npc_id: str
    towards_kind: Towards
    towards_id: str
    delta: int | float
    reason: str
    rule: str = ""


@dataclass(frozen=True, slots=True)
class AppliedDisposition:
    """What came of one change. `applied` is less than `delta` where the scale ended."""

    entry_id: int
    npc_id: str
    towards_kind: Towards
    towards_id: str
    delta: int | float
    applied: int | float
    value: int | float
    """Where the NPC stands now."""


def as_number(value: Decimal) -> int | float:
    """A whole number where it is one."""
    return int(value) if value == value.to_integral_value() else float(value)


def as_points(value: float) -> Decimal | None:
    """The number to hundredths, or None for one that is finer, not finite, or out of all reason."""
    try:
        exact = Decimal(str(value))
        return exact if exact.is_finite() and abs(exact) < 10_000 and exact == exact.quantize(HUNDREDTH) else None
    except InvalidOperation:
        return None


def validate_disposition_change(change: DispositionChange) -> tuple[str, str] | None:
    """The first field of a change that can't be kept, and why; the delta is checked against the scale elsewhere."""
    if change.towards_kind not in ("party", "user"):
        return "towards", "must be party or user"
    for field, text, length in (
        ("towards_id", change.towards_id, MAX_ID_LENGTH),
        ("reason", change.reason, MAX_REASON_LENGTH),
        ("rule", change.rule or "-", MAX_RULE_LENGTH),
    ):
        if not text.strip() or len(text) > length or "\x00" in text:
            return field, f"must have 1 to {length} characters"
    return None
