"""A book that people edited comes back: their words stand, with who wrote them. What was forgotten stays forgotten."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from episodes.alternatives.selectors import Trunks
from episodes.events.actions.books import lock_book, take_revision
from episodes.events.actions.node_edits import edit_event
from episodes.events.actions.proposals import propose_edit, withdraw_proposals
from episodes.events.core.book import EntryEdit, compare_entry, split_book
from episodes.events.models import SHOWN_STATES, EventBook, EventNode, EventPolicy, EventState
from episodes.events.selectors.books import list_book_events
from episodes.events.selectors.policies import get_policy
from episodes.models import Conversation
from knowledge.facts.actions.locks import lock_end_user


@dataclass(frozen=True, slots=True)
class BookReport:
    """What became of a book that came back."""

    rev: int
    edited: tuple[str, ...] = ()
    """Events that stand as people wrote them."""
    overtaken: tuple[str, ...] = ()
    """Of these, those that had changed here since the book was given out: the people's words won."""
    proposed: tuple[int, ...] = ()
    """Of their texts, proposals that wait for a decision: until then search and packs tell the event as it was."""
    unknown: tuple[str, ...] = ()
    """Entries of events that this conversation does not have, or that are forgotten: nothing of them is kept."""
    foreign: int = 0
    """Entries that are no event: kept, and given out again as they came."""


def bring_book(*, conversation_id: int, world_id: int | None, raw: Any, author: str, trunks: Trunks = ()) -> BookReport:
    """What became of the book. An edit of an event that a branch shares shows in the book of its trunk as well.

    Locks the conversation's book; of a branch first the user, then the books of its trunks. Raises WorldInfoInvalid,
    with nothing changed.
    """
    own, foreign = split_book(raw)
    with transaction.atomic():
        books = _lock_line(conversation_id, trunks)
        book = books[conversation_id]
        policy = get_policy(world_id)
        events = list_book_events(conversation_id, policy, trunks)
        edits = [compare_entry(entry, events[event_id]) for event_id, entry in own.items() if event_id in events]
        changed = [edit for edit in edits if not edit.is_empty]
        overtaken = [edit.event_id for edit in changed if edit.rev < events[edit.event_id].rev]
        proposed = [_apply(books, policy, edit, author, is_overtaken=edit.event_id in overtaken) for edit in changed]
        _keep_foreign(book, foreign)
        return BookReport(
            rev=sum(each.rev for each in books.values()),
            edited=tuple(edit.event_id for edit in changed),
            overtaken=tuple(overtaken),
            proposed=tuple(proposal for proposal in proposed if proposal is not None),
            unknown=tuple(event_id for event_id in own if event_id not in events),
            foreign=len(book.foreign.get("entries", {})),
        )


def _lock_line(conversation_id: int, trunks: Trunks) -> dict[int, EventBook]:
    """The books of a conversation and of its trunks, locked in the order of ids: a trunk is older than its branches."""
    if trunks:
        conversation = Conversation.objects.get(pk=conversation_id)
        lock_end_user(tenant_id=conversation.tenant_id, end_user_id=conversation.end_user_id)
    return {each: lock_book(each) for each in sorted([conversation_id, *dict(trunks)])}


def _apply(
    books: Mapping[int, EventBook], policy: EventPolicy, edit: EntryEdit, author: str, *, is_overtaken: bool
) -> int | None:
    """The entry as people wrote it; where the event changed meanwhile, a proposal that the event follow their text."""
    node = EventNode.objects.select_for_update(no_key=True).get(pk=edit.event_id)
    if node.state not in SHOWN_STATES:
        return None
    change: dict[str, Any] = {
        name: value
        for name, value in (
            ("title", edit.title),
            ("content", edit.content),
            ("summary", None if is_overtaken else edit.content),
            ("keywords", None if edit.keywords is None else list(edit.keywords)),
            ("is_disabled", edit.is_disabled),
            ("is_kept", True if edit.is_disabled is False and node.state == EventState.ARCHIVED else None),
        )
        if value is not None
    }
    withdraw_proposals([node.pk])
    edit_event(node, change, book=books[node.conversation_id], policy=policy, author=author)
    if not is_overtaken or edit.content is None:
        return None
    return propose_edit(node, edit.content, seen_rev=edit.rev, author=author).pk


def _keep_foreign(book: EventBook, foreign: dict[str, Any]) -> None:
    """Entries of others, as they came; a revision only where they differ."""
    kept = {"entries": foreign} if foreign else {}
    if kept != book.foreign:
        book.foreign = kept
        take_revision(book)
