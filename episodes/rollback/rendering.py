"""Checkpoints and rollbacks as JSON."""

from __future__ import annotations

from typing import Any

from episodes.rollback.actions.rollbacks import RolledBack
from episodes.rollback.core import StepChanges
from episodes.rollback.selectors import CheckpointView, RollbackView
from memoryproject.times import render_time


def render_checkpoint(view: CheckpointView) -> dict[str, Any]:
    """One checkpoint."""
    row = view.checkpoint
    return {
        "checkpoint_id": row.pk,
        "label": row.label,
        "kind": row.kind,
        "seq": row.seq,
        "scene_id": None if row.scene is None else row.scene.external_id,
        "is_current": view.is_current,
        "created_by": row.created_by,
        "created_at": render_time(row.created_at),
    }


def render_rolled_back(done: RolledBack) -> dict[str, Any]:
    """What a rollback changes, or changed."""
    return {
        "rollback_id": None if done.rollback is None else done.rollback.pk,
        "dry_run": done.is_dry_run,
        "is_changed": done.is_changed,
        "checkpoint_id": done.checkpoint.pk,
        "undo_checkpoint_id": None if done.rollback is None else done.rollback.before_id,
        "changes": {kind: render_changes(each) for kind, each in done.changes.items()},
    }


def render_changes(changes: StepChanges) -> dict[str, Any]:
    """What changed of one kind."""
    return {
        "undone": [dict(each) for each in changes.undone],
        "restored": [dict(each) for each in changes.restored],
        "changed": [dict(each) for each in changes.changed],
    }


def render_rollback(view: RollbackView) -> dict[str, Any]:
    """One rollback of the past."""
    row = view.rollback
    return {
        "rollback_id": row.pk,
        "checkpoint_id": row.target_id,
        "checkpoint_label": row.target.label,
        "undo_checkpoint_id": row.before_id,
        "reason": row.reason,
        "created_by": row.created_by,
        "created_at": render_time(row.created_at),
        "counts": view.counts,
    }
