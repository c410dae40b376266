"""Examples and error codes of checkpoints and rollbacks in the OpenAPI document."""

from __future__ import annotations

from typing import Any

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
CHECKPOINT_CODES = {409: {"campaign_closed": "The campaign 'camp_123' is finished: it takes nothing more."}}
ROLLBACK_CODES = {
    404: {"checkpoint_not_found": "The campaign 'camp_123' has no checkpoint 12."},
    409: {"rollback_blocked": "The campaign 'camp_123' is archived: restore it before it goes back."},
}
