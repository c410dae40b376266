"""What all proposers have in common: what they are asked, what they answer, how they fail, what it costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeVar

from factcheck.extraction.core.deltas import Delta
from factcheck.extraction.core.given import Given
from memoryproject.chat_model import ChatReply

TOKENS_PRICED = 1_000_000
Number = TypeVar("Number", int, float)
FailureCode = Literal["model_unavailable", "model_unusable", "model_refused"]


@dataclass(frozen=True, slots=True)
class Paid:
    """What calls took; tokens and cost are None where the server does not count."""

    calls: int = 0
    prompt_tokens: int | None = 0
    completion_tokens: int | None = 0
    cost: float | None = 0.0

    def __add__(self, other: Paid) -> Paid:
        """Both together; what one does not know, the sum does not know."""
        return Paid(
            self.calls + other.calls,
            _add(self.prompt_tokens, other.prompt_tokens),
            _add(self.completion_tokens, other.completion_tokens),
            _add(self.cost, other.cost),
        )


NOTHING_PAID = Paid()


@dataclass(frozen=True, slots=True)
class Prices:
    """Of a million tokens, in whatever currency the operator counts."""

    prompt: float = 0.0
    completion: float = 0.0


NO_PRICES = Prices()


@dataclass(frozen=True, slots=True)
class Proposal:
    """The deltas of one range, and the same as JSON text: `parse_deltas(json.loads(answer))` gives them again."""

    deltas: tuple[Delta, ...]
    answer: str
    prompt_tokens: int | None = 0
    completion_tokens: int | None = 0
    cost: float | None = 0.0
    calls: int = 0


class ProposerError(Exception):
    """No proposal. `paid` is what its calls took all the same.

    `code` is `model_unavailable` (down, slow, not configured), `model_unusable` (it answered, and not in the form asked
    for, even when asked again) or `model_refused`.
    """

    def __init__(self, detail: str, *, code: FailureCode, paid: Paid = NOTHING_PAID) -> None:
        super().__init__(detail)
        self.detail = detail
        self.code: FailureCode = code
        self.paid = paid


class Proposer(Protocol):
    """Reads messages and proposes; writes nothing. Call it outside transactions."""

    @property
    def name(self) -> str:
        """`openai` or `offline`: kept with each run."""

    @property
    def model(self) -> str:
        """The name of what answers, with its version where it has one."""

    @property
    def prompt_version(self) -> str:
        """Changes with everything that it is told, or with its weights: figures of quality are kept by it."""

    def propose(self, given: Given, *, language: str, timeout_seconds: float) -> Proposal:
        """What the new messages of a range change in what is known. Raises ProposerError.

        `language` is the conversation's; `timeout_seconds` bounds all calls together.
        """

    def describe(self) -> str:
        """One sentence for people who look at `/status`."""


def count_paid(replies: Sequence[ChatReply], prices: Prices) -> Paid:
    """The sum over a model's replies."""
    paid = NOTHING_PAID
    for reply in replies:
        prompt, completion = reply.prompt_tokens, reply.completion_tokens
        cost = None
        if prompt is not None and completion is not None:
            cost = (prompt * prices.prompt + completion * prices.completion) / TOKENS_PRICED
        paid += Paid(1, prompt, completion, cost)
    return paid


def _add(first: Number | None, second: Number | None) -> Number | None:
    return None if first is None or second is None else first + second
