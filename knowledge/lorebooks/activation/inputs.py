"""What an activation is asked: books with their place, a chat, and settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from knowledge.lorebooks.core.book import Book, Number
from knowledge.lorebooks.core.vocabulary import ScanSource

MAX_SCAN_DEPTH = 1000
"""Messages that are scanned at most, as in SillyTavern."""


class ActivationDialect(StrEnum):
    """Whose rules decide."""

    FAITHFUL = "faithful"  # SillyTavern's, step by step, its bugs included
    M37 = "m37"  # ours: words of every script, stems, a budget that is filled


class BookKind(StrEnum):
    """What a book is bound to; it decides whose entries come first."""

    CHAT = "chat"
    PERSONA = "persona"
    CHARACTER = "character"
    GLOBAL = "global"


class InsertionStrategy(StrEnum):
    """How entries of character and global books are merged. Chat books, then persona books, always come first."""

    EVENLY = "evenly"
    CHARACTER_FIRST = "character_first"
    GLOBAL_FIRST = "global_first"


@dataclass(frozen=True, slots=True)
class BoundBook:
    """A book in use. `world` is the name that its entries are known by; empty is the book's own."""

    book: Book
    kind: BookKind = BookKind.GLOBAL
    world: str = ""

    @property
    def name(self) -> str:
        """The name that entries of the book are told apart by."""
        return self.world or self.book.name


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message that may hold keys: messages of the system are left out by the caller, as SillyTavern does."""

    text: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Chat:
    """Messages, oldest first, and the other texts that may be scanned."""

    messages: tuple[ChatMessage, ...] = ()
    sources: Mapping[ScanSource, str] = field(default_factory=dict)
    injections: tuple[str, ...] = ()  # author's note and prompts of extensions that allow scanning
    total: int | None = None  # messages of the whole chat, where `messages` are only its end

    @property
    def message_count(self) -> int:
        """What timed effects are counted by."""
        return len(self.messages) if self.total is None else self.total


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivationSettings:
    """The defaults are SillyTavern's."""

    dialect: ActivationDialect = ActivationDialect.FAITHFUL
    scan_depth: int = 2  # messages
    include_names: bool = True
    case_sensitive: bool = False
    match_whole_words: bool = False
    context_tokens: int = 8192
    budget_percent: Number = 25
    budget_cap: int = 0  # tokens; 0 is none
    is_recursive: bool = False
    max_recursion_steps: int = 0  # loops; 0 is no limit
    min_activations: int = 0
    min_activations_max_depth: int = 0  # messages; 0 is no limit
    use_group_scoring: bool = False
    strategy: InsertionStrategy = InsertionStrategy.CHARACTER_FIRST
    trigger: str = "normal"  # the kind of generation
    character: str = ""  # file name of the character, for filters
    character_tags: frozenset[str] | None = None
    macros: Mapping[str, str] = field(default_factory=dict)  # {{name}} and its value, e.g. user and char
    external: frozenset[str] = frozenset()  # `world.uid` of entries that something else activates, e.g. vectors
    flags: Mapping[str, object] | None = None  # of `when: flag:…`; None: not known
    dispositions: Mapping[str, object] | None = None
    is_dry_run: bool = False  # leaves timed effects alone, sticky and cooldown unseen

    @property
    def is_faithful(self) -> bool:
        """Whether SillyTavern's rules decide."""
        return self.dialect is ActivationDialect.FAITHFUL

    def compute_budget(self) -> int:
        """Tokens: a share of the context, rounded half up, 1 for 0, at most the cap."""
        budget = int((self.budget_percent * self.context_tokens / 100 + 0.5) // 1) or 1
        return self.budget_cap if 0 < self.budget_cap < budget else budget
