"""Threads by REST: checkpoints, writes, interrupts, rollback, and what they refuse."""

from __future__ import annotations

import base64
import datetime as dt
import json
from urllib.parse import quote

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from episodes.tasks import sweep_threads
from episodes.threads.models import (
    Thread,
    ThreadCheckpoint,
    ThreadInterrupt,
    ThreadReceipt,
    ThreadRollback,
    ThreadValue,
    ThreadWrite,
    WorldThreadPolicy,
)
from tenancy.actions.worlds import ensure_tenant, ensure_world

pytestmark = pytest.mark.django_db


class Agent:
    """An agent with a key."""

    def __init__(self, api) -> None:
        self.api = api

    def call(self, method, path, body=None, query=None, **headers):
        return Client().generic(
            method,
            f"/api/v1/{path}",
            b"" if body is None else json.dumps(body, ensure_ascii=False).encode(),
            content_type="application/json",
            query_params=query or {},
            headers=self.api._headers(headers),
        )

    def put(self, place, *, thread="t1", parent=None, ns="", versions=None, metadata=None, **values):
        body = {
            "checkpoint": {
                "v": 1,
                "id": f"cp-{place:04}",
                "channel_versions": versions or dict.fromkeys(values, place),
            },
            "ns": ns,
            "metadata": {"source": "loop", "step": place, **(metadata or {})},
            "values": {name: {"type": "json", "json": value} for name, value in values.items()},
        }
        if parent is not None:
            body["parent_id"] = f"cp-{parent:04}"
        return self.call("POST", f"threads/{thread}/checkpoints", body)

    def write(self, place, *writes, thread="t1", task="task-1", **more):
        sent = [{"channel": channel, "value": {"type": "json", "json": value}} for channel, value in writes]
        body = {"checkpoint_id": f"cp-{place:04}", "task_id": task, "writes": sent, **more}
        return self.call("POST", f"threads/{thread}/writes", body)

    def state(self, thread="t1", **query):
        return self.call("GET", f"threads/{thread}/state", query=query)

    def ask(self, place, value="May I?", graph_id="ask-1", thread="t1", **more):
        asked = {"graph_id": graph_id, "value": value, **more}
        answer = self.write(place, ("__interrupt__", value), thread=thread, interrupts=[asked])
        assert answer.status_code == 200, answer.content
        return self.call("GET", f"threads/{thread}/interrupts").json()["data"][0]["interrupt_id"]


@pytest.fixture
def agent(make_api, world):
    return Agent(make_api("notebook", headers={"X-Site-ID": world.slug}))


def test_a_checkpoint_is_read_as_it_was_put(agent):
    first = agent.put(1, plan={"goal": "open"}, log=["a"])
    assert (first.status_code, first.json()["is_new"]) == (200, True)
    second = agent.put(2, parent=1, versions={"plan": 2, "log": 1}, plan={"goal": "close"})
    assert second.status_code == 200, second.content
    state = agent.state().json()
    assert (state["checkpoint_id"], state["parent_id"], state["is_current"]) == ("cp-0002", "cp-0001", True)
    assert state["values"] == {
        "plan": {"type": "json", "json": {"goal": "close"}},
        "log": {"type": "json", "json": ["a"]},
    }
    assert state["metadata"] == {"source": "loop", "step": 2}
    assert agent.state(checkpoint_id="cp-0001").json()["values"]["plan"]["json"] == {"goal": "open"}
    listed = agent.call("GET", "threads/t1/checkpoints", query={"limit": 1}).json()
    assert [row["checkpoint_id"] for row in listed["data"]] == ["cp-0002"]
    rest = agent.call("GET", "threads/t1/checkpoints", query={"cursor": listed["next_cursor"]}).json()
    assert ([row["checkpoint_id"] for row in rest["data"]], rest["next_cursor"]) == (["cp-0001"], None)
    thread = agent.call("GET", "threads/t1").json()
    assert (thread["state"], thread["checkpoint_count"]) == ("running", 2)
    assert thread["head"] == {"checkpoint_id": "cp-0002", "step": 2, "source": "loop"}
    assert agent.call("GET", "threads").json()["data"] == [thread]


def test_the_same_checkpoint_again_is_a_success_and_another_under_its_id_is_refused(agent, problem):
    agent.put(1, plan="a")
    again = agent.put(1, plan="a")
    assert (again.status_code, again.json()["is_new"]) == (200, False)
    problem(agent.put(1, plan="b"), 409, "checkpoint_taken")
    assert agent.state().json()["values"]["plan"]["json"] == "a"


