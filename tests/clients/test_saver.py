"""`Memory37Saver` against LangGraph's own conformance suite, and under graphs that ask people."""

from __future__ import annotations

import asyncio
import operator
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, Any, TypedDict

import pytest
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command
from memory37_langgraph import Memory37Client, Memory37Error, Memory37Saver, ask_person, build_resume

from episodes.threads.models import ThreadInterrupt, ThreadValue
from tenancy.actions.keys import issue_api_key
from tenancy.actions.worlds import ensure_tenant, ensure_world
from tests.clients.conformance import check_saver
from tests.clients.transport import DjangoTransport

pytestmark = pytest.mark.django_db
CONFIG: Any = {"configurable": {"thread_id": "door-1"}}


class Plan(TypedDict):
    """What the graphs below keep."""

    log: Annotated[list[str], operator.add]
    spent: Any


@pytest.fixture
def client(db, redis):
    tenant = ensure_tenant(slug="studio", name="Studio")
    world = ensure_world(tenant_id=tenant.pk, slug="ashfall", name="Ashfall")
    key = issue_api_key(tenant_id=tenant.pk, name="agent", scopes=["notebook"], requests_per_minute=1_000_000).text
    transport = DjangoTransport()
    return Memory37Client("http://memory37", key, world=world.slug, transport=transport, async_transport=transport)


def build_graph(client, calls, **options):
    """Two nodes, of which the second asks twice."""

    def look(state):
        calls.append("look")
        return {"log": ["looked"]}

    def spend(state):
        calls.append("spend")
        first = ask_person("Spend the last key?", schema={"type": "boolean"})
        second = ask_person("Sure?")
        return {"log": [f"spent {first} {second}"], "spent": [first, second]}

    builder = StateGraph(Plan)
    builder.add_node("look", look)
    builder.add_node("spend", spend)
    builder.add_edge(START, "look")
    builder.add_edge("look", "spend")
    builder.add_edge("spend", END)
    return builder.compile(checkpointer=Memory37Saver(client, **options))


def answer(client, value):
    [row] = client.request("GET", "interrupts", params={"state": "open"})["data"]
    return client.request("POST", f"threads/door-1/interrupts/{row['interrupt_id']}/resume", json={"value": value})


@pytest.mark.slow
def test_every_capability_conforms(client):
    check_saver(client)


def test_a_graph_that_was_killed_at_a_question_goes_on_in_another_process(client):
    calls: list[str] = []
    stopped = build_graph(client, calls).invoke({"log": []}, CONFIG)
    assert stopped["__interrupt__"][0].value["question"] == "Spend the last key?"
    assert build_resume(client, "door-1") is None
    assert answer(client, value=True)["state"] == "approved"
    later = build_graph(client, calls)
    stopped = later.invoke(build_resume(client, "door-1"), CONFIG)
    assert stopped["__interrupt__"][0].value == {"question": "Sure?"}
    assert build_resume(client, "door-1") is None, "the first answer was taken"
    answer(client, {"by": "the oath"})
    done = build_graph(client, calls).invoke(build_resume(client, "door-1"), CONFIG)
    assert done["spent"] == [True, {"by": "the oath"}]
    assert calls == ["look", "spend", "spend", "spend"]
    assert client.request("GET", "threads/door-1")["state"] == "running"
    assert set(ThreadInterrupt.objects.values_list("state", flat=True)) == {"approved"}
    assert not ThreadInterrupt.objects.filter(resumed_at=None).exists()


def test_a_rejected_question_answers_with_the_reason(client):
    graph = build_graph(client, [])
    graph.invoke({"log": []}, CONFIG)
    [row] = client.request("GET", "interrupts")["data"]
    client.request("POST", f"threads/door-1/interrupts/{row['interrupt_id']}/reject", json={"reason": "promised"})
    graph.invoke(build_resume(client, "door-1"), CONFIG)
    answer(client, "no")
    done = graph.invoke(build_resume(client, "door-1"), CONFIG)
    assert done["spent"] == [{"rejected": "promised"}, "no"]


def test_what_the_process_answers_itself_is_noted(client):
    graph = build_graph(client, [])
    graph.invoke({"log": []}, CONFIG)
    graph.invoke(Command(resume=True), CONFIG)
    graph.invoke(Command(resume="yes"), CONFIG)
    rows = client.request("GET", "threads/door-1/interrupts")["data"]
    assert [(row["asked"]["question"], row["state"], row["answer"]) for row in rows] == [
        ("Sure?", "approved", "yes"),
        ("Spend the last key?", "approved", True),
    ]


def test_a_checkpoint_waits_for_what_its_thread_writes(client, monkeypatch):
    saver = build_graph(client, []).checkpointer
    order: list[str] = []
    has_begun = threading.Event()
    send = saver.client.request

    def request(method, path, **options):
        if path.endswith("/writes"):
            has_begun.set()
            time.sleep(0.3)
        order.append(path)
        return send(method, path, **options)

    monkeypatch.setattr(saver.client, "request", request)
    place: Any = {"configurable": {**CONFIG["configurable"], "checkpoint_ns": ""}}
    placed = saver.put(place, empty_checkpoint(), {"step": 0}, {})
    with ThreadPoolExecutor() as pool:
        written = pool.submit(saver.put_writes, placed, [("log", ["looked"])], "task-1")
        assert has_begun.wait(10)
        saver.put(placed, empty_checkpoint(), {"step": 1}, {})
        written.result()
    assert [path.rpartition("/")[2] for path in order] == ["checkpoints", "writes", "checkpoints"]


