"""A backlog of vectors works itself off: run by run, in turn between tenants, each text once."""

from __future__ import annotations

import threading
from collections import deque
from contextlib import nullcontext

import numpy as np
import pytest
from celery.exceptions import Retry
from django.db import connection

from episodes import tasks
from episodes.campaigns.actions import passages as summary_passages
from episodes.embedding import priorities
from episodes.embedding.actions import embeddings
from episodes.embedding.actions import queue as embedding_queue
from episodes.embedding.actions.backlog import embed_tenant_backlog
from episodes.models import MessagePassage, SummaryPassage
from knowledge.errors import EmbedderUnavailable
from tenancy.actions.worlds import ensure_tenant
from tests.factories.campaigns import add_scene, start
from tests.factories.conversations import open_chat, say
from tests.factories.tenants import make_world


class Embedder:
    name, dims, batch_size, is_semantic = "counting", 1024, 64, True

    def __init__(self):
        self.asked, self.down, self.during = [], False, lambda: None

    def embed_documents(self, texts):
        self.during()
        if self.down:
            raise EmbedderUnavailable("down")
        self.asked += texts
        return np.ones((len(texts), self.dims), dtype=np.float32)


@pytest.fixture
def embedder(monkeypatch):
    counting = Embedder()
    monkeypatch.setattr(embeddings, "get_message_embedder", lambda: counting)
    monkeypatch.setattr(summary_passages, "get_episode_embedder", lambda: counting)
    return counting


@pytest.fixture
def line(monkeypatch, settings, redis):
    """The broker's lists by priority, as its workers take from them."""
    waiting = {priority: deque() for priority in (*priorities.PRIORITIES, 6)}
    embedding_queue.PAUSE.end()
    settings.EMBEDDING_RUN_SIZE = 8
    monkeypatch.setattr(Embedder, "batch_size", 4)
    for task in (tasks.embed_messages, tasks.embed_backlog, tasks.embed_summaries):

        def publish(args, priority, task=task, **_):
            waiting[priority].append((task, args))

        monkeypatch.setattr(task, "apply_async", publish)
    return waiting


def take_next(line):
    for priority in sorted(line):
        if line[priority]:
            return line[priority].popleft()
    return None


def work(line, *, most=1000):
    """Run what is queued and what queues itself, as one worker does; the tasks in their order."""
    done = []
    while len(done) < most and (job := take_next(line)) is not None:
        task, args = job
        task.apply(args)
        done.append((task.name, args[0]))
    return done


def say_many(conversation, count, capture):
    with capture(execute=True):
        say(conversation, *(f"{conversation.tenant_id}/{conversation.pk}: milestone {n}." for n in range(count)))


def uncaptured(*, execute):
    """Nothing that is queued after the commit is queued: as if the broker had been away."""
    return nullcontext()


def count_pending(**conditions):
    return MessagePassage.objects.filter(embedding_state="pending", **conditions).count()


def test_a_bulk_import_gets_its_vectors_over_many_runs_without_a_nudge(
    tenant, embedder, line, django_capture_on_commit_callbacks
):
    for user in range(3):
        say_many(open_chat(tenant, f"player-{user}"), 100, django_capture_on_commit_callbacks)
    done = work(line)
    assert count_pending() == 0
    assert len([name for name, _ in done if name == "episodes.embed_backlog"]) >= (300 - 3 * 64) // 8
    assert sorted(embedder.asked) == sorted(set(embedder.asked))
    assert len(embedder.asked) == 300


def test_nothing_queues_itself_when_nothing_waits(tenant, embedder, line, django_capture_on_commit_callbacks):
    say_many(open_chat(tenant), 8, django_capture_on_commit_callbacks)
    assert work(line) == [("episodes.embed_messages", MessagePassage.objects.first().conversation_id)]
    tasks.embed_backlog.apply((tenant.pk,))
    assert take_next(line) is None


def test_a_tenant_with_much_does_not_starve_one_with_little(
    tenant, rival, embedder, line, django_capture_on_commit_callbacks
):
    for user in range(40):
        say_many(open_chat(tenant, f"player-{user}"), 10, django_capture_on_commit_callbacks)
    say_many(open_chat(rival), 5, django_capture_on_commit_callbacks)
    work(line, most=embedding_queue.SHARES[priorities.PRIORITY_NORMAL] + 1)
    assert count_pending(tenant=rival) == 0
    assert count_pending(tenant=tenant) >= 300
    work(line)
    assert count_pending() == 0


