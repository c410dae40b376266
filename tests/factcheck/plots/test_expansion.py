"""A model says what a vague question means, in time or not at all, and is told nothing that the asker may not know."""

from __future__ import annotations

import json

import pytest

from episodes.events.core.expansion import MAX_WORDS, read_words, render_question
from episodes.events.selectors import expansion
from episodes.events.selectors.event_filters import EventFilters
from episodes.events.selectors.expansion import expand_question
from episodes.events.selectors.recall import recall_events
from memoryproject.breaker import CircuitBreaker
from tests.factcheck.plots.talks import TAVERN, make_events
from tests.factories.conversations import open_chat, say_alternately
from tests.loopback_openai import serve_openai

pytestmark = pytest.mark.django_db
TALK = ("The fire burns low.", "We are tired.")


@pytest.fixture
def model(settings, monkeypatch):
    """A chat model on loopback that is asked about vague questions."""
    monkeypatch.setattr(expansion, "BREAKER", CircuitBreaker())
    expansion.CACHE.clear()
    with serve_openai() as server:
        settings.OPENAI_BASE_URL, settings.OPENAI_API_KEY = server.url, "test"
        settings.EVENTS_EXPANSION_MODEL = "guesser"
        yield server
    expansion.CACHE.clear()


@pytest.fixture
def chat(tenant):
    chat = open_chat(tenant, npc_id="npc_miron")
    say_alternately(chat, TAVERN, npc_id="npc_miron")
    make_events(chat)
    return chat


def ask(chat, npc_id: str | None = None):
    owner_filter = {"tenant_id": chat.tenant_id, "end_user_id": chat.end_user_id, "world_id": chat.world_id}
    filters = EventFilters(**owner_filter, npc_id=npc_id)
    return recall_events(filters, query="remember that time?", talk=TALK, expand=expand_question)


def say(server, *words: str) -> None:
    server.chat = lambda _: json.dumps({"words": list(words)})


def test_its_words_and_names_find_the_event_and_are_asked_for_once(chat, model):
    assert ask(chat).hits == ()
    expansion.CACHE.clear()
    say(model, "Irina", "silver key")
    found = ask(chat)
    assert [hit.first_seq for hit in found.hits] == [1]
    assert "Irina" in [each.name for each in found.reference.pointed_at]
    assert ask(chat).hits == found.hits
    assert len(model.requests) == 2


def test_nobody_is_asked_about_a_question_that_names_somebody_or_without_a_model(chat, model, settings):
    filters = EventFilters(tenant_id=chat.tenant_id, end_user_id=chat.end_user_id, world_id=chat.world_id)
    recall_events(filters, query="what did Irina say?", talk=TALK, expand=expand_question)
    settings.EVENTS_EXPANSION_MODEL = ""
    assert ask(chat).degraded == ()
    assert model.requests == []


def test_it_is_told_the_talk_and_the_names_of_the_askers_own_events_alone(chat, model):
    other = open_chat(chat.tenant, npc_id="npc_hald")
    say_alternately(other, [line.replace("Irina", "Zarathustra") for line in TAVERN], npc_id="npc_hald")
    make_events(other)
    ask(chat, "npc_miron")
    [request] = model.requests
    told = json.dumps(request["messages"], ensure_ascii=False)
    assert "Irina" in told
    assert "Zarathustra" not in told
    ask(chat, "npc_nobody")
    assert len(model.requests) == 1  # it has no events: nobody is asked


def test_one_that_is_late_or_breaks_the_form_leaves_the_rules_and_the_trace_says_so(chat, model, settings):
    model.chat = lambda _: '{"words": "Irina"}'
    assert ask(chat).degraded == ("expansion_unusable",)
    settings.EVENTS_EXPANSION_TIMEOUT_SECONDS = 0.1
    model.delay_seconds = 0.3
    assert [ask(chat).degraded for _ in range(4)] == [("expansion_unavailable",)] * 3 + [("expansion_paused",)]


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ({"words": ["Irina", " Irina ", "", "a\x00b"]}, ("Irina", "a b")),
        ({"words": ["x" * 500]}, ("x" * 60,)),
        ({"words": [str(number) for number in range(99)]}, tuple(str(number) for number in range(MAX_WORDS))),
        ({"words": []}, ()),
        ({"words": [1]}, None),
        ({}, None),
    ],
)
def test_words_are_few_short_and_plain(document, words):
    assert read_words(document) == words


def test_no_text_of_a_talk_ends_its_own_place():
    asked = json.loads(render_question('"}]', ['", "names": ["secret"]'], ["Irina"]))
    assert asked == {"talk": ['", "names": ["secret"]'], "names": ["Irina"], "question": '"}]'}
