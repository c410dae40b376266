"""What the REST interface of events takes and answers."""

from __future__ import annotations

import datetime as dt
from typing import Any, Literal

from pydantic import BaseModel, Field

from episodes.events.core.cards import MAX_TEMPLATE_LENGTH, TEMPLATES
from episodes.events.core.chunks import MAX_EVERY, MIN_EVERY
from episodes.events.models import EventState
from episodes.events.models.books import MAX_ARCHIVE_AT, MAX_ARCHIVE_TOKENS, MIN_ARCHIVE_TOKENS
from tenancy.api.parameters import PLAIN_TEXT

EventStateName = Literal["pending", "extracting", "buffer", "archiving", "archived", "failed", "stale", "forgotten"]
STATES = tuple(EventState.values)
TEMPLATE_TEXT = r"^[^\x00]*[^\s\x00][^\x00]*$"


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


class EventPolicyShape(BaseModel):
    """How a world wants its events. Version 0: the world has no policy of its own, and these are the defaults."""

    version: int
    is_enabled: bool = Field(description="Whether talk becomes events by itself.")
    every: int = Field(description="Messages of one event.")
    archive_at: int = Field(description="Events of a conversation after which they are archived.")
    archive_tokens: int = Field(description="Tokens of their cards together, after which they are archived as well.")
    archived_entries: Literal["disable", "lower"] = Field(description="What becomes of the entry of an archived event.")
    templates: dict[str, str] = Field(description="Language to the template of a card.")


class EventProposalShape(BaseModel):
    """An entry that people edited while its event changed: `after` stands in the lorebook, `before` in search."""

    proposal_id: int
    event_id: str
    conversation_id: int
    state: Literal["open", "accepted", "declined", "withdrawn"]
    author: str
    seen_rev: int
    rev: int
    before: str
    after: str
    decided_by: str
    reason: str
    created_at: dt.datetime
    decided_at: dt.datetime | None


class EventProposalList(BaseModel):
    """Proposals, the newest first; `next_cursor` is null at the end."""

    data: list[EventProposalShape]
    next_cursor: int | None


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
POLICY_BODY: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["is_enabled", "every", "archive_at", "archive_tokens", "archived_entries", "templates"],
    "properties": {
        "is_enabled": {"type": "boolean"},
        "every": {"type": "integer", "minimum": MIN_EVERY, "maximum": MAX_EVERY},
        "archive_at": {"type": "integer", "minimum": 1, "maximum": MAX_ARCHIVE_AT},
        "archive_tokens": {"type": "integer", "minimum": MIN_ARCHIVE_TOKENS, "maximum": MAX_ARCHIVE_TOKENS},
        "archived_entries": {"type": "string", "enum": ["disable", "lower"]},
        "templates": {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                language: {"type": "string", "minLength": 1, "maxLength": MAX_TEMPLATE_LENGTH, "pattern": TEMPLATE_TEXT}
                for language in TEMPLATES
            },
        },
    },
}
DECISION_BODY: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["reason"],
    "properties": {"reason": {"type": "string", "minLength": 1, "maxLength": 500, "pattern": PLAIN_TEXT}},
}
HIDDEN_BODY: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["is_hidden"],
    "properties": {"is_hidden": {"type": "boolean"}},
}
