"""What reading a file for import yields: drafts of articles, and refusals with their place and reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the files something stands: a line, or the number of an object in a list (from 1)."""

    file: str
    line: int | None = None
    item: int | None = None

    def __str__(self) -> str:
        if self.line is not None:
            return f"{self.file}:{self.line}"
        return f"{self.file}, object {self.item}" if self.item is not None else self.file


@dataclass(frozen=True, slots=True)
class Draft:
    """One article as it was read, not checked yet; `lines` knows where its members stand, if the format tells."""

    place: Place
    content: Mapping[str, Any]
    lines: Mapping[str, int] | None = None
    slug_choices: tuple[str, ...] = ()
    """Where the slug is made up: what else to call it when the first is taken, best first."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Something that can't be imported as it is."""

    place: Place
    code: str
    reason: str
    other: Place | None = None
    """The other place of a conflict."""
    harmless: bool = False
    """Nothing is lost by going on without it: it is told, and does not stop the import."""

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}"
