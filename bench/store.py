"""The store of agents: batches of gets, puts and searches in the process and by HTTP, against their own SQL."""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Sequence
from typing import Any

import httpx
import numpy as np

from bench.notebook import WORDS
from bench.report import Report
from bench.server import START_SECONDS, serve, warm_up

FILL_BATCH = 1_000
BATCH = 20
"""Operations of a measured batch: what a step of a graph with some tools asks for."""
USERS = 50


def run(options: argparse.Namespace) -> Report:
    """A store of so many items, then batches of each kind: in the process, by HTTP, and their bare statements."""
    report = Report("store")
    tenant_id, key = _fill(report, options.items)
    rng = random.Random(3)
    kinds: dict[str, Callable[[], list[dict[str, Any]]]] = {
        f"{BATCH} gets": lambda: [_get(rng, options.items) for _ in range(BATCH)],
        f"{BATCH} puts": lambda: [_put(rng, options.items) for _ in range(BATCH)],
        "a search": lambda: [_search(rng)],
        "a filter": lambda: [{**_search(rng), "query": "", "filter": {"turn": {"$gte": 90}}}],
        "8 gets, 4 puts, a search": lambda: [
            *(_get(rng, options.items) for _ in range(8)), _search(rng), *(_put(rng, options.items) for _ in range(4)),
        ],
    }  # fmt: skip
    rows = []
    with (
        serve() as url,
        httpx.Client(base_url=url, headers={"Authorization": f"Bearer {key}"}, timeout=START_SECONDS) as client,
    ):

        def send(ops: list[dict[str, Any]]) -> None:
            client.post("/api/v1/store/batch", json={"ops": ops}).raise_for_status()

        floor: list[float] = []
        warm_up(lambda: send([]))
        for name, build in kinds.items():
            warm_up(lambda: send(build()))  # noqa: B023 - of this round
            by_http, within, bare = [], [], []
            for _ in range(options.queries):
                floor.append(_time(lambda: send([])))
                by_http.append(_time(lambda: send(build())))  # noqa: B023
                within.append(_time(lambda: _run(tenant_id, build())))  # noqa: B023
                bare.append(_time_bare(tenant_id, build()))
            rows.append((name, *_spread(bare), *_spread(within), *_spread(by_http)))
    empty = _spread(floor)[0]
    report.table(("batch", "SQL p50 ms", "p95", "in process p50", "p95", "HTTP p50", "p95"), rows)
    report.say(f"an empty batch by HTTP: {empty:.2f} ms")
    for name, bare_p50, _, within_p50, _, http_p50, _ in rows:
        label = name.replace(" ", "_").replace(",", "")
        report.figure(f"{label}_to_bare_sql", within_p50 / bare_p50, at_most=3)
        report.figure(f"{label}_by_http_to_sql_and_empty_batch", http_p50 / (bare_p50 + empty), at_most=2)
    return report


def _fill(report: Report, count: int) -> tuple[int, str]:
    from django.db import connection

    from knowledge.store.actions.passages import embed_store
    from knowledge.store.models import StoreSpace
    from tenancy.actions.keys import issue_api_key
    from tenancy.actions.worlds import ensure_tenant

    tenant = ensure_tenant(slug="bench", name="Bench")
    issued = issue_api_key(tenant_id=tenant.pk, name="b", scopes=["notebook"], requests_per_minute=1_000_000)
    rng = random.Random(1)
    for first in range(0, count, FILL_BATCH):
        _run(tenant.pk, [_put(rng, count, index) for index in range(first, min(first + FILL_BATCH, count))])
    embed_store(StoreSpace.objects.get().pk)
    # As autovacuum does within a minute: until then the planner knows nothing of so many new rows.
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE knowledge_storeitem, knowledge_storepassage")
    report.say(f"{count:,} items are in, with their vectors")
    return tenant.pk, issued.text


def _place(rng: random.Random, count: int, index: int | None) -> dict[str, Any]:
    chosen = rng.randrange(count) if index is None else index
    return {"namespace": ["memories", f"user-{chosen % USERS}"], "key": f"item-{chosen}"}


def _get(rng: random.Random, count: int) -> dict[str, Any]:
    return {"op": "get", **_place(rng, count, None)}


def _put(rng: random.Random, count: int, index: int | None = None) -> dict[str, Any]:
    value = {"text": " ".join(rng.choices(WORDS, k=18)), "turn": rng.randrange(100)}
    return {"op": "put", **_place(rng, count, index), "value": value, "index": ["text"]}


def _search(rng: random.Random) -> dict[str, Any]:
    namespace = ["memories", f"user-{rng.randrange(USERS)}"]
    return {"op": "search", "namespace": namespace, "query": " ".join(rng.sample(WORDS, 3))}


def _run(tenant_id: int, ops: list[dict[str, Any]]) -> None:
    from knowledge.store.actions.batches import run_batch
    from runtime.store.api import parse_op

    run_batch(tenant_id=tenant_id, world_id=None, ops=[parse_op(op) for op in ops])


def _time_bare(tenant_id: int, ops: list[dict[str, Any]]) -> float:
    """Milliseconds of the statements that the batch sends, sent again; where it writes, in one transaction as well."""
    from django.db import connection, transaction

    statements: list[tuple[Any, Any]] = []

    def note(execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any) -> Any:
        statements.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        _run(tenant_id, ops)

    def send() -> None:
        with connection.cursor() as cursor:
            for sql, params in statements:
                cursor.execute(sql, params)
                if cursor.description is not None:
                    cursor.fetchall()

    def send_at_once() -> None:
        with transaction.atomic():
            send()

    return _time(send_at_once if any(op["op"] == "put" for op in ops) else send)


def _time(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1e3


def _spread(values: Sequence[float]) -> tuple[float, float]:
    return float(np.percentile(values, 50)), float(np.percentile(values, 95))
