"""RisuAI's own lorebooks: keys joined by commas, placement and conditions as decorators in content.

RisuAI has no disabled entries: what is disabled elsewhere is `@@dont_activate` here. Source: RisuAI of December 2025.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from knowledge.lorebooks.core.vocabulary import Dialect, RegexKeys
from knowledge.lorebooks.formats.codecs import ABSENT, COMMA_TEXT, FLAG, NUMBER, TEXT, read_number
from knowledge.lorebooks.formats.members import EntryFormat, Member, Plain
from knowledge.lorebooks.formats.sillytavern import memory37_members, optional
from knowledge.lorebooks.json_text import Path, delete_path, get_path, point, set_path

FOLDER_MODE = "folder"


class UseRegexMember:
    """`useRegex`: keys are patterns, written /…/; a first key without the slash turns it off, as in RisuAI."""

    field = "regex_keys"
    paths: tuple[Path, ...] = (("useRegex",),)

    def read(self, raw: Mapping[str, Any], pointer: str) -> Any:
        flag = FLAG.read(raw.get("useRegex"), point(pointer, "useRegex"))
        key = raw.get("key")
        first = key[0] if isinstance(key, list) and key else key
        is_slashed = isinstance(first, str) and first.lstrip().startswith("/")
        return RegexKeys.SLASHED if flag is True and is_slashed else RegexKeys.NONE

    def write(self, raw: dict[str, Any], value: Any) -> None:
        set_path(raw, self.paths[0], value is not RegexKeys.NONE)


class ActivationPercentMember:
    """`activationPercent`, with 0 a probability of none; SillyTavern's converter takes 0 for no check at all."""

    field = "probability"
    paths: tuple[Path, ...] = (("activationPercent",),)

    def read(self, raw: Mapping[str, Any], pointer: str) -> Any:
        number = read_number(raw.get("activationPercent"), point(pointer, "activationPercent"))
        return 100 if number is ABSENT else number

    def write(self, raw: dict[str, Any], value: Any) -> None:
        if value != 100 or get_path(raw, self.paths[0])[0]:
            set_path(raw, self.paths[0], value)
        else:
            delete_path(raw, self.paths[0])


class FolderMember:
    """Folders stand among the entries, told by their mode."""

    field = "is_folder"
    paths: tuple[Path, ...] = (("mode",),)

    def read(self, raw: Mapping[str, Any], pointer: str) -> Any:
        return raw.get("mode") == FOLDER_MODE

    def write(self, raw: dict[str, Any], value: Any) -> None:
        if value != self.read(raw, ""):
            raw["mode"] = FOLDER_MODE if value else "normal"


ENTRY_MEMBERS: tuple[Member, ...] = (
    Plain("keys", (("key",),), COMMA_TEXT),
    Plain("secondary_keys", (("secondkey",),), COMMA_TEXT),
    Plain("comment", (("comment",),), TEXT),
    Plain("content", (("content",),), TEXT),
    Plain("is_constant", (("alwaysActive",),), FLAG),
    Plain("is_selective", (("selective",),), FLAG, absent=False),
    Plain("order", (("insertorder",),), NUMBER),
    UseRegexMember(),
    ActivationPercentMember(),
    FolderMember(),
    *optional(
        Plain("case_sensitive", (("extentions", "risu_case_sensitive"),), FLAG),
        Plain("folder", (("folder",),), TEXT),
        *memory37_members("extentions"),
    ),
)

BOOK_MEMBERS: tuple[Member, ...] = optional(
    Plain("name", (("name",),), TEXT),
    Plain("memory37_id", (("memory37", "id"),), TEXT),
)

NEW_ENTRY: dict[str, Any] = {
    "key": "",
    "secondkey": "",
    "insertorder": 100,
    "comment": "",
    "content": "",
    "mode": "normal",
    "alwaysActive": False,
    "selective": False,
    "useRegex": False,
}

RISU = EntryFormat(
    dialect=Dialect.RISU,
    entry_members=ENTRY_MEMBERS,
    book_members=BOOK_MEMBERS,
    new_entry=NEW_ENTRY,
    new_book={"type": "risu", "ver": 1, "data": []},
    entries_path=("data",),
    uid_paths=(("id",),),
    extensions="extentions",  # RisuAI's spelling
    knows_decorators=True,
)
