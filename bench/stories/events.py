"""Events: what loading, the archive, a pack's share and a poll cost, and whether vague questions find what was planted.

A year of made-up role-play in each of four languages is loaded, extracted by rules, archived and recalled, with the
graph and without.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from bench.report import Report, median
from bench.stories.year import KINDS, Planted, Year, build_year, list_articles, load_parts
from episodes.conversations.actions.conversations import open_conversation
from episodes.conversations.actions.messages import store_messages
from episodes.conversations.core.drafts import MessageDraft
from episodes.events.actions import archive
from episodes.events.actions.archive import archive_conversation, claim_batch, embed_batch, release_batch
from episodes.events.actions.plans import plan_events
from episodes.events.models import EventNode, EventTrigger
from episodes.events.selectors.books import get_revision, read_book
from episodes.events.selectors.event_filters import EventFilters
from episodes.events.selectors.readers import make_graph_reader
from episodes.events.selectors.recall import embed_event_query, recall_events
from episodes.models import Conversation
from factcheck.plots.actions.runs import extract_event
from factcheck.plots.proposers.offline.proposer import OfflinePlotProposer
from knowledge.canon.actions import (
    Edit,
    build_release,
    ensure_domain_index,
    publish_release,
    record_gate,
    start_release,
)
from knowledge.canon.core.article import parse_article
from knowledge.canon.models import GateState
from knowledge.search.embedding import get_event_embedder
from tenancy.actions.worlds import ensure_tenant, ensure_world
from tenancy.models import World

LIMIT_POLL_MS = 5
BATCH_SIZE = 500


def measure(report: Report, options: argparse.Namespace) -> None:
    """Adds the figures of events."""
    parts = load_parts()
    world = ensure_world(
        tenant_id=ensure_tenant(slug="bench-events").pk, slug="year", name="Year", languages=list(parts)
    )
    _publish(world, [article for language in parts for article in list_articles(parts[language], language)])
    years: dict[str, tuple[Conversation, Year]] = {}
    speeds: dict[str, list[float]] = {"extraction": [], "archive": []}
    for language in parts:
        chat, year = _play(world, language, build_year(parts[language], options.year))
        speeds["extraction"].append(_extract(report, chat))
        if not years:
            _archive_ten(report, chat)
            _poll(report, chat)
        speeds["archive"].append(_archive(report, chat))
        years[language] = (chat, year)
    for name, ratios in speeds.items():
        report.figure(f"{name}_last_fifth_over_second", max(ratios), at_most=2)
    _recall(report, world, years)


def _publish(world: World, articles: Sequence[dict[str, object]]) -> None:
    """The canon that knows other names and siblings."""
    index = ensure_domain_index(world_id=world.pk, domain="lore")
    edits = [Edit(None, parse_article(article)) for article in articles]
    release = build_release(start_release(domain_index_id=index.pk, edits=edits, first_load=True).pk)
    if release.gate_state == GateState.PENDING:
        record_gate(release.pk, state=GateState.PASSED)
    publish_release(release.pk)


def _play(world: World, language: str, year: Year) -> tuple[Conversation, Year]:
    """The year as a talk of one player."""
    chat = open_conversation(
        tenant_id=world.tenant_id, world_id=world.pk, user_id=f"{language}-{time.time_ns()}"
    ).conversation
    drafts = [
        MessageDraft(role="user" if place % 2 == 0 else "assistant", content=text)
        for place, text in enumerate(year.texts)
    ]
    for start in range(0, len(drafts), BATCH_SIZE):
        store_messages(tenant_id=chat.tenant_id, conversation_id=chat.pk, drafts=drafts[start : start + BATCH_SIZE])
    return chat, year


def _extract(report: Report, chat: Conversation) -> float:
    """All events by rules, one worker; how much longer one of the last fifth takes than one of the second."""
    proposer = OfflinePlotProposer()
    nodes: list[EventNode] = []
    while planned := plan_events(conversation_id=chat.pk, trigger=EventTrigger.COUNT):
        nodes += planned
    times = []
    for node in nodes:
        began = time.process_time()
        extract_event(node.pk, proposer=proposer)
        times.append((time.process_time() - began) * 1000)
    report.say(f"{len(nodes)} events of {chat.last_seq or chat.messages.count()} messages, {median(times):.0f} ms each")
    return _compare_fifths(times)


def _compare_fifths(times: Sequence[float]) -> float:
    """The last fifth over the second: the first warms up."""
    fifth = max(len(times) // 5, 1)
    return median(times[-fifth:]) / median(times[fifth : 2 * fifth] or times)


def _archive(report: Report, chat: Conversation) -> float:
    """The whole archive in batches of ten; how much longer the last take than the second fifth."""
    usual = archive.MAX_BATCH_SIZE
    archive.MAX_BATCH_SIZE = 10
    times = []
    try:
        while True:
            began = time.process_time()
            if not archive_conversation(chat.pk, by_hand=True).archived:
                break
            times.append((time.process_time() - began) * 1000)
    finally:
        archive.MAX_BATCH_SIZE = usual
    report.say(f"archived in batches of ten, {median(times):.0f} ms each")
    return _compare_fifths(times)


def _archive_ten(report: Report, chat: Conversation) -> None:
    """The archive of ten events against its bare calls: embedder, graph, and ten updates of vector and state."""
    usual, linked = archive.MAX_BATCH_SIZE, archive.link_events
    calls: dict[str, list[float]] = {"embedder": [], "graph": [], "updates": [], "all": []}

    def link(nodes: Sequence[EventNode]) -> None:
        began = time.perf_counter()
        linked(nodes)
        calls["graph"].append(time.perf_counter() - began)

    archive.MAX_BATCH_SIZE, archive.link_events = 10, link
    try:
        for _ in range(min(5, EventNode.objects.filter(conversation=chat, state="buffer").count() // 10)):
            calls["embedder"].append(_time_embedder(chat))
            calls["updates"].append(_time_updates(chat))
            began = time.perf_counter()
            archive_conversation(chat.pk, by_hand=True)
            calls["all"].append(time.perf_counter() - began)
    finally:
        archive.MAX_BATCH_SIZE, archive.link_events = usual, linked
    times = {name: median(values) * 1000 for name, values in calls.items()}
    report.table(["archive of ten events", "p50 ms"], list(times.items()))
    report.figure("archive_over_bare_calls", times["all"] / (sum(times.values()) - times["all"]), at_most=2)


def _time_embedder(chat: Conversation) -> float:
    nodes = claim_batch(chat.pk, by_hand=True)
    began = time.perf_counter()
    embed_batch(nodes, get_event_embedder())
    took = time.perf_counter() - began
    release_batch(nodes, "measured")
    EventNode.objects.filter(conversation=chat).update(wait_until=None, error_code="", error_detail="", outages=0)
    return took


def _time_updates(chat: Conversation) -> float:
    """Ten bare updates of events and ten of passages, committed together."""
    ids = list(EventNode.objects.filter(conversation=chat, state="buffer").values_list("pk", flat=True)[:10])
    began = time.perf_counter()
    with transaction.atomic(), connection.cursor() as cursor:
        for pk in ids:
            cursor.execute("UPDATE episodes_eventnode SET updated_at = now(), outages = 0 WHERE id = %s", [pk])
            cursor.execute("UPDATE episodes_eventpassage SET embedding_error = '' WHERE node_id = %s", [pk])
    return time.perf_counter() - began


def _poll(report: Report, chat: Conversation) -> None:
    rev = get_revision(chat.pk)
    times = []
    for _ in range(50):
        began = time.perf_counter()
        read_book(conversation_id=chat.pk, world_id=chat.world_id, since=rev)
        times.append((time.perf_counter() - began) * 1000)
    report.figure("worldinfo_poll_since_ms", median(times), at_most=LIMIT_POLL_MS)


def _recall(report: Report, world: World, years: dict[str, tuple[Conversation, Year]]) -> None:
    """Recall@5 of planted events, with the graph and without, by how they are asked for and by language."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    reader = make_graph_reader(tenant_id=world.tenant_id, world_id=world.pk, npc_id=None)
    hits: Counter[tuple[str, str]] = Counter()
    asked: Counter[str] = Counter()
    times: dict[str, list[float]] = {"with": [], "without": []}
    statements = 0
    for language, (chat, year) in years.items():
        filters = EventFilters(tenant_id=chat.tenant_id, end_user_id=chat.end_user_id, world_id=chat.world_id)
        for told in year.planted:
            asked.update([told.kind, language, "all"])
            for name, graph in (("with", reader), ("without", None)):
                began = time.perf_counter()
                with CaptureQueriesContext(connection) as queries:
                    is_hit = _is_found(replace(filters, graph=graph), told)
                times[name].append((time.perf_counter() - began) * 1000)
                statements = max(statements, len(queries))
                hits.update((name, row) for row in (told.kind, language, "all") if is_hit)
    rows = [
        [row, asked[row], hits["without", row] / asked[row], hits["with", row] / asked[row]]
        for row in (*KINDS, *years, "all")
        if asked[row]
    ]
    report.table(["vague questions", "n", "recall@5 without graph", "with"], rows)
    report.say(f"p50 {median(times['without']):.1f} ms without, {median(times['with']):.1f} ms with the graph")
    report.figure("recall_at_5_vague", float(rows[-1][3]), at_least=0.6)
    report.figure("recall_statements", float(statements), at_most=2)


def _is_found(filters: EventFilters, told: Planted) -> bool:
    found = recall_events(filters, query=told.question, talk=told.talk, embed=embed_event_query, limit=5)
    return any(hit.first_seq <= told.seq <= hit.last_seq for hit in found.hits)
