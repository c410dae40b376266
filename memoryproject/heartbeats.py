"""Processes that serve no port say that they live: workers and the scheduler, in Redis, every few seconds."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator

import structlog
from prometheus_client import Metric
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector
from redis.exceptions import RedisError

from memoryproject.redis import build_key, get_redis

logger = structlog.get_logger("memory37.heartbeats")
WORKER, SCHEDULER = "worker", "scheduler"
KINDS = (WORKER, SCHEDULER)
INTERVAL_SECONDS = 10
ALIVE_SECONDS = 35
"""Three heartbeats may be lost before a process counts as gone."""
_stops: dict[str, threading.Event] = {}


def start_heartbeat(kind: str) -> None:
    """From now on this process says every few seconds that it lives, on a thread that ends with it."""
    if kind not in _stops:
        stop = _stops[kind] = threading.Event()
        threading.Thread(target=_keep_beating, args=(kind, stop), name=f"heartbeat-{kind}", daemon=True).start()


def stop_heartbeat(kind: str) -> None:
    """This process ends in order: it counts no longer. Raises RedisError."""
    stop = _stops.pop(kind, None)
    if stop is not None:
        stop.set()
        get_redis().zrem(_key(kind), _name_process())


def beat(kind: str) -> None:
    """Say once that this process lives. Raises RedisError."""
    now = time.time()
    with get_redis().pipeline() as pipeline:
        pipeline.zadd(_key(kind), {_name_process(): now})
        pipeline.zremrangebyscore(_key(kind), 0, now - ALIVE_SECONDS)
        pipeline.expire(_key(kind), ALIVE_SECONDS)
        pipeline.execute()


def count_alive(kind: str) -> int:
    """How many processes of the kind said so lately. Raises RedisError."""
    return int(get_redis().zcount(_key(kind), time.time() - ALIVE_SECONDS, "+inf"))


class AliveProcesses(Collector):
    """`memory37_alive_processes` by kind; nothing while Redis does not answer."""

    def collect(self) -> Iterator[Metric]:
        """The gauge."""
        gauge = GaugeMetricFamily("memory37_alive_processes", "Processes that live, by kind.", labels=["kind"])
        try:
            for kind in KINDS:
                gauge.add_metric([kind], count_alive(kind))
        except RedisError as error:
            logger.warning("heartbeats_not_read", error=type(error).__name__)
            return
        yield gauge


def _keep_beating(kind: str, stop: threading.Event) -> None:
    while True:
        try:
            beat(kind)
        except Exception as error:  # noqa: BLE001 - whatever Redis has, the next beat may get through
            logger.warning("heartbeat_lost", kind=kind, error=type(error).__name__)
        if stop.wait(INTERVAL_SECONDS):
            return


def _key(kind: str) -> str:
    return build_key("heartbeats", kind)


def _name_process() -> str:
    return f"{socket.gethostname()}:{os.getpid()}"
