"""What campaigns, summaries and events take and answer by REST."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired

from typing_extensions import TypedDict

from episodes.campaigns.core.schemas import load_summary_schema
from episodes.models import CampaignState
from memoryproject.rest.forms import form, text
from memoryproject.rest.pages import NEXT_CURSOR
from memoryproject.rest.typed_dicts import Time, deprecated, member

PARTS = load_summary_schema()["properties"]
PLAY_ID: dict[str, Any] = {key: value for key, value in PARTS["scene_id"].items() if key in ("type", "pattern")} | {
    "minLength": 1,
    "maxLength": 120,
}
CAMPAIGN_BODY = form(
    {"campaign_id": {**PLAY_ID, "description": "The engine's id of the campaign, unique in the world."}},
    {"title": text(200)},
)
TOLD_BODY = form(
    {
        "npc_id": {**PLAY_ID, "description": "Who was told."},
        "source": {**PLAY_ID, "description": "Who told it: a player or an NPC."},
    },
    {
        "summary_id": {**PLAY_ID, "description": "Of which summary. This or `event_id`."},
        "event_id": {**PLAY_ID, "description": "Of which event. This or `summary_id`."},
        "when": {
            "type": "string",
            "format": "date-time",
            "minLength": 1,
            "maxLength": 40,
            "description": "With offset; now if left out.",
        },
    },
    oneOf=[{"required": ["summary_id"]}, {"required": ["event_id"]}],
)


class Campaign(TypedDict):
    """One play-through of a world."""

    campaign_id: Annotated[str, member("camp_123")]
    title: Annotated[str, member("The Moon Key")]
    state: Annotated[str, member("active", choices=CampaignState.values)]
    parties: Annotated[list[str], member(["pty_001"])]
    summary_count: Annotated[int, member(12)]
    event_count: Annotated[int, member(1)]
    created_at: Annotated[Time, member("2025-08-20T18:00:00Z")]
    finished_at: Annotated[Time | None, member(None)]
    archived_at: Annotated[Time | None, member(None)]
    restored_at: Annotated[Time | None, member(None)]


class CampaignList(TypedDict):
    """Campaigns, newest first."""

    data: list[Campaign]
    next_cursor: Annotated[int | None, member(None, NEXT_CURSOR)]
    campaigns: NotRequired[Annotated[list[Campaign], deprecated("data")]]
    next_before: NotRequired[Annotated[int | None, deprecated("next_cursor")]]


class FlagMove(TypedDict):
    """What a flag was and was set to."""

    name: Annotated[str, member("gate_moon_door")]
    old: Annotated[Any, member("shut", "Null: it was not set before.")]
    new: Annotated[Any, member("open")]
    late: Annotated[bool, member(False, "Told after something newer: the newer value stands.")]


_From = TypedDict("_From", {"from": Annotated[float, member(1)]})


class MovedDisposition(_From):
    """How an NPC moved."""

    npc_id: Annotated[str, member("npc_LiShen")]
    towards: Annotated[str, member("party")]
    delta: Annotated[float, member(1)]
    applied: Annotated[float, member(1, "Less than `delta` where the scale ended.")]
    to: Annotated[float, member(2)]


class RecordedSummary(TypedDict):
    """What a summary changed."""

    summary_id: Annotated[str, member("sum_2025_08_27_0142")]
    created: Annotated[bool, member(False, "False: it was there already, and nothing changed.")]
    seq: Annotated[int, member(13, "Place in the campaign, shared with events.")]
    notes_tokens: Annotated[int, member(8)]
    flags: Annotated[list[FlagMove], member([])]
    dispositions: Annotated[list[MovedDisposition], member([], "In the order of `relations_delta`.")]
    hearsay: Annotated[int, member(0, "How many NPCs were told of something.")]
    told: NotRequired[Annotated[int, deprecated("hearsay")]]
    embedding: Annotated[str, member("unchanged", choices=("queued", "unchanged"))]


class RecordedEvent(TypedDict):
    """What an event changed."""

    event_id: Annotated[str, member("evt_2025_08_27_0003")]
    created: Annotated[bool, member(False)]
    seq: Annotated[int, member(14)]
    flags: Annotated[list[FlagMove], member([])]


class RecordedHearsay(TypedDict):
    """That an NPC knows of something by hearsay."""

    npc_id: Annotated[str, member("npc_Oda")]
    source: Annotated[str, member("p_A")]
    created: Annotated[bool, member(False, "False: it was told before; the first teller stands.")]


class Summary(TypedDict):
    """One summary."""

    summary_id: Annotated[str, member("sum_2025_08_27_0142")]
    campaign_id: Annotated[str, member("camp_123")]
    party_id: Annotated[str, member("pty_001")]
    scene_id: Annotated[str, member("scn_042")]
    when: Annotated[Time, member("2025-08-27T11:42:00Z")]
    location_id: Annotated[str, member("loc_moon_bridge")]
    event: Annotated[str, member("bargain")]
    outcome: Annotated[str, member("partial_success")]
    npcs: Annotated[list[str], member(["npc_LiShen"])]
    notes: Annotated[str, member("The keeper lent the moon key against a promise.")]
    language: Annotated[str, member("en")]
    text: Annotated[
        str,
        member(
            "The keeper lent the moon key against a promise. (partial success)",
            "The short form that a model reads: no ids, no dates.",
        ),
    ]


class NotedEvent(TypedDict):
    """What happened between scenes, in words."""

    event_id: Annotated[str, member("evt_2025_08_27_0003")]
    party_id: Annotated[str | None, member("pty_001", "Null: it concerns the whole campaign.")]
    kind: Annotated[str, member("quest_completed")]
    when: Annotated[Time, member("2025-08-27T12:10:00Z")]
    notes: Annotated[str, member("The moon key is back with its owner.")]


class Session(TypedDict):
    """Where a party stands."""

    party_id: Annotated[str, member("pty_001")]
    campaign_id: Annotated[str, member("camp_123")]
    players: Annotated[list[str], member(["p_A", "p_B"])]
    scene_id: Annotated[str | None, member("scn_042", "The scene of the newest summary.")]
    location_id: Annotated[str | None, member("loc_moon_bridge")]
    summaries: Annotated[list[Summary], member(description="Newest first.")]
    events: Annotated[
        list[NotedEvent], member(description="Those between scenes that have notes, the one told last first.")
    ]
    flags: Annotated[
        dict[str, str | float | bool],
        member({"gate_moon_door": "open"}, "By name; of more than 200 those that were set last."),
    ]
    text: Annotated[
        str,
        member(
            "The keeper lent the moon key against a promise. (partial success)\nThe moon key is back "
            "with its owner.\ngate moon door: open",
            "What a model reads: scenes, then events, each oldest first, then the flags by name; of "
            "more than 12 flags those that were set last.",
        ),
    ]


class FlagChange(TypedDict):
    """One setting of a flag."""

    old: Annotated[Any, member(None)]
    new: Annotated[Any, member("open")]
    when: Annotated[Time, member("2025-08-27T11:42:00Z")]
    late: Annotated[bool, member(False)]
    summary_id: Annotated[str | None, member("sum_2025_08_27_0142")]
    event_id: Annotated[str | None, member(None)]


class Flag(TypedDict):
    """One flag."""

    name: Annotated[str, member("gate_moon_door")]
    value: Annotated[Any, member("open")]
    party_id: Annotated[str | None, member("pty_001", "Null: the whole campaign's.")]
    set_at: Annotated[Time, member("2025-08-27T11:42:00Z")]
    changes: Annotated[list[FlagChange], member(description="The last twenty, newest first.")]


class FlagList(TypedDict):
    """The flags of a campaign."""

    data: list[Flag]
    next_cursor: Annotated[str | None, member(None, NEXT_CURSOR)]
    flags: NotRequired[Annotated[list[Flag], deprecated("data")]]
    next_after: NotRequired[Annotated[str | None, deprecated("next_cursor")]]


class SummaryParts(TypedDict):
    """What a score is made of."""

    bm25: Annotated[float, member(3.1)]
    bm25_part: Annotated[float, member(0.8)]
    vector: Annotated[float | None, member(0.41)]
    vector_part: Annotated[float, member(0.12)]
    date_part: Annotated[
        float,
        member(0.0, "For taking place in a period that the query names. score = bm25_part + vector_part + date_part."),
    ]


class SummaryHit(TypedDict):
    """A summary that was found."""

    summary: Summary
    score: Annotated[float, member(0.92)]
    parts: SummaryParts


class SummarySearch(TypedDict):
    """What a search found in a campaign."""

    query: Annotated[str, member("who lent us the key")]
    degraded: Annotated[list[str], member([])]
    hits: list[SummaryHit]
