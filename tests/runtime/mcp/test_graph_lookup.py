"""graph_lookup over HTTP: what a name means, what is around it, and for whom."""

from __future__ import annotations

import yaml
from django.conf import settings
from jsonschema import Draft202012Validator

from tests.runtime.mcp.conftest import read_problem
from tests.worlds import make_article, publish


def test_a_name_is_looked_up_as_the_contract_says(rpc, canon):
    publish(
        canon.world,
        make_article("ferry", "Rowed by [[glum]], who knows the [[cave]].", type="item", aliases=["Old Boat"]),
        make_article("glum", "He rows.", type="character", relations=[{"type": "owns", "to": "ferry"}]),
        make_article("cave", "Wet.", type="place", audience=["npc:glum"]),
    )
    answer = rpc.call("graph_lookup", name="old boat", depth=2)["structuredContent"]
    contract = yaml.safe_load((settings.BASE_DIR / "mcp" / "tools" / "graph_lookup.yaml").read_text(encoding="utf-8"))
    assert list(Draft202012Validator(contract["output_schema"]).iter_errors(answer)) == []
    assert list(Draft202012Validator(contract["output_schema"]).iter_errors(contract["example"]["result"])) == []
    assert (answer["entity"]["slug"], answer["entity"]["aliases"]) == ("ferry", ["Old Boat"])
    assert {each["slug"] for each in answer["entities"]} == {"glum"}
    assert {each["predicate"] for each in answer["relations"]} == {"owns", "mentions"}
    told = rpc.call("graph_lookup", name="ferry", npc_id="glum")["structuredContent"]
    assert {each["slug"] for each in told["entities"]} == {"glum", "cave"}


def test_what_nothing_is_called_and_what_is_secret_are_answered_alike(rpc, canon):
    publish(canon.world, make_article("cave", "Wet.", title="Weeping Grotto", audience=["npc:glum"]))
    for name in ("Weeping Grotto", "Xyzzy Qwert"):
        assert read_problem(rpc.call("graph_lookup", name=name))["code"] == "entity_not_found"
    assert read_problem(rpc.call("graph_lookup", name=""))["code"] == "invalid"
    assert read_problem(rpc.call("graph_lookup", name="x", depth=3))["code"] == "invalid"
