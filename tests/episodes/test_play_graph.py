"""What the engine tells of scenes is in the graph of its campaign, after canon and before events out of talk."""

from __future__ import annotations

import pytest

from episodes.campaigns.core.engine_names import list_slugs, name_of_id
from episodes.models import Campaign
from episodes.rollback.actions.checkpoints import create_checkpoint
from episodes.rollback.actions.rollbacks import roll_back
from knowledge.graph.actions.events import upsert_from_events
from knowledge.graph.core.owners import GraphOwner
from knowledge.graph.core.statements import MentionedEntity, SourceStatements, StatedRelation
from knowledge.graph.models import GraphEntity, GraphName, GraphRelation
from tests.factories.campaigns import add_scene, start
from tests.factories.canon import make_article, publish
from tests.factories.tenants import make_world

pytestmark = pytest.mark.django_db


@pytest.fixture
def world(db):
    world = make_world("ashfall", tenant="studio")
    bridge = make_article("moon-bridge", "A bridge.", type="place")
    publish(world, bridge, make_article("li-shen", "A keeper.", type="character"))
    start(world)
    return world


def standing() -> list[tuple[str, str, str]]:
    rows = GraphRelation.objects.filter(source_kind="engine", state="active", ended_at__isnull=True).order_by("pk")
    return [(row.src.slug or row.src.first_key, row.predicate, row.dst.slug or row.dst.first_key) for row in rows]


def elsewhere(**more):
    return {"where": {"location_id": "loc_old_mill", "tags": []}, "scene_id": "scn_2", **more}


def test_scenes_say_who_is_where_and_what_the_party_holds(world):
    loot = {"event": "bargain", "outcome": "success", "loot": [{"item_id": "amulet_moon", "qty": 1}]}
    add_scene(world, what=loot)
    assert standing() == [("li-shen", "located_in", "moon-bridge"), ("pty 1", "holds", "amulet moon")]
    assert all(row.audience == ["npc:npc_LiShen"] for row in GraphName.objects.filter(source_kind="engine"))
    assert not GraphName.objects.filter(text__contains="p_A").exists()  # players are persons
    add_scene(world, summary_id="sum_2", minute=5, **elsewhere())
    assert ("li-shen", "located_in", "old mill") in standing()
    assert ("li-shen", "located_in", "moon-bridge") not in standing()


def test_the_same_summary_again_changes_nothing(world):
    add_scene(world)
    before = (GraphEntity.objects.count(), GraphName.objects.count(), GraphRelation.objects.count())
    add_scene(world)
    assert (GraphEntity.objects.count(), GraphName.objects.count(), GraphRelation.objects.count()) == before


def test_talk_that_says_otherwise_is_disputed(world):
    add_scene(world)
    talk = SourceStatements(
        source_id=1,
        entities=(MentionedEntity("Li Shen", "character"), MentionedEntity("harbour", "place")),
        relations=(StatedRelation("Li Shen", "located_in", "harbour"),),
        story_from=99,
    )
    owner = GraphOwner("campaign", Campaign.objects.get().pk)
    report = upsert_from_events(tenant_id=world.tenant_id, world_id=world.pk, owner=owner, events=[talk])
    assert (report.disputed, standing()) == (1, [("li-shen", "located_in", "moon-bridge")])


def test_a_rollback_takes_what_undone_scenes_said_and_gives_back_what_they_had_ended(world):
    add_scene(world)
    place = {"tenant_id": world.tenant_id, "world_id": world.pk, "campaign_id": "camp_1"}
    here = create_checkpoint(**place, label="here", author="engine")
    add_scene(world, summary_id="sum_2", minute=5, **elsewhere())
    there = create_checkpoint(**place, label="there", author="engine")
    roll_back(**place, checkpoint_id=here.pk, reason="lost", author="engine")
    assert standing() == [("li-shen", "located_in", "moon-bridge")]
    roll_back(**place, checkpoint_id=there.pk, reason="after all", author="engine")
    assert ("li-shen", "located_in", "old mill") in standing()


def test_ids_of_engines_become_names_and_slugs():
    assert [name_of_id(each) for each in ("npc_LiShen", "loc_moon_bridge", "amulet_moon", "pty_1")] == [
        "Li Shen",
        "moon bridge",
        "amulet moon",
        "pty 1",
    ]
    assert list_slugs("npc_LiShen") == ("npc_LiShen", "li-shen")
