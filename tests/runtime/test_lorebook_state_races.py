"""Timed effects beside other writers: what was read must still stand when they are kept."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, connections, transaction

from knowledge.lorebooks.activation.inputs import ActivationDialect
from knowledge.lorebooks.activation.timed_state import TimedEffect, TimedState
from runtime.lorebooks.timed_states import keep_timed_state
from runtime.models import LorebookState
from tests.episodes.test_play_races import at_once
from tests.factcheck.alternatives.talks import edit
from tests.factories.conversations import open_chat, say
from tests.factories.tenants import make_world

AFTER = TimedState({"coast.0": TimedEffect("a", 1, 4)})
BLOCKED = "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))"


@pytest.fixture
def message(transactional_db):
    world = make_world()
    chat = open_chat(world.tenant, world=world)
    [stored] = say(chat, "the gate")
    return stored


def keep(message):
    try:
        return keep_timed_state(
            message.conversation,
            ActivationDialect.FAITHFUL,
            place=1,
            before=TimedState(),
            after=AFTER,
            read_ids=[message.pk],
        )
    finally:
        connections.close_all()


def count_blocked():
    with connection.cursor() as cursor:
        cursor.execute(BLOCKED)
        return cursor.fetchone()[0]


@pytest.mark.django_db(transaction=True)
def test_effects_of_words_that_are_edited_meanwhile_are_not_kept(message):
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            edit(message, "the harbour")
            kept = pool.submit(keep, message)
            deadline = time.monotonic() + 20
            while not count_blocked() and not kept.done():
                assert time.monotonic() < deadline
                time.sleep(0.01)
        assert kept.result(timeout=20) is False
    assert LorebookState.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_two_activations_of_one_place_at_once_keep_one_state(message):
    assert at_once(*[lambda: keep(message)] * 4) == [True] * 4
    assert [row.state for row in LorebookState.objects.all()] == [AFTER.as_json()]
