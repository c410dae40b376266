"""Pattern sets out of the mappings that their files hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from factcheck.core.yaml_files import read_yaml
from factcheck.instant.core.concept_files import SHIPPED_FOLDER, read_shipped_concepts
from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.pattern_rows import (
    CORRECTION_KINDS,
    Anchor,
    CorrectionPattern,
    Guard,
    InstantPattern,
    PatternInvalid,
    PatternSet,
)
from factcheck.instant.core.patterns import CompiledPatterns
from knowledge.facts.core.types import HEARD_TYPES, KEY_RULES
from knowledge.text.languages import PATTERN_LANGUAGES

SHIPPED_PATTERN_SETS = ("companion", "table_safety", "everyday", "chinese", "instructions", "anchors")


def read_shipped_pattern_sets() -> tuple[PatternSet, ...]:
    """The pattern sets that come with the product."""
    return tuple(parse_pattern_set(read_yaml(SHIPPED_FOLDER / f"{name}.yaml")) for name in SHIPPED_PATTERN_SETS)


@lru_cache(maxsize=1)
def load_shipped() -> tuple[CompiledPatterns, ConceptTable]:
    """The shipped pattern sets compiled and the shipped concepts, made once a process."""
    return CompiledPatterns(read_shipped_pattern_sets()), ConceptTable(read_shipped_concepts())


def parse_pattern_set(content: Mapping[str, Any]) -> PatternSet:
    """A pattern set out of a file's content; raises PatternInvalid for a row that breaks the format."""
    name = str(content.get("pack", ""))
    return PatternSet(
        name=name,
        version=int(content.get("version", 1)),
        description=str(content.get("description", "")),
        macros={str(key): str(text) for key, text in content.get("macros", {}).items()},
        patterns=tuple(_rows(name, content.get("patterns", ()))),
        guards=tuple(
            Guard(row["name"], row["where"], row["pattern"], tuple(row.get("types", ())))
            for row in content.get("guards", ())
        ),
        corrections=tuple(
            CorrectionPattern(
                row["name"], _one_of(row["name"], row["kind"], CORRECTION_KINDS), row["language"], row["pattern"]
            )
            for row in content.get("corrections", ())
        ),
        anchors=tuple(_list_anchors(name, content.get("anchors", ()))),
    )


def _rows(pattern_set: str, groups: Any) -> Iterator[InstantPattern]:
    for group in groups:
        for name, said in group["rows"].items():
            row = {**group, **(said if isinstance(said, Mapping) else {"pattern": said})}
            full = f"{row['type']}.{row['language']}.{name}"
            yield InstantPattern(
                name=full,
                type=_one_of(full, row["type"], HEARD_TYPES),
                language=_one_of(full, row["language"], PATTERN_LANGUAGES),
                pattern=row["pattern"],
                key_rule=_one_of(full, row["key_rule"], KEY_RULES),
                key=row.get("key", ""),
                anchors=row.get("anchors", ""),
                anti_anchors=row.get("anti_anchors", ""),
                skips=tuple(row.get("skips", ())),
                closed=bool(row.get("closed", False)),
                confidence=float(row.get("confidence", 0.95)),
                priority=int(row.get("priority", 100)),
                pack=pattern_set,
                rollout_percent=int(row.get("rollout_percent", 100)),
            )


def _list_anchors(pattern_set: str, groups: Any) -> Iterator[Anchor]:
    for group in groups:
        for name, pattern in group["rows"].items():
            full = f"{group['type']}.{group['language']}.{name}"
            fact_type = _one_of(full, group["type"], HEARD_TYPES)
            yield Anchor(full, fact_type, _one_of(full, group["language"], PATTERN_LANGUAGES), pattern, pattern_set)


def _one_of(name: str, value: str, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise PatternInvalid(name, f"{value!r} is none of {', '.join(allowed)}")
    return value
