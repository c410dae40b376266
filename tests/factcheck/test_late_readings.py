"""Messages that patterns alone read when they came, heard by their meaning in the worker."""

import datetime as dt

import numpy as np
import pytest
from django.db import connection
from django.utils import timezone

from episodes.embedding.actions import embeddings
from episodes.embedding.actions.embeddings import embed_messages
from episodes.forgetting.actions.forgetting import forget_messages
from episodes.forgetting.core.selections import Selection
from episodes.models import Message, MessagePassage
from factcheck.instant import scorer as scorers
from factcheck.instant.actions.late_readings import read_late
from factcheck.instant.core.tagged_words import TaggedPieces
from factcheck.instant.core.tagger_model import load_shipped_tagger
from factcheck.instant.scorer import EmbeddingScorer
from factcheck.posting.actions.messages import post_messages
from knowledge.facts.actions.corrections import Correction, deactivate_fact
from knowledge.facts.models import UserFact
from knowledge.facts.selectors.facts import view_fact
from tests.factcheck.instant.test_semantic import SURE, FixedScorer
from tests.factories.conversations import make_drafts, post_and_extract

STATEMENT = "hazelnut cake last night, worst idea of my year, ended up on a drip"


class Embedder:
    name, dims, batch_size, is_semantic = "plain", 2, 8, True

    def __init__(self):
        self.texts = []

    def embed_documents(self, texts):
        self.texts += texts
        return np.ones((len(texts), 2), dtype=np.float32)


@pytest.fixture
def embedder(monkeypatch, settings):
    settings.INSTANT_SEMANTIC = "after"
    embedder = Embedder()
    scorer = EmbeddingScorer(FixedScorer(SURE).model, embedder)
    monkeypatch.setattr(scorers, "_load_scorer", lambda: scorer)
    monkeypatch.setattr(embeddings, "get_message_embedder", lambda: embedder)
    return embedder


def list_facts(**filters):
    return [view_fact(row) for row in UserFact.objects.filter(**filters).order_by("pk")]


def test_rules_hear_at_once_and_meaning_in_the_worker_with_the_same_evidence(embedder, chat):
    [posted] = post_and_extract(chat, STATEMENT)
    assert (posted.understood.facts, embedder.texts, list_facts()) == ((), [], [])
    embed_messages(chat.pk)
    (fact,) = list_facts()
    assert (fact.type, fact.key, fact.evidence) == ("allergy", "hazelnuts", (posted.message.pk,))
    assert fact.valid_from == posted.message.said_at
    assert MessagePassage.objects.get().embedding_state == "done"


def test_what_is_less_than_sure_is_kept_in_doubt_and_told_so(embedder, chat, settings, monkeypatch):
    settings.INSTANT_SEMANTIC = "inline"
    unsure = EmbeddingScorer(FixedScorer(SURE, sure=SURE + 1).model, embedder)
    monkeypatch.setattr(scorers, "_load_scorer", lambda: unsure)
    [posted] = post_and_extract(chat, STATEMENT)
    (told,) = posted.understood.facts
    (fact,) = list_facts()
    assert (told.outcome, told.is_disputed, fact.is_disputed, fact.is_doubtful) == ("written", True, True, True)
    [posted] = post_and_extract(chat, "I'm allergic to hazelnuts, you know")
    assert [(each.outcome, each.is_disputed) for each in posted.understood.facts] == [("restored", False)]


def test_a_yes_to_the_question_settles_what_was_in_doubt(embedder, chat, settings, monkeypatch):
    settings.INSTANT_SEMANTIC = "inline"
    unsure = EmbeddingScorer(FixedScorer(SURE, sure=SURE + 1).model, embedder)
    monkeypatch.setattr(scorers, "_load_scorer", lambda: unsure)
    post_and_extract(chat, STATEMENT)
    post_and_extract(chat, ("assistant", "Wait, are you allergic to hazelnuts?"), ("user", "yes"))
    (fact,) = list_facts()
    assert not fact.is_disputed


