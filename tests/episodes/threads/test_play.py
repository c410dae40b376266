"""Threads beside play and messages: what goes back with them, what takes them along, and two writers at once."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction

from episodes.forgetting.actions.forgetting import forget_message
from episodes.models import EpisodicSummary, Flag
from episodes.threads.actions.checkpoints import put_checkpoint
from episodes.threads.actions.key_rotation import rotate_thread_keys
from episodes.threads.actions.rollbacks import roll_back_thread
from episodes.threads.actions.threads import Bindings, write_thread
from episodes.threads.core.drafts import CheckpointDraft, Place
from episodes.threads.core.values import StateValue
from episodes.threads.errors import ThreadMoved
from episodes.threads.models import Thread, ThreadCheckpoint, ThreadReceipt, ThreadRollback, ThreadValue
from episodes.threads.selectors import get_state
from knowledge.errors import FactKeysMissing
from npcs.models import Disposition, DispositionEntry
from tenancy.actions.worlds import ensure_tenant
from tests.database import close_after
from tests.episodes.test_play_races import CHANGE, at_once
from tests.factories.campaigns import add_scene, start
from tests.factories.conversations import open_chat, say
from tests.factories.npcs import make_npc
from tests.factories.tenants import make_world

BLOCKED = "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))"
PLAN = {"plan": StateValue("json", b'"the moon door"')}


def put(place, name, parent="", **more):
    checkpoint = {"id": name, "channel_versions": {"plan": name}}
    draft = CheckpointDraft(checkpoint, parent_id=parent, metadata={"source": "loop"}, values=PLAN, **more)
    return put_checkpoint(place, draft)


@pytest.fixture
def world(db):
    return make_world("ashfall", tenant="studio")


@pytest.fixture
def place(world):
    return Place(world.tenant_id, world.pk, "thread-1")


@pytest.mark.django_db
def test_a_checkpoint_two_scenes_and_a_rollback_of_the_thread(world, place):
    """T-1: dispositions and flags as at the checkpoint, history kept."""
    make_npc(world)
    start(world)
    write_thread(place, Bindings(campaign_id="camp_1"))
    add_scene(world, flags={"gate": "shut"}, relations_delta=[CHANGE])
    put(place, "a")
    before = Disposition.objects.get().value
    add_scene(world, summary_id="sum_2", minute=5, flags={"gate": "open"}, relations_delta=[CHANGE])
    put(place, "b", "a")
    add_scene(world, summary_id="sum_3", minute=9, flags={"gate": "burnt"}, relations_delta=[CHANGE])
    put(place, "c", "b")
    dry = roll_back_thread(place, "a", reason="dry run", author="test", dry_run=True)
    assert (dry.undone, len(dry.play.changes["summaries"].undone)) == (("b", "c"), 2)
    assert (Flag.objects.get().value, ThreadRollback.objects.count()) == ("burnt", 0)
    done = roll_back_thread(place, "a", reason="loaded a saved game", author="test")
    assert done.play.changes == dry.play.changes
    assert (Flag.objects.get().value, Disposition.objects.get().value) == ("shut", before)
    assert (EpisodicSummary.objects.count(), EpisodicSummary.objects.living().count()) == (3, 1)
    assert DispositionEntry.objects.filter(compensates__isnull=False).count() == 2
    assert get_state(place).row.checkpoint_id == "a"
    forward = roll_back_thread(place, "c", reason="that was a mistake", author="test")
    assert forward.restored == ("b", "c")
    assert (Flag.objects.get().value, EpisodicSummary.objects.living().count()) == ("burnt", 3)
    assert ThreadCheckpoint.objects.count() == 3


@pytest.mark.django_db
def test_a_thread_goes_with_a_forgotten_message_of_its_talk_and_others_stay(
    world, redis, django_capture_on_commit_callbacks
):
    def bind(name, **bindings):
        place = Place(world.tenant_id, world.pk, name)
        write_thread(place, Bindings(**bindings))
        put(place, "a")

    chats = [open_chat(world.tenant, user, world=world) for user in ("player-1", "player-1", "player-2")]
    [said] = say(chats[0], "The moon door.")
    bind("of the talk", conversation_id=chats[0].pk)
    bind("of another talk", conversation_id=chats[1].pk)
    bind("of the player", user_id="player-1")
    bind("of another player", user_id="player-2")
    bind("of nobody")
    with django_capture_on_commit_callbacks(execute=True):
        forget_message(tenant_id=world.tenant_id, message_id=said.pk, requested_by="test")
    assert set(Thread.objects.values_list("external_id", flat=True)) == {
        "of another talk", "of another player", "of nobody",
    }  # fmt: skip
    assert {row.kind for row in ThreadReceipt.objects.all()} == {"erasure"}


@pytest.mark.django_db
def test_moved_to_another_tenant_or_changed_a_state_does_not_open(world, place):
    put(place, "a")
    other = ensure_tenant(slug="rival", name="Rival")
    row = ThreadCheckpoint.objects.get()
    row.tenant_id = other.pk
    from episodes.threads.selectors import open_checkpoints

    with pytest.raises(FactKeysMissing):
        open_checkpoints([row])


@pytest.mark.django_db
def test_a_new_key_seals_what_the_old_one_did(place, settings):
    put(place, "a")
    settings.FACT_KEYS = {9: b"k" * 32, **settings.FACT_KEYS}
    assert rotate_thread_keys() == 2
    assert rotate_thread_keys() == 0
    settings.FACT_KEYS = {9: settings.FACT_KEYS[9]}
    assert get_state(place).values == PLAN
    assert set(ThreadValue.objects.values_list("sealed_by", flat=True)) == {9}


@pytest.mark.django_db(transaction=True)
def test_of_two_writers_at_once_one_is_told_that_the_thread_moved(transactional_db):
    world = make_world("ashfall", tenant="studio")
    place = Place(world.tenant_id, world.pk, "thread-1")
    put(place, "a")
    refused = []

    def write(name):
        try:
            put(place, name, "a", expected_head="a")
        except ThreadMoved:
            refused.append(name)

    at_once(*[lambda name=name: write(name) for name in ("b", "c", "d")])
    assert len(refused) == 2
    assert ThreadCheckpoint.objects.count() == 2
    at_once(*[lambda: put(place, "e")] * 3)
    assert ThreadCheckpoint.objects.filter(checkpoint_id="e").count() == 1
    see_a_rollback_that_was_waited_for(place)


def see_a_rollback_that_was_waited_for(place):
    """What is put while a rollback is not committed waits, and follows what it left: the writes begin anew."""
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            assert roll_back_thread(place, "a", reason="again", author="test").undone
            late = pool.submit(close_after, lambda: put(place, "f", "a"))
            wait_for_lock()
        assert late.result(timeout=20)
    assert ThreadCheckpoint.objects.get(checkpoint_id="f").parent_generation == 1
    assert get_state(place).row.checkpoint_id == "f"


def wait_for_lock():
    """Until another connection waits for this one."""
    for _ in range(2_000):
        with connection.cursor() as cursor:
            cursor.execute(BLOCKED)
            if cursor.fetchone()[0]:
                return
        time.sleep(0.01)
    raise AssertionError("nobody waits")
