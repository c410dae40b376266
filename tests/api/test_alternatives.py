"""Edits, swipes, choices and branches by REST: what is read, what followed, and what is refused."""

from __future__ import annotations

import pytest
from django.db import connection

from episodes.models import Message, MessageChange, MessagePassage

NUTS = "I'm allergic to nuts."


@pytest.fixture
def engine(make_api, world):
    return make_api("engine", "read")


@pytest.fixture
def chat(engine):
    return f"conversations/{engine.post('conversations', {'user_id': 'player-1'}).json()['id']}"


def post(engine, chat, content, role="user", **more):
    answer = engine.post(f"{chat}/messages", {"role": role, "content": content, **more})
    assert answer.status_code == 201, answer.content
    return answer.json()


def call(engine, path, body=None, status=200, **more):
    answer = engine.post(path, body, **more)
    assert answer.status_code == status, answer.content
    return answer.json()


def read(engine, chat):
    return [each["content"] for each in engine.get(f"{chat}/messages").json()["messages"]]


def known(engine, user="player-1"):
    return {(fact["type"], fact["key"]): fact["value"] for fact in engine.get(f"users/{user}/facts").json()["facts"]}


def check_constraints():
    """What waits for the end of the transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")


def test_the_five_calls_of_a_sillytavern_user(engine, chat):
    posted = [
        post(engine, chat, text, role)
        for text, role in [
            ("Hello there.", "user"),
            ("Welcome to the inn.", "assistant"),
            (NUTS, "user"),
            ("I will tell the cook.", "assistant"),
        ]
    ]
    assert posted[2]["understood"]["facts"][0]["type"] == "allergy"
    assert known(engine) == {("allergy", "nuts"): "nuts"}

    swipes = [call(engine, f"{chat}/swipes", {"content": f"Answer {number}."}) for number in (1, 2, 3)]
    assert [each["deselected_id"] for each in swipes] == [
        posted[3]["message_id"],
        swipes[0]["message_id"],
        swipes[1]["message_id"],
    ]
    assert read(engine, chat)[-1] == "Answer 3."
    assert [each["seq"] for each in swipes] == [4, 4, 4]

    second = call(engine, f"messages/{swipes[1]['message_id']}/select")
    assert (second["changed"], second["deselected_id"]) == (True, swipes[2]["message_id"])
    assert read(engine, chat)[-1] == "Answer 2."

    edited = call(engine, f"messages/{posted[2]['message_id']}/edit", {"content": "I like apples."})
    assert read(engine, chat) == ["Hello there.", "Welcome to the inn.", "I like apples.", "Answer 2."]
    assert [fact["key"] for fact in edited["changes"]["facts_ended"]] == ["nuts"]
    assert known(engine) == {}

    for number in range(5, 16):
        post(engine, chat, f"Line {number}.", "user" if number % 2 else "assistant")
    branch = call(engine, f"{chat}/branch", {"from_seq": 12}, status=201)
    line = f"conversations/{branch['id']}"
    assert (branch["trunk_id"], branch["fork_seq"], branch["message_count"]) == (int(chat.split("/")[1]), 12, 12)
    assert read(engine, line) == read(engine, chat)[:12]
    own = post(engine, line, "Down the other road.")
    assert own["seq"] == 13
    assert read(engine, line)[-2:] == ["Line 12.", "Down the other road."]
    assert read(engine, chat)[-1] == "Line 15."
    check_constraints()
    alternatives = engine.get(f"messages/{posted[3]['message_id']}/alternatives").json()["messages"]
    assert [(each["content"], each["is_current"]) for each in alternatives] == [
        ("I will tell the cook.", False),
        ("Answer 1.", False),
        ("Answer 2.", True),
        ("Answer 3.", False),
    ]


def test_a_swiped_allergy_is_gone_and_what_it_replaced_comes_back(engine, chat):
    """T-2: swipe the message that stated the allergy."""
    post(engine, chat, "My size is M.")
    post(engine, chat, "My size is S.")
    stated = post(engine, chat, "I'm allergic to nuts and my size is L.")
    assert known(engine) == {("allergy", "nuts"): "nuts", ("body_params", "size"): "L"}
    swiped = call(engine, f"{chat}/swipes", {"content": "What a day."})
    assert known(engine) == {("body_params", "size"): "S"}
    changes = swiped["changes"]
    assert {(fact["type"], fact["value"]) for fact in changes["facts_ended"]} == {
        ("allergy", "nuts"),
        ("body_params", "L"),
    }
    assert [(fact["type"], fact["value"]) for fact in changes["facts_restored"]] == [("body_params", "S")]
    assert changes["cleared"]["passages"] == 1
    assert not MessagePassage.objects.filter(message_id=stated["message_id"]).exists()
    assert Message.objects.get(pk=stated["message_id"]).content.startswith("I'm allergic")
    again = call(engine, f"messages/{stated['message_id']}/select")
    assert known(engine) == {("allergy", "nuts"): "nuts", ("body_params", "size"): "L"}
    assert {fact["value"] for fact in again["changes"]["facts_restored"]} == {"nuts", "L"}
    assert MessageChange.objects.count() == 2
    check_constraints()
