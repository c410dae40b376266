"""REST and MCP answer the same question in the same words."""

import pytest
from django.test import Client

from tests.runtime.mcp.conftest import read_problem

CALLS = [
    ("lore_search", {"query": "grey arches", "k": 3}, "GET", "lore/search", {"q": "grey arches", "k": 3}),
    ("lore_assert", {"fact": "The Moon Bridge has eleven arches."}, "POST", "lore/assert", None),
    ("lore_assert", {"fact": "The Moon Bridge sings."}, "POST", "lore/assert", None),
    ("lore_search", {"query": "x", "filters": {"release": 9}}, "GET", "lore/search", {"q": "x", "release": 9}),
    ("lore_search", {"query": "x", "filters": {"tags": ["no"]}}, "GET", "lore/search", {"q": "x", "tags": "no"}),
    ("rules_lookup", {"term": "zzzz qqqq"}, "GET", "rules/lookup", {"term": "zzzz qqqq"}),
    ("rules_lookup", {}, "GET", "rules/lookup", {}),
]


def ask_rest(key, method, path, data):
    headers = {"Authorization": f"Bearer {key}"}
    if method == "POST":
        return Client().post(f"/api/v1/{path}", data, content_type="application/json", headers=headers).json()
    return Client().get(f"/api/v1/{path}", data, headers=headers).json()


@pytest.mark.parametrize(("tool", "arguments", "method", "path", "query"), CALLS)
def test_mcp_answers_what_rest_answers(rpc, canon, tool, arguments, method, path, query):
    by_rest = ask_rest(canon.key, method, path, arguments if query is None else query)
    result = rpc.call(tool, **arguments)
    by_mcp = read_problem(result) if result.get("isError") else result["structuredContent"]
    assert {**by_mcp, "request_id": ""} == {**by_rest, "request_id": ""}


def test_a_rule_by_mcp_says_nothing_that_rest_says_otherwise(rpc, canon):
    by_rest = ask_rest(canon.key, "GET", "rules/lookup", {"term": "clasped"})
    by_mcp = rpc.call("rules_lookup", term="clasped")["structuredContent"]
    assert set(by_mcp) == set(by_rest)
    told, whole = by_mcp.pop("rule"), by_rest.pop("rule")
    assert by_mcp == by_rest
    chunks = [
        {name: chunk[name] for name in shown} for chunk, shown in zip(whole["chunks"], told["chunks"], strict=True)
    ]
    assert told == {name: whole[name] for name in told} | {"chunks": chunks}


def test_mistakes_in_arguments_are_told_as_mistakes_in_bodies(rpc, canon):
    by_rest = ask_rest(canon.key, "POST", "lore/assert", {"fact": "x", "npc_id": ""})
    by_mcp = read_problem(rpc.call("lore_assert", fact="x", npc_id=""))
    assert {error["path"] for error in by_mcp["errors"]} == {error["path"] for error in by_rest["errors"]} == {"npc_id"}
    assert all(error["message"] for error in by_mcp["errors"])
