"""`/mcp/notebook`: its tools, who may use them, and that `/mcp` stays read-only."""

from __future__ import annotations

import json

import pytest

from knowledge.notebook.actions.notebooks import write_notebook
from memoryproject.request_log import RequestRecord
from runtime.mcp.authentication import Refused, admit
from runtime.mcp.contracts import load_contracts
from runtime.notebook.mcp import TOOLS, run_notebook_tool
from tenancy.actions.keys import issue_api_key
from tests.factories.tenants import make_world

pytestmark = pytest.mark.django_db


@pytest.fixture
def admission(redis):
    world = make_world("ashfall", tenant="studio")
    issued = issue_api_key(tenant_id=world.tenant_id, world_id=world.pk, name="agent", scopes=["notebook"])
    write_notebook(
        tenant_id=world.tenant_id, world_id=world.pk, slug="plans", agent="coder", api_key_id=issued.api_key.pk
    )
    headers = {"authorization": f"Bearer {issued.text}", "x-agent-id": "coder", "x-notebook-id": "plans"}
    admitted, _ = admit(headers, RequestRecord("POST", "/mcp/notebook", "1"), scope="notebook")
    with pytest.raises(Refused, match="scope_missing"):
        admit(headers, RequestRecord("POST", "/mcp", "1"))
    return admitted


def call(admission, tool, **arguments):
    result = run_notebook_tool(admission, tool, arguments)
    return result.is_error, result.content[0].text


def test_an_agent_saves_finds_and_edits(admission):
    assert call(admission, "fact_save", key="db", value="PostgreSQL")[0] is False
    error, text = call(admission, "note_save", text="We decided to move to MongoDB")
    assert (error, json.loads(text)["conflicts"]) == (False, ["db: PostgreSQL (coder)"])
    assert json.loads(call(admission, "fact_get", key="db")[1])["value"] == "PostgreSQL"
    created = call(admission, "memory", command="create", path="/memories/plan.md", file_text="one\n")
    assert created == (False, "File created successfully at: /memories/plan.md")
    assert call(admission, "memory", command="view", path="/memories/plan.md")[1].endswith("     1\tone\n     2\t")
    assert call(admission, "memory", command="view", path="/memories/no.md") == (
        True, "The path /memories/no.md does not exist. Please provide a valid path."
    )  # fmt: skip
    found = json.loads(call(admission, "notebook_search", query="MongoDB")[1])
    assert found["results"][0]["text"] == "We decided to move to MongoDB"
    assert "- db: PostgreSQL (conflict: coder says MongoDB, newer)" in call(admission, "notebook_context", query="db")[
        1
    ].replace("\\n", "\n")


def test_what_does_not_fit_is_a_problem_document(admission):
    error, text = call(admission, "fact_save", key="db")
    assert (error, json.loads(text)["code"]) == (True, "invalid")
    error, text = call(admission, "fact_get", key="db", notebook="others")
    assert (error, json.loads(text)["code"]) == (True, "notebook_not_found")


def test_the_tools_of_the_two_endpoints_are_apart():
    assert not set(TOOLS) & set(load_contracts())
    assert all(contract.tool.annotations.read_only_hint for contract in load_contracts().values())
