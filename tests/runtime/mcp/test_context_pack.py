"""`context_pack` by MCP, as a tool and as a prompt."""

import pytest
from django.test import Client
from jsonschema import Draft202012Validator

from runtime.mcp.contracts import load_contracts

MESSAGE = "How many arches does the Moon Bridge have?"


def test_it_says_what_rest_says_and_keeps_to_its_contract(rpc, canon):
    by_mcp = rpc.call("context_pack", message=MESSAGE)["structuredContent"]
    Draft202012Validator(load_contracts()["context_pack"].tool.output_schema).validate(by_mcp)
    headers = {"Authorization": f"Bearer {canon.key}"}
    by_rest = Client().post("/api/v1/context", {"message": MESSAGE}, content_type="application/json", headers=headers)
    assert {**by_mcp, "trace_id": ""} == {**by_rest.json(), "trace_id": ""}
    assert "Nine arches" in by_mcp["messages"][0]["content"]


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
    assert result["structuredContent"]["code"] == code


def test_an_unknown_prompt_and_a_failing_one_are_errors(rpc, canon):
    assert "error" in rpc.ask("prompts/get", {"name": "nothing", "arguments": {}})
    answer = rpc.ask("prompts/get", {"name": "context_pack", "arguments": {"message": MESSAGE, "npc_id": "nobody"}})
    assert answer["error"]["data"]["code"] == "npc_not_found"
