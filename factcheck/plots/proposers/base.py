"""What extracts events, and what it answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from factcheck.extraction.proposers.base import NOTHING_PAID, Paid
from factcheck.plots.core.chunk import Chunk


@dataclass(frozen=True, slots=True)
class PlotProposal:
    """A PlotExtraction as a document, not checked against its chunk, and what it took."""

    document: Mapping[str, Any]
    paid: Paid = NOTHING_PAID


class PlotProposer(Protocol):
    """Reads a chunk and says what it came to; writes nothing. Call it outside transactions."""

    @property
    def name(self) -> str:
        """`openai` or `offline`: kept with each event."""

    @property
    def model(self) -> str:
        """The name of what answers."""

    @property
    def prompt_version(self) -> str:
        """Changes with everything that it is told, or with its rules."""

    def propose(self, chunk: Chunk, *, timeout_seconds: float) -> PlotProposal:
        """What a chunk came to. Raises ProposerError."""

    def describe(self) -> str:
        """One sentence for people who look at `/status`."""
