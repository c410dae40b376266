"""`session_fetch` by MCP: what REST says, within the contract, to its own tenant only."""

import pytest
from django.test import Client
from django.utils import timezone
from jsonschema import Draft202012Validator

from episodes.npc_memory.actions import record_hearsay
from runtime.mcp.contracts import load_contracts
from tenancy.actions.keys import issue_api_key
from tests.factories.campaigns import add_event, add_scene, start
from tests.factories.tenants import make_world
from tests.runtime.mcp.conftest import read_problem


@pytest.fixture
def play(canon):
    start(canon.world)
    add_scene(canon.world, flags={"gate": "open", "oath": True})
    add_scene(canon.world, summary_id="sum_2", minute=5, notes="The gate fell shut behind them.")
    add_event(canon.world, party_id="pty_1", notes="The key is back with its owner.")
    return canon


def test_it_says_what_rest_says_and_keeps_to_its_contract(rpc, play):
    by_mcp = rpc.call("session_fetch", party_id="pty_1", k=2)["structuredContent"]
    headers = {"Authorization": f"Bearer {play.key}"}
    assert by_mcp == Client().get("/api/v1/parties/pty_1/session", {"k": 2}, headers=headers).json()
    Draft202012Validator(load_contracts()["session_fetch"].tool.output_schema).validate(by_mcp)
    assert [each["summary_id"] for each in by_mcp["summaries"]] == ["sum_2", "sum_1"]
    assert by_mcp["flags"] == {"gate": "open", "oath": True}
    assert [each["event_id"] for each in by_mcp["events"]] == ["evt_1"]
    assert "The key is back with its owner." in by_mcp["text"]


def test_a_model_is_told_a_dozen_flags_of_a_long_campaign(rpc, play):
    for number in range(60):
        add_event(play.world, event_id=f"evt_f{number}", minute=number, flags={f"flag_{number:02}": number})
    told = rpc.call("session_fetch", party_id="pty_1")["structuredContent"]
    assert told["text"].splitlines()[-1] == "; ".join(f"flag {number}: {number}" for number in range(48, 60))
    assert len(told["flags"]) == 62


def test_for_an_npc_it_says_what_that_one_knows_as_rest_does(rpc, play):
    add_scene(
        play.world,
        summary_id="sum_3",
        minute=9,
        npcs=["npc_Oda"],
        notes="Oda saw the lamp go out.",
        flags={"gate": "shut"},
    )
    by_mcp = rpc.call("session_fetch", party_id="pty_1", npc_id="npc_Oda")["structuredContent"]
    headers = {"Authorization": f"Bearer {play.key}"}
    names = {"tenant_id": play.world.tenant_id, "world_id": play.world.pk}
    record_hearsay(**names, npc_id="npc_LiShen", event_id="evt_1", source="p_A", told_at=timezone.now())
    asked = {"npc_id": "npc_Oda"}
    assert by_mcp == Client().get("/api/v1/parties/pty_1/session", asked, headers=headers).json()
    assert ([each["summary_id"] for each in by_mcp["summaries"]], by_mcp["flags"]) == (["sum_3"], {"gate": "shut"})
    assert by_mcp["events"] == []
    other = rpc.call("session_fetch", party_id="pty_1", npc_id="npc_LiShen")["structuredContent"]
    assert ([each["summary_id"] for each in other["summaries"]], other["flags"]) == (
        ["sum_2", "sum_1"],
        {"gate": "open", "oath": True},
    )
    assert [each["event_id"] for each in other["events"]] == ["evt_1"]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"party_id": "pty_none"}, "party_not_found"),
        ({"party_id": ""}, "invalid"),
        ({"party_id": "a b"}, "invalid"),
        ({}, "invalid"),
        ({"party_id": "pty_1", "k": 0}, "k_out_of_range"),
        ({"party_id": "pty_1", "k": 21}, "k_out_of_range"),
        ({"party_id": "pty_1", "npc_id": "nobody"}, "npc_not_found"),
        ({"party_id": "pty_none", "npc_id": "npc_LiShen"}, "party_not_found"),
        ({"party_id": "pty_1", "npc_id": ""}, "invalid"),
        ({"party_id": "pty_1", "npc_id": "a\x00b"}, "invalid"),
        ({"party_id": "pty_1", "user_id": "x"}, "invalid"),
    ],
)
def test_bad_arguments_are_structured_errors(rpc, play, arguments, code):
    result = rpc.call("session_fetch", **arguments)
    assert (result["isError"], read_problem(result)["code"]) == (True, code)


def test_another_tenants_party_is_told_as_absent(rpc, play):
    other = make_world("ashfall", tenant="rival")
    rpc.key = issue_api_key(tenant_id=other.tenant_id, name="rival", scopes=["read"]).text
    assert read_problem(rpc.call("session_fetch", party_id="pty_1"))["code"] == "party_not_found"
