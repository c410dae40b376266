"""Reads of the audit log."""

from __future__ import annotations

import uuid

from django.db.models import QuerySet

from reviews.models import AuditEntry


def list_audit(tenant_id: int) -> QuerySet[AuditEntry]:
    """A tenant's whole log, newest first."""
    return AuditEntry.objects.filter(tenant_id=tenant_id).order_by("-id")


def list_audit_of_object(tenant_id: int, object_type: str, object_id: int | str) -> QuerySet[AuditEntry]:
    """The log of one object, newest first; the object itself may be gone."""
    return list_audit(tenant_id).filter(object_type=object_type, object_id=str(object_id))


def list_audit_group(tenant_id: int, group: uuid.UUID) -> QuerySet[AuditEntry]:
    """All that one action did, in the order it was written."""
    return AuditEntry.objects.filter(tenant_id=tenant_id, group=group).order_by("id")
