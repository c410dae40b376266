"""The Celery application: tasks are found in each app's ``tasks`` module, under fixed names.

Law of tasks: late acknowledgement, so every task may run twice; only outages are retried, with
bounds and jitter; what still fails lands in a state that its owner lists.
"""

from __future__ import annotations

import logging.config
import os
import time
from typing import Any

from celery import Celery, Task, signals

from memoryproject.errors import UnavailableError

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryproject.settings")

RETRY_OUTAGES = {
    "autoretry_for": (UnavailableError,),
    "max_retries": 3,
    "retry_backoff": 10,
    "retry_backoff_max": 300,
    "retry_jitter": True,
    "acks_late": True,
}
"""Options of tasks that ask an embedder: what three tries do not mend is left to a sweeper."""


class MemoryCelery(Celery):
    """Celery that sees to it that the embedded Redis runs before it is spoken to."""

    def connection_for_write(self, *args: Any, **kwargs: Any) -> Any:
        """A broker connection for publishing."""
        start_broker_if_embedded()
        return super().connection_for_write(*args, **kwargs)

    def connection_for_read(self, *args: Any, **kwargs: Any) -> Any:
        """A broker connection for consuming."""
        start_broker_if_embedded()
        return super().connection_for_read(*args, **kwargs)


def start_broker_if_embedded() -> None:
    """Start the embedded Redis when it is the broker and does not run."""
    from django.conf import settings

    if settings.EMBEDDED_REDIS and settings.CELERY_BROKER_URL.startswith("redis+socket://"):
        from devtools.embedded import ensure_redis

        ensure_redis(settings.DATA_DIR)


app = MemoryCelery("memoryproject")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


def find_task(name: str) -> Any:
    """The task of that name: who queues it does not import what it does."""
    if name not in app.tasks:
        load_tasks()
    return app.tasks[name]


def load_tasks() -> None:
    """Imports the modules of tasks, as a worker does, but without its setup of Django, which configures logging anew.

    The web process does so after its start (a tenth of a second), so that no request waits.
    """
    app.autodiscover_tasks(force=True)


@signals.setup_logging.connect
def use_django_logging(**_: Any) -> None:
    """Workers log in the same format as the web process."""
    from django.conf import settings

    logging.config.dictConfig(settings.LOGGING)


@signals.task_prerun.connect
def bind_task(task_id: str, task: Task, **_: Any) -> None:
    """Every log line of a task names it."""
    import structlog

    structlog.contextvars.clear_contextvars()
    structlog.contextvars.bind_contextvars(task=task.name, task_id=task_id)
    task.request.started_at = time.perf_counter()


@signals.task_postrun.connect
def record_task(task_id: str, task: Task, state: str | None = None, **_: Any) -> None:
    """Count the task, and log how it ended and how long it took: never its arguments."""
    import structlog

    from memoryproject.metrics import TASK_SECONDS, TASKS

    seconds = time.perf_counter() - getattr(task.request, "started_at", time.perf_counter())
    TASKS.labels(task=task.name, state=state or "UNKNOWN").inc()
    TASK_SECONDS.labels(task=task.name).observe(seconds)
    structlog.get_logger("memory37.tasks").info("task", state=state, ms=round(seconds * 1000, 1))
    structlog.contextvars.clear_contextvars()


@signals.task_failure.connect
def log_task_failure(task_id: str, exception: BaseException, sender: Task, **_: Any) -> None:
    """Log what went wrong in a task that will not be retried."""
    import structlog

    structlog.get_logger("memory37.tasks").error("task_failed", task=sender.name, task_id=task_id, exc_info=exception)


@signals.worker_ready.connect
def say_that_the_worker_lives(**_: Any) -> None:
    """`/readyz` tells of an installation without a worker."""
    from memoryproject.heartbeats import WORKER, start_heartbeat

    start_heartbeat(WORKER)


@signals.worker_shutting_down.connect
def say_that_the_worker_ends(**_: Any) -> None:
    """A worker that ends in order is missed at once."""
    from memoryproject.heartbeats import WORKER, stop_heartbeat

    stop_heartbeat(WORKER)


@signals.beat_init.connect
def say_that_the_scheduler_lives(**_: Any) -> None:
    """The same for the scheduler."""
    from memoryproject.heartbeats import SCHEDULER, start_heartbeat

    start_heartbeat(SCHEDULER)


@signals.worker_process_shutdown.connect
def forget_process_metrics(pid: int | None = None, **_: Any) -> None:
    """The gauges of a worker's process end with it."""
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        from prometheus_client import multiprocess

        multiprocess.mark_process_dead(pid or os.getpid())
