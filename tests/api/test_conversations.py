"""Conversations and messages through REST."""

from __future__ import annotations

import pytest
from django.test import Client

from episodes.models import Conversation, Message
from tenancy.actions.worlds import ensure_tenant, ensure_world
from tests.factories.npcs import write_npc


@pytest.fixture
def chat(engine):
    return f"conversations/{engine.post('conversations', {'user_id': 'player-1'}).json()['id']}"


def test_a_message_comes_back_word_for_word(engine, chat):
    content = "My size is M, مقاسي M\u200b\n"
    answer = engine.post(
        f"{chat}/messages", {"role": "user", "content": content, "sent_at": "2024-05-01T10:00:00+02:00"}
    )
    assert answer.status_code == 201
    stored = answer.json()
    assert (stored["seq"], stored["created"], stored["frame"]) == (1, True, "unknown")
    page = engine.get(f"{chat}/messages").json()
    assert page["has_more"] is False
    (message,) = page["messages"]
    assert message["id"] == stored["message_id"]
    assert (message["content"], message["sent_at"]) == (content, "2024-05-01T08:00:00Z")


def test_a_conversation_is_opened_once_and_read(engine, world):
    body = {"user_id": "player-1", "external_id": "chat-1", "npc_id": "oda"}
    first = engine.post("conversations", body, X_Site_ID="ashfall")
    again = engine.post("conversations", body, X_Site_ID="ashfall")
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    assert first["Location"] == f"/api/v1/conversations/{first.json()['id']}"
    read = engine.get(f"conversations/{first.json()['id']}").json()
    assert (read["user_id"], read["world"], read["message_count"]) == ("player-1", "ashfall", 0)


def test_a_conversation_knows_what_its_sides_are_called(engine, problem):
    body = {"user_id": "player-1", "external_id": "chat-1", "participants": {"user": "Lena"}}
    opened = engine.post("conversations", body).json()
    assert opened["participants"] == {"user": "Lena"}
    named = engine.post("conversations", {**body, "participants": {"user": "Léna", "assistant": "米拉"}}).json()
    assert (named["id"], named["participants"]) == (opened["id"], {"user": "Léna", "assistant": "米拉"})
    assert engine.post("conversations", {**body, "participants": {}}).json() == named
    for wrong in ({"narrator": "x"}, {"user": ""}, {"user": "x" * 81}, {"user": 3}, {"user": "a\x00b"}, ["user"]):
        problem(engine.post("conversations", {**body, "participants": wrong}), 400, "body_invalid")
    assert engine.get(f"conversations/{opened['id']}").json() == named


def test_an_npc_is_called_as_its_profile_says(engine, world):
    names = {"ru": "Ода Марр"}
    write_npc(world, "oda", name="Oda Marr", names=names, archetype="keeper", persona="Keeps the light.")
    opened = engine.post("conversations", {"user_id": "p", "npc_id": "oda"}, X_Site_ID="ashfall").json()
    assert opened["participants"] == {"assistant": "Oda Marr; Ода Марр"}
    told = {"user_id": "p", "npc_id": "oda", "participants": {"assistant": "The keeper"}}
    assert engine.post("conversations", told, X_Site_ID="ashfall").json()["participants"] == told["participants"]
    unknown = engine.post("conversations", {"user_id": "p", "npc_id": "nobody"}, X_Site_ID="ashfall").json()
    assert unknown["participants"] == {}


def test_a_conversation_of_another_user_under_the_same_id_is_a_conflict(engine, problem):
    engine.post("conversations", {"user_id": "one", "external_id": "chat-1"})
    answer = engine.post("conversations", {"user_id": "two", "external_id": "chat-1"})
    problem(answer, 409, "conversation_external_id_taken")


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"content": ""}, "body_invalid"),
        ({"content": " \u200b "}, "message_empty"),
        ({"content": "a\x00b"}, "message_not_text"),
        ({"content": "\ud83d"}, "message_not_text"),
        ({"content": "x" * 1_048_577}, "body_invalid"),
        ({"content": None}, "body_invalid"),
        ({"role": "narrator"}, "body_invalid"),
        ({"sent_at": "2999-01-01T00:00:00Z"}, "sent_at_in_future"),
        ({"sent_at": "1970-01-01T00:00:00Z"}, "sent_at_too_early"),
        ({"sent_at": "yesterday"}, "sent_at_invalid"),
        ({"sent_at": "2024-01-01T00:00:00"}, "sent_at_invalid"),
        ({"sent_at": "0001-01-01T00:00:00+14:00"}, "sent_at_invalid"),
        ({"reply_to": 999_999}, "reply_to_unknown"),
        ({"client_message_id": "a\nb"}, "body_invalid"),
        ({"unknown": 1}, "body_invalid"),
    ],
)
def test_bad_messages_are_refused_with_a_code_and_change_nothing(engine, chat, problem, change, code):
    problem(engine.post(f"{chat}/messages", {"role": "user", "content": "hi", **change}), 400, code)
    assert not Message.objects.exists()
    assert Conversation.objects.get().last_seq == 0


def test_bytes_that_are_not_utf_8_are_refused(engine, chat, problem):
    answer = Client().generic(
        "POST",
        f"/api/v1/{chat}/messages",
        b'{"role": "user", "content": "\xff\xfe"}',
        content_type="application/json",
        headers={"Authorization": f"Bearer {engine.key}"},
    )
    problem(answer, 400, "parse_error")


