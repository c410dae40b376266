"""Checkpoints and rollback of play: what held at a checkpoint holds again, and nothing is deleted."""

from __future__ import annotations

import pytest
from django.utils import timezone

from episodes.campaigns.actions.campaigns import archive_campaign, finish_campaign, restore_campaign
from episodes.campaigns.selectors.campaigns import get_campaign, get_party_state
from episodes.campaigns.selectors.search import search_summaries
from episodes.errors import CampaignClosed, RollbackBlocked, SummaryConflict, UnknownCheckpoint, UnknownSummary
from episodes.models import (
    Campaign,
    Checkpoint,
    EpisodicSummary,
    EventFact,
    Flag,
    FlagChange,
    NpcTold,
    Rollback,
    SummaryPassage,
)
from episodes.npc_memory.actions import record_hearsay
from episodes.rollback.actions.checkpoints import create_checkpoint
from episodes.rollback.actions.rollbacks import roll_back
from episodes.rollback.rendering import render_rolled_back
from npcs.dispositions.actions.moves import compensate_disposition
from npcs.dispositions.selectors import list_impacts
from npcs.models import Disposition, DispositionEntry
from tests.database import assert_refused
from tests.factories.campaigns import add_event, add_scene, start

pytestmark = pytest.mark.django_db


def move(delta, towards="party"):
    return [{"npc_id": "npc_LiShen", "towards": towards, "delta": delta, "reason": "kept promise"}]


def mark(world, label="here", campaign_id="camp_1"):
    place = {"tenant_id": world.tenant_id, "world_id": world.pk}
    return create_checkpoint(**place, campaign_id=campaign_id, label=label, author="engine")


def go_to(world, checkpoint, *, dry_run=False, campaign_id="camp_1"):
    place = {"tenant_id": world.tenant_id, "world_id": world.pk}
    return roll_back(
        **place,
        campaign_id=campaign_id,
        checkpoint_id=checkpoint.pk,
        reason="loaded a saved game",
        author="engine",
        dry_run=dry_run,
    )


def read_state(world, party_id="pty_1"):
    """All that readers see of a party, and where NPCs stand."""
    state = get_party_state(tenant_id=world.tenant_id, world_id=world.pk, party_id=party_id, k=20)
    standing = Disposition.objects.exclude(value=0).order_by("pk").values_list("party_id", "end_user", "value")
    return {
        "summaries": [each.summary_id for each in state.summaries],
        "events": [each.event_id for each in state.events],
        "flags": state.flags,
        "players": state.players,
        "place": (state.scene_id, state.location_id),
        "dispositions": list(standing),
        "told": list(NpcTold.objects.living().order_by("pk").values_list("npc_id", "source")),
    }


def describe(done):
    return render_rolled_back(done)["changes"]


def test_t1_two_scenes_after_a_checkpoint_are_undone_and_history_is_kept(world):
    add_scene(world, summary_id="sum_1", flags={"gate": "shut"}, relations_delta=move(1))
    then = read_state(world)
    checkpoint = mark(world)
    add_scene(world, summary_id="sum_2", scene_id="scn_2", minute=5, flags={"gate": "open"}, relations_delta=move(2))
    add_scene(
        world, summary_id="sum_3", scene_id="scn_3", minute=9, flags={"key": True}, relations_delta=move(-1, "p_A")
    )
    done = go_to(world, checkpoint)
    assert read_state(world) == then
    assert Flag.objects.get(name="gate").value == "shut"
    assert not Flag.objects.get(name="key").is_set
    assert (EpisodicSummary.objects.count(), FlagChange.objects.count()) == (3, 3)
    assert list(EpisodicSummary.objects.living().values_list("summary_id", flat=True)) == ["sum_1"]
    moves = DispositionEntry.objects.order_by("pk").values_list("delta", "author", "rollback_id")
    assert list(moves) == [
        (1, "", None), (2, "", None), (-1, "", None), (1, "engine", done.rollback.pk), (-2, "engine", done.rollback.pk),
    ]  # fmt: skip
    assert [each["summary_id"] for each in describe(done)["summaries"]["undone"]] == ["sum_2", "sum_3"]
    assert describe(done)["flags"]["changed"] == [
        {"name": "gate", "party_id": "pty_1", "from": "open", "to": "shut"},
        {"name": "key", "party_id": "pty_1", "from": True, "to": None},
    ]


def test_a_dry_run_lists_what_the_rollback_then_does_and_changes_nothing(world):
    checkpoint = mark(world)
    add_scene(world, flags={"gate": "open"}, relations_delta=move(2))
    add_event(world, party_id="pty_1", minute=3, flags={"oath": True}, notes="They swore.")
    before = (read_state(world), Checkpoint.objects.count(), DispositionEntry.objects.count())
    dry = go_to(world, checkpoint, dry_run=True)
    assert (read_state(world), Checkpoint.objects.count(), DispositionEntry.objects.count()) == before
    assert (dry.rollback, Rollback.objects.count()) == (None, 0)
    assert describe(dry) == describe(go_to(world, checkpoint))


