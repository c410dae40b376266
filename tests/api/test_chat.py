"""Talking to NPCs by REST, against a loopback model that records the exact prompt it got."""

from __future__ import annotations

import contextvars
import json
import re

import pytest
import redis as redis_library
from django.test import Client

from episodes.conversations.actions.replies import store_reply
from episodes.forgetting.actions.forgetting import forget_message
from episodes.models import ForgetReceipt, Message
from factcheck.models import ContradictedClaim
from runtime.chat.actions.reply_check import check_reply
from runtime.models import Trace
from tenancy.actions.worlds import ensure_world
from tests.conftest import flush_redis_keys
from tests.factories.campaigns import add_scene, start
from tests.factories.canon import article, publish
from tests.factories.npcs import make_npc
from tests.loopback_openai import serve_openai

TURN = {"npc_id": "mira", "session_id": "s-1", "user_id": "player-1", "query": "Mira of the bells, when were you born?"}
CANON = (
    article(
        "mira",
        "Mira keeps the bells of Ashfall.",
        type="character",
        fields={"born_year": 1180},
        field_labels={"born_year": ["born"]},
    ),
    article("bell-tower", "The bell tower of Ashfall was built in 1204."),
)


@pytest.fixture
def engine(make_api, world):
    publish(world, *CANON)
    make_npc(world, "mira", name="Mira")
    make_npc(world, "orin", name="Orin")
    return make_api("read", "engine")


@pytest.fixture
def model(settings):
    """Starts a loopback model that says the given replies in turn, and points the settings at it."""
    servers = []

    def start(*replies: str, **behaviour):
        said = iter(replies)
        context = serve_openai(chat=lambda _: next(said), **behaviour)
        server = context.__enter__()
        servers.append(context)
        settings.CHAT_MODEL, settings.OPENAI_BASE_URL, settings.OPENAI_API_KEY = "loopback", server.url, "test"
        return server

    yield start
    for context in servers:
        context.__exit__(None, None, None)


def read_events(response):
    content = b"".join(response.streaming_content).decode()
    return [(name, json.loads(data)) for name, data in re.findall(r"event: (\w+)\ndata: (.*)\n\n", content)]


def say(engine, query, **more):
    return engine.post("npc/chat", {**TURN, "query": query, **more})


def list_talk():
    return [(row.role, row.content) for row in Message.objects.order_by("id")]


def test_a_reply_is_kept_remembered_and_told_with_its_cost(engine, model, settings, django_capture_on_commit_callbacks):
    settings.CHAT_PRICE_PROMPT, settings.CHAT_PRICE_COMPLETION = 2.0, 10.0
    server = model("In the year 1180.")
    with django_capture_on_commit_callbacks(execute=True):
        document = engine.post("npc/chat", TURN).json()
    assert (document["reply"], document["language"], document["degraded"]) == ("In the year 1180.", "en", [])
    assert document["canon"] == {"contradictions": [], "asked_again": False}
    assert document["usage"] == {"prompt_tokens": 1, "completion_tokens": 1, "cost": pytest.approx(12e-6)}
    assert list_talk() == [("user", TURN["query"]), ("assistant", "In the year 1180.")]
    reply = Message.objects.get(pk=document["reply_message_id"])
    assert (reply.reply_to_id, reply.npc_id, reply.session_id) == (document["message_id"], "mira", "s-1")
    prompt = server.requests[-1]["messages"]
    assert prompt[-1] == {"role": "user", "content": TURN["query"]}
    assert "Mira keeps the bells of Ashfall." in prompt[0]["content"]
    remembered = engine.get("npc/sessions/s-1", {"npc_id": "mira"}).json()["recent_messages"]
    assert [each["content"] for each in remembered] == [TURN["query"], "In the year 1180."]


def test_the_body_of_the_seed_is_taken_as_it_is(engine, model, tenant, world, problem):
    model("Good day.", "Good day.")
    body = {"tenant_id": tenant.slug, "site_id": world.slug, "npc_id": "mira", "session_id": "s", "query": "Hello?"}
    assert engine.post("npc/chat", body).status_code == 200
    problem(engine.post("npc/chat", {**body, "tenant_id": "others"}), 404, "tenant_not_found")
    problem(engine.post("npc/chat", {**body, "site_id": "others"}), 404, "world_not_found")
    problem(engine.post("npc/chat", body, X_Site_ID="others"), 400, "site_id_conflict")


