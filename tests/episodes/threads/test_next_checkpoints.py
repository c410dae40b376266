"""The next checkpoint of a thread by one statement: the same rows as by many, and nothing where more is to be said."""

from __future__ import annotations

import datetime as dt
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from episodes.threads.actions import checkpoints
from episodes.threads.actions.rollbacks import roll_back_thread
from episodes.threads.actions.writes import put_writes
from episodes.threads.core.drafts import CheckpointDraft, Place, TaskWrites, WriteDraft
from episodes.threads.core.values import EMPTY, JSON, StateValue, dump_json
from episodes.threads.errors import CheckpointTaken, UnknownParent
from episodes.threads.models import Thread, ThreadCheckpoint, ThreadValue
from tests.factories.tenants import make_world

pytestmark = pytest.mark.django_db
VERSIONS = st.sampled_from([1, 2, "1", 1.0])
VALUES = st.one_of(st.none(), st.integers(0, 2), st.just(StateValue(EMPTY, b"")))
STEPS = st.lists(
    st.tuples(
        st.integers(0, 2),
        st.dictionaries(st.sampled_from("ab"), VERSIONS, min_size=1),
        st.dictionaries(st.sampled_from("abc"), VALUES, max_size=1),
        st.sampled_from(["", "node:1"]),
    ),
    min_size=3,
    max_size=6,
)


@pytest.fixture
def place(db):
    world = make_world("ashfall", tenant="studio")
    return Place(world.tenant_id, world.pk, "thread-1")


def put(place, name, parent="", **values):
    sent = {channel: StateValue(JSON, dump_json(value)) for channel, value in values.items()}
    draft = CheckpointDraft(
        {"id": name, "channel_versions": dict.fromkeys(values, name)}, parent_id=parent, values=sent
    )
    return checkpoints.put_checkpoint(place, draft)


def play(place, steps):
    """What each put answers, and the rows that stand in the end."""
    answers = []
    for index, (back, versions, values, ns) in enumerate(steps):
        draft = CheckpointDraft(
            {"id": f"{index}", "channel_versions": versions},
            ns=ns,
            parent_id=f"{index - back}" if index and back else "",
            metadata={"source": "loop", "step": index, "note": "x"},
            values={
                name: value if isinstance(value, StateValue) else StateValue(JSON, dump_json(value))
                for name, value in values.items()
            },
        )
        try:
            answers.append(checkpoints.put_checkpoint(place, draft))
        except UnknownParent:
            answers.append("no parent")
    rows = ThreadCheckpoint.objects.filter(thread__external_id=place.thread_id).order_by("checkpoint_id")
    named = ("ns", "checkpoint_id", "parent_id", "parent_generation", "step", "source", "channels", "tokens", "size")
    stored = ThreadValue.objects.filter(thread__external_id=place.thread_id).order_by("digest")
    return answers, list(rows.values_list(*named)), list(stored.values_list("digest", "type", "size", "sealed_by"))


@given(steps=STEPS)
@example(steps=[(0, {"a": 1}, {"a": 0}, ""), (1, {"a": 2}, {}, ""), (1, {"a": 2, "b": 1}, {"b": 1}, "")])
@settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.differing_executors],
)
def test_one_statement_writes_what_many_write(place, steps):
    by_one = play(Place(place.tenant_id, place.world_id, f"{uuid4()}"), steps)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checkpoints, "put_next", lambda *_: False)
        by_many = play(Place(place.tenant_id, place.world_id, f"{uuid4()}"), steps)
    assert by_one == by_many


@pytest.mark.parametrize("in_world", [True, False])
def test_the_next_checkpoint_takes_one_statement(place, in_world, django_assert_num_queries):
    place = place if in_world else Place(place.tenant_id, None, "thread-1")
    put(place, "a", plan="x")
    with django_assert_num_queries(3):  # With a savepoint, since the test is a transaction, and its release.
        assert put(place, "b", "a", plan="y")
    thread = Thread.objects.get()
    assert (thread.world_id, thread.checkpoints.count()) == (place.world_id, 2)


def test_ids_are_used_once_and_what_is_refused_leaves_no_value(place):
    put(place, "a", plan="x")
    assert put(place, "b", "a", plan="y")
    assert not put(place, "b", "a", plan="y")
    with pytest.raises(CheckpointTaken):
        put(place, "b", "a", plan="z")
    with pytest.raises(UnknownParent):
        put(place, "d", "c", plan="z")
    assert ThreadCheckpoint.objects.count() == ThreadValue.objects.count() == 2


def test_a_thread_that_was_idle_is_in_use_again(place):
    put(place, "a", plan="x")
    long_ago = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    Thread.objects.update(used_at=long_ago)
    put(place, "b", "a", plan="y")
    assert Thread.objects.get().used_at > long_ago


def test_what_follows_a_rollback_was_made_of_the_writes_that_hold_now(place):
    put(place, "a", plan="x")
    put(place, "b", "a", plan="y")
    put_writes(place, TaskWrites("a", "task", writes=[WriteDraft("plan", StateValue(JSON, b"1"))]), author="test")
    roll_back_thread(place, "a", reason="again", author="test")
    put(place, "c", "a", plan="z")
    made = dict(ThreadCheckpoint.objects.values_list("checkpoint_id", "parent_generation"))
    assert (made["b"], made["c"]) == (0, 1)
    roll_back_thread(place, "a", reason="again", author="test")
    put(place, "d", "a", plan="z")
    assert ThreadCheckpoint.objects.get(checkpoint_id="d").parent_generation == 2
