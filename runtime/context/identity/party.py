"""What happened in play, for one turn: the party's last scenes and flags, as far as whoever speaks knows of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

from episodes.campaigns.core.summaries import FlagValue
from episodes.errors import UnknownParty
from runtime.context.identity.rows import Row
from runtime.context.request import ContextRequest
from runtime.errors import UnknownScene

MAX_PEOPLE = 2
"""Of the last scene, whose profiles are told with a narrator."""


class Teller(TypedDict):
    """The NPC that told of something."""

    name: str
    names: Mapping[str, str]
    """By language."""


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
    is_rumour: bool = False
    teller: Teller | None = None
    """None where no NPC with a profile told it."""


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
    is_rumour: bool = False
    teller: Teller | None = None


@dataclass(frozen=True, slots=True)
class Party:
    """Where the party stands."""

    campaign_id: str
    summaries: tuple[KnownSummary, ...] = ()
    """Newest first."""
    flags: tuple[KnownFlag, ...] = ()
    """The one set last first."""
    events: tuple[KnownEvent, ...] = ()
    """The one told last first."""
    people: tuple[str, ...] = ()
    """Who was in the last scene."""


def choose_hearsay_line(known: KnownSummary | KnownEvent, line: str, told: str) -> str:
    """The template of what is known: as seen, by hearsay, or heard from somebody with a name, perhaps as a rumour."""
    if known.source is None:
        return line
    if known.teller is None:
        return told
    return f"{told}_rumour" if known.is_rumour else f"{told}_by"


def name_teller(known: KnownSummary | KnownEvent, language: str) -> Mapping[str, str]:
    """The values of that template."""
    if known.teller is None:
        return {}
    return {"name": known.teller["names"].get(language) or known.teller["name"]}


def read_party(request: ContextRequest, row: Row | None) -> Party | None:
    """What the speaker knows of the party, of a row of `play.sql`; None without a party.

    Raises UnknownParty, UnknownScene.
    """
    if request.party_id is None:
        return None
    if row is None:
        raise UnknownParty(f"There is no party {request.party_id!r}.")
    if not row["is_scene_known"]:
        raise UnknownScene(f"This campaign has no scene {request.scene_id!r} yet.")
    summaries = tuple(KnownSummary(**each) for each in row["summaries"])
    return Party(
        campaign_id=row["campaign_id"],
        summaries=summaries,
        flags=tuple(KnownFlag(**each) for each in row["flags"]),
        events=tuple(KnownEvent(**each) for each in row["events"]),
        people=tuple(summaries[0].npc_ids[:MAX_PEOPLE]) if summaries else (),
    )
