"""The gate, the swap and the way back. Each takes the same few statements whatever the size of the canon."""

from __future__ import annotations

from django.db import transaction
from django.db.models.functions import Now

from knowledge.canon.actions.locks import lock_domain_index, lock_release, lock_release_in_index
from knowledge.canon.actions.release_rows import settle_release_rows
from knowledge.canon.actions.start import find_live_release
from knowledge.canon.models import Alias, AliasName, DomainIndex, GateState, MoveKind, Release, ReleaseState
from knowledge.canon.models.releases import GATE_OPEN
from knowledge.errors import (
    GateClosed,
    GateReasonMissing,
    InvalidGateState,
    ReleaseAlreadyLive,
    ReleaseNotReady,
    StageIsStale,
    UnknownRelease,
)

GATE_TRANSITIONS: dict[str, tuple[str, ...]] = {
    GateState.RUNNING: (GateState.PENDING, GateState.RUNNING, GateState.PASSED, GateState.FAILED),
    GateState.PASSED: (GateState.PENDING, GateState.RUNNING),
    GateState.FAILED: (GateState.PENDING, GateState.RUNNING),
    GateState.OVERRIDDEN: (GateState.FAILED,),
}


def record_gate(release_id: int, *, state: str, reason: str = "") -> Release:
    """The staged release with the gate's new state; an override needs a reason and a failed gate.

    Locks the release. Raises InvalidGateState, ReleaseNotReady.
    """
    with transaction.atomic():
        release = lock_release(release_id)
        _check_staged(release)
        if release.gate_state not in GATE_TRANSITIONS.get(state, ()):
            raise InvalidGateState(f"The gate can't go from {release.gate_state} to {state}.")
        if state == GateState.OVERRIDDEN and not reason.strip():
            raise GateReasonMissing("An override needs a reason.")
        release.gate_state = state
        release.gate_reason = reason.strip()
        release.save(update_fields=["gate_state", "gate_reason"])
    return release


def publish_release(release_id: int, *, by: str = "") -> Release:
    """The staged release, live by somebody's hand: `latest` points at it, `stage` at nothing, the canary is over.

    Locks the domain index, then the release. Raises ReleaseNotReady, GateClosed, StageIsStale.
    """
    with transaction.atomic():
        release = lock_release_in_index(release_id)
        _check_staged(release)
        if release.gate_state not in GATE_OPEN:
            raise GateClosed(f"The golden gate of release {release.number} is {release.gate_state}.")
        live = find_live_release(release.domain_index_id)
        if (live.number if live else None) != release.base_number:
            raise StageIsStale(
                f"Release {release.number} was built on {_name(release.base_number)}, but "
                f"{_name(live.number if live else None)} is live; discard it and stage again.",
                base=release.base_number,
                live=live.number if live else None,
            )
        release.state = ReleaseState.PUBLISHED
        release.published_at = Now()
        release.save(update_fields=["state", "published_at"])
        _drop_stage(release.domain_index_id)
        how = MoveKind.SWAPPED if live is not None else MoveKind.LOADED
        _point_latest_at(release, how=how, by=by)
    release.refresh_from_db(fields=["published_at"])
    return release


def roll_back(domain_index_id: int, *, to_number: int, by: str = "", reason: str = "") -> Release:
    """The release that `latest` points at again. A release on the stage becomes stale, so its canary share ends.

    Locks the domain index. Raises UnknownRelease, ReleaseNotReady.
    """
    with transaction.atomic():
        lock_domain_index(domain_index_id)
        target = (
            Release.objects.select_related("domain_index", "vector_space")
            .filter(domain_index_id=domain_index_id, number=to_number)
            .first()
        )
        if target is None:
            raise UnknownRelease(f"There is no release {to_number}.")
        if target.state != ReleaseState.PUBLISHED:
            raise ReleaseNotReady(f"Release {to_number} is {target.state}; it was never live.")
        live = find_live_release(domain_index_id)
        if live is not None and live.pk == target.pk:
            raise ReleaseAlreadyLive(f"Release {to_number} is live already.")
        _point_latest_at(target, how=MoveKind.ROLLED_BACK, by=by, why=reason)
        DomainIndex.objects.filter(pk=domain_index_id).update(canary_percent=0)
    return target


def _check_staged(release: Release) -> None:
    if release.state != ReleaseState.STAGED:
        raise ReleaseNotReady(
            f"Release {release.number} is {release.state}, not staged.",
            release=release.number,
            state=str(release.state),
        )


def _point_latest_at(release: Release, *, how: str, by: str, why: str = "") -> None:
    values = {"release": release, "moved_how": how, "moved_by": by[:200], "moved_why": why}
    rows = Alias.objects.filter(domain_index_id=release.domain_index_id, name=AliasName.LATEST)
    if not rows.update(moved_at=Now(), **values):
        Alias.objects.create(
            tenant_id=release.tenant_id, domain_index_id=release.domain_index_id, name=AliasName.LATEST, **values
        )
    settle_release_rows(release.domain_index_id, release.number)


def _drop_stage(domain_index_id: int) -> None:
    Alias.objects.filter(domain_index_id=domain_index_id, name=AliasName.STAGE).delete()
    DomainIndex.objects.filter(pk=domain_index_id).update(canary_percent=0)


def _name(number: int | None) -> str:
    return "nothing" if number is None else f"release {number}"