def test_a_value_that_did_not_change_is_stored_once(agent):
    agent.put(1, plan="a", log="x" * 1000)
    agent.put(2, parent=1, versions={"plan": 2, "log": 1}, plan="b")
    agent.put(3, parent=2, versions={"plan": 3, "log": 3}, plan="a", log="x" * 1000)
    assert ThreadValue.objects.count() == 3
    assert [bytes(row.sealed).find(b"xxxx") for row in ThreadValue.objects.all()] == [-1] * 3


def test_a_parent_that_is_not_there_is_refused_and_nothing_is_written(agent, problem):
    told = problem(agent.put(2, parent=1, plan="a"), 409, "checkpoint_parent_unknown")
    assert told["parent_id"] == "cp-0001"
    assert not ThreadCheckpoint.objects.exists()
    assert not ThreadValue.objects.exists()


def test_of_two_writers_the_one_who_expects_the_old_head_is_refused(agent, problem):
    agent.put(1, plan="a")
    body = {"checkpoint": {"id": "cp-0003"}, "parent_id": "cp-0001", "expected_head": "cp-0001"}
    assert agent.call("POST", "threads/t1/checkpoints", body).status_code == 200
    late = {**body, "checkpoint": {"id": "cp-0004"}}
    assert problem(agent.call("POST", "threads/t1/checkpoints", late), 412, "thread_moved")["head"] == "cp-0003"
    assert agent.call("POST", "threads/t1/checkpoints", body).json()["is_new"] is False
    del late["expected_head"]
    assert agent.call("POST", "threads/t1/checkpoints", late).status_code == 200
    assert agent.state().json()["checkpoint_id"] == "cp-0004"


@pytest.mark.parametrize("size", [256 * 1024 + 1, 1024 * 1024])
def test_a_state_that_is_too_large_is_refused_by_its_size(agent, problem, size):
    value = {"type": "bytes", "data": base64.b64encode(b"x" * size).decode()}
    body = {"checkpoint": {"id": "a", "channel_versions": {"c": 1}}, "values": {"c": value}}
    told = problem(agent.call("POST", "threads/t1/checkpoints", body), 413, "state_too_large")
    assert told["max_bytes"] == 256 * 1024
    writes = {"checkpoint_id": "a", "task_id": "t", "writes": [{"channel": "c", "value": value}]}
    problem(agent.call("POST", "threads/t1/writes", writes), 413, "state_too_large")
    assert not Thread.objects.exists()


def test_many_values_together_are_as_little_as_two(agent, problem):
    values = {f"c{place}": {"type": "json", "json": "x" * 200_000} for place in range(5)}
    body = {"checkpoint": {"id": "a", "channel_versions": dict.fromkeys(values, 1)}, "values": values}
    problem(agent.call("POST", "threads/t1/checkpoints", body), 413, "state_too_large")


@pytest.mark.parametrize("type_", ["pickle", "msgpack+", "json+AES", "msgpack+a+b", "Msgpack"])
def test_a_serializer_that_nobody_knows_is_refused(agent, problem, type_):
    body = {"checkpoint": {"id": "a"}, "values": {"c": {"type": type_, "data": "AA=="}}}
    problem(agent.call("POST", "threads/t1/checkpoints", body), 400, "serializer_unknown")


@pytest.mark.parametrize(
    "value",
    [{"type": "msgpack", "json": 1}, {"type": "json", "data": "e30", "json": 1}, {"type": "json", "data": "ew=="}],
)
def test_a_value_of_a_wrong_form_is_refused(agent, problem, value):
    body = {"checkpoint": {"id": "a"}, "values": {"c": value}}
    problem(agent.call("POST", "threads/t1/checkpoints", body), 400, "thread_invalid")


def test_bytes_come_back_as_they_were(agent):
    data = base64.b64encode(bytes(range(256))).decode()
    values = {"a": {"type": "msgpack", "data": data}, "b": {"type": "msgpack+aes", "data": data}, "c": {"type": "null"}}
    body = {"checkpoint": {"id": "a", "channel_versions": dict.fromkeys(values, 1)}, "values": values}
    assert agent.call("POST", "threads/t1/checkpoints", body).status_code == 200
    assert agent.state().json()["values"] == {**values, "c": {"type": "null", "data": ""}}


