"""What checkpoints and rollbacks take and answer by REST."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired

from typing_extensions import TypedDict

from episodes.models import CheckpointKind
from episodes.rollback.models import MAX_LABEL_LENGTH, MAX_ROLLBACK_REASON_LENGTH
from memoryproject.rest.forms import form, text
from memoryproject.rest.pages import NEXT_CURSOR
from memoryproject.rest.parameters import MAX_ID
from memoryproject.rest.typed_dicts import Time, deprecated, member

CHECKPOINT_BODY: dict[str, Any] = form({"label": text(MAX_LABEL_LENGTH, "What people recognise it by.")})
ROLLBACK_BODY: dict[str, Any] = form(
    {"checkpoint_id": {"type": "integer", "minimum": 1, "maximum": MAX_ID, "description": "Where to go."}},
    {
        "dry_run": {"type": "boolean", "description": "Say what would change and change nothing."},
        "reason": text(MAX_ROLLBACK_REASON_LENGTH, "Why. Only a dry run may leave it out."),
    },
    anyOf=[
        {"required": ["reason"]},
        {"required": ["dry_run"], "properties": {"dry_run": {"const": True}}},
    ],
)


class Checkpoint(TypedDict):
    """A place to which play can go back."""

    checkpoint_id: Annotated[int, member(12)]
    label: Annotated[str, member("before the moon door")]
    kind: Annotated[str, member("engine", choices=CheckpointKind.values)]
    seq: Annotated[int, member(12, "The place of the last summary or event that was told before it.")]
    scene_id: Annotated[str | None, member(None, "The scene that ended there.")]
    is_current: Annotated[bool, member(True, "False: a rollback left its line. Going to it brings that line back.")]
    created_by: Annotated[str, member("API key kq3v9x2m1a")]
    created_at: Annotated[Time, member("2025-08-27T11:40:00Z")]


class CheckpointList(TypedDict):
    """Checkpoints, newest first."""

    data: list[Checkpoint]
    next_cursor: Annotated[int | None, member(None, NEXT_CURSOR)]
    checkpoints: NotRequired[Annotated[list[Checkpoint], deprecated("data")]]
    next_before: NotRequired[Annotated[int | None, deprecated("next_cursor")]]


class StepChanges(TypedDict):
    """What changed of one kind."""

    undone: Annotated[list[dict[str, Any]], member([], "No longer holds; kept for audit.")]
    restored: Annotated[list[dict[str, Any]], member([], "Holds again.")]
    changed: Annotated[list[dict[str, Any]], member([], "Has another value: `from` and `to`.")]


class RolledBack(TypedDict):
    """What a rollback changes."""

    rollback_id: Annotated[int | None, member(3, "Null: a dry run, or nothing had to change.")]
    dry_run: Annotated[bool, member(False)]
    is_changed: Annotated[bool, member(True, "False: the campaign stands there already.")]
    checkpoint_id: Annotated[int, member(12)]
    undo_checkpoint_id: Annotated[int | None, member(13, "Where play stood before: a rollback to it undoes this one.")]
    changes: Annotated[
        dict[str, StepChanges],
        member(
            {
                "members": {"undone": [], "restored": [], "changed": []},
                "summaries": {
                    "undone": [
                        {"summary_id": "sum_2025_08_27_0142", "party_id": "pty_001", "scene_id": "scn_042", "seq": 13}
                    ],
                    "restored": [],
                    "changed": [],
                },
                "events": {"undone": [], "restored": [], "changed": []},
                "flags": {
                    "undone": [],
                    "restored": [],
                    "changed": [{"name": "gate_moon_door", "party_id": "pty_001", "from": "open", "to": None}],
                },
                "hearsay": {"undone": [], "restored": [], "changed": []},
                "art_cards": {"undone": [], "restored": [], "changed": []},
                "dispositions": {
                    "undone": [
                        {"npc_id": "npc_LiShen", "towards": "party", "party_id": "pty_001", "entry_id": 7, "applied": 1}
                    ],
                    "restored": [],
                    "changed": [
                        {"npc_id": "npc_LiShen", "towards": "party", "party_id": "pty_001", "from": 2, "to": 1}
                    ],
                },
            },
            "By kind: `members`, `summaries`, `events`, `flags`, `hearsay`, `art_cards`, "
            "`dispositions`. The same for a dry run and the rollback after it.",
        ),
    ]


class RollbackCounts(TypedDict):
    """How many rows of one kind."""

    undone: Annotated[int, member(1)]
    restored: Annotated[int, member(0)]
    changed: Annotated[int, member(0)]


class Rollback(TypedDict):
    """A rollback that was taken."""

    rollback_id: Annotated[int, member(3)]
    checkpoint_id: Annotated[int, member(12)]
    checkpoint_label: Annotated[str, member("before the moon door")]
    undo_checkpoint_id: Annotated[int, member(13)]
    reason: Annotated[str, member("the party loaded its saved game")]
    created_by: Annotated[str, member("API key kq3v9x2m1a")]
    created_at: Annotated[Time, member("2025-08-27T12:20:00Z")]
    counts: Annotated[
        dict[str, RollbackCounts],
        member(
            {
                "summaries": {"undone": 1, "restored": 0, "changed": 0},
                "flags": {"undone": 0, "restored": 0, "changed": 1},
                "dispositions": {"undone": 1, "restored": 0, "changed": 1},
            },
            "By kind, as in `changes`.",
        ),
    ]


class RollbackList(TypedDict):
    """Rollbacks, newest first."""

    data: list[Rollback]
    next_cursor: Annotated[int | None, member(None, NEXT_CURSOR)]
    rollbacks: NotRequired[Annotated[list[Rollback], deprecated("data")]]
    next_before: NotRequired[Annotated[int | None, deprecated("next_cursor")]]