def test_two_npcs_of_one_session_never_see_each_others_talk(engine, model):
    server = model("The bells are a secret of ours.", "I know nothing.", "As I said.")
    say(engine, "Where is the copper key?")
    say(engine, "What did she tell me?", npc_id="orin")
    to_orin = json.dumps(server.requests[-1]["messages"])
    assert "copper" not in to_orin
    assert "secret of ours" not in to_orin
    say(engine, "And again?")
    assert "copper" in json.dumps(server.requests[-1]["messages"])


def test_without_a_model_only_the_players_words_are_kept(engine, problem):
    document = problem(engine.post("npc/chat", TURN), 503, "model_not_configured")
    assert "CHAT_MODEL" in document["detail"]
    assert list_talk() == [("user", TURN["query"])]
    assert document["message_id"] == Message.objects.get().pk


def test_a_reply_that_canon_denies_is_asked_for_once_more(engine, model):
    server = model("Mira was born in 1179.", "Mira was born in 1180.")
    document = engine.post("npc/chat", TURN).json()
    assert (document["reply"], document["degraded"]) == ("Mira was born in 1180.", [])
    assert document["canon"] == {"contradictions": [], "asked_again": True}
    *_, said, correction = server.requests[-1]["messages"]
    assert said == {"role": "assistant", "content": "Mira was born in 1179."}
    assert correction["role"] == "system"
    assert "Mira" in correction["content"]
    assert ContradictedClaim.objects.get().claim == "Mira was born in 1179."
    assert [content for _, content in list_talk()] == [TURN["query"], "Mira was born in 1180."]


def test_a_reply_that_canon_denies_twice_stands_with_a_flag(engine, model):
    server = model("Mira was born in 1179.", "Mira was born in 1178.")
    document = engine.post("npc/chat", TURN).json()
    assert document["reply"] == "Mira was born in 1178."
    assert "contradicts_canon" in document["degraded"]
    [contradiction] = document["canon"]["contradictions"]
    assert (contradiction["claim"], contradiction["sources"][0]["slug"]) == ("Mira was born in 1178.", "mira")
    assert len([each for each in server.requests if "messages" in each]) == 2


def test_a_reply_in_another_language_is_asked_for_in_the_players(engine, model):
    server = model("Колокола молчат до утра.", "The bells are silent until morning.")
    document = say(engine, "Why do the bells not ring tonight?").json()
    assert (document["reply"], document["language"]) == ("The bells are silent until morning.", "en")
    assert document["degraded"] == []
    assert "English" in server.requests[-1]["messages"][-1]["content"]


def test_a_reply_to_words_of_no_language_is_held_to_the_language_of_the_session(engine, model):
    url = "/api/v1/npc/sessions/s-1/preference?language=ru"
    assert Client().put(url, headers={"Authorization": f"Bearer {engine.key}"}).status_code == 200
    server = model("Forty-two.", "Сорок два.")
    answered = say(engine, "42?").json()
    assert "русский" in server.requests[0]["messages"][0]["content"]
    assert "русский" in server.requests[1]["messages"][-1]["content"]
    assert (answered["reply"], answered["canon"]["asked_again"]) == ("Сорок два.", True)


def test_redis_flushed_in_the_middle_of_a_talk_is_told_in_the_trace_and_the_talk_goes_on(
    engine, model, redis, django_capture_on_commit_callbacks
):
    server = model("The bells are mine.", "As I said, mine.", "Mine.")

    def turn(query):
        with django_capture_on_commit_callbacks(execute=True):
            answered = say(engine, query).json()
        calls = engine.get(f"traces/{answered['trace_id']}").json()["tool_calls"]
        return [each["status"] for each in calls if each["name"] == "get_session_memory"], answered["degraded"]

    query = "Whose bells are these in the tower?"
    assert turn(query)[0] == ["success"]
    flush_redis_keys()
    assert turn("And who may ring them?")[0] == ["rebuilt"]
    assert f"Player: {query}\nMira: The bells are mine." in server.requests[1]["messages"][0]["content"]
    assert turn("Nobody else?")[0] == ["success"]


def test_mood_and_kind_of_what_is_said_are_kept_with_it(engine, model):
    model("Hush.")
    document = say(engine, "I miss the bells.", mood="sad", memory_type="emotion").json()
    message = Message.objects.get(pk=document["message_id"])
    assert (message.mood, message.memory_type) == ("sad", "emotion")


