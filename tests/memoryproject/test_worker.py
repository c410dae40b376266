from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from celery import signals

from factcheck import tasks
from memoryproject.celery import app
from memoryproject.redis import build_key
from tests.waiting import wait_for

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def worker_log(tmp_path_factory) -> Iterator[Path]:
    """A real worker over the queue of these tests, who share it; yields the path of its log."""
    path = tmp_path_factory.mktemp("worker") / "worker.log"
    command = [
        sys.executable, "-m", "celery", "--app", "memoryproject", "worker", "--concurrency", "1", "--loglevel", "INFO",
        "--include", "tests.memoryproject.tasks_for_tests", "--hostname", f"test{os.getpid()}@%h",
        "--without-gossip", "--without-mingle",
    ]  # fmt: skip
    environment = {**os.environ, "CELERY_SKIP_CHECKS": "1"}  # of the whole project, two seconds; others make them
    with (
        path.open("wb") as log,
        subprocess.Popen(command, env=environment, stdout=log, stderr=subprocess.STDOUT) as worker,
    ):
        try:
            wait_for(lambda: " ready." in path.read_text())
            yield path
        finally:
            worker.terminate()
            try:
                worker.wait(timeout=60)
            except subprocess.TimeoutExpired:
                worker.kill()


def read_log(path: Path) -> list[dict[str, Any]]:
    """The lines written so far; the last may be on its way."""
    whole, _, _ = path.read_text().rpartition("\n")
    return [json.loads(line) for line in whole.splitlines() if line.startswith("{")]


def read_states(path: Path) -> dict[str, str]:
    """How each task ended, which is logged after what went wrong in it."""
    return {line["task"]: line["state"] for line in read_log(path) if line["event"] == "task"}


def test_a_worker_runs_tasks_and_its_log_names_them_without_their_arguments(worker_log, redis):
    app.send_task("tests.note", args=["noted", "my secret diary"])
    app.send_task("tests.fail", args=["failed", "my secret diary"])
    wait_for(lambda: redis.lrange(build_key("noted"), 0, -1) == [b"done"])
    wait_for(lambda: {"tests.note", "tests.fail"} <= read_states(worker_log).keys())
    states = read_states(worker_log)
    assert (states["tests.note"], states["tests.fail"]) == ("SUCCESS", "FAILURE")
    (failure,) = [
        line for line in read_log(worker_log) if (line["event"], line.get("task")) == ("task_failed", "tests.fail")
    ]
    assert failure["error"] == "builtins.RuntimeError: it went wrong"
    assert "diary" not in worker_log.read_text()


def test_a_task_whose_process_is_killed_runs_again(worker_log, redis):
    app.send_task("tests.die_once", args=["lives"])
    wait_for(lambda: redis.llen(build_key("lives")) == 2)


@pytest.mark.parametrize(("concurrency", "compiles"), [(1, False), (2, True)])
def test_a_worker_compiles_patterns_before_it_forks_several_processes(monkeypatch, concurrency, compiles):
    compiled = []

    def warm_up():
        thread = threading.Thread(target=compiled.append, args=(True,))
        thread.start()
        return thread

    monkeypatch.setattr(tasks, "warm_up", warm_up)
    receivers = [reference() for _, reference in signals.worker_init.receivers]
    assert tasks.compile_before_forking in receivers
    tasks.compile_before_forking(sender=SimpleNamespace(concurrency=concurrency))
    assert bool(compiled) == compiles


def test_urgent_tasks_overtake_others_in_the_queue(redis):
    with app.connection_for_write() as connection:
        for name, priority in (("late", 9), ("early", 0), ("usual", 6)):
            app.send_task(name, queue="ordered", priority=priority, connection=connection)
        queue = connection.SimpleQueue("ordered")  # the worker of other tests would take from its own
        order = [queue.get(timeout=5).headers["task"] for _ in range(3)]
        queue.close()
    assert order == ["early", "usual", "late"]


def test_the_tests_use_a_data_directory_and_keys_of_their_own(settings):
    assert settings.DATA_DIR.name != ".data"
    assert settings.REDIS_KEY_PREFIX == os.environ["REDIS_KEY_PREFIX"] != "memory37"


def test_only_json_is_accepted_and_nothing_is_kept_as_a_result():
    assert app.conf.accept_content == ["json"]
    assert app.conf.task_ignore_result is True
    assert app.conf.task_acks_late is True
    assert app.conf.task_reject_on_worker_lost is True


def test_a_task_cannot_be_delivered_twice_while_it_may_still_run():
    assert app.conf.broker_transport_options["visibility_timeout"] > app.conf.task_time_limit
    assert app.conf.task_soft_time_limit < app.conf.task_time_limit


def test_every_task_of_ours_has_a_fixed_name_that_begins_with_its_app():
    app.loader.import_default_modules()
    ours = {name: task.__module__ for name, task in app.tasks.items() if not name.startswith(("celery.", "tests."))}
    assert ours
    assert [name for name, module in ours.items() if name.split(".")[0] != module.split(".")[0]] == []
    assert [name for name, module in ours.items() if name.startswith(f"{module}.")] == []


FIND = """
import logging
import django
django.setup()
kept = logging.getLogger().handlers[:]
from memoryproject.celery import app, find_task
assert kept and "episodes.embed_messages" not in app.tasks
assert find_task("episodes.embed_messages").name == "episodes.embed_messages"
assert logging.getLogger().handlers == kept
"""


def test_a_task_is_found_by_its_name_and_logging_stays_as_it_was_set_up():
    subprocess.run([sys.executable, "-c", FIND], check=True)
