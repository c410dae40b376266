"""All that messages are read with, as plain values: pattern sets and concepts of one version, and who does without
which."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from factcheck.instant.core.concept_files import Concept
from factcheck.instant.core.pattern_rows import Anchor, CorrectionPattern, Guard, InstantPattern, PatternSet

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Configuration:
    """The rows that are switched on, at one version. Pattern sets that are off keep their macros: others may use
    them."""

    version: int
    stamp: str
    """Tells two states with the same number apart: a restored database counts anew."""
    pattern_sets: tuple[PatternSet, ...]
    concepts: tuple[Concept, ...]
    pattern_sets_off: Mapping[int, frozenset[str]] = field(default_factory=dict)
    """Tenant id to the pattern sets that the tenant has switched off."""

    @property
    def macros(self) -> dict[str, str]:
        """The macros of all pattern sets."""
        return {name: text for pattern_set in self.pattern_sets for name, text in pattern_set.macros.items()}

    @property
    def guards(self) -> tuple[Guard, ...]:
        """The guards of all pattern sets."""
        return tuple(guard for pattern_set in self.pattern_sets for guard in pattern_set.guards)

    def with_pattern_set(self, pattern_set: PatternSet) -> Configuration:
        """The same with a pattern set in the place of the one of its name, or after all others."""
        if all(known.name != pattern_set.name for known in self.pattern_sets):
            return replace(self, pattern_sets=(*self.pattern_sets, pattern_set))
        return replace(
            self,
            pattern_sets=tuple(pattern_set if known.name == pattern_set.name else known for known in self.pattern_sets),
        )


def build_pattern_sets(
    pattern_sets: Iterable[Row],
    patterns: Iterable[Row],
    guards: Iterable[Row],
    corrections: Iterable[Row],
    anchors: Iterable[Row],
) -> tuple[PatternSet, ...]:
    """Pattern sets out of table rows; each row names its pattern set."""
    patterns_of: dict[str, list[InstantPattern]] = {}
    guards_of: dict[str, list[Guard]] = {}
    corrections_of: dict[str, list[CorrectionPattern]] = {}
    anchors_of: dict[str, list[Anchor]] = {}
    for row in patterns:
        patterns_of.setdefault(row["pack"], []).append(build_pattern(row))
    for row in guards:
        guards_of.setdefault(row["pack"], []).append(
            Guard(row["name"], row["where"], row["pattern"], tuple(row["types"]))
        )
    for row in corrections:
        corrections_of.setdefault(row["pack"], []).append(
            CorrectionPattern(row["name"], row["kind"], row["language"], row["pattern"])
        )
    for row in anchors:
        anchor = Anchor(row["name"], row["type"], row["language"], row["pattern"], row["pack"])
        anchors_of.setdefault(row["pack"], []).append(anchor)
    return tuple(
        PatternSet(
            name=row["name"],
            patterns=tuple(patterns_of.get(row["name"], ())),
            guards=tuple(guards_of.get(row["name"], ())),
            corrections=tuple(corrections_of.get(row["name"], ())),
            macros=row["macros"],
            anchors=tuple(anchors_of.get(row["name"], ())),
        )
        for row in pattern_sets
    )


def build_pattern(row: Row) -> InstantPattern:
    """A pattern out of a table row."""
    return InstantPattern(
        name=row["name"],
        type=row["type"],
        language=row["language"],
        pattern=row["pattern"],
        key_rule=row["key_rule"],
        key=row["key"],
        anchors=row["anchors"],
        anti_anchors=row["anti_anchors"],
        skips=tuple(row["skips"]),
        closed=row["closed"],
        confidence=row["confidence"],
        priority=row["priority"],
        pack=row["pack"],
        rollout_percent=row["rollout_percent"],
    )


def build_concept(row: Row) -> Concept:
    """A concept out of a table row."""
    return Concept(key=row["key"], types=tuple(row["types"]), names=row["names"], by_month=row["by_month"])
