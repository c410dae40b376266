"""What the REST interface of events takes and answers."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Literal

from pydantic import BaseModel

from episodes.events.core.cards import MAX_TEMPLATE_LENGTH, TEMPLATES
from episodes.events.core.chunks import MAX_EVERY, MIN_EVERY
from episodes.events.models import EventState
from episodes.events.models.books import MAX_ARCHIVE_AT, MAX_ARCHIVE_TOKENS, MIN_ARCHIVE_TOKENS
from memoryproject.rest.forms import FLAG, form, text
from memoryproject.rest.typed_dicts import member

EventStateName = Literal["pending", "extracting", "buffer", "archiving", "archived", "failed", "stale", "forgotten"]
STATES = tuple(EventState.values)
EVENT_ID = "6f1c2f0e-7d5b-4d3a-9a51-0c8a4f1d2b3c"
WHEN = "2026-03-02T10:00:00Z"
CARD = (
    "---\n📅 Time: day 42 late at night\n📍 Place: Moon Tavern\n🔑 Keywords: Miron, Irina, silver key\n"
    "---\n📜 **What happened**:\nIrina brings the silver key to the Moon Tavern."
)
TEMPLATE_TEXT = r"^[^\x00]*[^\s\x00][^\x00]*$"


class EventEntity(BaseModel):
    """Somebody or something that takes part."""

    name: Annotated[str, member("Irina")]
    type: Annotated[str, member("Character")]


class EventRelation(BaseModel):
    """What connects two of them."""

    subject: Annotated[str, member("Irina")]
    predicate: Annotated[str, member("brings")]
    object: Annotated[str, member("silver key")]


class PlotExtractionShape(BaseModel):
    """What was extracted, as people left it. `details` is left out where there are none."""

    summary: Annotated[str, member("Irina brings the silver key to the Moon Tavern.")]
    keywords: Annotated[list[str], member(["Miron", "Irina", "silver key"])]
    timestamp: Annotated[str, member("day 42 late at night", "Time within the story.")]
    location: Annotated[str, member("Moon Tavern")]
    entities: list[EventEntity]
    relations: list[EventRelation]
    details: Annotated[str, member("")] = ""


class EventRefusal(BaseModel):
    """What the gate left out, and why."""

    code: Annotated[str, member("entity_not_found")]
    value: Annotated[str, member("Gandalf")]


class EventShape(BaseModel):
    """One event: a range of messages and what it came to. Without words where it is not in the lorebook or archive."""

    event_id: Annotated[str, member(EVENT_ID)]
    conversation_id: Annotated[int, member(7)]
    user_id: Annotated[str, member("player-1")]
    state: Annotated[EventStateName, member("buffer")]
    triggered_by: Annotated[Literal["count", "session_closed", "manual", "again"], member("count")]
    first_seq: Annotated[int, member(1)]
    last_seq: Annotated[int, member(16)]
    npc_ids: Annotated[list[str], member(["npc_miron"])]
    title: Annotated[str, member("Miron, Irina · Moon Tavern")]
    display_text: Annotated[str, member(CARD, "The card, as the lorebook shows it.")]
    tokens: Annotated[int, member(52)]
    plot: PlotExtractionShape | None
    refusals: list[EventRefusal]
    is_edited: Annotated[bool, member(False)]
    is_hidden: Annotated[bool, member(False)]
    rev: Annotated[int, member(1)]
    proposer: Annotated[str, member("offline")]
    model: Annotated[str, member("")]
    language: Annotated[str, member("en")]
    tries: Annotated[int, member(1)]
    error_code: Annotated[str, member("")]
    error_detail: Annotated[str, member("")]
    input_tokens: Annotated[int | None, member(0)]
    output_tokens: Annotated[int | None, member(0)]
    cost_usd: Annotated[float | None, member(0.0)]
    created_at: Annotated[dt.datetime, member(WHEN)]
    updated_at: Annotated[dt.datetime, member("2026-03-02T10:00:04Z")]
    archived_at: Annotated[dt.datetime | None, member(None)]


class EventList(BaseModel):
    """Events in the order of their messages; `next_cursor` is null at the end."""

    data: list[EventShape]
    next_cursor: Annotated[int | None, member(None)]


class ArchivedEvents(BaseModel):
    """What became of the buffers."""

    archived: Annotated[int, member(10)]
    waiting: Annotated[
        int, member(0, "Left in the buffer: the embedder did not answer, or they were changed meanwhile.")
    ]


class EventPolicyShape(BaseModel):
    """How a world wants its events. Version 0: the world has no policy of its own, and these are the defaults."""

    version: Annotated[int, member(2)]
    is_enabled: Annotated[bool, member(True, "Whether talk becomes events by itself.")]
    every: Annotated[int, member(15, "Messages of one event.")]
    archive_at: Annotated[int, member(10, "Events of a conversation after which they are archived.")]
    archive_tokens: Annotated[
        int, member(2000, "Tokens of their cards together, after which they are archived as well.")
    ]
    archived_entries: Annotated[
        Literal["disable", "lower"], member("disable", "What becomes of the entry of an archived event.")
    ]
    templates: Annotated[
        dict[str, str], member({"en": "{timestamp} {location}\n{summary}"}, "Language to the template of a card.")
    ]


class EventProposalShape(BaseModel):
    """An entry that people edited while its event changed: `after` stands in the lorebook, `before` in search."""

    proposal_id: Annotated[int, member(4)]
    event_id: Annotated[str, member(EVENT_ID)]
    conversation_id: Annotated[int, member(7)]
    state: Annotated[Literal["open", "accepted", "declined", "withdrawn"], member("open")]
    author: Annotated[str, member("key m37_abc")]
    seen_rev: Annotated[int, member(3)]
    rev: Annotated[int, member(5)]
    before: Annotated[str, member("Irina brings the silver key to the Moon Tavern.")]
    after: Annotated[str, member("Irina brings a forged silver key to the Moon Tavern.")]
    decided_by: Annotated[str, member("")]
    reason: Annotated[str, member("")]
    created_at: Annotated[dt.datetime, member(WHEN)]
    decided_at: Annotated[dt.datetime | None, member(None)]


class EventProposalList(BaseModel):
    """Proposals, the newest first; `next_cursor` is null at the end."""

    data: list[EventProposalShape]
    next_cursor: Annotated[int | None, member(None)]


class FoundEvent(BaseModel):
    """An event that was found, and how."""

    score: Annotated[float, member(1.25)]
    keyword_score: Annotated[float, member(2.1)]
    vector_score: Annotated[float | None, member(0.86)]
    names: Annotated[int, member(1, "How many of the names that were asked about lead to it.")]
    event: EventShape


class FoundEvents(BaseModel):
    """Events best first. `pointed_at` are the names that a vague question was taken to point at."""

    query: Annotated[str, member("that thing at the tavern")]
    is_vague: Annotated[bool, member(True)]
    pointed_at: Annotated[list[str], member(["Miron"])]
    data: list[FoundEvent]
    degraded: Annotated[list[str], member([])]


POLICY = form(
    {
        "is_enabled": FLAG,
        "every": {"type": "integer", "minimum": MIN_EVERY, "maximum": MAX_EVERY},
        "archive_at": {"type": "integer", "minimum": 1, "maximum": MAX_ARCHIVE_AT},
        "archive_tokens": {"type": "integer", "minimum": MIN_ARCHIVE_TOKENS, "maximum": MAX_ARCHIVE_TOKENS},
        "archived_entries": {"type": "string", "enum": ["disable", "lower"]},
        "templates": form({}, dict.fromkeys(TEMPLATES, text(MAX_TEMPLATE_LENGTH, pattern=TEMPLATE_TEXT))),
    }
)
