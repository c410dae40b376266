"""Golden queries, written by people: each change with a reason, those of a guard by two persons."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from reviews import errors
from reviews.actions.constraints import atomic_action
from reviews.actions.locks import get_domain_index
from reviews.audit.actions import Transition, write_audit
from reviews.change_requests.actions.transitions import require_reason
from reviews.core.actor import Actor
from reviews.core.permissions import require
from reviews.golden.core.queries import is_guarded, list_changes, read_columns
from reviews.models import GoldenChange, GoldenChangeState, GoldenOperation, GoldenQuery


def create_golden_query(*, actor: Actor, domain_index_id: int, key: str, columns: Mapping[str, Any]) -> GoldenQuery:
    """A new golden query: it can only close a gate, so one person is enough. Locks the domain index."""
    require(actor, "edit_golden")
    with atomic_action():
        index = get_domain_index(actor, domain_index_id, lock=True)
        query = GoldenQuery.objects.create(tenant_id=index.tenant_id, domain_index=index, key=key, **columns)
        entry = describe_golden(query, "created", changed={}, after=read_columns(query))
        write_audit([entry], actor=actor, tenant_id=index.tenant_id)
    return query


def change_golden_query(
    *, actor: Actor, query_id: int, columns: Mapping[str, Any], reason: str, expected_version: int | None = None
) -> GoldenChange | None:
    """The change, applied at once or (where the query guards) waiting for a second person; None if nothing differs.

    Locks the domain index. Raises ReasonRequired, GoldenQueryChanged, GoldenChangePending, UnknownGoldenQuery.
    """
    require(actor, "edit_golden")
    with atomic_action():
        query = _lock_query(actor, query_id, expected_version)
        return propose_golden_change(actor, query, columns, reason)


def delete_golden_query(
    *, actor: Actor, query_id: int, reason: str, expected_version: int | None = None
) -> GoldenChange:
    """The deletion, done at once or (where the query guards) waiting for a second person. Locks the domain index."""
    require(actor, "edit_golden")
    with atomic_action():
        query = _lock_query(actor, query_id, expected_version)
        change = propose_golden_change(actor, query, None, reason)
    if change is None:
        raise errors.UnknownGoldenQuery("There is no such golden query.")
    return change


def propose_golden_change(
    actor: Actor,
    query: GoldenQuery,
    columns: Mapping[str, Any] | None,
    reason: str,
    *,
    group: uuid.UUID | None = None,
) -> GoldenChange | None:
    """The change of a query whose domain index is locked (no columns: its deletion); None if nothing differs."""
    before = read_columns(query)
    after = None if columns is None else {**before, **columns}
    if after == before:
        return None
    reason = require_reason(reason)
    guards = is_guarded(before, after)
    change = GoldenChange.objects.create(
        tenant_id=query.tenant_id,
        domain_index_id=query.domain_index_id,
        key=query.key,
        query_version=query.version,
        operation=GoldenOperation.DELETE if after is None else GoldenOperation.UPDATE,
        before=before,
        after=after,
        reason=reason,
        guards=guards,
        state=GoldenChangeState.PROPOSED if guards else GoldenChangeState.APPLIED,
        author_id=actor.user_id,
        author_label=actor.label[:200],
    )
    if guards:
        _write_entry(change, query, "change_proposed", actor, reason=reason, group=group)
    else:
        _apply(change, query, actor, group=group)
    return change


def approve_golden_change(*, actor: Actor, change_id: int, comment: str = "") -> GoldenChange:
    """The change, applied by a second person's word. Locks the domain index and the change.

    Raises FourEyes, GoldenQueryChanged, WrongState.
    """
    require(actor, "approve_golden")
    with atomic_action():
        change = _lock_change(actor, change_id)
        if change.author_id is not None and change.author_id == actor.user_id:
            raise errors.FourEyes("You proposed this change: someone else must agree to it.")
        query = GoldenQuery.objects.filter(domain_index_id=change.domain_index_id, key=change.key).first()
        if query is None or query.version != change.query_version:
            raise errors.GoldenQueryChanged("The query was changed since: reject this change and propose it anew.")
        _decide(change, GoldenChangeState.APPLIED, actor, comment.strip()[:2000])
        _apply(change, query, actor)
    return change


def reject_golden_change(*, actor: Actor, change_id: int, reason: str) -> GoldenChange:
    """The change, refused with a reason. Locks the domain index and the change."""
    require(actor, "approve_golden")
    reason = require_reason(reason)
    with atomic_action():
        change = _lock_change(actor, change_id)
        _decide(change, GoldenChangeState.REJECTED, actor, reason)
        _write_entry(change, None, "change_rejected", actor, reason=reason)
    return change


def withdraw_golden_change(*, actor: Actor, change_id: int) -> GoldenChange:
    """The change, given up by its author. Locks the domain index and the change. Raises NotYourRequest."""
    require(actor, "edit_golden")
    with atomic_action():
        change = _lock_change(actor, change_id)
        if change.author_id is None or change.author_id != actor.user_id:
            raise errors.NotYourRequest("Only the author of the change may withdraw it.")
        _decide(change, GoldenChangeState.WITHDRAWN, actor, "")
        _write_entry(change, None, "change_withdrawn", actor)
    return change


def describe_golden(query: GoldenQuery, action: str, **details: Any) -> Transition:
    """A golden query's transition for the log."""
    return Transition(
        action=f"golden_query.{action}",
        object_type="golden_query",
        object_id=query.pk,
        object_label=query.key,
        details={"domain_index": query.domain_index_id} | details,
    )


