"""Threads, checkpoints and interrupts as JSON."""

from __future__ import annotations

from episodes.rollback.rendering import render_rolled_back
from episodes.threads.actions.rollbacks import RolledBackThread
from episodes.threads.api import shapes
from episodes.threads.models import ThreadReceipt
from episodes.threads.selectors import CheckpointView, InterruptView, ThreadView
from memoryproject.rest.shapes import fill
from memoryproject.times import render_time


def render_thread(view: ThreadView) -> shapes.ThreadShape:
    """One thread."""
    row = view.thread
    head: shapes.ThreadHead | None = None
    if view.head_id is not None:
        head = {"checkpoint_id": view.head_id, "step": view.head_step, "source": view.head_source}
    return fill(
        shapes.ThreadShape,
        row,
        thread_id=row.external_id,
        head=head,
        user_id=None if row.end_user is None else row.end_user.external_id,
        campaign_id=None if row.campaign is None else row.campaign.external_id,
        checkpoint_count=view.checkpoint_count,
        open_interrupts=view.open_interrupts,
        expires_at=render_time(view.expires_at),
    )


def render_checkpoint(view: CheckpointView) -> shapes.CheckpointShape:
    """One checkpoint with its values and writes."""
    row = view.row
    return fill(
        shapes.CheckpointShape,
        view,
        ns=row.ns,
        checkpoint_id=row.checkpoint_id,
        parent_id=row.parent_id or None,
        checkpoint=dict(view.checkpoint),
        metadata=dict(view.metadata),
        values={name: value.render() for name, value in view.values.items()},
        writes=[fill(shapes.WriteShape, each, value=each.value.render()) for each in view.writes],
        created_at=render_time(row.created_at),
    )


def render_receipt(row: ThreadReceipt) -> shapes.ThreadReceiptShape:
    """A receipt of what was deleted."""
    return fill(shapes.ThreadReceiptShape, row, receipt_id=str(row.pk))


def render_rollback(done: RolledBackThread, *, dry_run: bool) -> shapes.ThreadRollbackShape:
    """What a rollback of a thread changed."""
    return fill(
        shapes.ThreadRollbackShape,
        done,
        thread_id=done.thread.external_id,
        checkpoint_id=done.target_id,
        undo_checkpoint_id=done.before_id or None,
        dry_run=dry_run,
        play=None if done.play is None else render_rolled_back(done.play),
    )


def render_interrupt(view: InterruptView) -> shapes.InterruptShape:
    """One interrupt."""
    row = view.row
    return fill(
        shapes.InterruptShape,
        row,
        interrupt_id=row.pk,
        thread_id=row.thread.external_id,
        asked=view.asked,
        schema=view.schema,
        answer=view.answer,
        reason=view.reason,
    )
