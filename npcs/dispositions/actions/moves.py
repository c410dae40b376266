"""Moves of dispositions: by what happened in play, and back where that was a mistake."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from decimal import Decimal

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from npcs.dispositions.actions.scales import ensure_scale
from npcs.dispositions.core.moves import (
    MAX_ID_LENGTH,
    MAX_REASON_LENGTH,
    AppliedDisposition,
    DispositionChange,
    as_number,
    as_points,
    validate_disposition_change,
)
from npcs.errors import (
    AlreadyCompensated,
    DeltaOutOfBounds,
    InvalidDispositionChange,
    UnknownDispositionEntry,
    UnknownNpc,
)
from npcs.models import Disposition, DispositionEntry, DispositionScale, Npc
from tenancy.actions.end_users import ensure_end_user

Key = tuple[int, str, int | None]
"""NPC, party's id, user: what names a disposition."""


def apply_disposition_changes(
    *,
    tenant_id: int,
    world_id: int,
    changes: Sequence[DispositionChange],
    summary_id: str,
    campaign_id: str,
    happened_at: dt.datetime,
    checkpoint_id: int | None = None,
) -> list[AppliedDisposition]:
    """What came of each change, in order, all or none. Users that are not known yet are created.

    A delta beyond the scale's step is refused; where the sum would leave the scale, it stops at its end. Locks the
    dispositions in the order of their ids. Raises UnknownNpc, DeltaOutOfBounds, InvalidDispositionChange,
    InvalidTenancy; `position` names the change.
    """
    if not changes:
        return []
    for field, text in (("summary_id", summary_id), ("campaign_id", campaign_id)):
        if not text.strip() or len(text) > MAX_ID_LENGTH or "\x00" in text:
            raise InvalidDispositionChange(f"{field} must have 1 to {MAX_ID_LENGTH} characters.", field=field)
    with transaction.atomic():
        scale = ensure_scale(tenant_id=tenant_id, world_id=world_id)
        deltas = [_check(position, change, scale) for position, change in enumerate(changes)]
        npcs = _find_npcs(tenant_id, world_id, changes)
        users = {
            change.towards_id: ensure_end_user(tenant_id=tenant_id, external_id=change.towards_id).pk
            for change in changes
            if change.towards_kind == "user"
        }
        keys = [_name(change, npcs, users) for change in changes]
        standing = _lock_dispositions(tenant_id, keys)
        entries = DispositionEntry.objects.bulk_create(
            [
                DispositionEntry(
                    tenant_id=tenant_id,
                    disposition_id=standing[key],
                    delta=delta,
                    reason=change.reason,
                    rule=change.rule,
                    summary_id=summary_id,
                    campaign_id=campaign_id,
                    checkpoint_id=checkpoint_id,
                    happened_at=happened_at,
                )
                for change, key, delta in zip(changes, keys, deltas, strict=True)
            ]
        )
        moved = DispositionEntry.objects.in_bulk([entry.pk for entry in entries])
        return [_build_applied(change, moved[entry.pk]) for change, entry in zip(changes, entries, strict=True)]


def compensate_disposition(
    *, tenant_id: int, world_id: int, npc_id: str, entry_id: int, reason: str, author: str
) -> DispositionEntry:
    """The new entry that takes back what one entry applied; both stay in the ledger.

    Locks the disposition. Raises UnknownNpc, UnknownDispositionEntry, AlreadyCompensated, InvalidDispositionChange.
    """
    if not reason.strip() or len(reason) > MAX_REASON_LENGTH or "\x00" in reason:
        raise InvalidDispositionChange(f"A compensation needs a reason of at most {MAX_REASON_LENGTH} characters.")
    with transaction.atomic():
        npc = Npc.objects.filter(tenant_id=tenant_id, world_id=world_id, npc_id=npc_id.replace("\x00", " ")).first()
        if npc is None:
            raise UnknownNpc(f"There is no NPC {npc_id!r}.", npc_id=npc_id)
        entry = DispositionEntry.objects.filter(tenant_id=tenant_id, pk=entry_id, disposition__npc=npc).first()
        if entry is None:
            raise UnknownDispositionEntry(f"There is no move {entry_id} of {npc_id!r}.")
        Disposition.objects.select_for_update().get(pk=entry.disposition_id)
        if entry.compensates_id is not None or DispositionEntry.objects.filter(compensates=entry).exists():
            raise AlreadyCompensated(f"The move {entry_id} was taken back before, or takes one back itself.")
        compensation = DispositionEntry.objects.create(
            tenant_id=tenant_id,
            disposition_id=entry.disposition_id,
            delta=-entry.applied,
            reason=reason,
            rule=entry.rule,
            campaign_id=entry.campaign_id,
            compensates=entry,
            author=author,
            happened_at=timezone.now(),
        )
        compensation.refresh_from_db()
        return compensation


def _check(position: int, change: DispositionChange, scale: DispositionScale) -> Decimal:
    flaw = validate_disposition_change(change)
    if flaw is not None:
        raise InvalidDispositionChange(f"{flaw[0]} {flaw[1]}.", position=position, field=flaw[0])
    delta = as_points(change.delta)
    if delta is None or abs(delta) > scale.step_most:
        step = as_number(Decimal(scale.step_most))
        raise DeltaOutOfBounds(
            f"A change of {change.npc_id!r} must lie between {-step} and {step}, with at most two decimals.",
            position=position,
            step_most=step,
        )
    return delta


def _find_npcs(tenant_id: int, world_id: int, changes: Sequence[DispositionChange]) -> dict[str, int]:
    wanted = {change.npc_id for change in changes}
    storable = [npc_id for npc_id in wanted if "\x00" not in npc_id]
    found = dict(
        Npc.objects.filter(tenant_id=tenant_id, world_id=world_id, npc_id__in=storable).values_list("npc_id", "pk")
    )
    for position, change in enumerate(changes):
        if change.npc_id not in found:
            raise UnknownNpc(f"There is no NPC {change.npc_id!r}.", npc_id=change.npc_id, position=position)
    return found


def _name(change: DispositionChange, npcs: dict[str, int], users: dict[str, int]) -> Key:
    if change.towards_kind == "user":
        return npcs[change.npc_id], "", users[change.towards_id]
    return npcs[change.npc_id], change.towards_id, None


def _lock_dispositions(tenant_id: int, keys: Sequence[Key]) -> dict[Key, int]:
    """The ids of the dispositions, made on need, locked in the order of ids."""
    wanted = sorted(set(keys), key=lambda key: (key[0], key[1], key[2] or 0))
    rows = [
        Disposition(tenant_id=tenant_id, npc_id=npc, party_id=party, end_user_id=user) for npc, party, user in wanted
    ]
    Disposition.objects.bulk_create(rows, ignore_conflicts=True)
    named = Q()
    for npc, party, user in wanted:
        named |= Q(npc_id=npc, party_id=party, end_user_id=user)
    found = Disposition.objects.select_for_update().filter(named, tenant_id=tenant_id).order_by("pk")
    return {(row.npc_id, row.party_id, row.end_user_id): row.pk for row in found}


def _build_applied(change: DispositionChange, entry: DispositionEntry) -> AppliedDisposition:
    return AppliedDisposition(
        entry_id=entry.pk,
        npc_id=change.npc_id,
        towards_kind=change.towards_kind,
        towards_id=change.towards_id,
        delta=as_number(entry.delta),
        applied=as_number(entry.applied),
        value=as_number(entry.balance_after),
    )
