"""Episode search in one user's messages against its own bare SQL, and what other users' messages make of it.

The user's messages are stored in turns with the others', so that they lie scattered among them. A copy of the user's
rows in tables of their own is the same search without anybody else; both are measured turn about.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence

from django.db import connection

from bench.corpus import make_texts
from bench.report import Report, measure_ms, median
from bench.statements import capture_statements, send_statements
from episodes.actions import open_conversation, store_messages
from episodes.actions.embeddings import embed_messages
from episodes.core.drafts import MessageDraft
from episodes.models import Conversation
from episodes.selectors.search import search_episodes
from tenancy.actions.worlds import ensure_tenant

TERMS = 6
TOP = 10
LONGEST = 40
OTHERS_EACH = 1_000
AT_ONCE = 25
TABLES = {"episodes_message": "conversation_id = %s", "episodes_messagepassage": "conversation_id = %s"}


def run(options: argparse.Namespace) -> Report:
    """Stores all messages, copies the user's, and measures both."""
    report = Report("episodes")
    contents = _make_contents(options.messages)
    conversation = _open("player-1")
    _store_in_turns(report, conversation, contents, _make_contents(options.others))
    _copy_alone(conversation)
    beside_ms, bare_ms, alone_ms = _measure(report, conversation, _make_queries(contents, options.queries))
    report.table(
        ["what", "p50 ms"],
        [
            [f"selector, {options.messages} messages beside {options.others} of others", beside_ms],
            ["bare SQL", bare_ms],
            ["selector, without the others", alone_ms],
        ],
    )
    report.figure("selector_over_sql", beside_ms / bare_ms, at_most=1.5)
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


def _open(user_id: str) -> Conversation:
    return open_conversation(tenant_id=ensure_tenant(slug="bench").pk, user_id=user_id).conversation


def _store_in_turns(report: Report, own: Conversation, contents: Sequence[str], others: Sequence[str]) -> None:
    """The user's messages a few at a time, each time followed by as large a share of the others'."""
    strangers = [_open(f"other-{start}") for start in range(0, len(others), OTHERS_EACH)]
    share = -(-len(others) * AT_ONCE // max(len(contents), 1))
    for turn, start in enumerate(range(0, len(contents), AT_ONCE)):
        _store(own, contents[start : start + AT_ONCE])
        told = others[turn * share : (turn + 1) * share]
        for place in range(0, len(told), AT_ONCE):
            stranger = strangers[(turn + place // AT_ONCE) % len(strangers)]
            _store(stranger, told[place : place + AT_ONCE])
        if turn % 40 == 0:
            report.say(f"{start} messages and {turn * share} of others")


def _store(conversation: Conversation, contents: Sequence[str]) -> None:
    drafts = [MessageDraft("assistant" if number % 2 else "user", content) for number, content in enumerate(contents)]
    store_messages(tenant_id=conversation.tenant_id, conversation_id=conversation.pk, drafts=drafts)
    embed_messages(conversation.pk, limit=len(contents))


def _copy_alone(conversation: Conversation) -> None:
    """The user's rows in tables of the same names in a schema of their own."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE SCHEMA alone")
        for table, whose in TABLES.items():
            cursor.execute(f"CREATE TABLE alone.{table} (LIKE public.{table} INCLUDING ALL)")
            cursor.execute(f"ALTER TABLE alone.{table} SET (toast_tuple_target = 8160)")
            cursor.execute(
                f"INSERT INTO alone.{table} SELECT * FROM public.{table} WHERE {whose} ORDER BY id", [conversation.pk]
            )
            for schema in ("public", "alone"):
                cursor.execute(f"VACUUM ANALYZE {schema}.{table}")


def _measure(report: Report, conversation: Conversation, queries: Sequence[str]) -> tuple[float, float, float]:
    """p50 of the selector, of its statements sent by psycopg alone, and of the selector without others; turn about."""

    def read(query: str) -> None:
        search_episodes(tenant_id=conversation.tenant_id, end_user_id=conversation.end_user_id, query=query, k=TOP)

    statements = capture_statements(read, queries)

    def read_alone(query: str) -> list[float]:
        with connection.cursor() as cursor:
            cursor.execute("SET search_path TO alone, public")
        measured = measure_ms(read, [query])
        with connection.cursor() as cursor:
            cursor.execute("SET search_path TO public")
        return measured

    for query in queries:
        read(query)
        read_alone(query)
    times: dict[str, list[float]] = {"beside": [], "bare": [], "alone": []}
    for query, batch in zip(queries, statements, strict=True):
        times["beside"] += measure_ms(read, [query])
        times["bare"] += measure_ms(send_statements, [batch])
        times["alone"] += read_alone(query)
    report.say(f"{sum(map(len, statements)) / len(queries):.1f} statements a search")
    return median(times["beside"]), median(times["bare"]), median(times["alone"])
