"""Examples of the REST interface of events."""

from typing import Any

EVENT_ID = "6f1c2f0e-7d5b-4d3a-9a51-0c8a4f1d2b3c"
EVENT: dict[str, Any] = {
    "event_id": EVENT_ID,
    "conversation_id": 7,
    "user_id": "player-1",
    "state": "buffer",
    "triggered_by": "count",
    "first_seq": 1,
    "last_seq": 16,
    "npc_ids": ["npc_miron"],
    "title": "Miron, Irina · Moon Tavern",
    "display_text": "---\n📅 Time: day 42 late at night\n📍 Place: Moon Tavern\n🔑 Keywords: Miron, Irina, silver key\n"
    "---\n📜 **What happened**:\nIrina brings the silver key to the Moon Tavern.",
    "tokens": 52,
    "plot": {
        "summary": "Irina brings the silver key to the Moon Tavern.",
        "keywords": ["Miron", "Irina", "silver key"],
        "timestamp": "day 42 late at night",
        "location": "Moon Tavern",
        "entities": [{"name": "Irina", "type": "Character"}, {"name": "silver key", "type": "Item"}],
        "relations": [{"subject": "Irina", "predicate": "brings", "object": "silver key"}],
        "details": "",
    },
    "refusals": [{"code": "entity_not_found", "value": "Gandalf"}],
    "is_edited": False,
    "is_hidden": False,
    "rev": 1,
    "proposer": "offline",
    "model": "",
    "language": "en",
    "tries": 1,
    "error_code": "",
    "error_detail": "",
    "input_tokens": 0,
    "output_tokens": 0,
    "cost_usd": 0.0,
    "created_at": "2026-03-02T10:00:00Z",
    "updated_at": "2026-03-02T10:00:04Z",
    "archived_at": None,
}
EVENTS = {"data": [EVENT], "next_cursor": None}
ARCHIVED = {"archived": 10, "waiting": 0}
FOUND = {
    "query": "that thing at the tavern",
    "is_vague": True,
    "pointed_at": ["Miron"],
    "data": [{"score": 1.25, "keyword_score": 2.1, "vector_score": 0.86, "names": 1, "event": EVENT}],
    "degraded": [],
}
POLICY = {
    "version": 2,
    "is_enabled": True,
    "every": 15,
    "archive_at": 10,
    "archive_tokens": 2000,
    "archived_entries": "disable",
    "templates": {"en": "{timestamp} {location}\n{summary}"},
}
POLICY_CODES = {
    400: {"event_policy_invalid": "templates.en: The template does not show {summary}."},
    412: {"event_policy_changed": "The policy has version 2, not 1."},
    428: {"event_policy_version_required": "The policy has version 2: send If-Match."},
}
PROPOSAL = {
    "proposal_id": 4,
    "event_id": EVENT_ID,
    "conversation_id": 7,
    "state": "open",
    "author": "key m37_abc",
    "seen_rev": 3,
    "rev": 5,
    "before": "Irina brings the silver key to the Moon Tavern.",
    "after": "Irina brings a forged silver key to the Moon Tavern.",
    "decided_by": "",
    "reason": "",
    "created_at": "2026-03-02T10:00:00Z",
    "decided_at": None,
}
PROPOSALS = {"data": [PROPOSAL], "next_cursor": None}
PROPOSAL_CODES = {
    404: {"event_proposal_not_found": "There is no proposal 4."},
    409: {
        "event_proposal_decided": "The proposal is accepted.",
        "event_not_shown": "The event is stale: it has no words.",
    },
}
EVENT_CODES = {404: {"event_not_found": f"There is no event {EVENT_ID}."}}
RETRY_CODES = {
    409: {
        "event_not_failed": "The event is buffer: only what failed, is stale or forgotten is tried again.",
        "event_range_taken": "Another event has taken its messages meanwhile.",
    }
}
HIDE_CODES = {409: {"event_not_shown": "The event is failed: it has no words."}}
ARCHIVE_CODES = {409: {"event_not_buffered": "No event of the scope waits in the buffer."}}
WORLDINFO = {
    "entries": {
        "1": {
            "uid": 1,
            "key": ["Miron", "silver key"],
            "keysecondary": [],
            "comment": "[m37 1–16] Miron, Irina · Moon Tavern",
            "content": EVENT["display_text"],
            "order": 101,
            "disable": False,
            "extensions": {
                "memory37": {"event_id": EVENT_ID, "state": "buffer", "messages": [1, 16], "rev": 1},
            },
        }
    },
    "rev": 1,
    "removed": [],
}
