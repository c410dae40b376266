"""The official client against the running endpoint, the contracts, and what calls leave behind."""

import asyncio
import json
import time
from concurrent.futures import ThreadPoolExecutor

import httpx2
import mcp_types as types
import pytest
import yaml
from django.conf import settings
from django.db import connection
from jsonschema import Draft202012Validator
from mcp.client.streamable_http import streamable_http_client

from mcp import Client
from runtime.mcp.contracts import TOOL_NAMES, build_contract
from runtime.mcp.tools import TOOLS

CONTRACTS = settings.BASE_DIR / "mcp" / "tools"
READ_ONLY = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}


def read_contract(name):
    return yaml.safe_load((CONTRACTS / f"{name}.yaml").read_text(encoding="utf-8"))


def with_client(rpc, use, **options):
    async def run():
        http = httpx2.AsyncClient(headers={"Authorization": f"Bearer {rpc.key}"}, timeout=30)
        async with http, Client(streamable_http_client(f"{rpc.url}/mcp", http_client=http), **options) as client:
            return await use(client)

    return asyncio.run(run())


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_official_client_lists_and_calls_the_tools_in_both_protocols(rpc, mode):
    async def use(client):
        listed = await client.list_tools()
        rule = await client.call_tool("rules_lookup", {"term": "clasped"})
        found = await client.call_tool("lore_search", {"query": "grey arches"})
        judged = await client.call_tool("lore_assert", {"fact": "The keeper of the Moon Bridge is Li Shen."})
        failed = await client.call_tool("rules_lookup", {"term": "zzzz qqqq"})
        return listed, rule, found, judged, failed

    listed, rule, found, judged, failed = with_client(rpc, use, mode=mode)
    assert [tool.name for tool in listed.tools] == list(TOOL_NAMES)
    assert rule.structured_content["rule"]["slug"] == "clasped"
    assert found.structured_content["hits"][0]["document"]["slug"] == "moon-bridge"
    assert judged.structured_content["verdict"] == "true"
    assert failed.is_error
    assert failed.structured_content is None, "it would not fit the output schema"
    assert json.loads(failed.content[0].text)["code"] == "rule_not_found"


def test_listed_tools_equal_their_contracts(rpc):
    listed = {tool["name"]: tool for tool in rpc.ask("tools/list")["result"]["tools"]}
    assert {path.stem for path in CONTRACTS.glob("*.yaml")} == set(listed) == set(TOOLS)
    for name, tool in listed.items():
        contract = read_contract(name)
        assert tool["description"] == contract["description"]
        assert tool["title"] == contract["title"]
        assert tool["inputSchema"] == contract["input_schema"]
        assert tool.get("outputSchema") == contract.get("output_schema")
        assert {key: tool["annotations"][key] for key in READ_ONLY} == READ_ONLY
        assert tool["annotations"] == contract["annotations"]


@pytest.mark.parametrize("name", TOOL_NAMES)
def test_contracts_on_file_are_what_tools_declare_and_answer(name):
    assert read_contract(name) == build_contract(name), "run `make openapi` and read the difference"


@pytest.mark.parametrize("name", TOOL_NAMES)
def test_contract_examples_fit_their_schemas(name):
    contract = read_contract(name)
    Draft202012Validator(contract["input_schema"]).validate(contract["example"]["arguments"])
    if "output_schema" in contract:
        Draft202012Validator(contract["output_schema"]).validate(contract["example"]["result"])
    else:
        types.CallToolResult.model_validate(contract["example"]["result"])


def test_only_a_prompt_has_no_output_schema():
    assert [name for name in TOOL_NAMES if "output_schema" not in read_contract(name)] == ["context_pack"]


def test_answers_fit_the_output_schema(rpc):
    filters = {"npc_id": "li-shen", "tags": ["bridge"], "language": "en"}
    for tool, arguments in (
        ("rules_lookup", {"term": "clasped"}),
        ("lore_search", {"query": "arches", "filters": filters}),
        ("lore_assert", {"fact": "The Moon Bridge has eleven arches."}),
        ("lore_assert", {"fact": "The Moon Bridge sings."}),
    ):
        answer = rpc.call(tool, **arguments)["structuredContent"]
        Draft202012Validator(read_contract(tool)["output_schema"]).validate(answer)


def count_connections():
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
        return cursor.fetchone()[0]


def test_many_calls_leave_no_database_connection_open(rpc):
    before = count_connections()
    with ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(lambda turn: rpc.call("lore_search", query=f"arches {turn}"), range(60)))
    assert not any(answer.get("isError") for answer in answers)
    deadline = time.monotonic() + 5  # the server hangs up a moment after the last answer
    while count_connections() > before and time.monotonic() < deadline:
        time.sleep(0.05)
    assert count_connections() <= before
