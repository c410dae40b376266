"""What is handed to the workers once a transaction holds."""

from __future__ import annotations

from functools import partial

from django.db import transaction


def enqueue_staging(release_id: int) -> None:
    """Enqueue `reviews.stage_release` on commit. A broker that is down costs a log line: the sweeper catches up."""
    from reviews.tasks import stage_release

    transaction.on_commit(partial(stage_release.delay, release_id), robust=True)
