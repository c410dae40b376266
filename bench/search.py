"""Hybrid search against its own bare SQL, BM25 against ts_rank_cd and an exact BM25, REST against the selector."""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Sequence

import httpx
from django.db import connection

from bench.corpus import Text, load_release, make_texts
from bench.report import Report, measure_ms, median
from bench.server import START_SECONDS, serve
from bench.statements import capture_statements, send_statements
from knowledge.canon.actions import ensure_vector_index
from knowledge.canon.selectors.releases import ResolvedRelease, resolve_release
from knowledge.canon.selectors.search import search_lore
from knowledge.config import DomainSettings, get_domain_settings
from knowledge.search.core.bm25 import ExactDocument, ExactIndex
from knowledge.text.analysis import analyse_document
from knowledge.text.queries import count_query_lexemes
from tenancy.actions.keys import issue_api_key

TERMS = 6
TOP = 10
CLOSE = 1e-3
"""Scores nearer than this count as tied: the index keeps weights in single precision."""


def run(options: argparse.Namespace) -> Report:
    """Loads both worlds, then measures."""
    report = Report("search")
    queries = _make_queries(options.queries, options.small)
    small = _load(report, "small", options.small)
    alone_ms = _measure_keyword_only(small, queries)
    large = _load(report, "large", options.large)
    beside_ms = _measure_keyword_only(small, queries)
    hybrid = {"small": _measure_hybrid(report, small, queries), "large": _measure_hybrid(report, large, queries)}
    keyword_ms, ranking_ms, differing = _measure_keyword(report, large, queries, options.large)
    rest_ms = _measure_rest(large, queries)
    report.table(
        ["what", "p50 ms"],
        [
            [f"selector, {options.small} passages", hybrid["small"][0]],
            [f"bare SQL, {options.small} passages", hybrid["small"][1]],
            [f"selector, {options.large} passages", hybrid["large"][0]],
            [f"bare SQL, {options.large} passages", hybrid["large"][1]],
            [f"BM25 alone (selector), {options.large} passages", keyword_ms],
            [f"ts_rank_cd, {options.large} passages", ranking_ms],
            [f"REST, {options.large} passages", rest_ms],
        ],
    )
    report.figure("hybrid_over_sql", hybrid["large"][0] / hybrid["large"][1], at_most=1.5)
    report.figure("bm25_speedup_over_ts_rank_cd", ranking_ms / keyword_ms, at_least=20)
    report.figure("top_ten_differing_from_exact_bm25", differing, at_most=0)
    report.figure("growth_small_to_large", hybrid["large"][0] / hybrid["small"][0], at_most=3)
    report.figure("neighbours_slow_down", beside_ms / alone_ms, at_most=1.5)
    report.figure("rest_over_selector_ms", rest_ms - hybrid["large"][0], at_most=10)
    return report


def _make_queries(count: int, corpus_size: int) -> list[str]:
    """Six distinct words of one text each, so that every query has an answer; common and rare words as they come."""
    source = random.Random(7)
    texts: list[Text] = list(make_texts(min(corpus_size, 2_000)))
    return [" ".join(source.sample(sorted(set(source.choice(texts).text.split())), TERMS)) for _ in range(count)]


def _load(report: Report, slug: str, size: int) -> ResolvedRelease:
    release, _ = load_release(slug, lambda: make_texts(size), say=report.say)
    if size > get_domain_settings("lore").retrieval.exact_scan_rows:
        report.say(f"{slug}: building the HNSW index")
        ensure_vector_index(release.vector_space_id)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE knowledge_lorepassage")
    return resolve_release(world_id=release.world_id, domain=release.domain)


