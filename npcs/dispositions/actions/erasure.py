"""How NPCs stood towards a user who is erased: gone, with its ledger."""

from __future__ import annotations

from dataclasses import dataclass

from memoryproject.forgetting.erased_names import ErasedName
from npcs.models import Disposition, DispositionEntry


@dataclass(frozen=True, slots=True)
class ErasedStanding:
    """What was cleared, by count, and the NPCs whose reasons named the user."""

    cleared: dict[str, int]
    npc_ids: tuple[str, ...]


def erase_standing(*, tenant_id: int, end_user_id: int, name: ErasedName) -> ErasedStanding:
    """No NPC stands in any way towards the user; reasons of moves towards others name the placeholder.

    For the transaction that holds the order to erase; the database refuses it elsewhere. Locks dispositions, moves.
    """
    standing = Disposition.objects.filter(tenant_id=tenant_id, end_user_id=end_user_id)
    ids = list(standing.select_for_update().order_by("pk").values_list("pk", flat=True))
    moves = DispositionEntry.objects.filter(tenant_id=tenant_id, disposition_id__in=ids)
    deleted = moves.filter(compensates__isnull=False).delete()[0]
    deleted += moves.filter(restores__isnull=False).delete()[0] + moves.delete()[0]
    Disposition.objects.filter(pk__in=ids).delete()
    naming = DispositionEntry.objects.filter(tenant_id=tenant_id, reason__contains=name.old)
    changed = []
    for entry in naming.select_for_update(no_key=True, of=("self",)).select_related("disposition__npc").order_by("pk"):
        reason = name.in_line(entry.reason)
        if reason != entry.reason:
            entry.reason = reason
            changed.append(entry)
    DispositionEntry.objects.bulk_update(changed, ["reason"], batch_size=500)
    return ErasedStanding(
        {"dispositions": len(ids), "disposition_moves": deleted, "disposition_reasons": len(changed)},
        tuple(sorted({entry.disposition.npc.npc_id for entry in changed})),
    )
