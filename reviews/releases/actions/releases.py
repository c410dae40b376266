"""Swap, roll back, canary: what runtime reads follow, and what becomes of the requests."""

from __future__ import annotations

import uuid

from knowledge.canon.actions import allow_canary, publish_release, roll_back, set_canary_percent
from knowledge.canon.actions.domain_indexes import find_stage_release, needs_canary_override
from knowledge.canon.models import DomainIndex, Release, ReleaseState
from memoryproject.database import after_commit
from memoryproject.metrics import DRIFT
from reviews.actions.constraints import atomic_action
from reviews.actions.locks import get_domain_index, get_release
from reviews.audit.actions import Transition, describe_canary_end, describe_release, write_audit
from reviews.change_requests.actions.transitions import move_requests, require_reason
from reviews.core.actor import Actor
from reviews.core.permissions import require
from reviews.errors import WrongState
from reviews.models import ChangeItem, ChangeState, Operation
from reviews.releases.actions.stage import lock_requests_of
from reviews.releases.selectors.live import find_latest_release

CORRECTING = (Operation.UPDATE, Operation.RETIRE)
"""What says that canon was wrong; a new article says that it was silent."""


def swap_release(*, actor: Actor, release_id: int) -> Release:
    """The staged release, live: `latest` points at it, and its requests are live.

    Locks the domain index, then the requests in pk order, then canon's rows. Raises GateClosed, StageIsStale,
    ReleaseNotReady.
    """
    require(actor, "swap")
    with atomic_action():
        release = get_release(actor, release_id, lock=True)
        before = find_latest_release(release.domain_index_id)
        requests = lock_requests_of([release.pk], ChangeState.STAGED)
        canary = describe_canary_end(get_domain_index(actor, release.domain_index_id).canary_percent)
        publish_release(release.pk, by=actor.label)
        release.refresh_from_db()
        group = uuid.uuid4()
        move_requests(
            requests, ChangeState.LIVE, actor=actor, tenant_id=release.tenant_id, action="went_live", group=group
        )
        entry = describe_release(
            release,
            "swapped",
            before=str(before.number) if before else "",
            after=str(release.number),
            gate=release.gate_state,
            **canary,
        )
        write_audit([entry], actor=actor, tenant_id=release.tenant_id, group=group)
        corrected = ChangeItem.objects.filter(change_request__in=requests, operation__in=CORRECTING).count()
        after_commit(DRIFT.labels(source="change_request").inc, corrected)
    return release


def roll_back_release(*, actor: Actor, domain_index_id: int, to_number: int, reason: str) -> Release:
    """An earlier (or abandoned later) release, live again.

    Requests that it does not hold are rolled back; requests that it holds and that had been rolled back are live
    again. Locks the domain index, then the requests in pk order, then canon's rows.
    """
    require(actor, "roll_back")
    reason = require_reason(reason)
    with atomic_action():
        index = get_domain_index(actor, domain_index_id, lock=True)
        before = find_latest_release(index.pk)
        roll_back(index.pk, to_number=to_number, by=actor.label, reason=reason)
        release = Release.objects.get(domain_index=index, number=to_number)
        old, new = (_list_lineage(index, number) for number in (before.number if before else None, to_number))
        leaving = lock_requests_of(old - new, ChangeState.LIVE)
        coming = lock_requests_of(new - old, ChangeState.ROLLED_BACK)
        group = uuid.uuid4()
        for requests, state, action in (
            (leaving, ChangeState.ROLLED_BACK, "rolled_back"),
            (coming, ChangeState.LIVE, "restored"),
        ):
            move_requests(
                requests,
                state,
                actor=actor,
                tenant_id=index.tenant_id,
                action=action,
                group=group,
                reason=reason,
            )
        entry = describe_release(
            release,
            "rolled_back_to",
            before=str(before.number) if before else "",
            after=str(to_number),
            **describe_canary_end(index.canary_percent),
        )
        write_audit([entry], actor=actor, tenant_id=index.tenant_id, group=group, reason=reason)
    return release


def set_canary(
    *, actor: Actor, domain_index_id: int, percent: int, release_id: int | None = None, override_reason: str = ""
) -> DomainIndex:
    """The domain index with another share of sessions reading the stage.

    While the gate of the stage is not open, a share takes an owner's `override_reason`, which is kept with the release.
    ``release_id`` is the release that the owner has looked at. Locks the domain index. Raises GateClosed,
    InvalidCanaryShare, ReleaseNotReady, WrongState.
    """
    require(actor, "set_canary")
    with atomic_action():
        index = get_domain_index(actor, domain_index_id, lock=True)
        stage = find_stage_release(index.pk)
        if release_id is not None and (stage is None or stage.pk != release_id):
            raise WrongState("Another release is on the stage by now: look at it first.", state="moved")
        before = index.canary_percent
        reason = ""
        if percent > 0 and override_reason.strip() and stage is not None and needs_canary_override(stage):
            require(actor, "override_gate")
            reason = require_reason(override_reason)
            allow_canary(stage, reason=reason, author=actor.label)
        set_canary_percent(index.pk, percent=percent)
        index.refresh_from_db()
        entry = Transition(
            action="domain_index.canary_overridden" if reason else "domain_index.canary_set",
            object_type="domain_index",
            object_id=index.pk,
            object_label=str(index),
            before=str(before),
            after=str(index.canary_percent),
            details={"release": stage.number, "gate": str(stage.gate_state)} if stage else {},
        )
        write_audit([entry], actor=actor, tenant_id=index.tenant_id, reason=reason)
    return index


def _list_lineage(index: DomainIndex, number: int | None) -> set[int]:
    """Ids of the releases whose changes a release holds: itself, what it was built on, and so on down."""
    releases = Release.objects.filter(domain_index=index, state=ReleaseState.PUBLISHED)
    rows = releases.values_list("pk", "number", "base_number")
    by_number = {own: (pk, base) for pk, own, base in rows}
    lineage = set()
    while number is not None and number in by_number:
        pk, number = by_number[number]
        lineage.add(pk)
    return lineage
