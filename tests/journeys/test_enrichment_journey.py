"""A worker that is killed in the middle of embedding: after a restart and the sweeper every message has its vector."""

from __future__ import annotations

import datetime as dt
import os
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.db.models import Count
from django.utils import timezone

from episodes import tasks
from episodes.models import Conversation, MessagePassage
from knowledge.search.backlog import BATCH_SIZE, CLAIM_SECONDS
from memoryproject.redis import get_redis
from tenancy.actions.worlds import ensure_tenant
from tests.factories.conversations import open_chat, say
from tests.journeys.conftest import running
from tests.loopback_openai import LoopbackOpenAI, serve_openai
from tests.waiting import wait_for

pytestmark = [pytest.mark.journey, pytest.mark.django_db(transaction=True)]
MESSAGES, AT_ONCE = 1000, 250
# One process without children: what is killed is what embeds.
WORKER = ["celery", "--app", "memoryproject", "worker", "--pool", "solo", "--without-gossip", "--without-mingle"]


@contextmanager
def worker(server: LoopbackOpenAI, log: Path) -> Iterator[int]:
    """A worker that embeds at the loopback server; its process id."""
    with running(
        [*WORKER, "--loglevel", "INFO"], log, process="worker", DJANGO_SETTINGS_MODULE="memoryproject.settings",
        EMBEDDING_BASE_URL=server.url, EMBEDDING_API_KEY="loopback",
    ) as child:  # fmt: skip
        wait_for(lambda: " ready." in log.read_text(), f"worker: {log}")
        yield child.pid


def say_many(count: int) -> Conversation:
    chat = open_chat(ensure_tenant(slug="studio"))
    for start in range(0, count, AT_ONCE):
        say(chat, *(f"The road forks at milestone {start + index}." for index in range(AT_ONCE)))
    return chat


def count_done() -> int:
    return MessagePassage.objects.filter(embedding_state="done").count()


def count_embedded(server: LoopbackOpenAI) -> Counter[str]:
    return Counter(text for request in list(server.requests) for text in request["input"])


def end_claims() -> None:
    """What the killed worker had claimed is free, as it is by itself a minute later."""
    claims = list(get_redis().scan_iter(match="*embedding-claim*"))
    for claim in claims:
        assert get_redis().ttl(claim) in range(CLAIM_SECONDS + 1) or not get_redis().exists(claim)
    if claims:
        get_redis().delete(*claims)


def test_every_message_is_embedded_once_though_the_worker_was_killed(redis: object, tmp_path: Path):
    with serve_openai(delay_seconds=0.05, embedding=lambda _, dims: [1.0] * dims) as server:
        conversation = say_many(MESSAGES)
        with worker(server, tmp_path / "first.log") as pid:
            wait_for(lambda: count_done() >= AT_ONCE // 2, "some messages are embedded")
            os.kill(pid, signal.SIGKILL)
        done = count_done()
        assert 0 < done < MESSAGES
        with worker(server, tmp_path / "second.log"):
            MessagePassage.objects.filter(embedding_state="pending").update(
                created_at=timezone.now() - dt.timedelta(hours=2)
            )
            tasks.sweep_embeddings.delay()
            wait_for(lambda: count_done() >= MESSAGES - BATCH_SIZE, f"all but what was claimed: {tmp_path}")
            end_claims()
            tasks.sweep_embeddings.delay()
            wait_for(lambda: count_done() == MESSAGES, f"all messages are embedded: {tmp_path}")
        sent = count_embedded(server)

    passages = MessagePassage.objects.filter(conversation=conversation, embedding__isnull=False)
    assert passages.exclude(embedder="").aggregate(found=Count("message_id", distinct=True)) == {"found": MESSAGES}
    assert MessagePassage.objects.count() == MESSAGES
    assert not MessagePassage.objects.exclude(embedding_attempts=0).exists()
    twice = [text for text, times in sent.items() if times > 1]
    assert len(sent) == MESSAGES
    assert len(twice) <= BATCH_SIZE