def test_what_is_undone_is_neither_searched_nor_in_packs_and_may_be_told_anew(world):
    checkpoint = mark(world)
    add_scene(world, notes="The keeper lent the moon key.", relations_delta=move(2))
    go_to(world, checkpoint)
    place = {"tenant_id": world.tenant_id, "world_id": world.pk, "campaign_id": "camp_1"}
    assert search_summaries(**place, query="moon key").hits == ()
    assert SummaryPassage.objects.count() == 0
    assert get_campaign(**place).summary_count == 0
    again = add_scene(world, notes="The keeper kept the moon key.", relations_delta=move(1))
    assert again.created
    assert Disposition.objects.get().value == 1
    npc = Disposition.objects.get().npc_id
    impacts = list_impacts(
        tenant_id=world.tenant_id, npc_pk=npc, towards_kind="party", towards_id="pty_1", summary_ids=["sum_1"]
    )
    assert impacts == {"sum_1": 1}
    with pytest.raises(SummaryConflict):
        add_scene(world, notes="Otherwise.")


def test_a_rollback_is_undone_by_going_to_where_play_stood(world):
    add_scene(world, relations_delta=move(1))
    checkpoint = mark(world)
    add_scene(world, summary_id="sum_2", minute=5, flags={"gate": "open"}, relations_delta=move(2))
    then = read_state(world)
    first = go_to(world, checkpoint)
    add_scene(world, summary_id="sum_2", minute=6, flags={"gate": "burnt"}, relations_delta=move(-3))
    other = read_state(world)
    second = go_to(world, first.rollback.before)
    assert read_state(world) == then
    assert SummaryPassage.objects.filter(summary__summary_id="sum_2").count() == 1
    npc = Disposition.objects.get().npc_id
    impacts = {"tenant_id": world.tenant_id, "npc_pk": npc, "towards_kind": "party", "towards_id": "pty_1"}
    assert list_impacts(**impacts, summary_ids=["sum_2"]) == {"sum_2": 2}
    third = go_to(world, second.rollback.before)
    assert read_state(world) == other
    go_to(world, third.rollback.before)
    assert read_state(world) == then
    assert list_impacts(**impacts, summary_ids=["sum_1", "sum_2"]) == {"sum_1": 1, "sum_2": 2}


def test_a_second_rollback_to_the_same_place_changes_nothing(world):
    checkpoint = mark(world)
    add_scene(world)
    go_to(world, checkpoint)
    again = go_to(world, checkpoint)
    assert (again.is_changed, again.rollback, Rollback.objects.count()) == (False, None, 1)


def test_a_compensation_by_a_person_stands_through_rollbacks(world):
    checkpoint = mark(world)
    add_scene(world, relations_delta=move(2))
    entry = DispositionEntry.objects.get()
    place = {"tenant_id": world.tenant_id, "world_id": world.pk}
    compensate_disposition(
        **place, npc_id="npc_LiShen", entry_id=entry.pk, reason="the wrong party", author="a designer"
    )
    done = go_to(world, checkpoint)
    assert Disposition.objects.get().value == 0
    go_to(world, done.rollback.before)
    assert Disposition.objects.get().value == 0
    assert DispositionEntry.objects.count() == 2


def test_where_the_scale_ended_the_way_back_is_exact(world):
    add_scene(world, relations_delta=move(3))
    checkpoint = mark(world)
    for number in range(2, 5):
        add_scene(world, summary_id=f"sum_{number}", minute=number, relations_delta=move(3))
    add_scene(world, summary_id="sum_9", minute=9, relations_delta=move(-1))
    assert Disposition.objects.get().value == 4
    done = go_to(world, checkpoint)
    assert Disposition.objects.get().value == 3
    go_to(world, done.rollback.before)
    assert Disposition.objects.get().value == 4


def test_hearsay_and_players_of_undone_scenes_go_and_come_back(world):
    add_scene(world)
    checkpoint = mark(world)
    place = {"tenant_id": world.tenant_id, "world_id": world.pk}
    told = {"npc_id": "npc_Oda", "source": "p_A", "told_at": timezone.now()}
    record_hearsay(**place, **told, summary_id="sum_1")
    add_scene(world, summary_id="sum_2", minute=5, who={"players": ["p_A", "p_C"], "npcs": []})
    assert read_state(world)["players"] == ("p_A", "p_B", "p_C")
    then = read_state(world)
    done = go_to(world, checkpoint)
    assert (read_state(world)["players"], read_state(world)["told"]) == (("p_A", "p_B"), [])
    assert describe(done)["members"]["undone"] == [{"party_id": "pty_1", "user_id": "p_C"}]
    with pytest.raises(UnknownSummary):
        record_hearsay(**place, **told, summary_id="sum_2")
    go_to(world, done.rollback.before)
    assert read_state(world) == then


