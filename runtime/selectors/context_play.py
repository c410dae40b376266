"""What happened in play, for one turn: the party's last scenes and flags, as far as whoever speaks knows of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from episodes.core.summaries import FlagValue, humanise, render_flag_value, render_summary
from episodes.errors import UnknownParty
from runtime.context.core.pack import Item, Provenance
from runtime.context.request import ContextRequest
from runtime.errors import UnknownScene
from runtime.selectors.context_rows import Row

MAX_PEOPLE = 2


@dataclass(frozen=True, slots=True)
class KnownSummary:
    """A summary, and from whom it is known where it was not seen."""

    summary_id: str
    scene_id: str
    notes: str
    outcome: str
    language: str
    source: str | None
    npc_ids: Sequence[str]


@dataclass(frozen=True, slots=True)
class KnownFlag:
    """A flag and what set it so."""

    name: str
    value: FlagValue
    summary_id: str | None
    event_id: str | None


@dataclass(frozen=True, slots=True)
class KnownEvent:
    """Something of weight between scenes, and from whom it is known where the speaker is an NPC."""

    event_id: str
    notes: str
    source: str | None


@dataclass(frozen=True, slots=True)
class Play:
    """Where the party stands."""

    campaign_id: str
    summaries: tuple[KnownSummary, ...] = ()
    """Newest first."""
    flags: tuple[KnownFlag, ...] = ()
    """The one set last first."""
    events: tuple[KnownEvent, ...] = ()
    """The one told last first."""


def read_play(ask: ContextRequest, row: Row | None) -> Play | None:
    """What the speaker knows of the party, of a row of `play.sql`; None without a party.

    Raises UnknownParty, UnknownScene.
    """
    if ask.party_id is None:
        return None
    if row is None:
        raise UnknownParty(f"There is no party {ask.party_id!r}.")
    campaign_id, _, is_scene_known, summaries, flags, events = row
    if not is_scene_known:
        raise UnknownScene(f"This campaign has no scene {ask.scene_id!r} yet.")
    return Play(
        campaign_id=campaign_id,
        summaries=tuple(KnownSummary(*summary) for summary in summaries),
        flags=tuple(KnownFlag(*flag) for flag in flags),
        events=tuple(KnownEvent(*event) for event in events),
    )


def list_people(play: Play | None) -> tuple[str, ...]:
    """Who was in the party's last scene."""
    return tuple(play.summaries[0].npc_ids[:MAX_PEOPLE]) if play is not None and play.summaries else ()


def build_summary_items(play: Play, language: str) -> list[Item]:
    """The last scenes in the order in which they happened; the newest stay the longest."""
    return [
        Item(
            id=f"summary:{summary.summary_id}",
            text=render_summary(summary.notes, summary.outcome, language),
            provenance=Provenance(
                "summary",
                {
                    "summary_id": summary.summary_id,
                    "scene_id": summary.scene_id,
                    "campaign_id": play.campaign_id,
                    "told_by": summary.source,
                },
            ),
            template="summary" if summary.source is None else "told",
            priority=place,
        )
        for place, summary in enumerate(reversed(play.summaries))
    ]


def build_flag_items(play: Play, language: str) -> list[Item]:
    """The flags by name; what was set last stays the longest."""
    ranks = {flag.name: rank for rank, flag in enumerate(reversed(play.flags), start=1)}
    return [
        Item(
            id=f"flag:{flag.name}",
            text=render_flag_value(flag.value, language),
            provenance=Provenance(
                "flag",
                {"flag": flag.name, "summary_id": flag.summary_id, "event_id": flag.event_id},
            ),
            template="flag",
            values={"name": humanise(flag.name)},
            priority=ranks[flag.name],
        )
        for flag in sorted(play.flags, key=lambda flag: flag.name)
    ]


def build_event_items(play: Play) -> list[Item]:
    """What happened between scenes, in the order in which it was told; the newest stays longer than any flag."""
    return [
        Item(
            id=f"event:{event.event_id}",
            text=event.notes,
            provenance=Provenance(
                "event",
                {"event_id": event.event_id, "campaign_id": play.campaign_id, "told_by": event.source},
            ),
            template="note" if event.source is None else "note_told",
            priority=len(play.flags) + 1 if event is play.events[0] else 0,
        )
        for event in reversed(play.events)
    ]