def _measure_hybrid(report: Report, release: ResolvedRelease, queries: Sequence[str]) -> tuple[float, float]:
    """p50 of the whole read through the selectors, and of the same statements sent by psycopg alone."""

    def read(query: str) -> None:
        search_lore(resolve_release(world_id=release.world_id, domain=release.domain), query, k=TOP)

    statements = capture_statements(read, queries)
    measure_ms(read, queries)
    selector, bare = [], []
    for turn, (query, batch) in enumerate(zip(queries, statements, strict=True)):
        if turn % 2:
            bare += measure_ms(send_statements, [batch])
            selector += measure_ms(read, [query])
        else:
            selector += measure_ms(read, [query])
            bare += measure_ms(send_statements, [batch])
    report.say(f"{release.passage_count} passages: {sum(map(len, statements)) / len(queries):.1f} statements a search")
    return median(selector), median(bare)


def _keyword_settings() -> DomainSettings:
    base = get_domain_settings("lore")
    return base.model_copy(update={"retrieval": base.retrieval.model_copy(update={"mode": "keyword"})})


def _measure_keyword_only(release: ResolvedRelease, queries: Sequence[str]) -> float:
    """p50 of BM25 alone in one world, warm."""
    settings = _keyword_settings()

    def search(query: str) -> None:
        search_lore(release, query, k=TOP, settings=settings)

    measure_ms(search, queries)
    return median(measure_ms(search, queries))


def _measure_keyword(
    report: Report, release: ResolvedRelease, queries: Sequence[str], size: int
) -> tuple[float, float, int]:
    """p50 of BM25 alone and of ts_rank_cd over the same rows, and how many top tens differ from an exact BM25."""
    settings = _keyword_settings()
    with connection.cursor() as cursor:
        report.say("building the tsvector baseline")
        cursor.execute(
            "CREATE TABLE bench_tsvector AS SELECT p.id, to_tsvector('simple', c.text) AS document"
            " FROM knowledge_lorepassage p JOIN knowledge_lorechunk c ON c.id = p.chunk_id"
            " WHERE p.domain_index_id = %s",
            [release.domain_index_id],
        )
        cursor.execute("CREATE INDEX ON bench_tsvector USING gin (document)")
        cursor.execute("VACUUM ANALYZE bench_tsvector")

    def rank(query: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT id, ts_rank_cd(document, query) FROM bench_tsvector, to_tsquery('simple', %s) query"
                " WHERE document @@ query ORDER BY 2 DESC LIMIT 10",
                [" | ".join(query.split())],
            )
            cursor.fetchall()

    def search(query: str) -> list[tuple[int, float]]:
        result = search_lore(release, query, k=TOP, settings=settings)
        return [(hit.passage_id, hit.parts.bm25) for hit in result.hits]

    some = queries[: max(len(queries) // 4, 10)]
    for query in some:
        rank(query)
        search(query)
    ranking_ms = median(measure_ms(rank, some))
    keyword_ms = median(measure_ms(search, some))
    report.say("scoring all passages in Python")
    index = ExactIndex(ExactDocument(text.key, Counter(analyse_document(text.indexed))) for text in make_texts(size))
    differing = 0
    for query in queries:
        exact = [score for _, score in index.rank(count_query_lexemes(query), limit=TOP)]
        found = [score for _, score in search(query)]
        if len(exact) != len(found) or any(abs(one - other) > CLOSE for one, other in zip(exact, found, strict=True)):
            differing += 1
    return keyword_ms, ranking_ms, differing


def _measure_rest(release: ResolvedRelease, queries: Sequence[str]) -> float:
    """p50 of GET lore/search over HTTP from a server process on loopback, on one kept connection."""
    issued = issue_api_key(
        tenant_id=release.tenant_id,
        world_id=release.world_id,
        name="bench",
        scopes=["read"],
        requests_per_minute=1_000_000,
    )
    headers = {"Authorization": f"Bearer {issued.text}"}
    with serve() as url, httpx.Client(base_url=url, headers=headers, timeout=START_SECONDS) as client:

        def get(query: str) -> None:
            client.get("/api/v1/lore/search", params={"q": query, "k": TOP}).raise_for_status()

        measure_ms(get, queries)
        return median(measure_ms(get, queries))