def test_a_model_that_fails_leaves_the_talk_so_that_it_can_be_tried_again(engine, model, problem, settings):
    turn = {**TURN, "client_message_id": "c-1"}
    model(status=500)
    document = problem(engine.post("npc/chat", turn), 503, "model_unavailable")
    assert list_talk() == [("user", TURN["query"])]
    model("In 1180.")
    again = engine.post("npc/chat", turn).json()
    assert (again["message_id"], again["reply"]) == (document["message_id"], "In 1180.")
    repeat = engine.post("npc/chat", turn).json()
    assert (repeat["reply_message_id"], repeat["reply"]) == (again["reply_message_id"], "In 1180.")
    assert repeat["canon"] == again["canon"] == {"contradictions": [], "asked_again": False}
    assert (repeat["degraded"], repeat["trace_id"]) == (again["degraded"], again["trace_id"])
    assert repeat["usage"] == {"prompt_tokens": 0, "completion_tokens": 0, "cost": 0}
    assert len(list_talk()) == 2
    problem(engine.post("npc/chat", {**turn, "query": "Other."}), 409, "client_message_id_reused")


def test_a_repeat_brings_the_warnings_of_the_first_answer(engine, model):
    turn = {**TURN, "client_message_id": "c-1"}
    model("Mira was born in 1179.", "Mira was born in 1181.")
    first = engine.post("npc/chat", turn).json()
    assert first["degraded"] == ["contradicts_canon"]
    assert first["canon"]["contradictions"]
    repeat = engine.post("npc/chat", turn).json()
    assert {**repeat, "usage": first["usage"]} == first
    Trace.objects.all().delete()
    unknown = engine.post("npc/chat", turn).json()
    assert unknown["degraded"] == ["contradicts_canon", "trace_gone"]
    assert [each["claim"] for each in unknown["canon"]["contradictions"]] == ["Mira was born in 1181."]
    assert unknown["trace_id"] is None


@pytest.mark.parametrize("streamed", [False, True])
def test_a_turn_that_was_answered_meanwhile_gets_that_reply(engine, model, monkeypatch, streamed):
    model("Too late.")

    def answer_first(reply, **more):
        store_reply(message=Message.objects.get(), content="Sooner.")
        return check_reply(reply, **more)

    monkeypatch.setattr("runtime.chat.actions.turns.check_reply", answer_first)
    response = engine.post("npc/chat", {**TURN, "client_message_id": "c-1", "stream": streamed})
    if streamed:
        *events, (_, document) = read_events(response)
        assert [data for _, data in events[-2:]] == [{"reason": "answered"}, {"text": "Sooner."}]
    else:
        document = response.json()
    assert (document["reply"], document["canon"]) == ("Sooner.", None)
    assert "answered_meanwhile" in document["degraded"]
    assert list_talk() == [("user", TURN["query"]), ("assistant", "Sooner.")]
    assert Trace.objects.get(pk=document["trace_id"]).reply_message_id is None


def test_a_turn_leaves_a_trace_of_what_was_asked_said_and_denied(engine, model, settings):
    settings.CHAT_PRICE_PROMPT = settings.CHAT_PRICE_COMPLETION = 1.0
    model("Mira was born in 1179.", "Mira was born in 1178.")
    document = engine.post("npc/chat", TURN).json()
    trace = Trace.objects.get(pk=document["trace_id"])
    assert (trace.kind, trace.npc_id, trace.session_id) == ("chat", "mira", "s-1")
    assert trace.reply_message_id == document["reply_message_id"]
    assert len(trace.outline["model_calls"]) == len(trace.outline["checks"]) == 2
    assert trace.cost == pytest.approx(4e-6)
    assert trace.contradictions == 1
    assert "contradicts_canon" in trace.degraded
    assert {"context", "model", "canon_check"} <= trace.steps_ms.keys()


@pytest.mark.parametrize("forgotten", ["message_id", "reply_message_id"])
def test_what_canon_denied_in_an_answer_is_forgotten_with_the_turn(
    engine, model, forgotten, django_capture_on_commit_callbacks
):
    model("Mira was born in 1179.", "Mira was born in 1178.", "Mira was born in 1177.", "Mira was born in 1180.")
    document = engine.post("npc/chat", TURN).json()
    engine.post("npc/chat", {**TURN, "session_id": "s-2"})
    with django_capture_on_commit_callbacks(execute=True):
        assert engine.post(f"messages/{document[forgotten]}/forget", {}).status_code == 201
    receipt = ForgetReceipt.objects.get()
    assert (receipt.cleared["contradicted_claims"], receipt.verification["contradicted_claims"]) == (2, 0)
    assert ContradictedClaim.objects.get().claim == "Mira was born in 1177."


