"""Reads of how NPCs stand, and why."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet, Sum

from npcs.dispositions.core.moves import DEFAULT_SCALE, Scale, Towards, as_number
from npcs.models import Disposition, DispositionEntry, DispositionScale

CHANGES_SHOWN = 5


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One move, and why."""

    id: int
    seq: int
    towards_kind: Towards
    towards_id: str
    delta: int | float
    applied: int | float
    balance_after: int | float
    scale: tuple[int | float, int | float]
    reason: str
    rule: str
    summary_id: str
    campaign_id: str
    compensates: int | None
    author: str
    happened_at: dt.datetime
    created_at: dt.datetime


@dataclass(frozen=True, slots=True)
class Standing:
    """How an NPC stands towards one party or user; without any moves, at the scale's start."""

    towards_kind: Towards
    towards_id: str
    value: int | float
    scale: Scale
    last_changes: tuple[LedgerEntry, ...]


def get_standing(
    *, tenant_id: int, world_id: int, npc_pk: int, towards_kind: Towards, towards_id: str, at: dt.datetime | None = None
) -> Standing:
    """How the NPC stands now, or as the ledger stood at a time; with the last moves. Two queries."""
    scale = get_scale(tenant_id=tenant_id, world_id=world_id)
    entries = find_entries(tenant_id=tenant_id, npc_pk=npc_pk, towards_kind=towards_kind, towards_id=towards_id)
    if at is not None:
        entries = entries.filter(created_at__lte=at)
    last = tuple(view_entry(row) for row in entries.order_by("-seq")[:CHANGES_SHOWN])
    return Standing(
        towards_kind=towards_kind,
        towards_id=towards_id,
        value=last[0].balance_after if last else scale.initial,
        scale=scale,
        last_changes=last,
    )


def list_impacts(
    *, tenant_id: int, npc_pk: int, towards_kind: Towards, towards_id: str, summary_ids: Iterable[str]
) -> dict[str, int | float]:
    """What each of the summaries moved in all, without moves that were taken back. One query.

    A summary that moved nothing, or as far back as forth, is left out.
    """
    back = DispositionEntry.objects.filter(tenant_id=tenant_id, compensates__isnull=False).values("compensates_id")
    moves = find_entries(tenant_id=tenant_id, npc_pk=npc_pk, towards_kind=towards_kind, towards_id=towards_id)
    standing = moves.filter(summary_id__in=list(summary_ids)).exclude(pk__in=back).order_by()
    moved = standing.values("summary_id").annotate(impact=Sum("applied")).exclude(impact=0)
    return {row["summary_id"]: as_number(row["impact"]) for row in moved}


def list_ledger(
    *,
    tenant_id: int,
    npc_pk: int,
    towards_kind: Towards | None = None,
    towards_id: str = "",
    with_users: bool = True,
    before: int | None = None,
    limit: int = 50,
) -> tuple[LedgerEntry, ...]:
    """An NPC's moves, all or towards one, newest first, before an id. One query.

    Without users, only those towards parties.
    """
    rows = find_entries(tenant_id=tenant_id, npc_pk=npc_pk, towards_kind=towards_kind, towards_id=towards_id)
    if not with_users:
        rows = rows.filter(disposition__end_user__isnull=True)
    if before is not None:
        rows = rows.filter(pk__lt=before)
    return tuple(view_entry(row) for row in rows.order_by("-pk")[:limit])


def list_standings(
    *, tenant_id: int, npc_pk: int, with_users: bool = True, limit: int = 100
) -> tuple[Disposition, ...]:
    """The dispositions of an NPC, the last moved first; without users, those towards parties. One query."""
    rows = Disposition.objects.filter(tenant_id=tenant_id, npc_id=npc_pk).select_related("end_user")
    if not with_users:
        rows = rows.filter(end_user__isnull=True)
    return tuple(rows.order_by("-updated_at", "pk")[:limit])


def get_scale(*, tenant_id: int, world_id: int) -> Scale:
    """The world's scale, or the default. One query."""
    row = DispositionScale.objects.filter(tenant_id=tenant_id, world_id=world_id).first()
    if row is None:
        return DEFAULT_SCALE
    return Scale(as_number(row.least), as_number(row.most), as_number(row.initial), as_number(row.step_most))


def find_entries(
    *, tenant_id: int, npc_pk: int, towards_kind: Towards | None = None, towards_id: str = ""
) -> QuerySet[DispositionEntry]:
    """The moves of an NPC, all or towards one party or user."""
    rows = DispositionEntry.objects.filter(
        tenant_id=tenant_id, disposition__tenant_id=tenant_id, disposition__npc_id=npc_pk
    ).select_related("disposition__end_user")
    if towards_kind == "party":
        return rows.filter(disposition__party_id=towards_id, disposition__end_user__isnull=True)
    if towards_kind == "user":
        return rows.filter(disposition__end_user__external_id=towards_id)
    return rows


def view_entry(row: DispositionEntry) -> LedgerEntry:
    """A row as others may hold it; its disposition and end user must be loaded."""
    user = row.disposition.end_user
    return LedgerEntry(
        id=row.pk,
        seq=row.seq,
        towards_kind="party" if user is None else "user",
        towards_id=row.disposition.party_id if user is None else user.external_id,
        delta=as_number(row.delta),
        applied=as_number(row.applied),
        balance_after=as_number(row.balance_after),
        scale=(as_number(row.scale_least), as_number(row.scale_most)),
        reason=row.reason,
        rule=row.rule,
        summary_id=row.summary_id,
        campaign_id=row.campaign_id,
        compensates=row.compensates_id,
        author=row.author,
        happened_at=row.happened_at,
        created_at=row.created_at,
    )


def list_compensated(*, tenant_id: int, entry_ids: Iterable[int]) -> frozenset[int]:
    """Those of the moves that were taken back. One query."""
    rows = DispositionEntry.objects.filter(tenant_id=tenant_id, compensates_id__in=list(entry_ids))
    return frozenset(rows.values_list("compensates_id", flat=True))


def get_entry(*, tenant_id: int, entry_id: int) -> LedgerEntry:
    """One move that is known to be there. One query."""
    return view_entry(
        DispositionEntry.objects.select_related("disposition__end_user").get(tenant_id=tenant_id, pk=entry_id)
    )
