"""Short memory over a real Redis and a real PostgreSQL."""

from __future__ import annotations

import datetime as dt
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
import redis as redis_client
from django.db import connections
from django.utils import timezone

from episodes.conversations.models import PLACE_ID
from episodes.forgetting.actions.forgetting import forget_message
from episodes.models import Message
from memoryproject.forgetting.registry import Forgotten
from memoryproject.redis import get_redis
from runtime.session_memory import circuit, store
from runtime.session_memory.actions import change_preference, clear_session, forget_in_sessions
from runtime.session_memory.core.preferences import PreferenceChange
from runtime.session_memory.selectors import load_session, load_short_memory
from tests.conftest import flush_redis_keys


def heard(memory):
    return [entry.content for entry in memory.entries]


def forget(talk, *message_ids):
    return forget_in_sessions(Forgotten(talk.world.tenant_id, 0, message_ids, ()))


def held(talk, npc_id="oda"):
    return get_redis().lrange(store.key_of_short_memory(talk.session(), npc_id), 0, -1)


def test_what_is_said_is_remembered_without_asking_raw(talk, django_assert_num_queries):
    talk.say("one")
    assert heard(load_short_memory(talk.session(), "oda")) == ["one"]
    talk.say("two", role="assistant")
    with django_assert_num_queries(0):
        memory = load_short_memory(talk.session(), "oda")
    assert [(entry.role, entry.content) for entry in memory.entries] == [("user", "one"), ("assistant", "two")]
    assert (memory.rebuilt, memory.degraded) == (False, ())


def test_the_message_that_is_answered_is_left_out(talk):
    first = talk.say("one")
    memory = load_short_memory(talk.session(), "oda", current_message_id=first)
    assert (memory.entries, memory.rebuilt) == ((), False)


def test_two_npcs_and_two_sessions_and_two_worlds_never_hear_each_other(talk, make_talk):
    others = [make_talk(world="second"), make_talk(tenant="rival"), make_talk(tenant="rival", world="second")]
    for each in [talk, *others]:
        load_short_memory(each.session(), "oda")
        each.say(f"to oda in {each.world.pk}")
        each.say("to elder", npc_id="elder")
        each.say("later", session_id="t")
    for each in [talk, *others]:
        assert heard(load_short_memory(each.session(), "oda")) == [f"to oda in {each.world.pk}"]
        assert heard(load_short_memory(each.session(), "elder")) == ["to elder"]
        assert heard(load_short_memory(each.session("t"), "oda")) == ["later"]


@pytest.mark.parametrize("is_warm", [True, False])
def test_only_the_last_messages_that_fit_are_kept(talk, settings, is_warm):
    if is_warm:
        talk.say("0")
        load_short_memory(talk.session(), "oda")
    for number in range(1, 13):
        talk.say(str(number))
    assert heard(load_short_memory(talk.session(), "oda")) == [str(number) for number in range(3, 13)]
    talk.say("é" * 3990)
    memory = load_short_memory(talk.session(), "oda")
    assert heard(memory) == ["6", "7", "8", "9", "10", "11", "12", "é" * 3990]
    talk.say("x" * 5000 + "not")
    (only,) = load_short_memory(talk.session(), "oda").entries
    assert len(only.content) == settings.MEMORY_MAX_CHARS
    assert only.content.endswith("not")


def test_memory_and_preference_live_as_long_as_the_talk(talk, redis, settings):
    change_preference(talk.session(), PreferenceChange(verbosity="brief"))
    talk.say("one")
    load_short_memory(talk.session(), "oda")
    keys = list(redis.scan_iter(match=f"{settings.REDIS_KEY_PREFIX}:session:*"))
    assert len(keys) == 3
    for key in keys:
        redis.expire(key, 50)
    talk.say("two")
    assert {redis.ttl(key) for key in keys} <= {settings.MEMORY_TTL_SECONDS, settings.MEMORY_TTL_SECONDS - 1}


def test_a_lost_redis_comes_back_from_raw(talk, django_assert_num_queries):
    load_short_memory(talk.session(), "oda")
    contents = [f"message {number}" for number in range(14)]
    talk.say_all(contents)
    flush_redis_keys()
    talk.say("the newest")
    with django_assert_num_queries(2):
        memory = load_short_memory(talk.session(), "oda")
    assert memory.rebuilt
    assert heard(memory) == [*contents[-9:], "the newest"]
    with django_assert_num_queries(0):
        again = load_short_memory(talk.session(), "oda")
    assert (heard(again), again.rebuilt) == (heard(memory), False)


