"""What the engine tells of play: summaries of scenes and events between them, parsed, rendered and made searchable."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from episodes.campaigns.core.schemas import list_schema_errors
from episodes.errors import InvalidEvent, InvalidSummary
from knowledge.text.languages import LANGUAGES, SceneWords
from knowledge.text.languages.en import SCENES as ENGLISH_SCENES
from knowledge.text.tokens import count_tokens
from memoryproject.forgetting.erased_names import PLACEHOLDER
from memoryproject.json_schema import FormError, summarise_errors

MAX_NOTES_TOKENS = 40
PARTY = "party"
VERSION = "1.0.0"
EARLIEST = dt.datetime(2000, 1, 1, tzinfo=dt.UTC)
CLOCK_SKEW = dt.timedelta(minutes=5)

FlagValue = str | int | float | bool


@dataclass(frozen=True, slots=True)
class RelationDelta:
    """How an NPC changed its mind towards the party or one player."""

    npc_id: str
    towards: str
    delta: int | float
    reason: str
    rule: str = ""


@dataclass(frozen=True, slots=True)
class ToldDraft:
    """What an NPC was told of an earlier summary, and by whom."""

    npc_id: str
    summary_id: str
    source: str


@dataclass(frozen=True, slots=True)
class SummaryDraft:
    """A summary of a scene as the engine posts it. Made by `parse_summary`, which checks it."""

    summary_id: str
    campaign_id: str
    party_id: str
    scene_id: str
    happened_at: dt.datetime
    players: tuple[str, ...]
    npcs: tuple[str, ...]
    location_id: str
    tags: tuple[str, ...]
    event: str
    outcome: str
    notes: str
    notes_tokens: int
    loot: tuple[tuple[str, int], ...]
    flags: Mapping[str, FlagValue]
    deltas: tuple[RelationDelta, ...]
    told: tuple[ToldDraft, ...]
    body: Mapping[str, Any] = field(repr=False)
    body_hash: bytes = field(repr=False)

    @property
    def mentioned(self) -> frozenset[str]:
        """Who rolled, who told, and what flags are set to: players, NPCs or other words."""
        rolls = (roll["who"] for roll in self.body["what"].get("rolls", ()))
        return frozenset({*rolls, *(told.source for told in self.told), *_list_texts(self.flags)})

    def as_search_text(self) -> str:
        """What the summary is found by: its notes, then the words of its other members."""
        words = [self.event, self.outcome, self.location_id, *self.tags, *self.npcs]
        words += [item_id for item_id, _ in self.loot]
        words += [f"{name} {value}" for name, value in self.flags.items()]
        words += [delta.reason for delta in self.deltas]
        return "\n".join([self.notes, *(humanise(word) for word in words)])


@dataclass(frozen=True, slots=True)
class EventDraft:
    """Something of weight between scenes, as the engine posts it. Made by `parse_event`, which checks it."""

    event_id: str
    campaign_id: str
    party_id: str | None
    kind: str
    happened_at: dt.datetime
    flags: Mapping[str, FlagValue]
    notes: str
    body: Mapping[str, Any] = field(repr=False)
    body_hash: bytes = field(repr=False)

    @property
    def mentioned(self) -> frozenset[str]:
        """What flags are set to: players, NPCs or other words."""
        return _list_texts(self.flags)


def parse_summary(body: Any, *, now: dt.datetime) -> SummaryDraft:
    """The summary of a body in the form of `schemas/episodic_summary.schema.json`. Raises InvalidSummary.

    Notes of more than 40 tokens are refused, never cut: the engine knows best what to leave out.
    """
    errors = list_schema_errors("summary", body)
    if errors:
        raise _make_error(InvalidSummary, errors)
    _, errors = _parse_when(body["when"], now)
    errors += _check_notes(_count_notes(body["notes"]))
    players = body["who"]["players"]
    for place, delta in enumerate(body.get("relations_delta", ())):
        if delta["towards"] != PARTY and delta["towards"] not in players:
            message = f"is neither {PARTY!r} nor one of who.players"
            errors.append({"path": f"relations_delta[{place}].towards", "message": message})
    if errors:
        raise _make_error(InvalidSummary, errors)
    return read_summary(body, now=now)


def read_summary(body: Mapping[str, Any], *, now: dt.datetime) -> SummaryDraft:
    """The summary of a body that was checked when it came; a placeholder may have made its lines longer since."""
    where, what = body["where"], body["what"]
    return SummaryDraft(
        summary_id=body["summary_id"],
        campaign_id=body["campaign_id"],
        party_id=body["party_id"],
        scene_id=body["scene_id"],
        happened_at=_parse_when(body["when"], now)[0],
        players=tuple(body["who"]["players"]),
        npcs=tuple(body["who"]["npcs"]),
        location_id=where["location_id"],
        tags=tuple(where.get("tags", ())),
        event=what["event"],
        outcome=what["outcome"],
        notes=body["notes"],
        notes_tokens=_count_notes(body["notes"]),
        loot=tuple((item["item_id"], int(item["qty"])) for item in what.get("loot", ())),
        flags=body.get("flags", {}),
        deltas=tuple(RelationDelta(**delta) for delta in body.get("relations_delta", ())),
        told=tuple(ToldDraft(**told) for told in body.get("told", ())),
        body=body,
        body_hash=hash_body(body),
    )


def parse_event(body: Any, *, now: dt.datetime) -> EventDraft:
    """The event of a body in the form of `build_event_schema`. Raises InvalidEvent."""
    errors = list_schema_errors("event", body)
    if errors:
        raise _make_error(InvalidEvent, errors)
    happened_at, errors = _parse_when(body["when"], now)
    errors += _check_notes(_count_notes(body.get("notes", "")))
    if errors:
        raise _make_error(InvalidEvent, errors)
    return EventDraft(
        event_id=body["event_id"],
        campaign_id=body["campaign_id"],
        party_id=body.get("party_id"),
        kind=body["kind"],
        happened_at=happened_at,
        flags=body.get("flags", {}),
        notes=body.get("notes", ""),
        body=body,
        body_hash=hash_body(body),
    )


def hash_body(body: Mapping[str, Any]) -> bytes:
    """SHA-256 of a body; the order of its members does not count."""
    return hashlib.sha256(json.dumps(body, sort_keys=True, separators=(",", ":")).encode()).digest()


def render_summary(notes: str, outcome: str, language: str) -> str:
    """A summary as a model reads it: its notes and how it ended, without ids and dates."""
    return f"{notes} ({_find_scene_words(language).outcomes.get(outcome) or humanise(outcome)})"


def render_flags(flags: Mapping[str, FlagValue], language: str) -> str:
    """Flags as a model reads them, by name, in one line."""
    return "; ".join(f"{humanise(name)}: {render_flag_value(value, language)}" for name, value in sorted(flags.items()))


def render_flag_value(value: FlagValue, language: str) -> str:
    """What a flag is, as a model reads it."""
    words = _find_scene_words(language)
    yes, no = words.yes, words.no
    return (yes if value else no) if isinstance(value, bool) else humanise(str(value))


def _find_scene_words(language: str) -> SceneWords:
    """Those of the language of the prompt, else the English ones."""
    found = LANGUAGES[language].scenes if language in LANGUAGES else None
    return found or ENGLISH_SCENES


def humanise(word: str) -> str:
    """An engine's word without its underscores."""
    return word.replace("_", " ").strip()