def test_another_tenant_and_another_world_see_nothing_of_a_thread(agent, make_api, world, problem):
    agent.put(1, plan="a")
    asked = agent.ask(1)
    other = ensure_tenant(slug="rival", name="Rival")
    ensure_world(tenant_id=other.pk, slug="ashfall")
    ensure_world(tenant_id=world.tenant_id, slug="second", name="Second")
    for stranger, headers in (
        (Agent(make_api("notebook", of=other)), {}),
        (agent, {"X-Site-ID": "second"}),
    ):
        problem(stranger.call("GET", "threads/t1", **headers), 404, "thread_not_found")
        problem(stranger.call("GET", "threads/t1/state", **headers), 404, "thread_checkpoint_not_found")
        assert stranger.call("GET", "interrupts", **headers).json()["data"] == []
        assert stranger.call("POST", "checkpoints/search", {}, **headers).json()["data"] == []
        answer = stranger.call("POST", f"threads/t1/interrupts/{asked}/resume", {"value": 1}, **headers)
        problem(answer, 404, "interrupt_not_found")
        body = {"checkpoint": {"id": "cp-0002"}, "parent_id": "cp-0001"}
        problem(stranger.call("POST", "threads/t1/checkpoints", body, **headers), 409, "checkpoint_parent_unknown")
        assert stranger.call("DELETE", "threads/t1", **headers).json()["counts"]["threads"] == 0
    assert agent.state().json()["checkpoint_id"] == "cp-0001"


def test_a_write_under_an_index_holds_and_the_last_of_a_special_channel_does(agent):
    agent.write(1, ("log", "first"), ("plan", "a"))
    agent.put(1, plan="a")
    agent.write(1, ("log", "second"))
    agent.write(1, ("__error__", "one"), task="task-0")
    agent.write(1, ("__error__", "two"), task="task-0")
    told = [
        (row["task_id"], row["channel"], row["index"], row["value"]["json"]) for row in agent.state().json()["writes"]
    ]
    assert told == [("task-0", "__error__", -1, "two"), ("task-1", "log", 0, "first"), ("task-1", "plan", 1, "a")]


def test_an_interrupt_is_answered_once(agent, problem):
    agent.put(1, plan="a")
    schema = {"type": "object", "required": ["spend"], "properties": {"spend": {"type": "boolean"}}}
    pk = agent.ask(1, schema=schema)
    assert agent.call("GET", "threads/t1").json()["state"] == "interrupted"
    [row] = agent.call("GET", "interrupts", query={"state": "open"}).json()["data"]
    assert (row["asked"], row["schema"], row["thread_id"]) == ("May I?", schema, "t1")
    path = f"threads/t1/interrupts/{pk}"
    told = problem(agent.call("POST", f"{path}/resume", {"value": {}}), 422, "interrupt_value_invalid")
    assert told["errors"] == [{"path": "", "message": "'spend' is a required property"}]
    first = agent.call("POST", f"{path}/resume", {"value": {"spend": True}})
    assert (first.status_code, first.json()["state"], first.json()["answer"]) == (200, "approved", {"spend": True})
    assert agent.call("POST", f"{path}/resume", {"value": {"spend": True}}).json() == first.json()
    told = problem(agent.call("POST", f"{path}/resume", {"value": {"spend": False}}), 409, "interrupt_decided")
    assert (told["state"], told["answer"]) == ("approved", {"spend": True})
    problem(agent.call("POST", f"{path}/reject", {"reason": "no"}), 409, "interrupt_decided")
    assert agent.call("GET", "threads/t1").json()["state"] == "approved"
    agent.ask(1, schema=schema)
    assert ThreadInterrupt.objects.count() == 1, "the same question keeps its answer until it is taken"
    agent.write(1, ("__resume__", [{"spend": True}]))
    row = ThreadInterrupt.objects.get()
    assert row.resumed_at is not None
    agent.put(2, parent=1, plan="b")
    assert agent.call("GET", "threads/t1").json()["state"] == "running"
    assert agent.ask(2) != pk, "asked again, after it was answered and taken"


def test_what_the_engine_answers_itself_is_noted_and_what_it_leaves_behind_is_rejected(agent):
    agent.put(1, plan="a")
    agent.ask(1)
    agent.write(1, ("__resume__", ["yes"]), answers=["yes"])
    [row] = agent.call("GET", "threads/t1/interrupts").json()["data"]
    assert (row["state"], row["answer"]) == ("approved", "yes")
    agent.put(2, parent=1, plan="b")
    agent.ask(2)
    agent.put(3, parent=2, plan="c")
    [row, _] = agent.call("GET", "threads/t1/interrupts").json()["data"]
    assert (row["state"], row["reason"]) == ("rejected", "The thread went on without an answer.")


