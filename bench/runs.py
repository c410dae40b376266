"""Runs of the second stage: applying one against its own SQL without Python, and who is due when a thousand are."""

from __future__ import annotations

import argparse
import dataclasses
import datetime as dt
import gc
import json
import os
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from bench.report import Report
from episodes.conversations.actions.conversations import open_conversation
from episodes.conversations.actions.messages import store_messages
from episodes.conversations.core.drafts import MessageDraft
from episodes.models import Conversation
from factcheck.extraction.actions.run_answers import answer_run
from factcheck.extraction.actions.run_applies import apply_run
from factcheck.extraction.actions.run_claims import claim_run
from factcheck.extraction.actions.runs import extract_user
from factcheck.extraction.actions.sweeps import MAX_QUEUED
from factcheck.extraction.core.deltas import Delta, Operation, Quote, Stance, Subject
from factcheck.extraction.core.given import Given
from factcheck.extraction.models import ExtractionRun
from factcheck.extraction.proposers.base import Proposal
from factcheck.extraction.rules import get_run_rules
from factcheck.extraction.selectors.due import list_due_users
from tenancy.actions.worlds import ensure_tenant
from tenancy.models import EndUser, Tenant

THINGS = (
    "hazelnuts", "walnuts", "shrimp", "mango", "kiwi", "sesame", "celery", "mustard", "lupin", "soy",
    "milk", "eggs", "wheat", "oysters", "squid", "pollen", "dust", "latex", "nickel", "honey",
)  # fmt: skip
DELTAS = len(THINGS)


MAX_GROWTH_MIB = 16
"""Of the process from the first sweep of 200 runs to the last: 800 runs more."""


class Fixed:
    """A proposer that answers an allergy for each message."""

    name, model, prompt_version = "openai", "fixed", "bench"

    def propose(self, given: Given, *, language: str, timeout_seconds: float) -> Proposal:
        """One delta a message."""
        deltas = [
            Delta(
                Operation.ADD, "allergy", thing, thing, (Quote(place, f"I am allergic to {thing}"),), Subject.USER,
                Stance.ASSERTS, 0.95,
            )
            for place, thing in enumerate(THINGS, 1)
        ]  # fmt: skip
        return Proposal(tuple(deltas), _render(deltas))

    def describe(self) -> str:
        """For people."""
        return "A fixed answer."


class One(Fixed):
    """A proposer that answers the one allergy that is stated."""

    def propose(self, given: Given, *, language: str, timeout_seconds: float) -> Proposal:
        """One delta."""
        proposal = super().propose(given, language=language, timeout_seconds=timeout_seconds)
        return Proposal(proposal.deltas[:1], _render([*proposal.deltas[:1]]))


def run(options: argparse.Namespace) -> Report:
    """Applying a run of 20 deltas costs at most three times its statements, and tenants take turns when all are due."""
    report = Report("runs")
    tenant = _open_tenant("bench")
    product: list[float] = []
    bare: list[float] = []
    counts: list[int] = []
    for place in range(options.runs + 1):
        claimed = _answer(tenant, f"user-{place}")
        rules = get_run_rules(claimed)
        with _rolled_back():
            seconds, statements = _time_and_record(partial(apply_run, claimed, rules))
        with _rolled_back():
            replayed = _time(partial(_replay, statements))
        if place:  # the first warms up
            product.append(seconds * 1000)
            bare.append(replayed * 1000)
            counts.append(len(statements))
        _finish(claimed, rules)
    ratio = statistics.median(product) / statistics.median(bare)
    report.table(
        ["what", "value"],
        [
            [f"ms to apply a run of {DELTAS} deltas", statistics.median(product)],
            ["ms of its statements alone", statistics.median(bare)],
            ["statements", statistics.median(counts)],
        ],
    )
    report.figure("apply_ratio", ratio, at_most=3)
    _measure_due(report, options.users)
    return report


