"""Packs out of the mappings that their files hold."""

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
    Pack,
    PatternInvalid,
)
from factcheck.instant.core.patterns import PatternSet
from knowledge.facts.core.types import HEARD_TYPES, KEY_RULES
from knowledge.text.languages import PATTERN_LANGUAGES

SHIPPED_PACKS = ("companion", "table_safety", "everyday", "chinese", "instructions", "anchors")


def read_shipped_packs() -> tuple[Pack, ...]:
    """The packs that come with the product."""
    return tuple(parse_pack(read_yaml(SHIPPED_FOLDER / f"{name}.yaml")) for name in SHIPPED_PACKS)


@lru_cache(maxsize=1)
def load_shipped() -> tuple[PatternSet, ConceptTable]:
    """The shipped packs compiled and the shipped concepts, made once a process."""
    return PatternSet(read_shipped_packs()), ConceptTable(read_shipped_concepts())


def parse_pack(content: Mapping[str, Any]) -> Pack:
    """A pack out of a file's content; raises PatternInvalid for a row that breaks the format."""
    name = str(content.get("pack", ""))
    return Pack(
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


def _rows(pack: str, groups: Any) -> Iterator[InstantPattern]:
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
                pack=pack,
                rollout_percent=int(row.get("rollout_percent", 100)),
            )


def _list_anchors(pack: str, groups: Any) -> Iterator[Anchor]:
    for group in groups:
        for name, pattern in group["rows"].items():
            full = f"{group['type']}.{group['language']}.{name}"
            fact_type = _one_of(full, group["type"], HEARD_TYPES)
            yield Anchor(full, fact_type, _one_of(full, group["language"], PATTERN_LANGUAGES), pattern, pack)


def _one_of(name: str, value: str, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise PatternInvalid(name, f"{value!r} is none of {', '.join(allowed)}")
    return value
