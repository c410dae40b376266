"""The neutral model of a lorebook: `Book` and `Entry`, read from and written to every dialect.

A reader fills in what affects activation or placement and keeps the JSON that it read in `raw`. A writer of the same
dialect starts from `raw` and changes only members whose neutral value differs from what `raw` says, so that a book
without edits is written back equal to what was read, unknown members and their order included. Edit with
`dataclasses.replace`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from knowledge.lorebooks.core.vocabulary import Dialect, Position, RegexKeys, Role, ScanSource, SelectiveLogic

Number = int | float

DEFAULT_ORDER = 100
DEFAULT_DEPTH = 4  # SillyTavern's depth of an entry at depth
DEFAULT_GROUP_WEIGHT = 100
ALWAYS_PERCENT = 100


class Unread(dict[str, Any]):
    """Stands for the JSON of what was not read from a file: the writer begins with what a new one has."""


@dataclass(frozen=True, slots=True)
class Decorator:
    """One `@@name value` line of content, with the `@@@` lines that stand in where its name is unknown."""

    name: str
    value: str = ""
    fallbacks: tuple[Decorator, ...] = ()


@dataclass(frozen=True, slots=True)
class CharacterFilter:
    """The characters whose chats an entry may be in; with `is_exclude`, those it must stay out of."""

    names: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    is_exclude: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry. None in a `bool | None` or `int | None` means: as the book or the reader's settings say."""

    uid: str  # unique in its book, as the file names it
    index: int = 0  # place in the file
    is_enabled: bool = True

    keys: tuple[str, ...] = ()
    secondary_keys: tuple[str, ...] = ()
    is_selective: bool = True  # whether secondary keys are looked at
    logic: SelectiveLogic = SelectiveLogic.AND_ANY
    is_constant: bool = False
    is_vectorized: bool = False  # found by meaning, not by keys
    regex_keys: RegexKeys = RegexKeys.SLASHED
    case_sensitive: bool | None = None
    match_whole_words: bool | None = None
    scan_depth: int | None = None  # messages
    scan_characters: int | None = None  # characters; NovelAI's searchRange
    scan_sources: tuple[ScanSource, ...] = ()

    comment: str = ""  # the editor's title
    name: str = ""  # V2's own, beside the comment
    content: str = ""  # as written: decorators, macros and HTML are text
    decorators: tuple[Decorator, ...] = ()  # those at the beginning of the content

    position: Position = Position.BEFORE_CHAR
    depth: int = DEFAULT_DEPTH
    role: Role = Role.SYSTEM
    outlet: str = ""
    order: Number = DEFAULT_ORDER  # higher is nearer the end of the prompt, and first in the budget
    priority: Number | None = None  # what is kept when the budget is short; V2 and Agnai
    ignores_budget: bool = False
    token_limit: int | None = None  # NovelAI's tokenBudget of one entry

    use_probability: bool = True
    probability: Number = ALWAYS_PERCENT  # per cent; looked at only with `use_probability`
    groups: tuple[str, ...] = ()
    group_override: bool = False
    group_weight: Number = DEFAULT_GROUP_WEIGHT
    use_group_scoring: bool | None = None
    sticky: int | None = None  # messages
    cooldown: int | None = None
    delay: int | None = None

    exclude_recursion: bool = False  # never found by other entries' content
    prevent_recursion: bool = False  # its content finds no other entry
    delay_until_recursion: int = 0  # recursion level from which it may fire; 0 is at once

    triggers: tuple[str, ...] = ()  # kinds of generation; empty is all
    character_filter: CharacterFilter | None = None
    automation_id: str = ""
    folder: str = ""  # Risu's folder, NovelAI's category
    is_folder: bool = False  # Risu keeps folders among its entries: they never fire
    display_index: int | None = None

    memory37_id: str = ""  # `extensions.memory37.id`: the article or event that the entry was exported from
    conditions: tuple[str, ...] = ()  # `extensions.memory37.when`: flags and dispositions, e.g. `flag:gate_open`
    raw: Mapping[str, Any] = field(default_factory=Unread, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """A lorebook: its entries in the order of the file, and settings that hold for all of them."""

    entries: tuple[Entry, ...] = ()
    name: str = ""
    description: str = ""
    scan_depth: int | None = None
    token_budget: int | None = None
    recursive_scanning: bool | None = None
    dialect: Dialect = Dialect.SILLYTAVERN  # of the entries, whatever the file around them is
    memory37_id: str = ""  # `extensions.memory37.id` of the book
    raw: Mapping[str, Any] = field(default_factory=Unread, compare=False, repr=False)
