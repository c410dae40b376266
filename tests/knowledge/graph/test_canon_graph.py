"""Entities and relations of a release, from links and fields of its articles."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from knowledge.canon.actions import discard_release, roll_back
from knowledge.canon.models import DomainIndex
from knowledge.canon.selectors.audience import get_npc_audience
from knowledge.canon.selectors.releases import resolve_release
from knowledge.graph.actions.canon_rows import rebuild_canon_graph
from knowledge.graph.actions.erasure import erasing
from knowledge.graph.core.views import GraphReader
from knowledge.graph.errors import EntityUnknown
from knowledge.graph.models import GraphEntity, GraphName, GraphRelation
from knowledge.graph.selectors.entities import find_entities
from knowledge.graph.selectors.neighbourhood import get_neighbourhood
from knowledge.graph.selectors.paths import find_paths
from knowledge.graph.selectors.readers import make_reader
from tests.factories.canon import make_article, publish, stage
from tests.factories.tenants import make_world

pytestmark = pytest.mark.django_db

BRIDGE = make_article(
    "bridge", "Kept by [[keeper|the keeper]], near the [[bell]].", type="place", aliases=["Nine Arches"]
)
KEEPER = make_article(
    "keeper",
    "An old man.",
    type="character",
    title="Li Shen (keeper)",
    fields={"factions": ["lamps"], "home": "[[bridge]]"},
    relations=[{"type": "kept_by", "to": "dog"}],
)
LAMPS = make_article("lamps", "A house.", type="faction")
BELL = make_article("bell", "It is mute.", type="item")
DOG = make_article("dog", "Barks.", type="character")
VAULT = make_article("vault", "Under the [[bridge]].", type="place", audience=["npc:keeper"])
ARTICLES = (BRIDGE, KEEPER, LAMPS, BELL, DOG, VAULT)


def read(world, *, npc: str | None = None, release: int | None = None, as_of=None) -> GraphReader:
    found = resolve_release(world_id=world.pk, domain="lore", release=release)
    audience = ("public",) if npc is None else get_npc_audience(world.pk, npc, release=found)
    return make_reader(found, audience=audience, is_npc=npc is not None, as_of=as_of)


def id_of(slug: str) -> int:
    return GraphEntity.objects.get(slug=slug).pk


def edges_of(reader: GraphReader, slug: str, *, depth: int = 1) -> set[tuple[str, str, str]]:
    found = get_neighbourhood(reader, id_of(slug), depth=depth)
    slugs = {each.entity_id: each.slug for each in (found.entity, *found.entities)}
    return {(slugs[each.src], each.predicate, slugs[each.dst]) for each in found.relations}


def test_relations_come_from_typed_relations_fields_and_links():
    world = make_world()
    publish(world, *ARTICLES)
    assert edges_of(read(world), "keeper") == {
        ("dog", "keeps", "keeper"),
        ("keeper", "member_of", "lamps"),
        ("keeper", "home", "bridge"),
        ("bridge", "mentions", "keeper"),
    }
    relation = GraphRelation.objects.get(predicate="home")
    assert (relation.source_field, relation.span) == ("fields.home", "home: [[bridge]]")
    assert GraphRelation.objects.get(dst__slug="bell").span == "Kept by the keeper, near the bell."


def test_a_name_is_found_by_alias_case_script_slug_and_part():
    world = make_world()
    publish(world, *ARTICLES, make_article("varvara", "x", title="Варвара Плёс", type="character", language="ru"))
    reader = read(world)
    assert [each.slug for each in find_entities(reader, "NINE ARCHES")] == ["bridge"]
    assert find_entities(reader, "li shen")[0].slug == "keeper"
    assert find_entities(reader, "Варвара Плес")[0].slug == "varvara"
    assert find_entities(reader, "varvara ples")[0].slug == "varvara"
    assert find_entities(reader, "bell")[0].slug == "bell"
    assert find_entities(reader, "nine arch")[0].slug == "bridge"
    assert find_entities(reader, "zzzz") == ()


def test_a_secret_is_no_entity_no_neighbour_and_no_way():
    world = make_world()
    publish(world, *ARTICLES)
    assert find_entities(read(world), "vault") == ()
    with pytest.raises(EntityUnknown):
        get_neighbourhood(read(world), id_of("vault"))
    assert all("vault" not in edge for edge in edges_of(read(world), "bridge", depth=2))
    assert ("vault", "mentions", "bridge") in edges_of(read(world, npc="keeper"), "bridge")


def test_each_release_keeps_its_own_relations():
    world = make_world()
    publish(world, *ARTICLES)
    publish(world, {**BRIDGE, "body": "It stands alone."}, retire=["dog"])
    assert ("bridge", "mentions", "keeper") in edges_of(read(world, release=1), "keeper")
    assert edges_of(read(world), "keeper") == {("keeper", "member_of", "lamps"), ("keeper", "home", "bridge")}


def test_a_time_reads_the_release_that_was_live_then():
    world = make_world()
    publish(world, *ARTICLES)
    between = timezone.now()
    publish(world, {**BRIDGE, "body": "It stands alone."})
    assert ("bridge", "mentions", "keeper") in edges_of(read(world, as_of=between), "keeper")
    assert ("bridge", "mentions", "keeper") not in edges_of(read(world, as_of=timezone.now()), "keeper")
    with pytest.raises(EntityUnknown):
        get_neighbourhood(read(world, as_of=between - dt.timedelta(days=1)), id_of("keeper"))


def _snapshot(index: DomainIndex) -> set[tuple]:
    names = GraphName.objects.filter(domain_index=index).values_list("entity__slug", "key", "added_in", "removed_in")
    relations = GraphRelation.objects.filter(domain_index=index).values_list(
        "src__slug", "predicate", "dst__slug", "source_field", "added_in", "removed_in"
    )
    return {*names, *relations}


def test_a_discarded_release_leaves_the_graph_as_it_was():
    world = make_world()
    publish(world, *ARTICLES)
    index = DomainIndex.objects.get(world=world)
    before = _snapshot(index)
    staged = stage(index, {**BRIDGE, "body": "[[dog]]"}, retire=["bell"])
    assert _snapshot(index) != before
    discard_release(staged.pk)
    assert _snapshot(index) == before


def test_after_a_rollback_the_next_release_stands_on_its_base():
    world = make_world()
    publish(world, *ARTICLES)
    index = DomainIndex.objects.get(world=world)
    publish(world, {**BRIDGE, "body": "It stands alone."}, retire=["dog"])
    roll_back(index.pk, to_number=1)
    publish(world, {**BELL, "body": "Rings for the [[lamps]]."})
    reader = read(world)
    assert ("bridge", "mentions", "keeper") in edges_of(reader, "keeper")
    assert ("dog", "keeps", "keeper") in edges_of(reader, "keeper")
    assert ("bell", "mentions", "lamps") in edges_of(reader, "bell")


def test_what_was_built_by_releases_is_what_publications_say():
    world = make_world()
    publish(world, *ARTICLES)
    index = DomainIndex.objects.get(world=world)
    publish(world, {**BRIDGE, "body": "It stands alone."}, retire=["dog"])
    roll_back(index.pk, to_number=1)
    publish(world, {**KEEPER, "aliases": ["Old Li"]})
    built = _snapshot(index)
    assert rebuild_canon_graph(index.pk) > 0
    assert _snapshot(index) == built


def test_translations_are_one_entity_and_part_again():
    world = make_world()
    german = make_article("bell-ru", "Нема.", title="Колокол", language="ru", type="item")
    joined = {**german, "relations": [{"type": "translation_of", "to": "bell"}]}
    publish(world, *ARTICLES, joined)
    found = find_entities(read(world), "колокол")
    assert [(each.slug, each.name) for each in found] == [("bell", "Bell")]
    assert {name.text for name in found[0].names} == {"Bell", "Колокол"}
    publish(world, german)
    assert [each.slug for each in find_entities(read(world), "колокол")] == ["bell-ru"]


def test_links_between_domains_meet_in_one_entity():
    world = make_world()
    publish(world, make_article("hush", "Fog. See [[hushed]].", type="term"))
    publish(world, make_article("hushed", "You can't speak.", type="rule"), domain="srd")
    assert edges_of(read(world), "hushed") == {("hush", "mentions", "hushed")}


def test_paths_are_shortest_and_never_pass_through_a_secret():
    world = make_world()
    publish(
        world,
        make_article("a", "[[b]] [[x]]"),
        make_article("b", "[[c]]"),
        make_article("c", "[[d]]"),
        make_article("d", "end"),
        make_article("x", "[[d]]", audience=["npc:n"]),
    )
    reader = read(world)
    found = find_paths(reader, id_of("a"), id_of("d"))
    slugs = {each.entity_id: each.slug for each in found.entities}
    assert [[slugs[id_] for id_ in path.entity_ids] for path in found.paths] == [["a", "b", "c", "d"]]
    assert [len(path.relations) for path in found.paths] == [3]
    as_n = make_reader(resolve_release(world_id=world.pk, domain="lore"), audience=("public", "npc:n"), is_npc=True)
    (short,) = find_paths(as_n, id_of("a"), id_of("d")).paths
    assert short.entity_ids == (id_of("a"), id_of("x"), id_of("d"))
    assert find_paths(reader, id_of("a"), id_of("d"), max_steps=2).paths == ()


def test_worlds_and_tenants_do_not_meet():
    one, other = make_world("one"), make_world("two")
    foreign = make_world("three", tenant="other")
    for world in (one, other, foreign):
        publish(world, *ARTICLES)
    theirs = GraphEntity.objects.get(world=other, slug="bridge")
    for world in (one, foreign):
        with pytest.raises(EntityUnknown):
            get_neighbourhood(read(world), theirs.pk)
    mine = GraphEntity.objects.get(world=one, slug="bell")
    relation = GraphRelation.objects.filter(world=one).first()
    assert relation is not None
    for change in ({"src": mine, "dst": theirs}, {"src": theirs, "dst": mine}):
        fields = {
            field.attname: getattr(relation, field.attname) for field in relation._meta.fields if field.name != "id"
        }
        copy = GraphRelation(**fields)
        for name, value in change.items():
            setattr(copy, name, value)
        with pytest.raises(IntegrityError, match="graph_relation_same_world"), transaction.atomic():
            copy.save(force_insert=True)


def test_published_relations_are_never_deleted_nor_changed():
    publish(make_world(), *ARTICLES)
    with pytest.raises(IntegrityError, match="graph_relation_only_ends"), transaction.atomic():
        GraphRelation.objects.all().delete()
    with pytest.raises(IntegrityError, match="graph_relation_only_ends"), transaction.atomic():
        GraphRelation.objects.update(span="else")
    with pytest.raises(IntegrityError, match="graph_name_only_ends"), transaction.atomic():
        GraphName.objects.update(text="else")
    with pytest.raises(IntegrityError, match="graph_relation_canon_has_release"), transaction.atomic():
        GraphRelation.objects.update(ended_at=timezone.now())


def test_an_article_states_a_thing_once_in_a_release():
    publish(make_world(), *ARTICLES)
    relation = GraphRelation.objects.first()
    assert relation is not None
    relation.pk, relation.added_in = None, 7
    with pytest.raises(IntegrityError, match="graph_relation_canon_once"), transaction.atomic():
        relation.save(force_insert=True)


def test_a_neighbourhood_costs_the_same_at_any_size(django_assert_num_queries):
    small, large = make_world("one"), make_world("two")
    publish(small, *ARTICLES)
    publish(large, *(make_article(f"a{place}", f"[[a{place + 1}]] [[a0]]") for place in range(40)))
    for world, slug in ((small, "keeper"), (large, "a3")):
        reader, root = read(world), GraphEntity.objects.get(world=world, slug=slug).pk
        with django_assert_num_queries(6):
            get_neighbourhood(reader, root, depth=2)


def test_the_command_gives_an_older_world_its_graph(capsys):
    from django.core.management import call_command

    world = make_world()
    publish(world, *ARTICLES)
    index = DomainIndex.objects.get(world=world)
    built = _snapshot(index)
    with transaction.atomic(), erasing():
        GraphName.objects.all().delete()
        GraphRelation.objects.all().delete()
    call_command("build_graph", world=world.slug)
    assert "lore: " in capsys.readouterr().out
    assert _snapshot(index) == built
