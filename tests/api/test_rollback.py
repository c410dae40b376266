"""Checkpoints and rollbacks through REST."""

from __future__ import annotations

import pytest

from episodes.models import Checkpoint, EpisodicSummary, Rollback
from tenancy.models import Scope
from tests.factories.campaigns import make_body, make_event
from tests.factories.npcs import make_npc

CHANGE = {"npc_id": "npc_LiShen", "towards": "party", "delta": 2, "reason": "kept promise"}
ASK = {"message": "Is the gate open?", "party_id": "pty_1", "npc_id": "npc_LiShen"}


@pytest.fixture
def engine(make_api, world):
    make_npc(world)
    client = make_api("engine", "read")
    assert client.post("campaigns", {"campaign_id": "camp_1"}).status_code == 201
    client.post("episodes/summaries", make_body(flags={"gate": "shut"}))
    return client


def mark(engine, label="before the gate"):
    answer = engine.post("campaigns/camp_1/checkpoints", {"label": label})
    assert answer.status_code == 201
    return answer.json()["checkpoint_id"]


def test_an_engine_goes_back_and_forward_again(engine):
    checkpoint = mark(engine)
    before = engine.post("context", ASK).json()["messages"]
    engine.post("episodes/summaries", make_body("sum_2", minute=5, flags={"gate": "open"}, relations_delta=[CHANGE]))
    after = engine.post("context", ASK).json()["messages"]
    assert before != after
    body = {"checkpoint_id": checkpoint, "reason": "loaded a saved game"}
    dry = engine.post("campaigns/camp_1/rollback", {**body, "dry_run": True}).json()
    assert (dry["dry_run"], dry["rollback_id"], dry["undo_checkpoint_id"], dry["is_changed"]) == (
        True, None, None, True,
    )  # fmt: skip
    assert engine.post("context", ASK).json()["messages"] == after
    done = engine.post("campaigns/camp_1/rollback", body).json()
    assert done["changes"] == dry["changes"]
    standing = {"npc_id": "npc_LiShen", "towards": "party", "party_id": "pty_1"}
    assert done["changes"]["dispositions"]["changed"] == [{**standing, "from": 2, "to": 0}]
    assert engine.post("context", ASK).json()["messages"] == before
    npc = engine.get("npcs/npc_LiShen", {"party_id": "pty_1"}).json()
    assert npc["dynamic"]["disposition"] == {"party_id:pty_1": 0}
    undo = {"checkpoint_id": done["undo_checkpoint_id"], "reason": "it was a mistake"}
    engine.post("campaigns/camp_1/rollback", undo)
    assert engine.post("context", ASK).json()["messages"] == after


def test_checkpoints_and_rollbacks_are_listed_with_who_and_why(engine):
    first, second = mark(engine, "one"), mark(engine, "two")
    engine.post("episodes/summaries", make_body("sum_2", minute=5))
    engine.post("campaigns/camp_1/rollback", {"checkpoint_id": first, "reason": "loaded"})
    shown = engine.get("campaigns/camp_1/checkpoints").json()["checkpoints"]
    assert [(each["kind"], each["is_current"]) for each in shown] == [
        ("after_rollback", True), ("before_rollback", False), ("engine", False), ("engine", False),
    ]  # fmt: skip
    page = engine.get("campaigns/camp_1/checkpoints", {"limit": 2}).json()
    rest = engine.get("campaigns/camp_1/checkpoints", {"before": page["next_before"]}).json()
    assert [each["checkpoint_id"] for each in rest["checkpoints"]] == [second, first]
    (rollback,) = engine.get("campaigns/camp_1/rollbacks").json()["rollbacks"]
    assert (rollback["reason"], rollback["checkpoint_label"]) == ("loaded", "one")
    assert rollback["created_by"].startswith("API key ")
    assert rollback["counts"]["summaries"] == {"undone": 1, "restored": 0, "changed": 0}


def test_a_repeat_with_the_same_key_happens_once(engine):
    once = {"Idempotency-Key": "save-1"}
    made = [engine.post("campaigns/camp_1/checkpoints", {"label": "one"}, **once).json() for _ in range(2)]
    assert (made[0], Checkpoint.objects.count()) == (made[1], 1)
    engine.post("episodes/summaries", make_body("sum_2", minute=5))
    body = {"checkpoint_id": made[0]["checkpoint_id"], "reason": "loaded"}
    done = [engine.post("campaigns/camp_1/rollback", body, **{"Idempotency-Key": "load-1"}).json() for _ in range(2)]
    assert (done[0], Rollback.objects.count()) == (done[1], 1)


def test_the_engine_may_tell_an_undone_scene_again_under_its_ids(engine):
    checkpoint = mark(engine)
    engine.post("episodes/summaries", make_body("sum_2", minute=5))
    engine.post("episodes/events", make_event())
    engine.post("campaigns/camp_1/rollback", {"checkpoint_id": checkpoint, "reason": "loaded"})
    again = engine.post("episodes/summaries", make_body("sum_2", minute=5, notes="They turned back."))
    assert (again.status_code, engine.post("episodes/events", make_event(kind="quest_failed")).status_code) == (
        201,
        201,
    )
    assert EpisodicSummary.objects.filter(summary_id="sum_2").count() == 2
    entries = engine.get("campaigns/camp_1/export").json()["entries"]
    assert [next(iter(each.values())).get("notes") for each in entries] == [
        "The keeper lent the moon key against a promise.", "They turned back.", None,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"checkpoint_id": 10**12, "reason": "r"}, 404, "checkpoint_not_found"),
        ({"checkpoint_id": 1}, 400, "body_invalid"),
        ({"checkpoint_id": 1, "dry_run": False}, 400, "body_invalid"),
        ({"checkpoint_id": "1", "reason": "r"}, 400, "body_invalid"),
        ({"checkpoint_id": 1, "reason": ""}, 400, "body_invalid"),
        ({"checkpoint_id": 1, "reason": "r", "force": True}, 400, "body_invalid"),
        ({"reason": "r"}, 400, "body_invalid"),
    ],
)
def test_bad_requests_change_nothing(engine, problem, body, status, code):
    mark(engine)
    problem(engine.post("campaigns/camp_1/rollback", body), status, code)
    unknown = {"checkpoint_id": 1, "reason": "r"}
    problem(engine.post("campaigns/camp_none/rollback", unknown), 404, "campaign_not_found")
    problem(engine.post("campaigns/camp_1/checkpoints", {"label": "x" * 121}), 400, "body_invalid")
    assert (Rollback.objects.count(), Checkpoint.objects.count()) == (0, 1)


def test_a_closed_campaign_says_why_it_goes_nowhere(engine, problem):
    checkpoint = mark(engine)
    engine.post("campaigns/camp_1/finish", {})
    body = {"checkpoint_id": checkpoint, "reason": "r"}
    assert problem(engine.post("campaigns/camp_1/rollback", body), 409, "rollback_blocked")["because"] == (
        "campaign_finished"
    )
    problem(engine.post("campaigns/camp_1/checkpoints", {"label": "late"}), 409, "campaign_closed")


def test_a_key_that_reads_makes_no_checkpoint_and_goes_nowhere(engine, make_api, problem):
    checkpoint = mark(engine)
    reader = make_api(Scope.READ)
    problem(reader.post("campaigns/camp_1/checkpoints", {"label": "x"}), 403, "scope_missing")
    problem(
        reader.post("campaigns/camp_1/rollback", {"checkpoint_id": checkpoint, "reason": "r"}), 403, "scope_missing"
    )
    assert len(reader.get("campaigns/camp_1/checkpoints").json()["checkpoints"]) == 1
