"""Tasks that only the tests of the worker run."""

from __future__ import annotations

import os
import signal

from celery import shared_task

from memoryproject.redis import build_key, get_redis


@shared_task(name="tests.note")
def note(key: str, secret: str) -> None:
    get_redis().rpush(build_key(key), "done")


@shared_task(name="tests.fail")
def fail(key: str, secret: str) -> None:
    raise RuntimeError("it went wrong")


@shared_task(name="tests.die_once")
def die_once(key: str) -> None:
    """Dies with its process the first time, like a worker that is killed or runs out of memory."""
    if get_redis().rpush(build_key(key), "run") == 1:
        os.kill(os.getpid(), signal.SIGKILL)
