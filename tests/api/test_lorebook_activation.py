"""`POST lorebooks/activate`: books and chats of callers, conversations of their world, both dialects."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from episodes.models import Message
from runtime.lorebooks.shapes import ANSWER, ASK
from tenancy.actions.worlds import ensure_world
from tests.factories.rest import post_message, start_chat

HEADERS = {"X-Tenant-ID": "studio", "X-Site-ID": "ashfall"}


@pytest.fixture
def api(db, make_api, world):
    return make_api("read", "engine", headers=HEADERS)


def ask(*entries: dict, **members) -> dict:
    written = {
        str(n): {**ASK["books"][0]["document"]["entries"]["0"], "uid": n, **each} for n, each in enumerate(entries)
    }
    body = {"books": [{"document": {"entries": written}, "name": "coast"}], "messages": [{"text": "hi"}], **members}
    if "conversation_id" in members:
        del body["messages"]
    return body


def say(api, *texts: str) -> int:
    chat = start_chat(api, external_id="chat")
    for number, text in enumerate(texts):
        post_message(api, chat, text, ("user", "assistant")[number % 2], npc_id="mira")
    return chat


def test_example_is_answered_as_the_document_says(api):
    answer = api.post("lorebooks/activate", ASK)
    assert answer.status_code == 200, answer.content
    assert answer.json() == ANSWER


def test_both_dialects_are_compared(api):
    body = ask(
        {"key": ["щит"], "matchWholeWords": True}, {"key": ["король"]},
        messages=[{"text": "Защитник видел короля"}], dialect="both",
    )  # fmt: skip
    answer = api.post("lorebooks/activate", body).json()
    assert [each["dialect"] for each in answer["activations"]] == ["faithful", "m37"]
    assert [(each["uid"], each["is_active_faithful"], each["is_active_m37"]) for each in answer["differences"]] == [
        ("0", True, False), ("1", False, True),
    ]  # fmt: skip


def test_conversation_of_the_world_is_scanned(api):
    number = say(api, "the moon gate is near", "which gate?", "the old one")
    body = ask({"key": ["moon gate"]}, conversation_id=number, settings={"scan_depth": 5})
    entry = api.post("lorebooks/activate", body).json()["activations"][0]["trace"]["entries"][0]
    assert entry["match"]["where"]["index"] == 0
    body = ask({"key": ["moon gate"]}, conversation_id=number, message_limit=2, settings={"scan_depth": 5})
    assert not api.post("lorebooks/activate", body).json()["activations"][0]["trace"]["entries"][0]["is_active"]


def test_names_of_speakers_are_those_of_the_macros(api):
    number = say(api, "hello", "hello")
    body = ask({"key": ["Oda:"]}, {"key": ["Kel:"]}, conversation_id=number, macros={"user": "Oda", "char": "Kel"})
    entries = api.post("lorebooks/activate", body).json()["activations"][0]["trace"]["entries"]
    assert [entry["is_active"] for entry in entries] == [True, True]


def test_conversation_of_another_world_is_not_found(api, make_api, world):
    number = say(api, "the moon gate")
    ensure_world(tenant_id=world.tenant_id, slug="other")
    other = make_api("read", headers={**HEADERS, "X-Site-ID": "other"})
    answer = other.post("lorebooks/activate", ask({}, conversation_id=number))
    assert (answer.status_code, answer.json()["code"]) == (404, "conversation_not_found")


def test_forgotten_messages_are_not_scanned(api):
    number = say(api, "the moon gate", "yes")
    message = Message.objects.filter(conversation_id=number).earliest("seq")
    forget = api.post(f"messages/{message.pk}/forget", {})
    if forget.status_code >= 400:
        pytest.fail(forget.content.decode())
    body = ask({"key": ["moon gate"]}, {"key": ["erased"]}, conversation_id=number, settings={"scan_depth": 5})
    entries = api.post("lorebooks/activate", body).json()["activations"][0]["trace"]["entries"]
    assert [entry["is_active"] for entry in entries] == [False, False]


def test_state_goes_round_and_rolls_replay(api):
    body = ask({"key": ["x"], "sticky": 3, "probability": 50}, messages=[{"text": "x"}], rolls=[0.25])
    first = api.post("lorebooks/activate", body).json()["activations"][0]
    assert first["trace"]["rolls"] == [{"purpose": "probability", "subject": "coast.0", "value": 0.25}]
    body |= {"messages": [{"text": "x"}, {"text": "…"}, {"text": "…"}], "state": first["state"], "rolls": [0.99]}
    second = api.post("lorebooks/activate", body).json()["activations"][0]
    assert second["trace"]["entries"][0]["rule"] == "sticky"


def test_flags_decide_on_stateful_entries(api):
    when = {"extensions": {"memory37": {"when": ["flag:gate_open"]}}, "key": ["hi"]}
    for is_open in (True, False):
        answer = api.post("lorebooks/activate", ask(when, flags={"gate_open": is_open}, dialect="m37")).json()
        assert answer["activations"][0]["trace"]["entries"][0]["is_active"] is is_open


def test_member_without_a_number_is_null_in_the_answer(api):
    body = ask({"key": ["hi"]})
    del body["books"][0]["document"]["entries"]["0"]["order"]
    answer = api.post("lorebooks/activate", body)
    assert answer.json()["activations"][0]["placements"]["entries"][0]["order"] is None


def nest(levels: int) -> list:
    return [nest(levels - 1)] if levels else []


@pytest.mark.parametrize(
    "document", [7, {"entries": 7}, {"entries": {"0": {"key": 7}}}, {"entries": {}, "x": nest(200)}]
)
def test_damaged_book_is_refused(api, document):
    answer = api.post("lorebooks/activate", {"books": [{"document": document}], "messages": []})
    assert (answer.status_code, answer.json()["code"]) == (400, "worldinfo_invalid"), answer.content


@pytest.mark.parametrize(
    "members",
    [
        {"messages": [], "conversation_id": 1},
        {"dialect": "mine"},
        {"settings": {"scan_depth": -1}},
        {"rolls": [1.5]},
        {"state": 7},
        {"message_limit": 5},
    ],
)
def test_body_is_held_against_its_schema(api, members):
    answer = api.post("lorebooks/activate", {**ask({}), **members})
    assert (answer.status_code, answer.json()["code"]) == (400, "body_invalid")


def test_hostile_book_costs_no_more_than_its_allowance(api):
    body = ask(*({"key": [f"/(?<!{n})(?:a|aa)+$/"]} for n in range(50)), messages=[{"text": "a" * 60 + "!"}])
    issues = api.post("lorebooks/activate", body).json()["activations"][0]["trace"]["regex_issues"]
    assert {issue["code"] for issue in issues} == {"timeout", "out_of_time"}


def test_sent_books_and_chats_cost_no_query_of_their_own(api, django_assert_num_queries):
    api.post("lorebooks/activate", ASK)
    with CaptureQueriesContext(connection) as plain:
        api.get("status")
    with CaptureQueriesContext(connection) as queries:
        api.post("lorebooks/activate", ASK)
    assert len(queries) <= len(plain)
    assert not [each["sql"] for each in queries if (each["sql"] or "").startswith(("INSERT", "UPDATE", "DELETE"))]