def test_nobody_answers_in_time(agent):
    agent.put(1, plan="a")
    agent.ask(1, timeout_seconds=3600)
    sweep_threads()
    assert ThreadInterrupt.objects.get().state == "open"
    ThreadInterrupt.objects.update(expires_at=timezone.now())
    sweep_threads()
    [row] = agent.call("GET", "threads/t1/interrupts").json()["data"]
    assert (row["state"], row["reason"], row["decided_by"]) == ("rejected", "Nobody answered in time.", "memory37")
    assert agent.call("GET", "threads/t1").json()["state"] == "rejected"


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "nonsense"},
        {"$ref": "https://example.com/schema"},
        {"$ref": "#"},
        {"$defs": {"a": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"},
        {"type": "string", "pattern": "(?=a)b"},
        {
            "$defs": {str(n): {"allOf": [{"$ref": f"#/$defs/{n + 1}"}] * 2} for n in range(30)} | {"30": {}},
            "$ref": "#/$defs/0",
        },
    ],
)
def test_a_schema_that_is_none_or_takes_forever_is_refused(agent, problem, schema):
    agent.put(1, plan="a")
    asked = [{"graph_id": "g", "value": 1, "schema": schema}]
    problem(agent.write(1, ("__interrupt__", 1), interrupts=asked), 400, "thread_invalid")
    assert not ThreadWrite.objects.exists()


def test_a_thread_goes_back_and_forward_and_loses_nothing(agent, problem):
    for place, parent in ((1, None), (2, 1), (3, 2)):
        agent.put(place, parent=parent, plan=place)
        agent.write(place, ("log", f"under {place}"))
    dry = agent.call("POST", "threads/t1/rollback", {"checkpoint_id": "cp-0001", "dry_run": True}).json()
    assert (dry["undone"], dry["is_changed"], dry["dry_run"]) == (["cp-0002", "cp-0003"], True, True)
    assert agent.state().json()["checkpoint_id"] == "cp-0003"
    back = agent.call("POST", "threads/t1/rollback", {"checkpoint_id": "cp-0001", "reason": "no door"}).json()
    assert {**back, "dry_run": True} == dry
    state = agent.state().json()
    assert (state["checkpoint_id"], state["writes"]) == ("cp-0001", []), "tasks begin anew there"
    assert agent.state(checkpoint_id="cp-0003").json()["is_current"] is False
    agent.write(1, ("log", "anew under 1"))
    agent.put(4, parent=1, plan=4)
    assert agent.state().json()["checkpoint_id"] == "cp-0004"
    forward = agent.call("POST", "threads/t1/rollback", {"checkpoint_id": back["undo_checkpoint_id"]}).json()
    assert (forward["undone"], sorted(forward["restored"])) == (["cp-0004"], ["cp-0002", "cp-0003"])
    assert [row["value"]["json"] for row in agent.state().json()["writes"]] == ["under 3"]
    assert agent.state(checkpoint_id="cp-0001").json()["writes"][0]["value"]["json"] == "under 1"
    again = agent.call("POST", "threads/t1/rollback", {"checkpoint_id": "cp-0003"}).json()
    assert again["is_changed"] is False
    assert ThreadRollback.objects.count() == 2
    problem(agent.call("POST", "threads/t1/rollback", {"checkpoint_id": "cp-9"}), 404, "thread_checkpoint_not_found")


def test_a_rollback_closes_what_waits_and_leaves_subgraphs_behind(agent):
    agent.put(1, plan=1)
    inner = {"parents": {"": "cp-0001"}}
    agent.put(2, ns="node:1", metadata=inner, plan=2)
    agent.put(3, parent=1, plan=3)
    agent.put(4, ns="node:1", parent=2, metadata={"parents": {"": "cp-0003"}}, plan=4)
    agent.ask(3)
    done = agent.call("POST", "threads/t1/rollback", {"checkpoint_id": "cp-0001"}).json()
    assert (set(done["undone"]), done["interrupts_closed"]) == ({"cp-0002", "cp-0003", "cp-0004"}, 1)
    again = agent.call("POST", "threads/t1/rollback", {"checkpoint_id": "cp-0003"}).json()
    assert set(again["restored"]) == {"cp-0002", "cp-0003"}
    assert agent.state(ns="node:1").json()["checkpoint_id"] == "cp-0002"


