"""The nightly figures: what players had to say again, and what packs did not find."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from episodes.models import MessagePassage
from runtime.measuring import actions
from runtime.measuring.actions import Measured, measure_day, measure_night
from runtime.measuring.core import Earlier, find_rate, is_missed, is_repeated, is_statement
from runtime.measuring.selectors import list_told
from runtime.traces.actions.traces import record_trace
from tests.factories.conversations import open_chat, post
from tests.runtime.traces.conftest import make_draft, make_item

pytestmark = pytest.mark.django_db
ELEVEN_DAYS = dt.timedelta(days=11)
NEAR, FAR = [1.0, 0.1], [0.1, 1.0]


@pytest.fixture
def chat(world):
    return open_chat(world.tenant, world=world)


def say(chat, text, vector, *, ago=dt.timedelta(), role="user"):
    """A message with the vector that is given, as an embedder of meaning would have made it."""
    [message] = post(chat, (role, text), sent_at=timezone.now() - ago)
    dims = 256
    whole = [*vector, *([0.0] * (dims - len(vector)))]
    MessagePassage.objects.filter(message=message).update(
        embedding=whole, embedding_state="done", embedder="meaning/256"
    )
    return message


def trace(world, message=None, told=(), **more):
    items = [make_item("episodes", f"message:{each.pk}", "", evidence=(each.pk,)) for each in told]
    return record_trace(make_draft(world, items=tuple(items), message_id=message.pk if message else None, **more))


def today():
    return measure_day(timezone.now().date())


def test_what_is_said_again_and_was_not_used_is_counted(world, chat):
    old = say(chat, "I can't stand garlic in any food", NEAR, ago=ELEVEN_DAYS)
    for _ in range(2):
        trace(world)
    again = say(chat, "No garlic in my food, as I said", NEAR)
    trace(world, again)
    assert today() == Measured(exchanges=1, repeated=1, missed=1)
    assert old


def test_what_one_of_the_last_two_requests_used_is_no_repeat(world, chat):
    old = say(chat, "I can't stand garlic in any food", NEAR, ago=ELEVEN_DAYS)
    trace(world, told=[old])
    trace(world)
    trace(world, say(chat, "No garlic in my food, as I said", NEAR), told=[old])
    assert today() == Measured(exchanges=1)


def test_after_one_request_alone_nothing_is_a_repeat(world, chat):
    say(chat, "I can't stand garlic in any food", NEAR, ago=ELEVEN_DAYS)
    trace(world)
    trace(world, say(chat, "No garlic in my food, as I said", NEAR))
    assert today().repeated == 0


def test_a_question_is_no_repeat_and_may_be_a_miss(world, chat):
    say(chat, "I can't stand garlic in any food", NEAR, ago=ELEVEN_DAYS)
    for _ in range(2):
        trace(world)
    trace(world, say(chat, "What food do I hate the most?", NEAR))
    assert today() == Measured(exchanges=1, repeated=0, missed=1)


@pytest.mark.parametrize(
    ("text", "vector", "ago", "role"),
    [
        ("I can't stand garlic in any food", FAR, ELEVEN_DAYS, "user"),
        ("Do I like garlic in my food?", NEAR, ELEVEN_DAYS, "user"),
        ("I can't stand garlic in any food", NEAR, dt.timedelta(minutes=10), "user"),
        ("I can't stand garlic in any food", NEAR, dt.timedelta(days=91), "user"),
        ("You can't stand garlic in any food", NEAR, ELEVEN_DAYS, "assistant"),
    ],
)
def test_what_is_far_asked_fresh_old_or_another_s_counts_nothing(world, chat, text, vector, ago, role):
    say(chat, text, vector, ago=ago, role=role)
    for _ in range(2):
        trace(world)
    trace(world, say(chat, "No garlic in my food, as I said", NEAR))
    assert today() == Measured(exchanges=1)


def test_another_player_s_words_are_not_looked_at(world, chat):
    other = open_chat(world.tenant, "player-2", world=world)
    say(other, "I can't stand garlic in any food", NEAR, ago=ELEVEN_DAYS)
    trace(world, say(chat, "No garlic in my food, as I said", NEAR))
    assert today() == Measured(exchanges=1)


def test_turns_without_a_message_or_a_vector_are_not_measured(world, chat):
    trace(world)
    message = say(chat, "No garlic in my food, as I said", NEAR)
    MessagePassage.objects.filter(message=message).update(embedding=None, embedding_state="pending", embedder="")
    trace(world, message)
    assert today() == Measured()


def test_a_night_is_measured_once_and_only_by_meaning(world, chat, monkeypatch):
    class Meaning:
        is_semantic = True

    trace(world, say(chat, "No garlic in my food, as I said", NEAR))
    day = timezone.now().date()
    assert measure_night(day) == Measured(), "the embedder of tests knows spelling alone"
    monkeypatch.setattr(actions, "get_message_embedder", Meaning)
    assert measure_night(day) == Measured(exchanges=1)
    assert measure_night(day) == Measured()


def test_what_was_cut_is_not_told():
    items = [{"reason": None, "evidence": [1, 2]}, {"reason": "layer_full", "evidence": [3]}]
    assert list_told({"items": items}) == {1, 2}


@pytest.mark.parametrize(("exchanges", "rate"), [(0, 1.0), (20, 1.0), (1000, 0.05), (100_000, 0.01)])
def test_of_little_more_is_looked_at(exchanges, rate):
    assert find_rate(exchanges) == rate


def test_statements_are_no_questions_and_no_greetings():
    assert is_statement("I am allergic to nuts", 3)
    assert not any(is_statement(text, 4) for text in ("Am I allergic?", "هل لدي حساسية؟", "我过敏吗？"))
    assert not is_statement("Hello there", 2)


def test_any_relevant_message_in_the_pack_is_enough():
    both = [
        Earlier(1, 0.9, is_statement=True, requests_since=()),
        Earlier(2, 0.95, is_statement=True, requests_since=()),
    ]
    assert is_missed(both, frozenset())
    assert not is_missed(both, frozenset({1}))
    assert not is_repeated(both, says_something=True)
