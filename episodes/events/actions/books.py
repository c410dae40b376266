"""The lorebook of a conversation: its lock, its revisions."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.db import connection
from django.utils import timezone

from episodes.events.models import EventBook, EventNode


def lock_book(conversation_id: int) -> EventBook:
    """The book, made on need, locked until the transaction ends; before it the conversation, shared."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            INSERT INTO episodes_eventbook
                (conversation_id, tenant_id, reached, tried_seq, is_tried_closed, rev, "foreign", updated_at)
            SELECT c.id, c.tenant_id, 0, 0, FALSE, 0, '{}', now()
            FROM (SELECT id, tenant_id FROM episodes_conversation WHERE id = %s FOR SHARE) c
            ON CONFLICT (conversation_id) DO NOTHING
            """,
            [conversation_id],
        )
    return EventBook.objects.select_for_update(no_key=True).get(pk=conversation_id)


def lock_books(conversation_ids: Collection[int]) -> dict[int, EventBook]:
    """Books that are there already, by conversation, locked in the order of ids."""
    rows = EventBook.objects.select_for_update(no_key=True).filter(pk__in=conversation_ids).order_by("pk")
    return {book.pk: book for book in rows}


def lock_event(node_id: UUID) -> EventNode | None:
    """The event, locked until the transaction ends; before it its conversation, shared, as whoever forgets does."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.id FROM episodes_conversation c"
            " WHERE c.id = (SELECT n.conversation_id FROM episodes_eventnode n WHERE n.id = %s) FOR SHARE",
            [node_id],
        )
    return EventNode.objects.select_for_update(no_key=True).filter(pk=node_id).first()


def take_revision(book: EventBook) -> int:
    """The next revision of a locked book, stored."""
    return take_revisions(book, 1)


def take_revisions(book: EventBook, count: int) -> int:
    """The first of the next revisions of a locked book, stored at once."""
    first = book.rev + 1
    book.rev += count
    book.updated_at = timezone.now()
    book.save(update_fields=["rev", "updated_at", "reached", "foreign"])
    return first