def test_what_was_said_before_a_day_of_silence_does_not_come_back(talk):
    talk.say("old", sent_at=timezone.now() - dt.timedelta(days=2))
    assert not load_short_memory(talk.session(), "oda").entries
    talk.say("new")
    assert heard(load_short_memory(talk.session(), "oda")) == ["new"]


def test_system_messages_and_other_conversations_without_a_session_are_not_remembered(talk):
    load_short_memory(talk.session(), "oda")
    talk.say("rules", role="system")
    talk.say("aside", session_id="")
    assert not load_short_memory(talk.session(), "oda").entries


def test_a_redis_that_does_not_answer_costs_one_wait_and_nothing_else(talk, monkeypatch, django_assert_num_queries):
    talk.say("one")
    load_short_memory(talk.session(), "oda")
    asked = []

    def refuse():
        asked.append(1)
        raise redis_client.ConnectionError

    monkeypatch.setattr(circuit, "get_redis", refuse)
    talk.say("two")
    with django_assert_num_queries(1):
        memory = load_short_memory(talk.session(), "oda")
    assert heard(memory) == ["one", "two"]
    assert (memory.rebuilt, memory.degraded) == (False, ("session_memory_unavailable",))
    assert len(asked) == 1
    monkeypatch.undo()
    assert load_short_memory(talk.session(), "oda").degraded
    circuit.CIRCUIT._closed_from = 0.0
    memory = load_short_memory(talk.session(), "oda")
    assert (heard(memory), memory.degraded, memory.rebuilt) == (["one", "two"], (), True)


def test_what_a_process_missed_that_then_ended_comes_back_with_the_next_message(talk, monkeypatch):
    talk.say("one")
    load_short_memory(talk.session(), "oda")

    def refuse():
        raise redis_client.ConnectionError

    monkeypatch.setattr(circuit, "get_redis", refuse)
    talk.say("two")
    monkeypatch.undo()
    circuit.CIRCUIT.reset()
    forgotten = talk.say("three")
    memory = load_short_memory(talk.session(), "oda")
    assert (heard(memory), memory.rebuilt) == (["one", "two", "three"], True)
    Message.objects.filter(pk=forgotten).update(forgotten_at=timezone.now())
    forget(talk, forgotten)
    talk.say_all(["four", "five"])
    memory = load_short_memory(talk.session(), "oda")
    assert (heard(memory), memory.rebuilt) == (["one", "two", "four", "five"], False)


