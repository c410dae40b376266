"""A campaign as it went: scenes, summaries and events in order, with what each brought."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from episodes.models import Campaign, EpisodicSummary, EventFact, FlagChange, Loot, NpcTold


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """A summary of a scene, or (scene empty) an event between scenes."""

    seq: int
    name: str
    happened_at: dt.datetime
    party: str
    scene: str
    location: str
    kind: str
    outcome: str
    notes: str
    npcs: tuple[str, ...]
    flags: tuple[FlagChange, ...]
    loot: tuple[Loot, ...]
    told: tuple[NpcTold, ...]
    relations: tuple[dict[str, object], ...]
    is_expired: bool
    is_undone: bool
    """A rollback undid it: it is shown for audit."""


def list_timeline(campaign: Campaign, *, before: int | None = None, limit: int = 100) -> list[TimelineEntry]:
    """The campaign's entries, the last told first, below the place `before`. At most eight queries."""
    summaries = EpisodicSummary.objects.select_related("scene", "party").filter(
        tenant_id=campaign.tenant_id, campaign=campaign
    )
    events = EventFact.objects.select_related("party").filter(tenant_id=campaign.tenant_id, campaign=campaign)
    if before is not None:
        summaries, events = summaries.filter(seq__lt=before), events.filter(seq__lt=before)
    told = NpcTold.objects.select_related("summary").filter(summary__isnull=False)
    summary_rows = summaries.order_by("-seq").prefetch_related("flag_changes__flag", "loot")[:limit]
    hearsay: dict[int, list[NpcTold]] = {}
    loaded = list(summary_rows)
    for row in told.filter(told_in__in=[each.pk for each in loaded]).order_by("pk"):
        hearsay.setdefault(row.told_in_id or 0, []).append(row)
    entries = [_view_summary(row, tuple(hearsay.get(row.pk, ()))) for row in loaded]
    entries += [_view_event(row) for row in events.order_by("-seq").prefetch_related("flag_changes__flag")[:limit]]
    return sorted(entries, key=lambda entry: -entry.seq)[:limit]


def _view_summary(row: EpisodicSummary, told: tuple[NpcTold, ...]) -> TimelineEntry:
    return TimelineEntry(
        seq=row.seq,
        name=row.summary_id,
        happened_at=row.happened_at,
        party=row.party.external_id,
        scene=row.scene.external_id,
        location=row.location_id,
        kind=row.event,
        outcome=row.outcome,
        notes=row.notes,
        npcs=tuple(row.body["who"]["npcs"]),
        flags=tuple(row.flag_changes.all()),
        loot=tuple(row.loot.all()),
        told=told,
        relations=tuple(row.body.get("relations_delta", ())),
        is_expired=row.expired_at is not None,
        is_undone=row.undone_by_id is not None,
    )


def _view_event(row: EventFact) -> TimelineEntry:
    return TimelineEntry(
        seq=row.seq,
        name=row.event_id,
        happened_at=row.happened_at,
        party="" if row.party is None else row.party.external_id,
        scene="",
        location="",
        kind=row.kind,
        outcome="",
        notes=row.notes,
        npcs=(),
        flags=tuple(row.flag_changes.all()),
        loot=(),
        told=(),
        relations=(),
        is_expired=False,
        is_undone=row.undone_by_id is not None,
    )
