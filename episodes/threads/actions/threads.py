"""Threads as they are made and bound."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import transaction

from episodes.errors import UnknownCampaign, UnknownConversation
from episodes.models import Campaign, Conversation
from episodes.threads.core.drafts import Place
from episodes.threads.errors import InvalidThread, ThreadBound, UnknownThread
from episodes.threads.models import Thread
from memoryproject.prepared import prepared_cursor
from tenancy.selectors import get_end_user, in_world

INSERT = """
    INSERT INTO episodes_thread (tenant_id, world_id, external_id, title, state)
    VALUES (%s, %s, %s, '', 'running') ON CONFLICT DO NOTHING
"""
READ = """
    SELECT id, state, campaign_id, used_at < now() - interval '1 hour'
    FROM episodes_thread
    WHERE tenant_id = %s AND {world} AND external_id = %s
"""
"""By `thread_external_id_unique`, which no condition with IS NOT DISTINCT FROM would be."""


@dataclass(frozen=True, slots=True)
class ThreadRow:
    """What a write needs of its thread."""

    pk: int
    state: str
    campaign_id: int | None
    is_stale: bool
    """Whether the time of its last use is more than an hour ago."""


@dataclass(frozen=True, slots=True)
class Bindings:
    """Whom and what a thread is about. None: as it is."""

    title: str | None = None
    user_id: str | None = None
    conversation_id: int | None = None
    campaign_id: str | None = None


def share_thread(place: Place, *, is_locked: bool = False) -> ThreadRow:
    """The thread, made where it is not there yet, kept from deletion until the transaction ends.

    `is_locked`: from other writers too.
    """
    read = READ.format(world="world_id IS NULL AND %s::int8 IS NULL" if place.world_id is None else "world_id = %s")
    read += "FOR NO KEY UPDATE" if is_locked else "FOR KEY SHARE"
    values = [place.tenant_id, place.world_id, place.thread_id]
    with prepared_cursor() as cursor:
        cursor.execute(read, values)
        row = cursor.fetchone()
        if row is None:
            cursor.execute(INSERT, values)
            cursor.execute(read, values)
            row = cursor.fetchone()
    return ThreadRow(*row)


def lock_thread(place: Place) -> Thread:
    """The thread, locked against all writers until the transaction ends. Raises UnknownThread."""
    rows = Thread.objects.select_for_update().filter(
        in_world(place.world_id), tenant_id=place.tenant_id, external_id=place.thread_id
    )
    thread = rows.first()
    if thread is None:
        raise UnknownThread(f"There is no thread {place.thread_id[:200]!r}.")
    return thread


def write_thread(place: Place, bindings: Bindings) -> tuple[Thread, bool]:
    """The thread with its title and bindings, and whether it is new. What it is bound to stays.

    Raises UnknownEndUser, UnknownConversation, UnknownCampaign, ThreadBound, InvalidThread.
    """
    with transaction.atomic():
        is_new = not Thread.objects.filter(
            in_world(place.world_id), tenant_id=place.tenant_id, external_id=place.thread_id
        ).exists()
        share_thread(place)
        thread = lock_thread(place)
        for name, value in _find_bound(place, bindings).items():
            if getattr(thread, name) not in (None, value):
                raise ThreadBound(f"The thread is bound to another {name.removesuffix('_id').replace('_', ' ')}.")
            setattr(thread, name, value)
        if bindings.title is not None:
            thread.title = bindings.title
        thread.save(update_fields=["title", "end_user_id", "conversation_id", "campaign_id"])
    return thread, is_new


def _find_bound(place: Place, bindings: Bindings) -> dict[str, Any]:
    bound: dict[str, Any] = {}
    if bindings.user_id is not None:
        bound["end_user_id"] = get_end_user(tenant_id=place.tenant_id, external_id=bindings.user_id).pk
    if bindings.conversation_id is not None:
        conversation = Conversation.objects.filter(
            in_world(place.world_id), tenant_id=place.tenant_id, pk=bindings.conversation_id
        ).first()
        if conversation is None:
            raise UnknownConversation(f"There is no conversation {bindings.conversation_id}.")
        if bound.get("end_user_id", conversation.end_user_id) != conversation.end_user_id:
            raise InvalidThread("The conversation is another user's.")
        bound |= {"end_user_id": conversation.end_user_id, "conversation_id": conversation.pk}
    if bindings.campaign_id is not None:
        campaign = Campaign.objects.filter(
            in_world(place.world_id), tenant_id=place.tenant_id, external_id=bindings.campaign_id
        ).first()
        if campaign is None:
            raise UnknownCampaign(f"There is no campaign {bindings.campaign_id!r}.")
        bound["campaign_id"] = campaign.pk
    return bound