def _measure_due(report: Report, users: int) -> None:
    """Of many who are due at once, the first queued are of all tenants."""
    tenants = [_open_tenant(f"due-{place}") for place in range(4)]
    for place in range(users):
        tenant = tenants[0] if place % 10 else tenants[1 + place // 10 % 3]
        _say(tenant, f"due-{place}", ["I am allergic to hazelnuts"])
    Conversation.objects.filter(tenant__in=tenants).update(last_message_at=timezone.now() - dt.timedelta(hours=1))
    start = time.perf_counter()
    due = list_due_users(limit=40)
    report.say(f"{users} users due: the first 40 are found in {(time.perf_counter() - start) * 1000:.1f} ms")
    shares = [sum(user.tenant_id == tenant.pk for user in due) for tenant in tenants]
    report.figure("due_smallest_share", min(shares) / len(due), at_least=0.2)
    _work_off(report, users)


def _work_off(report: Report, users: int) -> None:
    """All who are due have their run, sweep by sweep, and the process does not grow with them."""
    worked: list[int] = []
    memory: list[float] = []
    start = time.perf_counter()
    while due := list_due_users(limit=MAX_QUEUED):
        for user in due:
            [done] = extract_user(
                tenant_id=user.tenant_id, end_user_id=user.end_user_id, triggered_by=user.reason, proposer=One()
            )
            worked.append(done.deltas_applied)
        memory.append(_read_resident_mib())
    seconds = time.perf_counter() - start
    report.say(
        f"{len(worked)} runs in {len(memory)} sweeps took {seconds:.1f} s, {1000 * seconds / len(worked):.1f} ms each"
    )
    report.say(f"MiB in use after each sweep: {', '.join(f'{each:.0f}' for each in memory)}")
    report.figure("due_left", users - sum(worked), at_most=0)
    report.figure("due_memory_growth_mib", memory[-1] - memory[0], at_most=MAX_GROWTH_MIB)


def _read_resident_mib() -> float:
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def _open_tenant(slug: str) -> Tenant:
    tenant = ensure_tenant(slug=slug)
    tenant.extraction = "on"
    tenant.save()
    return tenant


def _say(tenant: Tenant, user: str, texts: list[str]) -> EndUser:
    conversation = open_conversation(tenant_id=tenant.pk, user_id=user).conversation
    drafts = [MessageDraft(role="user", content=text) for text in texts]
    store_messages(tenant_id=tenant.pk, conversation_id=conversation.pk, drafts=drafts)
    return conversation.end_user


def _answer(tenant: Tenant, user: str) -> ExtractionRun:
    """A run that has its answer."""
    owner = _say(tenant, user, [f"By the way, I am allergic to {thing}." for thing in THINGS])
    proposer = Fixed()
    claimed = claim_run(tenant_id=tenant.pk, end_user_id=owner.pk, triggered_by="manual", proposer=proposer)
    return answer_run(claimed, proposer)


def _finish(claimed: ExtractionRun, rules: Any) -> None:
    """Applies the run for good; every delta of it must count."""
    done = apply_run(claimed, rules)
    if done.deltas_applied != DELTAS:
        raise RuntimeError(f"only {done.deltas_applied} of {DELTAS} deltas were applied")


@contextmanager
def _rolled_back() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def _time_and_record(call: Callable[[], object]) -> tuple[float, list[tuple[str, Any, bool]]]:
    """The seconds of a call, and the statements that it executed."""
    statements: list[tuple[str, Any, bool]] = []

    def record(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        statements.append((sql, params, many))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(record):
        return _time(call), statements


def _replay(statements: list[tuple[str, Any, bool]]) -> None:
    with connection.cursor() as cursor:
        for sql, params, many in statements:
            if many:
                cursor.executemany(sql, params)
            else:
                cursor.execute(sql, params)
            if cursor.description is not None:
                cursor.fetchall()


def _time(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def _render(deltas: list[Delta]) -> str:
    return json.dumps({"deltas": [dataclasses.asdict(delta) for delta in deltas]})
