"""The golden gate: a staged release goes live only when its golden queries pass, or an owner says why not."""

from __future__ import annotations

from knowledge.canon.actions import record_gate
from knowledge.canon.models import GateState, Release, ReleaseState
from reviews import errors
from reviews.actions.constraints import atomic_action
from reviews.actions.locks import get_domain_index, get_release
from reviews.actions.task_queue import enqueue_staging
from reviews.audit.actions import describe_canary_end, describe_release, write_audit
from reviews.change_requests.actions.transitions import require_reason
from reviews.core.actor import SYSTEM, Actor
from reviews.core.permissions import require
from reviews.golden.actions.runs import Progress, describe_run, execute_golden_run
from reviews.models import GoldenRun, GoldenRunState
from reviews.releases.selectors.live import find_latest_release

UNDECIDED = (GateState.PENDING, GateState.RUNNING)


def run_golden_gate(*, release_id: int, on_progress: Progress | None = None) -> GoldenRun | None:
    """The run that opened or closed the gate of a staged release; None if the gate is decided already.

    May run twice: the second verdict is dropped. The queries run outside any transaction; the verdict locks the
    domain index. Raises WrongState if the release is not staged, UnavailableError if search does not answer.
    """
    if not _begin(release_id):
        return None
    run = execute_golden_run(Release.objects.select_related("domain_index").get(pk=release_id), on_progress=on_progress)
    with atomic_action():
        release = get_release(SYSTEM, release_id, lock=True)
        if release.state != ReleaseState.STAGED or release.gate_state not in UNDECIDED:
            return None
        state = GateState.PASSED if run.state == GoldenRunState.PASSED else GateState.FAILED
        _record(release, state, actor=SYSTEM, action=f"gate_{state.value}", details=describe_run(run))
    return run


def rerun_gate(*, actor: Actor, release_id: int) -> Release:
    """The staged release with its gate undecided again, after golden queries were mended. Enqueues the run on commit.

    Locks the domain index.
    """
    require(actor, "stage")
    with atomic_action():
        release = get_release(actor, release_id, lock=True)
        _require_staged(release)
        _record(release, GateState.RUNNING, actor=actor, action="gate_rerun")
        enqueue_staging(release.pk)
    return release


def override_gate(*, actor: Actor, release_id: int, reason: str) -> Release:
    """The release, free to go live although its gate failed: an owner's word. Locks the domain index."""
    require(actor, "override_gate")
    reason = require_reason(reason)
    with atomic_action():
        release = get_release(actor, release_id, lock=True)
        _require_staged(release)
        if release.gate_state != GateState.FAILED:
            raise errors.GateNotFailed(
                "The gate has not failed: there is nothing to override.", gate=release.gate_state
            )
        _record(release, GateState.OVERRIDDEN, actor=actor, action="gate_overridden", reason=reason)
    return release


def run_golden(*, actor: Actor, domain_index_id: int, number: int | None = None) -> GoldenRun:
    """A run outside the gate, to see drift: of the release of that number, else of `latest`. Changes no gate."""
    require(actor, "run_golden")
    index = get_domain_index(actor, domain_index_id)
    if number is None:
        release = find_latest_release(index.pk)
    else:
        release = Release.objects.filter(domain_index=index, number=number).first()
    if release is None or release.state not in (ReleaseState.STAGED, ReleaseState.PUBLISHED):
        raise errors.UnknownStage("There is no such release that can be searched.")
    run = execute_golden_run(release)
    with atomic_action():
        entry = describe_release(release, "golden_run", after=run.state, **describe_run(run))
        write_audit([entry], actor=actor, tenant_id=index.tenant_id)
    return run


def _begin(release_id: int) -> bool:
    """Whether the gate is still open to a verdict; it is running then."""
    with atomic_action():
        release = get_release(SYSTEM, release_id, lock=True)
        _require_staged(release)
        if release.gate_state not in UNDECIDED:
            return False
        if release.gate_state == GateState.PENDING:
            _record(release, GateState.RUNNING, actor=SYSTEM, action="gate_started")
    return True


def _require_staged(release: Release) -> None:
    if release.state != ReleaseState.STAGED:
        raise errors.WrongState(f"Release {release.number} is {release.state}, not staged.", state=release.state)


def _record(
    release: Release,
    state: GateState,
    *,
    actor: Actor,
    action: str,
    reason: str = "",
    details: dict[str, object] | None = None,
) -> None:
    before = release.gate_state
    percent = get_domain_index(SYSTEM, release.domain_index_id).canary_percent
    record_gate(release.pk, state=state, reason=reason)
    release.refresh_from_db()
    ended = percent and not get_domain_index(SYSTEM, release.domain_index_id).canary_percent
    canary = describe_canary_end(percent if ended else 0)
    entry = describe_release(release, action, before=before, after=state, **(details or {}), **canary)
    write_audit([entry], actor=actor, tenant_id=release.tenant_id, reason=reason)
