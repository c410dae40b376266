"""Instant patterns compiled: one RE2 set over all of them, one expression each for what they capture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from factcheck.core.instant.expressions import (
    BUILT_IN_MACROS,
    compile_expression,
    compile_search,
    compile_set,
    translate,
)
from factcheck.core.instant.guards import WHERE, CompiledGuard, Where, get_guard_kind
from factcheck.core.instant.pattern_rows import (
    SEMANTIC,
    SEMANTIC_CONFIDENCE,
    Anchor,
    CorrectionPattern,
    Guard,
    InstantPattern,
    Pack,
    PatternInvalid,
)
from knowledge.facts.core.types import HEARD_TYPES, RULES_THAT_READ_A_VALUE, WISH_TYPES

CHINESE_GUARD = "_zh"
"""How guards end that only rows of Chinese ask: a third of all, which would cost every other row its time."""
_READ_CHINESE = ("zh", "mixed")


@dataclass(frozen=True, slots=True)
class CompiledPattern:
    """A pattern with its expressions ready to run."""

    row: InstantPattern
    expression: Any
    anchors: Any
    anti_anchors: Any
    guards: tuple[tuple[Where, Any], ...]


_JoinedGuards = dict[tuple[str, ...], tuple[tuple[Where, Any], ...]]


class PatternSet:
    """All patterns of one version, compiled; immutable and safe between threads."""

    def __init__(self, packs: Sequence[Pack], *, version: int = 0) -> None:
        """Raises PatternInvalid for the first row that RE2 does not compile."""
        self.version = version
        rows = compile_rows(packs)
        self.patterns = rows.patterns
        self.corrections = rows.corrections
        self.readers = rows.readers
        self.anchors = rows.anchors
        macros = list_macros(packs)
        self.guards = compile_guards(packs)
        self._fact_set = compile_set(
            [(each.row.name, each.row.pattern, each.row.language) for each in self.patterns], macros
        )
        self._correction_set = compile_set([(row.name, row.pattern, "") for row, _ in self.corrections], macros)

    def match(self, folded: str) -> list[CompiledPattern]:
        """The patterns that occur in a folded text, by priority, found in one pass."""
        if self._fact_set is None:
            return []
        return [self.patterns[place] for place in sorted(self._fact_set.Match(folded.encode()) or ())]

    def match_corrections(self, folded: str) -> list[tuple[CorrectionPattern, Any]]:
        """The correction patterns that occur in a folded text."""
        if self._correction_set is None:
            return []
        return [self.corrections[place] for place in sorted(self._correction_set.Match(folded.encode()) or ())]


@dataclass(frozen=True, slots=True)
class CompiledRows:
    """Every row by itself, patterns by priority."""

    patterns: tuple[CompiledPattern, ...]
    corrections: tuple[tuple[CorrectionPattern, Any], ...]
    readers: Mapping[str, CompiledPattern]
    """By fact type: all guards of the type, for values that are found without a pattern."""
    anchors: tuple[tuple[Anchor, Any], ...]


def compile_rows(packs: Sequence[Pack]) -> CompiledRows:
    """The rows of all packs compiled one by one, without the sets over them, which take longest.

    Raises PatternInvalid for the first row that RE2 does not compile or that lacks what its key rule reads.
    """
    macros = list_macros(packs)
    guards = tuple(guard for pack in packs for guard in pack.guards)
    joined: _JoinedGuards = {}
    rows = sorted((row for pack in packs for row in pack.patterns), key=lambda row: (-row.priority, row.name))
    return CompiledRows(
        patterns=tuple(_compile_row(row, guards, macros, joined) for row in rows),
        corrections=tuple(
            (row, compile_search(row.name, row.pattern, macros, bounded=True))
            for pack in packs
            for row in pack.corrections
        ),
        readers={fact_type: _make_reader(fact_type, guards, macros, joined) for fact_type in HEARD_TYPES},
        anchors=tuple(
            (row, compile_search(row.name, row.pattern, macros, bounded=True, language=row.language))
            for pack in packs
            for row in pack.anchors
        ),
    )


def _make_reader(
    fact_type: str, guards: Sequence[Guard], macros: Mapping[str, str], joined: _JoinedGuards
) -> CompiledPattern:
    row = InstantPattern(fact_type, fact_type, "", "", "nearby", confidence=SEMANTIC_CONFIDENCE, pack=SEMANTIC)
    return CompiledPattern(row, None, None, None, _join_guards(row, guards, macros, joined))


def compile_guards(packs: Sequence[Pack]) -> tuple[CompiledGuard, ...]:
    """Every guard by itself, for `find_guards`. Raises PatternInvalid."""
    macros = list_macros(packs)
    return tuple(
        CompiledGuard(
            guard.name,
            get_guard_kind(guard.name),
            guard.where,
            guard.types,
            compile_search(guard.name, guard.pattern, macros, bounded=True),
        )
        for pack in packs
        for guard in pack.guards
    )


def list_macros(packs: Sequence[Pack]) -> dict[str, str]:
    """What rows of any pack can use."""
    return BUILT_IN_MACROS | {name: text for pack in packs for name, text in pack.macros.items()}


def _compile_row(
    row: InstantPattern, guards: Sequence[Guard], macros: Mapping[str, str], joined: _JoinedGuards
) -> CompiledPattern:
    expression = compile_search(row.name, row.pattern, macros, bounded=True, language=row.language)
    if row.key_rule in RULES_THAT_READ_A_VALUE and "value" not in expression.groupindex:
        raise PatternInvalid(row.name, f"the key rule {row.key_rule} reads (?P<value>…), which the pattern lacks")
    return CompiledPattern(
        row=row,
        expression=expression,
        anchors=compile_search(row.name, row.anchors, macros, captures=False) if row.anchors else None,
        anti_anchors=compile_search(row.name, row.anti_anchors, macros, bounded=True, captures=False)
        if row.anti_anchors
        else None,
        guards=_join_guards(row, guards, macros, joined),
    )


def _join_guards(
    row: InstantPattern, guards: Sequence[Guard], macros: Mapping[str, str], joined: _JoinedGuards
) -> tuple[tuple[Where, Any], ...]:
    """A row's guards as one expression for each place that they look at, shared by rows with the same guards.

    Guards of all types are about what an author says of themselves; instructions are guarded where they are read, and
    by guards that name their type.
    """
    chosen = [
        guard
        for guard in guards
        if guard.name not in row.skips
        and (row.type in guard.types or (not guard.types and row.type not in WISH_TYPES))
        and (row.language in _READ_CHINESE or not guard.name.endswith(CHINESE_GUARD))
    ]
    key = tuple(guard.name for guard in chosen)
    if key not in joined:
        compiled: list[tuple[Where, Any]] = []
        for where in WHERE:
            sources = [
                translate(guard.name, guard.pattern, macros, bounded=True) for guard in chosen if guard.where == where
            ]
            if sources:
                joined_source = "|".join(f"(?:{source})" for source in sources)
                compiled.append((where, compile_expression(row.name, joined_source, captures=False)))
        joined[key] = tuple(compiled)
    return joined[key]
