"""SillyTavern World Info, 1.10 to 1.19, and files of Chub, which add the spellings of Character Card V2.

Entries stand in an object by uid. Null means: as the settings say. A file that was made of a card keeps the card's
book in `originalData`. Source: SillyTavern's documentation of World Info (March 2026) and its converters.
"""

from __future__ import annotations

from typing import Any

from knowledge.lorebooks.core.vocabulary import GENERATION_TRIGGERS, Dialect, Position, Role, ScanSource, SelectiveLogic
from knowledge.lorebooks.formats.codecs import (
    CHARACTER_FILTER,
    FLAG,
    GROUPS,
    INTEGER,
    NUMBER,
    RECURSION_LEVEL,
    TEXT,
    TEXTS,
    Codec,
    enum_codec,
    one_of,
)
from knowledge.lorebooks.formats.members import EntryFormat, FlagSet, Inverted, Member, Plain
from knowledge.lorebooks.json_text import Path, delete_path

POSITIONS = tuple(Position)
ROLES = tuple(Role)
LOGIC = tuple(SelectiveLogic)
POSITION = enum_codec(POSITIONS)
ROLE = enum_codec(ROLES)
SELECTIVE_LOGIC = enum_codec(LOGIC, by_value=False)
TRIGGERS = Codec(one_of(GENERATION_TRIGGERS), list)

SCAN_SOURCES = (
    (ScanSource.PERSONA_DESCRIPTION, "matchPersonaDescription"),
    (ScanSource.CHARACTER_DESCRIPTION, "matchCharacterDescription"),
    (ScanSource.CHARACTER_PERSONALITY, "matchCharacterPersonality"),
    (ScanSource.CHARACTER_DEPTH_PROMPT, "matchCharacterDepthPrompt"),
    (ScanSource.SCENARIO, "matchScenario"),
    (ScanSource.CREATOR_NOTES, "matchCreatorNotes"),
)

SPELLINGS: tuple[tuple[str, str, str, Codec], ...] = (
    # field of the model, World Info, `extensions` of a card's entry, codec
    ("scan_depth", "scanDepth", "scan_depth", INTEGER),
    ("case_sensitive", "caseSensitive", "case_sensitive", FLAG),
    ("match_whole_words", "matchWholeWords", "match_whole_words", FLAG),
    ("logic", "selectiveLogic", "selectiveLogic", SELECTIVE_LOGIC),
    ("is_vectorized", "vectorized", "vectorized", FLAG),
    ("depth", "depth", "depth", INTEGER),
    ("role", "role", "role", ROLE),
    ("outlet", "outletName", "outlet_name", TEXT),
    ("ignores_budget", "ignoreBudget", "ignore_budget", FLAG),
    ("use_probability", "useProbability", "useProbability", FLAG),
    ("probability", "probability", "probability", NUMBER),
    ("groups", "group", "group", GROUPS),
    ("group_override", "groupOverride", "group_override", FLAG),
    ("group_weight", "groupWeight", "group_weight", NUMBER),
    ("use_group_scoring", "useGroupScoring", "use_group_scoring", FLAG),
    ("sticky", "sticky", "sticky", INTEGER),
    ("cooldown", "cooldown", "cooldown", INTEGER),
    ("delay", "delay", "delay", INTEGER),
    ("exclude_recursion", "excludeRecursion", "exclude_recursion", FLAG),
    ("prevent_recursion", "preventRecursion", "prevent_recursion", FLAG),
    ("delay_until_recursion", "delayUntilRecursion", "delay_until_recursion", RECURSION_LEVEL),
    ("triggers", "triggers", "triggers", TRIGGERS),
    ("automation_id", "automationId", "automation_id", TEXT),
    ("display_index", "displayIndex", "display_index", INTEGER),
    ("character_filter", "characterFilter", "character_filter", CHARACTER_FILTER),
)


def _spell(name: str, extension: str) -> tuple[Path, ...]:
    """SillyTavern's own spelling, then what Chub and cards write into `extensions`."""
    inner: dict[Path, None] = {("extensions", extension): None, ("extensions", name): None}
    return ((name,), *inner)


def memory37_members(extensions: str) -> tuple[Member, ...]:
    """What Memory37 itself keeps in an entry: the id for coming back, and conditions."""
    return (
        Plain("memory37_id", ((extensions, "memory37", "id"),), TEXT),
        Plain("conditions", ((extensions, "memory37", "when"),), TEXTS),
    )


