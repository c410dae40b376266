"""Search in a release of canon: what a query finds, why, and what the search had to do without."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from django.db import connection

from knowledge.canon.core.names import name_keys
from knowledge.canon.models import PUBLIC, Publication
from knowledge.canon.selectors.audience import live_in
from knowledge.canon.selectors.releases import ResolvedRelease
from knowledge.config import DomainSettings, get_domain_settings
from knowledge.errors import EmptyQuery, KOutOfRange, QueryTooLong, UnknownTag
from knowledge.search.core.bm25 import BM25Params, QueryPlan, plan_query
from knowledge.search.core.fusion import FusedHit
from knowledge.search.core.lexemes import hash_lexeme
from knowledge.search.embedding import Embedder, get_embedder
from knowledge.search.embedding.base import Vectors
from knowledge.search.engine import RankedPassages, SearchPartition, search_passages
from knowledge.search.query_embedding import embed_query
from knowledge.search.rerank import RerankOutcome, rerank_at_once, rerank_texts
from knowledge.search.sql import read_query
from knowledge.search.zero_hits import record_zero_hit
from knowledge.text.analysis import ANALYSIS_VERSION
from knowledge.text.queries import count_query_lexemes, list_language_gaps
from memoryproject.chat_model import find_chat_model
from memoryproject.rows import fetch_rows

SQL = Path(__file__).parent.parent / "sql"
MAX_QUERY_LENGTH = 4000
NAME_PART = 1.0
"""What a passage gains when the whole query is a name of its article: more than all else together."""
NAMES_DEPTH = 12
"""Among so many first places such an article is looked for."""
MAX_K = 50


@dataclass(frozen=True, slots=True)
class LoreHit:
    """A passage that was found, where it stands, and how it came to its place."""

    passage_id: int
    document_id: int
    slug: str
    title: str
    type: str
    heading_path: tuple[str, ...]
    anchor: str
    version: str
    text: str
    token_count: int
    language: str
    tags: tuple[str, ...]
    audience: tuple[str, ...]
    names: tuple[str, ...]
    """Title and aliases, as they are looked up."""
    revision_number: int
    source: str
    score: float
    parts: FusedHit
    fused_place: int
    """Place by the score, from 1: before rerank."""
    rerank_place: int | None = None
    """Place after rerank, from 1; None where no rerank took place."""


@dataclass(frozen=True, slots=True)
class LoreSearchResult:
    """What a search found in a release."""

    release: ResolvedRelease
    query: str
    hits: tuple[LoreHit, ...]
    degraded: tuple[str, ...]
    """What the search had to do without, as codes; empty when all went well."""
    ranked: RankedPassages
    frequencies: Mapping[str, int]
    """Every lexeme that was searched for, to in how many passages of the release it occurs."""
    is_semantic: bool
    """Whether vector scores speak of meaning, or only of spelling."""


def search_lore(
    release: ResolvedRelease,
    query: str,
    *,
    k: int | None = None,
    audience: Sequence[str] = (PUBLIC,),
    tags: Sequence[str] = (),
    language: str | None = None,
    type: str | None = None,  # noqa: A002 - the field's name in every door
    rerank: bool | None = None,
    settings: DomainSettings | None = None,
    remember_misses: bool = True,
) -> LoreSearchResult:
    """The best `k` passages of a release that the audience may know. Three queries and the query's embedding.

    Keywords rank exactly (BM25); without an embedding the keyword results still come and `degraded` says so.
    `rerank` None follows `config/knowledge.yaml`. A query that finds nothing is counted for the editors unless
    `remember_misses` is off. Raises InvalidQuery, UnknownTag.
    """
    settings = settings or get_domain_settings(release.domain)
    check_query(query)
    limit = k or settings.retrieval.k_context
    if not 1 <= limit <= MAX_K:
        raise KOutOfRange(f"k must lie between 1 and {MAX_K}.")
    vector, semantic, degraded = _embed(release, query, settings)
    reranked = _count_reranked(settings, rerank)
    counts = count_query_lexemes(query)
    frequencies = count_document_frequencies([release], list(counts))
    ranked = search_passages(
        _build_partition(release, settings, audience=audience, tags=tags, language=language, type_=type),
        plan=_plan(release, counts, frequencies, settings),
        query_vector=vector,
        settings=settings,
        semantic=semantic,
        limit=max(limit, NAMES_DEPTH, reranked),
    )
    (hits,) = _load_hits(query, [(release, ranked.hits)])
    if reranked:
        ((hits, failures),) = _rerank(query, [(hits, settings)])
        degraded += failures
    hits = hits[:limit]
    if not hits:
        _check_tags(release, tags, audience)
        if remember_misses and not tags:
            record_zero_hit(release.domain_index_id, query)
    gaps = (*degraded, *_list_gaps(release, query))
    told = _list_frequencies(release, counts, frequencies)
    return LoreSearchResult(release, query, hits, gaps, ranked, frequencies=told, is_semantic=semantic)


def search_releases(
    releases: Sequence[ResolvedRelease],
    query: str,
    *,
    k: Mapping[str, int],
    audience: Sequence[str] = (PUBLIC,),
    rerank: bool | None = None,
    remember_misses: bool = True,
) -> dict[str, LoreSearchResult]:
    """Domain to its best passages, in releases of several domains. Two queries and one for each release.

    For what a model is told: keywords take one round, so that a passage may be missed that holds none of the query's
    rarer words. Where domains are reranked, all are at once; `rerank` None follows `config/knowledge.yaml` for each.
    Raises InvalidQuery.
    """
    check_query(query)
    counts = count_query_lexemes(query)
    frequencies = count_document_frequencies(releases, list(counts))
    found: list[tuple[ResolvedRelease, RankedPassages, list[str], bool]] = []
    all_settings = [get_domain_settings(release.domain) for release in releases]
    for release, settings in zip(releases, all_settings, strict=True):
        vector, semantic, degraded = _embed(release, query, settings)
        ranked = search_passages(
            _build_partition(release, settings, audience=audience, tags=(), language=None, type_=None),
            plan=_plan(release, counts, frequencies, settings),
            query_vector=vector,
            settings=settings,
            semantic=semantic,
            limit=max(k[release.domain], NAMES_DEPTH, _count_reranked(settings, rerank)),
            is_exact=False,
        )
        found.append((release, ranked, [*degraded, *_list_gaps(release, query)], semantic))
    hits = _load_hits(query, [(release, ranked.hits) for release, ranked, *_ in found])
    wanted = [settings if _count_reranked(settings, rerank) else None for settings in all_settings]
    reranked = _rerank(query, list(zip(hits, wanted, strict=True)))
    results = {}
    for (release, ranked, degraded, semantic), (shown, failures) in zip(found, reranked, strict=True):
        if not shown and remember_misses:
            record_zero_hit(release.domain_index_id, query)
        results[release.domain] = LoreSearchResult(
            release=release,
            query=query,
            hits=shown[: k[release.domain]],
            degraded=(*degraded, *failures),
            ranked=ranked,
            frequencies=_list_frequencies(release, counts, frequencies),
            is_semantic=semantic,
        )
    return results


def check_query(query: str) -> None:
    """Raises InvalidQuery for a query that is empty or too long."""
    if not query.strip():
        raise EmptyQuery("The query is empty.")
    if len(query) > MAX_QUERY_LENGTH:
        raise QueryTooLong(f"The query has {len(query)} characters; the most is {MAX_QUERY_LENGTH}.")


def count_document_frequencies(
    releases: Sequence[ResolvedRelease], lexemes: Sequence[str]
) -> dict[int, dict[str, int]]:
    """Domain index to in how many passages of its release each lexeme occurs. One query, none without a lexeme.

    Each release is counted by a statement of its own, joined by UNION: the planner then knows its numbers.
    """
    found: dict[int, dict[str, int]] = {release.domain_index_id: {} for release in releases}
    if not lexemes or not releases:
        return found
    statement = read_query(SQL / "document_frequencies.sql")
    by_hash: dict[int, tuple[int, str]] = {}
    parameters: dict[str, Any] = {}
    for place, release in enumerate(releases):
        hashes = {hash_lexeme(release.domain_index_id, lexeme): lexeme for lexeme in lexemes}
        by_hash |= {hashed: (release.domain_index_id, lexeme) for hashed, lexeme in hashes.items()}
        parameters |= {
            f"domain_index_id_{place}": release.domain_index_id,
            f"lexemes_{place}": list(hashes),
            f"number_{place}": release.number,
        }
    counts = " UNION ALL ".join(f"({statement.replace(')s', f'_{place})s')})" for place in range(len(releases)))
    with connection.cursor() as cursor:
        cursor.execute(counts, parameters)
        for hashed, frequency in cursor.fetchall():
            domain_index_id, lexeme = by_hash[hashed]
            found[domain_index_id][lexeme] = frequency
    return found


def _plan(
    release: ResolvedRelease,
    counts: Mapping[str, int],
    frequencies: Mapping[int, Mapping[str, int]],
    settings: DomainSettings,
) -> QueryPlan:
    return plan_query(
        counts,
        frequencies[release.domain_index_id],
        document_count=release.passage_count,
        params=BM25Params(settings.bm25.k1, settings.bm25.b),
    )


def _count_reranked(settings: DomainSettings, wanted: bool | None) -> int:
    """How many passages a model is to put in order; 0: it is not asked."""
    rerank = settings.retrieval.rerank
    return rerank.candidates if (rerank.enabled if wanted is None else wanted) else 0


def _list_gaps(release: ResolvedRelease, query: str) -> list[str]:
    outdated = [] if release.analysis_version == ANALYSIS_VERSION else ["analysis_outdated"]
    return [*outdated, *list_language_gaps(query)]


def _list_frequencies(
    release: ResolvedRelease, counts: Iterable[str], frequencies: Mapping[int, Mapping[str, int]]
) -> dict[str, int]:
    found = frequencies[release.domain_index_id]
    return {lexeme: found.get(lexeme, 0) for lexeme in counts}


def list_query_embedders(releases: Iterable[ResolvedRelease]) -> list[Embedder]:
    """Whom a search of the releases asks for its query's vector."""
    searched = [each for each in releases if get_domain_settings(each.domain).retrieval.mode != "keyword"]
    embedders = [(release, get_embedder(release.domain)) for release in searched]
    return [each for release, each in embedders if (each.name, each.dims) == (release.embedder, release.dims)]


