"""What the REST interface of events takes and answers."""

from __future__ import annotations

import datetime as dt
from typing import Any, Literal

from pydantic import BaseModel, Field

from episodes.events.models import EventState

EventStateName = Literal["pending", "extracting", "buffer", "archiving", "archived", "failed", "stale", "forgotten"]
STATES = tuple(EventState.values)


class EventEntity(BaseModel):
    """Somebody or something that takes part."""

    name: str
    type: str


class EventRelation(BaseModel):
    """What connects two of them."""

    subject: str
    predicate: str
    object: str


class PlotExtractionShape(BaseModel):
    """What was extracted, as people left it. `details` is left out where there are none."""

    summary: str
    keywords: list[str]
    timestamp: str = Field(description="Time within the story.")
    location: str
    entities: list[EventEntity]
    relations: list[EventRelation]
    details: str = ""


class EventRefusal(BaseModel):
    """What the gate left out, and why."""

    code: str
    value: str


class EventShape(BaseModel):
    """One event: a range of messages and what it came to. Without words where it is not in the lorebook or archive."""

    event_id: str
    conversation_id: int
    user_id: str
    state: EventStateName
    triggered_by: Literal["count", "session_closed", "manual", "again"]
    first_seq: int
    last_seq: int
    npc_ids: list[str]
    title: str
    display_text: str = Field(description="The card, as the lorebook shows it.")
    tokens: int
    plot: PlotExtractionShape | None
    refusals: list[EventRefusal]
    is_edited: bool
    is_hidden: bool
    rev: int
    proposer: str
    model: str
    language: str
    tries: int
    error_code: str
    error_detail: str
    input_tokens: int | None
    output_tokens: int | None
    cost_usd: float | None
    created_at: dt.datetime
    updated_at: dt.datetime
    archived_at: dt.datetime | None


class EventList(BaseModel):
    """Events in the order of their messages; `next_cursor` is null at the end."""

    data: list[EventShape]
    next_cursor: int | None


class ArchivedEvents(BaseModel):
    """What became of the buffers."""

    archived: int
    waiting: int = Field(description="Left in the buffer: the embedder did not answer, or they were changed meanwhile.")


class FoundEvent(BaseModel):
    """An event that was found, and how."""

    score: float
    keyword_score: float
    vector_score: float | None
    names: int = Field(description="How many of the names that were asked about lead to it.")
    event: EventShape


class FoundEvents(BaseModel):
    """Events best first. `pointed_at` are the names that a vague question was taken to point at."""

    query: str
    is_vague: bool
    pointed_at: list[str]
    data: list[FoundEvent]
    degraded: list[str]


ARCHIVE_BODY: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["conversation_id"],
    "properties": {
        "conversation_id": {
            "type": "integer",
            "minimum": 1,
            "maximum": 9223372036854775807,
            "description": "Whose buffer is archived.",
        }
    },
}
HIDDEN_BODY: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["is_hidden"],
    "properties": {"is_hidden": {"type": "boolean"}},
}
