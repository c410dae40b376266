"""The chat model's client against a real HTTP server on loopback."""

from functools import partial

import pytest

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