def _embed(release: ResolvedRelease, query: str, settings: DomainSettings) -> tuple[Vectors | None, bool, list[str]]:
    """The query's vector in the release's own space, whether it knows meaning, and what is missing."""
    if settings.retrieval.mode == "keyword":
        return None, False, []
    embedder = get_embedder(release.domain)
    if (embedder.name, embedder.dims) != (release.embedder, release.dims):
        return None, embedder.is_semantic, ["embedder_changed"]
    vector, failure = embed_query(embedder, query)
    return vector, embedder.is_semantic, [failure] if failure else []


def _build_partition(
    release: ResolvedRelease,
    settings: DomainSettings,
    *,
    audience: Sequence[str],
    tags: Sequence[str],
    language: str | None,
    type_: str | None,
) -> SearchPartition:
    """The release's passages that the audience may know and the filters let through."""
    conditions = [
        "p.domain_index_id = %(domain_index_id)s",
        "p.vector_space_id = %(vector_space_id)s",
        "p.added_in <= %(number)s AND (p.removed_in IS NULL OR p.removed_in > %(number)s)",
        "p.audience && %(audience)s::varchar[]",
    ]
    parameters: dict[str, Any] = {
        "domain_index_id": release.domain_index_id,
        "vector_space_id": release.vector_space_id,
        "number": release.number,
        "audience": list(audience),
    }
    if tags:
        conditions.append("p.tags @> %(tags)s::varchar[]")
        parameters["tags"] = list(tags)
    if language:
        conditions.append("p.language = %(language)s")
        parameters["language"] = language
    if type_:
        conditions.append("p.type = %(type)s")
        parameters["type"] = type_
    large = release.hnsw_ready and release.passage_count > settings.retrieval.exact_scan_rows
    return SearchPartition(
        table="knowledge_lorepassage",
        partition_id=release.domain_index_id,
        where=" AND ".join(conditions),
        parameters=parameters,
        passage_count=release.passage_count,
        hnsw_dims=release.dims if large else None,
    )


