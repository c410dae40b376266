"""Notebooks: a fact by key, a search over many notes against its bare SQL, the tokenizer of commands; threads."""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Sequence
from typing import Any

import httpx
import numpy as np

from bench.report import Report
from bench.server import START_SECONDS, serve, warm_up
from bench.threads import measure_threads

ROUNDS = 5
PROSE = 'He said "yes" and went on; и ещё немного текста, похожего на ответ модели.\n'
WORDS = [
    "queue", "index", "deploy", "cache", "latency", "tenant", "schema", "vector", "batch", "cursor", "token", "socket",
    "release", "branch", "merge", "review", "очередь", "индекс", "развёртывание", "кэш", "задержка", "схема", "вектор",
    "курсор", "сокет", "релиз", "ветка", "слияние", "проверка",
]  # fmt: skip


def run(options: argparse.Namespace) -> Report:
    """A notebook of so many notes, filled past the actions, then asked through them."""
    report = Report("notebook")
    _measure_tokenizer(report)
    seat, key = _fill(report, options.notes)
    _measure_facts(report, seat, key, options.queries)
    _measure_search(report, seat, options.queries)
    measure_threads(report, seat.notebook.tenant_id, threads=options.threads, puts=options.queries * 5)
    return report


def _measure_tokenizer(report: Report) -> None:
    from knowledge.notebook.core.tokenizer import tokenize

    text = (PROSE * 12 + '[SAVE_FACT key="db" value="PostgreSQL"]\n') * 800
    size = len(text.encode()) / 1e6
    best = min(_time(lambda: tokenize(text)) for _ in range(ROUNDS))
    report.figure("tokenizer_mb_per_second", size / best, at_least=20)


def _fill(report: Report, count: int) -> tuple[Any, str]:
    from knowledge.notebook.actions.entries import write_entry
    from knowledge.notebook.actions.notebooks import write_notebook
    from knowledge.notebook.actions.passages import build_passages, embed_notebook
    from knowledge.notebook.core.drafts import Draft, hash_content
    from knowledge.notebook.models import NotebookEntry, NotebookPassage, NotebookVersion
    from tenancy.actions.keys import issue_api_key
    from tenancy.actions.worlds import ensure_tenant

    tenant = ensure_tenant(slug="bench", name="Bench")
    issued = issue_api_key(tenant_id=tenant.pk, name="b", scopes=["notebook"], requests_per_minute=1_000_000)
    seat, _ = write_notebook(
        tenant_id=tenant.pk, world_id=None, slug="bench", agent="coder", api_key_id=issued.api_key.pk
    )
    write_entry(seat, Draft("fact", "db", "PostgreSQL"))
    rng = random.Random(1)
    texts = {" ".join(rng.choices(WORDS, k=18)) for _ in range(count)}
    rows = [
        NotebookEntry(
            tenant_id=tenant.pk, notebook=seat.notebook, kind="note", name=f"{index:016x}", folded_name=f"{index:016x}",
            content=text, sha256=hash_content(text), author="coder",
        )
        for index, text in enumerate(sorted(texts))
    ]  # fmt: skip
    from django.db import transaction

    with transaction.atomic():
        NotebookEntry.objects.bulk_create(rows, batch_size=1000)
        NotebookVersion.objects.bulk_create(
            (
                NotebookVersion(
                    tenant_id=tenant.pk, notebook=seat.notebook, entry=row, number=1, operation="created",
                    name=row.name, content=row.content, sha256=row.sha256, author="coder", source="import",
                )
                for row in rows
            ),
            batch_size=1000,
        )  # fmt: skip
        passages = []
        for row in rows:
            for passage in build_passages(row):
                passage.entry = row
                passages.append(passage)
        NotebookPassage.objects.bulk_create(passages, batch_size=1000)
    embed_notebook(seat.notebook.pk)
    report.say(f"{len(rows):,} notes are in, with their vectors")
    return seat, issued.text


def _measure_facts(report: Report, seat: Any, key: str, queries: int) -> None:
    from bench.hget.urls import HASH, PATH
    from knowledge.notebook.selectors.entries import get_entry
    from knowledge.notebook.selectors.memberships import find_seat
    from memoryproject.redis import build_key, get_redis

    member = seat.notebook.members.get()
    get_redis().hset(build_key(HASH), "db", '{"value": "PostgreSQL"}')

    def read() -> None:
        found = find_seat(
            tenant_id=seat.notebook.tenant_id, world_id=None, slug="bench", agent="coder", api_key_id=member.api_key_id
        )
        get_entry(found, "fact", "db")

    by_key = _sample(read, queries * 5)
    headers = {"Authorization": f"Bearer {key}", "X-Agent-ID": "coder"}
    rest, floor = [], []
    with (
        serve(DJANGO_SETTINGS_MODULE="bench.hget.settings") as url,
        httpx.Client(base_url=url, headers=headers, timeout=START_SECONDS) as client,
    ):

        def ask(path: str) -> None:
            client.get(path).raise_for_status()

        fact = "/api/v1/notebooks/bench/facts/db"
        warm_up(lambda: (ask(fact), ask(f"/{PATH}")))
        for _ in range(queries * 3):
            floor.append(_time(lambda: ask(f"/{PATH}")) * 1e3)
            rest.append(_time(lambda: ask(fact)) * 1e3)
    report.table(
        ("what", "p50 ms", "p95 ms"),
        [
            ("a fact by key, in process", *_spread(by_key)),
            ("a fact by REST", *_spread(rest)),
            ("a Redis HGET by REST", *_spread(floor)),
        ],
    )
    report.figure("fact_p95_ms", _spread(by_key)[1], at_most=5)
    report.figure("fact_by_rest_to_hget", _spread(rest)[0] / _spread(floor)[0], at_most=1.5)


def _measure_search(report: Report, seat: Any, queries: int) -> None:
    from django.db import connection

    from knowledge.notebook.selectors.search import search_notebook

    rng = random.Random(2)
    whole, bare = [], []
    for _ in range(queries):
        query = " ".join(rng.sample(WORDS, 3))
        statements: list[tuple[Any, Any]] = []

        def note(execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any) -> Any:
            statements.append((sql, params))  # noqa: B023 - of this round
            return execute(sql, params, many, context)

        with connection.execute_wrapper(note):
            search_notebook(seat, query)
        whole.append(_time(lambda: search_notebook(seat, query)) * 1e3)  # noqa: B023

        def run_bare() -> None:
            with connection.cursor() as cursor:
                for sql, params in statements:  # noqa: B023
                    cursor.execute(sql, params)
                    cursor.fetchall()

        bare.append(_time(run_bare) * 1e3)
    report.table(("what", "p50 ms", "p95 ms"), [("a search", *_spread(whole)), ("its SQL alone", *_spread(bare))])
    report.figure("search_to_bare_sql", _spread(whole)[0] / _spread(bare)[0], at_most=1.5)


def _sample(work: Callable[[], object], count: int) -> list[float]:
    work()
    return [_time(work) * 1e3 for _ in range(count)]


def _time(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _spread(values: Sequence[float]) -> tuple[float, float]:
    return float(np.percentile(values, 50)), float(np.percentile(values, 95))
