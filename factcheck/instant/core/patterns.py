"""Instant patterns compiled: groups that are asked together, one expression each for what they capture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from factcheck.instant.core.expressions import (
    BUILT_IN_MACROS,
    compile_expression,
    compile_search,
    translate,
    validate_expression,
)
from factcheck.instant.core.guard_sets import CHINESE_GUARD, GuardSets
from factcheck.instant.core.pattern_groups import GroupedPattern, PatternGroups
from factcheck.instant.core.pattern_rows import (
    SEMANTIC,
    SEMANTIC_CONFIDENCE,
    Anchor,
    CorrectionPattern,
    Guard,
    InstantPattern,
    PatternInvalid,
    PatternSet,
)
from knowledge.facts.core.types import HEARD_TYPES, RULES_THAT_READ_A_VALUE, WISH_TYPES

_READ_CHINESE = ("zh", "mixed")


@dataclass(frozen=True)
class CompiledPattern:
    """A pattern with its sources as RE2 reads them; an expression is compiled when it is first asked for.

    Most rows of a process never match: compiled at once they took two seconds.
    """

    row: InstantPattern
    source: str
    """Empty of a reader: what is judged was found without a pattern."""
    anchor_source: str
    anti_anchor_source: str
    guards: frozenset[str]
    """The names of those that speak against it."""
    guard_sets: GuardSets

    @cached_property
    def expression(self) -> Any:
        """What the pattern captures."""
        return compile_expression(self.row.name, self.source)

    @cached_property
    def anchors(self) -> Any:
        """What must be near a hit; None where nothing must."""
        return self._compile(self.anchor_source)

    @cached_property
    def anti_anchors(self) -> Any:
        """What must not; None where everything may."""
        return self._compile(self.anti_anchor_source)

    def _compile(self, source: str) -> Any:
        return compile_expression(self.row.name, source, captures=False) if source else None


class CompiledPatterns:
    """All patterns of one version, compiled; immutable and safe between threads."""

    def __init__(self, pattern_sets: Sequence[PatternSet], *, version: int = 0) -> None:
        """Raises PatternInvalid for the first row that RE2 does not compile."""
        self.version = version
        rows = compile_rows(pattern_sets)
        self.patterns = rows.patterns
        self.corrections = rows.corrections
        self.readers = rows.readers
        self.anchors = rows.anchors
        self.guard_sets = rows.guard_sets
        self.guard_sets.compile()
        macros = list_macros(pattern_sets)
        self._facts = PatternGroups([_make_grouped(each.row, each.source) for each in self.patterns])
        self._corrections = PatternGroups(
            [_make_grouped(row, translate(row.name, row.pattern, macros, bounded=True)) for row, _ in self.corrections]
        )

    def match(self, folded: str) -> list[CompiledPattern]:
        """The patterns that occur in a folded text, by priority."""
        return [self.patterns[index] for index in self._facts.match(folded)]

    def match_corrections(self, folded: str) -> list[tuple[CorrectionPattern, Any]]:
        """The correction patterns that occur in a folded text."""
        return [self.corrections[index] for index in self._corrections.match(folded)]


def _make_grouped(row: InstantPattern | CorrectionPattern, source: str) -> GroupedPattern:
    return GroupedPattern(row.name, row.pattern, source, row.language)


@dataclass(frozen=True, slots=True)
class CompiledRows:
    """Every row by itself, patterns by priority."""

    patterns: tuple[CompiledPattern, ...]
    corrections: tuple[tuple[CorrectionPattern, Any], ...]
    guard_sets: GuardSets
    readers: Mapping[str, CompiledPattern]
    """By fact type: all guards of the type, for values that are found without a pattern."""
    anchors: tuple[tuple[Anchor, Any], ...]


def compile_rows(pattern_sets: Sequence[PatternSet]) -> CompiledRows:
    """The rows of all pattern sets, without the sets over them, which take longest.

    Raises PatternInvalid for the first row that RE2 does not read or that lacks what its key rule reads.
    """
    macros = list_macros(pattern_sets)
    guards = tuple(guard for pattern_set in pattern_sets for guard in pattern_set.guards)
    guard_sets = GuardSets(guards, macros)
    for name, source in guard_sets.sources.items():
        validate_expression(name, source)
    rows = sorted(
        (row for pattern_set in pattern_sets for row in pattern_set.patterns), key=lambda row: (-row.priority, row.name)
    )
    return CompiledRows(
        patterns=tuple(_compile_row(row, guards, guard_sets, macros) for row in rows),
        corrections=tuple(
            (row, compile_search(row.name, row.pattern, macros, bounded=True))
            for pattern_set in pattern_sets
            for row in pattern_set.corrections
        ),
        guard_sets=guard_sets,
        readers={fact_type: _make_reader(fact_type, guards, guard_sets) for fact_type in HEARD_TYPES},
        anchors=tuple(
            (row, compile_search(row.name, row.pattern, macros, bounded=True, language=row.language))
            for pattern_set in pattern_sets
            for row in pattern_set.anchors
        ),
    )


def _make_reader(fact_type: str, guards: Sequence[Guard], guard_sets: GuardSets) -> CompiledPattern:
    row = InstantPattern(fact_type, fact_type, "", "", "nearby", confidence=SEMANTIC_CONFIDENCE, pack=SEMANTIC)
    return CompiledPattern(row, "", "", "", _choose_guards(row, guards), guard_sets)


def list_macros(pattern_sets: Sequence[PatternSet]) -> dict[str, str]:
    """What rows of any pattern set can use."""
    return BUILT_IN_MACROS | {name: text for pattern_set in pattern_sets for name, text in pattern_set.macros.items()}


def _compile_row(
    row: InstantPattern, guards: Sequence[Guard], guard_sets: GuardSets, macros: Mapping[str, str]
) -> CompiledPattern:
    source = translate(row.name, row.pattern, macros, bounded=True, language=row.language)
    anchors = translate(row.name, row.anchors, macros) if row.anchors else ""
    anti_anchors = translate(row.name, row.anti_anchors, macros, bounded=True) if row.anti_anchors else ""
    for each in filter(None, (source, anchors, anti_anchors)):
        validate_expression(row.name, each)
    if row.key_rule in RULES_THAT_READ_A_VALUE and "(?P<value>" not in source:
        raise PatternInvalid(row.name, f"the key rule {row.key_rule} reads (?P<value>…), which the pattern lacks")
    return CompiledPattern(row, source, anchors, anti_anchors, _choose_guards(row, guards), guard_sets)


def _choose_guards(row: InstantPattern, guards: Sequence[Guard]) -> frozenset[str]:
    """The guards that a row asks.

    Guards of all types are about what an author says of themselves; instructions are guarded where they are read, and
    by guards that name their type.
    """
    return frozenset(
        guard.name
        for guard in guards
        if guard.name not in row.skips
        and (row.type in guard.types or (not guard.types and row.type not in WISH_TYPES))
        and (row.language in _READ_CHINESE or not guard.name.endswith(CHINESE_GUARD))
    )