def test_a_fork_beside_its_model_has_the_models_values(agent):
    agent.put(1, plan="a")
    agent.put(2, parent=1, plan="b")
    fork = {
        "checkpoint": {"id": "cp-0003", "channel_versions": {"plan": 2}},
        "parent_id": "cp-0001",
        "metadata": {"source": "fork"},
    }
    agent.call("POST", "threads/t1/checkpoints", fork)
    assert agent.state().json()["values"]["plan"]["json"] == "b"


def test_pruning_keeps_what_delta_channels_are_rebuilt_from(agent):
    counters = {"counters_since_delta_snapshot": {"log": [1, 1]}}
    agent.put(1, plan=1)
    agent.put(2, parent=1, metadata={"counters_since_delta_snapshot": {}}, plan=2, log="snapshot")
    for place in (3, 4, 5):
        agent.put(place, parent=place - 1, metadata=counters, versions={"plan": place, "log": place}, plan=place)
        agent.write(place, ("log", f"delta {place}"))
    receipt = agent.call("POST", "checkpoints/prune", {"thread_ids": ["t1", "nothing"]}).json()
    assert (receipt["kind"], receipt["counts"]) == ("prune", {"checkpoints": 1, "writes": 0, "values": 1})
    rows = agent.call("GET", "threads/t1/checkpoints").json()["data"]
    assert [row["checkpoint_id"] for row in rows] == ["cp-0005", "cp-0004", "cp-0003", "cp-0002"]
    assert rows[-1]["values"]["log"]["json"] == "snapshot"
    deleted = agent.call("POST", "checkpoints/prune", {"thread_ids": ["t1"], "strategy": "delete"}).json()
    assert deleted["counts"]["checkpoints"] == 4
    assert not Thread.objects.exists()


def test_the_checkpoints_of_a_run_go_but_for_what_a_later_state_needs(agent):
    counters = {"counters_since_delta_snapshot": {"log": [1, 1]}}
    agent.put(1, metadata={"run_id": "r1"}, log="snapshot")
    agent.put(2, parent=1, metadata={"run_id": "r2", **counters}, versions={"log": 2})
    agent.put(1, thread="t2", metadata={"run_id": "r1"}, log="plain")
    counts = agent.call("POST", "checkpoints/delete-runs", {"run_ids": ["r1"]}).json()["counts"]
    assert (counts["checkpoints"], counts["kept"]) == (1, 1)
    found = agent.call("POST", "checkpoints/search", {"filter": {"run_id": "r1"}}).json()["data"]
    assert [row["thread_id"] for row in found] == ["t1"]


def test_filters_find_what_is_sealed(agent):
    agent.put(1, metadata={"user": "Ilya", "beats": 3}, plan=1)
    agent.put(2, parent=1, metadata={"user": "Mira", "beats": 3}, plan=2)

    def find(**filters):
        rows = agent.call("POST", "checkpoints/search", {"thread_id": "t1", "filter": filters}).json()["data"]
        return [row["checkpoint_id"] for row in rows]

    assert find(user="Ilya") == ["cp-0001"]
    assert find(beats=3) == ["cp-0002", "cp-0001"]
    assert find(beats=3, step=2, source="loop") == ["cp-0002"]
    assert find(user="Ilya", beats=4) == find(step="1") == find(user=None) == []


def test_a_copy_goes_on_by_itself(agent, problem):
    agent.put(1, plan="a")
    agent.put(2, parent=1, plan="b")
    agent.ask(2)
    copied = agent.call("POST", "threads/t1/copy", {"target_thread_id": "t2"}).json()
    assert copied == {"thread_id": "t2", "counts": {"values": 2, "checkpoints": 2, "writes": 1, "interrupts": 1}}
    state = {**agent.state("t2").json(), "thread_id": "t1", "created_at": None}
    assert state == {**agent.state().json(), "created_at": None}
    agent.put(3, thread="t2", parent=2, plan="c")
    assert agent.state().json()["checkpoint_id"] == "cp-0002"
    problem(agent.call("POST", "threads/t1/copy", {"target_thread_id": "t2"}), 409, "thread_not_empty")
    problem(agent.call("POST", "threads/t1/copy", {"target_thread_id": "t1"}), 400, "thread_invalid")
    problem(agent.call("POST", "threads/t9/copy", {"target_thread_id": "t3"}), 404, "thread_not_found")


