"""Examples and codes of threads in the OpenAPI document."""

from __future__ import annotations

from typing import Any

WHEN = "2026-03-01T19:00:00Z"
FIRST, SECOND = "1f0c6a52-1b7e-6d10-bfff-4b7e9a558a4d", "1f0c6a52-2c01-6b84-8000-6c0e9a551b2e"
THREAD: dict[str, Any] = {
    "thread_id": "thread-1",
    "title": "The moon door",
    "state": "interrupted",
    "head": {"checkpoint_id": SECOND, "step": 0, "source": "loop"},
    "user_id": "player-1",
    "conversation_id": 7,
    "campaign_id": "camp_123",
    "checkpoint_count": 2,
    "open_interrupts": 1,
    "created_at": WHEN,
    "used_at": WHEN,
    "expires_at": "2026-03-31T20:00:00Z",
}
BODY = {
    "v": 1,
    "id": SECOND,
    "ts": WHEN,
    "channel_versions": {"plan": 2},
    "versions_seen": {},
    "updated_channels": None,
}
PUT: dict[str, Any] = {
    "checkpoint": {**BODY, "id": FIRST, "channel_versions": {"plan": 1}},
    "metadata": {"source": "input", "step": -1, "parents": {}},
    "values": {"plan": {"type": "json", "json": {"goal": "open the moon door"}}},
}
CHECKPOINT: dict[str, Any] = {
    "thread_id": "thread-1",
    "ns": "",
    "checkpoint_id": SECOND,
    "parent_id": FIRST,
    "checkpoint": BODY,
    "metadata": {"source": "loop", "step": 0, "parents": {}},
    "values": {"plan": {"type": "json", "json": {"goal": "open the moon door"}}},
    "writes": [],
    "is_current": True,
    "created_at": WHEN,
}
WRITES: dict[str, Any] = {
    "checkpoint_id": SECOND,
    "task_id": "task-1",
    "writes": [{"channel": "__interrupt__", "value": {"type": "json", "json": "Spend the last key?"}}],
    "interrupts": [
        {
            "graph_id": "ask-1",
            "value": "Spend the last key?",
            "schema": {"type": "object", "required": ["spend"], "properties": {"spend": {"type": "boolean"}}},
        }
    ],
}
INTERRUPT: dict[str, Any] = {
    "interrupt_id": 5,
    "graph_id": "ask-1",
    "thread_id": "thread-1",
    "ns": "",
    "checkpoint_id": SECOND,
    "task_id": "task-1",
    "asked": "Spend the last key?",
    "schema": {"type": "object", "required": ["spend"], "properties": {"spend": {"type": "boolean"}}},
    "state": "open",
    "answer": None,
    "reason": "",
    "decided_by": "",
    "decided_at": None,
    "resumed_at": None,
    "expires_at": "2026-03-08T19:00:00Z",
    "created_at": WHEN,
}
ANSWERED: dict[str, Any] = {
    **INTERRUPT,
    "state": "approved",
    "answer": {"spend": True},
    "decided_by": "API key a1b2c3d4",
    "decided_at": WHEN,
}
RECEIPT: dict[str, Any] = {
    "receipt_id": "8b1c7e52-5d5c-4b7e-9a55-8a4d7b1f3c11",
    "kind": "deletion",
    "counts": {"threads": 1, "writes": 1, "interrupts": 1, "checkpoints": 2, "values": 1, "rollbacks": 0},
    "created_at": WHEN,
}
ROLLBACK: dict[str, Any] = {
    "thread_id": "thread-1",
    "checkpoint_id": FIRST,
    "undo_checkpoint_id": SECOND,
    "dry_run": False,
    "is_changed": True,
    "undone": [SECOND],
    "restored": [],
    "interrupts_closed": 1,
    "play": None,
}
FORM_CODES = {400: {"thread_invalid": "The id of a thread has 1 to 200 printable characters."}}
THREAD_CODES = {404: {"thread_not_found": "There is no thread 'thread-1'."}}
STATE_CODES = {404: {"thread_checkpoint_not_found": "The thread has no checkpoint yet here."}}
BINDING_CODES: dict[int, dict[str, str]] = {
    404: {
        "user_not_found": "There is no user 'player-1'.",
        "conversation_not_found": "There is no conversation 7.",
        "campaign_not_found": "There is no campaign 'camp_123'.",
    },
    409: {"thread_bound": "The thread is bound to another campaign."},
}
KEY_CODES = {503: {"fact_keys_missing": "FACT_KEYS and FACT_INDEX_KEY are not set."}}
VALUE_CODES: dict[int, dict[str, str]] = {
    400: {"serializer_unknown": "There is no serializer 'pickle' here."},
    413: {"state_too_large": "A value has 1048576 bytes; at most 262144 are kept."},
}
PUT_CODES: dict[int, dict[str, str]] = {
    409: {
        "checkpoint_parent_unknown": "The thread has no checkpoint to follow: it was deleted, or never came.",
        "checkpoint_taken": "Another checkpoint was kept before. Ids are used once.",
    },
    412: {"thread_moved": "Somebody else wrote to the thread meanwhile: read its state again."},
}
INTERRUPT_CODES: dict[int, dict[str, str]] = {
    404: {"interrupt_not_found": "The thread has no interrupt 5."},
    409: {"interrupt_decided": "The interrupt was approved by staff gm before."},
}
ANSWER_CODES = {422: {"interrupt_value_invalid": "value: 'spend' is a required property"}}
COPY_CODES = {409: {"thread_not_empty": "There is something in the thread to copy to."}}
ROLLBACK_CODES = {409: {"rollback_blocked": "The campaign is finished: restore it before it goes back."}}
