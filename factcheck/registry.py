"""The patterns and concepts that messages are read with now: compiled once, shared by all threads of a process."""

from __future__ import annotations

from dataclasses import dataclass

from factcheck.core.instant.concepts import ConceptTable
from factcheck.core.instant.packs import load_shipped
from factcheck.core.instant.patterns import PatternSet


@dataclass(frozen=True, slots=True)
class CompiledVersion:
    """One version of all patterns and concepts, ready to run; immutable and safe between threads."""

    version: int
    patterns: PatternSet
    concepts: ConceptTable


def get_compiled() -> CompiledVersion:
    """The version that is served now; version 0 is the packs as they ship."""
    patterns, concepts = load_shipped()
    return CompiledVersion(0, patterns, concepts)