def test_a_thread_that_nobody_used_goes_with_a_receipt(agent, world):
    agent.put(1, plan="a")
    agent.put(1, thread="t2", plan="a")
    WorldThreadPolicy.objects.create(tenant_id=world.tenant_id, world=world, idle_days=3)
    Thread.objects.filter(external_id="t1").update(used_at=timezone.now() - dt.timedelta(days=3, hours=2))
    Thread.objects.filter(external_id="t2").update(used_at=timezone.now() - dt.timedelta(days=2, hours=20))
    sweep_threads()
    assert [row.external_id for row in Thread.objects.all()] == ["t2"]
    receipt = ThreadReceipt.objects.get()
    assert (receipt.kind, receipt.counts["checkpoints"], receipt.counts["values"]) == ("expiry", 1, 1)


def test_a_deleted_thread_leaves_a_receipt_and_nothing_else(agent):
    agent.put(1, plan="a")
    agent.ask(1)
    receipt = agent.call("DELETE", "threads/t1").json()
    assert receipt["counts"] == {
        "threads": 1, "writes": 1, "interrupts": 1, "checkpoints": 1, "values": 1, "rollbacks": 0,
    }  # fmt: skip
    assert not Thread.objects.exists()
    again = agent.call("DELETE", "threads/t1").json()
    assert set(again["counts"].values()) == {0}


@pytest.mark.parametrize("thread_id", ["a/b", "a b", "игрок/龍", "a%2Fb", "a?b#c", "state", "1"])
def test_a_thread_of_any_id_is_written_and_read(agent, thread_id):
    sent = quote(thread_id, safe="")
    assert agent.put(1, thread=sent, plan="a").status_code == 200
    assert agent.state(sent).json()["thread_id"] == thread_id
    assert agent.call("GET", f"threads/{sent}").json()["thread_id"] == thread_id
    assert agent.call("DELETE", f"threads/{sent}").json()["counts"]["threads"] == 1


@pytest.mark.parametrize("thread_id", ["a\x07", " ", "x" * 201, "a/state", "a/interrupts/7/resume"])
def test_an_id_that_cannot_be_kept_is_refused(agent, problem, thread_id):
    problem(agent.put(1, thread=quote(thread_id, safe=""), plan="a"), 400, "thread_invalid")


def test_a_key_of_the_engine_may_and_one_that_reads_may_not(make_api, world, problem):
    assert Agent(make_api("engine")).put(1, plan="a").status_code == 200
    problem(Agent(make_api("read")).call("GET", "threads"), 403, "scope_missing")


def test_what_a_thread_is_bound_to_stays(agent, make_api, problem):
    engine = make_api("engine", "read")
    for user in ("player-1", "player-2"):
        engine.post("conversations", {"user_id": user})
    made = agent.call("PUT", "threads/t1", {"title": "Door", "user_id": "player-1"})
    assert (made.status_code, made.json()["user_id"], made.json()["head"]) == (201, "player-1", None)
    assert agent.call("PUT", "threads/t1", {"title": "Gate"}).json()["user_id"] == "player-1"
    problem(agent.call("PUT", "threads/t1", {"user_id": "player-2"}), 409, "thread_bound")
    problem(agent.call("PUT", "threads/t1", {"user_id": "nobody"}), 404, "user_not_found")
    problem(agent.call("PUT", "threads/t2", {"conversation_id": 999_999}), 404, "conversation_not_found")
    problem(agent.call("PUT", "threads/t2", {"campaign_id": "nothing"}), 404, "campaign_not_found")
    assert Thread.objects.count() == 1


def test_a_list_takes_as_many_queries_for_many_threads(agent):
    def count():
        with CaptureQueriesContext(connection) as caught:
            assert agent.call("GET", "threads").status_code == 200
        return len(caught)

    agent.put(1, thread="a", plan=1)
    one = count()
    for name in "bcdef":
        agent.put(1, thread=name, plan=1)
    assert count() == one


def test_a_state_takes_three_queries_beside_the_keys(agent):
    agent.put(1, **{f"c{place}": place for place in range(10)})
    agent.state()
    with CaptureQueriesContext(connection) as caught:
        agent.state()
    assert sum("episodes_thread" in (each["sql"] or "") for each in caught) == 3
