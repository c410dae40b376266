"""Background work of review: building and testing staged releases, and picking up what a killed worker left."""

from __future__ import annotations

from functools import partial

from celery import shared_task
from django.db import InterfaceError, OperationalError

from knowledge.canon.actions import beat_release, build_release
from memoryproject.errors import UnavailableError
from reviews.golden.actions.gate import run_golden_gate
from reviews.quality.actions.judgements import judge_all_tenants
from reviews.releases.actions.embedder_changes import follow_embedder_changes
from reviews.releases.actions.sweeper import sweep_stalled_releases


@shared_task(
    name="reviews.stage_release",
    autoretry_for=(UnavailableError, OperationalError, InterfaceError),
    max_retries=5,
    retry_backoff=2,
    retry_backoff_max=60,
    retry_jitter=True,
)
def stage_release(release_id: int) -> None:
    """Build the release and run its golden gate. May run twice, and at the same time."""
    build_release(release_id)
    run_golden_gate(release_id=release_id, on_progress=partial(beat_release, release_id))


@shared_task(name="reviews.judge_quality", acks_late=True)
def judge_quality() -> None:
    """Look at the breakers again, and set the odds of reviews, of every tenant that extracts."""
    judge_all_tenants()


@shared_task(name="reviews.sweep_staging")
def sweep_staging() -> None:
    """Enqueue again what has had no sign of life for two minutes; give up what keeps dying."""
    for release_id in sweep_stalled_releases():
        stage_release.delay(release_id)


@shared_task(name="reviews.follow_embedder_changes")
def embed_canon_anew() -> None:
    """After a change of the embedder, embed live canon beside the old vectors and swap it in."""
    for release_id in follow_embedder_changes():
        stage_release.delay(release_id)
