"""Episode search in one user's messages against its own bare SQL, alone and beside many other users' messages."""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence

from django.db import connection
from django.test.utils import CaptureQueriesContext

from bench.corpus import make_texts
from bench.report import Report, measure_ms, median
from episodes.actions import open_conversation, store_messages
from episodes.actions.embeddings import embed_messages
from episodes.actions.messages import BATCH_MOST
from episodes.core.drafts import MessageDraft
from episodes.models import Conversation
from episodes.selectors.search import search_episodes
from tenancy.actions.worlds import ensure_tenant

TERMS = 6
TOP = 10
LONGEST = 40
OTHERS_EACH = 1_000


def run(options: argparse.Namespace) -> Report:
    """Stores the user's messages, measures, stores the others' and measures again."""
    report = Report("episodes")
    contents = _make_contents(options.messages)
    queries = _make_queries(contents, options.queries)
    conversation = _store("player-1", contents)
    _settle()
    alone_ms, bare_ms = _measure(report, conversation, queries)
    others = _make_contents(options.others)
    for start in range(0, len(others), OTHERS_EACH):
        _store(f"other-{start}", others[start : start + OTHERS_EACH])
        report.say(f"{start + OTHERS_EACH} messages of others")
    _settle()
    beside_ms, _ = _measure(report, conversation, queries)
    report.table(
        ["what", "p50 ms"],
        [
            [f"selector, {options.messages} messages", alone_ms],
            ["bare SQL", bare_ms],
            [f"selector, beside {options.others} messages of others", beside_ms],
        ],
    )
    report.figure("selector_over_sql", alone_ms / bare_ms, at_most=1.5)
    report.figure("others_slow_down", beside_ms / alone_ms, at_most=1.2)
    return report


def _make_contents(count: int) -> list[str]:
    source = random.Random(5)
    return [" ".join(text.text.split()[: source.randint(3, LONGEST)]) for text in make_texts(count)]


def _make_queries(contents: Sequence[str], count: int) -> list[str]:
    """Six words of one message each, so that every query has an answer."""
    source = random.Random(7)
    long_enough = [content for content in contents if len(set(content.split())) >= TERMS]
    return [" ".join(source.sample(sorted(set(source.choice(long_enough).split())), TERMS)) for _ in range(count)]


def _store(user_id: str, contents: Sequence[str]) -> Conversation:
    tenant = ensure_tenant(slug="bench")
    conversation = open_conversation(tenant_id=tenant.pk, user_id=user_id).conversation
    for start in range(0, len(contents), BATCH_MOST):
        drafts = [
            MessageDraft("assistant" if number % 2 else "user", content)
            for number, content in enumerate(contents[start : start + BATCH_MOST])
        ]
        store_messages(tenant_id=tenant.pk, conversation_id=conversation.pk, drafts=drafts)
    embed_messages(conversation.pk, limit=len(contents))
    return conversation


def _settle() -> None:
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE episodes_messagepassage")
        cursor.execute("VACUUM ANALYZE episodes_message")


def _measure(report: Report, conversation: Conversation, queries: Sequence[str]) -> tuple[float, float]:
    """p50 of the selector, and of the same statements sent by psycopg alone, turn about."""

    def read(query: str) -> None:
        search_episodes(tenant_id=conversation.tenant_id, end_user_id=conversation.end_user_id, query=query, k=TOP)

    statements = []
    for query in queries:
        with CaptureQueriesContext(connection) as captured:
            read(query)
        statements.append([entry["sql"] for entry in captured.captured_queries])
    raw = connection.connection

    def send(batch: list[str]) -> None:
        for statement in batch:
            with raw.cursor() as cursor:
                cursor.execute(statement)
                cursor.fetchall()

    measure_ms(read, queries)
    selector, bare = [], []
    for turn, (query, batch) in enumerate(zip(queries, statements, strict=True)):
        if turn % 2:
            bare += measure_ms(send, [batch])
            selector += measure_ms(read, [query])
        else:
            selector += measure_ms(read, [query])
            bare += measure_ms(send, [batch])
    report.say(f"{sum(map(len, statements)) / len(queries):.1f} statements a search")
    return median(selector), median(bare)
