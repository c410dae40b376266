"""Rollbacks of threads: an earlier checkpoint becomes the head, and play that was told since is compensated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from django.db import transaction
from django.utils import timezone

from episodes.models import Campaign
from episodes.rollback.actions.rollbacks import RolledBack, roll_back
from episodes.threads.actions.interrupts import close_undone
from episodes.threads.actions.threads import lock_thread
from episodes.threads.core.drafts import Place
from episodes.threads.errors import UnknownThreadCheckpoint
from episodes.threads.models import (
    InterruptState,
    Thread,
    ThreadCheckpoint,
    ThreadInterrupt,
    ThreadRollback,
    ThreadState,
)

INTERRUPT_REASON = "The thread was rolled back."


@dataclass(frozen=True, slots=True)
class RolledBackThread:
    """What a rollback changed, or would change; one that changed nothing left no `rollback`."""

    thread: Thread
    target_id: str
    before_id: str
    rollback: ThreadRollback | None
    undone: tuple[str, ...]
    """Ids of checkpoints, in all namespaces, that hold no more."""
    restored: tuple[str, ...]
    interrupts_closed: int
    play: RolledBack | None
    """What it did to the campaign that the thread is bound to."""

    @property
    def is_changed(self) -> bool:
        """Whether anything was put since, or holds again, in the thread or in play."""
        return bool(self.undone or self.restored or (self.play is not None and self.play.is_changed))


def roll_back_thread(
    place: Place, checkpoint_id: str, *, reason: str, author: str, dry_run: bool = False
) -> RolledBackThread:
    """The thread as it stood at a checkpoint of its root graph, whichever way that lies: back, or forward again.

    Nothing is deleted. What was told since in the thread's campaign is compensated by the rollback of play. Interrupts
    that waited since are closed. All or nothing; a dry run does the same and takes it back. Raises UnknownThread,
    UnknownThreadCheckpoint, RollbackBlocked.
    """
    with transaction.atomic():
        thread = lock_thread(place)
        rows = list(ThreadCheckpoint.objects.filter(thread=thread).defer("sealed", "channels", "tokens").order_by("pk"))
        target = next((row for row in rows if not row.ns and row.checkpoint_id == checkpoint_id), None)
        if target is None:
            raise UnknownThreadCheckpoint(f"The root graph of the thread has no checkpoint {checkpoint_id[:100]!r}.")
        done = _shift(thread, target, rows, reason=reason, author=author)
        if dry_run or not done.is_changed:
            transaction.set_rollback(True)
    if dry_run or not done.is_changed:
        return RolledBackThread(
            thread, checkpoint_id, done.before_id, None, done.undone, done.restored, done.interrupts_closed, done.play
        )
    return done


def _shift(
    thread: Thread, target: ThreadCheckpoint, rows: Sequence[ThreadCheckpoint], *, reason: str, author: str
) -> RolledBackThread:
    before = max((row.checkpoint_id for row in rows if not row.ns and row.undone_by_id is None), default="")
    line = list_line(target, rows)
    holds = list_holding(line, rows, is_head=target.checkpoint_id == before)
    undone = [row for row in rows if row.pk not in holds and row.undone_by_id is None]
    restored = [row for row in rows if row.pk in holds and row.undone_by_id is not None]
    play = _roll_back_play(thread, target, reason=reason, author=author)
    rollback = ThreadRollback.objects.create(
        tenant_id=thread.tenant_id,
        thread=thread,
        target_id=target.checkpoint_id,
        before_id=before,
        play_rollback=None if play is None else play.rollback,
        undone=len(undone),
        restored=len(restored),
        reason=reason,
        created_by=author,
    )
    ThreadCheckpoint.objects.filter(pk__in=[row.pk for row in undone]).update(undone_by=rollback)
    ThreadCheckpoint.objects.filter(pk__in=[row.pk for row in restored]).update(undone_by=None)
    _choose_writes(line, rows)
    closed = close_undone(thread.pk, reason=INTERRUPT_REASON) if undone or restored else 0
    waiting = ThreadInterrupt.objects.filter(thread=thread, state=InterruptState.OPEN).exists()
    thread.state = ThreadState.INTERRUPTED if waiting else ThreadState.RUNNING
    thread.used_at = timezone.now()
    thread.save(update_fields=["state", "used_at"])
    rollback.refresh_from_db(fields=["created_at"])
    return RolledBackThread(
        thread,
        target.checkpoint_id,
        before,
        rollback,
        tuple(row.checkpoint_id for row in undone),
        tuple(row.checkpoint_id for row in restored),
        closed,
        play,
    )


def list_line(target: ThreadCheckpoint, rows: Sequence[ThreadCheckpoint]) -> list[ThreadCheckpoint]:
    """A checkpoint of the root graph and all above it, from itself up."""
    roots = {row.checkpoint_id: row for row in rows if not row.ns}
    line = [target]
    while line[-1].parent_id in roots:
        line.append(roots[line[-1].parent_id])
    return line


def list_holding(
    line: Sequence[ThreadCheckpoint], rows: Sequence[ThreadCheckpoint], *, is_head: bool = False
) -> set[int]:
    """What holds at the foot of a line: the line, and of subgraphs what ran under those above its foot.

    What runs under the foot itself holds while it is the head; gone back to, it begins anew.
    """
    above = {row.checkpoint_id for row in (line if is_head else line[1:])}
    foot = line[0].pk
    ran = {row.pk for row in rows if row.ns and (row.root_id in above or (not row.root_id and row.pk < foot))}
    return {row.pk for row in line} | ran


def _choose_writes(line: Sequence[ThreadCheckpoint], rows: Sequence[ThreadCheckpoint]) -> None:
    """Above the foot of the line those writes hold that its checkpoints were made of; under it tasks begin anew."""
    wanted = {above.pk: below.parent_generation for below, above in pairwise(line)}
    foot = line[0]
    made = [row.parent_generation for row in rows if not row.ns and row.parent_id == foot.checkpoint_id]
    if foot.generation in made:
        wanted[foot.pk] = max(made) + 1
    for row in line:
        if wanted.get(row.pk, row.generation) != row.generation:
            ThreadCheckpoint.objects.filter(pk=row.pk).update(generation=wanted[row.pk])


def _roll_back_play(thread: Thread, target: ThreadCheckpoint, *, reason: str, author: str) -> RolledBack | None:
    if thread.campaign_id is None or target.play_checkpoint_id is None:
        return None
    campaign = Campaign.objects.get(pk=thread.campaign_id)
    return roll_back(
        tenant_id=campaign.tenant_id,
        world_id=campaign.world_id,
        campaign_id=campaign.external_id,
        checkpoint_id=target.play_checkpoint_id,
        reason=reason,
        author=author,
    )
