"""Why each entry is in or out: what a lore editor reads beside the prompt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, Protocol

from knowledge.lorebooks.activation.dice import Roll

Span = tuple[int, int]

RULES: Mapping[str, str] = {
    "key": "a key was found",
    "secondary_keys": "a key was found, and the secondary keys agree",
    "constant": "always in",
    "sticky": "still in since an earlier message",
    "external": "activated from outside, for example by meaning",
    "activate": "@@activate",
    "disabled": "switched off",
    "condition": "a condition does not hold",
    "condition_unknown": "a condition asks for something that was not given",
    "condition_invalid": "a condition cannot be read",
    "trigger": "not for this kind of generation",
    "character": "not for this character",
    "tag": "not for characters with these tags",
    "delay": "the chat is still too short",
    "cooldown": "pausing since an earlier message",
    "delay_until_recursion": "only found by other entries' content",
    "recursion_level": "its recursion level was not reached",
    "exclude_recursion": "not found by other entries' content",
    "dont_activate": "@@dont_activate",
    "no_keys": "has no keys",
    "no_key_found": "no key was found",
    "secondary_keys_failed": "a key was found, but the secondary keys disagree",
    "regex_problem": "a key cannot be run",
    "group_sticky": "another entry of its group is still in",
    "group_timed": "its group leaves out entries that pause",
    "group_score": "another entry of its group has more keys found",
    "group_taken": "its group is already in",
    "group_override": "another entry of its group goes first",
    "group_roll": "another entry of its group was rolled",
    "group_splice": "taken out instead of an entry that was out already (SillyTavern's group bug)",
    "probability": "the roll was too high",
    "probability_invalid": "its probability is not a number",
    "budget": "cut by the budget",
    "replaced": "another entry with the same uid took its place",
    "not_scanned": "the scan ended before",
}
"""Every code of a trace, with its meaning."""


@dataclass(frozen=True, slots=True)
class Where:
    """Where a key was found. Without `start`: somewhere in there."""

    source: str
    index: int = 0
    start: int | None = None
    end: int | None = None


class Place(Protocol):
    """A text that was scanned."""

    def locate(self, span: Span | None) -> Where:
        """Where a span of it is."""


class KeyMatch(NamedTuple):
    """A key that was found, and in which text; where in it is worked out when asked for."""

    key: str
    place: Place | None = None
    span: Span | None = None

    @property
    def where(self) -> Where | None:
        """None for a key that is in any text."""
        return self.place.locate(self.span) if self.place else None

    def as_json(self) -> dict[str, Any]:
        """Key and where."""
        where = self.where
        return {"key": self.key, "where": asdict(where) if where else None}


class EntryTrace(NamedTuple):
    """What became of one entry. `rule` is a code of `RULES`; `loop` the pass that decided, from 1."""

    world: str
    uid: str
    title: str
    is_active: bool
    rule: str
    detail: str = ""
    loop: int = 0
    match: KeyMatch | None = None
    secondary: tuple[KeyMatch, ...] = ()
    tokens: int | None = None
    is_placed: bool = False  # an active entry without content or position stands nowhere

    def describe(self) -> str:
        """One sentence: `cut by the budget at 812 of 800; 'dragon' was found in message 3`."""
        text = f"{RULES[self.rule]} {self.detail}".rstrip()
        if self.match is None:
            return text
        return f"{text}; {self.match.key!r} was found{_describe_where(self.match.where)}"

    def as_json(self) -> dict[str, Any]:
        """The trace with its sentence."""
        return {
            **self._asdict(),
            "match": self.match.as_json() if self.match else None,
            "secondary": [match.as_json() for match in self.secondary],
            "reason": self.describe(),
        }


@dataclass(frozen=True, slots=True)
class LoopTrace:
    """One pass over the entries."""

    state: str
    depth: int
    candidates: int
    activated: int
    used_tokens: int


@dataclass(frozen=True, slots=True)
class RegexIssue:
    """A key that is kept in its book but was not run."""

    world: str
    uid: str
    key: str
    code: str
    detail: str


@dataclass(frozen=True, slots=True)
class Trace:
    """The whole record. `rolls` given to another activation of the same input replay it."""

    dialect: str
    seed: int
    budget: int
    used_tokens: int
    has_overflowed: bool
    entries: tuple[EntryTrace, ...] = ()
    loops: tuple[LoopTrace, ...] = ()
    rolls: tuple[Roll, ...] = ()
    regex_issues: tuple[RegexIssue, ...] = ()
    is_cut_short: bool = False  # more loops were to come than one activation makes

    def as_json(self) -> dict[str, Any]:
        """The record with a sentence for each entry."""
        names = ("dialect", "seed", "budget", "used_tokens", "has_overflowed", "is_cut_short")
        return {
            **{name: getattr(self, name) for name in names},
            "entries": [entry.as_json() for entry in self.entries],
            "loops": [asdict(loop) for loop in self.loops],
            "rolls": [asdict(roll) for roll in self.rolls],
            "regex_issues": [asdict(issue) for issue in self.regex_issues],
        }


def _describe_where(where: Where | None) -> str:
    if where is None:
        return ""
    if where.source == "message":
        return f" in message {where.index + 1}"
    return f" in the {where.source.replace('_', ' ')}"
