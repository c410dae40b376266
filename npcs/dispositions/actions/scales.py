"""The bounds of dispositions in a world."""

from __future__ import annotations

from django.db import IntegrityError

from memoryproject.constraints import atomic_write
from npcs.dispositions.core.moves import Scale, as_points
from npcs.errors import InvalidScale
from npcs.models import DispositionScale
from tenancy.models import World


def ensure_scale(*, tenant_id: int, world_id: int) -> DispositionScale:
    """The world's scale, the default one if none was set."""
    found = DispositionScale.objects.filter(tenant_id=tenant_id, world_id=world_id).first()
    if found is not None:
        return found
    DispositionScale.objects.bulk_create(
        [DispositionScale(tenant_id=tenant_id, world_id=world_id)], ignore_conflicts=True
    )
    return DispositionScale.objects.get(tenant_id=tenant_id, world_id=world_id)


def set_scale(*, tenant_id: int, world_id: int, scale: Scale) -> DispositionScale:
    """The world's scale as given. Locks the world and the scale. Raises InvalidScale."""
    numbers = {name: as_points(getattr(scale, name)) for name in ("least", "most", "initial", "step_most")}
    if any(number is None for number in numbers.values()):
        raise InvalidScale("The numbers of a scale have at most two decimals.")
    try:
        with atomic_write():
            World.objects.select_for_update(no_key=True).get(tenant_id=tenant_id, pk=world_id)
            row = DispositionScale.objects.select_for_update().filter(tenant_id=tenant_id, world_id=world_id).first()
            row = row or DispositionScale(tenant_id=tenant_id, world_id=world_id)
            for name, number in numbers.items():
                setattr(row, name, number)
            row.save()
    except IntegrityError as error:
        raise InvalidScale("A scale needs least < most, initial between them and a step above 0.") from error
    return row
