"""Messages that were stored under other settings are indexed as they would be now."""

from __future__ import annotations

import io

import pytest
from django.core.management import CommandError, call_command
from pgvector import SparseVector

from episodes.embedding.actions import reindex
from episodes.embedding.actions.embeddings import embed_messages
from episodes.embedding.actions.reindex import reindex_messages
from episodes.models import MessagePassage
from episodes.search.selectors.search import search_episodes
from knowledge.config import get_message_settings
from knowledge.search.core.lexemes import SPARSE_DIMENSIONS
from tests.factories.conversations import say


@pytest.fixture
def said(conversation):
    say(conversation, *(f"The lantern of hall {number} is lit." for number in range(7)))
    embed_messages(conversation.pk)
    return conversation


def keyword_sides():
    rows = MessagePassage.objects.order_by("pk").values_list("length", "lexemes", "bm25")
    return [(length, lexemes, bm25.to_text()) for length, lexemes, bm25 in rows]


def test_messages_that_are_right_are_left_alone(said):
    [progress] = reindex_messages()
    assert (progress.looked_at, progress.changed) == (7, 0)


def test_another_pivot_changes_weights_and_keeps_vectors(said, monkeypatch):
    before = keyword_sides()
    settings = get_message_settings()
    monkeypatch.setattr(reindex, "get_message_settings", lambda: settings.model_copy(update={"pivot": 3.0}))
    assert [each.changed for each in reindex_messages(at_once=3)] == [3, 6, 7]
    after = keyword_sides()
    assert [row[:2] for row in after] == [row[:2] for row in before]
    assert all(new[2] != old[2] for new, old in zip(after, before, strict=True))
    assert not MessagePassage.objects.exclude(embedding_state="done", embedding__isnull=False).exists()
    assert [each.changed for each in reindex_messages()] == [0]


def test_messages_without_lexemes_of_today_are_found_again(said):
    search = {"tenant_id": said.tenant_id, "end_user_id": said.end_user_id, "query": "lantern"}
    MessagePassage.objects.update(lexemes=[], bm25=SparseVector({}, SPARSE_DIMENSIONS), length=0)
    assert all(card.parts.bm25 == 0 for card in search_episodes(**search).cards)
    call_command("reindex_messages", stdout=io.StringIO())
    assert all(card.parts.bm25 > 0 for card in search_episodes(**search).cards)


def test_a_run_that_was_killed_goes_on_where_it_was(said):
    MessagePassage.objects.update(lexemes=[])
    killed = reindex_messages(at_once=2)
    progress = next(killed)
    killed.close()
    out = io.StringIO()
    call_command("reindex_messages", "--after", str(progress.last_id), "--batch", "2", stdout=out)
    assert "Done: 5 of 5" in out.getvalue()
    assert not MessagePassage.objects.filter(lexemes=[]).exists()


def test_a_message_that_is_forgotten_meanwhile_does_not_come_back(said, monkeypatch):
    MessagePassage.objects.update(lexemes=[])
    index = reindex.index_text

    def forget_one(*args, **kwargs):
        MessagePassage.objects.filter(seq=4).delete()
        return index(*args, **kwargs)

    monkeypatch.setattr(reindex, "index_text", forget_one)
    [progress] = reindex_messages()
    assert (progress.looked_at, progress.changed) == (7, 6)
    assert not MessagePassage.objects.filter(seq=4).exists()


def test_only_the_named_tenant_is_touched(said):
    MessagePassage.objects.update(lexemes=[])
    assert list(reindex_messages(tenant_id=said.tenant_id + 1)) == []
    for wrong in (["--tenant", "nobody"], ["--batch", "0"], ["--after", "-1"]):
        with pytest.raises(CommandError):
            call_command("reindex_messages", *wrong)
    assert MessagePassage.objects.filter(lexemes=[]).count() == 7
