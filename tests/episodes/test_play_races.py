"""Summaries that come at once: each once, in one order, and the flags as the later one left them."""

from __future__ import annotations

import threading

import pytest
from django.db import connection, connections, transaction

from episodes.campaigns.actions.campaigns import lock_campaign, open_campaign
from episodes.errors import PlaceTaken, SummaryConflict
from episodes.models import Campaign, EpisodicSummary, FlagChange, Party
from npcs.models import Disposition
from tests.database import run_apart
from tests.factories.campaigns import add_scene, make_body, start

pytestmark = pytest.mark.django_db(transaction=True)
CHANGE = {"npc_id": "npc_LiShen", "towards": "party", "delta": 1, "reason": "kept promise"}


def at_once(*calls):
    barrier = threading.Barrier(len(calls))

    def wait_and(call):
        barrier.wait(20)
        try:
            return call()
        except (SummaryConflict, PlaceTaken) as error:
            return error

    return run_apart(*[lambda call=call: wait_and(call) for call in calls])


def test_summaries_of_one_scene_at_once_all_get_their_place(world):
    at_once(*[lambda n=n: add_scene(world, summary_id=f"s{n}", minute=n, flags={"turn": n}) for n in range(6)])
    assert sorted(EpisodicSummary.objects.values_list("seq", flat=True)) == [1, 2, 3, 4, 5, 6]
    assert Party.objects.count() == 1
    last = FlagChange.objects.filter(is_late=False).order_by("-happened_at").first()
    assert (last.new_value, last.flag.value) == (5, 5)
    assert FlagChange.objects.count() == 6


def test_twins_of_one_summary_become_one(world):
    told = at_once(*[lambda: add_scene(world, relations_delta=[CHANGE])] * 4)
    assert sum(each.created for each in told) == 1
    assert EpisodicSummary.objects.count() == 1
    assert Disposition.objects.get().value == 1


def test_of_two_bodies_under_one_id_at_once_one_is_kept(world):
    start(world, "camp_2")
    told = at_once(
        lambda: add_scene(world, notes="One."),
        lambda: add_scene(world, notes="Other.", campaign_id="camp_2", party_id="pty_2"),
    )
    assert sum(isinstance(each, SummaryConflict) for each in told) == 1
    assert EpisodicSummary.objects.count() == 1


def test_one_party_claimed_by_two_campaigns_at_once_stays_with_one(world):
    start(world, "camp_2")
    told = at_once(
        lambda: add_scene(world, summary_id="a"), lambda: add_scene(world, summary_id="b", campaign_id="camp_2")
    )
    assert sum(isinstance(each, PlaceTaken) for each in told) == 1
    assert EpisodicSummary.objects.count() == 1


def test_two_who_open_one_campaign_get_the_same(world):
    opened = at_once(*[lambda: open_campaign(tenant_id=world.tenant_id, world_id=world.pk, external_id="new")] * 3)
    assert sum(each.created for each in opened) == 1
    assert Campaign.objects.filter(external_id="new").count() == 1


def test_a_summary_waits_for_the_campaigns_lock(world):
    done = threading.Event()

    def write():
        try:
            add_scene(world, make_body("second"))
        finally:
            done.set()
            connections.close_all()

    with transaction.atomic():
        lock_campaign(tenant_id=world.tenant_id, world_id=world.pk, external_id="camp_1")
        thread = threading.Thread(target=write)
        thread.start()
        with connection.cursor() as cursor:
            for _ in range(200):
                cursor.execute(
                    "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))"
                )
                if cursor.fetchone()[0]:
                    break
                done.wait(0.02)
        assert not done.is_set()
        add_scene(world, make_body("first"))
    thread.join(20)
    assert list(EpisodicSummary.objects.order_by("seq").values_list("summary_id", flat=True)) == ["first", "second"]
