"""Tenants and worlds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from memoryproject.constraints import is_unique_violation
from tenancy.errors import InvalidTenancy
from tenancy.models import Tenant, World

Row = TypeVar("Row", Tenant, World)


def ensure_tenant(*, slug: str, name: str = "") -> Tenant:
    """The tenant of that slug, created if there is none. Raises InvalidTenancy."""
    existing = Tenant.objects.filter(slug=slug).first()
    if existing is not None:
        return existing
    return _create(Tenant(slug=slug, name=name or slug)) or Tenant.objects.get(slug=slug)


def ensure_world(
    *, tenant_id: int, slug: str, name: str = "", description: str = "", languages: Sequence[str] = ()
) -> World:
    """The tenant's world of that slug, created if there is none. Raises InvalidTenancy."""
    existing = World.objects.filter(tenant_id=tenant_id, slug=slug).first()
    if existing is not None:
        return existing
    world = World(tenant_id=tenant_id, slug=slug, name=name or slug, description=description, languages=list(languages))
    return _create(world) or World.objects.get(tenant_id=tenant_id, slug=slug)


def _create(row: Row) -> Row | None:
    """The row once it is stored, or None when another connection stored one of its slug first."""
    try:
        row.clean_fields()
    except ValidationError as error:
        raise InvalidTenancy(
            "; ".join(f"{name}: {' '.join(texts)}" for name, texts in error.message_dict.items())
        ) from error
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError as error:
        if is_unique_violation(error):
            return None
        raise
    return row
