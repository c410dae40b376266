"""A broker that is gone costs a writer next to nothing, and is used again once it is back."""

from __future__ import annotations

import time

import pytest
from celery import Celery
from django.db import transaction
from kombu.exceptions import OperationalError

from episodes import tasks
from episodes.embedding.actions import queue as embedding_queue
from memoryproject.celery import app
from memoryproject.database import after_commit
from memoryproject.redis import build_key, get_redis
from tests.factories.campaigns import add_scene, start
from tests.factories.conversations import say
from tests.factories.tenants import make_world


@pytest.fixture(autouse=True)
def _no_pause():
    embedding_queue.PAUSE.end()
    yield
    embedding_queue.PAUSE.end()


def say_something(conversation, capture):
    with capture(execute=True):
        say(conversation, "The tower is old.")


def test_a_broker_that_is_gone_fails_within_a_fraction_of_a_second():
    lost = Celery("lost", broker="redis://127.0.0.1:1/0", set_as_current=False)
    lost.conf.broker_transport_options = app.conf.broker_transport_options
    started = time.monotonic()
    with pytest.raises(OperationalError):
        lost.send_task("episodes.embed_messages", (1,), retry=False)
    assert time.monotonic() - started < 0.7


def test_a_failure_is_not_tried_again_by_each_message_and_holds_nothing_back(
    conversation, monkeypatch, django_capture_on_commit_callbacks, redis
):
    tried = []

    def fail(*args, **more):
        tried.append(args)
        raise OperationalError

    monkeypatch.setattr(tasks.embed_messages, "apply_async", fail)
    for _ in range(5):
        say_something(conversation, django_capture_on_commit_callbacks)
    assert len(tried) == 1
    assert not list(get_redis().scan_iter(match=build_key("embedding-queued", "*")))
    sent = []
    monkeypatch.setattr(tasks.embed_messages, "apply_async", lambda *args, **_: sent.append(args))
    now = time.monotonic()
    monkeypatch.setattr(embedding_queue.time, "monotonic", lambda: now + embedding_queue.PAUSE_SECONDS + 1)
    say_something(conversation, django_capture_on_commit_callbacks)
    assert len(sent) == 1


def test_a_summary_waits_for_no_broker_either(db, monkeypatch, django_capture_on_commit_callbacks):
    tried = []

    def fail(*args, **more):
        tried.append(more)
        raise OperationalError

    monkeypatch.setattr(tasks.embed_summaries, "apply_async", fail)
    world = make_world("ashfall", tenant="studio")
    start(world)
    for number in range(3):
        with django_capture_on_commit_callbacks(execute=True):
            add_scene(world, summary_id=f"sum_{number}")
    assert [more["retry"] for more in tried] == [False]


@pytest.mark.django_db(transaction=True)
def test_a_call_after_a_commit_that_fails_fails_nobody_and_holds_no_other_up():
    called = []

    def fail(*args):
        called.append(args)
        raise RuntimeError

    with transaction.atomic():
        after_commit(fail, 1)
        after_commit(called.append, 2)
    assert called == [(1,), 2]
