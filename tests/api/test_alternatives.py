"""Edits, swipes, choices and branches by REST: what is read, what followed, and what is refused."""

from __future__ import annotations

import pytest

from episodes.forgetting.actions.erasure import erase_user
from episodes.models import Message, MessageChange, MessagePassage
from knowledge.facts.models import UserFact
from tenancy.actions.worlds import ensure_tenant, ensure_world
from tenancy.models import EndUser
from tests.database import check_constraints
from tests.factories.rest import list_known, post_message, start_chat

NUTS = "I'm allergic to nuts."


@pytest.fixture
def chat(engine):
    return start_chat(engine)


def call(engine, path, body=None, status=200, **more):
    answer = engine.post(path, body, **more)
    assert answer.status_code == status, answer.content
    return answer.json()


def read(engine, chat):
    return [each["content"] for each in engine.get(f"conversations/{chat}/messages").json()["messages"]]


def test_the_five_calls_of_a_sillytavern_user(engine, chat):
    posted = [
        post_message(engine, chat, text, role)
        for text, role in [
            ("Hello there.", "user"),
            ("Welcome to the inn.", "assistant"),
            (NUTS, "user"),
            ("I will tell the cook.", "assistant"),
        ]
    ]
    assert posted[2]["understood"]["facts"][0]["type"] == "allergy"
    assert list_known(engine) == {("allergy", "nuts"): "nuts"}

    swipes = [call(engine, f"conversations/{chat}/swipes", {"content": f"Answer {number}."}) for number in (1, 2, 3)]
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
    assert list_known(engine) == {}

    for number in range(5, 16):
        post_message(engine, chat, f"Line {number}.", "user" if number % 2 else "assistant")
    branch = call(engine, f"conversations/{chat}/branch", {"from_seq": 12}, status=201)
    line = branch["id"]
    assert (branch["trunk_id"], branch["fork_seq"], branch["message_count"]) == (chat, 12, 12)
    assert read(engine, line) == read(engine, chat)[:12]
    own = post_message(engine, line, "Down the other road.")
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
    post_message(engine, chat, "My size is M.")
    post_message(engine, chat, "My size is S.")
    stated = post_message(engine, chat, "I'm allergic to nuts and my size is L.")
    assert list_known(engine) == {("allergy", "nuts"): "nuts", ("body_params", "size"): "L"}
    swiped = call(engine, f"conversations/{chat}/swipes", {"content": "What a day."})
    assert list_known(engine) == {("body_params", "size"): "S"}
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
    assert list_known(engine) == {("allergy", "nuts"): "nuts", ("body_params", "size"): "L"}
    assert {fact["value"] for fact in again["changes"]["facts_restored"]} == {"nuts", "L"}
    assert MessageChange.objects.count() == 2
    check_constraints()


def test_the_next_pack_and_searches_know_the_new_words_alone(engine, chat):
    old = post_message(engine, chat, "I'm allergic to nuts.")["message_id"]
    post_message(engine, chat, "Noted.", "assistant")
    ask = {"message": "What may I eat?", "user_id": "player-1", "conversation_id": chat}

    def ask_pack():
        return str(call(engine, "context", ask)["messages"])

    assert "nuts" in ask_pack()
    call(engine, f"messages/{old}/edit", {"content": "I adore pears."})
    pack = ask_pack()
    assert "nuts" not in pack
    assert "pears" in pack
    for path in (f"conversations/{chat}/search", "users/player-1/episodes"):
        assert not any("nuts" in each["raw_excerpt"] for each in find(engine, path, "nuts"))
        assert [each["raw_excerpt"] for each in find(engine, path, "pears")][:1] == ["I adore pears."]


def find(engine, path, query):
    return engine.get(path, {"q": query}).json()["episodes"]


def test_what_other_lines_said_is_no_part_of_a_line(engine, chat):
    for text in ("The ferry is late.", "The harbour smells of tar.", "A lantern burns at the tower."):
        post_message(engine, chat, text)
    branch = call(engine, f"conversations/{chat}/branch", {"from_seq": 2}, status=201)
    line = branch["id"]
    post_message(engine, line, "A drum beats in the cellar.")

    def found(path, query):
        return {each["raw_excerpt"] for each in find(engine, path, query)}

    assert "The harbour smells of tar." in found(f"conversations/{line}/search", "harbour")
    assert "A lantern burns at the tower." not in found(f"conversations/{line}/search", "lantern tower")
    assert "A drum beats in the cellar." not in found(f"conversations/{chat}/search", "drum cellar")
    assert found("users/player-1/episodes", "lantern drum") >= {
        "A lantern burns at the tower.",
        "A drum beats in the cellar.",
    }
    for asked, own, foreign in (
        (line, "A drum beats in the cellar.", "lantern"),
        (chat, "A lantern burns at the tower.", "drum"),
    ):
        ask = {"message": "lantern or drum?", "user_id": "player-1", "conversation_id": asked}
        pack = str(call(engine, "context", ask)["messages"]).replace("lantern or drum?", "")
        assert own in pack
        assert "The harbour smells of tar." in pack
        assert foreign not in pack


