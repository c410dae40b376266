"""The lorebook of a conversation as it stands, or what changed of it since a revision."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Sum

from episodes.alternatives.selectors import Trunks
from episodes.events.core.book import BookEvent, build_entries, place_foreign
from episodes.events.models import SHOWN_STATES, EventBook, EventNode, EventPolicy, EventState
from episodes.events.models.books import ArchivedEntries
from episodes.events.selectors.nodes import build_line_filter
from episodes.events.selectors.policies import get_policy

COLUMNS = (
    "id", "title", "display_text", "plot", "edit", "state", "first_seq", "last_seq", "rev", "is_hidden", "is_disabled",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ConversationBook:
    """A World Info of SillyTavern. Of a delta `entries` hold what changed, and `removed` the uids of what is gone."""

    conversation_id: int
    rev: int
    entries: dict[str, Any] = field(default_factory=dict)
    removed: tuple[str, ...] = ()


def get_revision(conversation_id: int, trunks: Trunks = ()) -> int:
    """The revision of a conversation's book; 0 where nothing is in it. One query: what a poll takes.

    Of a branch it counts what changed in the books of its trunks, too.
    """
    ids = [conversation_id, *(trunk_id for trunk_id, _ in trunks)]
    return EventBook.objects.filter(pk__in=ids).aggregate(rev=Sum("rev"))["rev"] or 0


def read_book(*, conversation_id: int, world_id: int | None, since: int = 0, trunks: Trunks = ()) -> ConversationBook:
    """The book, or what changed of it since a revision. Three queries, two where the world has no policy of its own.

    One more for a delta where the book has entries of others. A branch's book begins with the events that it shares
    with its trunks; where anything changed, its delta holds all of them, since each trunk counts revisions of its own.
    """
    books = {book.pk: book for book in EventBook.objects.filter(pk__in=[conversation_id, *dict(trunks)])}
    book, rev = books.get(conversation_id), sum(each.rev for each in books.values())
    if since >= rev:
        return ConversationBook(conversation_id, rev)
    rows = EventNode.objects.filter(build_line_filter(conversation_id, trunks)).only(*COLUMNS)
    rows = rows if trunks else rows.filter(rev__gt=since)
    policy = get_policy(world_id)
    shown, removed = [], []
    for node in rows.order_by("first_seq", "created_at"):
        if node.state in SHOWN_STATES and not node.is_hidden:
            shown.append(describe_node(node, policy))
        elif since:
            removed.append(str(node.first_seq))
    entries = build_entries(shown)
    taken = set(entries)
    foreign = {} if book is None else book.foreign.get("entries", {})
    if foreign:
        foreign = place_foreign(foreign, taken if trunks or not since else _list_uids(conversation_id))
    return ConversationBook(
        conversation_id, rev, entries | foreign, tuple(uid for uid in dict.fromkeys(removed) if uid not in taken)
    )


def _list_uids(conversation_id: int) -> set[str]:
    """The uids of all events that stand in a conversation's book."""
    rows = EventNode.objects.filter(conversation_id=conversation_id, state__in=SHOWN_STATES, is_hidden=False)
    return {str(first_seq) for first_seq in rows.values_list("first_seq", flat=True)}


def list_book_events(conversation_id: int, policy: EventPolicy, trunks: Trunks = ()) -> dict[str, BookEvent]:
    """Event id to the event, of all that stand in a conversation's book."""
    rows = EventNode.objects.filter(build_line_filter(conversation_id, trunks))
    rows = rows.filter(state__in=SHOWN_STATES, is_hidden=False).only(*COLUMNS)
    return {str(node.pk): describe_node(node, policy) for node in rows}


def describe_node(node: EventNode, policy: EventPolicy) -> BookEvent:
    """An event with words as its entry needs it."""
    plot = node.read_plot()
    is_archived = node.state == EventState.ARCHIVED
    lowers = policy.archived_entries == ArchivedEntries.LOWER
    is_kept = bool((node.edit or {}).get("is_kept"))  # a person switched its entry on again
    return BookEvent(
        id=str(node.pk),
        title=node.title,
        content=node.display_text,
        keywords=() if plot is None else plot.keywords,
        state=node.state,
        first_seq=node.first_seq,
        last_seq=node.last_seq,
        rev=node.rev,
        is_enabled=not node.is_disabled and (not is_archived or lowers or is_kept),
        is_lowered=is_archived and lowers,
    )


def list_known(ids: Iterable[str], conversation_id: int) -> dict[str, str]:
    """Event id to state, of those that are events of the conversation."""
    rows = EventNode.objects.filter(conversation_id=conversation_id).values_list("pk", "state")
    wanted = set(ids)
    return {str(pk): state for pk, state in rows if str(pk) in wanted}
