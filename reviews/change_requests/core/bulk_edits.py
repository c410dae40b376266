"""One edit for many articles: tags, type, who may know them, settings of lorebooks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

LOREBOOK_FIELD = "lorebook"


@dataclass(frozen=True, slots=True)
class BulkEdit:
    """What becomes of each article; what is empty stays as it is."""

    add_tags: tuple[str, ...] = ()
    remove_tags: tuple[str, ...] = ()
    type: str = ""
    audience: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    """Lines of the field `lorebook`, `name=value`; they go before those of the same name. `name=` takes them away."""

    def __bool__(self) -> bool:
        return any((self.add_tags, self.remove_tags, self.type, self.audience, self.settings))

    def apply(self, content: Mapping[str, Any]) -> dict[str, Any]:
        """The article's content with the edit."""
        edited = dict(content)
        kept = [tag for tag in content.get("tags", ()) if tag not in self.remove_tags]
        edited["tags"] = list(dict.fromkeys([*kept, *self.add_tags]))
        if self.type:
            edited["type"] = self.type
        if self.audience:
            edited["audience"] = "public" if self.audience == ("public",) else list(self.audience)
        if self.settings:
            if LOREBOOK_FIELD not in content.get("fields", {}):  # with settings, aliases alone are its keys
                edited["aliases"] = list(dict.fromkeys([content["title"], *content.get("aliases", ())]))
            edited["fields"] = _edit_settings(content.get("fields", {}), self.settings)
        return edited


def _edit_settings(fields: Mapping[str, Any], lines: tuple[str, ...]) -> dict[str, Any]:
    names = {_name(line) for line in lines}
    before = fields.get(LOREBOOK_FIELD, [])
    kept = [line for line in (before if isinstance(before, list) else [before]) if _name(str(line)) not in names]
    settings = [*kept, *(line.strip() for line in lines if line.partition("=")[2].strip())]
    edited = {name: value for name, value in fields.items() if name != LOREBOOK_FIELD}
    return {**edited, LOREBOOK_FIELD: settings} if settings or LOREBOOK_FIELD in fields else edited


def _name(line: str) -> str:
    return line.partition("=")[0].strip()
