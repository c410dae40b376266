"""NovelAI lorebooks (`lorebookVersion` 1 to 6), also inside a scenario or a picture.

Positions are counted in lines from the top (0) or the end (-1); a lorebook entry at -1 stands above the story, since
the story is put in after it. Source: files of NovelAI and SillyTavern's converter.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from knowledge.lorebooks.core.vocabulary import Dialect, Position
from knowledge.lorebooks.formats.codecs import ABSENT, FLAG, INTEGER, NUMBER, TEXT, TEXTS, Codec, read_integer
from knowledge.lorebooks.formats.members import ENTRY_DEFAULTS, EntryFormat, Inverted, Member, Plain
from knowledge.lorebooks.formats.sillytavern import optional
from knowledge.lorebooks.json_text import Path, get_path, point, set_path

_CONFIG = "contextConfig"
_INSERTION: Path = (_CONFIG, "insertionPosition")


def _read_line(raw: Mapping[str, Any], pointer: str) -> int:
    found, value = get_path(raw, _INSERTION)
    line = read_integer(value, point(pointer, *_INSERTION)) if found else ABSENT
    return -1 if line is ABSENT else line


class PlaceMember:
    """`insertionPosition` of -2 and below is so many lines above the end, less one; all else is before the story."""

    field = "position"
    paths: tuple[Path, ...] = (_INSERTION,)

    def read(self, raw: Mapping[str, Any], pointer: str) -> Any:
        return Position.AT_DEPTH if _read_line(raw, pointer) < -1 else Position.BEFORE_CHAR

    def write(self, raw: dict[str, Any], value: Any) -> None:
        if value is not self.read(raw, ""):
            set_path(raw, _INSERTION, -1 - ENTRY_DEFAULTS["depth"] if value is Position.AT_DEPTH else -1)


class DepthMember:
    """The depth of an entry in the story; elsewhere NovelAI has none."""

    field = "depth"
    paths: tuple[Path, ...] = (_INSERTION,)

    def read(self, raw: Mapping[str, Any], pointer: str) -> Any:
        line = _read_line(raw, pointer)
        return -line - 1 if line < -1 else ENTRY_DEFAULTS["depth"]

    def write(self, raw: dict[str, Any], value: Any) -> None:
        if _read_line(raw, "") < -1:
            set_path(raw, _INSERTION, -1 - max(int(value), 1))


def _read_token_limit(value: Any, pointer: str) -> Any:
    """Whole tokens; newer files may hold a share of the context there (1 or less), which is no number of tokens."""
    limit = read_integer(value, pointer)
    return ABSENT if limit is ABSENT or limit <= 1 else limit


ENTRY_MEMBERS: tuple[Member, ...] = (
    Plain("keys", (("keys",),), TEXTS),
    Plain("comment", (("displayName",),), TEXT),
    Plain("content", (("text",),), TEXT),
    Inverted("is_enabled", inverted=(), plain=(("enabled",),)),
    Plain("is_constant", (("forceActivation",),), FLAG),
    Plain("order", ((_CONFIG, "budgetPriority"),), NUMBER, absent=0),
    PlaceMember(),
    DepthMember(),
    *optional(
        Plain("scan_characters", (("searchRange",),), INTEGER),
        Plain("token_limit", ((_CONFIG, "tokenBudget"),), Codec(_read_token_limit)),
        Plain("folder", (("category",),), TEXT),
    ),
)

BOOK_MEMBERS: tuple[Member, ...] = optional(Plain("name", (("name",),), TEXT))

NEW_ENTRY: dict[str, Any] = {
    "text": "",
    "contextConfig": {
        "prefix": "",
        "suffix": "\n",
        "tokenBudget": 1,
        "reservedTokens": 0,
        "budgetPriority": 400,
        "trimDirection": "trimBottom",
        "insertionType": "newline",
        "maximumTrimType": "sentence",
        "insertionPosition": -1,
    },
    "displayName": "",
    "id": "",
    "keys": [],
    "searchRange": 1000,
    "enabled": True,
    "forceActivation": False,
    "keyRelative": False,
    "nonStoryActivatable": False,
    "category": "",
    "loreBiasGroups": [],
}

NOVELAI = EntryFormat(
    dialect=Dialect.NOVELAI,
    entry_members=ENTRY_MEMBERS,
    book_members=BOOK_MEMBERS,
    new_entry=NEW_ENTRY,
    new_book={"lorebookVersion": 6, "entries": [], "settings": {"orderByKeyLocations": False}, "categories": []},
    uid_paths=(("id",),),
    extensions="",
)
