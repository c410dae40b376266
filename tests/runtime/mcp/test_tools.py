"""The tools over HTTP: what they answer, to whom, and how they fail."""

import json

from factcheck.models import ContradictedClaim
from knowledge.canon.selectors.search import search_lore
from tenancy.actions.keys import issue_api_key
from tests.factories.canon import make_article, publish
from tests.factories.tenants import make_world
from tests.runtime.mcp.conftest import read_problem


def test_rule_is_found_by_name_and_by_number(rpc):
    for arguments in ({"term": "Clasped"}, {"rule_id": "COND-01"}):
        answer = rpc.call("rules_lookup", **arguments)["structuredContent"]
        assert answer["rule"]["slug"] == "clasped"
        assert answer["rule"]["body"] == "Something holds you."


def test_search_answers_hits_with_source_and_release(rpc):
    answer = rpc.call("lore_search", query="grey stone arches", k=1)["structuredContent"]
    assert [hit["document"]["slug"] for hit in answer["hits"]] == ["moon-bridge"]
    assert answer["hits"][0]["version"] == "1.0.0"
    assert answer["release"]["number"] == 1


def test_text_content_says_the_same_for_older_clients(rpc):
    result = rpc.call("lore_search", query="grey stone arches")
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]


def test_claims_are_judged_and_the_false_one_is_kept_with_the_request_id(rpc):
    true = rpc.call("lore_assert", fact="The Moon Bridge has nine arches.")["structuredContent"]
    false = rpc.call("lore_assert", {"X-Request-ID": "turn-7"}, fact="The Moon Bridge has eleven arches.")
    unknown = rpc.call("lore_assert", fact="The Moon Bridge is blue.")["structuredContent"]
    assert (true["verdict"], true["method"], true["sources"][0]["slug"]) == ("true", "fields", "moon-bridge")
    assert (false["structuredContent"]["verdict"], false["structuredContent"]["expected"]) == ("false", 9)
    assert (unknown["verdict"], unknown["method"], unknown["sources"]) == ("unknown", None, [])
    assert list(ContradictedClaim.objects.values_list("claim", "request_id")) == [
        ("The Moon Bridge has eleven arches.", "turn-7")
    ]


def test_secret_is_told_to_its_npc_only(rpc):
    def slugs(**filters):
        hits = rpc.call("lore_search", query="door at low tide", filters=filters)["structuredContent"]["hits"]
        return {hit["document"]["slug"] for hit in hits}

    assert "hidden-door" not in slugs()
    assert "hidden-door" not in slugs(npc_id="oda-marr")
    assert "hidden-door" in slugs(npc_id="li-shen")


def test_secret_neither_proves_nor_refutes_for_those_who_may_not_know_it(rpc):
    for fact in ("The Hidden Door has 61 steps.", "The Hidden Door has 60 steps."):
        outsider = rpc.call("lore_assert", fact=fact)["structuredContent"]
        assert (outsider["verdict"], outsider["sources"], outsider["expected"]) == ("unknown", [], None)
    insider = rpc.call("lore_assert", fact="The Hidden Door has 60 steps.", npc_id="li-shen")["structuredContent"]
    assert (insider["verdict"], insider["expected"]) == ("false", 61)


BAD_CALLS = [
    ("lore_search", {"query": ""}, "query_empty"),
    ("lore_search", {"query": "   "}, "query_empty"),
    ("lore_search", {"query": "x" * 4001}, "query_too_long"),
    ("lore_search", {"query": "bridge", "k": 0}, "k_out_of_range"),
    ("lore_search", {"query": "bridge", "k": "three"}, "invalid"),
    ("lore_search", {"query": "bridge", "colour": "red"}, "invalid"),
    ("lore_search", {}, "invalid"),
    ("lore_search", {"query": "bridge", "filters": {"release": 99}}, "release_not_found"),
    ("lore_search", {"query": "bridge", "filters": {"release": 1, "alias": "latest"}}, "release_and_alias"),
    ("lore_search", {"query": "bridge", "filters": {"alias": "newest"}}, "alias_not_found"),
    ("lore_search", {"query": "bridge", "filters": {"domain": "cooking"}}, "domain_not_found"),
    ("lore_search", {"query": "bridge", "filters": {"tags": ["dragons"]}}, "tag_not_found"),
    ("rules_lookup", {}, "rule_lookup_needs_one"),
    ("rules_lookup", {"term": "a", "rule_id": "b"}, "rule_lookup_needs_one"),
    ("rules_lookup", {"rule_id": "COND-99"}, "rule_not_found"),
    ("lore_assert", {"fact": ""}, "claim_empty"),
    ("lore_assert", {"fact": "x" * 1001}, "claim_too_long"),
]


