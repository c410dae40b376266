"""`context_pack` by MCP, as a tool and as a prompt."""

import json

import pytest
from django.test import Client

from knowledge.text.tokens import count_tokens
from runtime.config import load_budgets
from runtime.mcp import tools
from tests.factories.canon import make_article, publish
from tests.runtime.mcp.conftest import read_problem

MESSAGE = "How many arches does the Moon Bridge have?"


def test_it_gives_the_prompt_of_rest_once_and_within_2000_tokens(rpc, canon):
    result = rpc.call("context_pack", message=MESSAGE)
    headers = {"Authorization": f"Bearer {canon.key}"}
    by_rest = Client().post("/api/v1/context", {"message": MESSAGE}, content_type="application/json", headers=headers)
    pack = by_rest.json()
    assert [each["text"] for each in result["content"]] == [each["content"] for each in pack["messages"]]
    assert "Nine arches" in result["content"][0]["text"]
    assert "structuredContent" not in result
    meta = result["_meta"]
    assert (meta["memory37/tokens"], meta["memory37/releases"]) == (pack["tokens"], pack["releases"])
    assert meta["memory37/trace_id"]
    assert count_tokens(json.dumps(result, ensure_ascii=False)) < pack["tokens"] + 200 <= 2000


def test_it_holds_2000_tokens_where_the_installation_gives_more(rpc, canon, monkeypatch):
    budgets = load_budgets()
    rich = budgets.model_copy(update={"context": budgets.context.model_copy(update={"total": 9000})})
    monkeypatch.setattr(tools, "load_budgets", lambda: rich)
    publish(canon.world, *(make_article(f"arch-{n}", f"The Moon Bridge has arches, says {n}. " * 40) for n in range(9)))
    text = rpc.call("context_pack", message=MESSAGE)["content"][0]["text"]
    assert count_tokens(text) <= 2000


def test_the_prompt_gives_the_same_messages(rpc, canon):
    [prompt] = [each for each in rpc.ask("prompts/list")["result"]["prompts"] if each["name"] == "context_pack"]
    assert [each["name"] for each in prompt["arguments"] if each.get("required")] == ["message"]
    result = rpc.ask("prompts/get", {"name": "context_pack", "arguments": {"message": MESSAGE, "max_tokens": "1500"}})
    system, words = (each["content"]["text"] for each in result["result"]["messages"])
    assert "Nine arches" in system
    assert words == MESSAGE


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({}, "invalid"),
        ({"message": MESSAGE, "scene_id": "s"}, "invalid"),
        ({"message": MESSAGE, "npc_id": "nobody"}, "npc_not_found"),
        ({"message": MESSAGE, "party_id": "nobody"}, "party_not_found"),
        ({"message": MESSAGE, "max_tokens": 20}, "budget_too_small"),
    ],
)
def test_bad_calls_are_told_by_code(rpc, canon, arguments, code):
    result = rpc.call("context_pack", **arguments)
    assert result["isError"]
    assert read_problem(result)["code"] == code


def test_an_unknown_prompt_and_a_failing_one_are_errors(rpc, canon):
    assert "error" in rpc.ask("prompts/get", {"name": "nothing", "arguments": {}})
    answer = rpc.ask("prompts/get", {"name": "context_pack", "arguments": {"message": MESSAGE, "npc_id": "nobody"}})
    assert answer["error"]["data"]["code"] == "npc_not_found"
