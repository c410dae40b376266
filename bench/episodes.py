"""Episode search in one user's messages against its own bare SQL, beside other users' messages, and of a large user.

The user's messages are stored in turns with the others', so that they lie scattered among them. A copy of the user's
rows in tables of their own is the same search without anybody else. Most of the others' messages are one user's, in
many conversations, whose search must not cost much more. All are measured turn about.
"""

from __future__ import annotations

import argparse
import random
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter

from django.db import connection

from bench.corpus import make_texts
from bench.report import Report, measure_ms, median
from bench.statements import capture_statements, send_statements
from episodes.conversations.actions.conversations import open_conversation
from episodes.conversations.actions.messages import store_messages
from episodes.conversations.core.drafts import MessageDraft
from episodes.embedding.actions.embeddings import embed_messages
from episodes.embedding.actions.vector_codes import build_vector_codes
from episodes.models import Conversation, VectorCode
from episodes.search.selectors.search import EpisodeResult, search_episodes
from knowledge.config import MessageSettings, get_message_settings
from tenancy.actions.worlds import ensure_tenant

TERMS = 6
TOP = 10
LONGEST = 40
OTHERS_EACH = 1_000
LARGE_EACH = 500
AT_ONCE = 25
_Batch = tuple[Conversation, Sequence[str]]
TABLES = {"episodes_message": "conversation_id = %s", "episodes_messagepassage": "conversation_id = %s"}


def run(options: argparse.Namespace) -> Report:
    """Stores all messages, copies the user's, and measures all searches."""
    report = Report("episodes")
    contents = _make_contents(options.messages)
    own, large = _open("player-1"), [_open("player-2") for _ in range(0, options.large, LARGE_EACH)]
    strangers = [_open(f"other-{start}") for start in range(options.large, options.others, OTHERS_EACH)]
    batches = _make_batches(large, strangers, options)
    _store_alternately(report, own, contents, batches)
    build_vector_codes(large[0].end_user_id)
    _copy_alone(own)
    said_much = [content for chat, told in batches if chat.end_user_id == large[0].end_user_id for content in told]
    users = (_Searcher(own, _make_queries(contents, options.queries)),)
    users += (_Searcher(large[0], _make_queries(said_much, options.queries)),)
    times = _measure(report, *users)
    report.table(
        ["what", "p50 ms"],
        [
            [f"selector, {len(contents)} messages beside {options.others} of others", times["beside"]],
            ["bare SQL", times["bare"]],
            ["selector, without the others", times["alone"]],
            [f"selector, {len(said_much)} messages", times["large"]],
            ["bare SQL", times["large_bare"]],
        ],
    )
    report.figure("selector_over_sql", times["beside"] / times["bare"], at_most=1.5)
    report.figure("others_slow_down", times["beside"] / times["alone"], at_most=1.2)
    report.figure("large_over_small", times["large"] / times["beside"], at_most=2)
    report.figure("large_without_codes", len(said_much) - VectorCode.objects.count(), at_most=0)
    report.figure("large_finds_of_exact", users[1].compare_with_exact(), at_least=0.97)
    return report


@dataclass(frozen=True)
class _Searcher:
    """A user and what is asked of their messages."""

    conversation: Conversation
    queries: Sequence[str]

    def read(self, query: str, settings: MessageSettings | None = None) -> EpisodeResult:
        return search_episodes(
            tenant_id=self.conversation.tenant_id,
            end_user_id=self.conversation.end_user_id,
            query=query,
            k=TOP,
            settings=settings,
        )

    def compare_with_exact(self) -> float:
        """The share of what a search finds that looks at every message, which this one finds, too.

        Less than 1 where the tenth place is nearly a tie: common lexemes are counted in a sample, so that idf differs.
        """
        base = get_message_settings()
        every = base.model_copy(update={"retrieval": base.retrieval.model_copy(update={"exact_scan_rows": 10**9})})
        shares = []
        for query in self.queries:
            exact = {card.message_id for card in self.read(query, every).cards}
            shares.append(len(exact.intersection(card.message_id for card in self.read(query).cards)) / len(exact))
        return statistics.mean(shares)


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