def test_defects_are_not_taken_for_outages(talk, monkeypatch):
    monkeypatch.setattr(circuit, "get_redis", lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        load_short_memory(talk.session(), "oda")


def test_forgotten_messages_leave_every_memory_and_do_not_come_back(talk):
    first = talk.say("secret")
    talk.say("harmless")
    other = talk.say("another secret", npc_id="elder", session_id="t")
    load_short_memory(talk.session(), "oda")
    load_short_memory(talk.session("t"), "elder")
    Message.objects.filter(pk__in=[first, other]).update(forgotten_at=timezone.now())
    assert forget(talk, first, other) == 2
    assert forget(talk, first, other) == 0
    assert heard(load_short_memory(talk.session(), "oda")) == ["harmless"]
    flush_redis_keys()
    assert heard(load_short_memory(talk.session(), "oda")) == ["harmless"]
    assert not load_short_memory(talk.session("t"), "elder").entries


def test_a_receipt_says_that_session_memory_forgot_too(talk):
    said = talk.say("secret")
    load_short_memory(talk.session(), "oda")
    receipt = forget_message(tenant_id=talk.world.tenant_id, message_id=said, requested_by="test")
    receipt.refresh_from_db()
    assert held(talk) == []
    assert receipt.cleared["session_memory"] == 1


def test_forgetting_of_another_tenant_takes_nothing_out(talk, make_talk):
    mine = talk.say("mine")
    load_short_memory(talk.session(), "oda")
    rival = make_talk(tenant="rival")
    assert forget(rival, mine) == 0
    assert len(held(talk)) == 1


def test_what_is_forgotten_while_a_memory_is_rebuilt_is_taken_out_again(talk, monkeypatch):
    first = talk.say("secret")
    write = store.restore_entries

    def forget_first(*args, **kwargs):
        Message.objects.filter(pk=first).update(forgotten_at=timezone.now())
        forget(talk, first)
        return write(*args, **kwargs)

    monkeypatch.setattr(store, "restore_entries", forget_first)
    load_short_memory(talk.session(), "oda")
    assert held(talk) == []


def test_clearing_one_npc_keeps_the_others_and_the_preference(talk):
    change_preference(talk.session(), PreferenceChange(tone="formal"))
    talk.say("one")
    talk.say("two", npc_id="elder")
    load_session(talk.session())
    clear_session(talk.session(), npc_id="oda")
    memory = load_session(talk.session())
    assert {each.npc_id: heard(each) for each in memory.memories} == {"elder": ["two"], "oda": []}
    assert memory.preference.tone == "formal"
    talk.say("three")
    assert heard(load_short_memory(talk.session(), "oda")) == ["three"]


def test_clearing_a_session_clears_all_of_it_and_raw_does_not_bring_it_back(talk):
    change_preference(talk.session(), PreferenceChange(tone="formal"))
    talk.say("one")
    talk.say("two", npc_id="elder")
    load_session(talk.session())
    clear_session(talk.session())
    memory = load_session(talk.session())
    assert [heard(each) for each in memory.memories] == [[], []]
    assert memory.preference is None
    talk.say("three")
    assert heard(load_short_memory(talk.session(), "oda")) == ["three"]
    assert Message.objects.count() == 3


def test_a_session_that_is_cleared_while_it_is_rebuilt_stays_cleared(talk, monkeypatch):
    talk.say("one")
    write = store.restore_entries

    def clear_first(*args, **kwargs):
        clear_session(talk.session())
        return write(*args, **kwargs)

    monkeypatch.setattr(store, "restore_entries", clear_first)
    load_short_memory(talk.session(), "oda")
    assert held(talk) == []


def test_a_session_takes_one_query_whatever_its_size_once_it_is_warm(talk, django_assert_num_queries):
    for npcs in (1, 6):
        for number in range(npcs):
            talk.say_all(["x"] * 12, npc_id=f"npc-{number}")
        load_session(talk.session())
        with django_assert_num_queries(1):
            memory = load_session(talk.session())
        assert len(memory.memories) == npcs
        assert not any(each.rebuilt for each in memory.memories)


def test_the_talk_with_an_npc_is_found_by_its_index(talk):
    from django.db import connection

    talk.say_all(["x"] * 200)
    with connection.cursor() as cursor:
        cursor.execute("SET enable_seqscan = off; SET enable_bitmapscan = off")
        rows = Message.objects.filter(
            tenant_id=talk.world.tenant_id, session_id="s", npc_id="oda", forgotten_at__isnull=True, is_current=True
        ).order_by(PLACE_ID.desc())[:10]
        plan = rows.explain()
        cursor.execute("RESET enable_seqscan; RESET enable_bitmapscan")
    assert "message_by_place" in plan
    assert "Sort" not in plan


def test_writers_at_once_lose_and_double_nothing(talk, settings):
    settings.MEMORY_MAX_MESSAGES = 100
    load_short_memory(talk.session(), "oda")
    barrier = threading.Barrier(6)

    def write(writer):
        try:
            barrier.wait(10)
            for number in range(5):
                talk.say(f"{writer}:{number}")
                load_short_memory(talk.session(), "oda")
        finally:
            connections.close_all()

    with ThreadPoolExecutor(6) as pool:
        for future in [pool.submit(write, writer) for writer in range(6)]:
            future.result(timeout=60)
    memory = load_short_memory(talk.session(), "oda")
    assert [entry.message_id for entry in memory.entries] == list(
        Message.objects.order_by("pk").values_list("pk", flat=True)
    )
    assert not memory.rebuilt


def test_interest_tags_are_added_once_and_the_oldest_leave_first(talk):
    session = talk.session()
    change_preference(session, PreferenceChange(new_tags=("a", "b")))
    change_preference(session, PreferenceChange(new_tags=("b", "农耕")))
    preference = change_preference(session, PreferenceChange(language="zh"))
    assert (preference.interest_tags, preference.language, preference.tone) == (("a", "b", "农耕"), "zh", None)
    full = change_preference(session, PreferenceChange(new_tags=tuple(f"t{number}" for number in range(19))))
    assert full.interest_tags[0] == "农耕"
    assert len(full.interest_tags) == 20
    assert change_preference(session, PreferenceChange(interest_tags=())).interest_tags == ()
    assert change_preference(session, PreferenceChange(new_tags=("c",))).interest_tags == ("c",)


def test_tags_added_at_once_all_stay(talk):
    barrier = threading.Barrier(8)

    def add(number):
        barrier.wait(10)
        change_preference(talk.session(), PreferenceChange(new_tags=(f"t{number}",)))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(add, range(8)))
    assert len(load_session(talk.session()).preference.interest_tags) == 8


def test_switched_off_nothing_is_remembered(talk, settings, redis):
    settings.MEMORY_ENABLED = False
    talk.say("one")
    assert not load_short_memory(talk.session(), "oda").entries
    assert not load_session(talk.session()).memories
    assert not list(redis.scan_iter(match=f"{settings.REDIS_KEY_PREFIX}:session:*"))
