"""After a change of the embedder messages are embedded anew, each keeping its old vector until then."""

import numpy as np
import pytest

from episodes import tasks
from episodes.embedding.actions import embeddings
from episodes.embedding.actions import renewal as vector_renewal
from episodes.embedding.actions.renewal import list_tenants_to_renew, renew_vectors
from episodes.models import MessagePassage
from knowledge.errors import EmbedderUnavailable, TextNotEmbeddable
from tests.factories.conversations import open_chat, say
from tests.factories.tenants import make_world


class Embedder:
    batch_size, is_semantic = 2, True

    def __init__(self, name):
        self.name, self.dims, self.asked, self.during = name, 4, [], lambda: None

    def embed_documents(self, texts):
        self.during()
        if "refused" in texts:
            raise TextNotEmbeddable("too odd")
        self.asked += texts
        return np.ones((len(texts), self.dims), dtype=np.float32)


pytestmark = pytest.mark.django_db


@pytest.fixture
def said(monkeypatch, redis):
    world = make_world()
    conversation = open_chat(world.tenant, world=world)
    say(conversation, "a", "b", "refused", "d", "e")
    old = Embedder("old")
    old.embed_documents = lambda texts: np.ones((len(texts), 4), dtype=np.float32)
    monkeypatch.setattr(embeddings, "get_message_embedder", lambda: old)
    embeddings.embed_messages(conversation.pk)
    return conversation


@pytest.fixture
def embedder(monkeypatch, said):
    new = Embedder("new")
    monkeypatch.setattr(vector_renewal, "get_message_embedder", lambda: new)
    return new


def spaces():
    return dict(MessagePassage.objects.values_list("message__content", "embedder"))


def test_all_get_vectors_of_the_present_embedder_but_a_refused_one(said, embedder):
    assert list_tenants_to_renew() == [said.tenant_id]
    assert renew_vectors(said.tenant_id) is None
    assert spaces() == {"a": "new/4", "b": "new/4", "refused": "old/4", "d": "new/4", "e": "new/4"}
    assert set(MessagePassage.objects.values_list("embedding_state", flat=True)) == {"done"}


def test_what_is_renewed_is_not_asked_for_again(said, embedder):
    renew_vectors(said.tenant_id)
    embedder.asked.clear()
    renew_vectors(said.tenant_id)
    assert embedder.asked == []


def test_a_run_that_ends_early_says_where_to_go_on(said, embedder, settings):
    settings.EMBEDDING_RUN_SIZE = 2
    after = renew_vectors(said.tenant_id)
    assert sorted(embedder.asked) == ["a", "b"]
    settings.EMBEDDING_RUN_SIZE = 512
    assert renew_vectors(said.tenant_id, after=after) is None
    assert sorted(embedder.asked) == ["a", "b", "d", "e"]


def test_a_message_forgotten_meanwhile_stays_without(said, embedder):
    forgotten = MessagePassage.objects.filter(message__content="a")
    embedder.during = lambda: forgotten.update(embedding=None, embedder="", embedding_state="failed")
    renew_vectors(said.tenant_id)
    assert spaces()["a"] == ""


def test_an_outage_leaves_the_old_vectors(said, embedder):
    def be_down():
        raise EmbedderUnavailable("down")

    embedder.during = be_down
    with pytest.raises(EmbedderUnavailable):
        renew_vectors(said.tenant_id)
    assert set(spaces().values()) == {"old/4"}


def test_the_sweeper_begins_once_and_a_run_queues_the_next(said, embedder, settings, monkeypatch):
    settings.EMBEDDING_RUN_SIZE = 2
    queued = []
    monkeypatch.setattr(tasks.renew_vectors, "apply_async", lambda args, **_: queued.append(args))
    tasks.sweep_vectors()
    tasks.sweep_vectors()
    assert queued == [(said.tenant_id,)]
    while queued:
        tasks.renew_vectors(*queued.pop())
    assert list(spaces().values()).count("new/4") == 4
