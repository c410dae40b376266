"""Names that others took the place of are taken and answered until 1.0, and marked as deprecated."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.factories.campaigns import make_body, make_event
from tests.openapi import inline_components, load_openapi


@pytest.fixture(scope="module")
def document():
    return inline_components(load_openapi())


@pytest.fixture
def engine(make_api, world):
    return make_api("engine")


def test_a_pack_is_the_same_for_content_and_its_old_name(engine):
    packs = [engine.post("context", {name: "Who rings the bell?"}) for name in ("content", "message")]
    assert [each.status_code for each in packs] == [200, 200]
    new, old = (each.json() for each in packs)
    assert new["messages"][-1] == {"role": "user", "content": "Who rings the bell?"}
    assert new["messages"] == old["messages"]


@pytest.mark.parametrize("body", [{}, {"content": "a", "message": "a"}, {"content": ""}, {"content": 7}])
def test_a_pack_takes_one_text(engine, problem, body):
    problem(engine.post("context", body), 400, "body_invalid")


def test_hearsay_is_told_by_either_path_and_is_one_thing(engine):
    engine.post("campaigns", {"campaign_id": "camp_1"})
    summary = engine.post("episodes/summaries", make_body())
    assert (summary.status_code, summary.json()["hearsay"], summary.json()["told"]) == (201, 0, 0)
    assert engine.post("episodes/events", make_event()).status_code == 201
    told = {"npc_id": "npc_Oda", "event_id": "evt_1", "source": "p_A"}
    new = engine.post("episodes/hearsay", told)
    assert (new.status_code, new.json()) == (201, {"npc_id": "npc_Oda", "source": "p_A", "created": True})
    old = engine.post("episodes/told", told)
    assert (old.status_code, old.json()) == (200, {**new.json(), "created": False})


def test_an_answer_about_another_thing_than_its_path_names_says_whose_id_it_is(engine):
    chat = engine.post("conversations", {"user_id": "player-1"}).json()
    assert chat["conversation_id"] == chat["id"]
    said = {"role": "user", "content": "The ferry leaves at noon."}
    posted = engine.post(f"conversations/{chat['id']}/messages", said).json()
    branch = engine.post(f"conversations/{chat['id']}/branch", {"from_seq": 1}).json()
    assert branch["conversation_id"] == branch["id"] != chat["id"]
    receipt = Client().post(
        f"/api/v1/messages/{posted['message_id']}/forget", headers={"Authorization": f"Bearer {engine.key}"}
    )
    assert receipt.json()["receipt_id"] == receipt.json()["id"]


def test_old_names_are_deprecated_in_the_document(document):
    paths, shapes = document["paths"], document["components"]["schemas"]
    assert paths["/api/v1/episodes/told"]["post"]["deprecated"] is True
    assert "deprecated" not in paths["/api/v1/episodes/hearsay"]["post"]
    for shape, old in (("RecordedSummary", "told"), ("PostedMessage", "understood"), ("MessagePage", "has_more")):
        assert shapes[shape]["properties"][old]["deprecated"] is True
    body = paths["/api/v1/context"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert body["properties"]["message"]["deprecated"] is True
