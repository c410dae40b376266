"""Ends of scenes and what NPCs tell each other, through REST and in packs."""

from __future__ import annotations

import pytest

from episodes.models import NpcTold
from tests.factories.campaigns import make_body, make_event
from tests.factories.tenants import write_npcs_at_once

RELATIONS = {
    "ann": [{"npc_id": "bo", "kind": "friend", "shares": "all"}, {"npc_id": "cy", "kind": "foe", "shares": "rumour"}],
}


@pytest.fixture
def engine(make_api, world):
    write_npcs_at_once(world)
    client = make_api("engine", "read")
    for npc_id in ("ann", "bo", "cy"):
        static = {"name": f"{npc_id.title()} Reed", "names": {"ru": "Анна"}, "relations": RELATIONS.get(npc_id, [])}
        assert client.put(f"npcs/{npc_id}", {"static": static}).status_code == 201
    client.post("campaigns", {"campaign_id": "camp_1"})
    client.post("episodes/summaries", make_body(npcs=["ann"], flags={"gate": "open"}))
    return client


def ask(engine, npc_id):
    pack = engine.post("context", {"message": "Is the gate open?", "party_id": "pty_1", "npc_id": npc_id}).json()
    return "\n".join(message["content"] for message in pack["messages"]), pack


def test_a_scenes_end_answers_what_was_told_and_packs_say_from_whom(engine):
    answer = engine.post("campaigns/camp_1/scenes/scn_1/end", None)
    assert answer.status_code == 201
    assert [(each["npc_id"], each["source"], each["hop"], each["is_rumour"]) for each in answer.json()["shared"]] == [
        ("bo", "ann", 1, False), ("cy", "ann", 1, True),
    ]  # fmt: skip
    told, pack = ask(engine, "bo")
    assert "(heard from Ann Reed) The keeper lent the moon key" in told
    assert "gate: open" in told
    (item,) = next(layer["items"] for layer in pack["layers"] if layer["name"] == "summaries")
    assert item["provenance"]["ids"]["told_by"] == "ann"
    rumour, _ = ask(engine, "cy")
    assert "(a rumour, heard from Ann Reed) The keeper lent the moon key" in rumour
    assert "gate: open" not in rumour
    assert "heard from" not in ask(engine, "ann")[0]
    again = engine.post("campaigns/camp_1/scenes/scn_1/end", None)
    assert (again.status_code, again.json()["created"]) == (200, False)
    assert again.json()["shared"] == answer.json()["shared"]


def test_tellings_are_listed_and_taken_back(engine, problem):
    engine.post("episodes/told", {"npc_id": "bo", "event_id": "none", "source": "p_A"})
    engine.post("episodes/events", make_event(notes="War came."))
    engine.post("episodes/told", {"npc_id": "bo", "event_id": "evt_1", "source": "p_A"})
    engine.post("campaigns/camp_1/scenes/scn_1/end", None)
    listed = engine.get("campaigns/camp_1/hearsay").json()["hearsay"]
    assert [(each["npc_id"], each["hop"], each["scene_end"]) for each in listed] == [
        ("cy", 1, "scn_1"), ("bo", 1, "scn_1"), ("bo", 0, None),
    ]  # fmt: skip
    page = engine.get("campaigns/camp_1/hearsay", {"shared": "true", "npc_id": "bo", "limit": 1}).json()
    (shared,) = page["hearsay"]
    path = f"campaigns/camp_1/hearsay/{shared['hearsay_id']}/revoke"
    (revoked,) = engine.post(path, {"reason": "a secret"}).json()["revoked"]
    assert (revoked["state"], revoked["revoked_reason"]) == ("revoked", "a secret")
    assert engine.post(path, {"reason": "again"}).json() == {"revoked": []}
    assert "moon key" not in ask(engine, "bo")[0]
    problem(engine.post("campaigns/camp_1/hearsay/999999/revoke", {"reason": "r"}), 404, "hearsay_not_found")
    problem(engine.post(path, {}), 400, "body_invalid")
    problem(engine.post("campaigns/camp_1/scenes/scn_9/end", None), 404, "scene_not_found")
    engine.post("campaigns/camp_1/finish", {})
    problem(engine.post("campaigns/camp_1/scenes/scn_1/end", None), 409, "campaign_closed")


def test_relations_are_told_to_the_engine_only(engine, make_api):
    assert engine.get("npcs/ann").json()["static"]["relations"][0] == {
        "npc_id": "bo", "kind": "friend", "strength": 3, "shares": "all", "delay": 0,
    }  # fmt: skip
    assert "relations" not in make_api("read").get("npcs/ann").json()["static"]
    assert "relations" not in engine.get("npcs/bo").json()["static"]


def test_taking_relations_away_makes_another_version(engine):
    written = engine.put("npcs/ann", {"static": {"name": "Ann Reed", "names": {"ru": "Анна"}}}, **{"If-Match": '"1"'})
    assert written.json()["persona_version"] == 2
    engine.post("campaigns/camp_1/scenes/scn_1/end", None)
    assert NpcTold.objects.count() == 0


def test_an_export_holds_what_was_told_and_not_what_npcs_passed_on(engine):
    engine.post("campaigns/camp_1/scenes/scn_1/end", None)
    assert engine.get("campaigns/camp_1/export").json()["told"] == []
