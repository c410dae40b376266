"""A character card: who speaks, in the words of its author, and the book that comes with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from knowledge.lorebooks.core.book import Book


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """What all versions of the format say of a character; macros and HTML in it are text."""

    name: str = ""
    description: str = ""
    personality: str = ""
    scenario: str = ""
    first_message: str = ""
    example_messages: str = ""
    creator_notes: str = ""
    system_prompt: str = ""
    post_history_instructions: str = ""
    alternate_greetings: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    creator: str = ""
    character_version: str = ""
    nickname: str = ""
    memory37_id: str = ""  # `extensions.memory37.id`: the NPC that the card was exported from
    book: Book | None = None
    raw: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)