def _load_hits(query: str, found: Sequence[tuple[ResolvedRelease, Sequence[FusedHit]]]) -> list[tuple[LoreHit, ...]]:
    """For each release its hits with their texts; those of an article that the whole query names come first. One query,
    none for no hits.
    """
    wanted = [(hit.id, release.number) for release, hits in found for hit in hits]
    rows: dict[int, dict[str, Any]] = {}
    if wanted:
        ids, numbers = (list(column) for column in zip(*wanted, strict=True))
        with connection.cursor() as cursor:
            cursor.execute(
                read_query(SQL / "lore_hits.sql"),
                {"passage_ids": ids, "numbers": numbers, "name_keys": name_keys([query])},
            )
            rows = {row["passage_id"]: row for row in fetch_rows(cursor)}
    return [_show_hits(hits, rows) for _, hits in found]


def _show_hits(ranked: Sequence[FusedHit], rows: Mapping[int, dict[str, Any]]) -> tuple[LoreHit, ...]:
    hits: list[tuple[FusedHit, dict[str, Any]]] = []
    for hit in ranked:
        row = rows[hit.id]
        for name in ("heading_path", "tags", "audience", "names"):
            row[name] = tuple(row[name])
        parts = hit._replace(score=hit.score + NAME_PART, name_part=NAME_PART) if row.pop("is_named") else hit
        hits.append((parts, row))
    hits.sort(key=lambda pair: (-pair[0].score, pair[0].id))
    return tuple(
        LoreHit(**row, score=parts.score, parts=parts, fused_place=place)
        for place, (parts, row) in enumerate(hits, start=1)
    )


