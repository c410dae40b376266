"""How files are read for import."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any


class Split(Enum):
    """What becomes of a Markdown file without front matter."""

    AUTO = "auto"
    """Rules are cut at their headings; of lore, long files only."""
    HEADINGS = "headings"
    FILES = "files"


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What the files do not say of themselves."""

    domain: str
    language: str = ""
    type: str = ""
    source: str = ""
    split: Split = Split.AUTO
    mapping: Mapping[str, Any] | None = None

    @property
    def type_or_default(self) -> str:
        """The type of articles that have none of their own."""
        return self.type or ("rule" if self.domain == "srd" else "article")

    def defaults(self) -> dict[str, Any]:
        """Members that an article takes where it says nothing itself."""
        given = {"language": self.language, "type": self.type}
        return {name: value for name, value in given.items() if value}