def _make_batches(
    large: Sequence[Conversation], strangers: Sequence[Conversation], options: argparse.Namespace
) -> list[_Batch]:
    """What others say, a few messages at a time: the large user one conversation after another, strangers in turns."""
    said = [chat for chat in large for _ in range(LARGE_EACH // AT_ONCE)]
    told = [chat for _ in range(OTHERS_EACH // AT_ONCE) for chat in strangers]
    placed = [(index / len(chats), chat) for chats in (said, told) for index, chat in enumerate(chats)]
    contents = _make_contents(options.others)
    parts = (contents[start : start + AT_ONCE] for start in range(0, len(contents), AT_ONCE))
    return [(chat, part) for (_, chat), part in zip(sorted(placed, key=itemgetter(0)), parts, strict=False)]


def _store_alternately(report: Report, own: Conversation, contents: Sequence[str], batches: Sequence[_Batch]) -> None:
    """The user's messages a few at a time, each time followed by as large a share of the others'."""
    share = -(-len(batches) * AT_ONCE // max(len(contents), 1))
    for turn, start in enumerate(range(0, len(contents), AT_ONCE)):
        _store(own, contents[start : start + AT_ONCE])
        for chat, told in batches[turn * share : (turn + 1) * share]:
            _store(chat, told)
        if turn % 40 == 0:
            report.say(f"{start} messages and {turn * share * AT_ONCE} of others")


def _store(conversation: Conversation, contents: Sequence[str]) -> None:
    drafts = [MessageDraft("assistant" if number % 2 else "user", content) for number, content in enumerate(contents)]
    store_messages(tenant_id=conversation.tenant_id, conversation_id=conversation.pk, drafts=drafts)
    embed_messages(conversation.pk, limit=len(contents))


def _copy_alone(conversation: Conversation) -> None:
    """The user's rows in tables of the same names in a schema of their own."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE SCHEMA alone")
        for table, condition in TABLES.items():
            cursor.execute(f"CREATE TABLE alone.{table} (LIKE public.{table} INCLUDING ALL)")
            cursor.execute(f"ALTER TABLE alone.{table} SET (toast_tuple_target = 8160)")
            cursor.execute(
                f"INSERT INTO alone.{table} SELECT * FROM public.{table} WHERE {condition} ORDER BY id",
                [conversation.pk],
            )
            for schema in ("public", "alone"):
                cursor.execute(f"VACUUM ANALYZE {schema}.{table}")
        cursor.execute("VACUUM ANALYZE episodes_vectorcode")


def _measure(report: Report, small: _Searcher, large: _Searcher) -> dict[str, float]:
    """p50 of the selector, of its statements sent by psycopg alone, of the selector without others, and of the first
    two for the large user; turn about."""
    statements = capture_statements(small.read, small.queries)
    large_statements = capture_statements(large.read, large.queries)

    def read_alone(query: str) -> list[float]:
        with connection.cursor() as cursor:
            cursor.execute("SET search_path TO alone, public")
        measured = measure_ms(small.read, [query])
        with connection.cursor() as cursor:
            cursor.execute("SET search_path TO public")
        return measured

    for query in small.queries:
        small.read(query)
        read_alone(query)
    times: dict[str, list[float]] = {"beside": [], "bare": [], "alone": [], "large": [], "large_bare": []}
    for query, batch, asked, large_batch in zip(
        small.queries, statements, large.queries, large_statements, strict=True
    ):
        times["beside"] += measure_ms(small.read, [query])
        times["bare"] += measure_ms(send_statements, [batch])
        times["alone"] += read_alone(query)
        times["large"] += measure_ms(large.read, [asked])
        times["large_bare"] += measure_ms(send_statements, [large_batch])
    for name, captured in (("a search", statements), ("a search of the large user", large_statements)):
        report.say(f"{sum(map(len, captured)) / len(captured):.1f} statements {name}")
    return {name: median(values) for name, values in times.items()}
