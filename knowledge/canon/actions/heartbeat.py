"""Signs of life of a release in the works, for the sweeper that picks up what a killed worker left."""

from __future__ import annotations

from django.db import transaction
from django.db.models.functions import Now

from knowledge.canon.actions.locks import lock_release
from knowledge.canon.models import Release, ReleaseState


def beat_release(release_id: int) -> None:
    """Note that someone works on the release right now."""
    Release.objects.filter(pk=release_id).update(heartbeat_at=Now())


def give_up_release(release_id: int, *, error: str) -> Release:
    """The release, failed if it was still being built: its workers died again and again. Locks the release."""
    with transaction.atomic():
        release = lock_release(release_id)
        if release.state == ReleaseState.BUILDING:
            release.state = ReleaseState.FAILED
            release.error = "\n".join(filter(None, [error, release.error]))[:4000]
            release.save(update_fields=["state", "error"])
    return release
