"""Play comes into the graph through one entry: by equal names only, by authority, with nothing lost."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from knowledge.graph.actions.events import upsert_from_events
from knowledge.graph.actions.withdrawal import erase_owner, erase_sources, withdraw_sources
from knowledge.graph.core.owners import CANON, GraphOwner
from knowledge.graph.core.statements import GraphReport, MentionedEntity, SourceStatements, StatedRelation
from knowledge.graph.core.views import GraphReader
from knowledge.graph.errors import EntityUnknown, InvalidGraphInput
from knowledge.graph.models import GraphEntity, GraphMergeProposal, GraphName, GraphRelation
from knowledge.graph.selectors.entities import find_entities
from knowledge.graph.selectors.neighbourhood import get_neighbourhood
from knowledge.graph.selectors.readers import make_world_reader
from tests.factories.canon import make_article, publish
from tests.factories.tenants import make_world

pytestmark = pytest.mark.django_db

TALK = GraphOwner("conversation", 7)
ARTICLES = (
    make_article("lamp", "A lamp.", type="item", title="Seventh Lamp", relations=[{"type": "located_in", "to": "inn"}]),
    make_article("inn", "An inn.", type="place", title="Moonlight Inn"),
    make_article("vault", "Deep.", type="place", title="Hidden Vault", audience=["npc:keeper"]),
    make_article("keeper", "See [[vault]].", type="character", title="Li Shen"),
)


@pytest.fixture
def world(db):
    world = make_world()
    publish(world, *ARTICLES)
    return world


def event(number: int, *relations: tuple[str, str, str], entities: dict[str, str], **more) -> SourceStatements:
    return SourceStatements(
        source_id=number,
        entities=tuple(MentionedEntity(name, kind) for name, kind in entities.items()),
        relations=tuple(StatedRelation(*each) for each in relations),
        story_from=number,
        **more,
    )


def upsert(world, *events: SourceStatements, owner: GraphOwner = TALK, source="event") -> GraphReport:
    return upsert_from_events(tenant_id=world.tenant_id, world_id=world.pk, owner=owner, events=events, source=source)


def read(world, *owners: GraphOwner, audience=("public",), is_npc: bool = False, as_of=None) -> GraphReader:
    found = make_world_reader(world.tenant_id, world.pk, audience=audience, owners=owners)
    return GraphReader(found.tenant_id, found.world_id, found.releases, found.audience, is_npc, found.owners, as_of)


def places_of(reader: GraphReader, name: str) -> set[str]:
    (entity,) = find_entities(reader, name, limit=1)
    found = get_neighbourhood(reader, entity.entity_id)
    names = {each.entity_id: each.name for each in found.entities}
    return {
        names[each.dst]
        for each in found.relations
        if each.predicate == "located_in" and each.src == entity.entity_id and each.state == "active"
    }


def test_an_equal_name_of_the_same_kind_is_the_entity_of_canon(world):
    report = upsert(world, event(1, ("li shen", "met", "Rook"), entities={"li shen": "Character", "Rook": "角色"}))
    assert (report.entities_created, report.relations, report.names) == (1, 1, 2)
    keeper = GraphEntity.objects.get(slug="keeper")
    assert GraphRelation.objects.get(owner_kind="conversation").src == keeper
    assert GraphName.objects.get(entity=keeper, owner_kind="conversation").text == "li shen"
    assert report.entity_ids[0][1][0] == keeper.pk


def test_the_same_events_again_change_nothing(world):
    story = event(1, ("Rook", "in", "Moonlight Inn"), entities={"Rook": "Character", "Moonlight Inn": "Location"})
    upsert(world, story)
    before = (GraphName.objects.count(), GraphRelation.objects.count(), GraphEntity.objects.count())
    report = upsert(world, story)
    assert (report.entities_created, report.relations, report.names, report.skipped) == (0, 0, 0, 1)
    assert (GraphName.objects.count(), GraphRelation.objects.count(), GraphEntity.objects.count()) == before


def test_another_kind_is_another_entity_and_a_proposal(world):
    report = upsert(world, event(1, entities={"Moonlight Inn": "Character"}, context="He is called so."))
    assert (report.entities_created, report.proposals) == (1, 1)
    proposal = GraphMergeProposal.objects.get()
    assert (proposal.reason, proposal.state) == ("other_kind", "open")
    assert {proposal.first_context, proposal.second_context} >= {"character: He is called so."}
    assert not GraphEntity.objects.filter(merged_into__isnull=False).exists()


def test_look_alikes_are_proposed_and_numbered_things_are_not(world):
    report = upsert(world, event(1, entities={"Moonlite Inn": "place", "Eighth Lamp": "item"}))
    assert (report.entities_created, report.proposals) == (2, 1)
    assert GraphMergeProposal.objects.get().reason == "alike"


def test_a_secret_name_of_canon_is_not_found_out_by_saying_it(world):
    report = upsert(world, event(1, ("Rook", "in", "Hidden Vault"), entities={"Rook": "npc", "Hidden Vault": "place"}))
    assert report.entities_created == 2
    assert report.proposals == 0
    secret = GraphEntity.objects.get(slug="vault")
    assert not GraphName.objects.filter(entity=secret, owner_kind="conversation").exists()
    assert "keeper" not in {each.slug for each in find_entities(read(world, TALK), "hidden vault")}


def test_a_player_sees_his_own_play_and_nobody_elses(world):
    upsert(world, event(1, ("Rook", "in", "Moonlight Inn"), entities={"Rook": "npc", "Moonlight Inn": "place"}))
    assert places_of(read(world, TALK), "Rook") == {"Moonlight Inn"}
    assert find_entities(read(world), "Rook") == ()
    other = GraphOwner("conversation", 8)
    assert find_entities(read(world, other), "Rook") == ()
    rook = GraphEntity.objects.get(first_key="rook")
    with pytest.raises(EntityUnknown):
        get_neighbourhood(read(world, other), rook.pk)


def test_an_npc_walks_only_by_what_it_knows(world):
    upsert(
        world,
        event(1, ("Rook", "met", "Mira"), entities={"Rook": "npc", "Mira": "npc"}, audience=("npc:mira",)),
        event(2, ("Mira", "betrayed", "Crow"), entities={"Mira": "npc", "Crow": "npc"}),
    )
    mira = read(world, TALK, audience=("public", "npc:mira"), is_npc=True)
    assert {each.name for each in find_entities(mira, "", limit=50)} >= {"Rook", "Mira"}
    assert find_entities(mira, "Crow") == ()
    assert find_entities(read(world, TALK, audience=("public", "npc:bob"), is_npc=True), "Rook") == ()


def test_a_thing_is_in_one_place_and_the_newer_word_ends_the_older(world):
    upsert(world, event(1, ("Rook", "at", "Inn A"), entities={"Rook": "npc", "Inn A": "place"}))
    then = timezone.now()
    report = upsert(world, event(2, ("Rook", "in", "Dock"), entities={"Rook": "npc", "Dock": "place"}))
    assert report.ended == 1
    assert places_of(read(world, TALK), "Rook") == {"Dock"}
    assert places_of(read(world, TALK, as_of=then), "Rook") == {"Inn A"}
    old = GraphRelation.objects.get(source_id=1, predicate="located_in")
    assert (old.story_from, old.story_to, old.ended_by.source_id) == (1, 2, 2)


def test_an_older_event_that_comes_late_does_not_end_a_newer_one(world):
    upsert(world, event(5, ("Rook", "in", "Dock"), entities={"Rook": "npc", "Dock": "place"}))
    upsert(world, event(3, ("Rook", "in", "Cave"), entities={"Rook": "npc", "Cave": "place"}))
    assert places_of(read(world, TALK), "Rook") == {"Dock"}


def test_a_models_word_against_canon_is_disputed_and_ends_nothing(world):
    report = upsert(world, event(1, ("Seventh Lamp", "in", "Dock"), entities={"Seventh Lamp": "item", "Dock": "place"}))
    assert report.disputed == 1
    assert places_of(read(world, TALK), "Seventh Lamp") == {"Moonlight Inn"}
    assert GraphRelation.objects.get(source_kind="canon", predicate="located_in").removed_in is None
    agreed = event(
        2, ("Seventh Lamp", "in", "Moonlight Inn"), entities={"Seventh Lamp": "item", "Moonlight Inn": "place"}
    )
    assert upsert(world, agreed).disputed == 0


def test_a_models_word_against_the_engines_is_disputed_and_the_engines_ends_a_models(world):
    upsert(world, event(1, ("Rook", "in", "Dock"), entities={"Rook": "npc", "Dock": "place"}), source="engine")
    assert upsert(world, event(9, ("Rook", "in", "Cave"), entities={"Rook": "npc", "Cave": "place"})).disputed == 1
    assert places_of(read(world, TALK), "Rook") == {"Dock"}
    upsert(world, event(2, ("Wren", "in", "Cave"), entities={"Wren": "npc", "Cave": "place"}))
    upsert(world, event(3, ("Wren", "in", "Dock"), entities={"Wren": "npc", "Dock": "place"}), source="engine")
    assert places_of(read(world, TALK), "Wren") == {"Dock"}


def test_one_slot_holds_one_relation_past_the_orm(world):
    upsert(world, event(1, ("Rook", "in", "Dock"), entities={"Rook": "npc", "Dock": "place", "Cave": "place"}))
    row = GraphRelation.objects.get(owner_kind="conversation")
    row.pk, row.source_id, row.dst = None, 2, GraphEntity.objects.get(first_key="cave")
    with pytest.raises(IntegrityError, match="graph_relation_one_a_slot"), transaction.atomic():
        row.save(force_insert=True)


def test_withdrawing_a_source_lets_stand_again_what_it_had_ended(world):
    upsert(world, event(1, ("Rook", "in", "Dock"), entities={"Rook": "npc", "Dock": "place"}))
    upsert(world, event(2, ("Rook", "in", "Cave"), entities={"Rook": "npc", "Cave": "place"}))
    withdraw_sources(tenant_id=world.tenant_id, owner=TALK, source_ids=[2])
    assert places_of(read(world, TALK), "Rook") == {"Dock"}
    assert find_entities(read(world, TALK), "Cave") == ()
    upsert(world, event(2, ("Rook", "in", "Cave"), entities={"Rook": "npc", "Cave": "place"}))
    assert places_of(read(world, TALK), "Rook") == {"Cave"}


def test_what_is_forgotten_leaves_no_word_behind(world):
    upsert(world, event(1, ("Rook", "in", "Dock"), entities={"Rook": "npc", "Dock": "place"}, context="At the dock."))
    secret = {"Moonlite Inn": "place", "Rook": "npc"}
    upsert(world, event(2, ("Rook", "in", "Moonlite Inn"), entities=secret, context="A kiss at Moonlite."))
    erase_sources(tenant_id=world.tenant_id, owner=TALK, source_ids=[2])
    assert places_of(read(world, TALK), "Rook") == {"Dock"}
    for model in (GraphEntity, GraphName, GraphRelation, GraphMergeProposal):
        assert not [row for row in model.objects.values() if "oonlite" in str(row)]
    assert erase_owner(tenant_id=world.tenant_id, owner=TALK) > 0
    assert not GraphEntity.objects.filter(owner_kind="conversation").exists()
    assert GraphEntity.objects.filter(slug="inn").exists()


def test_canon_is_not_written_by_play(world):
    with pytest.raises(InvalidGraphInput):
        upsert(world, event(1, entities={"Rook": "npc"}), owner=CANON)


def test_odd_input_writes_nothing_or_what_is_sound(world):
    odd = SourceStatements(
        1,
        (MentionedEntity("\x00…"), MentionedEntity("  "), MentionedEntity("x" * 900), MentionedEntity("Rook", "")),
        (
            StatedRelation("Rook", "", "Dock"),
            StatedRelation("Rook", "is", "rook"),
            StatedRelation("Rook", "🙂", "Dock"),
        ),
    )
    report = upsert(world, odd)
    assert report.relations == 0
    assert report.skipped == 3
    assert GraphName.objects.filter(owner_kind="conversation", kind="unknown").count() == 3


def test_tenants_and_worlds_resolve_apart(world):
    other, foreign = make_world("other"), make_world("other", tenant="u")
    for each in (other, foreign):
        report = upsert(each, event(1, entities={"Li Shen": "character"}))
        assert report.entities_created == 1
    assert GraphName.objects.filter(entity__slug="keeper", owner_kind="conversation").count() == 0


def test_as_of_before_anything_is_empty(world):
    upsert(world, event(1, entities={"Rook": "npc"}))
    long_ago = timezone.now() - dt.timedelta(days=9)
    assert find_entities(read(world, TALK, as_of=long_ago), "Rook") == ()
