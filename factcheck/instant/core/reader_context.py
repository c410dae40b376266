"""What readers know beside the words that they read."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass

from factcheck.instant.core.author_spans import AuthorSpans
from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.patterns import CompiledPattern
from factcheck.instant.core.questions import list_asked, list_asked_measures


@dataclass(frozen=True, slots=True)
class ReaderContext:
    """What values are read with, beside the message."""

    own: AuthorSpans
    readers: Mapping[str, CompiledPattern]
    """The guards of each kind."""
    concepts: ConceptTable
    now: datetime.datetime
    question: str = ""
    """Of the assistant, folded, which the message may answer."""

    @property
    def asked(self) -> tuple[str, ...]:
        """What it asks for, as `list_asked`."""
        return list_asked(self.question)

    @property
    def asked_measures(self) -> tuple[str, ...]:
        """The measures that it names, as `list_asked_measures`."""
        return list_asked_measures(self.question)
