"""A play told by REST alone: scenes are posted, an NPC's standing moves, the pack changes, the trace says why, and a
replay gives the same pack after canon was swapped."""

from __future__ import annotations

import json

import pytest

from tests.api.context.requests import layer
from tests.factories.campaigns import make_body
from tests.factories.canon import article, publish

QUESTION = "Keeper, will you lower the toll of the moon bridge for us?"


@pytest.fixture
def engine(make_api, world):
    publish(world, article("moon-bridge", "The toll of the moon bridge is two coins, and the keeper takes it."))
    client = make_api("read", "engine")
    profile = {"static": {"name": "Li Shen", "archetype": "keeper", "persona": "Answers with the weather."}}
    assert client.put("npcs/npc_LiShen", profile).status_code == 201
    assert client.put("npcs/npc_Oda", {"static": {"name": "Oda", "archetype": "ferrywoman"}}).status_code == 201
    assert client.post("campaigns", {"campaign_id": "camp_1", "title": "The Key"}).status_code == 201
    return client


def post_scene(engine, summary_id, minute, notes, *deltas):
    relations = [
        {"npc_id": "npc_LiShen", "towards": "party", "delta": delta, "reason": reason} for delta, reason in deltas
    ]
    body = make_body(summary_id, minute=minute, notes=notes, relations_delta=relations, flags={"toll": "paid"})
    response = engine.post("episodes/summaries", {**body, "scene_id": f"scn_{summary_id}"})
    assert response.status_code == 201, response.content


def ask(engine, npc_id="npc_LiShen"):
    response = engine.post("context", {"message": QUESTION, "npc_id": npc_id, "party_id": "pty_1"})
    assert response.status_code == 200, response.content
    return response.json()


def test_scenes_move_an_npc_the_pack_shows_it_the_trace_says_why_and_a_replay_holds_after_a_swap(engine, world):
    post_scene(engine, "sum_1", 0, "The keeper lent the moon key against a promise.")
    before = ask(engine)
    post_scene(engine, "sum_2", 5, "They brought the key back before dawn.", (2, "kept the promise"))
    after = ask(engine)
    assert "They brought the key back before dawn." in str(layer(after, "summaries"))
    assert "They brought the key back" not in str(before["messages"])
    standing = [item["rendered"] for item in layer(after, "npc") if "kept the promise" in item["rendered"]]
    assert len(standing) == 1
    assert standing[0] not in str(before["messages"])
    assert "two coins" in str(layer(after, "lore"))

    trace = engine.get(f"traces/{after['trace_id']}").json()
    told = {item["id"]: item for item in trace["items"] if item["reason"] is None}
    reasons = [item for item in told.values() if "kept the promise" in json.dumps(item)]
    assert "sum_2" in json.dumps(reasons)
    assert {"lore"} <= set(trace["releases"])

    publish(world, article("moon-bridge", "The toll of the moon bridge is nine coins, and no keeper takes it."))
    replay = engine.get(f"traces/{after['trace_id']}/replay").json()
    assert replay["then"]["reproduced"], replay["then"]
    assert replay["then"]["messages"] == after["messages"]
    assert "nine coins" in json.dumps(replay["now"]["messages"])
    assert replay["differences"]["releases"]["lore"] == {"then": 1, "now": 2}


def test_an_npc_that_was_not_there_is_not_told_what_happened(engine):
    post_scene(engine, "sum_1", 0, "The keeper lent the moon key against a promise.")
    pack = ask(engine, "npc_Oda")
    assert "lent the moon key" not in str(pack)
    told = {"summary_id": "sum_1", "npc_id": "npc_Oda", "source": "npc_LiShen"}
    response = engine.post("episodes/told", told)
    assert response.status_code in {200, 201}, response.content
    assert "lent the moon key" in str(layer(ask(engine, "npc_Oda"), "summaries"))
