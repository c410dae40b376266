"""Checkpoints as they are put: values that changed are sealed and stored once, the rest is taken from the parent."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from psycopg.types.json import Jsonb

from episodes.models import Campaign, CampaignState, CheckpointKind
from episodes.rollback.actions.checkpoints import add_checkpoint
from episodes.threads.actions.checkpoint_rows import COLUMNS, SealedCheckpoint, seal_checkpoint
from episodes.threads.actions.interrupts import close_left_behind
from episodes.threads.actions.next_checkpoints import put_next
from episodes.threads.actions.threads import ThreadRow, share_thread
from episodes.threads.core.drafts import CheckpointDraft, Place, inherit_channels
from episodes.threads.errors import CheckpointTaken, ThreadMoved, UnknownParent
from knowledge.facts.sealing import get_key_ring
from memoryproject.prepared import prepared_cursor

READ_PARENT_AND_OWN = """
    SELECT checkpoint_id, channels, generation, fingerprint FROM episodes_threadcheckpoint
    WHERE thread_id = %s AND ns = %s AND checkpoint_id = ANY (%s::text[])
"""
READ_HEAD = """
    SELECT checkpoint_id FROM episodes_threadcheckpoint
    WHERE thread_id = %s AND ns = %s AND undone_by_id IS NULL ORDER BY checkpoint_id DESC LIMIT 1
"""
FIND_CHANNELS = """
    SELECT channels FROM episodes_threadcheckpoint
    WHERE thread_id = %s AND ns = %s AND channels @> %s ORDER BY checkpoint_id DESC LIMIT 1
"""
INSERT_VALUES = """
    INSERT INTO episodes_threadvalue (tenant_id, thread_id, digest, type, sealed, sealed_by, size)
    SELECT %s, %s, v.* FROM unnest(%s::text[], %s::text[], %s::bytea[], %s::int2[], %s::int4[]) v
    ON CONFLICT (thread_id, digest) DO NOTHING
"""
INSERT = f"""
    INSERT INTO episodes_threadcheckpoint
        (tenant_id, thread_id, ns, checkpoint_id, parent_id, parent_generation, root_id, channels, play_checkpoint_id,
         {COLUMNS})
    VALUES ({", ".join(["%s"] * (9 + COLUMNS.count(",") + 1))})
    ON CONFLICT (thread_id, ns, checkpoint_id) DO NOTHING RETURNING id