def test_backlogs_of_two_tenants_take_turns(tenant, rival, embedder, line, django_capture_on_commit_callbacks):
    for each in (tenant, rival):
        say_many(open_chat(each), 200, uncaptured)
        tasks.queue_backlog(tasks.embed_backlog, each.pk)
    turns = [args for _, args in work(line, most=10)]
    assert turns == [tenant.pk, rival.pk] * 5


def test_a_tenant_has_one_run_waiting_however_often_it_is_asked_for(tenant, embedder, line):
    assert tasks.queue_backlog(tasks.embed_backlog, tenant.pk)
    assert not tasks.queue_backlog(tasks.embed_backlog, tenant.pk)
    assert len(line[priorities.PRIORITY_RECOVERY]) == 1


def test_an_embedder_that_is_away_makes_no_run_queue_another(
    tenant, embedder, line, monkeypatch, django_capture_on_commit_callbacks
):
    say_many(open_chat(tenant), 20, uncaptured)
    embedder.down = True
    retries = []

    def retry(**options):
        retries.append(options["countdown"])
        raise Retry

    monkeypatch.setattr(tasks.embed_backlog, "retry", retry)
    tasks.embed_backlog.apply((tenant.pk,))
    assert len(retries) == 1
    tasks.sweep_embeddings()
    assert not tasks.queue_backlog(tasks.embed_backlog, tenant.pk), "the sweeper adds no run while the retries last"
    assert take_next(line) is None
    assert count_pending() == 20
    embedder.down = False
    tasks.embed_backlog.apply((tenant.pk,))
    work(line)
    assert count_pending() == 0


def test_a_run_ends_with_its_time(tenant, embedder, settings, redis):
    say_many(open_chat(tenant), 200, uncaptured)
    settings.EMBEDDING_RUN_SECONDS = 0.1
    embedder.during = lambda: threading.Event().wait(0.11)
    assert embed_tenant_backlog(tenant.pk).done == embedder.batch_size


def test_a_message_just_said_does_not_wait_for_its_conversations_history(
    tenant, embedder, line, django_capture_on_commit_callbacks
):
    chat = open_chat(tenant)
    say_many(chat, 200, uncaptured)
    say_many(chat, 1, django_capture_on_commit_callbacks)
    work(line, most=1)
    newest = MessagePassage.objects.order_by("-seq").first()
    assert newest.embedding_state == "done"
    work(line)
    assert count_pending() == 0


def test_what_breaks_the_embedder_ends_and_the_runs_with_it(tenant, line, monkeypatch, embedder):
    say_many(open_chat(tenant), 10, uncaptured)
    plain = embedder.embed_documents

    def break_at_three(texts):
        if any("milestone 3." in text for text in texts):
            raise EmbedderUnavailable("hung up")
        return plain(texts)

    embedder.embed_documents = break_at_three
    tasks.queue_backlog(tasks.embed_backlog, tenant.pk)
    work(line, most=30)
    assert take_next(line) is None
    states = MessagePassage.objects.values_list("embedding_state", flat=True)
    assert sorted(states) == ["done"] * 9 + ["failed"]


def test_summaries_are_in_the_tenants_backlog(embedder, line, db):
    world = make_world("ashfall", tenant="studio")
    start(world)
    for number in range(3):
        add_scene(world, summary_id=f"sum_{number}")
    tasks.queue_backlog(tasks.embed_backlog, world.tenant.pk)
    work(line)
    assert not SummaryPassage.objects.exclude(embedding_state="done").exists()


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_ask_for_no_text_twice(redis):
    tenant = ensure_tenant(slug="studio")
    say_many(open_chat(tenant), 400, uncaptured)
    embedder, both, finished = Embedder(), threading.Barrier(2), []
    embedder.during = lambda: threading.Event().wait(0.01)
    before = embeddings.get_message_embedder
    embeddings.get_message_embedder = lambda: embedder

    def run():
        try:
            both.wait(10)
            while embed_tenant_backlog(tenant.pk).taken:
                pass
            finished.append(True)
        finally:
            connection.close()

    workers = [threading.Thread(target=run) for _ in range(2)]
    try:
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join(60)
    finally:
        embeddings.get_message_embedder = before
    assert finished == [True, True]
    assert count_pending() == 0
    assert len(embedder.asked) == len(set(embedder.asked)) == 400