def test_a_long_batch_is_heard_by_meaning_in_the_worker(embedder, chat, settings):
    settings.INSTANT_SEMANTIC = "inline"
    post_and_extract(chat, *[f"we walked for {number} hours" for number in range(11)], STATEMENT)
    assert (embedder.texts, list_facts()) == ([], [])
    embed_messages(chat.pk)
    assert [fact.key for fact in list_facts()] == ["hazelnuts"]


def test_a_second_run_changes_nothing(embedder, chat):
    post_and_extract(chat, STATEMENT)
    embed_messages(chat.pk)
    before = list(UserFact.objects.values())
    read_late(list(Message.objects.select_related("conversation")))
    assert list(UserFact.objects.values()) == before


def test_what_is_forgotten_meanwhile_says_nothing(embedder, chat):
    [posted] = post_and_extract(chat, STATEMENT)
    waiting = list(Message.objects.select_related("conversation"))
    forget_messages(
        tenant_id=chat.tenant_id,
        end_user_id=chat.end_user_id,
        selection=Selection("messages", message_ids=(posted.message.pk,)),
        requested_by="test",
    )
    read_late(waiting)
    assert list_facts() == []


def test_what_is_denied_later_stays_denied(embedder, chat):
    post_and_extract(chat, STATEMENT)
    waiting = list(Message.objects.select_related("conversation"))
    read_late(waiting)
    deactivate_fact(
        tenant_id=chat.tenant_id,
        end_user_id=chat.end_user_id,
        fact_id=UserFact.objects.get().pk,
        correction=Correction(type="support", made_by="test", reason="test", said_at=timezone.now()),
    )
    read_late(waiting)
    assert list_facts(is_active=True) == []


class Layers:
    model = load_shipped_tagger()

    def __init__(self):
        self.texts = []

    def tag(self, text):
        self.texts.append(text)
        kinds = len(self.model.kinds)
        return TaggedPieces([], np.zeros((0, kinds), np.float32), np.zeros(kinds, np.float32), np.zeros(384))


def test_an_answer_is_read_behind_its_question(embedder, chat, monkeypatch):
    layers = Layers()
    scorer = EmbeddingScorer(FixedScorer(SURE).model, embedder, layers=layers)
    monkeypatch.setattr(scorers, "_load_scorer", lambda: scorer)
    post_and_extract(chat, "any food that you cannot have?", role="assistant")
    post_and_extract(chat, "hazelnuts, they kill me")
    embed_messages(chat.pk)
    assert layers.texts == ["any food that you cannot have?\nhazelnuts, they kill me"]


def test_what_assistants_say_is_not_read(embedder, chat):
    post_and_extract(chat, STATEMENT, role="assistant")
    embed_messages(chat.pk)
    assert list_facts() == []


def test_the_model_runs_outside_transactions(embedder, chat, monkeypatch):
    depths = []
    monkeypatch.setattr(embedder, "embed_documents", lambda texts: (
        depths.append(len(connection.savepoint_ids)), np.ones((len(texts), 2), dtype=np.float32)
    )[1])  # fmt: skip
    post_and_extract(chat, STATEMENT)
    embed_messages(chat.pk)
    assert depths
    assert set(depths) == {depths[0]}


def test_switched_off_the_worker_hears_nothing(embedder, chat, settings):
    settings.INSTANT_SEMANTIC = "off"
    post_and_extract(chat, STATEMENT)
    embed_messages(chat.pk)
    assert list_facts() == []


def test_two_facts_of_one_key_stand_in_the_order_in_which_they_were_said(embedder, chat):
    old = timezone.now() - dt.timedelta(days=3)
    drafts = [*make_drafts(STATEMENT), *make_drafts(f"{STATEMENT} again", sent_at=old)]
    post_messages(tenant_id=chat.tenant_id, conversation_id=chat.pk, drafts=drafts)
    embed_messages(chat.pk)
    (fact,) = list_facts(is_active=True)
    assert sorted(fact.evidence) == sorted(Message.objects.values_list("pk", flat=True))
