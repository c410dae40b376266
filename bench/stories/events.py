"""Events: what the archive, a pack's share and a poll cost, and whether vague questions find what was planted.

A year of made-up role-play is loaded, extracted by rules, archived and recalled. Its talk is put together from parts of
our own: a cast, places and things that come again and again, so that no name alone tells an event.
"""

from __future__ import annotations

import argparse
import random
import time
from dataclasses import dataclass

from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from bench.report import Report, median
from episodes.actions import open_conversation, store_messages
from episodes.core.drafts import MessageDraft
from episodes.events.actions import archive
from episodes.events.actions.archive import archive_conversation, claim_batch, embed_batch, release_batch
from episodes.events.actions.plans import plan_events
from episodes.events.models import EventNode, EventTrigger
from episodes.events.selectors.books import get_revision, read_book
from episodes.events.selectors.recall import EventScope, embed_event_query, recall_events
from episodes.models import Conversation
from factcheck.plots.actions.runs import extract_event
from factcheck.plots.proposers.offline.proposer import OfflinePlotProposer
from knowledge.search.embedding import get_event_embedder
from tenancy.actions.worlds import ensure_tenant, ensure_world

CAST = [
    "Irina",
    "Miron",
    "Aldous",
    "Gorm",
    "Hald",
    "Selka",
    "Bruna",
    "Tamsin",
    "Orrin",
    "Vesna",
    "Kell",
    "Dorn",
    "Ysolde",
    "Marek",
    "Petra",
    "Rurik",
]
PLACES = (
    "Moon Tavern", "Salt Harbour", "old mill", "Raven Tower", "glass market", "Abbey of Thorns", "drowned chapel",
    "Wolf Bridge", "northern mine", "lantern street", "Ash Forest", "broken lighthouse",
)  # fmt: skip
THINGS = (
    "silver key", "torn map", "black candle", "copper ring", "sealed letter", "broken sword", "jade comb", "music box",
    "vial of ink", "bone dice", "red cloak", "iron mask", "little bell", "cracked mirror", "wooden horse", "amber pin",
)  # fmt: skip
DEEDS = (
    "{who} lost the {what} at dice in the {where} and swore to win it back",
    "{who} hid the {what} under a floorboard of the {where}",
    "{who} stole the {what} from a sleeping guard near the {where}",
    "{who} gave me the {what} at the {where} and begged me to tell nobody",
    "{who} broke the {what} in anger at the {where}",
    "{who} found the {what} in the mud before the {where}",
    "{who} sold the {what} to a stranger at the {where} for three coins",
    "{who} buried the {what} behind the {where} in the rain",
)
SMALL_TALK = (
    "I look around and wait.", "The wind is cold today.", "{who} tells a joke about a miller and his goat.",
    "I ask {who} for the way to the {where}.", "{who} shrugs and warms both hands over the fire.",
    "We walk on towards the {where}.", "A dog barks somewhere.", "I count my coins: not many are left.",
    "{who} hums an old song of the harbour.", "We eat bread and cheese and say little.",
    "I dream of the sea again.", "{who} asks whether I slept well at the {where}.", "It begins to snow.",
    "I mend my boots by candle light.", "{who} points at the road ahead.", "Nothing moves in the fog.",
)  # fmt: skip
VAGUE = (
    "remember that time?",
    "what happened back then?",
    "tell me that story again",
    "and that thing, how did it end?",
)
LIMIT_POLL_MS = 5
CHUNK = 16


@dataclass(frozen=True, slots=True)
class Planted:
    """Something told once, and where."""

    seq: int
    who: str
    what: str
    where: str


def measure(report: Report, options: argparse.Namespace) -> None:
    """Adds the figures of events."""
    world = ensure_world(tenant_id=ensure_tenant(slug="bench-events").pk, slug="year", name="Year", languages=["en"])
    chat = open_conversation(
        tenant_id=world.tenant_id, world_id=world.pk, user_id=f"player-{time.time_ns()}"
    ).conversation
    planted = _play(chat, options.year)
    _extract(report, chat)
    _archive(report, chat)
    _poll(report, chat)
    _recall(report, chat, planted)


