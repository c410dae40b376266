"""Threads: a put against a bare insert, bytes of a checkpoint, lists that stay flat; a part of `bench notebook`."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from bench.report import Report

CHECKPOINTS = 100
LOG = ["look at the door", "ask the keeper", "take the key", "cross the bridge"]
COLUMNS = {
    "episodes_threadvalue": "tenant_id, digest, type, sealed, sealed_by, size",
    "episodes_threadcheckpoint": "tenant_id, ns, checkpoint_id, parent_id, root_id, step, source, run_id, channels,"
    " delta_channels, sealed, sealed_by, tokens, fingerprint, size",
}


def measure_threads(report: Report, tenant_id: int, *, threads: int, puts: int) -> None:
    """A thread filled through the actions and put beside bare inserts; then as many copies of it as asked for."""
    from episodes.threads.core.drafts import Place

    bare, whole = _measure_puts(Place(tenant_id, None, "bench-0"), max(puts, CHECKPOINTS))
    report.table(
        ("what", "p50 ms", "p95 ms"), [("a bare insert", *_spread(bare)), ("a checkpoint put", *_spread(whole))]
    )
    report.figure("checkpoint_put_to_bare_insert", _spread(whole)[0] / _spread(bare)[0], at_most=3)
    few = max(threads // 10, 1)
    _copy_thread(tenant_id, 1, few)
    first = _measure_list(tenant_id)
    _copy_thread(tenant_id, few + 1, threads)
    last = _measure_list(tenant_id)
    report.table(
        ("threads", "list p50 ms", "list p95 ms"),
        [(f"{few + 1:,}", *_spread(first)), (f"{threads + 1:,}", *_spread(last))],
    )
    report.figure("thread_list_ten_times_as_many", _spread(last)[0] / _spread(first)[0], at_most=1.5)
    for table, size, count in _read_sizes():
        report.say(f"{table}: {count:,} rows, {size / max(count, 1):,.0f} bytes each with indexes")


def _measure_puts(place: Any, count: int) -> tuple[list[float], list[float]]:
    """Milliseconds of a bare insert of the same bytes, and of a put, one after the other."""
    from django.db import connection

    from episodes.threads.actions.checkpoints import put_checkpoint
    from episodes.threads.models import ThreadCheckpoint

    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE TABLE IF NOT EXISTS bench_bare (id bigserial PRIMARY KEY, checkpoint_id text, body bytea)"
        )
    put_checkpoint(place, _draft(0))
    body = b"x" * (len(bytes(ThreadCheckpoint.objects.get(thread__external_id=place.thread_id).sealed)) + 200)

    def insert(index: int) -> None:
        with connection.cursor() as cursor:
            cursor.execute("INSERT INTO bench_bare (checkpoint_id, body) VALUES (%s, %s)", [f"{index:08}", body])

    bare, whole = [], []
    for index in range(1, count):
        bare.append(_time(lambda: insert(index)))  # noqa: B023 - of this round
        whole.append(_time(lambda: put_checkpoint(place, _draft(index))))  # noqa: B023
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE bench_bare")
    return bare, whole


def _draft(index: int) -> Any:
    from episodes.threads.core.drafts import CheckpointDraft
    from episodes.threads.core.values import JSON, StateValue, dump_json

    log = StateValue(JSON, dump_json([f"{index}: {LOG[index % len(LOG)]}"] * 5))
    return CheckpointDraft(
        checkpoint={
            "v": 1,
            "id": f"{index:08}",
            "channel_versions": {"plan": 1, "log": index + 1},
            "versions_seen": {},
        },
        parent_id=f"{index - 1:08}" if index else "",
        metadata={"source": "loop", "step": index, "run_id": "bench"},
        values={"log": log, **({} if index else {"plan": StateValue(JSON, dump_json({"goal": "the moon door"}))})},
    )


def _copy_thread(tenant_id: int, first: int, last: int) -> None:
    """Threads of the same 100 checkpoints each, past the actions: what is sealed opens in a copy, too."""
    from django.db import connection, transaction

    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO episodes_thread (tenant_id, external_id, title, state)"
            " SELECT %s, 'bench-' || n, '', 'running' FROM generate_series(%s::int, %s::int) n",
            [tenant_id, first, last],
        )
        for table, columns in COLUMNS.items():
            cursor.execute(
                f"INSERT INTO {table} (thread_id, {columns}) SELECT t.id, r.* FROM episodes_thread t,"
                f" (SELECT {columns} FROM {table} WHERE thread_id = ("
                "  SELECT id FROM episodes_thread WHERE external_id = 'bench-0') ORDER BY id LIMIT %s) r"
                " WHERE t.external_id IN (SELECT 'bench-' || n FROM generate_series(%s::int, %s::int) n)",
                [CHECKPOINTS + (table == "episodes_threadvalue"), first, last],
            )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE episodes_thread, episodes_threadcheckpoint, episodes_threadvalue")


def _measure_list(tenant_id: int) -> list[float]:
    from episodes.threads.selectors import list_threads

    list_threads(tenant_id=tenant_id, world_id=None)
    return [_time(lambda: list_threads(tenant_id=tenant_id, world_id=None)) for _ in range(30)]


def _read_sizes() -> list[tuple[str, int, int]]:
    from django.db import connection

    found = []
    with connection.cursor() as cursor:
        for table in ("episodes_thread", *COLUMNS):
            cursor.execute(f"SELECT pg_total_relation_size('{table}'), (SELECT count(*) FROM {table})")
            found.append((table, *cursor.fetchone()))
    return found


def _time(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1e3


def _spread(values: list[float]) -> tuple[float, float]:
    return float(np.percentile(values, 50)), float(np.percentile(values, 95))