def _rerank(
    query: str, found: Sequence[tuple[tuple[LoreHit, ...], DomainSettings | None]]
) -> list[tuple[tuple[LoreHit, ...], list[str]]]:
    """Each ranking in the model's order, or as it was with the reason. Without settings one is left as it is."""
    model = find_chat_model()
    ranks: dict[int, Callable[[], RerankOutcome]] = {}
    for number, (hits, settings) in enumerate(found):
        if settings is None or len(hits) < 2:
            continue
        rerank = settings.retrieval.rerank
        texts = [f"{hit.title}\n{hit.text}" for hit in hits[: rerank.candidates]]
        ranks[number] = partial(rerank_texts, model, query, texts, timeout_seconds=rerank.timeout_ms / 1000)
    outcomes = dict(zip(ranks, rerank_at_once(list(ranks.values())), strict=True))
    return [
        _reorder(hits, outcomes[number]) if number in outcomes else (hits, []) for number, (hits, _) in enumerate(found)
    ]


def _reorder(hits: tuple[LoreHit, ...], outcome: RerankOutcome) -> tuple[tuple[LoreHit, ...], list[str]]:
    if outcome.failure:
        return hits, [outcome.failure]
    reordered = [replace(hits[index], rerank_place=place) for place, index in enumerate(outcome.order, start=1)]
    return (*reordered, *hits[len(outcome.order) :]), []


def _check_tags(release: ResolvedRelease, tags: Sequence[str], audience: Sequence[str]) -> None:
    """Raises UnknownTag for a tag that nothing carries of what the audience may know: a mistake, not a miss."""
    for tag in tags:
        carrying = Publication.objects.filter(
            live_in(release.number),
            domain_index_id=release.domain_index_id,
            tags__contains=[tag],
            audience__overlap=list(audience),
        )
        if not carrying.exists():
            raise UnknownTag(f"No article of release {release.number} carries the tag {tag!r}.")
