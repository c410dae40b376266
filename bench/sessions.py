"""Session memory: appending against a bare RPUSH, LTRIM and EXPIRE pipeline, and what sessions weigh."""

from __future__ import annotations

import argparse
import datetime as dt
import random

from bench.report import Report, measure_ms, median

WORDS = (
    *("the", "old", "bridge", "toll", "lantern", "salt", "wind", "мост", "через", "реку"),
    *("кто", "держит", "月桥", "灯笼", "الجسر", "الملح"),
)


def run(options: argparse.Namespace) -> Report:
    """The report."""
    report = Report("sessions")
    compare_appends(report, options.appends)
    weigh_sessions(report, options.sessions, options.npcs)
    return report


def compare_appends(report: Report, appends: int) -> None:
    """Appends and bare pipelines by turns, on full lists, so that both see the same machine."""
    from django.conf import settings

    from memoryproject.redis import build_key, get_redis
    from runtime.session_memory import store
    from runtime.session_memory.core.entries import serialize_entry
    from runtime.session_memory.core.keys import SessionRef

    client, session = get_redis(), SessionRef(1, 1, "bench")
    entries = make_entries(appends + 10)
    store.restore_entries(client, session, "npc", entries[:10], cleared=("0", "0"))
    bare_key = build_key("bench-bare")
    client.rpush(bare_key, *map(serialize_entry, entries[:10]))

    def append(place: int) -> None:
        store.append_entries(client, session, "npc", [entries[place]])

    def append_bare(place: int) -> None:
        pipeline = client.pipeline()
        pipeline.rpush(bare_key, serialize_entry(entries[place]))
        pipeline.ltrim(bare_key, -settings.MEMORY_MAX_MESSAGES, -1)
        pipeline.expire(bare_key, settings.MEMORY_TTL_SECONDS)
        pipeline.execute()

    ours: list[float] = []
    bare: list[float] = []
    for place in range(10, appends + 10):
        ours += measure_ms(append, [place])
        bare += measure_ms(append_bare, [place])
    report.table(["append", "p50 ms"], [["session memory", median(ours)], ["RPUSH, LTRIM, EXPIRE", median(bare)]])
    report.figure("append_p50_ratio", median(ours) / median(bare), at_most=1.5)


def weigh_sessions(report: Report, sessions: int, npcs: int) -> None:
    """Bytes that full sessions take in Redis, by its own count of used memory."""
    from memoryproject.redis import get_redis
    from runtime.session_memory import store
    from runtime.session_memory.core.keys import SessionRef
    from runtime.session_memory.core.preferences import PreferenceChange

    client = get_redis()
    before = client.info("memory")["used_memory"]
    entries = make_entries(10)
    change = PreferenceChange("brief", "formal", "en", None, ("bridges", "家训"))
    for number in range(sessions):
        session = SessionRef(1, 1, f"session-{number}")
        for npc in range(npcs):
            store.restore_entries(client, session, f"npc-{npc}", entries, cleared=("0", "0"))
        store.change_preference(client, session, change, time="2026-03-01T19:10:00Z")
    weight = (client.info("memory")["used_memory"] - before) / sessions
    content = npcs * sum(len(entry.content.encode()) for entry in entries)
    report.say(f"{sessions} sessions with {npcs} NPCs: {weight:,.0f} bytes a session, {content:,} of them words")
    report.figure("bytes_per_session_to_words", weight / content, at_most=3)


def make_entries(count: int) -> list:
    """Messages of 150 to 250 characters in four scripts."""
    from runtime.session_memory.core.entries import MemoryEntry

    chooser = random.Random(37)
    now = dt.datetime.now(dt.UTC)
    return [
        MemoryEntry(
            number, ("user", "assistant")[number % 2], " ".join(chooser.choices(WORDS, k=chooser.randint(25, 40))), now
        )
        for number in range(1, count + 1)
    ]