def test_a_claim_in_an_answer_to_forgotten_words_is_not_kept(engine, model, monkeypatch):
    def forget_first(reply, **more):
        message = Message.objects.get()
        forget_message(tenant_id=message.tenant_id, message_id=message.pk, requested_by="test")
        return check_reply(reply, **more)

    monkeypatch.setattr("runtime.chat.actions.turns.check_reply", forget_first)
    model("Mira was born in 1179.", "Mira was born in 1178.")
    engine.post("npc/chat", TURN)
    assert not ContradictedClaim.objects.exists()


def test_a_turn_without_an_answer_leaves_a_trace_too(engine, model, problem):
    model(status=500)
    document = problem(engine.post("npc/chat", TURN), 503, "model_unavailable")
    trace = Trace.objects.get(pk=document["trace_id"])
    assert "model_unavailable" in trace.degraded
    assert trace.reply_message_id is None


def test_a_refusal_and_a_late_model_are_told_apart(engine, model, problem, settings):
    model(refusal="No.")
    problem(engine.post("npc/chat", TURN), 503, "model_refused")
    settings.CHAT_TIMEOUT_SECONDS = 0.2
    model("Too late.", delay_seconds=1.0)
    problem(engine.post("npc/chat", TURN), 503, "model_unavailable")
    assert {role for role, _ in list_talk()} == {"user"}


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("reply", ["\u200b\u2060", "a\x00b", "a\ud800b"])
def test_a_reply_that_cannot_be_kept_is_the_models_fault_not_the_players(engine, model, problem, reply, streamed):
    model(reply)
    response = engine.post("npc/chat", {**TURN, "stream": streamed})
    if response.status_code == 200:
        document = read_events(response)[-1][1]
        assert (document["status"], document["code"]) == (503, "model_unavailable")
    else:
        document = problem(response, 503, "model_unavailable")
    assert document["message_id"] == Message.objects.get().pk
    assert Trace.objects.get().reply_message_id is None


def test_a_streamed_reply_comes_word_by_word_and_ends_with_the_whole(engine, model):
    model("Mira was born in 1179.", "It was in 1180.")
    response = engine.post("npc/chat", {**TURN, "stream": True})
    assert response["Content-Type"].startswith("text/event-stream")
    events = read_events(response)
    names = [name for name, _ in events]
    assert names[0] == "heard"
    assert names[-1] == "answer"
    withdrawn = names.index("withdrawn")
    assert "".join(data["text"] for name, data in events[:withdrawn] if name == "delta") == "Mira was born in 1179."
    assert "".join(data["text"] for name, data in events[withdrawn:] if name == "delta") == "It was in 1180."
    assert events[withdrawn][1] == {"reason": "contradiction"}
    assert events[-1][1]["reply"] == "It was in 1180."
    assert events[-1][1]["usage"]["prompt_tokens"] == 14


def test_accept_asks_for_a_stream_too(engine, model):
    model("In 1180.")
    response = engine.post("npc/chat", TURN, Accept="text/event-stream")
    assert read_events(response)[-1][0] == "answer"


def test_a_stream_that_breaks_off_ends_with_an_error_and_keeps_no_reply(engine, model):
    model("One two three four.", breaks_after=2)
    events = read_events(engine.post("npc/chat", {**TURN, "stream": True}))
    assert [name for name, _ in events] == ["heard", "delta", "delta", "error"]
    assert events[-1][1]["code"] == "model_unavailable"
    assert list_talk() == [("user", TURN["query"])]


def test_a_defect_in_a_stream_is_told_and_logged_with_the_id_of_its_request(engine, model, monkeypatch, caplog):
    def fail(*_args, **_more):
        raise RuntimeError("the secret path")

    model("In 1180.")
    monkeypatch.setattr("runtime.chat.actions.turns.check_reply", fail)
    response = engine.post("npc/chat", {**TURN, "stream": True}, X_Request_ID="turn-7")
    error = contextvars.Context().run(read_events, response)[-1][1]
    assert (error["code"], error["request_id"]) == ("internal", "turn-7")
    assert [record.msg["request_id"] for record in caplog.records if "stream_failed" in str(record.msg)] == ["turn-7"]


