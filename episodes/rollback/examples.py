"""Examples and error codes of checkpoints and rollbacks in the OpenAPI document."""

from __future__ import annotations

from typing import Any

from episodes.errors import RollbackBlocked, UnknownCheckpoint

NOTHING: dict[str, Any] = {"undone": [], "restored": [], "changed": []}
STANDING = {"npc_id": "npc_LiShen", "towards": "party", "party_id": "pty_001"}
ROLLED_BACK: dict[str, Any] = {
    "rollback_id": 3,
    "dry_run": False,
    "is_changed": True,
    "checkpoint_id": 12,
    "undo_checkpoint_id": 13,
    "changes": {
        "members": NOTHING,
        "summaries": {
            **NOTHING,
            "undone": [{"summary_id": "sum_2025_08_27_0142", "party_id": "pty_001", "scene_id": "scn_042", "seq": 13}],
        },
        "events": NOTHING,
        "flags": {
            **NOTHING,
            "changed": [{"name": "gate_moon_door", "party_id": "pty_001", "from": "open", "to": None}],
        },
        "hearsay": NOTHING,
        "art_cards": NOTHING,
        "dispositions": {
            "undone": [{**STANDING, "entry_id": 7, "applied": 1}],
            "restored": [],
            "changed": [{**STANDING, "from": 2, "to": 1}],
        },
    },
}
DRY_RUN = {**ROLLED_BACK, "rollback_id": None, "dry_run": True, "undo_checkpoint_id": None}
ROLLBACK_CODES = (UnknownCheckpoint, RollbackBlocked)