def _list_texts(flags: Mapping[str, FlagValue]) -> frozenset[str]:
    return frozenset(value for value in flags.values() if isinstance(value, str))


def _parse_when(text: str, now: dt.datetime) -> tuple[dt.datetime, list[FormError]]:
    try:
        time = dt.datetime.fromisoformat(text)
        when = None if time.tzinfo is None else time.astimezone(dt.UTC)
    except (ValueError, OverflowError):
        when = None
    if when is None:
        return now, [{"path": "when", "message": "is not a time with an offset"}]
    if not EARLIEST <= when <= now + CLOCK_SKEW:
        return now, [{"path": "when", "message": f"lies before {EARLIEST:%Y} or in the future"}]
    return when, []


def _count_notes(notes: str) -> int:
    """The tokens of notes; the placeholder of an erased player counts as one word."""
    return count_tokens(PLACEHOLDER.sub("someone", notes))


def _check_notes(tokens: int) -> list[FormError]:
    if tokens <= MAX_NOTES_TOKENS:
        return []
    return [{"path": "notes", "message": f"has {tokens} tokens; the most is {MAX_NOTES_TOKENS}"}]


def _make_error(
    kind: type[InvalidSummary] | type[InvalidEvent], errors: list[FormError]
) -> InvalidSummary | InvalidEvent:
    return kind(summarise_errors(errors, what="body"), errors=errors)
