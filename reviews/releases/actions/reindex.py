"""A release that says the same as the live one, made anew: after a change of analysis, chunking or embedder."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from knowledge.canon.actions import beat_release, build_release, publish_release, retry_release, start_release
from knowledge.canon.models import DomainIndex, Release, ReleaseState
from knowledge.canon.models.releases import GATE_OPEN
from knowledge.canon.transfer.archive_writer import Progress, silence
from knowledge.errors import GateClosed, ReleaseInProgress, UnknownAlias
from reviews.actions.constraints import atomic_action
from reviews.audit.actions import describe_release, write_audit
from reviews.core.actor import SYSTEM, Actor
from reviews.golden.actions.gate import run_golden_gate
from reviews.golden.selectors import find_last_run
from reviews.models import ChangeRequest, GoldenRun
from reviews.releases.selectors.live import find_latest_release

UNFINISHED = (ReleaseState.BUILDING, ReleaseState.STAGED, ReleaseState.FAILED)
TITLE = "Re-index"
AUTOMATIC_TITLE = "Re-index: embedder changed"


@dataclass(frozen=True, slots=True)
class Reindexed:
    """The live release, its twin made anew, and what the golden queries found in each."""

    live: Release
    release: Release
    run: GoldenRun | None
    queries: int
    changed_queries: int
    """Golden queries that find other articles, or find them in another order."""

    @property
    def passed(self) -> bool:
        """Whether the gate lets the release go live."""
        return self.release.gate_state in GATE_OPEN


def reindex(*, index: DomainIndex, actor: Actor = SYSTEM, on_progress: Progress = silence) -> Reindexed:
    """The domain's live articles indexed and embedded anew, on the stage, and judged by the golden queries.

    Killed at any point it goes on when called again. Raises UnknownAlias when nothing is live, ReleaseInProgress when
    another release is on its way.
    """
    live = find_latest_release(index.pk)
    if live is None:
        raise UnknownAlias("Nothing is live in this domain yet: there is nothing to index anew.")
    release = _find_unfinished(index) or start_reindex(index, actor)
    if release.state == ReleaseState.FAILED:
        release = retry_release(release.pk)
    build_release(release.pk, on_progress=lambda done, total: on_progress("articles indexed", done, total))
    run_golden_gate(release_id=release.pk, on_progress=partial(beat_release, release.pk))
    release = Release.objects.select_related("domain_index", "vector_space").get(pk=release.pk)
    run = find_last_run(index.pk, release_id=release.pk)
    results = list(run.results.values_list("found", "baseline_found")) if run is not None else []
    changed = sum(found != before for found, before in results)
    return Reindexed(live, release, run, len(results), changed)


def swap_reindexed(*, release_id: int, actor: Actor = SYSTEM) -> Release:
    """The re-indexed release, live, in the audit log. Raises GateClosed, StageIsStale, ReleaseNotReady."""
    with atomic_action():
        before = find_latest_release(Release.objects.get(pk=release_id).domain_index_id)
        release = publish_release(release_id, by=actor.label)
        entry = describe_release(
            release,
            "swapped",
            before=str(before.number) if before else "",
            after=str(release.number),
            gate=release.gate_state,
            rebuild=True,
        )
        write_audit([entry], actor=actor, tenant_id=release.tenant_id)
    return release


def refuse_closed_gate(result: Reindexed) -> None:
    """Raises GateClosed unless the release may go live."""
    if not result.passed:
        raise GateClosed(
            f"The golden gate of release {result.release.number} is {result.release.gate_state}: it stays on the stage."
        )


def start_reindex(index: DomainIndex, actor: Actor, *, title: str = TITLE) -> Release:
    """The live articles as a release that is to be built; build it next. Locks the domain index.

    Raises ReleaseInProgress.
    """
    with atomic_action():
        release = start_release(domain_index_id=index.pk, edits=(), title=title, rebuild=True)
        entry = describe_release(release, "started", after=release.state, rebuild=True)
        write_audit([entry], actor=actor, tenant_id=release.tenant_id)
    return release


def _find_unfinished(index: DomainIndex) -> Release | None:
    """A re-index that was started and is not live yet. Raises ReleaseInProgress for a release that carries edits."""
    release = Release.objects.filter(domain_index=index, state__in=UNFINISHED).first()
    if release is None:
        return None
    if (
        not release.rebuild
        or release.title not in (TITLE, AUTOMATIC_TITLE)
        or ChangeRequest.objects.filter(release=release).exists()
    ):
        raise ReleaseInProgress(
            f"Release {release.number} is {release.state}; publish or discard it first.",
            release=release.number,
            state=str(release.state),
        )
    return release