"""  # noqa: S608 - constants
TOUCH = "UPDATE episodes_thread SET state = 'running', used_at = now() WHERE id = %s"


def put_checkpoint(place: Place, draft: CheckpointDraft) -> bool:
    """Whether the checkpoint is new; the same sent again changes nothing. The thread is made where it is not there.

    Raises StateTooLarge, UnknownParent, ThreadMoved, CheckpointTaken, FactKeysMissing.
    """
    sealed = seal_checkpoint(get_key_ring(), place.tenant_id, draft)
    if put_next(place, sealed):
        return True
    with transaction.atomic():
        thread = share_thread(place, is_locked=draft.expected_head is not None)
        with prepared_cursor() as cursor:
            kept = _read_kept(cursor, thread.pk, draft)
            parent, generation = _find_parent(kept, draft)
            _check_head(cursor, thread.pk, draft)
            channels = inherit_channels(draft.versions, sealed.digests, parent)
            _take_from_siblings(cursor, thread.pk, draft, channels)
            if _is_repeat(kept, draft, sealed.fingerprint):
                return False
            _insert_values(cursor, place.tenant_id, thread.pk, sealed)
            play = _mark_play(thread, draft)
            is_new = _insert(cursor, place, thread.pk, sealed, channels, generation, play)
            if is_new and (thread.is_stale or thread.state != "running"):
                close_left_behind(place.tenant_id, thread.pk, draft)
                cursor.execute(TOUCH, [thread.pk])
    return is_new


_Kept = Mapping[str, tuple[Mapping[str, Any], int, bytes]]
"""Channels, generation and fingerprint by checkpoint."""


def _read_kept(cursor: Any, thread_pk: int, draft: CheckpointDraft) -> _Kept:
    """The parent and the checkpoint itself, as far as they are there."""
    cursor.execute(READ_PARENT_AND_OWN, [thread_pk, draft.ns, [draft.parent_id, draft.checkpoint_id]])
    return {
        checkpoint_id: (_load(channels), generation, bytes(fingerprint))
        for checkpoint_id, channels, generation, fingerprint in cursor.fetchall()
    }


def _find_parent(kept: _Kept, draft: CheckpointDraft) -> tuple[Mapping[str, Any], int]:
    if not draft.parent_id:
        return {}, 0
    if draft.parent_id not in kept:
        raise UnknownParent(
            f"The thread has no checkpoint {draft.parent_id!r} to follow: it was deleted, or never came.",
            parent_id=draft.parent_id,
        )
    channels, generation, _ = kept[draft.parent_id]
    return channels, generation


def _check_head(cursor: Any, thread_pk: int, draft: CheckpointDraft) -> None:
    if draft.expected_head is None:
        return
    cursor.execute(READ_HEAD, [thread_pk, draft.ns])
    row = cursor.fetchone()
    head = "" if row is None else row[0]
    if head not in (draft.expected_head, draft.checkpoint_id):
        raise ThreadMoved("Somebody else wrote to the thread meanwhile: read its state again.", head=head or None)


def _take_from_siblings(cursor: Any, thread_pk: int, draft: CheckpointDraft, channels: dict[str, Any]) -> None:
    """A fork beside its model follows the model's parent, which lacks versions that only the model has."""
    for channel, version in draft.versions.items():
        if channel not in channels and draft.parent_id:
            cursor.execute(FIND_CHANNELS, [thread_pk, draft.ns, Jsonb({channel: [version]})])
            row = cursor.fetchone()
            pair = None if row is None else _load(row[0])[channel]
            channels[channel] = pair if pair is not None and pair[0] == version else [version, None]


def _insert_values(cursor: Any, tenant_id: int, thread_pk: int, sealed: SealedCheckpoint) -> None:
    if sealed.values:
        cursor.execute(INSERT_VALUES, [tenant_id, thread_pk, *sealed.list_values()])


def _insert(
    cursor: Any,
    place: Place,
    thread_pk: int,
    sealed: SealedCheckpoint,
    channels: Mapping[str, Any],
    generation: int,
    play: int | None,
) -> bool:
    draft = sealed.draft
    cursor.execute(
        INSERT,
        [
            *(place.tenant_id, thread_pk, draft.ns, draft.checkpoint_id, draft.parent_id, generation, draft.root_id),
            *(Jsonb(channels), play, *sealed.list_columns()),
        ],
    )
    if cursor.fetchone() is not None:
        return True
    return not _is_repeat(_read_kept(cursor, thread_pk, draft), draft, sealed.fingerprint)


def _is_repeat(kept: _Kept, draft: CheckpointDraft, fingerprint: bytes) -> bool:
    own = kept.get(draft.checkpoint_id)
    if own is not None and own[2] != fingerprint:
        raise CheckpointTaken(f"Another checkpoint {draft.checkpoint_id!r} was kept before. Ids are used once.")
    return own is not None


def _mark_play(thread: ThreadRow, draft: CheckpointDraft) -> int | None:
    """Where play of the thread's campaign stands, so that a rollback of the thread leads there. Locks the campaign."""
    if thread.campaign_id is None or draft.ns:
        return None
    campaign = Campaign.objects.select_for_update(no_key=True).get(pk=thread.campaign_id)
    if campaign.state != CampaignState.ACTIVE:
        return campaign.head_id
    label = f"Thread at step {draft.step if draft.step is not None else '?'}"
    return add_checkpoint(campaign, CheckpointKind.ENGINE, label=label, author="thread").pk


def _load(value: Any) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(value) if isinstance(value, str | bytes) else value
    return loaded