def test_a_client_id_makes_a_repeat_harmless_and_another_body_a_conflict(engine, chat, problem):
    body = {"role": "user", "content": "hi", "client_message_id": "c1"}
    first, again = engine.post(f"{chat}/messages", body), engine.post(f"{chat}/messages", body)
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json() == {**first.json(), "created": False}
    problem(engine.post(f"{chat}/messages", {**body, "content": "ho"}), 409, "client_message_id_reused")
    assert Message.objects.count() == 1


def test_an_idempotency_key_makes_a_repeat_harmless(engine, chat):
    body = {"role": "user", "content": "hi"}
    first = engine.post(f"{chat}/messages", body, Idempotency_Key="k1")
    again = engine.post(f"{chat}/messages", body, Idempotency_Key="k1")
    assert again["Idempotency-Replayed"] == "true"
    assert again.json() == first.json()
    assert Message.objects.count() == 1


def test_a_batch_is_all_or_nothing(engine, chat, problem):
    good = {"role": "user", "content": "hi"}
    document = problem(
        engine.post(f"{chat}/messages/batch", {"messages": [good, {**good, "content": "\u200b"}]}), 400, "message_empty"
    )
    assert document["position"] == 1
    assert not Message.objects.exists()
    answer = engine.post(f"{chat}/messages/batch", {"messages": [good] * 500})
    assert [each["seq"] for each in answer.json()["messages"]] == list(range(1, 501))
    problem(engine.post(f"{chat}/messages/batch", {"messages": [good] * 501}), 400, "body_invalid")
    problem(engine.post(f"{chat}/messages/batch", {"messages": []}), 400, "body_invalid")


def test_a_forgotten_message_keeps_its_place_and_shows_nothing(engine, chat):
    engine.post(f"{chat}/messages", {"role": "user", "content": "secret", "client_message_id": "c1"})
    Message.objects.update(forgotten_at="2026-01-01T00:00:00Z")
    answer = engine.get(f"{chat}/messages")
    assert b"secret" not in answer.content
    assert answer.json()["messages"][0]["content"] is None


def test_conversations_of_other_tenants_and_worlds_are_told_as_absent(engine, chat, make_api, tenant, problem):
    rival = make_api("engine", "read", of=ensure_tenant(slug="rival"))
    other_world = ensure_world(tenant_id=tenant.pk, slug="second")
    bound = make_api("engine", "read", world_id=other_world.pk)
    for client in (rival, bound):
        problem(client.get(chat), 404, "conversation_not_found")
        problem(client.get(f"{chat}/messages"), 404, "conversation_not_found")
        problem(client.post(f"{chat}/messages", {"role": "user", "content": "hi"}), 404, "conversation_not_found")
        batch = {"messages": [{"role": "user", "content": "hi"}]}
        problem(client.post(f"{chat}/messages/batch", batch), 404, "conversation_not_found")
    problem(engine.get("conversations/9223372036854775808"), 404, "conversation_not_found")
    assert not Message.objects.exists()


def test_tenants_may_use_the_same_ids(engine, make_api):
    rival = make_api("engine", of=ensure_tenant(slug="rival"))
    body = {"user_id": "player-1", "external_id": "chat-1"}
    one, two = engine.post("conversations", body), rival.post("conversations", body)
    assert (one.status_code, two.status_code) == (201, 201)
    assert one.json()["id"] != two.json()["id"]


def test_writing_takes_the_engine_scope(make_api, chat, problem):
    reader = make_api("read", "editor")
    problem(reader.post("conversations", {"user_id": "p"}), 403, "scope_missing")
    problem(reader.post(f"{chat}/messages", {"role": "user", "content": "hi"}), 403, "scope_missing")
    problem(make_api("editor").get(f"{chat}/messages"), 403, "scope_missing")
    assert make_api("engine").get(f"{chat}/messages").status_code == 200


@pytest.mark.parametrize("user_id", ["", " ", "a\u0007b", "x" * 201])
def test_a_user_id_out_of_form_is_refused(engine, problem, user_id):
    problem(engine.post("conversations", {"user_id": user_id}), 400, "body_invalid")


def test_pages_go_both_ways_and_refuse_both_at_once(engine, chat, problem):
    engine.post(f"{chat}/messages/batch", {"messages": [{"role": "user", "content": str(n)} for n in range(1, 6)]})
    assert [row["seq"] for row in engine.get(f"{chat}/messages", {"before": 4, "limit": 2}).json()["messages"]] == [
        2,
        3,
    ]
    assert [row["seq"] for row in engine.get(f"{chat}/messages", {"after": 3}).json()["messages"]] == [4, 5]
    problem(engine.get(f"{chat}/messages", {"after": 1, "before": 4}), 400, "after_and_before")


def test_posting_takes_the_same_queries_whatever_came_before(engine, chat, django_assert_num_queries):
    body = {"role": "user", "content": "hi"}
    engine.post(f"{chat}/messages", body)
    with django_assert_num_queries(5):
        engine.post(f"{chat}/messages", body)
    engine.post(f"{chat}/messages/batch", {"messages": [body] * 300})
    with django_assert_num_queries(5):
        engine.post(f"{chat}/messages", body)
