"""How many tokens a book takes, whole and by place in the prompt, in o200k tokens as every budget here."""

from __future__ import annotations

from dataclasses import dataclass, field

from knowledge.lorebooks.core.book import Book, Entry
from knowledge.lorebooks.core.decorators import split_decorators
from knowledge.lorebooks.core.vocabulary import Position
from knowledge.lorebooks.formats.decorator_fields import resolve_decorators
from knowledge.text.tokens import count_tokens


@dataclass(frozen=True, slots=True)
class TokenCounts:
    """Tokens of content. `by_position` and `constant` count enabled entries, `entries` all of them."""

    total: int = 0
    enabled: int = 0
    constant: int = 0
    by_position: dict[str, int] = field(default_factory=dict)
    entries: dict[str, int] = field(default_factory=dict)


def count_book_tokens(book: Book) -> TokenCounts:
    """The counts of a book; decorators are no content, macros count as they are written."""
    entries = {entry.uid: count_entry_tokens(entry) for entry in book.entries}
    by_position: dict[str, int] = {}
    enabled = constant = 0
    for entry in book.entries:
        placed, _ = resolve_decorators(entry)
        if not placed.is_enabled or placed.is_folder:
            continue
        tokens = entries[entry.uid]
        enabled += tokens
        constant += tokens if placed.is_constant else 0
        place = name_place(placed)
        by_position[place] = by_position.get(place, 0) + tokens
    return TokenCounts(sum(entries.values()), enabled, constant, by_position, entries)


def count_entry_tokens(entry: Entry) -> int:
    """Tokens of one entry's content, decorators left out."""
    return count_tokens(split_decorators(entry.content)[1])


def name_place(entry: Entry) -> str:
    """The place of an entry as a name: `at_depth:4:system`, `outlet:rules`, or the position alone."""
    if entry.position is Position.AT_DEPTH:
        return f"{entry.position.value}:{entry.depth}:{entry.role.value}"
    if entry.position is Position.OUTLET:
        return f"{entry.position.value}:{entry.outlet}"
    return entry.position.value