def test_bad_arguments_are_structured_tool_errors_with_the_codes_of_rest(rpc):
    for tool, arguments, code in BAD_CALLS:
        result = rpc.call(tool, **arguments)
        problem = read_problem(result)
        assert (tool, arguments, result["isError"], problem["code"]) == (tool, arguments, True, code)
        assert problem["detail"]
        assert "structuredContent" not in result, "a problem document does not fit the output schema"


def test_long_argument_is_not_echoed(rpc):
    result = rpc.call("lore_search", query="x" * 5000)
    assert len(result["content"][0]["text"]) < 2000


def test_control_characters_in_a_query_are_harmless(rpc):
    assert not rpc.call("lore_search", query="\x00bridge\x1b").get("isError")
    assert read_problem(rpc.call("lore_assert", fact="\x00\x1b"))["code"] == "claim_empty"


def test_half_a_surrogate_pair_is_refused_as_no_json(rpc):
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "lore_search"}}
    body["params"]["arguments"] = {"query": "\ud800 bridge"}
    assert rpc.post(body).status_code == 400


def test_whole_numbers_may_have_a_point(rpc):
    hits = rpc.call("lore_search", query="bridge", k=1)["structuredContent"]
    assert rpc.call("lore_search", query="bridge", k=1.0)["structuredContent"] == hits


def test_unforeseen_failure_is_told_without_its_text(rpc, monkeypatch):
    def fail(*_args, **_options):
        raise RuntimeError("the secret path /etc/canon")

    monkeypatch.setattr("runtime.mcp.tools.search_lore", fail)
    result = rpc.call("lore_search", {"X-Request-ID": "turn-9"}, query="bridge")
    problem = read_problem(result)
    assert (problem["code"], problem["status"], problem["request_id"]) == ("internal", 500, "turn-9")
    assert "secret path" not in json.dumps(result)
    monkeypatch.setattr("runtime.mcp.tools.search_lore", search_lore)
    assert not rpc.call("lore_search", query="bridge").get("isError")


def test_key_of_another_tenant_reaches_nothing_of_this_one(rpc, canon):
    other = make_world("ashfall", tenant="rival")
    publish(other, make_article("cave", "A cave of another studio."))
    rpc.key = issue_api_key(tenant_id=other.tenant_id, name="rival", scopes=["read"]).text
    hits = rpc.call("lore_search", query="grey stone arches cave")["structuredContent"]["hits"]
    assert {hit["document"]["slug"] for hit in hits} == {"cave"}
    refused = read_problem(rpc.call("lore_search", {"X-Tenant-ID": "studio"}, query="bridge"))
    assert (refused["code"], refused["status"]) == ("tenant_not_found", 404)


def test_world_is_named_by_header_and_unknown_ones_are_refused(rpc, canon):
    assert not rpc.call("lore_search", {"X-Site-ID": "ashfall"}, query="bridge").get("isError")
    assert read_problem(rpc.call("lore_search", {"X-Site-ID": "nowhere"}, query="bridge"))["code"] == (
        "world_not_found"
    )
    make_world("second", tenant="studio")
    assert read_problem(rpc.call("lore_search", query="bridge"))["code"] == "world_required"


def test_unknown_tool_is_a_protocol_error(rpc):
    answer = rpc.ask("tools/call", {"name": "lore_erase", "arguments": {}})
    assert answer["error"]["code"] == -32602
