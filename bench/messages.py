"""Posting messages: against a bare INSERT … COMMIT of the same row, with a fact, by REST, by many writers at once."""

from __future__ import annotations

import argparse
import multiprocessing
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from typing import Any

import httpx
import psycopg
from django.db import connection, connections
from django.test.utils import override_settings

from bench.facts import make_messages
from bench.report import Report, median
from bench.server import START_SECONDS, serve, warm_up
from episodes.conversations.actions.conversations import open_conversation
from episodes.conversations.core.drafts import MessageDraft
from episodes.models import Conversation, Message
from factcheck.posting.actions.messages import post_messages
from knowledge.facts.models import UserFact
from tenancy.actions.keys import issue_api_key
from tenancy.actions.worlds import ensure_tenant
from tenancy.models import Tenant

SIZES = ("S", "M", "L", "XL")
BARE = """
INSERT INTO episodes_message (
    tenant_id, conversation_id, seq, role, content, npc_id, session_id, language, frame, memory_type,
    response_description, client_message_id, body_hash, sent_at, created_at
) VALUES (%s, %s, %s, 'user', %s, '', '', 'en', 'unknown', '', '', %s, %s, now(), now())
"""
WARM_UP = 50
MIN_SCALE = 1.5
"""One writer and PostgreSQL take turns: one of two cores is busy. Eight writers can keep both, less a quarter."""


@override_settings(INSTANT_SEMANTIC="after")
def run(options: argparse.Namespace) -> Report:
    """Ratios to the bare insert (limits 4 and 8), REST over the action (10 ms), throughput of many writers over one.

    Meaning is left to the worker (`INSTANT_SEMANTIC=after`); what hearing it inline costs is printed beside.
    """
    report = Report("messages")
    tenant = ensure_tenant(slug="bench")
    texts = [text.strip() for text in make_messages(options.messages + WARM_UP, share_with_fact=0)]
    bare, plain, stating, inline = _measure_alternately(tenant, texts)
    rest = _measure_rest(tenant, texts)
    report.table(
        ["what", "p50 ms"],
        [
            ["bare INSERT … COMMIT of the row", bare],
            ["post_messages, no fact", plain],
            ["post_messages, a fact that supersedes", stating],
            ["post_messages, no fact, meaning heard inline", inline],
            ["REST, no fact", rest],
        ],
    )
    one = _measure_writers(tenant, 1, texts, apart=True)
    many = _measure_writers(tenant, options.writers, texts, apart=True)
    crowd = _measure_writers(tenant, options.writers, texts, apart=False)
    report.table(
        ["writers", "messages a second"],
        [
            ["1", one],
            [f"{options.writers}, each its own conversation", many],
            [f"{options.writers}, one conversation", crowd],
        ],
    )
    report.data = {"bare_ms": bare, "plain_ms": plain, "fact_ms": stating, "inline_ms": inline, "rest_ms": rest}
    report.data |= {"one_writer_per_second": one, "writers_per_second": many, "one_conversation_per_second": crowd}
    report.figure("plain_over_bare_insert", plain / bare, at_most=4)
    report.figure("fact_over_bare_insert", stating / bare, at_most=8)
    report.figure("rest_over_action_ms", rest - plain, at_most=10)
    report.figure("writers_over_one", many / one, at_least=MIN_SCALE)
    report.figure("lost_or_out_of_order", _count_misplaced(), at_most=0)
    return report


