"""Agnai memory books: name, keywords, entry, weight and priority, and members of V2 that Agnai keeps and ignores."""

from __future__ import annotations

from typing import Any

from knowledge.lorebooks.core.vocabulary import Dialect
from knowledge.lorebooks.formats.codecs import FLAG, INTEGER, NUMBER, TEXT, TEXTS
from knowledge.lorebooks.formats.members import EntryFormat, Inverted, Member, Plain
from knowledge.lorebooks.formats.sillytavern import POSITION, optional
from knowledge.lorebooks.json_text import Path

KEPT_UNREAD = frozenset({"secondary_keys", "is_selective", "is_constant", "position", "name"})
"""Fields of V2 that Agnai carries along without acting on them."""
_NAMED = "position"


class _NamedPosition:
    """`position` by name; Agnai's files have nothing below that."""

    field = _NAMED
    paths: tuple[Path, ...] = ((_NAMED,),)
    _plain = Plain(_NAMED, ((_NAMED,),), POSITION)

    def read(self, raw: Any, pointer: str) -> Any:
        return self._plain.read(raw, pointer)

    def write(self, raw: dict[str, Any], value: Any) -> None:
        if value != self.read(raw, ""):
            raw[_NAMED] = "before_char" if value.value == "before_char" else "after_char"


ENTRY_MEMBERS: tuple[Member, ...] = (
    Plain("keys", (("keywords",),), TEXTS),
    Plain("comment", (("name",),), TEXT),
    Plain("content", (("entry",),), TEXT),
    Plain("order", (("weight",),), NUMBER, absent=0),
    Plain("priority", (("priority",),), NUMBER),
    Inverted("is_enabled", inverted=(), plain=(("enabled",),)),
    _NamedPosition(),
    *optional(
        Plain("name", (("comment",),), TEXT),
        Plain("secondary_keys", (("secondaryKeys",),), TEXTS),
        Plain("is_constant", (("constant",),), FLAG),
        Plain("is_selective", (("selective",),), FLAG, absent=False),
    ),
)

BOOK_MEMBERS: tuple[Member, ...] = optional(
    Plain("name", (("name",),), TEXT),
    Plain("description", (("description",),), TEXT),
    Plain("scan_depth", (("scanDepth",),), INTEGER),
    Plain("token_budget", (("tokenBudget",),), INTEGER),
    Plain("recursive_scanning", (("recursiveScanning",),), FLAG),
    Plain("memory37_id", (("extensions", "memory37", "id"),), TEXT),
)

NEW_ENTRY: dict[str, Any] = {"name": "", "entry": "", "keywords": [], "priority": 0, "weight": 0, "enabled": True}

AGNAI = EntryFormat(
    dialect=Dialect.AGNAI,
    entry_members=ENTRY_MEMBERS,
    book_members=BOOK_MEMBERS,
    new_entry=NEW_ENTRY,
    new_book={"kind": "memory", "name": "", "description": "", "entries": []},
    uid_paths=(("id",),),
    extensions="",
)