def test_an_async_checkpoint_waits_for_what_its_thread_writes(monkeypatch):
    saver = Memory37Saver(Memory37Client("http://memory37", "no-key"))
    order: list[str] = []

    async def arequest(method, path, **options):
        if path.endswith("/writes"):
            await asyncio.sleep(0.05)
        order.append(path.rpartition("/")[2])
        return {"thread_id": "door-1", "ns": "", "checkpoint_id": "1"}

    monkeypatch.setattr(saver.client, "arequest", arequest)
    place: Any = {"configurable": {**CONFIG["configurable"], "checkpoint_ns": "", "checkpoint_id": "0"}}
    other: Any = {"configurable": {**place["configurable"], "thread_id": "door-2"}}

    async def save():
        await asyncio.gather(
            saver.aput_writes(place, [("log", ["looked"])], "task-1"),
            saver.aput(place, empty_checkpoint(), {"step": 1}, {}),
            saver.aput(other, empty_checkpoint(), {"step": 1}, {}),
        )

    asyncio.run(save())
    assert order == ["checkpoints", "writes", "checkpoints"], "only another thread's comes first"


def test_who_stops_waiting_for_a_write_disturbs_nobody(monkeypatch):
    saver = Memory37Saver(Memory37Client("http://memory37", "no-key"))
    sent: list[str] = []

    async def arequest(method, path, **options):
        await asyncio.sleep(0.1)
        sent.append(path.rpartition("/")[2])
        return {"thread_id": "door-1", "ns": "", "checkpoint_id": "1"}

    def request(method, path, **options):
        sent.append("sync")
        return {"thread_id": "door-1", "ns": "", "checkpoint_id": "1"}

    monkeypatch.setattr(saver.client, "arequest", arequest)
    monkeypatch.setattr(saver.client, "request", request)
    place: Any = {"configurable": {**CONFIG["configurable"], "checkpoint_ns": "", "checkpoint_id": "0"}}

    async def save():
        write = asyncio.create_task(saver.aput_writes(place, [("log", ["looked"])], "task-1"))
        await asyncio.sleep(0.01)
        saver.put(place, empty_checkpoint(), {"step": 1}, {})  # on the loop's own thread it waits for nothing
        first, second = (asyncio.create_task(saver.aput(place, empty_checkpoint(), {"step": 1}, {})) for _ in "12")
        await asyncio.sleep(0.01)
        first.cancel()
        await asyncio.gather(write, second)
        assert first.cancelled()

    asyncio.run(save())
    assert sent == ["sync", "writes", "checkpoints"]


def test_a_thread_that_is_rolled_back_does_its_steps_again(client):
    calls: list[str] = []
    graph = build_graph(client, calls)
    graph.invoke({"log": []}, CONFIG)
    history = list(graph.get_state_history(CONFIG))
    before_look = next(each for each in history if each.next == ("look",))
    body = {"checkpoint_id": before_look.config["configurable"]["checkpoint_id"], "reason": "wrong door"}
    assert client.request("POST", "threads/door-1/rollback", json=body)["interrupts_closed"] == 1
    assert graph.get_state(CONFIG).next == ("look",)
    graph.invoke(None, CONFIG)
    assert calls == ["look", "spend", "look", "spend"]
    assert graph.get_state(CONFIG).values["log"] == ["looked"]
    assert len(list(graph.get_state_history(CONFIG))) == len(history) + 1, "nothing is deleted"


def test_a_question_of_a_subgraph_waits_once(client):
    def inner(state):
        return {"log": [str(ask_person("Which door?"))]}

    sub = StateGraph(Plan)
    sub.add_node("inner", inner)
    sub.add_edge(START, "inner")
    outer = StateGraph(Plan)
    outer.add_node("outer", sub.compile())
    outer.add_edge(START, "outer")
    graph = outer.compile(checkpointer=Memory37Saver(client))
    graph.invoke({"log": []}, CONFIG)
    answer(client, "the moon door")
    done = graph.invoke(build_resume(client, "door-1"), CONFIG)
    assert done["log"] == ["the moon door"]
    assert ThreadInterrupt.objects.filter(resumed_at=None).count() == 0


def test_the_second_of_two_writers_is_refused_where_there_is_to_be_one(client):
    graph = build_graph(client, [], single_writer=True)
    graph.invoke({"log": []}, CONFIG)
    saver = graph.checkpointer
    head = saver.get_tuple(CONFIG)
    config = {"configurable": {**head.config["configurable"]}}
    saver.put(config, {**head.checkpoint, "id": "z-1"}, {"source": "loop", "step": 2}, {})
    with pytest.raises(Memory37Error) as refused:
        saver.put(config, {**head.checkpoint, "id": "z-2"}, {"source": "loop", "step": 2}, {})
    assert (refused.value.status, refused.value.code, refused.value.document["head"]) == (412, "thread_moved", "z-1")


def test_values_are_readable_where_json_loses_nothing(client):
    saver = Memory37Saver(client)
    values = {"plain": {"a": [1, "x", None, 1.5]}, "whole": 3.0, "bytes": b"\x00", "half": "\ud800"}
    checkpoint: Any = {
        "v": 1,
        "id": "1",
        "ts": "",
        "channel_values": values,
        "channel_versions": dict.fromkeys(values, 1),
    }
    config: Any = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
    placed = saver.put(config, {**checkpoint, "versions_seen": {}}, {"step": 0}, dict.fromkeys(values, 1))
    read = saver.get_tuple(placed).checkpoint["channel_values"]
    assert {name: (type(each), each) for name, each in read.items() if name != "half"} == {
        name: (type(each), each) for name, each in values.items() if name != "half"
    }
    assert set(ThreadValue.objects.filter(type="json").values_list("size", flat=True)) == {
        len('{"a":[1,"x",null,1.5]}')
    }
    assert Memory37Saver(client, serde=JsonPlusSerializer()).readable
