"""The graph: two hops around an entity and paths, at 50,000 relations, against their bare SQL."""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from django.db import connection

from bench.corpus import Text, load_release
from bench.report import Report
from knowledge.graph.core.views import GraphReader
from knowledge.graph.models import GraphEntity
from knowledge.graph.selectors.entities import fetch, find_entities
from knowledge.graph.selectors.neighbourhood import HUB_CAP, MAX_ENTITIES, get_neighbourhood
from knowledge.graph.selectors.paths import find_paths
from knowledge.graph.selectors.ranks import load_rank_graph, rank_documents
from knowledge.graph.selectors.readers import build_condition, build_named, list_parameters, make_reader
from knowledge.search.sql import read_query

SQL = Path(__file__).resolve().parents[2] / "knowledge" / "graph" / "sql"
RELATIONS = 50_000
ENTITIES = 10_000
SAMPLES = 20
SEED = 37
TWO_HOPS_MS = 20.0

_FILL = """
INSERT INTO knowledge_loredocument (tenant_id, domain_index_id)
SELECT %(tenant)s, %(index)s FROM generate_series(1, %(entities)s);
INSERT INTO knowledge_graphentity (tenant_id, world_id, owner_kind, owner_id, slug, kind, first_key, merged_by)
SELECT %(tenant)s, %(world)s, 'canon', 0, 'e' || n, 'place', '', '' FROM generate_series(1, %(entities)s) n;
INSERT INTO knowledge_graphname (tenant_id, world_id, entity_id, owner_kind, owner_id, source_kind, source_id, text,
    key, latin, grams, kind, language, is_title, audience, domain_index_id, document_id, added_in, reason, actor)
SELECT tenant_id, world_id, id, 'canon', 0, 'canon', 1, 'Entity ' || slug, 'entity ' || slug, slug,
    ARRAY[left(slug, 3), right(slug, 3)], 'place', 'en', TRUE,
    CASE WHEN id %% 10 = 0 THEN ARRAY['npc:x'] ELSE ARRAY['public'] END, %(index)s, %(document)s, 1, '', ''
FROM knowledge_graphentity WHERE world_id = %(world)s;
INSERT INTO knowledge_graphrelation (tenant_id, world_id, owner_kind, owner_id, src_id, predicate, dst_id, stated_as,
    slot, state, audience, source_kind, source_id, source_field, span, domain_index_id, document_id, added_in,
    story_time)
SELECT DISTINCT ON (s, d) %(tenant)s, %(world)s, 'canon', 0, f.id + s, 'near', f.id + d, 'near',
    '', 'active',
    ARRAY['public'], 'canon', 1, 'body', 'near', %(index)s::bigint, %(document)s + s, 1, ''
FROM (
    SELECT (random() * (%(entities)s - 1))::int AS s, (power(random(), 2) * (%(entities)s - 1))::int AS d
    FROM generate_series(1, %(relations)s)
) pairs, (SELECT MIN(id) AS id FROM knowledge_graphentity WHERE world_id = %(world)s) f WHERE s <> d;
ANALYZE knowledge_graphentity, knowledge_graphname, knowledge_graphrelation;
"""


def measure(report: Report, options: argparse.Namespace) -> None:
    """Two hops cost at most 20 ms, and little more than the statement that walks them."""
    reader, roots, domain_index_id = _load(report)
    for _ in range(2):
        get_neighbourhood(reader, roots[0], depth=2)
    near = _time(lambda root: get_neighbourhood(reader, root, depth=2), roots)
    report.say(f"two hops {near:.1f} ms")
    bare = _time(lambda root: _walk_bare(reader, root), roots)
    sizes = [len(get_neighbourhood(reader, root, depth=2).entities) for root in roots]
    paths = _time(lambda root: find_paths(reader, root, roots[0]), roots[1:])
    names = _time(lambda root: find_entities(reader, f"Entity e{root % ENTITIES}"), roots)
    load_rank_graph(reader)
    ranks = _time(lambda _: rank_documents(reader, "e1", [], domain_index_id=domain_index_id, limit=12), roots)
    rows = [
        ["two hops", near, near / bare, f"{statistics.median(sizes):.0f} entities"],
        ["  its walk, bare SQL", bare, 1.0, ""],
        ["paths of up to 4 steps", paths, paths / bare, ""],
        ["a name", names, names / bare, ""],
        ["PageRank, cached", ranks, ranks / bare, ""],
    ]
    report.table(["graph read, median", "ms", "to bare", ""], rows)
    report.figure("graph_two_hops_ms", near, at_most=TWO_HOPS_MS)


def _load(report: Report) -> tuple[GraphReader, list[int], int]:
    release, _ = load_release("graph", lambda: [Text("a", "A", "An article.")])
    with connection.cursor() as cursor:
        cursor.execute("SELECT nextval('knowledge_loredocument_id_seq')")
        document = cursor.fetchone()[0] + 1
        for statement in _FILL.split(";\n"):
            if statement.strip():
                cursor.execute(
                    statement,
                    {
                        "tenant": release.tenant_id, "world": release.world_id, "index": release.domain_index_id,
                        "document": document, "entities": ENTITIES, "relations": RELATIONS,
                    },
                )  # fmt: skip
        cursor.execute("SELECT COUNT(*) FROM knowledge_graphrelation WHERE world_id = %s", [release.world_id])
        report.say(f"{ENTITIES:,} entities, {cursor.fetchone()[0]:,} relations")
    public = (
        GraphEntity.objects.filter(world_id=release.world_id).exclude(pk__endswith="0").values_list("pk", flat=True)
    )
    roots = random.Random(SEED).sample(sorted(public), SAMPLES)
    return make_reader(release, audience=("public",)), roots, release.domain_index_id


def _walk_bare(reader: GraphReader, root: int) -> None:
    statement = read_query(SQL / "walk.sql").format(
        visible=build_condition(reader, "x"), named=build_named(reader, "COALESCE(e.merged_into_id, e.id)", "x")
    )
    limits = {"root": root, "depth": 2, "hub_cap": HUB_CAP, "max_entities": MAX_ENTITIES}
    fetch(statement, list_parameters(reader) | limits)


def _time(perform: Callable[[int], object], roots: list[int]) -> float:
    """The median, in milliseconds."""
    taken = []
    for root in roots:
        start = time.perf_counter()
        perform(root)
        taken.append((time.perf_counter() - start) * 1000)
    return statistics.median(taken)