def _play(chat: Conversation, size: int) -> list[Planted]:
    """A talk of that size, with something told in every fourth chunk."""
    chooser = random.Random(37)
    texts: list[str] = []
    planted: list[Planted] = []
    deeds = [(who, what, where) for who in CAST for what in THINGS for where in PLACES]
    chooser.shuffle(deeds)
    for seq in range(1, size + 1):
        who, where = chooser.choice(CAST), chooser.choice(PLACES)
        text = chooser.choice(SMALL_TALK).format(who=who, where=where)
        if seq % (4 * CHUNK) == 8:
            told = Planted(seq, *deeds.pop())
            planted.append(told)
            text = f"{chooser.choice(DEEDS).format(who=told.who, what=told.what, where=told.where)}."
        texts.append(text)
    drafts = [
        MessageDraft(role="user" if place % 2 == 0 else "assistant", content=text) for place, text in enumerate(texts)
    ]
    for start in range(0, len(drafts), 500):
        store_messages(tenant_id=chat.tenant_id, conversation_id=chat.pk, drafts=drafts[start : start + 500])
    return planted


def _extract(report: Report, chat: Conversation) -> None:
    proposer, began = OfflinePlotProposer(), time.monotonic()
    count = 0
    while nodes := plan_events(conversation_id=chat.pk, trigger=EventTrigger.COUNT):
        for node in nodes:
            extract_event(node.pk, proposer=proposer)
        count += len(nodes)
    report.say(f"{count} events of {chat.messages.count()} messages, by rules, one worker")
    report.figure("extraction_ms_an_event", (time.monotonic() - began) * 1000 / max(count, 1), at_most=2000)


def _archive(report: Report, chat: Conversation) -> None:
    """The archive of ten events against its bare calls: embedder, graph, and ten updates of vector and state."""
    usual, linked = archive.MAX_BATCH_SIZE, archive.link_events
    calls: dict[str, list[float]] = {"embedder": [], "graph": [], "updates": [], "all": []}

    def link(nodes: list[EventNode]) -> None:
        began = time.perf_counter()
        linked(nodes)
        calls["graph"].append(time.perf_counter() - began)

    archive.MAX_BATCH_SIZE, archive.link_events = 10, link
    try:
        for _ in range(5):
            calls["embedder"].append(_time_embedder(chat))
            calls["updates"].append(_time_updates(chat))
            began = time.perf_counter()
            archive_conversation(chat.pk, by_hand=True)
            calls["all"].append(time.perf_counter() - began)
    finally:
        archive.MAX_BATCH_SIZE, archive.link_events = usual, linked
    while archive_conversation(chat.pk, by_hand=True).archived:
        pass
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


def _recall(report: Report, chat: Conversation, planted: list[Planted]) -> None:
    """Recall@5 of planted events: the question only points; the talk named who, and where or what, just before."""
    scope = EventScope(tenant_id=chat.tenant_id, end_user_id=chat.end_user_id, world_id=chat.world_id)
    rows = []
    for name, by_names in (("by names of the talk", True), ("without them", False)):
        hits, times, statements = 0, [], 0
        for number, told in enumerate(planted):
            other = told.where if number % 2 else told.what
            talk = ["The road is long.", f"We speak of {told.who} and of the {other}."]
            query = VAGUE[number % len(VAGUE)]
            began = time.perf_counter()
            with CaptureQueriesContext(connection) as queries:
                found = recall_events(
                    scope, query=query, talk=talk if by_names else (), embed=embed_event_query, limit=5
                )
            times.append((time.perf_counter() - began) * 1000)
            statements = max(statements, len(queries))
            hits += any(hit.first_seq <= told.seq <= hit.last_seq for hit in found.hits)
        rows.append([name, len(planted), hits / max(len(planted), 1), median(times), statements])
    report.table(["vague questions", "n", "recall@5", "p50 ms", "statements"], rows)
    report.figure("recall_at_5_vague", float(rows[0][2]), at_least=0.6)
    report.figure("recall_statements", float(rows[0][4]), at_most=2)
