"""What two prompts made of the same talks, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

Identity = tuple[str, str, str, str, str]


@dataclass(frozen=True, slots=True)
class TriedDelta:
    """A proposed change with its verdict. `where` names the talk; quotes are (message or None, words)."""

    where: str
    operation: str
    type: str
    key: str
    value: str
    quotes: tuple[tuple[int | None, str], ...]
    confidence: float
    verdict: str
    detail: str
    would_be: str

    @property
    def identity(self) -> Identity:
        """What makes it the same change in another answer."""
        return (self.where, self.operation, self.type, self.key.casefold(), self.value.casefold())

    @property
    def is_accepted(self) -> bool:
        """Whether it would come to something."""
        return self.would_be != "nothing"


@dataclass(frozen=True, slots=True)
class Side:
    """What one prompt made of all talks. Tokens and cost are None where the server does not count."""

    label: str
    version: str
    deltas: tuple[TriedDelta, ...] = ()
    input_tokens: int | None = 0
    output_tokens: int | None = 0
    cost: float | None = 0.0
    failures: tuple[str, ...] = ()
    right: int = 0
    wrong: int = 0
    missed: int = 0
    """Of golden talks: against what is expected."""

    @property
    def accepted(self) -> int:
        """How many changes passed the gate."""
        return sum(delta.is_accepted for delta in self.deltas)


@dataclass(frozen=True, slots=True)
class ComparedDelta:
    """A change that one prompt proposes, or both."""

    a: TriedDelta | None
    b: TriedDelta | None

    @property
    def any(self) -> TriedDelta:
        """The words, whoever proposes them."""
        found = self.a or self.b
        assert found is not None  # noqa: S101 - one side proposed it
        return found

    @property
    def by(self) -> str:
        """`A`, `B` or `both`: who would bring it about; else who proposes it."""
        for test in (_passes, _is_there):
            a, b = test(self.a), test(self.b)
            if a or b:
                return "both" if a and b else "A" if a else "B"
        return ""

    @property
    def differs(self) -> bool:
        """Whether the prompts come to different ends."""
        return _passes(self.a) != _passes(self.b)


@dataclass(frozen=True, slots=True)
class TrialResult:
    """Both sides over the same talks; `messages` are those that were shown, by id."""

    a: Side
    b: Side
    talks: int
    messages: tuple[int, ...] = field(default=())


def compare(a: Sequence[TriedDelta], b: Sequence[TriedDelta]) -> list[ComparedDelta]:
    """All changes, those first on which the prompts differ; the same proposed twice counts once."""
    first, second = _index(a), _index(b)
    rows = [ComparedDelta(first.get(each), second.get(each)) for each in dict.fromkeys([*first, *second])]
    return sorted(rows, key=lambda row: (not row.differs, row.any.where, row.any.type, row.any.key))


def dump_result(result: TrialResult) -> dict[str, Any]:
    """As JSON."""
    return asdict(result)


def load_result(document: Mapping[str, Any]) -> TrialResult:
    """From JSON."""
    a, b = (_load_side(document[name]) for name in ("a", "b"))
    return TrialResult(a, b, document["talks"], tuple(document["messages"]))


def _load_side(document: Mapping[str, Any]) -> Side:
    deltas = tuple(
        TriedDelta(**{**each, "quotes": tuple((message, text) for message, text in each["quotes"])})
        for each in document["deltas"]
    )
    return Side(**{**document, "deltas": deltas, "failures": tuple(document["failures"])})


def _index(deltas: Iterable[TriedDelta]) -> dict[Identity, TriedDelta]:
    """By what they are; of two the accepted one."""
    found: dict[Identity, TriedDelta] = {}
    for each in sorted(deltas, key=lambda delta: not delta.is_accepted):
        found.setdefault(each.identity, each)
    return found


def _passes(delta: TriedDelta | None) -> bool:
    return delta is not None and delta.is_accepted


def _is_there(delta: TriedDelta | None) -> bool:
    return delta is not None
