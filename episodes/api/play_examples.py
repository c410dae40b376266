"""Examples and error codes of campaigns, summaries and events in the OpenAPI document."""

from __future__ import annotations

from typing import Any

from memoryproject.json_schema import load_schema

SUMMARY_BODY: dict[str, Any] = load_schema("episodic_summary")["examples"][0]
EVENT_BODY = {
    "event_id": "evt_2025_08_27_0003",
    "campaign_id": "camp_123",
    "party_id": "pty_001",
    "kind": "quest_completed",
    "when": "2025-08-27T12:10:00Z",
    "flags": {"quest_moon_key": "completed"},
    "notes": "The moon key is back with its owner.",
}
TOLD_BODY = {"npc_id": "npc_Oda", "summary_id": "sum_2025_08_27_0142", "source": "p_A"}
TOLD = {"npc_id": "npc_Oda", "source": "p_A", "created": True}
CAMPAIGN = {
    "campaign_id": "camp_123",
    "title": "The Moon Key",
    "state": "active",
    "parties": ["pty_001"],
    "summary_count": 12,
    "event_count": 1,
    "created_at": "2025-08-20T18:00:00Z",
    "finished_at": None,
    "archived_at": None,
    "restored_at": None,
}
RECORDED = {
    "summary_id": "sum_2025_08_27_0142",
    "created": True,
    "seq": 13,
    "notes_tokens": 8,
    "flags": [{"name": "gate_moon_door", "old": "shut", "new": "open", "late": False}],
    "dispositions": [{"npc_id": "npc_LiShen", "towards": "party", "delta": 1, "applied": 1, "from": 1, "to": 2}],
    "told": 0,
    "embedding": "queued",
}
REPEATED = {**RECORDED, "created": False, "flags": [], "dispositions": [], "embedding": "unchanged"}
RECORDED_EVENT = {
    "event_id": "evt_2025_08_27_0003",
    "created": True,
    "seq": 14,
    "flags": [{"name": "quest_moon_key", "old": "obtained", "new": "completed", "late": False}],
}
SUMMARY = {
    "summary_id": "sum_2025_08_27_0142",
    "campaign_id": "camp_123",
    "party_id": "pty_001",
    "scene_id": "scn_042",
    "when": "2025-08-27T11:42:00Z",
    "location_id": "loc_moon_bridge",
    "event": "bargain",
    "outcome": "partial_success",
    "npcs": ["npc_LiShen"],
    "notes": "The keeper lent the moon key against a promise.",
    "language": "en",
    "text": "The keeper lent the moon key against a promise. (partial success)",
}
NOTED_EVENT = {name: EVENT_BODY[name] for name in ("event_id", "party_id", "kind", "when", "notes")}
SESSION = {
    "party_id": "pty_001",
    "campaign_id": "camp_123",
    "players": ["p_A", "p_B"],
    "scene_id": "scn_042",
    "location_id": "loc_moon_bridge",
    "summaries": [SUMMARY],
    "events": [NOTED_EVENT],
    "flags": {"gate_moon_door": "open"},
    "text": "The keeper lent the moon key against a promise. (partial success)\nThe moon key is back with its owner.\n"
    "gate moon door: open",
}
FLAGS = {
    "flags": [
        {
            "name": "gate_moon_door",
            "value": "open",
            "party_id": "pty_001",
            "set_at": "2025-08-27T11:42:00Z",
            "changes": [
                {
                    "old": None,
                    "new": "open",
                    "when": "2025-08-27T11:42:00Z",
                    "late": False,
                    "summary_id": "sum_2025_08_27_0142",
                    "event_id": None,
                }
            ],
        }
    ],
    "next_after": None,
}
FOUND = {
    "query": "who lent us the key",
    "degraded": [],
    "hits": [
        {
            "summary": SUMMARY,
            "score": 0.92,
            "parts": {"bm25": 3.1, "bm25_part": 0.8, "vector": 0.41, "vector_part": 0.12, "date_part": 0.0},
        }
    ],
}
CAMPAIGN_CODES = {404: {"campaign_not_found": "There is no campaign 'camp_123'."}}
PARTY_CODES = {404: {"party_not_found": "There is no party 'pty_001'."}}
NPC_CODES = {404: {"npc_not_found": "There is no NPC 'npc_LiShen'."}}
STATE_CODES = {409: {"campaign_state_conflict": "Only a finished campaign can be archived."}}
CLOSED_CODES = {
    409: {
        "campaign_closed": "The campaign 'camp_123' is finished: it takes nothing more.",
        "party_in_other_campaign": "The party 'pty_001' plays another campaign.",
    }
}
SUMMARY_CODES = {
    400: {
        "summary_invalid": "what.loot[0].qty: 0 is less than the minimum of 1",
        "disposition_delta_out_of_bounds": "A change of 'npc_LiShen' must lie between -3 and 3.",
        "user_id_invalid": "A user's id must be 1 to 200 printable characters.",
    },
    404: {"npc_not_found": "There is no NPC 'npc_LiShen'."},
    409: {
        "summary_conflict": "The summary 'sum_2025_08_27_0142' came before with another body.",
        "scene_of_other_party": "The scene 'scn_042' is another party's.",
    },
}
EVENT_CODES = {
    400: {"event_invalid": "kind: 'Quest' does not match '^[a-z][a-z0-9_]*$'"},
    409: {"event_conflict": "The event 'evt_2025_08_27_0003' came before with another body."},
}
TOLD_CODES = {
    400: {"when_invalid": "when is not a time with an offset."},
    404: {
        "summary_not_found": "There is no summary 'sum_2025_08_27_0142'.",
        "event_not_found": "There is no event 'evt_2025_08_27_0003'.",
    },
}
SEARCH_CODES = {
    400: {
        "query_empty": "The query is empty.",
        "query_too_long": "The query has 5000 characters; the most is 4000.",
        "k_out_of_range": "k must lie between 1 and 50.",
    }
}
