"""What a turn cost in tokens and money."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

TOKENS_PRICED = 1_000_000


class Counted(Protocol):
    """A model's reply with its tokens, where the server counts them."""

    @property
    def prompt_tokens(self) -> int | None:
        """Tokens that were read."""

    @property
    def completion_tokens(self) -> int | None:
        """Tokens that were said."""


@dataclass(frozen=True, slots=True)
class Prices:
    """Of a million tokens."""

    prompt: float
    completion: float


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens and their price; None where a reply was not counted."""

    prompt_tokens: int | None
    completion_tokens: int | None
    cost: float | None


NO_USAGE = Usage(prompt_tokens=0, completion_tokens=0, cost=0.0)
"""Of a turn for which no model was asked."""


def add_usage(replies: Sequence[Counted], prices: Prices) -> Usage:
    """The sum over all replies of a turn."""
    prompt, completion = (
        _add([each.prompt_tokens for each in replies]),
        _add([each.completion_tokens for each in replies]),
    )
    if prompt is None or completion is None:
        return Usage(prompt, completion, None)
    return Usage(prompt, completion, (prompt * prices.prompt + completion * prices.completion) / TOKENS_PRICED)


def sum_usage(first: Usage, second: Usage) -> Usage:
    """Both together; what one does not know, the sum does not know."""
    cost = None if first.cost is None or second.cost is None else first.cost + second.cost
    return Usage(
        _add([first.prompt_tokens, second.prompt_tokens]),
        _add([first.completion_tokens, second.completion_tokens]),
        cost,
    )


def _add(counts: Sequence[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None