def _apply(change: GoldenChange, query: GoldenQuery, actor: Actor, *, group: uuid.UUID | None = None) -> None:
    """Do what an applied change says, and log it with what was before and is after."""
    if change.after is None:
        action = "deleted"
    elif change.before["active"] and not change.after["active"]:
        action = "switched_off"
    else:
        action = "changed"
    _write_entry(change, query, action, actor, reason=change.reason, group=group)
    if change.after is None:
        query.delete()
        return
    for name, value in change.after.items():
        setattr(query, name, value)
    query.save()
    query.refresh_from_db(fields=["version"])


def _decide(change: GoldenChange, state: GoldenChangeState, actor: Actor, decision: str) -> None:
    change.state, change.decision = state, decision
    change.decided_by_id, change.decided_at = actor.user_id, timezone.now()
    change.save(update_fields=["state", "decision", "decided_by", "decided_at"])


def _write_entry(
    change: GoldenChange,
    query: GoldenQuery | None,
    action: str,
    actor: Actor,
    *,
    reason: str = "",
    group: uuid.UUID | None = None,
) -> None:
    if query is None:
        query = GoldenQuery.objects.filter(domain_index_id=change.domain_index_id, key=change.key).first()
    entry = Transition(
        action=f"golden_query.{action}",
        object_type="golden_query",
        object_id=query.pk if query else 0,
        object_label=change.key,
        details={
            "domain_index": change.domain_index_id,
            "change": change.pk,
            "author": change.author_label,
            "before": change.before,
            "after": change.after,
            "changed": list_changes(change.before, change.after),
        },
    )
    write_audit([entry], actor=actor, tenant_id=change.tenant_id, reason=reason, group=group)


def _lock_query(actor: Actor, query_id: int, expected_version: int | None) -> GoldenQuery:
    query = _of_tenant(GoldenQuery.objects.all(), actor).filter(pk=query_id).first()
    if query is None:
        raise errors.UnknownGoldenQuery("There is no such golden query.")
    get_domain_index(actor, query.domain_index_id, lock=True)
    query = GoldenQuery.objects.select_for_update().filter(pk=query_id).first()
    if query is None:
        raise errors.UnknownGoldenQuery("The golden query was deleted meanwhile.")
    if expected_version not in (None, query.version):
        raise errors.GoldenQueryChanged(
            f"{query.key!r} has version {query.version} by now, not {expected_version}.", version=query.version
        )
    return query


def _lock_change(actor: Actor, change_id: int) -> GoldenChange:
    change = _of_tenant(GoldenChange.objects.all(), actor).filter(pk=change_id).first()
    if change is None:
        raise errors.UnknownGoldenQuery("There is no such change of a golden query.")
    get_domain_index(actor, change.domain_index_id, lock=True)
    change = GoldenChange.objects.select_for_update().get(pk=change_id)
    if change.state != GoldenChangeState.PROPOSED:
        raise errors.WrongState(
            f"The change is {GoldenChangeState(change.state).label.lower()} already.", state=change.state
        )
    return change


def _of_tenant(rows: QuerySet[Any], actor: Actor) -> QuerySet[Any]:
    return rows if actor.tenant_id is None else rows.filter(tenant_id=actor.tenant_id)
