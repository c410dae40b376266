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
