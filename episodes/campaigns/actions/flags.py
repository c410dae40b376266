"""Setting flags: what each is now, and the row of its history."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from episodes.campaigns.core.summaries import FlagValue
from episodes.models import Campaign, EpisodicSummary, EventFact, Flag, FlagChange, Party


@dataclass(frozen=True, slots=True)
class FlagMove:
    """What a flag was and what it was set to. A late one was told after something newer, which stands."""

    name: str
    old_value: FlagValue | None
    new_value: FlagValue
    is_late: bool


def set_flags(
    campaign: Campaign,
    party: Party | None,
    flags: Mapping[str, FlagValue],
    *,
    summary: EpisodicSummary | None = None,
    event: EventFact | None = None,
) -> tuple[FlagMove, ...]:
    """What each flag was and is. The caller holds the campaign's lock and names the summary or event that sets them.

    What happened later wins, whenever it is told: an old summary that comes late is kept in the history only.
    """
    source = summary or event
    if source is None or not flags:
        return ()
    known = {
        flag.name: flag
        for flag in Flag.objects.filter(
            tenant_id=campaign.tenant_id, campaign=campaign, party=party, name__in=list(flags)
        )
    }
    fresh: list[Flag] = []
    moves: list[FlagMove] = []
    for name, value in sorted(flags.items()):
        flag = known.get(name)
        is_set = flag is not None and flag.is_set
        old: Any = flag.value if flag is not None and is_set else None
        is_late = flag is not None and is_set and flag.set_at > source.happened_at
        moves.append(FlagMove(name, old, value, is_late))
        if flag is None:
            fresh.append(_make(campaign, party, name, value, source.happened_at))
        elif not is_late:
            flag.value, flag.set_at, flag.is_set = value, source.happened_at, True
    Flag.objects.bulk_update(
        [known[move.name] for move in moves if move.name in known and not move.is_late], ["value", "set_at", "is_set"]
    )
    known |= {flag.name: flag for flag in Flag.objects.bulk_create(fresh)}
    causes = {
        "tenant_id": campaign.tenant_id,
        "checkpoint_id": source.checkpoint_id,
        "summary": summary,
        "event": event,
        "happened_at": source.happened_at,
    }
    FlagChange.objects.bulk_create(
        [
            FlagChange(
                **causes,
                flag=known[move.name],
                old_value=move.old_value,
                new_value=move.new_value,
                is_late=move.is_late,
            )
            for move in moves
        ]
    )
    return tuple(moves)


def _make(campaign: Campaign, party: Party | None, name: str, value: FlagValue, set_at: dt.datetime) -> Flag:
    return Flag(tenant_id=campaign.tenant_id, campaign=campaign, party=party, name=name, value=value, set_at=set_at)
