"""All guards of a version in a few RE2 sets: what stands around a value is searched once, whichever rows ask."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from factcheck.instant.core.expressions import compile_set, translate
from factcheck.instant.core.guards import QUESTION, Where, build_guard_context, get_guard_kind
from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.pattern_rows import Guard

CHINESE_GUARD = "_zh"
"""How guards end that only rows of Chinese ask: a third of all, which would cost every other row its time."""
MEMORY = 64 << 20
"""Bytes a set: four times what the largest needs to be compiled, and a bound to what it remembers while it matches."""


@dataclass(frozen=True)
class _Group:
    """The guards that look at one place and are asked together."""

    where: Where
    names: tuple[str, ...]
    sources: tuple[str, ...]

    @cached_property
    def asked(self) -> frozenset[str]:
        """The names, for comparing."""
        return frozenset(self.names)

    @cached_property
    def expressions(self) -> Any:
        """The set over the sources."""
        return compile_set(zip(self.names, self.sources, strict=True), memory=MEMORY)


class GuardSets:
    """The guards of all pattern sets, those of Chinese apart; immutable and safe between threads."""

    def __init__(self, guards: Sequence[Guard], macros: Mapping[str, str]) -> None:
        """Raises PatternInvalid for a guard that can't be read."""
        grouped: dict[tuple[Where, bool], dict[str, str]] = {}
        for guard in guards:
            source = translate(guard.name, guard.pattern, macros, bounded=True)
            grouped.setdefault((guard.where, guard.name.endswith(CHINESE_GUARD)), {})[guard.name] = source
        self.sources = {name: source for group in grouped.values() for name, source in group.items()}
        self._types = {guard.name: guard.types for guard in guards}
        self._groups = tuple(
            _Group(where, tuple(group), tuple(group.values())) for (where, _), group in grouped.items()
        )

    def compile(self) -> None:
        """Compiles all sets now, not when a guard is first asked. Raises PatternInvalid."""
        for group in self._groups:
            _ = group.expressions

    def list_against(self, message: FoldedMessage, around: Mapping[Where, str], asked: frozenset[str]) -> Iterator[str]:
        """The kinds of the guards that are asked and occur where they look."""
        for group in self._groups:
            if group.asked.isdisjoint(asked):
                continue
            for place in message.list_matches(group.expressions, around[group.where]):
                if group.names[place] in asked:
                    yield get_guard_kind(group.names[place])

    def find_kinds(self, message: FoldedMessage, start: int, end: int, *, fact_type: str) -> frozenset[str]:
        """The kinds of guards that speak against the words from `start` to `end` of a folded message.

        For any words, whether a pattern hit them or not; guards that are about other types are left out. "I'm not
        joking, …" counts as no joke.
        """
        context = build_guard_context(message, start, end)
        matching = (
            group.names[place]
            for group in self._groups
            for place in message.list_matches(group.expressions, context.around[group.where])
        )
        kinds = {get_guard_kind(name) for name in matching if fact_type in (self._types[name] or (fact_type,))}
        return frozenset(kinds | {QUESTION} if context.is_question else kinds)
