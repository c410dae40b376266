"""No secret name in any NPC's result, over random graphs: what it does not know is no entity, no way and no word."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knowledge.canon.selectors.releases import resolve_release
from knowledge.graph.actions.events import upsert_from_events
from knowledge.graph.core.owners import GraphOwner
from knowledge.graph.core.statements import MentionedEntity, SourceStatements, StatedRelation
from knowledge.graph.core.views import GraphReader
from knowledge.graph.errors import EntityUnknown
from knowledge.graph.models import GraphEntity
from knowledge.graph.selectors.entities import find_entities
from knowledge.graph.selectors.neighbourhood import get_neighbourhood
from knowledge.graph.selectors.paths import find_paths
from knowledge.graph.selectors.ranks import rank_documents
from knowledge.graph.selectors.readers import make_reader
from tests.factories.canon import make_article, publish
from tests.factories.tenants import make_world

pytestmark = pytest.mark.django_db

NAMES = ("Amber Gate", "Birch Well", "Cedar Mill", "Dusk Tower", "Elder Ford", "Fallow Pit")
NPCS = ("ann", "bob")
AUDIENCES = (("public",), ("npc:ann",), ("npc:bob",), ("npc:ann", "npc:bob"))
TALK = GraphOwner("conversation", 3)
numbers = itertools.count()
nodes = st.integers(0, len(NAMES) - 1)
graphs = st.fixed_dictionaries(
    {
        "audiences": st.lists(st.sampled_from(AUDIENCES), min_size=len(NAMES), max_size=len(NAMES)),
        "links": st.sets(st.tuples(nodes, nodes).filter(lambda pair: pair[0] != pair[1]), max_size=12),
        "said": st.lists(st.tuples(nodes, nodes, st.sampled_from(AUDIENCES)), max_size=5),
    }
)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(graph=graphs)
def test_no_npc_reads_a_secret_name(db, graph):
    world = make_world(f"w{next(numbers)}")
    slugs = [name.lower().replace(" ", "-") for name in NAMES]
    # As editors keep it: an article links only to what its own readers may know.
    links = [
        (one, other)
        for one, other in graph["links"]
        if graph["audiences"][other] == ("public",) or set(graph["audiences"][one]) <= set(graph["audiences"][other])
    ]
    publish(
        world,
        *(
            make_article(
                slug,
                " ".join(f"[[{slugs[other]}]]" for one, other in links if one == place) or "Nothing.",
                title=NAMES[place],
                audience="public" if graph["audiences"][place] == ("public",) else list(graph["audiences"][place]),
            )
            for place, slug in enumerate(slugs)
        ),
    )
    upsert_from_events(
        tenant_id=world.tenant_id,
        world_id=world.pk,
        owner=TALK,
        events=[
            SourceStatements(
                number,
                (MentionedEntity(f"Play {one}", "place"), MentionedEntity(f"Play {other}", "place")),
                (StatedRelation(f"Play {one}", "beside", f"Play {other}"),),
                audience=audience,
            )
            for number, (one, other, audience) in enumerate(graph["said"], start=1)
        ],
    )
    for npc in NPCS:
        _check(world, graph, npc)


def _check(world, graph, npc: str) -> None:
    known = ("public", f"npc:{npc}")
    reader = make_reader(resolve_release(world_id=world.pk, domain="lore"), audience=known, is_npc=True, owners=(TALK,))
    secret = {name for name, audience in zip(NAMES, graph["audiences"], strict=True) if not set(audience) & set(known)}
    heard = [(one, other) for one, other, audience in graph["said"] if set(audience) & set(known)]
    secret |= {f"Play {place}" for place in range(len(NAMES)) if not any(place in pair for pair in heard)}
    entities = list(GraphEntity.objects.filter(world=world).values_list("pk", flat=True))
    seen = [find_entities(reader, query, limit=200) for query in ("", *NAMES, "Play 1")]
    for entity in entities:
        try:
            seen.append(get_neighbourhood(reader, entity, depth=2))
        except EntityUnknown:
            continue
    for one, other in itertools.combinations(entities, 2):
        try:
            seen.append(find_paths(reader, one, other))
        except EntityUnknown:
            continue
    for answer in seen:
        text = repr(answer).casefold()
        for name in secret:
            assert name.casefold() not in text
            assert name.casefold().replace(" ", "-") not in text
    readable = {
        each.entity_id for each in find_entities(GraphReader(**{**_fields(reader), "owners": ()}), "", limit=200)
    }
    ranked = rank_documents(reader, " ".join(NAMES), [], domain_index_id=reader.releases[0][0], limit=50)
    assert len(ranked) <= len(readable)


def _fields(reader: GraphReader) -> dict:
    return {name: getattr(reader, name) for name in GraphReader.__dataclass_fields__}
