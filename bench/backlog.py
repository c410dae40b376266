"""A bulk import's vectors: one worker, no nudge; and another tenant's few messages that come in the middle of it."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from bench.facts import make_messages
from bench.report import Report
from episodes.conversations.actions.conversations import open_conversation
from episodes.conversations.actions.messages import store_messages
from episodes.conversations.core.drafts import MessageDraft
from episodes.models import MessagePassage
from tenancy.actions.worlds import ensure_tenant
from tenancy.models import Tenant

BATCH = 500
FEW = 5
PATIENCE_SECONDS = 1800
STALL_SECONDS = 60
"""The import is called stalled when nothing gets a vector for so long."""
WORKER = ["celery", "--app", "memoryproject", "worker", "--pool", "solo", "--without-gossip", "--without-mingle"]


def run(options: argparse.Namespace) -> Report:
    """Nothing is left without a vector, and five messages of another tenant wait for two runs at most (10 s)."""
    report = Report("backlog")
    large, small = ensure_tenant(slug="large"), ensure_tenant(slug="small")
    texts = [text.strip() for text in make_messages(options.messages, share_with_fact=0)]
    start = time.perf_counter()
    each = -(-len(texts) // options.conversations)
    for number in range(options.conversations):
        _import(large, f"player-{number}", texts[number * each : (number + 1) * each])
    imported = time.perf_counter() - start
    report.say(f"{len(texts)} messages imported in {imported:.0f} s")
    with _worker():
        start = time.perf_counter()
        _wait(lambda: _count_waiting(large) < len(texts) * 0.9)
        asked = time.perf_counter()
        _import(small, "player", texts[:FEW])
        _wait(lambda: not _count_waiting(small))
        waited, left = time.perf_counter() - asked, _count_waiting(large)
        _wait(lambda: not _count_waiting(large))
        seconds = time.perf_counter() - start
    report.table(
        ["what", "value"],
        [
            ["messages imported a second", len(texts) / imported],
            ["seconds until all have vectors", seconds],
            ["vectors a second", len(texts) / seconds],
            [f"seconds that {FEW} messages of another tenant wait", waited],
            ["messages that still waited then", left],
        ],
    )
    report.data = {"messages": len(texts), "seconds": seconds, "per_second": len(texts) / seconds}
    report.figure("without_vector", _count_waiting(large) + _count_waiting(small), at_most=0)
    report.figure("other_tenant_waits_seconds", waited, at_most=10)
    report.figure("left_when_the_other_was_done", left, at_least=1)
    return report


def _import(tenant: Tenant, user_id: str, texts: list[str]) -> None:
    chat = open_conversation(tenant_id=tenant.pk, user_id=user_id).conversation
    for start in range(0, len(texts), BATCH):
        drafts = [MessageDraft(role="user", content=text) for text in texts[start : start + BATCH]]
        store_messages(tenant_id=tenant.pk, conversation_id=chat.pk, drafts=drafts)


@contextmanager
def _worker() -> Iterator[None]:
    child = subprocess.Popen(
        [sys.executable, "-m", *WORKER, "--loglevel", "ERROR"], env={**os.environ, "MEMORY37_PROCESS": "worker"}
    )
    try:
        yield
    finally:
        child.terminate()
        child.wait(timeout=30)


def _wait(is_over: Callable[[], bool]) -> None:
    deadline, left, moved = time.monotonic() + PATIENCE_SECONDS, -1, time.monotonic()
    while not is_over():
        now, waiting = time.monotonic(), MessagePassage.objects.filter(embedding_state="pending").count()
        if waiting != left:
            left, moved = waiting, now
        if now > deadline or now - moved > STALL_SECONDS:
            raise RuntimeError(f"stalled with {waiting} messages without a vector")
        time.sleep(0.2)


def _count_waiting(tenant: Tenant) -> int:
    return MessagePassage.objects.filter(tenant=tenant, embedding_state="pending").count()
