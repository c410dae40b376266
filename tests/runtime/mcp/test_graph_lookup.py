"""graph_lookup over HTTP: what a name means, what is around it, and for whom."""

from __future__ import annotations

import yaml
from django.conf import settings
from jsonschema import Draft202012Validator

from knowledge.graph.actions.events import upsert_from_events
from knowledge.graph.core.owners import GraphOwner
from knowledge.graph.core.statements import MentionedEntity, SourceStatements, StatedRelation
from tests.factories.canon import make_article, publish
from tests.factories.conversations import open_chat
from tests.runtime.mcp.conftest import read_problem


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


def test_play_is_read_with_its_conversation_or_campaign_alone(rpc, canon):
    world = canon.world
    chat = open_chat(world.tenant, world=world)
    state = SourceStatements(
        9,
        (MentionedEntity("Rook", "character"), MentionedEntity("Selka", "character")),
        (StatedRelation("Rook", "befriends", "Selka", "Rook sat down with Selka."),),
        audience=("npc:selka",),
    )
    upsert_from_events(
        tenant_id=world.tenant_id, world_id=world.pk, owner=GraphOwner("conversation", chat.pk), events=[state]
    )
    read = rpc.call("graph_lookup", name="Rook", conversation_id=chat.pk)["structuredContent"]
    contract = yaml.safe_load((settings.BASE_DIR / "mcp" / "tools" / "graph_lookup.yaml").read_text(encoding="utf-8"))
    assert list(Draft202012Validator(contract["output_schema"]).iter_errors(read)) == []
    assert [(each["predicate"], each["source"]) for each in read["relations"]] == [("befriends", "event")]
    told = rpc.call("graph_lookup", name="Rook", conversation_id=chat.pk, npc_id="selka")["structuredContent"]
    assert [each["name"] for each in told["entities"]] == ["Selka"]
    for more in ({}, {"conversation_id": chat.pk, "npc_id": "glum"}):
        assert read_problem(rpc.call("graph_lookup", name="Rook", **more))["code"] == "entity_not_found"
    other = open_chat(world.tenant, "player-2")
    for named in (chat.pk + 99, other.pk):
        answer = read_problem(rpc.call("graph_lookup", name="Rook", conversation_id=named))
        assert answer["code"] == "conversation_not_found"
    assert read_problem(rpc.call("graph_lookup", name="Rook", campaign_id="none"))["code"] == "campaign_not_found"