def test_a_swipe_takes_the_last_place_or_a_named_one(engine, chat):
    for text in ("One.", "Two."):
        post_message(engine, chat, text)
    assert call(engine, f"conversations/{chat}/swipes", {"content": "2b"})["seq"] == 2
    assert call(engine, f"conversations/{chat}/swipes", {"content": "1b", "seq": 1})["seq"] == 1
    assert read(engine, chat) == ["1b", "2b"]


def test_a_repeat_under_its_key_changes_nothing_twice(engine, chat):
    post_message(engine, chat, "One.")
    body = {"content": "Another."}
    first = call(engine, f"conversations/{chat}/swipes", body, Idempotency_Key="swipe-1")
    assert call(engine, f"conversations/{chat}/swipes", body, Idempotency_Key="swipe-1") == first
    assert Message.objects.count() == 2
    clash = call(engine, f"conversations/{chat}/swipes", {"content": "Else."}, status=409, Idempotency_Key="swipe-1")
    assert (clash["code"], Message.objects.count()) == ("idempotency_key_reused", 2)
    other = call(engine, f"messages/{first['message_id']}/edit", body, status=409, Idempotency_Key="swipe-1")
    assert other["code"] == "idempotency_key_reused"


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("messages/{id}/edit", {"content": "\u200b"}, 400, "message_empty"),
        ("messages/{id}/edit", {"content": ""}, 400, "body_invalid"),
        ("messages/{id}/edit", {}, 400, "body_invalid"),
        ("messages/{id}/edit", {"content": "x", "role": "system"}, 400, "body_invalid"),
        ("messages/999999/edit", {"content": "x"}, 404, "message_not_found"),
        ("messages/99999999999999999999/select", None, 404, "message_not_found"),
        ("conversations/{chat}/swipes", {"content": "x", "seq": 2}, 404, "message_not_found"),
        ("conversations/{chat}/swipes", {"content": "x", "seq": 0}, 400, "body_invalid"),
        ("conversations/999999/swipes", {"content": "x"}, 404, "conversation_not_found"),
        ("conversations/{chat}/branch", {"from_seq": 2}, 400, "branch_invalid"),
        ("conversations/{chat}/branch", {"from_seq": 0}, 400, "body_invalid"),
        ("messages/{id}/edit", {"content": "x" * 1_048_577}, 400, "body_invalid"),
        ("messages/{id}/edit", {"content": "a\x00b"}, 400, "message_not_text"),
        ("messages/{id}/edit", {"content": "x", "frame": "aside"}, 400, "body_invalid"),
        ("messages/{id}/edit", {"content": "x", "sent_at": "2020-01-01T00:00:00Z"}, 400, "body_invalid"),
        ("messages/{id}/edit", ["x"], 400, "body_invalid"),
        ("messages/-1/edit", {"content": "x"}, 404, "not_found"),
        ("conversations/{chat}/swipes", {"content": "x", "seq": 2147483648}, 400, "body_invalid"),
        ("conversations/{chat}/swipes", {"content": "x", "seq": True}, 400, "body_invalid"),
        ("conversations/{chat}/branch", {}, 400, "body_invalid"),
        ("conversations/999999/branch", {"from_seq": 1}, 404, "conversation_not_found"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(engine, chat, path, body, status, code):
    old = post_message(engine, chat, NUTS)["message_id"]
    refused = call(engine, path.format(id=old, chat=chat), body, status=status)
    assert refused["code"] == code
    assert (read(engine, chat), Message.objects.count()) == ([NUTS], 1)
    assert list_known(engine) == {("allergy", "nuts"): "nuts"}


def test_forgetting_takes_what_stored_answers_of_edits_tell(engine, chat):
    old = post_message(engine, chat, "Good evening.")["message_id"]
    new = call(engine, f"messages/{old}/edit", {"content": NUTS}, Idempotency_Key="edit-1")["message_id"]
    call(engine, f"messages/{new}/forget", status=201)
    again = call(engine, f"messages/{old}/edit", {"content": NUTS}, Idempotency_Key="edit-1")
    assert again["message_id"] == new
    assert "nuts" not in str(again)
    assert Message.objects.filter(forgotten_at__isnull=False).count() == 2


def test_an_old_alternative_is_refused_with_the_current_one(engine, chat):
    old = post_message(engine, chat, "One.")["message_id"]
    new = call(engine, f"messages/{old}/edit", {"content": "Two."})["message_id"]
    refused = call(engine, f"messages/{old}/edit", {"content": "Three."}, status=409)
    assert (refused["code"], refused["current_id"]) == ("message_not_current", new)


def test_a_line_of_branches_reads_an_edit_of_the_trunk_and_forgets_what_it_forgets(engine, chat):
    told = post_message(engine, chat, "The ferry is late.")
    post_message(engine, chat, "It sinks.")
    line, lines = chat, [chat]
    for depth in (1, 2, 3):
        line = call(engine, f"conversations/{line}/branch", {"from_seq": depth}, status=201)["id"]
        post_message(engine, line, f"Branch {depth}.")
        lines.append(line)
    assert [read(engine, each) for each in lines[1:]] == [
        ["The ferry is late.", "Branch 1."],
        ["The ferry is late.", "Branch 1.", "Branch 2."],
        ["The ferry is late.", "Branch 1.", "Branch 2.", "Branch 3."],
    ]
    edited = call(engine, f"messages/{told['message_id']}/edit", {"content": NUTS})
    assert [read(engine, each)[0] for each in lines] == [NUTS] * 4
    call(engine, f"conversations/{lines[3]}/swipes", {"content": "x", "seq": 1}, status=404)
    call(engine, f"messages/{edited['message_id']}/forget", status=201)
    assert NUTS not in str([engine.get(f"conversations/{each}/messages").json() for each in lines])
    refused = call(engine, f"messages/{edited['message_id']}/edit", {"content": "x"}, status=409)
    assert refused["code"] == "message_forgotten"
    call(engine, f"conversations/{lines[3]}/branch", {"from_seq": 1}, status=409)


def test_erasing_a_player_takes_every_line_and_alternative(engine, chat, tenant):
    told = post_message(engine, chat, NUTS)
    call(engine, f"messages/{told['message_id']}/edit", {"content": "I'm allergic to nickel."})
    line = call(engine, f"conversations/{chat}/branch", {"from_seq": 1}, status=201)["id"]
    post_message(engine, line, "I'm allergic to dust.")
    call(engine, f"conversations/{line}/swipes", {"content": "I'm allergic to pollen."})
    player = EndUser.objects.get(tenant=tenant)
    erase_user(tenant_id=tenant.pk, end_user_id=player.pk, reason="by law", requested_by="ada")
    left = " ".join(Message.objects.values_list("content", flat=True))
    assert Message.objects.count() == 4
    assert not any(word in left for word in ("nuts", "nickel", "dust", "pollen"))
    assert not MessagePassage.objects.exists()
    assert not UserFact.objects.exclude(value_sealed=b"").exists()


@pytest.mark.parametrize(
    ("words", "key"),
    [
        ("У меня аллергия на арахис.", "peanuts"),
        ("我对花生过敏。", "peanuts"),
        ("I'm allergic to nickel.", "nickel"),
    ],
)
def test_an_edit_in_any_language_teaches_and_takes_back(engine, chat, words, key):
    old = post_message(engine, chat, NUTS)["message_id"]
    edited = call(engine, f"messages/{old}/edit", {"content": words})
    assert [fact["key"] for fact in edited["changes"]["facts_ended"]] == ["nuts"]
    [fact] = engine.get("users/player-1/facts").json()["facts"]
    assert (fact["type"], fact["key"]) == ("allergy", key)


def test_an_empty_conversation_has_nothing_to_swipe(engine, chat):
    assert call(engine, f"conversations/{chat}/swipes", {"content": "x"}, status=404)["code"] == "message_not_found"


def test_other_tenants_worlds_and_scopes_change_nothing(engine, chat, make_api, world):
    old = post_message(engine, chat, NUTS)["message_id"]
    third = ensure_world(tenant_id=world.tenant_id, slug="third")
    rival = ensure_tenant(slug="rival", name="Rival")
    strangers = [make_api("engine", "read", world_id=third.pk), make_api("engine", "read", of=rival)]
    for stranger in strangers:
        for path, body in (
            (f"messages/{old}/edit", {"content": "x"}),
            (f"messages/{old}/select", None),
            (f"conversations/{chat}/swipes", {"content": "x"}),
            (f"conversations/{chat}/branch", {"from_seq": 1}),
        ):
            call(stranger, path, body, status=404)
        assert stranger.get(f"messages/{old}/alternatives").status_code == 404
    reader = make_api("read")
    call(reader, f"messages/{old}/edit", {"content": "x"}, status=403)
    assert (read(engine, chat), list_known(engine)) == ([NUTS], {("allergy", "nuts"): "nuts"})
