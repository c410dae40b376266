"""What came of an import, file by file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from knowledge.canon.core.drafts import Refusal

CREATED = "created"
UPDATED = "updated"
UNCHANGED = "unchanged"
OUTCOMES = (CREATED, UPDATED, UNCHANGED)
REFUSALS_KEPT = 10_000


@dataclass(slots=True)
class FileReport:
    """What came of one file."""

    created: int = 0
    updated: int = 0
    unchanged: int = 0
    refused: int = 0

    @property
    def total(self) -> int:
        """Articles and refusals."""
        return self.created + self.updated + self.unchanged + self.refused


@dataclass(slots=True)
class ImportReport:
    """What came of all files. Of the refusals the first ten thousand are kept, all are counted."""

    files: dict[str, FileReport] = field(default_factory=dict)
    refusals: list[Refusal] = field(default_factory=list)
    languages: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    outcome: dict[str, Any] = field(default_factory=dict)

    def add_file(self, name: str) -> None:
        """A file that is read, even if nothing is found in it."""
        self.files.setdefault(name, FileReport())

    def count(self, file: str, outcome: str, language: str = "") -> None:
        """One article of a file, by what became of it."""
        self.add_file(file)
        counts = self.files[file]
        setattr(counts, outcome, getattr(counts, outcome) + 1)
        if language:
            self.languages[language] = self.languages.get(language, 0) + 1

    def refuse(self, refusal: Refusal) -> None:
        """Something that can't be imported; what is harmless becomes a note."""
        self.add_file(refusal.place.file)
        if refusal.harmless:
            self.notes.append(str(refusal))
            return
        self.files[refusal.place.file].refused += 1
        if len(self.refusals) < REFUSALS_KEPT:
            self.refusals.append(refusal)

    def total(self, name: str) -> int:
        """The sum over all files: of created, updated, unchanged, refused or total."""
        return sum(getattr(counts, name) for counts in self.files.values())

    @property
    def articles(self) -> int:
        """Articles that were read and fit the schema."""
        return self.total("total") - self.total("refused")

    def as_json(self) -> dict[str, Any]:
        """The whole report for machines."""
        return {
            **{name: self.total(name) for name in (*OUTCOMES, "refused")},
            **self.outcome,
            "languages": dict(sorted(self.languages.items())),
            "notes": self.notes,
            "files": [
                {
                    "file": name,
                    **{each: getattr(counts, each) for each in (*OUTCOMES, "refused")},
                }
                for name, counts in self.files.items()
            ],
            "refusals": list(_show_refusals(self.refusals)),
        }


def _show_refusals(refusals: Iterable[Refusal]) -> Iterable[dict[str, Any]]:
    for refusal in refusals:
        shown: dict[str, Any] = {
            "file": refusal.place.file,
            "line": refusal.place.line,
            "object": refusal.place.item,
            "code": refusal.code,
            "reason": refusal.reason,
        }
        if refusal.other is not None:
            shown["other"] = str(refusal.other)
        yield shown
