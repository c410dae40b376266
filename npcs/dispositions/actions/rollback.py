"""Dispositions when play goes back to a checkpoint: moves are taken back or made again by further moves."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from npcs.dispositions.core.moves import Towards, as_number
from npcs.models import Disposition, DispositionEntry


@dataclass(frozen=True, slots=True)
class RolledMove:
    """One move of the engine's that was taken back, or made again."""

    entry_id: int
    npc_id: str
    towards_kind: Towards
    towards_id: str
    applied: int | float
    summary_id: str


@dataclass(frozen=True, slots=True)
class RolledDisposition:
    """Where an NPC stood before the rollback, and where it stands after it."""

    npc_id: str
    towards_kind: Towards
    towards_id: str
    before: int | float
    after: int | float


@dataclass(frozen=True, slots=True)
class RolledDispositions:
    """What a rollback did to the ledger of a campaign."""

    undone: tuple[RolledMove, ...]
    restored: tuple[RolledMove, ...]
    changed: tuple[RolledDisposition, ...]
    """Those that stand elsewhere than before."""


def roll_back_dispositions(
    *,
    tenant_id: int,
    world_id: int,
    campaign_id: str,
    undone: Collection[int],
    restored: Collection[int],
    rollback_id: int,
    reason: str,
    author: str,
) -> RolledDispositions:
    """What was moved after the checkpoints `undone` is taken back; what was moved after `restored` is made again.

    Both by new entries, the newest taken back first, the oldest made again first: the ledger only grows. What a person
    took back stays so. Locks the dispositions in the order of their ids. Must be called inside the transaction that
    rolls back.
    """
    moves = DispositionEntry.objects.filter(
        tenant_id=tenant_id,
        campaign_id=campaign_id,
        disposition__npc__world_id=world_id,
        checkpoint_id__in=[*undone, *restored],
        compensates__isnull=True,
    )
    if not moves.exists():
        return RolledDispositions((), (), ())
    with transaction.atomic():
        standing = _lock(tenant_id, moves)
        back = list(_list_in_force(moves.filter(checkpoint_id__in=undone)))
        again = _list_restorable(moves.filter(checkpoint_id__in=restored, restores__isnull=True))
        known = {"tenant_id": tenant_id, "rollback_id": rollback_id, "campaign_id": campaign_id}
        DispositionEntry.objects.bulk_create(
            [_compensate(entry, **known, reason=reason, author=author) for entry in back]
        )
        DispositionEntry.objects.bulk_create([_repeat(entry, **known) for entry in again])
        after = dict(Disposition.objects.filter(pk__in=standing).values_list("pk", "value"))
        return RolledDispositions(
            tuple(_view_move(entry, standing) for entry in back),
            tuple(_view_move(entry, standing) for entry in again),
            _list_changed(standing, after),
        )


def _compensate(entry: DispositionEntry, *, reason: str, author: str, **known: Any) -> DispositionEntry:
    return DispositionEntry(
        **known,
        disposition_id=entry.disposition_id,
        delta=-entry.applied,
        reason=reason,
        rule=entry.rule,
        compensates=entry,
        author=author,
        happened_at=timezone.now(),
    )


def _repeat(entry: DispositionEntry, **known: Any) -> DispositionEntry:
    return DispositionEntry(
        **known,
        disposition_id=entry.disposition_id,
        delta=entry.delta,
        reason=entry.reason,
        rule=entry.rule,
        summary_id=entry.summary_id,
        checkpoint_id=entry.checkpoint_id,
        restores=entry,
        happened_at=entry.happened_at,
    )


def _lock(tenant_id: int, moves: QuerySet[DispositionEntry]) -> dict[int, Disposition]:
    """The dispositions that may move, by id; the ledger of one that is locked stays as it is."""
    rows = Disposition.objects.filter(tenant_id=tenant_id, pk__in=moves.values("disposition_id"))
    locked = rows.select_for_update(of=("self",)).select_related("npc", "end_user").order_by("pk")
    return {row.pk: row for row in locked}


def _list_in_force(moves: QuerySet[DispositionEntry]) -> QuerySet[DispositionEntry]:
    """Moves that nothing took back, the newest first."""
    back = DispositionEntry.objects.filter(compensates__in=moves.values("pk"))
    return moves.exclude(pk__in=back.values("compensates_id")).order_by("-pk")


def _list_restorable(originals: QuerySet[DispositionEntry]) -> Sequence[DispositionEntry]:
    """Moves whose last making a rollback took back, the oldest first."""
    rows = list(originals.order_by("pk"))
    last = {row.pk: row.pk for row in rows}
    copies = DispositionEntry.objects.filter(restores__in=list(last)).order_by("pk").values_list("restores_id", "pk")
    last |= {original: pk for original, pk in copies if original is not None}
    taken_back = set(
        DispositionEntry.objects.filter(compensates__in=list(last.values()), rollback_id__isnull=False).values_list(
            "compensates_id", flat=True
        )
    )
    return [row for row in rows if last[row.pk] in taken_back]


def _view_move(entry: DispositionEntry, standing: Mapping[int, Disposition]) -> RolledMove:
    row = standing[entry.disposition_id]
    kind, towards_id = _name_towards(row)
    return RolledMove(
        entry_id=entry.restores_id or entry.pk,
        npc_id=row.npc.npc_id,
        towards_kind=kind,
        towards_id=towards_id,
        applied=as_number(entry.applied),
        summary_id=entry.summary_id,
    )


def _list_changed(standing: Mapping[int, Disposition], after: Mapping[int, Decimal]) -> tuple[RolledDisposition, ...]:
    rows: Iterable[Disposition] = sorted(standing.values(), key=lambda row: (row.npc.npc_id, row.pk))
    return tuple(
        RolledDisposition(
            row.npc.npc_id, *_name_towards(row), before=as_number(row.value), after=as_number(after[row.pk])
        )
        for row in rows
        if after[row.pk] != row.value
    )


def _name_towards(row: Disposition) -> tuple[Towards, str]:
    return ("party", row.party_id) if row.end_user is None else ("user", row.end_user.external_id)
