"""What is handed to the workers once a transaction holds."""

from __future__ import annotations

from memoryproject.celery import find_task
from memoryproject.database import after_commit


def enqueue_staging(release_id: int) -> None:
    """Enqueue `reviews.stage_release` on commit. A broker that is down costs a log line: the sweeper catches up."""
    after_commit(find_task("reviews.stage_release").delay, release_id)