def test_a_talk_goes_on_from_raw_while_redis_is_gone(engine, model, settings, monkeypatch):
    def fail(*_args, **_more):
        raise redis_library.ConnectionError("gone")

    server = model("In 1180.", "In 1180, as I said.")
    say(engine, "The copper key is mine.")
    settings.THROTTLE_WITHOUT_REDIS = "allow"
    monkeypatch.setattr("tenancy.api.views.count_request", fail)
    monkeypatch.setattr("runtime.session_memory.circuit.get_redis", fail)
    monkeypatch.setattr("runtime.session_memory.circuit.PAUSE_SECONDS", 0)
    document = say(engine, "When, again?").json()
    assert "session_memory_unavailable" in document["degraded"]
    assert "copper key" in json.dumps(server.requests[-1]["messages"])
    assert Trace.objects.get(pk=document["trace_id"]).degraded == document["degraded"]


def test_what_fails_before_the_first_word_is_a_status_even_for_streams(engine, model, problem):
    problem(engine.post("npc/chat", {**TURN, "stream": True}), 503, "model_not_configured")
    model(status=500)
    problem(engine.post("npc/chat", {**TURN, "stream": True}), 503, "model_unavailable")


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"query": ""}, 400, "body_invalid"),
        ({"query": "\u200b \n"}, 400, "message_empty"),
        ({"query": "x" * 40_000}, 400, "body_invalid"),
        ({"npc_id": "nobody"}, 404, "npc_not_found"),
        ({"party_id": "nobody"}, 404, "party_not_found"),
        ({"party_id": "pty_1", "scene_id": "nowhere"}, 404, "scene_not_found"),
        ({"npc_id": "a\0b"}, 400, "body_invalid"),
        ({"session_id": ""}, 400, "body_invalid"),
        ({"client_message_id": "c-1\n"}, 400, "body_invalid"),
        ({"scene_id": "scn_1"}, 400, "body_invalid"),
        ({"mood": 7}, 400, "body_invalid"),
    ],
)
def test_bad_turns_are_refused_and_nothing_is_kept(engine, model, world, problem, change, status, code):
    start(world)
    add_scene(world, npcs=[])
    server = model("Never said.")
    problem(engine.post("npc/chat", {**TURN, **change}), status, code)
    assert not server.requests
    assert not Message.objects.exists()


def test_reading_keys_may_not_talk(make_api, world, problem):
    problem(make_api("read").post("npc/chat", TURN), 403, "scope_missing")


NICKEL = "I am allergic to nickel. When was Mira born?"


@pytest.mark.parametrize("streamed", [False, True])
def test_a_turn_answers_what_the_players_words_say_about_the_player(engine, model, streamed):
    model("In 1180.", "In 1180.")
    response = say(engine, NICKEL, stream=streamed)
    document = read_events(response)[-1][1] if streamed else response.json()
    assert set(document["extraction"]) == {"facts", "corrections"}
    (fact,) = document["extraction"]["facts"]
    assert (fact["type"], fact["key"], fact["outcome"]) == ("allergy", "nickel", "written")
    assert fact["evidence"] == [document["message_id"]]
    assert say(engine, "And who raised her?").json()["extraction"] == {"facts": [], "corrections": []}


def test_a_repeated_turn_answers_what_its_words_said_the_first_time(engine, model):
    model("In 1180.")
    first = say(engine, NICKEL, client_message_id="turn-1").json()
    again = say(engine, NICKEL, client_message_id="turn-1").json()
    assert len(first["extraction"]["facts"]) == 1
    assert again["extraction"] == first["extraction"]


def test_a_turn_of_a_key_of_one_world_tells_nothing_of_what_another_world_knows(engine, model, make_api, tenant, world):
    other = ensure_world(tenant_id=tenant.pk, slug="second")
    elsewhere = make_api("engine", world_id=other.pk)
    chat = elsewhere.post("conversations", {"user_id": "player-1"}).json()["id"]
    elsewhere.post(f"conversations/{chat}/messages", {"role": "user", "content": "I am allergic to nickel."})
    model("In 1180.")
    bound = make_api("engine", world_id=world.pk)
    (fact,) = say(bound, NICKEL, user_id="player-1").json()["extraction"]["facts"]
    assert (fact["outcome"], len(fact["evidence"])) == ("written", 1)
