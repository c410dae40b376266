"""Episode search through REST."""

from __future__ import annotations

import pytest

from tenancy.actions.worlds import ensure_tenant


def open_chat(engine, user="player-1", *contents, **headers):
    chat = engine.post("conversations", {"user_id": user}, **headers).json()["id"]
    messages = [{"role": "user", "content": content} for content in contents]
    assert engine.post(f"conversations/{chat}/messages/batch", {"messages": messages}).status_code == 200
    return chat


def test_cards_tell_what_was_said_and_why_it_was_found(engine):
    chat = open_chat(engine, "player-1", "I am allergic to nickel.", "Let us go north.")
    found = engine.get("users/player-1/episodes", {"q": "nickel allergy", "k": "3"}).json()
    card = found["episodes"][0]
    assert (card["raw_excerpt"], card["conversation_id"], card["seq"]) == ("I am allergic to nickel.", chat, 1)
    assert card["parts"]["bm25"] > 0
    assert (found["embedder"], found["degraded"]) == ("hashing-v1/1024", ["embeddings_pending"])
    in_chat = engine.get(f"conversations/{chat}/search", {"q": "nickel allergy"}).json()
    assert in_chat["episodes"][0]["message_id"] == card["message_id"]


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ({}, "parameter_missing"),
        ({"q": " "}, "query_empty"),
        ({"q": "x" * 4001}, "query_too_long"),
        ({"q": "x", "k": "51"}, "k_out_of_range"),
        ({"q": "x", "role": "system"}, "parameter_invalid"),
        ({"q": "x", "since": "yesterday"}, "since_invalid"),
        ({"q": "x", "until": "2026-01-01"}, "until_invalid"),
        ({"q": "x", "word": "y"}, "parameter_unknown"),
    ],
)  # fmt: skip
def test_bad_queries_are_refused(engine, problem, query, code):
    open_chat(engine, "player-1", "hello")
    problem(engine.get("users/player-1/episodes", query), 400, code)


def test_another_tenants_user_and_conversation_are_not_there(engine, make_api, problem):
    chat = open_chat(engine, "player-1", "hello")
    stranger = make_api("read", of=ensure_tenant(slug="rival"))
    problem(stranger.get("users/player-1/episodes", {"q": "hello"}), 404, "user_not_found")
    problem(stranger.get(f"conversations/{chat}/search", {"q": "hello"}), 404, "conversation_not_found")


def test_a_conversation_of_another_user_is_not_searched(engine, problem):
    open_chat(engine, "player-1", "hello")
    other = open_chat(engine, "player-2", "hello")
    answer = engine.get("users/player-1/episodes", {"q": "hello", "conversation_id": str(other)})
    problem(answer, 404, "conversation_not_found")


def test_a_world_shows_its_own_conversations_only(engine):
    open_chat(engine, "player-1", "hello from nowhere")
    inside = open_chat(engine, "player-1", "hello from ashfall", X_Site_ID="ashfall")
    found = engine.get("users/player-1/episodes", {"q": "hello"}, X_Site_ID="ashfall").json()["episodes"]
    assert [card["conversation_id"] for card in found] == [inside]


def test_searching_takes_a_key_that_may_read(make_api, problem, engine):
    open_chat(engine, "player-1", "hello")
    problem(make_api("editor").get("users/player-1/episodes", {"q": "hello"}), 403, "scope_missing")