def _measure_alternately(tenant: Tenant, texts: Sequence[str]) -> tuple[float, float, float, float]:
    """The p50 of a bare insert, a post, one with a fact, one heard inline: in turns, so that all see one machine."""
    bare_chat = _open(tenant, "bare")
    Conversation.objects.filter(pk=bare_chat).update(last_seq=1_000_000_000)
    chats = {name: _open(tenant, name) for name in ("plain", "fact", "inline")}
    times: dict[str, list[float]] = {"bare": [], "plain": [], "fact": [], "inline": []}
    with psycopg.connect(**_describe_connection()) as raw, raw.cursor() as cursor:
        for number, text in enumerate(texts):
            client_id, body_hash = f"bench-{number}", bytes(32)

            def insert(row: tuple[Any, ...] = (tenant.pk, bare_chat, number + 1, text, client_id, body_hash)) -> None:
                cursor.execute(BARE, row)
                raw.commit()

            said = {"plain": text, "fact": f"My size is {SIZES[number % len(SIZES)]}.", "inline": text}
            times["bare"].append(_clock(insert))
            for kind, content in said.items():
                draft = MessageDraft(role="user", content=content, client_message_id=client_id)
                with override_settings(INSTANT_SEMANTIC="inline") if kind == "inline" else nullcontext():
                    times[kind].append(_clock(lambda kind=kind, draft=draft: _post(tenant.pk, chats[kind], draft)))
    if UserFact.objects.filter(type="body_params").count() != len(texts):
        raise RuntimeError("not every message that states a fact wrote one")
    Conversation.objects.filter(pk=bare_chat).update(last_seq=len(texts))
    return tuple(median(values[WARM_UP:]) for values in times.values())  # type: ignore[return-value]


def _measure_rest(tenant: Tenant, texts: Sequence[str]) -> float:
    key = issue_api_key(tenant_id=tenant.pk, name="bench", scopes=["engine"], requests_per_minute=1_000_000)
    chat = _open(tenant, "rest")
    times = []
    headers = {"Authorization": f"Bearer {key.text}"}
    with (
        serve(INSTANT_SEMANTIC="after") as url,
        httpx.Client(base_url=url, headers=headers, timeout=START_SECONDS) as client,
    ):
        path = f"/api/v1/conversations/{chat}/messages"
        warm_up(lambda: client.post(path, json={"role": "user", "content": texts[0]}).raise_for_status())
        for number, text in enumerate(texts):
            body = {"role": "user", "content": text, "client_message_id": f"bench-{number}"}
            start = time.perf_counter()
            client.post(path, json=body).raise_for_status()
            times.append((time.perf_counter() - start) * 1000)
    return median(times[WARM_UP:])


def _measure_writers(tenant: Tenant, writers: int, texts: Sequence[str], *, apart: bool) -> float:
    """Messages a second of processes that all begin at once."""
    chats = [_open(tenant, f"writer-{number}") for number in range(writers)] if apart else [_open(tenant, "crowd")]
    each = max(WARM_UP, len(texts) // writers)
    work = [(tenant.pk, chats[number % len(chats)], number, list(texts[:each])) for number in range(writers)]
    connections.close_all()
    with ProcessPoolExecutor(writers, mp_context=multiprocessing.get_context("fork")) as pool:
        list(pool.map(_write, [(*job[:3], job[3][:1]) for job in work]))
        start = time.perf_counter()
        list(pool.map(_write, work))
        seconds = time.perf_counter() - start
    return writers * each / seconds


def _write(job: tuple[int, int, int, list[str]]) -> None:
    tenant_id, chat, writer, texts = job
    for number, text in enumerate(texts):
        _post(tenant_id, chat, MessageDraft(role="user", content=text, session_id=f"{writer}:{number}"))


def _count_misplaced() -> int:
    """Places without a message, and messages of one writer that stand in another order than it posted them."""
    missing = sum(last - Message.objects.filter(conversation_id=pk).count() for pk, last in _list_places())
    crowd = Message.objects.filter(conversation__external_id__startswith="crowd").order_by("seq")
    at: dict[str, int] = {}
    swapped = 0
    for session in crowd.values_list("session_id", flat=True):
        writer, number = session.split(":")
        swapped += int(number) < at.get(writer, 0) and int(number) != 0
        at[writer] = int(number)
    return missing + swapped


def _list_places() -> list[tuple[int, int]]:
    return list(Conversation.objects.values_list("pk", "last_seq"))


def _open(tenant: Tenant, name: str) -> int:
    count = Conversation.objects.count()
    opened = open_conversation(tenant_id=tenant.pk, user_id=f"{name}-{count}", external_id=f"{name}-{count}")
    return opened.conversation.pk


def _post(tenant_id: int, chat: int, draft: MessageDraft) -> None:
    post_messages(tenant_id=tenant_id, conversation_id=chat, drafts=[draft])


def _clock(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return (time.perf_counter() - start) * 1000


def _describe_connection() -> dict[str, Any]:
    connection.ensure_connection()
    info = connection.connection.info
    return {"host": info.host, "dbname": info.dbname, "user": info.user}
