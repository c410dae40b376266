"""What checkpoints and rollbacks take and answer by REST."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from episodes.models import CheckpointKind
from episodes.models.checkpoints import MAX_LABEL_LENGTH, MAX_ROLLBACK_REASON_LENGTH
from tenancy.api.parameters import MAX_ID, PLAIN_TEXT

CHECKPOINT_BODY: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["label"],
    "properties": {
        "label": {
            "type": "string",
            "minLength": 1,
            "maxLength": MAX_LABEL_LENGTH,
            "pattern": PLAIN_TEXT,
            "description": "What people recognise it by.",
        }
    },
}
ROLLBACK_BODY: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["checkpoint_id"],
    "properties": {
        "checkpoint_id": {"type": "integer", "minimum": 1, "maximum": MAX_ID, "description": "Where to go."},
        "dry_run": {"type": "boolean", "description": "Say what would change and change nothing."},
        "reason": {
            "type": "string",
            "minLength": 1,
            "maxLength": MAX_ROLLBACK_REASON_LENGTH,
            "pattern": PLAIN_TEXT,
            "description": "Why. Only a dry run may leave it out.",
        },
    },
    "anyOf": [
        {"required": ["reason"]},
        {"required": ["dry_run"], "properties": {"dry_run": {"const": True}}},
    ],
}


class CheckpointSerializer(serializers.Serializer[Any]):
    """A place to which play can go back."""

    checkpoint_id = serializers.IntegerField()
    label = serializers.CharField()  # type: ignore[assignment]  # the member's name
    kind = serializers.ChoiceField(choices=CheckpointKind.values)
    seq = serializers.IntegerField(help_text="The place of the last summary or event that was told before it.")
    scene_id = serializers.CharField(allow_null=True, help_text="The scene that ended there.")
    is_current = serializers.BooleanField(
        help_text="False: a rollback left its line. Going to it brings that line back."
    )
    created_by = serializers.CharField()
    created_at = serializers.DateTimeField()


class CheckpointListSerializer(serializers.Serializer[Any]):
    """Checkpoints, newest first."""

    checkpoints = CheckpointSerializer(many=True)
    next_before = serializers.IntegerField(allow_null=True, help_text="Send it as `before` for the next page.")


class StepChangesSerializer(serializers.Serializer[Any]):
    """What changed of one kind."""

    undone = serializers.ListField(child=serializers.DictField(), help_text="No longer holds; kept for audit.")
    restored = serializers.ListField(child=serializers.DictField(), help_text="Holds again.")
    changed = serializers.ListField(child=serializers.DictField(), help_text="Has another value: `from` and `to`.")


class RolledBackSerializer(serializers.Serializer[Any]):
    """What a rollback changes."""

    rollback_id = serializers.IntegerField(allow_null=True, help_text="Null: a dry run, or nothing had to change.")
    dry_run = serializers.BooleanField()
    is_changed = serializers.BooleanField(help_text="False: the campaign stands there already.")
    checkpoint_id = serializers.IntegerField()
    undo_checkpoint_id = serializers.IntegerField(
        allow_null=True, help_text="Where play stood before: a rollback to it undoes this one."
    )
    changes = serializers.DictField(
        child=StepChangesSerializer(),
        help_text="By kind: `members`, `summaries`, `events`, `flags`, `hearsay`, `art_cards`, `dispositions`. "
        "The same for a dry run and the rollback after it.",
    )


class RollbackCountsSerializer(serializers.Serializer[Any]):
    """How many rows of one kind."""

    undone = serializers.IntegerField()
    restored = serializers.IntegerField()
    changed = serializers.IntegerField()


class RollbackSerializer(serializers.Serializer[Any]):
    """A rollback that was taken."""

    rollback_id = serializers.IntegerField()
    checkpoint_id = serializers.IntegerField()
    checkpoint_label = serializers.CharField()
    undo_checkpoint_id = serializers.IntegerField()
    reason = serializers.CharField()
    created_by = serializers.CharField()
    created_at = serializers.DateTimeField()
    counts = serializers.DictField(child=RollbackCountsSerializer(), help_text="By kind, as in `changes`.")


class RollbackListSerializer(serializers.Serializer[Any]):
    """Rollbacks, newest first."""

    rollbacks = RollbackSerializer(many=True)
    next_before = serializers.IntegerField(allow_null=True, help_text="Send it as `before` for the next page.")
