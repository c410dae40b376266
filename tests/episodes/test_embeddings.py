"""Messages get their vectors once, whatever breaks in between."""

from __future__ import annotations

import contextlib
import datetime as dt

import numpy as np
import pytest
from django.utils import timezone

from episodes import tasks
from episodes.embedding import priorities
from episodes.embedding.actions import embeddings
from episodes.embedding.actions.embeddings import embed_messages, retry_failed_messages
from episodes.embedding.selectors.enrichment import list_tenants_with_backlog
from episodes.models import MessagePassage
from knowledge.errors import EmbedderUnavailable, TextNotEmbeddable
from knowledge.search.backlog import EmbeddingReport
from tests.factories.conversations import open_chat, say
from tests.loopback_openai import serve_openai


class Scripted:
    """An embedder that refuses, breaks on, or is down for what it is told."""

    name, dims, batch_size, is_semantic = "scripted", 1024, 64, True

    def __init__(self, *, refused=(), breaking=(), down=False):
        self.refused, self.breaking, self.down = refused, breaking, down
        self.killing = ()
        self.during = lambda: None
        self.seen = []

    def embed_documents(self, texts):
        self.during()
        self.down = self.down or any(text in self.killing for text in texts)
        if self.down or any(text in self.breaking for text in texts):
            raise EmbedderUnavailable("down")
        if any(text in self.refused for text in texts):
            raise TextNotEmbeddable("refused")
        self.seen += texts
        return np.eye(len(texts), self.dims, dtype=np.float32)


@pytest.fixture
def embedder(monkeypatch):
    scripted = Scripted()
    monkeypatch.setattr(embeddings, "get_message_embedder", lambda: scripted)
    return scripted


def states():
    return dict(MessagePassage.objects.values_list("message__content", "embedding_state"))


def test_the_installations_own_embedder_gives_every_message_its_vector(conversation):
    say(conversation, *[f"turn {n}" for n in range(70)])
    assert embed_messages(conversation.pk) == EmbeddingReport(done=70)
    assert embed_messages(conversation.pk) == EmbeddingReport()
    passage = MessagePassage.objects.first()
    assert (len(passage.embedding), passage.embedder) == (1024, "hashing-v1/1024")


def test_a_refused_message_fails_alone_and_is_listed_with_its_error(conversation, embedder):
    say(conversation, "good", "bad", "fine")
    embedder.refused = ("bad",)
    assert embed_messages(conversation.pk) == EmbeddingReport(done=2, failed=1)
    failed = MessagePassage.objects.get(embedding_state="failed")
    assert (failed.message.content, failed.embedding_error) == ("bad", "refused")
    embedder.refused = ()
    assert retry_failed_messages(tenant_id=conversation.tenant_id) == 1
    assert embed_messages(conversation.pk) == EmbeddingReport(done=1)


def test_what_breaks_the_endpoint_is_given_up_after_three_tries(conversation, embedder):
    say(conversation, "one", "two", "poison", "three")
    embedder.breaking = ("poison",)
    assert embed_messages(conversation.pk) == EmbeddingReport(done=3, failed=1)
    passage = MessagePassage.objects.get(message__content="poison")
    assert (passage.embedding_state, passage.embedding_attempts) == ("failed", 3)


def test_what_takes_the_endpoint_down_is_given_up_after_three_tries(conversation, embedder):
    say(conversation, "one", "two", "poison", "three")
    embedder.killing = ("poison",)
    for _ in range(5):
        embedder.down = False
        with contextlib.suppress(EmbedderUnavailable):
            embed_messages(conversation.pk)
    assert states() == {"one": "done", "two": "done", "poison": "failed", "three": "done"}
    assert MessagePassage.objects.get(message__content="poison").embedding_attempts == 3


@pytest.mark.parametrize("status", [400, 401, 403, 404, 408, 413, 422, 429, 500, 502, 503, 504])
def test_a_text_that_the_endpoint_cannot_take_fails_whatever_the_status(conversation, settings, status):
    say(conversation, "one", "two", "poison", "three")
    settings.OPENAI_MAX_RETRIES, settings.EMBEDDING_PROVIDER = 0, "openai"
    with serve_openai(refused_text="poison", refused_status=status) as server:
        settings.EMBEDDING_BASE_URL = server.url
        embed_messages(conversation.pk)
        assert states() == {"one": "done", "two": "done", "poison": "failed", "three": "done"}
        assert embed_messages(conversation.pk) == EmbeddingReport(), "it is not asked for again"


def test_an_outage_counts_no_try_and_leaves_all_waiting(conversation, embedder):
    say(conversation, "one", "two")
    embedder.down = True
    with pytest.raises(EmbedderUnavailable):
        embed_messages(conversation.pk)
    assert set(MessagePassage.objects.values_list("embedding_state", "embedding_attempts")) == {("pending", 0)}
    embedder.down = False
    assert embed_messages(conversation.pk).done == 2


def test_a_passage_that_goes_while_it_is_embedded_does_not_come_back(conversation, embedder):
    say(conversation, "stays", "goes")
    embedder.during = lambda: MessagePassage.objects.filter(message__content="goes").delete()
    assert embed_messages(conversation.pk) == EmbeddingReport(done=1)
    assert states() == {"stays": "done"}


def test_the_sweeper_takes_what_has_waited_and_queues_a_tenant_once(conversation, tenant, rival, monkeypatch, redis):
    say(conversation, "old")
    MessagePassage.objects.update(created_at=timezone.now() - dt.timedelta(minutes=2))
    say(open_chat(rival), "new")
    assert list_tenants_with_backlog() == [tenant.pk]
    sent = []
    monkeypatch.setattr(tasks.embed_backlog, "apply_async", lambda args, priority, **_: sent.append((args, priority)))
    tasks.sweep_embeddings()
    tasks.sweep_embeddings()
    assert sent == [((tenant.pk,), priorities.PRIORITY_RECOVERY)]


def test_one_message_goes_before_a_batch(conversation, monkeypatch, django_capture_on_commit_callbacks, redis):
    sent = []
    monkeypatch.setattr(tasks.embed_messages, "apply_async", lambda args, priority, **_: sent.append((args, priority)))
    with django_capture_on_commit_callbacks(execute=True):
        say(conversation, "one")
        say(conversation, "two", "three")
    assert sent == [((conversation.pk,), priorities.PRIORITY_HIGH), ((conversation.pk,), priorities.PRIORITY_NORMAL)]
    assert priorities.PRIORITY_HIGH < priorities.PRIORITY_NORMAL < priorities.PRIORITY_RECOVERY
