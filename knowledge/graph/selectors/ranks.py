"""The graph's leg of search: documents near what a query names, by personalised PageRank cached by release."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from knowledge.canon.core.names import name_keys
from knowledge.graph.core.ranks import DescribedBy, RankGraph, build_rank_graph, find_named, rank_entities
from knowledge.graph.core.views import GraphReader
from knowledge.graph.selectors.entities import fetch
from knowledge.graph.selectors.readers import build_condition, list_parameters
from knowledge.search.sql import read_query
from knowledge.text.analysis import analyse
from knowledge.text.language import detect_language

SQL = Path(__file__).parent.parent / "sql"
PASSAGE_WEIGHT = 0.05
"""What a passage that was found seeds, beside 1 for an entity that the query names. Source: HippoRAG 2."""
SEED_PASSAGES = 5
MAX_CACHED_GRAPHS = 32
CACHE_SECONDS = 300
"""A release never changes; what editors merge is seen after this."""

_cache: OrderedDict[tuple[object, ...], tuple[float, RankGraph]] = OrderedDict()
_cache_lock = threading.Lock()


def rank_documents(
    reader: GraphReader, query: str, hits: Sequence[tuple[int, float]], *, domain_index_id: int, limit: int
) -> list[int]:
    """Documents of a domain near what the query names and what was found for it (documents with scores, best first).

    One document an entity: one that was found, else one in the query's language. No query once the release's graph is
    cached, else two.
    """
    graph = load_rank_graph(reader)
    seeds: dict[int, float] = dict.fromkeys(find_named(graph, analyse(query)), 1.0)
    for document, score in hits[:SEED_PASSAGES]:
        if document in graph.positions:
            place = graph.positions[document]
            seeds[place] = seeds.get(place, 0.0) + PASSAGE_WEIGHT * max(score, 0.0)
    rank = rank_entities(graph, seeds)
    found = {document for document, _ in hits}
    language = detect_language(query)
    documents: list[int] = []
    for place in np.argsort(-rank, kind="stable"):
        if rank[place] <= 0 or len(documents) == limit:
            break
        about = [each for each in graph.documents.get(int(place), ()) if each.domain_index_id == domain_index_id]
        if about:
            about.sort(key=lambda each: (each.document_id not in found, each.language != language, each.document_id))
            documents.append(about[0].document_id)
    return documents


def load_rank_graph(reader: GraphReader) -> RankGraph:
    """The reader's graph of canon, from memory while it is fresh. Two queries else."""
    key = (reader.world_id, reader.releases, reader.audience)
    now = time.monotonic()
    with _cache_lock:
        held = _cache.get(key)
        if held is not None and now - held[0] < CACHE_SECONDS:
            _cache.move_to_end(key)
            return held[1]
    graph = _build(reader)
    with _cache_lock:
        _cache[key] = (now, graph)
        while len(_cache) > MAX_CACHED_GRAPHS:
            _cache.popitem(last=False)
    return graph


def _build(reader: GraphReader) -> RankGraph:
    parameters = list_parameters(reader)
    names = fetch(read_query(SQL / "rank_names.sql").format(visible=build_condition(reader, "n")), parameters)
    edges = fetch(read_query(SQL / "rank_edges.sql").format(visible=build_condition(reader, "x")), parameters)
    known = {row["entity_id"] for row in names}
    return build_rank_graph(
        ((row["src"], row["dst"]) for row in edges if row["src"] in known and row["dst"] in known),
        ((row["entity_id"], key.split()) for row in names for key in name_keys([row["text"]])),
        sorted(
            {
                DescribedBy(row["document_id"], row["entity_id"], row["domain_index_id"], row["language"])
                for row in names
                if row["document_id"] is not None
            }
        ),
    )
