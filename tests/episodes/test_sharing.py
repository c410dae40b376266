"""What NPCs tell each other when a scene ends: bounded, deterministic, once, and to be taken back."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from episodes.campaigns.selectors.campaigns import get_party_state
from episodes.errors import UnknownHearsay, UnknownScene
from episodes.models import Checkpoint, CheckpointKind, NpcTold
from episodes.npc_memory.actions import record_hearsay
from episodes.sharing.actions import end_scene, revoke_hearsay
from episodes.sharing.core import MAX_HOPS, Edge, Knowledge, Thing, spread_knowledge
from npcs.errors import InvalidProfile
from npcs.profiles.core.relations import Relation, read_relation, write_relation
from tests.episodes.test_rollback import go_to, mark
from tests.factories.campaigns import add_event, add_scene, start
from tests.factories.npcs import write_npc
from tests.factories.tenants import make_world, write_npcs_at_once

TELLS = {"kind": "friend", "shares": "all"}


@pytest.fixture
def world(db):
    world = make_world("ashfall", tenant="studio")
    write_npcs_at_once(world)
    start(world)
    return world


def make_tellers(world, **relations):
    """NPCs by name, each with whom it tells: `ann=[{"npc_id": "bo"}]`."""
    names = {*relations, *(each["npc_id"] for told in relations.values() for each in told)}
    for name in sorted(names):
        told = [{**TELLS, **each} for each in relations.get(name, [])]
        write_npc(world, name, name=name.title(), relations=told)


def end(world, scene_id="scn_1", campaign_id="camp_1"):
    place = {"tenant_id": world.tenant_id, "world_id": world.pk}
    return end_scene(**place, campaign_id=campaign_id, scene_id=scene_id, author="engine")


def list_told():
    rows = NpcTold.objects.living().order_by("pk")
    return [(row.npc_id, row.source, row.hop, row.is_rumour) for row in rows]


def knows(world, npc_id):
    state = get_party_state(tenant_id=world.tenant_id, world_id=world.pk, party_id="pty_1", k=20, npc_id=npc_id)
    return [each.summary_id for each in state.summaries], dict(state.flags)


def test_what_an_npc_saw_goes_two_hops_when_the_scene_ends_and_no_further(world):
    make_tellers(world, ann=[{"npc_id": "bo"}], bo=[{"npc_id": "cy"}], cy=[{"npc_id": "di"}])
    add_scene(world, npcs=["ann"], flags={"gate": "open"})
    assert list_told() == []
    ended = end(world)
    assert list_told() == [("bo", "ann", 1, False), ("cy", "bo", 2, False)]
    assert ended.shares[1].via_id == ended.shares[0].pk
    assert knows(world, "cy") == (["sum_1"], {"gate": "open"})
    assert knows(world, "di") == ([], {})


def test_a_scene_ends_once_by_call_or_when_the_next_one_begins(world):
    make_tellers(world, ann=[{"npc_id": "bo"}])
    add_scene(world, npcs=["ann"])
    first, again = end(world), end(world)
    assert (first.created, again.created, first.checkpoint) == (True, False, again.checkpoint)
    assert first.shares == again.shares
    add_scene(world, summary_id="sum_2", scene_id="scn_2", minute=5, npcs=["ann"])
    assert Checkpoint.objects.filter(kind=CheckpointKind.SCENE_END).count() == 1
    add_scene(world, summary_id="sum_3", scene_id="scn_3", minute=9, npcs=[])
    assert list(Checkpoint.objects.values_list("label", flat=True)) == ["End of scene scn_1", "End of scene scn_2"]
    assert list_told() == [("bo", "ann", 1, False)] * 2
    with pytest.raises(UnknownScene):
        end(world, "scn_9")


def test_who_was_there_or_was_told_is_told_nothing(world):
    make_tellers(world, ann=[{"npc_id": "bo"}, {"npc_id": "cy"}])
    add_scene(world, npcs=["ann", "bo"])
    place = {"tenant_id": world.tenant_id, "world_id": world.pk}
    record_hearsay(**place, npc_id="cy", source="p_A", told_at=timezone.now(), summary_id="sum_1")
    end(world)
    assert list_told() == [("cy", "p_A", 0, False)]


def test_a_relation_may_delay_be_a_rumour_or_tell_nothing(world):
    make_tellers(
        world,
        ann=[{"npc_id": "bo", "delay": 1}, {"npc_id": "cy", "shares": "rumour"}, {"npc_id": "di", "shares": "none"}],
    )
    add_scene(world, npcs=["ann"], flags={"gate": "open"})
    end(world)
    assert list_told() == [("cy", "ann", 1, True)]
    assert knows(world, "cy") == (["sum_1"], {})
    add_scene(world, summary_id="sum_2", scene_id="scn_2", minute=5, npcs=[])
    end(world, "scn_2")
    assert list_told() == [("cy", "ann", 1, True), ("bo", "ann", 1, False)]
    add_scene(world, summary_id="sum_3", scene_id="scn_3", minute=9, npcs=[])
    end(world, "scn_3")
    assert len(list_told()) == 2


def test_what_was_told_at_a_scenes_end_is_passed_on_with_the_relations_delay(world):
    make_tellers(world, ann=[{"npc_id": "bo"}], bo=[{"npc_id": "cy", "delay": 1}])
    add_scene(world, npcs=["ann"])
    end(world)
    assert list_told() == [("bo", "ann", 1, False)]
    add_scene(world, summary_id="sum_2", scene_id="scn_2", minute=5, npcs=[])
    end(world, "scn_2")
    assert list_told() == [("bo", "ann", 1, False), ("cy", "bo", 2, False)]


def test_a_teller_keeps_silent_while_it_stands_otherwise_towards_the_party(world):
    make_tellers(world, ann=[{"npc_id": "bo", "disposition_min": 2}, {"npc_id": "cy", "disposition_max": 1}])
    add_scene(world, npcs=["ann"])
    end(world)
    assert list_told() == [("cy", "ann", 1, False)]
    change = [{"npc_id": "ann", "towards": "party", "delta": 2, "reason": "kept promise"}]
    add_scene(world, summary_id="sum_2", scene_id="scn_2", minute=5, npcs=["ann"], relations_delta=change)
    end(world, "scn_2")
    assert list_told() == [("cy", "ann", 1, False), ("bo", "ann", 1, False)]


def test_events_are_passed_on_by_who_was_told_of_them(world):
    make_tellers(world, ann=[{"npc_id": "bo"}])
    add_scene(world, npcs=["ann"])
    add_event(world, party_id="pty_1", notes="War came.", minute=2)
    place = {"tenant_id": world.tenant_id, "world_id": world.pk}
    record_hearsay(**place, npc_id="ann", source="p_A", told_at=timezone.now(), event_id="evt_1")
    end(world)
    told = NpcTold.objects.living().filter(npc_id="bo").values_list("summary__summary_id", "event__event_id")
    assert set(told) == {("sum_1", None), (None, "evt_1")}


def test_a_secret_of_its_own_is_not_passed_on_by_an_npc(world):
    relations = [{**TELLS, "npc_id": "bo"}]
    write_npc(world, "ann", name="Ann", secrets=["Ann burnt the mill"], relations=relations)
    write_npc(world, "bo", name="Bo")
    add_scene(world, npcs=["ann"], notes="They learned that ANN burnt the mill.")
    add_scene(world, summary_id="sum_2", minute=5, npcs=["ann"], notes="They ate.")
    end(world)
    assert knows(world, "bo")[0] == ["sum_2"]


def test_a_telling_is_taken_back_with_what_was_passed_on_of_it(world):
    make_tellers(world, ann=[{"npc_id": "bo"}], bo=[{"npc_id": "cy"}])
    add_scene(world, npcs=["ann"])
    first = end(world).shares[0]
    asked = {
        "tenant_id": world.tenant_id,
        "world_id": world.pk,
        "campaign_id": "camp_1",
        "hearsay_id": first.pk,
        "reason": "a secret",
        "author": "a designer",
    }
    assert [row.npc_id for row in revoke_hearsay(**asked)] == ["bo", "cy"]
    assert revoke_hearsay(**asked) == []
    assert (knows(world, "bo"), knows(world, "cy"), NpcTold.objects.count()) == (([], {}), ([], {}), 2)
    add_scene(world, summary_id="sum_2", scene_id="scn_2", minute=5, npcs=[])
    end(world, "scn_2")
    assert list_told() == []
    with pytest.raises(UnknownHearsay):
        revoke_hearsay(**{**asked, "hearsay_id": 10**9})


def test_what_the_engine_tells_takes_the_place_of_a_rumour(world):
    make_tellers(world, ann=[{"npc_id": "bo", "shares": "rumour"}])
    add_scene(world, npcs=["ann"], flags={"gate": "open"})
    end(world)
    place = {"tenant_id": world.tenant_id, "world_id": world.pk}
    record_hearsay(**place, npc_id="bo", source="p_A", told_at=timezone.now(), summary_id="sum_1")
    assert list_told() == [("bo", "p_A", 0, False)]
    assert knows(world, "bo")[1] == {"gate": "open"}


def test_a_rollback_brings_back_the_rumour_that_was_told_in_full_since(world):
    make_tellers(world, ann=[{"npc_id": "bo", "shares": "rumour"}])
    add_scene(world, npcs=["ann"])
    end(world)
    checkpoint = mark(world)
    place = {"tenant_id": world.tenant_id, "world_id": world.pk}
    in_full = {**place, "npc_id": "bo", "told_at": timezone.now(), "summary_id": "sum_1"}
    record_hearsay(**in_full, source="p_A")
    first = go_to(world, checkpoint)
    assert [(each["npc_id"], each["source"]) for each in first.changes["hearsay"].restored] == [("bo", "ann")]
    assert list_told() == [("bo", "ann", 1, True)]
    record_hearsay(**in_full, source="p_B")
    assert list_told() == [("bo", "p_B", 0, False)]
    second = go_to(world, first.rollback.before)
    assert list_told() == [("bo", "p_A", 0, False)]
    assert [row["source"] for row in second.changes["hearsay"].restored] == ["p_A"]
    assert [row["source"] for row in second.changes["hearsay"].undone] == ["p_B"]
    go_to(world, checkpoint)
    assert list_told() == [("bo", "ann", 1, True)]
    add_scene(
        world, summary_id="sum_2", minute=5, npcs=[], told=[{"npc_id": "bo", "source": "p_C", "summary_id": "sum_1"}]
    )
    assert list_told() == [("bo", "p_C", 0, False)]


def test_a_rumour_that_a_person_took_back_stays_so_through_rollbacks(world):
    make_tellers(world, ann=[{"npc_id": "bo", "shares": "rumour"}])
    add_scene(world, npcs=["ann"])
    rumour = end(world).shares[0]
    checkpoint = mark(world)
    place = {"tenant_id": world.tenant_id, "world_id": world.pk}
    record_hearsay(**place, npc_id="bo", source="p_A", told_at=timezone.now(), summary_id="sum_1")
    back = go_to(world, checkpoint)
    revoke_hearsay(**place, campaign_id="camp_1", hearsay_id=rumour.pk, reason="a secret", author="a designer")
    go_to(world, back.rollback.before)
    assert list_told() == [("bo", "p_A", 0, False)]
    go_to(world, checkpoint)
    assert list_told() == []


def test_tellings_at_a_scenes_end_are_stored_by_hop_and_not_one_by_one(world, django_assert_max_num_queries):
    make_tellers(world, ann=[{"npc_id": f"n{number}"} for number in range(8)], n0=[{"npc_id": "far"}])
    for number in range(1, 6):
        add_scene(world, summary_id=f"sum_{number}", minute=number, npcs=["ann"])
    with django_assert_max_num_queries(21):
        assert len(end(world).shares) == 45


def test_a_rollback_undoes_what_was_passed_on_and_the_scene_may_end_again(world):
    make_tellers(world, ann=[{"npc_id": "bo"}])
    add_scene(world, npcs=["ann"])
    checkpoint = mark(world)
    end(world)
    done = go_to(world, checkpoint)
    assert list_told() == []
    assert end(world).created
    assert list_told() == [("bo", "ann", 1, False)]
    go_to(world, done.rollback.before)
    assert list_told() == [("bo", "ann", 1, False)]


def test_nothing_leaves_its_world_tenant_or_campaign(world):
    make_tellers(world, ann=[{"npc_id": "bo"}])
    for other in (make_world("other", tenant="studio"), make_world("ashfall", tenant="rival")):
        write_npcs_at_once(other)
        make_tellers(other, ann=[{"npc_id": "bo"}])
        start(other)
    start(world, "camp_2")
    add_scene(world, npcs=["ann"])
    add_scene(world, summary_id="sum_2", campaign_id="camp_2", party_id="pty_2", npcs=["ann"])
    end(world, campaign_id="camp_2")
    (told,) = NpcTold.objects.all()
    assert (told.tenant_id, told.summary.summary_id) == (world.tenant_id, "sum_2")


@pytest.mark.parametrize(
    ("relation", "path"),
    [
        ({"npc_id": "ann"}, "static.relations[0].npc_id"),
        ({"npc_id": "bo", "shares": "everything"}, "static.relations[0].shares"),
        ({"npc_id": "bo", "strength": 6}, "static.relations[0].strength"),
        ({"npc_id": "bo", "delay": -1}, "static.relations[0].delay"),
        ({"npc_id": "bo", "disposition_min": 3, "disposition_max": 1}, "static.relations[0].disposition_min"),
        ({"npc_id": "bo", "kind": " "}, "static.relations[0].kind"),
        ({"npc_id": "bo", "tells": "all"}, "static.relations[0]"),
    ],
)
def test_a_relation_that_cannot_be_is_refused_by_its_path(world, relation, path):
    with pytest.raises(InvalidProfile) as refused:
        write_npc(world, "ann", name="Ann", relations=[{**TELLS, **relation}])
    assert refused.value.extra["errors"][0]["path"].startswith(path)


def test_the_database_bounds_hops_and_keeps_tellings_past_the_orm(world):
    make_tellers(world, ann=[{"npc_id": "bo"}])
    add_scene(world, npcs=["ann"])
    end(world)

    def refuse(name, sql):
        with pytest.raises(IntegrityError, match=name), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(sql)

    copy = "INSERT INTO episodes_npctold SELECT (jsonb_populate_record(t, '{}')).* FROM episodes_npctold t"
    refuse("npc_told_hops_bounded", copy.format('{"id": 990, "npc_id": "x", "hop": 3}'))
    refuse("npc_told_hops_bounded", copy.format('{"id": 991, "npc_id": "x", "hop": 0}'))
    refuse("npc_told_unique", copy.format('{"id": 992}'))
    refuse("npc_told_append_only", "UPDATE episodes_npctold SET source = 'cy'")
    refuse("npc_told_revoked_whole", "UPDATE episodes_npctold SET revoked_at = now()")
    refuse("npc_persona_append_only", "UPDATE npcs_npcpersona SET relations = '[]'")


NAMES = ["ann", "bo", "cy", "di", "ed"]
RELATIONS = st.builds(
    Relation,
    npc_id=st.sampled_from(NAMES),
    kind=st.just("friend"),
    strength=st.integers(1, 5),
    shares=st.sampled_from(["all", "rumour", "none"]),
    delay=st.integers(0, 2),
    disposition_min=st.sampled_from([None, -1, 2]),
    disposition_max=st.sampled_from([None, 3]),
)
EDGES = st.lists(
    st.builds(Edge, teller=st.sampled_from(NAMES), relation=RELATIONS),
    max_size=12,
    unique_by=lambda edge: (edge.teller, edge.relation.npc_id),
)
THINGS = st.builds(Thing, st.sampled_from(["summary", "event"]), st.integers(1, 4))
KNOWLEDGE = st.lists(
    st.builds(
        Knowledge,
        npc_id=st.sampled_from(NAMES),
        thing=THINGS,
        party_id=st.just("pty_1"),
        age=st.integers(0, 3),
        hop=st.integers(0, 2),
        is_rumour=st.booleans(),
    ),
    max_size=10,
    unique_by=lambda each: (each.npc_id, each.thing),
)
STANDING = st.dictionaries(st.sampled_from(NAMES), st.integers(-5, 5))
SECRETS = st.sets(st.tuples(st.sampled_from(NAMES), THINGS), max_size=4)


@settings(deadline=None)
@given(KNOWLEDGE, EDGES, STANDING, SECRETS, st.randoms())
def test_over_random_relations_the_spread_is_bounded_open_and_independent_of_order(
    knowledge, edges, standing, secrets, rng
):
    known = {(each.npc_id, each.thing): each for each in knowledge}
    asked = {
        "knows": lambda npc, thing: (npc, thing) in known,
        "disposition": lambda npc, _: standing.get(npc, 0),
        "keeps": lambda npc, thing: (npc, thing) in secrets,
    }
    shares = spread_knowledge(knowledge, edges, **asked)
    shuffled = [rng.sample(each, len(each)) for each in (knowledge, edges)]
    assert spread_knowledge(*shuffled, **asked) == shares
    reached = dict(known)
    for share in shares:
        relation = next(e.relation for e in edges if (e.teller, e.relation.npc_id) == (share.teller, share.listener))
        source = reached[share.teller, share.thing]
        fresh = (share.teller, share.thing) not in known
        assert share.hop == source.hop + 1 <= MAX_HOPS
        assert relation.delay == (0 if fresh else source.age)
        assert relation.is_open(standing.get(share.teller, 0))
        assert (share.teller, share.thing) not in secrets
        assert share.is_rumour == (source.is_rumour or relation.shares == "rumour")
        assert relation.shares != "none"
        assert (share.listener, share.thing) not in reached
        reached[share.listener, share.thing] = share


@given(RELATIONS)
def test_a_line_of_the_form_says_all_of_a_relation(relation):
    read = read_relation(write_relation(relation))
    assert read == relation.as_content()
