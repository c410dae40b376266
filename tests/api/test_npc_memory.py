"""Which scenes an NPC remembers, through REST."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from episodes.campaigns.actions.campaigns import archive_campaign, finish_campaign, restore_campaign
from episodes.campaigns.actions.passages import expire_summaries
from episodes.npc_memory.selectors.memory import MEMORY_SHOWN, get_npc
from npcs.dispositions.actions.moves import compensate_disposition
from npcs.models import DispositionEntry
from tenancy.actions.worlds import ensure_tenant, ensure_world
from tests.factories.campaigns import add_scene, start
from tests.factories.npcs import make_npc

KEEPER, ODA = "npc_LiShen", "npc_Oda"
CHANGE = {"npc_id": KEEPER, "towards": "party", "delta": 1, "reason": "kept promise"}


@pytest.fixture
def play(world):
    make_npc(world)
    make_npc(world, ODA)
    start(world)
    return world


@pytest.fixture
def remembers(api, play):
    """What an NPC remembers: summary, how it is known, impact."""

    def remembers(npc_id=KEEPER, *, of=api, **towards):
        answer = of.get(f"npcs/{npc_id}", towards or {"party_id": "pty_1"})
        assert answer.status_code == 200, answer.content
        return [tuple(each.values()) for each in answer.json()["dynamic"]["memory"]]

    return remembers


def make_hearsay(summary_id, npc_id=ODA):
    return [{"npc_id": npc_id, "summary_id": summary_id, "source": "p_A"}]


def test_scenes_that_it_saw_or_was_told_of_are_listed_newest_first_with_their_impact(play, remembers):
    add_scene(play, relations_delta=[CHANGE, {**CHANGE, "delta": 0.5}])
    add_scene(play, summary_id="sum_2", minute=5, npcs=[KEEPER, ODA])
    add_scene(play, summary_id="sum_3", minute=9, npcs=[ODA], told=make_hearsay("sum_1"))
    assert remembers() == [("sum_2", "present", None), ("sum_1", "present", "trust+1.5")]
    assert remembers(ODA) == [("sum_3", "present", None), ("sum_2", "present", None), ("sum_1", "told", None)]


def test_who_saw_a_scene_and_was_told_of_it_too_was_there(play, remembers):
    add_scene(play, npcs=[ODA])
    add_scene(play, summary_id="sum_2", minute=5, npcs=[], told=make_hearsay("sum_1"))
    assert remembers(ODA) == [("sum_1", "present", None)]


def test_a_scene_that_moved_an_npc_without_its_knowing_is_not_remembered(api, play, remembers):
    add_scene(play, npcs=[ODA], relations_delta=[CHANGE])
    assert remembers() == []
    told = api.get(f"npcs/{KEEPER}", {"party_id": "pty_1"}).json()
    assert (told["dynamic"]["disposition"], told["last_changes"][0]["summary_id"]) == ({"party_id:pty_1": 1}, "sum_1")


def test_a_move_that_was_taken_back_is_no_impact(play, remembers):
    add_scene(play, relations_delta=[CHANGE, {**CHANGE, "delta": 2}])
    (first, _) = DispositionEntry.objects.order_by("seq")
    names = {"tenant_id": play.tenant_id, "world_id": play.pk, "npc_id": KEEPER}
    compensate_disposition(**names, entry_id=first.pk, reason="the wrong party", author="test")
    assert remembers() == [("sum_1", "present", "trust+2")]


@pytest.mark.parametrize("deltas", [(2, -2), (3, 3, 3)])
def test_a_scene_that_moved_it_back_and_forth_or_past_the_end_is_no_impact(play, remembers, deltas):
    add_scene(play, relations_delta=[{**CHANGE, "delta": 3}, {**CHANGE, "delta": 2}] if len(deltas) > 2 else [])
    changes = [{**CHANGE, "delta": delta} for delta in deltas]
    add_scene(play, summary_id="sum_2", minute=5, relations_delta=changes)
    assert remembers()[0] == ("sum_2", "present", None)


def test_of_another_party_it_lists_nothing_and_of_a_player_all_of_their_parties(play, remembers):
    add_scene(play, relations_delta=[{**CHANGE, "towards": "p_A"}])
    start(play, "camp_2")
    two = {"campaign_id": "camp_2", "party_id": "pty_2", "scene_id": "scn_2"}
    add_scene(play, summary_id="sum_2", minute=5, who={"players": ["p_A"], "npcs": [KEEPER]}, **two)
    assert remembers(party_id="pty_2") == [("sum_2", "present", None)]
    assert remembers(party_id="pty_none") == []
    assert remembers(user_id="p_A") == [("sum_2", "present", None), ("sum_1", "present", "trust+1")]
    assert remembers(user_id="p_B") == [("sum_1", "present", None)]
    assert remembers(user_id="p_none") == []


def test_without_a_party_or_a_player_nothing_is_listed(api, play):
    add_scene(play)
    assert api.get(f"npcs/{KEEPER}").json()["dynamic"] == {"disposition": {}, "memory": []}


def test_archived_and_expired_scenes_are_not_remembered(play, remembers):
    place = {"tenant_id": play.tenant_id, "world_id": play.pk, "external_id": "camp_1"}
    add_scene(play)
    finish_campaign(**place)
    assert remembers() == [("sum_1", "present", None)]
    archive_campaign(**place)
    assert remembers() == []
    restore_campaign(**place)
    assert remembers() == [("sum_1", "present", None)]
    assert expire_summaries(now=timezone.now() + dt.timedelta(days=181)) == 1
    assert remembers() == []


def test_no_more_than_the_newest_are_listed(play, remembers):
    for number in range(MEMORY_SHOWN + 2):
        add_scene(play, summary_id=f"sum_{number}", minute=number)
    known = [summary_id for summary_id, _, _ in remembers()]
    assert known == [f"sum_{number}" for number in range(MEMORY_SHOWN + 1, 1, -1)]


def test_scenes_of_another_tenant_and_another_world_are_not_remembered(make_api, tenant, play, remembers):
    add_scene(play)
    rival = ensure_tenant(slug="rival")
    theirs = ensure_world(tenant_id=rival.pk, slug="ashfall")
    second = ensure_world(tenant_id=tenant.pk, slug="second")
    for world in (theirs, second):
        make_npc(world)
        start(world)
        add_scene(world, summary_id=f"sum_of_{world.pk}", minute=5)
    here, there = make_api(headers={"X-Site-ID": "ashfall"}), make_api(headers={"X-Site-ID": "second"})
    for towards in ({"party_id": "pty_1"}, {"user_id": "p_A"}):
        assert remembers(of=here, **towards) == [("sum_1", "present", None)]
        assert remembers(of=make_api(of=rival), **towards) == [(f"sum_of_{theirs.pk}", "present", None)]
        assert remembers(of=there, **towards) == [(f"sum_of_{second.pk}", "present", None)]


@pytest.mark.parametrize("towards", [("party", "pty_1"), ("user", "p_A")])
def test_memory_takes_as_many_queries_for_many_scenes_as_for_few(play, towards, django_assert_num_queries):
    asked = {"tenant_id": play.tenant_id, "world_id": play.pk, "npc_id": KEEPER, "with_secrets": False}
    for size in (2, 30):
        for number in range(size):
            changes = [{**CHANGE, "delta": 0.1}, {**CHANGE, "towards": "p_A", "delta": 0.1}]
            add_scene(play, summary_id=f"{size}_{number}", minute=number, relations_delta=changes)
        with django_assert_num_queries(5):
            npc = get_npc(**asked, towards=towards)
        assert [each.impact for each in npc.memory] == [0.1] * min(size, MEMORY_SHOWN)
