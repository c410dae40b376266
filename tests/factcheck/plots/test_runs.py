"""Chunks of talk become events: planned, claimed, asked about once, gated, in the lorebook and found at once."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone
from pgvector import HalfVector

from episodes.events.actions import jobs
from episodes.events.actions.jobs import claim_event
from episodes.events.actions.plans import plan_events
from episodes.events.models import EventBook, EventNode, EventPassage, EventState, EventTrigger
from episodes.events.selectors.event_filters import EventFilters
from episodes.events.selectors.recall import recall_events
from episodes.forgetting.actions.forgetting import forget_message
from factcheck.extraction.proposers.base import Paid, ProposerError
from factcheck.plots.actions.runs import extract_event
from factcheck.plots.proposers.base import PlotProposal
from tests.factcheck.plots.talks import TALKS, TAVERN, make_events
from tests.factories.conversations import open_chat, say_alternately

pytestmark = pytest.mark.django_db
PLOT: dict[str, Any] = {
    "summary": "Irina brought the silver key to Miron in the Moon Tavern; two riders of the Raven Guard followed her.",
    "keywords": ["silver key", "Raven Guard", "dragon"],
    "timestamp": "day 42, late at night",
    "location": "Moon Tavern",
    "entities": [
        {"name": "Irina", "type": "Character"},
        {"name": "Miron", "type": "Character"},
        {"name": "silver key", "type": "Item"},
        {"name": "Gandalf", "type": "Character"},
    ],
    "relations": [
        {"subject": "Irina", "predicate": "brings", "object": "silver key"},
        {"subject": "Raven Guard", "predicate": "follows", "object": "Irina"},
        {"subject": "Gandalf", "predicate": "helps", "object": "Irina"},
    ],
    "details": "",
}


class StubProposer:
    """Answers what it was made with, and counts."""

    name = "openai"
    model = "stub"
    prompt_version = "test-1"

    def __init__(self, document: Any = PLOT, error: ProposerError | None = None) -> None:
        self.document, self.error, self.asked = document, error, []

    def propose(self, chunk, *, timeout_seconds):
        self.asked.append(chunk)
        if self.error is not None:
            raise self.error
        return PlotProposal(self.document, Paid(1, 100, 10, 0.01))

    def describe(self):
        return "A stub."


def filters(chat) -> EventFilters:
    return EventFilters(tenant_id=chat.tenant_id, end_user_id=chat.end_user_id, is_any_world=True)


def find(chat, query: str, **more: Any) -> list[str]:
    return [hit.title for hit in recall_events(filters(chat), query=query, **more).hits]


def test_fifteen_messages_cost_one_call_and_become_one_entry_found_by_keyword_without_a_vector(chat):
    """E-1 of the golden cases."""
    say_alternately(chat, TAVERN)
    stub = StubProposer()
    [node] = make_events(chat, stub)
    assert len(stub.asked) == 1
    assert (node.state, node.first_seq, node.last_seq, node.triggered_by) == ("buffer", 1, 16, "count")
    assert node.rev == EventBook.objects.get(pk=chat.pk).rev == 1
    assert find(chat, "who brought the silver key?") == [node.title]
    assert EventPassage.objects.get(node=node).embedding is None


def test_an_exchange_is_not_cut_in_two(chat):
    say_alternately(chat, TAVERN[:15])  # the fifteenth message waits for its answer
    assert plan_events(conversation_id=chat.pk, trigger=EventTrigger.COUNT) == []
    say_alternately(chat, TAVERN[15:], first="assistant")
    [node] = plan_events(conversation_id=chat.pk, trigger=EventTrigger.COUNT)
    assert (node.first_seq, node.last_seq) == (1, 16)
    assert plan_events(conversation_id=chat.pk, trigger=EventTrigger.COUNT) == []


def test_what_is_left_over_is_an_event_when_the_session_is_over_or_by_hand(chat):
    say_alternately(chat, TAVERN[:4])
    assert plan_events(conversation_id=chat.pk, trigger=EventTrigger.COUNT) == []
    [node] = plan_events(conversation_id=chat.pk, trigger=EventTrigger.SESSION_CLOSED)
    assert (node.last_seq, node.triggered_by) == (4, "session_closed")
    say_alternately(chat, TAVERN[4:6])
    assert plan_events(conversation_id=chat.pk, trigger=EventTrigger.MANUAL) == []


def test_the_gate_keeps_what_is_said_and_lists_the_rest_with_codes(chat):
    first, *_ = say_alternately(chat, TAVERN)
    [node] = make_events(chat, StubProposer())
    assert node.plot["keywords"] == ["silver key", "Raven Guard"]
    assert [entity["name"] for entity in node.plot["entities"]] == ["Irina", "Miron", "silver key", "Raven Guard"]
    assert node.plot["entities"][-1]["type"] == "Unknown"
    assert [relation["subject"] for relation in node.plot["relations"]] == ["Irina", "Raven Guard"]
    assert [(each["code"], each["value"]) for each in node.refusals] == [
        ("entity_not_found", "Gandalf"),
        ("entity_added", "Raven Guard"),
        ("relation_not_found", "Gandalf — helps — Irina"),
        ("keyword_not_found", "dragon"),
    ]
    message_id, start, end = node.spans["Moon Tavern"]
    assert (message_id, TAVERN[0][start:end]) == (first.pk, "Moon Tavern")
    assert node.raw_data == PLOT


@pytest.mark.parametrize(
    ("document", "code"),
    [
        ({**PLOT, "summary": "Джон улетел на Луну и открыл там мороженое."}, "summary_unsupported"),
        ({**PLOT, "summary": "Irina gave Zelbrin the silver key in the Moon Tavern."}, "canary"),
        ({**PLOT, "keywords": []}, "model_unusable"),
    ],
)
def test_an_answer_that_cannot_be_used_fails_the_event_and_not_the_next(chat, document, code):
    say_alternately(chat, TAVERN * 2)
    first, second = plan_events(conversation_id=chat.pk, trigger=EventTrigger.COUNT)
    extract_event(first.pk, proposer=StubProposer(document))
    extract_event(second.pk, proposer=StubProposer())
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.state, first.error_code, first.plot, bytes(first.answer_sealed)) == ("failed", code, None, b"")
    assert second.state == "buffer"
    assert first.input_tokens == 100


def test_an_outage_leaves_the_event_waiting_and_a_refusal_is_listed(chat):
    say_alternately(chat, TAVERN)
    [node] = plan_events(conversation_id=chat.pk, trigger=EventTrigger.COUNT)
    extract_event(node.pk, proposer=StubProposer(error=ProposerError("down", code="model_unavailable")))
    node.refresh_from_db()
    assert (node.state, node.error_code, node.outages) == ("pending", "model_unavailable", 1)
    assert node.wait_until > timezone.now()
    assert extract_event(node.pk, proposer=StubProposer()) is None  # it rests
    EventNode.objects.update(wait_until=None)
    extract_event(
        node.pk, proposer=StubProposer(error=ProposerError("no", code="model_refused", paid=Paid(1, 5, 0, 0.1)))
    )
    node.refresh_from_db()
    assert (node.state, node.error_code, node.input_tokens) == ("failed", "model_refused", 5)


def test_an_answer_that_a_dead_worker_left_is_used_without_another_call(chat, monkeypatch):
    say_alternately(chat, TAVERN)
    [node] = plan_events(conversation_id=chat.pk, trigger=EventTrigger.COUNT)
    stub = StubProposer()
    with monkeypatch.context() as patch:
        patch.setattr("factcheck.plots.actions.runs.store_event", _die)
        with pytest.raises(KeyboardInterrupt):
            extract_event(node.pk, proposer=stub)
    node.refresh_from_db()
    assert node.state == "extracting"
    assert b"Irina" not in bytes(node.answer_sealed)
    assert extract_event(node.pk, proposer=stub) is None  # its lease holds
    EventNode.objects.update(lease_until=timezone.now() - dt.timedelta(seconds=1))
    extract_event(node.pk, proposer=stub)
    node.refresh_from_db()
    assert (node.state, len(stub.asked), node.tries) == ("buffer", 1, 2)


def test_what_kills_three_workers_is_given_up_and_listed(chat):
    say_alternately(chat, TAVERN)
    [node] = plan_events(conversation_id=chat.pk, trigger=EventTrigger.COUNT)
    for _ in range(jobs.MAX_TRIES):
        assert claim_event(node.pk, proposer="x", model="", prompt_version="")
        EventNode.objects.update(lease_until=timezone.now() - dt.timedelta(seconds=1))
    assert claim_event(node.pk, proposer="x", model="", prompt_version="") is None
    node.refresh_from_db()
    assert (node.state, node.error_code) == ("failed", "worker_lost")


def test_a_message_forgotten_while_the_model_answers_takes_the_answer_with_it(chat):
    messages = say_alternately(chat, TAVERN)
    [node] = plan_events(conversation_id=chat.pk, trigger=EventTrigger.COUNT)

    class Forgetting(StubProposer):
        def propose(self, chunk, *, timeout_seconds):
            forget_message(tenant_id=chat.tenant_id, message_id=messages[3].pk, requested_by="test")
            return super().propose(chunk, timeout_seconds=timeout_seconds)

    extract_event(node.pk, proposer=Forgetting())
    node.refresh_from_db()
    assert node.state in (EventState.PENDING, EventState.STALE)
    assert (node.plot, bytes(node.answer_sealed)) == (None, b"")


def test_words_that_repeat_an_event_are_no_source_of_another(chat):
    say_alternately(chat, TAVERN)
    [first] = make_events(chat, StubProposer())
    told = f"As you remember: {first.plot['summary']}"
    say_alternately(chat, ["Tell me again what happened.", told, "And what now?", "You walk on to the old mill."])
    stub = StubProposer({**PLOT, "summary": "You walk on to the old mill.", "keywords": ["Raven Guard", "old mill"]})
    [second] = make_events(chat, stub, EventTrigger.MANUAL)
    shown = [line.shown for line in stub.asked[0].lines]
    assert shown[1] == "As you remember: […]."
    assert second.plot["keywords"] == ["old mill"]


@pytest.mark.parametrize("language", ["en", "ru", "zh", "ar"])
def test_rules_make_an_event_in_each_language(tenant, language):
    chat = open_chat(tenant, f"player-{language}")
    say_alternately(chat, TALKS[language])
    [node] = make_events(chat)
    assert (node.state, node.language, node.proposer, node.cost_usd) == ("buffer", language, "offline", 0)
    names = {"en": {"Irina", "Miron"}, "ru": {"Ирина", "Мирон"}, "zh": {"艾琳", "老陈"}, "ar": {"ميرون", "إيرينا"}}
    assert names[language] <= {entity["name"] for entity in node.plot["entities"]}
    assert "42" in node.plot["timestamp"]
    assert node.refusals == []


def test_a_message_belongs_to_one_event(chat):
    say_alternately(chat, TAVERN)
    [node] = plan_events(conversation_id=chat.pk, trigger=EventTrigger.COUNT)
    other = EventNode(
        tenant=node.tenant, end_user=node.end_user, conversation=chat, first_seq=16, last_seq=20,
        triggered_by="manual", evidence=node.evidence,
    )  # fmt: skip
    with pytest.raises(IntegrityError, match="event_node_range_free"), transaction.atomic():
        other.save()


def test_the_database_refuses_words_of_messages_that_are_gone_and_vectors_of_the_buffer(chat):
    messages = say_alternately(chat, TAVERN)
    [node] = make_events(chat, StubProposer())
    with pytest.raises(IntegrityError, match="event_passage_vector_where_archived"), transaction.atomic():
        EventPassage.objects.update(embedding=HalfVector([1.0]), embedding_state="done", embedder="x/1")
    other = open_chat(chat.tenant, "player-2")
    [foreign, *_] = say_alternately(other, TAVERN)
    with pytest.raises(IntegrityError, match="event_node_of_living_messages"), transaction.atomic():
        EventNode.objects.filter(pk=node.pk).update(evidence=[messages[0].pk, foreign.pk])
    with pytest.raises(IntegrityError, match="event_node_moves"), transaction.atomic():
        EventNode.objects.filter(pk=node.pk).update(state="failed")
    with pytest.raises(IntegrityError, match="event_node_is_kept"), transaction.atomic():
        EventNode.objects.filter(pk=node.pk)._raw_delete("default")


def _die(*args: Any, **kwargs: Any) -> None:
    raise KeyboardInterrupt
