"""Finding releases whose worker fell silent, and giving up on those that keep killing their workers."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from knowledge.canon.actions import give_up_release, record_gate
from knowledge.canon.models import GateState, Release, ReleaseState
from reviews.actions.constraints import atomic_action
from reviews.actions.locks import get_release
from reviews.audit.actions import describe_release, write_audit
from reviews.core.actor import SYSTEM
from reviews.models import GoldenRun, GoldenRunState

SILENCE_SECONDS = 120
MAX_ATTEMPTS = 5
_UNDECIDED = (GateState.PENDING, GateState.RUNNING)


def sweep_stalled_releases() -> list[int]:
    """Ids of releases that someone must take up again; those that failed five times are given up instead.

    A build is stalled when its heartbeat is older than two minutes; so is a staged release whose gate is undecided.
    """
    again = []
    for release in _list_silent():
        if release.state == ReleaseState.BUILDING and release.attempts >= MAX_ATTEMPTS:
            _give_up_build(release.pk)
        elif release.state == ReleaseState.STAGED and _abandon_runs(release) >= MAX_ATTEMPTS:
            _fail_gate(release.pk)
        else:
            again.append(release.pk)
    return again


def _list_silent() -> QuerySet[Release]:
    long_ago = Now() - timedelta(seconds=SILENCE_SECONDS)
    silent = Q(heartbeat_at__lt=long_ago) | Q(heartbeat_at__isnull=True, created_at__lt=long_ago)
    unfinished = Q(state=ReleaseState.BUILDING) | Q(state=ReleaseState.STAGED, gate_state__in=_UNDECIDED)
    return Release.objects.filter(silent & unfinished).order_by("pk")


def _abandon_runs(release: Release) -> int:
    """How many runs of the release's gate have broken off, counting those whose worker died."""
    runs = GoldenRun.objects.filter(release=release)
    runs.filter(state=GoldenRunState.RUNNING).update(
        state=GoldenRunState.ERROR, error="The worker fell silent.", finished_at=timezone.now()
    )
    last_verdict = runs.exclude(state=GoldenRunState.ERROR).order_by("-pk").values_list("pk", flat=True).first()
    return runs.filter(state=GoldenRunState.ERROR, pk__gt=last_verdict or 0).count()


def _give_up_build(release_id: int) -> None:
    with atomic_action():
        release = get_release(SYSTEM, release_id, lock=True)
        before = release.state
        give_up_release(release_id, error=f"Given up: its worker died {release.attempts} times without progress.")
        release.refresh_from_db()
        if release.state != before:
            entry = describe_release(release, "build_given_up", before=before, after=release.state, error=release.error)
            write_audit([entry], actor=SYSTEM, tenant_id=release.tenant_id)


def _fail_gate(release_id: int) -> None:
    """Close the gate of a release whose golden queries can't be run; an owner may override it, or have it run again."""
    with atomic_action():
        release = get_release(SYSTEM, release_id, lock=True)
        before = release.gate_state
        if release.state != ReleaseState.STAGED or before not in _UNDECIDED:
            return
        last = GoldenRun.objects.filter(release=release).order_by("-pk").first()
        error = last.error if last else ""
        record_gate(release_id, state=GateState.FAILED)
        entry = describe_release(release, "gate_failed", before=before, after=GateState.FAILED, error=error)
        write_audit([entry], actor=SYSTEM, tenant_id=release.tenant_id)
