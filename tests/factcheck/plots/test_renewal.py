"""What is archived keeps up: with another embedder, with people's edits, with hiding, with a new key."""

from __future__ import annotations

import datetime as dt
import uuid

import pytest

from episodes.events.actions.archive import archive_conversation, renew_vectors
from episodes.events.actions.decisions import hide_event
from episodes.events.actions.edits import bring_book
from episodes.events.models import EventNode, EventPassage
from episodes.events.selectors.books import read_book
from episodes.events.selectors.due import list_conversations_without_vectors
from episodes.events.selectors.talks import list_recent_texts
from episodes.events.selectors.told import list_told_texts
from factcheck.extraction.sealing import open_document
from factcheck.plots.actions import runs
from factcheck.plots.actions.key_rotation import rotate_event_keys
from factcheck.plots.actions.rebuild import rebuild_events
from factcheck.plots.proposers.offline.proposer import OfflinePlotProposer
from knowledge.graph.models import GraphName
from tests.factcheck.plots.talks import TAVERN, make_events
from tests.factories.conversations import open_chat, say_alternately
from tests.factories.tenants import make_world

pytestmark = pytest.mark.django_db


@pytest.fixture
def archived(world) -> EventNode:
    chat = open_chat(world.tenant, world=world)
    say_alternately(chat, TAVERN)
    [node] = make_events(chat)
    archive_conversation(chat.pk, by_hand=True)
    node.refresh_from_db()
    return node


def count_names(node: EventNode) -> int:
    return GraphName.objects.filter(tenant=node.tenant_id, text="Irina", ended_at__isnull=True).count()


def test_archived_events_are_embedded_again_for_another_embedder(archived):
    EventPassage.objects.update(embedder="another/384")
    assert list_conversations_without_vectors(limit=5) == [archived.conversation_id]
    assert renew_vectors(archived.conversation_id) == 1
    assert EventPassage.objects.get().embedder != "another/384"
    assert list_conversations_without_vectors(limit=5) == []
    assert renew_vectors(archived.conversation_id) == 0


def test_an_archived_event_that_a_person_rewrote_gets_the_vector_of_the_new_words(archived):
    chat_id = archived.conversation_id
    before = EventPassage.objects.get().embedding
    raw = {"entries": read_book(conversation_id=chat_id, world_id=archived.world_id).entries}
    raw["entries"]["1"]["content"] = "A dragon burned the granary of Selmar."
    bring_book(conversation_id=chat_id, world_id=archived.world_id, raw=raw, author="test")
    assert EventPassage.objects.get().embedding is None
    assert list_conversations_without_vectors(limit=5) == [chat_id]
    renew_vectors(chat_id)
    assert EventPassage.objects.get().embedding not in (None, before)


def test_a_hidden_archived_event_leaves_the_graph_and_comes_back_with_its_vector(archived):
    assert count_names(archived) == 1
    hide_event(tenant_id=archived.tenant_id, event_id=archived.pk, is_hidden=True)
    assert count_names(archived) == 0
    hide_event(tenant_id=archived.tenant_id, event_id=archived.pk, is_hidden=False)
    assert count_names(archived) == 1
    assert renew_vectors(archived.conversation_id) == 1


def test_an_archived_event_that_a_rebuild_changed_is_in_the_buffer_alone(archived):
    EventNode.objects.filter(pk=archived.pk).update(title="of another template")
    assert rebuild_events(conversation_id=archived.conversation_id).counts == {"changed": 1}
    archived.refresh_from_db()
    assert (archived.state, EventPassage.objects.get().embedding, count_names(archived)) == ("buffer", None, 0)


def test_only_what_was_told_before_the_talk_can_be_repeated_by_it(archived):
    """Or an event could not be read again once a later one told the same."""
    asked = {"tenant_id": archived.tenant_id, "end_user_id": archived.end_user_id, "but": uuid.uuid4()}
    assert list_told_texts(**asked, before=archived.created_at)
    assert not list_told_texts(**asked, before=archived.created_at - dt.timedelta(seconds=1))


def test_an_answer_in_flight_moves_to_a_new_key(world, settings, monkeypatch):
    chat = open_chat(world.tenant, world=world)
    say_alternately(chat, TAVERN)

    def die(node):
        raise KeyboardInterrupt

    monkeypatch.setattr(runs, "_store", die)
    with pytest.raises(KeyboardInterrupt):
        make_events(chat, OfflinePlotProposer())
    settings.FACT_KEYS = {9: b"9" * 32, **settings.FACT_KEYS}
    assert rotate_event_keys() == 1
    assert rotate_event_keys() == 0
    settings.FACT_KEYS = {9: b"9" * 32}
    node = EventNode.objects.get()
    answer = open_document(
        bytes(node.answer_sealed), tenant_id=node.tenant_id, end_user_id=node.end_user_id, kind=runs.PLOT
    )
    assert answer["summary"]


def test_a_question_does_not_point_into_the_talk_of_another_world(archived):
    asked = {"tenant_id": archived.tenant_id, "end_user_id": archived.end_user_id}
    other = make_world("other", tenant="studio")
    assert list_recent_texts(**asked, conversation_id=archived.conversation_id, world_id=archived.world_id)
    assert list_recent_texts(**asked, conversation_id=archived.conversation_id)
    assert not list_recent_texts(**asked, conversation_id=archived.conversation_id, world_id=other.pk)