class _LeavesEmptyOut:
    """A member that is not written where it says nothing, and taken away where it no longer says anything."""

    def __init__(self, member: Plain) -> None:
        self._member = member
        self.field = member.field
        self.paths = member.paths

    def read(self, raw: Any, pointer: str) -> Any:
        return self._member.read(raw, pointer)

    def write(self, raw: dict[str, Any], value: Any) -> None:
        if value is None:
            for path in self.paths:
                delete_path(raw, path)
        elif value or self._member.read(raw, "") != value:
            self._member.write(raw, value)


def optional(*members: Member) -> tuple[Member, ...]:
    """The members, written only where they say something."""
    return tuple(_LeavesEmptyOut(member) if isinstance(member, Plain) else member for member in members)


ENTRY_MEMBERS: tuple[Member, ...] = (
    Plain("keys", (("key",), ("keys",)), TEXTS),
    Plain("secondary_keys", (("keysecondary",), ("secondary_keys",)), TEXTS),
    Plain("comment", (("comment",),), TEXT),
    Plain("content", (("content",),), TEXT),
    Plain("is_constant", (("constant",),), FLAG),
    Plain("is_selective", (("selective",),), FLAG, absent=True),
    Plain("order", (("order",), ("insertion_order",)), NUMBER),
    Plain("position", (("position",), ("extensions", "position")), POSITION),
    Inverted("is_enabled", inverted=(("disable",),), plain=(("enabled",),)),
    *(
        Plain(field, _spell(name, extension), codec)
        for field, name, extension, codec in SPELLINGS
        if field != "character_filter"
    ),
    FlagSet(
        "scan_sources",
        tuple((source, _spell(name, source.value)) for source, name in SCAN_SOURCES),
    ),
    *optional(
        Plain("character_filter", _spell("characterFilter", "character_filter"), CHARACTER_FILTER, skips_null=True),
        Plain("name", (("name",),), TEXT),
        Plain("priority", (("priority",),), NUMBER),
        *memory37_members("extensions"),
    ),
)

BOOK_MEMBERS: tuple[Member, ...] = optional(
    Plain("name", (("name",),), TEXT),
    Plain("description", (("description",),), TEXT),
    Plain("scan_depth", (("scan_depth",), ("scanDepth",)), INTEGER),
    Plain("token_budget", (("token_budget",), ("tokenBudget",)), INTEGER),
    Plain("recursive_scanning", (("recursive_scanning",), ("recursiveScanning",)), FLAG),
    Plain("memory37_id", (("extensions", "memory37", "id"),), TEXT),
)

NEW_ENTRY: dict[str, Any] = {
    "uid": 0,
    "key": [],
    "keysecondary": [],
    "comment": "",
    "content": "",
    "constant": False,
    "vectorized": False,
    "selective": True,
    "selectiveLogic": 0,
    "addMemo": True,
    "order": 100,
    "position": 0,
    "disable": False,
    "ignoreBudget": False,
    "excludeRecursion": False,
    "preventRecursion": False,
    "matchPersonaDescription": False,
    "matchCharacterDescription": False,
    "matchCharacterPersonality": False,
    "matchCharacterDepthPrompt": False,
    "matchScenario": False,
    "matchCreatorNotes": False,
    "delayUntilRecursion": 0,
    "probability": 100,
    "useProbability": True,
    "depth": 4,
    "outletName": "",
    "group": "",
    "groupOverride": False,
    "groupWeight": 100,
    "scanDepth": None,
    "caseSensitive": None,
    "matchWholeWords": None,
    "useGroupScoring": None,
    "automationId": "",
    "role": 0,
    "sticky": None,
    "cooldown": None,
    "delay": None,
    "triggers": [],
}

SILLYTAVERN = EntryFormat(
    dialect=Dialect.SILLYTAVERN,
    entry_members=ENTRY_MEMBERS,
    book_members=BOOK_MEMBERS,
    new_entry=NEW_ENTRY,
    new_book={"entries": {}},
    uid_paths=(("uid",), ("id",)),
    is_keyed=True,
    kept_decorators=frozenset({"activate", "dont_activate"}),
)
