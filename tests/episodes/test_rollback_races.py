"""Rollbacks beside other writers: one after the other, whole or not at all."""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.models import Q

from episodes.forgetting.actions.erasure import erase_user
from episodes.models import Campaign, Checkpoint, EpisodicSummary, Flag, FlagChange, Rollback
from episodes.rollback import core
from npcs.models import Disposition, DispositionEntry
from tenancy.selectors import get_end_user
from tests.episodes.test_play_races import CHANGE, at_once
from tests.episodes.test_rollback import go_to, mark
from tests.factories.campaigns import add_scene, start
from tests.factories.npcs import make_npc
from tests.factories.tenants import make_world


@pytest.fixture
def play(transactional_db):
    world = make_world("ashfall", tenant="studio")
    make_npc(world)
    start(world)
    add_scene(world, flags={"gate": "shut"}, relations_delta=[CHANGE])
    checkpoint = mark(world)
    add_scene(world, summary_id="sum_2", minute=5, flags={"gate": "open"}, relations_delta=[CHANGE])
    return world, checkpoint


@pytest.mark.django_db(transaction=True)
def test_two_rollbacks_at_once_undo_everything_once(play):
    world, checkpoint = play
    done = at_once(*[lambda: go_to(world, checkpoint)] * 4)
    assert sum(each.rollback is not None for each in done) == 1
    assert (Rollback.objects.count(), Disposition.objects.get().value) == (1, 1)
    assert DispositionEntry.objects.filter(compensates__isnull=False).count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_summary_posted_while_a_rollback_runs_is_on_one_line_whole(play):
    world, checkpoint = play
    more = {"flags": {"gate": "burnt"}, "relations_delta": [CHANGE]}
    at_once(
        lambda: go_to(world, checkpoint),
        *[lambda n=n: add_scene(world, summary_id=f"sum_{n}", minute=n, **more) for n in range(6, 9)],
    )
    living = EpisodicSummary.objects.living().count()
    assert Disposition.objects.get().value == living
    assert Flag.objects.get().value == ("burnt" if living > 1 else "shut")
    assert FlagChange.objects.living().count() == living
    line = set(EpisodicSummary.objects.filter(~Q(summary_id="sum_1")).values_list("undone_by", "checkpoint"))
    head = Campaign.objects.get().head_id
    assert line <= {(Rollback.objects.get().pk, checkpoint.pk), (None, head)}


@pytest.mark.django_db
@pytest.mark.parametrize("step", ["summaries", "flags", "dispositions"])
def test_a_rollback_that_dies_in_the_middle_leaves_nothing_behind(monkeypatch, step):
    world = make_world("ashfall", tenant="studio")
    make_npc(world)
    start(world)
    checkpoint = mark(world)
    add_scene(world, flags={"gate": "open"}, relations_delta=[CHANGE])
    head = Campaign.objects.get().head_id
    real = core._steps[step]

    def die(shift):
        real(shift)
        raise KeyboardInterrupt

    monkeypatch.setitem(core._steps, step, die)
    with pytest.raises(KeyboardInterrupt):
        go_to(world, checkpoint)
    monkeypatch.setitem(core._steps, step, real)
    assert (EpisodicSummary.objects.living().count(), Disposition.objects.get().value) == (1, 1)
    assert (Checkpoint.objects.count(), Rollback.objects.count(), Campaign.objects.get().head_id) == (1, 0, head)
    assert go_to(world, checkpoint).is_changed


@pytest.mark.django_db
def test_a_rollback_after_an_erasure_names_nobody():
    world = make_world("ashfall", tenant="studio")
    make_npc(world)
    start(world)
    checkpoint = mark(world, label="before lena-77 came")
    change = {**CHANGE, "towards": "lena-77"}
    who = {"players": ["lena-77", "p_B"], "npcs": []}
    add_scene(world, who=who, notes="Then lena-77 won.", flags={"winner": "lena-77"}, relations_delta=[change])
    done = go_to(world, checkpoint)
    connection.check_constraints()  # as a commit would, before the erasure, which has a transaction of its own
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
    user = get_end_user(tenant_id=world.tenant_id, external_id="lena-77")
    erase_user(tenant_id=world.tenant_id, end_user_id=user.pk, reason="law", requested_by="support")
    again = go_to(world, done.rollback.before)
    assert "lena-77" not in str(again.changes)
    (summary,) = EpisodicSummary.objects.living()
    assert (summary.notes.startswith("Then erased-"), Disposition.objects.count()) == (True, 0)
    assert str(Flag.objects.get(is_set=True).value).startswith("erased-")
    with connection.cursor() as cursor:
        for table in ("checkpoint", "rollback", "npctold", "flagchange", "episodicsummary"):
            cursor.execute(f"SELECT count(*) FROM episodes_{table} t WHERE t::text LIKE '%lena-77%'")
            assert cursor.fetchone()[0] == 0, table
