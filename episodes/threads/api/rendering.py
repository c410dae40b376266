"""Threads, checkpoints and interrupts as JSON."""

from __future__ import annotations

from typing import Any

from episodes.rollback.rendering import render_rolled_back
from episodes.threads.actions.rollbacks import RolledBackThread
from episodes.threads.models import ThreadReceipt
from episodes.threads.selectors import CheckpointView, InterruptView, ThreadView, WriteView
from memoryproject.times import render_time


def render_thread(view: ThreadView) -> dict[str, Any]:
    """One thread."""
    row = view.thread
    head = {"checkpoint_id": view.head_id, "step": view.head_step, "source": view.head_source}
    return {
        "thread_id": row.external_id,
        "title": row.title,
        "state": row.state,
        "head": None if view.head_id is None else head,
        "user_id": None if row.end_user is None else row.end_user.external_id,
        "conversation_id": row.conversation_id,
        "campaign_id": None if row.campaign is None else row.campaign.external_id,
        "checkpoint_count": view.checkpoint_count,
        "open_interrupts": view.open_interrupts,
        "created_at": render_time(row.created_at),
        "used_at": render_time(row.used_at),
        "expires_at": render_time(view.expires_at),
    }


def render_checkpoint(view: CheckpointView) -> dict[str, Any]:
    """One checkpoint with its values and writes."""
    row = view.row
    return {
        "thread_id": view.thread_id,
        "ns": row.ns,
        "checkpoint_id": row.checkpoint_id,
        "parent_id": row.parent_id or None,
        "checkpoint": dict(view.checkpoint),
        "metadata": dict(view.metadata),
        "values": {name: value.render() for name, value in view.values.items()},
        "writes": [_render_write(each) for each in view.writes],
        "is_current": view.is_current,
        "created_at": render_time(row.created_at),
    }


def _render_write(view: WriteView) -> dict[str, Any]:
    return {
        "task_id": view.task_id,
        "channel": view.channel,
        "index": view.index,
        "task_path": view.task_path,
        "value": view.value.render(),
    }


def render_receipt(row: ThreadReceipt) -> dict[str, Any]:
    """A receipt of what was deleted."""
    return {
        "receipt_id": str(row.pk),
        "kind": row.kind,
        "counts": row.counts,
        "created_at": render_time(row.created_at),
    }


def render_rollback(done: RolledBackThread, *, dry_run: bool) -> dict[str, Any]:
    """What a rollback of a thread changed."""
    return {
        "thread_id": done.thread.external_id,
        "checkpoint_id": done.target_id,
        "undo_checkpoint_id": done.before_id or None,
        "dry_run": dry_run,
        "is_changed": done.is_changed,
        "undone": list(done.undone),
        "restored": list(done.restored),
        "interrupts_closed": done.interrupts_closed,
        "play": None if done.play is None else render_rolled_back(done.play),
    }


def render_interrupt(view: InterruptView) -> dict[str, Any]:
    """One interrupt."""
    row = view.row
    return {
        "interrupt_id": row.pk,
        "graph_id": row.graph_id,
        "thread_id": row.thread.external_id,
        "ns": row.ns,
        "checkpoint_id": row.checkpoint_id,
        "task_id": row.task_id,
        "asked": view.asked,
        "schema": view.schema,
        "state": row.state,
        "answer": view.answer,
        "reason": view.reason,
        "decided_by": row.decided_by,
        "decided_at": None if row.decided_at is None else render_time(row.decided_at),
        "resumed_at": None if row.resumed_at is None else render_time(row.resumed_at),
        "expires_at": render_time(row.expires_at),
        "created_at": render_time(row.created_at),
    }
