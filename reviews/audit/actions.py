"""The only writer of the audit log."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from knowledge.canon.models import Release
from reviews.core.actor import Actor
from reviews.models import AuditEntry, ChangeRequest
from tenancy.core.audit_log import AuditRecord


@dataclass(frozen=True, slots=True)
class Transition:
    """What happened to one object: its state before and after, and anything else worth keeping."""

    action: str
    object_type: str
    object_id: int
    object_label: str
    before: str = ""
    after: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)


def describe_request(
    request: ChangeRequest, action: str, *, before: str = "", after: str = "", **details: Any
) -> Transition:
    """A change request's transition for the log."""
    return Transition(
        action=f"change_request.{action}",
        object_type="change_request",
        object_id=request.pk,
        object_label=request.title,
        before=before,
        after=after,
        details=details,
    )


def describe_release(release: Release, action: str, *, before: str = "", after: str = "", **details: Any) -> Transition:
    """A release's transition for the log."""
    return Transition(
        action=f"release.{action}",
        object_type="release",
        object_id=release.pk,
        object_label=f"release {release.number}",
        before=before,
        after=after,
        details={"number": release.number, "domain_index": release.domain_index_id} | details,
    )


def describe_canary_end(percent: int) -> dict[str, int]:
    """What the entry of a release tells of the canary share that ended with it; nothing where none stood."""
    return {"canary_ended_at_percent": percent} if percent else {}


def write_audit(
    transitions: Iterable[Transition],
    *,
    actor: Actor,
    tenant_id: int,
    reason: str = "",
    group: uuid.UUID | None = None,
) -> uuid.UUID:
    """Append one entry for each transition, all under one group id, within the caller's transaction."""
    group = group or uuid.uuid4()
    AuditEntry.objects.bulk_create(
        [
            AuditEntry(
                tenant_id=tenant_id,
                group=group,
                action=each.action,
                object_type=each.object_type,
                object_id=str(each.object_id),
                object_label=each.object_label[:300],
                actor_type=actor.type,
                actor_id="" if actor.id is None else str(actor.id),
                actor_label=actor.label[:200],
                reason=reason,
                before=each.before,
                after=each.after,
                details=dict(each.details),
            )
            for each in transitions
        ],
        batch_size=1000,
    )
    return group


def write_record(record: AuditRecord) -> None:
    """Append a decision that was taken in an app below."""
    entry = Transition(
        action=record.action,
        object_type=record.object_type,
        object_id=record.object_id,
        object_label=record.object_label,
        before=record.before,
        after=record.after,
        details=record.details,
    )
    decider = record.decider
    actor = Actor(type=decider.type, id=decider.id, label=decider.name, tenant_id=record.tenant_id, role=None)
    write_audit([entry], actor=actor, tenant_id=record.tenant_id, reason=record.reason)
