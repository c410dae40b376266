"""A summary brings all that follows from it, once, or nothing at all."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from episodes import tasks
from episodes.campaigns.actions.campaigns import (
    archive_campaign,
    finish_campaign,
    open_campaign,
    restore_campaign,
    set_play_policy,
)
from episodes.campaigns.actions.passages import embed_summaries, expire_summaries
from episodes.campaigns.selectors.campaigns import get_campaign, get_party_state, list_campaigns, open_summaries
from episodes.campaigns.selectors.flags import CHANGES_SHOWN, list_flags
from episodes.campaigns.selectors.search import search_summaries
from episodes.embedding import priorities
from episodes.errors import (
    CampaignClosed,
    CampaignStateConflict,
    EventConflict,
    InvalidCampaign,
    InvalidSummary,
    PlaceTaken,
    SummaryConflict,
    UnknownCampaign,
    UnknownParty,
    UnknownSummary,
)
from episodes.models import (
    EpisodicSummary,
    EventFact,
    Flag,
    FlagChange,
    Loot,
    NpcPresence,
    NpcTold,
    Party,
    PartyMember,
    Scene,
    SummaryPassage,
)
from episodes.npc_memory.actions import record_hearsay
from episodes.npc_memory.selectors.knowledge import filter_known_by_npc
from episodes.transfer.campaign_files import export_campaign, load_campaign
from npcs.errors import DeltaOutOfBounds, UnknownNpc
from npcs.models import Disposition, DispositionEntry
from tests.database import assert_refused
from tests.factories.campaigns import add_event, add_scene, make_body, start
from tests.factories.npcs import make_npc
from tests.factories.tenants import make_world

CHANGE = {"npc_id": "npc_LiShen", "towards": "party", "delta": 1, "reason": "kept promise"}


@pytest.fixture
def place(world):
    return {"tenant_id": world.tenant_id, "world_id": world.pk}


def count_rows():
    models = (
        EpisodicSummary, EventFact, Flag, FlagChange, Loot, NpcPresence, NpcTold, Party, PartyMember, Scene,
        SummaryPassage, Disposition, DispositionEntry,
    )  # fmt: skip
    return [model.objects.count() for model in models]


def test_one_summary_stores_all_that_follows_and_says_what_changed(world, place):
    body = make_body(flags={"gate": "open", "oath": True, "coins": 3}, relations_delta=[CHANGE])
    body["what"]["loot"] = [{"item_id": "amulet_moon", "qty": 2}]
    recorded = add_scene(world, body)
    assert recorded.created
    assert [(move.name, move.old_value, move.new_value) for move in recorded.flags] == [
        ("coins", None, 3), ("gate", None, "open"), ("oath", None, True),
    ]  # fmt: skip
    assert [(moved.npc_id, moved.applied, moved.value) for moved in recorded.dispositions] == [("npc_LiShen", 1, 1)]
    entry = DispositionEntry.objects.get()
    assert (entry.summary_id, entry.campaign_id, entry.reason) == ("sum_1", "camp_1", "kept promise")
    assert (Loot.objects.get().item_id, Loot.objects.get().qty) == ("amulet_moon", 2)
    state = get_party_state(**place, party_id="pty_1")
    assert state.flags == {"coins": 3, "gate": "open", "oath": True}
    assert (state.scene_id, state.location_id, state.players) == ("scn_1", "loc_moon_bridge", ("p_A", "p_B"))


def test_a_delta_towards_a_player_moves_only_that(world):
    add_scene(world, relations_delta=[{**CHANGE, "towards": "p_B", "delta": -1}])
    disposition = Disposition.objects.get()
    assert (disposition.party_id, disposition.end_user.external_id, disposition.value) == ("", "p_B", -1)


def test_the_same_summary_again_changes_nothing(world):
    body = make_body(flags={"gate": "open"}, relations_delta=[CHANGE])
    first = add_scene(world, body)
    before = count_rows()
    again = add_scene(world, body)
    assert (again.created, again.summary.pk, again.flags, again.dispositions) == (False, first.summary.pk, (), ())
    assert count_rows() == before


def test_another_body_under_the_same_id_is_a_conflict(world):
    add_scene(world)
    with pytest.raises(SummaryConflict):
        add_scene(world, notes="It was otherwise.")
    start(world, "camp_2")
    with pytest.raises(SummaryConflict):
        add_scene(world, campaign_id="camp_2", party_id="pty_2")


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"relations_delta": [CHANGE, {**CHANGE, "delta": 999}]}, DeltaOutOfBounds),
        ({"relations_delta": [{**CHANGE, "npc_id": "npc_nobody"}]}, UnknownNpc),
        ({"told": [{"npc_id": "npc_Oda", "summary_id": "sum_none", "source": "p_A"}]}, InvalidSummary),
        ({"told": [{"npc_id": "npc_Oda", "summary_id": "sum_1", "source": "p_A"}]}, InvalidSummary),
        ({"campaign_id": "camp_none"}, UnknownCampaign),
    ],
)
def test_what_is_refused_changes_nothing(world, change, error):
    before = count_rows()
    with pytest.raises(error):
        add_scene(world, **{"flags": {"gate": "open"}, **change})
    assert count_rows() == before


def test_a_scene_may_have_several_summaries_and_a_party_one_campaign(world, place):
    add_scene(world)
    add_scene(world, summary_id="sum_2", minute=5)
    assert (Scene.objects.count(), Party.objects.count()) == (1, 1)
    with pytest.raises(PlaceTaken) as caught:
        add_scene(world, summary_id="sum_3", party_id="pty_2")
    assert caught.value.code == "scene_of_other_party"
    start(world, "camp_2")
    with pytest.raises(PlaceTaken) as caught:
        add_scene(world, summary_id="sum_3", campaign_id="camp_2")
    assert caught.value.code == "party_in_other_campaign"


def test_flags_keep_their_history_and_what_happened_later_wins(world, place):
    add_scene(world, flags={"gate": "shut"}, minute=0)
    add_scene(world, summary_id="sum_3", flags={"gate": "open"}, minute=20)
    late = add_scene(world, summary_id="sum_2", flags={"gate": "ajar"}, minute=10)
    assert [(move.old_value, move.new_value, move.is_late) for move in late.flags] == [("open", "ajar", True)]
    (flag,) = list_flags(**place, campaign_id="camp_1").flags
    assert (flag.value, flag.party_id) == ("open", "pty_1")
    assert [(each.summary_id, each.old_value, each.new_value) for each in flag.changes] == [
        ("sum_2", "open", "ajar"), ("sum_3", "shut", "open"), ("sum_1", None, "shut"),
    ]  # fmt: skip


def test_an_event_sets_flags_of_the_whole_campaign_under_those_of_the_party(world, place):
    add_scene(world, flags={"gate": "open"})
    first = add_event(world, flags={"gate": "shut", "war": True}, minute=9, notes="War came.")
    assert first.created
    assert not add_event(world, flags={"gate": "shut", "war": True}, minute=9, notes="War came.").created
    with pytest.raises(EventConflict):
        add_event(world, flags={"war": False})
    assert get_party_state(**place, party_id="pty_1").flags == {"gate": "open", "war": True}
    (war,) = list_flags(**place, campaign_id="camp_1", name="war").flags
    assert (war.party_id, war.changes[0].event_id) == (None, "evt_1")


def list_known(world, npc_id, campaign_id):
    """What an NPC knows of a campaign, the last told first."""
    rows = filter_known_by_npc(open_summaries(world.tenant_id), tenant_id=world.tenant_id, npc_id=npc_id)
    return list(rows.filter(campaign__external_id=campaign_id).order_by("-seq").values_list("summary_id", flat=True))


def test_flags_are_told_by_so_many_names_each_with_its_last_changes(world, place):
    for number in range(CHANGES_SHOWN + 5):
        add_scene(world, summary_id=f"sum_{number}", minute=number, flags={"bell": number, "gate": "open"})
    add_event(world, minute=50, flags={"bell": "cracked", "war": True})
    page = list_flags(**place, campaign_id="camp_1", limit=2)
    assert ([(flag.name, flag.party_id) for flag in page.flags], page.next_after) == (
        [("bell", "pty_1"), ("bell", None), ("gate", "pty_1")], "gate",
    )  # fmt: skip
    newest = [change.new_value for change in page.flags[0].changes]
    assert newest == list(range(CHANGES_SHOWN + 4, 4, -1))
    rest = list_flags(**place, campaign_id="camp_1", after="gate", limit=2)
    assert ([flag.name for flag in rest.flags], rest.next_after) == (["war"], None)
    assert list_flags(**place, campaign_id="camp_1", limit=3).next_after is None


def test_an_npc_knows_what_it_saw_and_what_it_was_told_and_nothing_else(world, place):
    add_scene(world, npcs=["npc_LiShen"], notes="A secret stair opens under the arch.")
    add_scene(world, summary_id="sum_2", minute=5, npcs=["npc_Oda"], notes="The bell was struck twice.")

    def known(npc_id):
        return list_known(world, npc_id, "camp_1")

    def found(npc_id):
        result = search_summaries(**place, campaign_id="camp_1", query="secret stair arch bell struck", npc_id=npc_id)
        return {hit.summary.summary_id for hit in result.hits}

    assert (known("npc_LiShen"), known("npc_Oda"), known("npc_Nobody")) == (["sum_1"], ["sum_2"], [])
    assert (found("npc_LiShen"), found("npc_Oda"), found("npc_Nobody")) == ({"sum_1"}, {"sum_2"}, set())
    told = [{"npc_id": "npc_Oda", "summary_id": "sum_1", "source": "p_A"}]
    assert add_scene(world, summary_id="sum_3", scene_id="scn_2", minute=9, npcs=["npc_Oda"], told=told).told == 1
    assert known("npc_Oda") == ["sum_3", "sum_2", "sum_1"]
    assert found("npc_Oda") >= {"sum_1", "sum_2"}
    row = NpcTold.objects.get()
    assert (row.source, row.told_in.summary_id) == ("p_A", "sum_3")


def test_the_engine_may_tell_an_npc_and_the_first_teller_stands(world, place):
    add_scene(world)
    now = timezone.now()
    first = record_hearsay(**place, npc_id="npc_Oda", summary_id="sum_1", source="p_A", told_at=now)
    again = record_hearsay(**place, npc_id="npc_Oda", summary_id="sum_1", source="p_B", told_at=now)
    assert (first.created, again.created, again.told.source) == (True, False, "p_A")
    with pytest.raises(UnknownSummary):
        record_hearsay(**place, npc_id="npc_Oda", summary_id="sum_9", source="p_A", told_at=now)


def test_the_same_npc_does_not_carry_what_it_knows_into_another_campaign(world, place):
    add_scene(world)
    start(world, "camp_2")
    assert list_known(world, "npc_LiShen", "camp_1") == ["sum_1"]
    assert list_known(world, "npc_LiShen", "camp_2") == []
    assert search_summaries(**place, campaign_id="camp_2", query="moon key", npc_id="npc_LiShen").hits == ()


def test_summaries_are_found_by_their_words_within_their_campaign_and_party(world, place):
    add_scene(world, notes="The keeper lent the moon key.")
    add_scene(world, summary_id="sum_2", party_id="pty_2", scene_id="scn_2", notes="Rafters lost a moon lantern.")
    found = search_summaries(**place, campaign_id="camp_1", query="moon key")
    assert found.hits[0].summary.summary_id == "sum_1"
    assert found.degraded == ()
    of_party = search_summaries(**place, campaign_id="camp_1", query="moon key", party_id="pty_2")
    assert [hit.summary.summary_id for hit in of_party.hits] == ["sum_2"]
    with pytest.raises(UnknownParty):
        search_summaries(**place, campaign_id="camp_1", query="moon", party_id="pty_9")


def test_a_summary_gets_its_vector_and_one_of_another_embedder_is_never_compared(world, place):
    add_scene(world)
    assert (embed_summaries(world.pk).done, SummaryPassage.objects.get().embedding_state) == (0, "pending")
    campaign = get_campaign(**place, campaign_id="camp_1").campaign
    assert embed_summaries(campaign.pk).done == 1
    assert SummaryPassage.objects.get().embedder == "hashing-v1/768"
    SummaryPassage.objects.update(embedder="other/1024")
    found = search_summaries(**place, campaign_id="camp_1", query="moon key")
    assert (len(found.hits), found.degraded) == (1, ("embedder_changed",))


def test_a_new_summary_is_queued_for_its_vector(world, monkeypatch, django_capture_on_commit_callbacks):
    sent = []
    monkeypatch.setattr(tasks.embed_summaries, "apply_async", lambda args, priority, **_: sent.append((args, priority)))
    with django_capture_on_commit_callbacks(execute=True):
        recorded = add_scene(world)
    assert sent == [((recorded.summary.campaign_id,), priorities.PRIORITY_HIGH)]


def test_the_sweeper_picks_up_what_waits(world, monkeypatch, redis):
    recorded = add_scene(world)
    SummaryPassage.objects.update(created_at=timezone.now() - dt.timedelta(hours=2))
    sent = []
    monkeypatch.setattr(tasks.embed_backlog, "apply_async", lambda args, priority, **_: sent.append((args, priority)))
    tasks.sweep_embeddings()
    assert sent == [((recorded.summary.tenant_id,), priorities.PRIORITY_RECOVERY)]
    tasks.embed_backlog.apply(sent[0][0])
    assert SummaryPassage.objects.get().embedding_state == "done"


def test_summaries_expire_by_the_policy_of_their_world_and_stay_in_the_archive(world, place):
    add_scene(world)
    set_play_policy(**place, summary_ttl_days=90)
    now = timezone.now()
    assert expire_summaries(now=now + dt.timedelta(days=89)) == 0
    assert expire_summaries(now=now + dt.timedelta(days=91)) == 1
    assert get_party_state(**place, party_id="pty_1").summaries == ()
    assert search_summaries(**place, campaign_id="camp_1", query="moon key").hits == ()
    assert list_known(world, "npc_LiShen", "camp_1") == []
    assert len(export_campaign(**place, campaign_id="camp_1")["entries"]) == 1


def test_without_a_policy_summaries_live_for_half_a_year_and_never_less_than_a_quarter(world, place):
    add_scene(world)
    now = timezone.now()
    assert expire_summaries(now=now + dt.timedelta(days=179)) == 0
    assert expire_summaries(now=now + dt.timedelta(days=181)) == 1
    for days in (89, 181, 0):
        with pytest.raises(InvalidCampaign):
            set_play_policy(**place, summary_ttl_days=days)


def test_a_finished_campaign_is_found_but_takes_nothing_more(world, place):
    body = make_body()
    add_scene(world, body)
    finish_campaign(**place, external_id="camp_1")
    assert len(search_summaries(**place, campaign_id="camp_1", query="moon key").hits) == 1
    with pytest.raises(CampaignClosed):
        add_scene(world, summary_id="sum_2")
    with pytest.raises(CampaignClosed):
        add_event(world)
    assert not add_scene(world, body).created


def test_an_archived_campaign_is_kept_and_not_found_until_it_is_restored(world, place):
    add_scene(world, flags={"gate": "open"})
    with pytest.raises(CampaignStateConflict):
        archive_campaign(**place, external_id="camp_1")
    finish_campaign(**place, external_id="camp_1")
    archive_campaign(**place, external_id="camp_1")
    archive_campaign(**place, external_id="camp_1")
    with pytest.raises(CampaignStateConflict):
        finish_campaign(**place, external_id="camp_1")
    assert search_summaries(**place, campaign_id="camp_1", query="moon key").hits == ()
    assert get_party_state(**place, party_id="pty_1").summaries == ()
    assert not SummaryPassage.objects.exists()
    assert get_campaign(**place, campaign_id="camp_1").summary_count == 1
    EpisodicSummary.objects.update(expired_at=timezone.now())
    assert restore_campaign(**place, external_id="camp_1").state == "active"
    assert len(search_summaries(**place, campaign_id="camp_1", query="moon key").hits) == 1
    assert expire_summaries(now=timezone.now() + dt.timedelta(days=170)) == 0
    assert add_scene(world, summary_id="sum_2").created


def test_a_campaign_goes_out_and_comes_back_in_another_world_the_same(world, place):
    add_scene(world, flags={"gate": "open"}, relations_delta=[CHANGE])
    add_event(world, flags={"war": True}, minute=2)
    told = [{"npc_id": "npc_Oda", "summary_id": "sum_1", "source": "p_A"}]
    add_scene(world, summary_id="sum_2", minute=5, flags={"gate": "shut"}, told=told)
    record_hearsay(**place, npc_id="npc_Tomas", event_id="evt_1", source="p_B", told_at=timezone.now())
    finish_campaign(**place, external_id="camp_1")
    document = export_campaign(**place, campaign_id="camp_1")
    other = make_world("second", tenant="studio")
    with pytest.raises(UnknownNpc):
        load_campaign(tenant_id=other.tenant_id, world_id=other.pk, document=document)
    make_npc(other)
    loaded = load_campaign(tenant_id=other.tenant_id, world_id=other.pk, document=document)
    assert (loaded.state, loaded.last_seq) == ("finished", 3)
    there = {"tenant_id": other.tenant_id, "world_id": other.pk}
    assert export_campaign(**there, campaign_id="camp_1") == document
    assert list_flags(**there, campaign_id="camp_1") == list_flags(**place, campaign_id="camp_1")
    assert Disposition.objects.filter(npc__world=other).get().value == 1
    with pytest.raises(InvalidCampaign, match="already"):
        load_campaign(**there, document=document)


@pytest.mark.parametrize("document", [None, [], {}, {"format": "x"}, {"format": "memory37-campaign/1"}])
def test_a_file_that_is_no_campaign_is_refused(place, document):
    with pytest.raises(InvalidCampaign):
        load_campaign(**place, document=document)


def test_a_campaign_is_opened_once(place):
    again = open_campaign(**place, external_id="camp_1", title="Other")
    assert (again.created, again.campaign.title) == (False, "")
    for bad in ("", "a b", "x" * 121, "a\n", "é"):
        with pytest.raises(InvalidCampaign):
            open_campaign(**place, external_id=bad)


def test_the_database_keeps_play_together_and_history_as_it_was(world):
    recorded = add_scene(world, flags={"gate": "open"})
    rival = make_world("rival", tenant="rival")
    summary, table = recorded.summary.pk, "UPDATE episodes_episodicsummary SET "
    assert_refused("summary_append_only", f"{table}notes = 'x' WHERE id = %s", [summary])
    assert_refused("summary_append_only", "DELETE FROM episodes_episodicsummary WHERE id = %s", [summary])
    assert_refused("flag_change_append_only", "DELETE FROM episodes_flagchange")
    assert_refused("flag_change_append_only", "UPDATE episodes_flagchange SET is_late = true")
    assert_refused("npc_presence_append_only", "UPDATE episodes_npcpresence SET npc_id = 'other'")
    assert_refused("campaign_same_tenant", "UPDATE episodes_campaign SET tenant_id = %s", [rival.tenant_id])
    assert_refused("scene_keeps_together", "UPDATE episodes_scene SET tenant_id = %s", [rival.tenant_id])
    assert_refused("flag_keeps_together", "UPDATE episodes_flag SET tenant_id = %s", [rival.tenant_id])
    assert_refused(
        "npc_presence_same_tenant",
        "INSERT INTO episodes_npcpresence (tenant_id, summary_id, npc_id) VALUES (%s, %s, 'spy')",
        [rival.tenant_id, summary],
    )
    assert_refused(
        "npc_told_of_one_thing",
        "INSERT INTO episodes_npctold (tenant_id, npc_id, source, told_at) VALUES (%s, 'a', 'b', now())",
        [world.tenant_id],
    )
    assert_refused(
        "play_policy_ttl_in_bounds",
        "INSERT INTO episodes_worldplaypolicy (tenant_id, world_id, summary_ttl_days) VALUES (%s, %s, 30)",
        [world.tenant_id, world.pk],
    )
    assert_refused("campaign_archived_has_time", "UPDATE episodes_campaign SET state = 'archived'")


@pytest.mark.parametrize("size", [2, 30])
def test_reads_take_the_same_queries_at_any_size(
    world, place, size, django_assert_num_queries, django_assert_max_num_queries
):
    for number in range(size):
        add_scene(
            world, summary_id=f"s{number}", scene_id=f"scn{number}", minute=number, flags={f"flag{number}": number}
        )
        start(world, f"more{number}")
    with django_assert_num_queries(5):
        get_party_state(**place, party_id="pty_1", k=20)
    with django_assert_num_queries(4):
        list_flags(**place, campaign_id="camp_1")
    with django_assert_num_queries(2):
        list_campaigns(**place)
    with django_assert_num_queries(5):
        assert search_summaries(**place, campaign_id="camp_1", query="moon key").hits
    with django_assert_max_num_queries(8):
        search_summaries(**place, campaign_id="camp_1", query="the moon key on 1 March", party_id="pty_1")


def test_a_party_leaves_what_words_weigh_as_it_was(world, place):
    for number in range(3):
        add_scene(world, summary_id=f"s{number}", scene_id=f"scn{number}", minute=number)
        start(world, f"more{number}")
    asked = {**place, "campaign_id": "camp_1", "query": "moon key"}
    scores = {hit.summary.summary_id: hit.score for hit in search_summaries(**asked).hits}
    narrowed = search_summaries(**asked, party_id="pty_1").hits
    assert {hit.summary.summary_id: hit.score for hit in narrowed} == pytest.approx(scores)


DAYS = {"sum_1": 0, "sum_2": 40, "sum_3": 41, "sum_4": 80}


def add_days(world):
    """Four scenes of one place, in March, April and May 2026."""
    for summary_id, days in DAYS.items():
        when = (dt.datetime(2026, 3, 1, 19, tzinfo=dt.UTC) + dt.timedelta(days=days)).isoformat()
        npcs = ["npc_Oda"] if summary_id == "sum_3" else ["npc_LiShen"]
        body = make_body(summary_id, scene_id=summary_id, npcs=npcs, notes="They bargained at the quay.")
        add_scene(world, {**body, "when": when})


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("What happened on 10 April 2026?", "sum_2"),
        ("Что случилось 11 апреля 2026 года?", "sum_3"),
        ("ماذا حدث في مايو 2026؟", "sum_4"),
        ("2026年3月1日发生了什么？", "sum_1"),
    ],
)
def test_what_took_place_in_a_period_of_the_question_comes_first_whatever_its_words(world, place, query, first):
    add_days(world)
    hits = search_summaries(**place, campaign_id="camp_1", query=query).hits
    assert hits[0].summary.summary_id == first
    assert dict(hits[0].parts.features)["date"] == pytest.approx(1.0)
    assert hits[0].score == pytest.approx(hits[0].parts.bm25_part + hits[0].parts.vector_part + 1.0)


def test_a_date_finds_nothing_that_the_npc_does_not_know_and_no_other_party(world, place):
    add_days(world)
    found = search_summaries(**place, campaign_id="camp_1", query="What happened in April 2026?", npc_id="npc_LiShen")
    assert found.hits[0].summary.summary_id == "sum_2"
    assert "sum_3" not in {hit.summary.summary_id for hit in found.hits}
    add_scene(world, summary_id="sum_9", party_id="pty_2", scene_id="scn_9")
    found = search_summaries(**place, campaign_id="camp_1", query="What happened in April 2026?", party_id="pty_2")
    assert {hit.summary.summary_id for hit in found.hits} <= {"sum_9"}
