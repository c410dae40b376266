"""Timed effects stand with a conversation: counted by its places, inherited by branches, taken back with its words."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from episodes.models import Conversation, Message
from knowledge.lorebooks.activation.inputs import ActivationDialect
from knowledge.lorebooks.activation.timed_state import TimedEffect, TimedState
from runtime.lorebooks import timed_states
from runtime.lorebooks.timed_states import keep_timed_state, load_timed_state
from runtime.models import LorebookState
from tests.api.test_lorebook_activation import HEADERS, ask, say

STICKY = ({"key": ["gate"], "sticky": 3, "cooldown": 2},)


@pytest.fixture
def api(db, make_api, world):
    return make_api("read", "engine", headers=HEADERS)


def fire(api, number: int, *entries: dict, **members) -> dict:
    body = ask(*(entries or STICKY), conversation_id=number, settings={"scan_depth": 1}, **members)
    answer = api.post("lorebooks/activate", body)
    assert answer.status_code == 200, answer.content
    return answer.json()


def rule(answer: dict, index: int = 0) -> str:
    return answer["activations"][0]["trace"]["entries"][index]["rule"]


def more(api, number: int, *texts: str) -> list[int]:
    for text in texts:
        answer = api.post(f"conversations/{number}/messages", {"role": "user", "content": text})
        assert answer.status_code == 201, answer.content
    rows = Message.objects.filter(conversation_id=number, is_current=True).order_by("-seq")
    return list(rows.values_list("pk", flat=True)[: len(texts)])


def seqs(number: int) -> list[int]:
    return sorted(LorebookState.objects.filter(conversation_id=number).values_list("seq", flat=True))


def test_effects_go_on_without_the_caller_and_end_on_time(api):
    number = say(api, "the gate")
    rules = [rule(fire(api, number))]
    for _ in range(6):
        more(api, number, "so")
        rules.append(rule(fire(api, number)))
    assert rules == ["key", "sticky", "sticky", "cooldown", "cooldown", "no_key_found", "no_key_found"]


def test_the_same_request_twice_has_the_same_answer(api):
    number = say(api, "the gate")
    assert fire(api, number) == fire(api, number)
    more(api, number, "so")
    assert fire(api, number) == fire(api, number)
    assert seqs(number) == [1]


def test_effects_count_places_of_the_whole_conversation(api):
    number = say(api, *(["so"] * 5), "the gate")
    entries = ({"key": ["gate"], "delay": 6}, {"key": ["gate"], "delay": 7})
    answer = fire(api, number, *entries, message_limit=2)
    assert (rule(answer), rule(answer, 1)) == ("key", "delay")


def test_a_reading_key_sees_effects_and_keeps_none(api, make_api):
    number = say(api, "the gate")
    reader = make_api("read", headers=HEADERS)
    assert fire(reader, number)["is_state_kept"] is False
    assert seqs(number) == []
    assert fire(api, number)["is_state_kept"] is True
    more(api, number, "so")
    assert rule(fire(reader, number)) == "sticky"


@pytest.mark.parametrize("members", [{"keep_state": False}, {"state": {}}])
def test_who_only_looks_or_keeps_the_state_leaves_the_stored_one(api, members):
    number = say(api, "the gate")
    assert fire(api, number, **members)["is_state_kept"] is False
    assert seqs(number) == []


def test_both_dialects_have_effects_of_their_own(api):
    number = say(api, "the gate")
    fire(api, number, dialect="both")
    assert set(LorebookState.objects.values_list("dialect", flat=True)) == {"faithful", "m37"}


def test_an_edit_takes_back_what_its_words_began(api):
    number = say(api, "the gate")
    fire(api, number)
    message = Message.objects.get(conversation_id=number)
    answer = api.post(f"messages/{message.pk}/edit", {"content": "the harbour"})
    assert answer.status_code in {200, 201}, answer.content
    assert seqs(number) == []
    more(api, number, "so")
    assert rule(fire(api, number)) == "no_key_found"


def test_an_edit_leaves_what_began_before_it(api):
    number = say(api, "the gate")
    fire(api, number)
    (later,) = more(api, number, "the gate")
    fire(api, number, *STICKY, {"key": ["gate"], "sticky": 5})
    assert seqs(number) == [1, 2]
    api.post(f"messages/{later}/edit", {"content": "so"})
    assert seqs(number) == [1]
    assert rule(fire(api, number)) == "sticky"


def test_a_swipe_takes_back_and_forgetting_too(api, django_capture_on_commit_callbacks):
    number = say(api, "the gate", "yes")
    fire(api, number, {"key": ["yes"], "sticky": 3})
    answer = api.post(f"conversations/{number}/swipes", {"seq": 2, "content": "no"})
    assert answer.status_code in {200, 201}, answer.content
    assert seqs(number) == []
    fire(api, number, {"key": ["no"], "sticky": 3})
    assert seqs(number) == [2]
    with django_capture_on_commit_callbacks(execute=True):
        api.post(f"messages/{Message.objects.get(conversation_id=number, seq=1).pk}/forget", {})
    assert seqs(number) == []


def test_a_branch_goes_on_from_the_fork(api):
    number = say(api, "the gate")
    fire(api, number)
    more(api, number, "so")
    branch = api.post(f"conversations/{number}/branch", {"from_seq": 1}).json()["id"]
    more(api, number, "so", "so", "so", "so")
    fire(api, number)
    more(api, branch, "so")
    assert rule(fire(api, branch)) == "sticky"
    assert rule(fire(api, number)) == "cooldown"


def test_an_edit_of_the_trunk_takes_back_effects_of_branches_that_share_it(api):
    number = say(api, "so", "yes", "so")
    early = api.post(f"conversations/{number}/branch", {"from_seq": 1}).json()["id"]
    late = api.post(f"conversations/{number}/branch", {"from_seq": 2}).json()["id"]
    for branch in (early, late):
        more(api, branch, "the gate")
        fire(api, branch)
    api.post(f"conversations/{number}/swipes", {"seq": 2, "content": "no"})
    assert (seqs(early), seqs(late)) == ([2], [])


def test_a_branch_from_before_the_oldest_state_begins_with_that_one_rewound(api, monkeypatch):
    monkeypatch.setattr(timed_states, "MAX_STATES", 1)
    number = say(api, "the gate")
    talk = Conversation.objects.get(pk=number)
    effects = {"coast.0": TimedEffect("a", 1, 9), "coast.1": TimedEffect("b", 3, 9)}
    more(api, number, "so", "so")
    for place in (1, 3):
        keep_timed_state(
            talk, ActivationDialect.FAITHFUL, place=place, before=TimedState(), after=TimedState(effects), read_ids=()
        )
    assert seqs(number) == [3]
    branch = Conversation.objects.get(pk=api.post(f"conversations/{number}/branch", {"from_seq": 2}).json()["id"])
    assert set(load_timed_state(branch, ActivationDialect.FAITHFUL, place=3).sticky) == {"coast.0"}


def test_words_that_changed_meanwhile_keep_nothing(api):
    number = say(api, "the gate")
    talk, message = Conversation.objects.get(pk=number), Message.objects.get(conversation_id=number)
    api.post(f"messages/{message.pk}/edit", {"content": "the harbour"})
    after = TimedState({"coast.0": TimedEffect("a", 1, 4)})
    kept = keep_timed_state(
        talk, ActivationDialect.M37, place=1, before=TimedState(), after=after, read_ids=[message.pk]
    )
    assert (kept, seqs(number)) == (False, [])


def test_an_order_to_forget_leaves_none(api, django_capture_on_commit_callbacks):
    number = say(api, "the gate")
    fire(api, number)
    with django_capture_on_commit_callbacks(execute=True):
        answer = api.post("users/player-1/forget", {"scope": "all"})
    assert answer.status_code in {200, 201, 202}, answer.content
    assert seqs(number) == []


def test_the_database_refuses_what_was_not_said(api):
    number = say(api, "the gate")
    talk = Conversation.objects.get(pk=number)
    row = {"tenant_id": talk.tenant_id, "conversation": talk, "dialect": "faithful", "seq": 1, "state": {}}
    for wrong in ({"seq": 2}, {"tenant_id": 0}, {"dialect": "ours"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            LorebookState.objects.bulk_create([LorebookState(**{**row, **wrong})])


def test_queries_do_not_grow_with_the_conversation(api):
    number = say(api, "the gate")
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            fire(api, number)
        counts.append(len(queries))
        more(api, number, *(["so"] * 5))
    assert counts[0] == counts[1]
