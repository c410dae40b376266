"""Short ways to say a book, a chat and an activation in tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from knowledge.lorebooks.activation.engine import Activation, activate
from knowledge.lorebooks.activation.inputs import ActivationDialect, ActivationSettings, BoundBook, Chat, ChatMessage
from knowledge.lorebooks.activation.timed_state import TimedState
from knowledge.lorebooks.activation.trace import EntryTrace
from knowledge.lorebooks.core.book import Book, Entry

M37 = ActivationDialect.M37


def entry(uid: object, *keys: str, **members: Any) -> Entry:
    """An entry whose content is its uid, unless said otherwise."""
    return Entry(uid=str(uid), keys=keys, **{"content": f"text {uid}", **members})


def book(*entries: Entry, name: str = "lore") -> BoundBook:
    """A global book."""
    return BoundBook(Book(entries=entries, name=name))


def chat(*texts: str, **members: Any) -> Chat:
    """Messages without names, oldest first."""
    return Chat(tuple(ChatMessage(text) for text in texts), **members)


def words(text: str) -> int:
    """A counter of tokens that a test can follow: one a word."""
    return len(text.split())


def run(
    books: BoundBook | Sequence[BoundBook],
    chat: Chat,
    state: TimedState | None = None,
    *,
    seed: int = 0,
    rolls: Sequence[float] = (),
    **settings: Any,
) -> Activation:
    """An activation that counts words as tokens."""
    return activate(
        [books] if isinstance(books, BoundBook) else books,
        chat, ActivationSettings(**settings), state or TimedState(), seed, rolls=rolls, count=words,
    )  # fmt: skip


def fired(activation: Activation) -> set[str]:
    """The uids that are in."""
    return {trace.uid for trace in activation.trace.entries if trace.is_active}


def explain(activation: Activation, uid: object) -> EntryTrace:
    """The trace of one entry."""
    return next(trace for trace in activation.trace.entries if trace.uid == str(uid))