def test_a_flag_told_late_is_as_it_was(world):
    add_scene(world, minute=9, flags={"gate": "new"})
    checkpoint = mark(world)
    add_scene(world, summary_id="sum_2", minute=5, flags={"gate": "late"})
    add_scene(world, summary_id="sum_3", minute=20, flags={"gate": "newest"})
    go_to(world, checkpoint)
    assert Flag.objects.get().value == "new"


def test_another_campaign_stays_as_it_is(world):
    start(world, "camp_2")
    other = {"campaign_id": "camp_2", "party_id": "pty_2"}
    checkpoint = mark(world)
    add_scene(world, relations_delta=move(1, "p_A"))
    add_scene(world, summary_id="sum_o", **other, flags={"gate": "open"}, relations_delta=move(2, "p_A"))
    go_to(world, checkpoint)
    assert read_state(world, "pty_2")["summaries"] == ["sum_o"]
    assert Disposition.objects.get().value == 2
    with pytest.raises(UnknownCheckpoint):
        go_to(world, mark(world, campaign_id="camp_2"))


def test_a_closed_campaign_goes_nowhere(world):
    checkpoint = mark(world)
    add_scene(world)
    place = {"tenant_id": world.tenant_id, "world_id": world.pk, "external_id": "camp_1"}
    for close, because in ((finish_campaign, "campaign_finished"), (archive_campaign, "campaign_archived")):
        close(**place)
        with pytest.raises(RollbackBlocked) as blocked:
            go_to(world, checkpoint)
        assert blocked.value.extra["because"] == because
        with pytest.raises(CampaignClosed):
            mark(world)
    restore_campaign(**place)
    go_to(world, checkpoint)
    finish_campaign(**place)
    archive_campaign(**place)
    restore_campaign(**place)
    assert SummaryPassage.objects.count() == 0


def test_the_database_keeps_checkpoints_and_rollbacks_past_the_orm(world):
    checkpoint = mark(world)
    add_scene(world)
    add_event(world)
    done = go_to(world, checkpoint)
    assert_refused("checkpoint_append_only", "UPDATE episodes_checkpoint SET label = 'x'")
    assert_refused("checkpoint_append_only", "DELETE FROM episodes_checkpoint")
    assert_refused("rollback_append_only", "UPDATE episodes_rollback SET reason = 'x'")
    assert_refused("rollback_outcome_append_only", "UPDATE episodes_rollbackoutcome SET undone = 9")
    start(world, "camp_2")
    foreign = mark(world, campaign_id="camp_2")
    second = Campaign.objects.get(external_id="camp_2").pk
    assert_refused("campaign_head_is_its_own", "UPDATE episodes_campaign SET head_id = %s", [checkpoint.pk])
    assert_refused("summary_append_only", "UPDATE episodes_episodicsummary SET checkpoint_id = NULL")
    add_scene(world, summary_id="sum_2", campaign_id="camp_2", party_id="pty_2")
    assert_refused(
        "summary_of_one_line",
        "UPDATE episodes_episodicsummary SET undone_by_id = %s WHERE campaign_id = %s",
        [done.rollback.pk, second],
    )
    assert_refused(
        "checkpoint_keeps_together",
        "INSERT INTO episodes_checkpoint (tenant_id, campaign_id, parent_id, kind, label, seq, created_by)"
        " VALUES (%s, %s, %s, 'engine', 'x', 0, 'x')",
        [world.tenant_id, second, checkpoint.pk],
    )
    assert_refused(
        "rollback_keeps_together",
        "INSERT INTO episodes_rollback (tenant_id, campaign_id, target_id, before_id, reason, created_by)"
        " VALUES (%s, %s, %s, %s, 'x', 'x')",
        [world.tenant_id, second, foreign.pk, checkpoint.pk],
    )
    undone = EpisodicSummary.objects.get(summary_id="sum_1")
    passage = SummaryPassage.objects.get()
    copied = (
        "INSERT INTO episodes_summarypassage SELECT (jsonb_populate_record(p, %s)).* FROM episodes_summarypassage p"
    )
    assert_refused("summary_passage_holds", copied, [f'{{"id": {passage.pk + 1}, "summary_id": {undone.pk}}}'])
    assert EventFact.objects.get().undone_by_id == done.rollback.pk
