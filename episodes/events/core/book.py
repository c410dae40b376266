"""The events of a conversation as a lorebook of SillyTavern, and such a book read back."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from episodes.events.core.cards import escape_entry, unescape_content
from knowledge.lorebooks.core.book import Book, Entry
from knowledge.lorebooks.core.vocabulary import Dialect
from knowledge.lorebooks.errors import WorldInfoInvalid
from knowledge.lorebooks.json_text import check_nesting
from knowledge.lorebooks.readers import read_book
from knowledge.lorebooks.writers import write_book

ORDER_FROM = 100
"""Of the first event; later ones stand nearer to the end of the prompt."""
LOWERED = 1000
"""By so much an archived entry stands before all others, where a world lowers them."""
ARCHIVED = "archived"
OWN = "memory37"
MARK = "m37"
MAX_CONTENT_LENGTH = 20_000
MAX_KEYS = 24
MAX_FOREIGN = 500
"""Entries of others that a conversation's book keeps."""
FOREIGN_FROM = 1_000_000_000
"""Added to the uid of an entry of others that an event has, too: no conversation has so many messages."""


@dataclass(frozen=True, slots=True)
class BookEvent:
    """An event as its entry needs it."""

    id: str
    title: str
    content: str
    keywords: tuple[str, ...]
    state: str
    first_seq: int
    last_seq: int
    rev: int
    is_enabled: bool
    is_lowered: bool


@dataclass(frozen=True, slots=True)
class EntryEdit:
    """What a book that came back says otherwise than the event: None where it says the same."""

    event_id: str
    rev: int
    """That the entry had when it was given out."""
    title: str | None = None
    content: str | None = None
    keywords: tuple[str, ...] | None = None
    is_disabled: bool | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing was changed."""
        return all(each is None for each in (self.title, self.content, self.keywords, self.is_disabled))


def name_entry(event: BookEvent) -> str:
    """An entry's comment: marked as ours, with its messages, so that lists sort and people see what it is."""
    return f"[{MARK} {event.first_seq}–{event.last_seq}] {event.title}"


def build_entries(events: Sequence[BookEvent]) -> dict[str, dict[str, Any]]:
    """Uid to the entry's JSON, in the order of the story. The uid is the first message's place: it stays the same."""
    entries = []
    for place, event in enumerate(sorted(events, key=lambda each: each.first_seq)):
        escaped = escape_entry(event.content, event.keywords)
        entries.append(
            Entry(
                uid=str(event.first_seq),
                index=place,
                is_enabled=event.is_enabled,
                keys=escaped.keys,
                secondary_keys=(),
                comment=name_entry(event),
                content=escaped.content,
                order=ORDER_FROM + event.first_seq - (LOWERED if event.is_lowered else 0),
            )
        )
    book = write_book(Book(entries=tuple(entries), dialect=Dialect.SILLYTAVERN))
    written: dict[str, dict[str, Any]] = book["entries"]
    for event in events:
        written[str(event.first_seq)].setdefault("extensions", {})[OWN] = describe_event(event)
    return written


def describe_event(event: BookEvent) -> dict[str, Any]:
    """What an entry says of its event. Source: anchors, C-R7."""
    return {
        "event_id": event.id,
        "state": event.state,
        "messages": [event.first_seq, event.last_seq],
        "rev": event.rev,
    }


def split_book(raw: Any) -> tuple[dict[str, Entry], dict[str, Any]]:
    """Event id to its entry, and all other entries by uid as they came.

    Raises WorldInfoInvalid, also for more entries of others than are kept and for JSON too deep to be given out again.
    """
    check_nesting(raw, WorldInfoInvalid)
    book = read_book(raw, Dialect.SILLYTAVERN)
    own: dict[str, Entry] = {}
    foreign: dict[str, Any] = {}
    for entry in book.entries:
        marked = _read_mark(entry.raw)
        if marked is None or marked["event_id"] in own:
            foreign[entry.uid] = dict(entry.raw)
        else:
            own[marked["event_id"]] = entry
    if len(foreign) > MAX_FOREIGN:
        raise WorldInfoInvalid(f"has {len(foreign)} entries of others; {MAX_FOREIGN} are kept", pointer="/entries")
    return own, foreign


def place_foreign(foreign: Mapping[str, Any], taken: Collection[str]) -> dict[str, Any]:
    """Entries of others by uid; one whose uid an event has taken since gets another, so that both stay in the book."""
    placed = {uid: raw for uid, raw in foreign.items() if uid not in taken}
    for uid in sorted(set(foreign) & set(taken), key=int):
        moved = next(free for free in itertools.count(FOREIGN_FROM + int(uid)) if str(free) not in placed)
        placed[str(moved)] = {**foreign[uid], "uid": moved}
    return placed


def _read_mark(raw: Mapping[str, Any]) -> Mapping[str, Any] | None:
    extensions = raw.get("extensions")
    marked = extensions.get(OWN) if isinstance(extensions, Mapping) else None
    return marked if isinstance(marked, Mapping) and isinstance(marked.get("event_id"), str) else None


def compare_entry(entry: Entry, event: BookEvent) -> EntryEdit:
    """What a person changed of an entry: its title, its text, its keys, or whether it is on."""
    marked = _read_mark(entry.raw) or {}
    rev = marked.get("rev")
    known_rev = rev if isinstance(rev, int) and not isinstance(rev, bool) else 0
    escaped = escape_entry(event.content, event.keywords)
    title = entry.comment.removeprefix(f"[{MARK} {event.first_seq}–{event.last_seq}]").strip()
    content = unescape_content(entry.content)[:MAX_CONTENT_LENGTH]
    keys = tuple(dict.fromkeys(key.strip() for key in entry.keys if key.strip()))[:MAX_KEYS]
    return EntryEdit(
        event_id=event.id,
        rev=known_rev,
        title=None if title == event.title else title,
        content=None if entry.content == escaped.content or not content.strip() else content,
        keywords=None if keys == escaped.keys or not keys else keys,
        is_disabled=None if _is_switched_meanwhile(entry, event, known_rev) else not entry.is_enabled,
    )


def _is_switched_meanwhile(entry: Entry, event: BookEvent, known_rev: int) -> bool:
    """Whether nobody switched the entry: it is as here, or was on when it was given out, before the archive."""
    is_archived = event.state == ARCHIVED and entry.is_enabled and known_rev < event.rev
    return entry.is_enabled == event.is_enabled or is_archived
