"""The build of a release: in batches, resumable at any point, and safe when two workers build at once."""

from __future__ import annotations

from collections.abc import Callable

from django.db import connection, transaction
from django.db.models.functions import Now

from knowledge.canon.actions.batch_writes import write_batch
from knowledge.canon.actions.batches import BuildContext, plan_batch
from knowledge.canon.actions.locks import lock_release
from knowledge.canon.actions.release_rows import list_release_tables, settle_release_rows
from knowledge.canon.actions.task_queue import queue_release_followups
from knowledge.canon.actions.undo import check_building, undo_abandoned_releases
from knowledge.canon.models import (
    Alias,
    AliasName,
    EditState,
    GateState,
    LexemeCount,
    LorePassage,
    Publication,
    Release,
    ReleaseEdit,
    ReleaseState,
)
from knowledge.canon.selectors.audience import live_in
from knowledge.config import get_domain_settings
from knowledge.errors import ReleaseNotReady
from knowledge.search.embedding import get_embedder
from memoryproject.errors import DomainError

EDITS_A_BATCH = 100
MAX_ATTEMPTS = 3
EMBEDDED_BATCH_SIZE = 16
"""Articles of a first load whose vectors are made while it is built. A larger one is live by keywords at once, and its
vectors follow from the backlog: a minute of waiting for each hundred passages would come before the first answer. Every
other release is embedded before its gate is asked.
"""
ANALYSE_FROM_EDITS = 1000
"""A build of so many edits leaves the planner with stale statistics, so it refreshes them itself."""

BUILT_TABLES = ("knowledge_publication", "knowledge_lorechunk", "knowledge_lorepassage", "knowledge_lexemecount")

Progress = Callable[[int, int], None]


def build_release(release_id: int, *, on_progress: Progress | None = None) -> Release:
    """The release, staged. A release that is staged already is returned as it is.

    May be killed at any point and run again, or run twice at once: what is done stays done and nothing is done twice.
    `on_progress` gets edits done and edits in all, after each batch. A passage that the embedder did not answer for is
    written as pending. Enqueues `knowledge.embed_pending_passages` and `knowledge.ensure_vector_index`.

    Raises ReleaseNotReady for a release that is neither being built nor staged (or was discarded meanwhile). After
    three failures in a row without progress the release is failed; `retry_release` sets it going again.
    """
    release = _begin(release_id)
    if release.state == ReleaseState.STAGED:
        return release
    try:
        return _build(release, on_progress)
    except ReleaseNotReady:
        return _finished_by_another(release_id)
    except Exception as error:
        _record_failure(release_id, error)
        raise


def retry_release(release_id: int) -> Release:
    """A failed release, being built again with all its attempts; call `build_release` next. Raises ReleaseNotReady."""
    with transaction.atomic():
        release = lock_release(release_id)
        if release.state != ReleaseState.FAILED:
            raise ReleaseNotReady(f"Release {release.number} is {release.state}; only a failed one can be retried.")
        release.state = ReleaseState.BUILDING
        release.attempts = 0
        release.error = ""
        release.heartbeat_at = Now()
        release.save(update_fields=["state", "attempts", "error", "heartbeat_at"])
    return release


def _begin(release_id: int) -> Release:
    with transaction.atomic():
        release = lock_release(release_id)
        if release.state == ReleaseState.STAGED:
            return release
        check_building(release)
        release.attempts += 1
        release.heartbeat_at = Now()
        release.save(update_fields=["attempts", "heartbeat_at"])
    return release


def _build(release: Release, on_progress: Progress | None) -> Release:
    release = undo_abandoned_releases(release.pk)
    embedder = get_embedder(release.domain_index.domain)
    space = release.vector_space
    context = BuildContext(
        release=release,
        settings=get_domain_settings(release.domain_index.domain),
        embedder=embedder,
        embedder_answers=(embedder.name, embedder.dims) == (space.embedder, space.dims)
        and (embedder.is_instant or not _is_bulk(release)),
    )
    while edits := _load_pending_edits(release):
        written = write_batch(release.pk, plan_batch(context, edits))
        if written is not None and on_progress is not None:
            on_progress(written.edits_done, written.edits_total)
    return _finish(release.pk)


def _is_bulk(release: Release) -> bool:
    return release.gate_state == GateState.EXEMPT and release.edits_total > EMBEDDED_BATCH_SIZE


def _load_pending_edits(release: Release) -> list[ReleaseEdit]:
    return list(
        ReleaseEdit.objects.filter(release=release, state=EditState.PENDING)
        .select_related("revision")
        .order_by("pk")[:EDITS_A_BATCH]
    )


def _finish(release_id: int) -> Release:
    with transaction.atomic():
        release = lock_release(release_id)
        check_building(release)
        rows = {"domain_index_id": release.domain_index_id}
        LexemeCount.objects.filter(**rows, release_number=release.number, delta=0).delete()
        live = live_in(release.number)
        release.passage_count = LorePassage.objects.filter(live, **rows).count()
        release.document_count = Publication.objects.filter(live, **rows).count()
        release.state = ReleaseState.STAGED
        release.staged_at = Now()
        release.heartbeat_at = Now()
        release.error = ""
        release.save(update_fields=["passage_count", "document_count", "state", "staged_at", "heartbeat_at", "error"])
        Alias.objects.update_or_create(
            domain_index_id=release.domain_index_id,
            name=AliasName.STAGE,
            defaults={"tenant_id": release.tenant_id, "release": release, "moved_at": Now()},
        )
        settle_release_rows(release.domain_index_id, release.number)
        queue_release_followups(release)
    if release.edits_total >= ANALYSE_FROM_EDITS:
        with connection.cursor() as cursor:
            cursor.execute(f"ANALYZE {', '.join((*BUILT_TABLES, *list_release_tables()))}")
    release.refresh_from_db()
    return release


def _finished_by_another(release_id: int) -> Release:
    """The release if another builder staged it meanwhile. Raises ReleaseNotReady otherwise."""
    release = Release.objects.select_related("domain_index", "vector_space").get(pk=release_id)
    if release.state not in (ReleaseState.STAGED, ReleaseState.PUBLISHED):
        raise ReleaseNotReady(
            f"Release {release.number} is {release.state}, not being built.",
            release=release.number,
            state=str(release.state),
        )
    return release


def _record_failure(release_id: int, error: Exception) -> None:
    """Keep what went wrong; the release is failed when its attempts are used up."""
    with transaction.atomic():
        release = lock_release(release_id)
        if release.state != ReleaseState.BUILDING:
            return
        detail = error.detail if isinstance(error, DomainError) else f"{type(error).__name__}: {error}"
        release.error = detail.replace("\x00", "")[:4000]
        if release.attempts >= MAX_ATTEMPTS:
            release.state = ReleaseState.FAILED
        release.save(update_fields=["error", "state"])
