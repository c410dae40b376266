"""Examples and error codes of campaigns, summaries and events in the OpenAPI document."""

from __future__ import annotations

from typing import Any

from episodes.errors import (
    CampaignClosed,
    EventConflict,
    InvalidEvent,
    InvalidSummary,
    InvalidWhen,
    PlaceTaken,
    SceneOfOtherParty,
    SummaryConflict,
    UnknownEvent,
    UnknownSummary,
)
from knowledge.errors import EmptyQuery, QueryTooLong
from memoryproject.json_schema import load_schema
from npcs.errors import DeltaOutOfBounds, UnknownNpc
from tenancy.errors import InvalidUserId

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
CLOSED_CODES = (CampaignClosed, PlaceTaken)
SUMMARY_CODES = (InvalidSummary, DeltaOutOfBounds, UnknownNpc, SummaryConflict, InvalidUserId, SceneOfOtherParty)
EVENT_CODES = (InvalidEvent, EventConflict)
TOLD_CODES = (UnknownSummary, UnknownEvent, InvalidWhen)
SEARCH_CODES = (EmptyQuery, QueryTooLong)
