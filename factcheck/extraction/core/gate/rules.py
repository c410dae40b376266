"""What the gate goes by: the patterns, anchors and concepts of one version, and the limits of trust."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.narrative_modes import Span
from factcheck.instant.core.pattern_rows import takes_part
from factcheck.instant.core.patterns import CompiledPattern, CompiledPatterns

DEFAULT_MIN_CONFIDENCE = 0.8
"""Source: seed 002, the validator gate: below it nothing is looked at."""


@dataclass(frozen=True, slots=True)
class GateRules:
    """Rules of one version; immutable and safe between threads.

    `pattern_sets_off` are those that the tenant has switched off, `user_key` decides on patterns that are on trial.
    `muted_buckets` are those of `find_bucket` that turned out to be wrong too often.
    """

    patterns: CompiledPatterns
    concepts: ConceptTable
    pattern_sets_off: frozenset[str] = frozenset()
    user_key: str = ""
    min_confidence: float = DEFAULT_MIN_CONFIDENCE
    muted_buckets: frozenset[float] = field(default_factory=frozenset)

    def list_anchors(self, message: FoldedMessage, span: Span, fact_type: str) -> list[Span]:
        """Where words of a folded message state a relation of the type, in reading order."""
        said = message.text[slice(*span)]
        found: list[Span] = []
        for row, expression in self.patterns.anchors:
            if row.type == fact_type and row.pack not in self.pattern_sets_off:
                found += [trim(said, match.span(), span[0]) for match in expression.finditer(said)]
        return sorted(found)

    def list_patterns(self, message: FoldedMessage, fact_type: str) -> Iterator[CompiledPattern]:
        """The patterns of the type that occur in a folded message and may serve as anchors.

        Closed ones are none: they are believed only with the value that they read themselves.
        """
        for pattern in self.patterns.match(message.text):
            row = pattern.row
            if row.type != fact_type or row.closed or row.pack in self.pattern_sets_off:
                continue
            if takes_part(row, self.user_key):
                yield pattern


def trim(text: str, span: Span, offset: int) -> Span:
    """A hit without the characters that only prove its word boundaries, as places of the whole text."""
    start, end = span
    while start < end and not text[start].isalnum():
        start += 1
    while end > start and not text[end - 1].isalnum():
        end -= 1
    return start + offset, end + offset
