"""The chat model's client against a real HTTP server on loopback."""

import time
from contextlib import nullcontext
from functools import partial
from unittest.mock import ANY

import pytest
from django.db import connections, transaction

from memoryproject import model_answers
from memoryproject.chat_model import ChatReply, ModelRefused, ModelUnavailable, find_chat_model
from tests.loopback_openai import serve_openai

TALK = [{"role": "system", "content": "You are a ferryman."}, {"role": "user", "content": "Is the ferry running?"}]


@pytest.fixture
def ask(settings):
    def configure(server):
        settings.CHAT_MODEL = "loopback"
        settings.OPENAI_BASE_URL = server.url
        settings.OPENAI_API_KEY = "test"
        return find_chat_model()

    return configure


def test_a_reply_carries_its_tokens(ask):
    with serve_openai(chat=lambda _: "At dawn.") as server:
        reply = ask(server).chat(TALK, timeout_seconds=5, max_tokens=50)
    assert reply == ChatReply("At dawn.", "loopback", "stop", prompt_tokens=1, completion_tokens=1)
    assert server.requests[0]["messages"] == TALK
    assert server.requests[0]["max_tokens"] == 50


def test_a_streamed_reply_comes_in_pieces_and_then_whole(ask):
    with serve_openai(chat=lambda _: "At dawn, friend.") as server:
        *pieces, reply = ask(server).stream_chat(TALK, timeout_seconds=5, max_tokens=50)
    assert pieces == ["At ", "dawn, ", "friend."]
    assert reply == ChatReply("At dawn, friend.", "loopback", "stop", prompt_tokens=7, completion_tokens=3)


@pytest.fixture(params=[False, True], ids=["whole", "streamed"])
def say(ask, request):
    """Asks a server for a reply, whole or in pieces, and gives the reply."""

    def call(server, **limits):
        limits = {"timeout_seconds": 0.3, "max_tokens": 50, **limits}
        if request.param:
            return list(ask(server).stream_chat(TALK, **limits))[-1]
        return ask(server).chat(TALK, **limits)

    return call


@pytest.mark.parametrize(
    ("usage", "counted"),
    [
        ({"prompt_tokens": -5, "completion_tokens": 10**12}, (None, None)),
        ({"prompt_tokens": "many", "completion_tokens": {"a": 1}}, (None, None)),
        ({"prompt_tokens": 1.5, "completion_tokens": True}, (None, None)),
        ({"prompt_tokens": 3}, (3, None)),
        ("lots", (None, None)),
    ],
)
def test_what_a_server_miscounts_is_not_counted(say, usage, counted):
    with serve_openai(chat=lambda _: "At dawn.", change=lambda document: {**document, "usage": usage}) as server:
        reply = say(server)
    assert (reply.prompt_tokens, reply.completion_tokens) == counted


@pytest.mark.parametrize("name", ["a\x00b", "\ud800", "m" * 100_000, 5])
def test_a_server_that_calls_things_by_no_name_changes_no_reply(say, name):
    def rename(document):
        choices = [{**each, "finish_reason": each["finish_reason"] and name} for each in document["choices"]]
        return {**document, "model": name, "choices": choices}

    with serve_openai(chat=lambda _: "At dawn.", change=rename) as server:
        assert say(server) == ChatReply("At dawn.", "loopback", "", prompt_tokens=ANY, completion_tokens=ANY)


@pytest.mark.parametrize("text", ["At\x00dawn.", "At \ud800 dawn.", "dawn " * 5000])
def test_what_is_no_text_or_much_too_long_is_no_reply(say, text):
    with serve_openai(chat=lambda _: text) as server, pytest.raises(ModelUnavailable):
        say(server, timeout_seconds=5)


@pytest.mark.parametrize(
    "raw", [b"", b"<html>", b"[" * 100_000, b'{"choices":' + b"[" * 100_000, b'{"choices":{"0":{}}}', b'{"choices":5}']
)
def test_what_is_not_in_the_agreed_form_is_no_answer(ask, raw):
    with serve_openai(raw=raw) as server:
        model = ask(server)
        with pytest.raises(ModelUnavailable):
            model.chat(TALK, timeout_seconds=5, max_tokens=50)
        with pytest.raises(ModelUnavailable):
            model.ask_for_json(system="Answer.", user="Yes?", timeout_seconds=5)


def test_a_streamed_reply_that_nests_too_deep_is_no_reply(ask):
    with serve_openai(chat=lambda _: "At dawn.") as server:
        server._event = lambda _: "[" * 100_000
        with pytest.raises(ModelUnavailable):
            list(ask(server).stream_chat(TALK, timeout_seconds=5, max_tokens=50))


@pytest.mark.parametrize("behaviour", [{"trickles": 0.05}, {"floods": True}])
def test_an_answer_that_never_ends_is_given_up(say, behaviour, monkeypatch):
    monkeypatch.setattr(model_answers, "MAX_ANSWER_BYTES", 1_000_000)
    start = time.monotonic()
    with serve_openai(**behaviour) as server, pytest.raises(ModelUnavailable):
        say(server)
    assert time.monotonic() - start < 3


def test_a_stream_that_goes_on_and_on_is_given_up(ask, monkeypatch):
    monkeypatch.setattr(model_answers, "STREAM_TIMES", 0.5)
    with serve_openai(chat=lambda _: "On and on. " * 20, pause_seconds=0.05) as server:
        stream = ask(server).stream_chat(TALK, timeout_seconds=1, max_tokens=500)
        with pytest.raises(ModelUnavailable):
            list(stream)


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize(
    ("behaviour", "error"),
    [
        ({"refusal": "No."}, ModelRefused),
        ({"status": 500}, ModelUnavailable),
        ({"chat": lambda _: ""}, ModelUnavailable),
        ({"delay_seconds": 1.0}, ModelUnavailable),
    ],
)
def test_what_is_no_reply_is_told_as_such(ask, behaviour, error, streamed):
    with serve_openai(**behaviour) as server:
        model = ask(server)
        call = (lambda **limits: list(model.stream_chat(TALK, **limits))) if streamed else partial(model.chat, TALK)
        with pytest.raises(error):
            call(timeout_seconds=0.3, max_tokens=50)


def test_a_stream_that_breaks_off_is_no_reply(ask):
    with serve_openai(chat=lambda _: "At dawn, friend.", breaks_after=2) as server:
        stream = ask(server).stream_chat(TALK, timeout_seconds=5, max_tokens=50)
        assert [next(stream), next(stream)] == ["At ", "dawn, "]
        with pytest.raises(ModelUnavailable):
            list(stream)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("in_transaction", [False, True])
def test_who_waits_for_a_model_holds_no_connection(say, in_transaction):
    own = connections["default"]
    held = []

    def answer(_):
        held.append(own.connection is not None)
        return "At dawn."

    with transaction.atomic() if in_transaction else nullcontext(), serve_openai(chat=answer) as server:
        own.ensure_connection()
        say(server, timeout_seconds=5)
    assert held == [in_transaction]
