"""Work of runtime in Celery. Every task may run twice."""

from __future__ import annotations

from celery import shared_task

from runtime.actions import traces


@shared_task(name="runtime.delete_old_traces", acks_late=True)
def delete_old_traces() -> None:
    """Let traces go whose days are over."""
    traces.delete_old_traces()
