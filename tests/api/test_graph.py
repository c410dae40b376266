"""`graph/…` by REST: reading, reader, states, and what is refused."""

from __future__ import annotations

import pytest

from episodes.campaigns.actions.campaigns import open_campaign
from knowledge.graph.actions.events import upsert_from_events
from knowledge.graph.core.owners import GraphOwner
from knowledge.graph.core.statements import MentionedEntity, SourceStatements, StatedRelation
from tenancy.actions.worlds import ensure_world
from tests.factories.canon import LORE, article, publish


@pytest.fixture
def canon(world):
    publish(world, *LORE)


def find(api, **query):
    return api.get("graph/entities", query).json()


def test_entities_are_found_by_name_and_kind(api, canon):
    found = find(api, q="Bell Tower")
    assert found["domain"] == "lore"
    assert found["release"]["number"] == 1
    assert found["entities"][0]["slug"] == "bell-tower"
    assert [each["slug"] for each in find(api, kind="character")["entities"]] == ["mira"]
    assert find(api, q="hidden vault")["entities"] == []
    assert find(api, q="hidden vault", npc_id="mira")["entities"][0]["slug"] == "hidden-vault"


def test_an_entity_is_read_with_what_is_around_it(api, canon):
    tower = find(api, q="bell-tower")["entities"][0]["id"]
    near = api.get(f"graph/entities/{tower}", {"depth": 2}).json()
    (relation,) = near["relations"]
    assert [each["slug"] for each in near["entities"]] == ["grey-river"]
    assert (relation["from"], relation["predicate"], relation["evidence"]["slug"]) == (tower, "mentions", "bell-tower")
    assert near["capped"] is False


def test_paths_and_past_releases(api, world, canon):
    ids = {each["slug"]: each["id"] for each in find(api, limit=200)["entities"]}
    query = {"from": ids["bell-tower"], "to": ids["grey-river"]}
    assert api.get("graph/paths", query).json()["paths"][0]["entities"] == [ids["bell-tower"], ids["grey-river"]]
    publish(world, article("bell-tower", "It stands alone."))
    assert api.get("graph/paths", query).json()["paths"] == []
    assert len(api.get("graph/paths", query | {"release": 1}).json()["paths"]) == 1


def test_what_play_states_is_read_with_its_conversation_or_campaign_only(api, make_api, world, canon, problem):
    engine = make_api("read", "engine")
    number = engine.post("conversations", {"user_id": "player-1"}, X_Site_ID=world.slug).json()["id"]
    campaign = open_campaign(tenant_id=world.tenant_id, world_id=world.pk, external_id="camp_1").campaign
    owners = {"conversation": number, "campaign": campaign.pk}
    for source, (kind, name) in enumerate({"conversation": "Rook", "campaign": "Wren"}.items(), 1):
        mentioned = (MentionedEntity(name, "Character"), MentionedEntity("Bell Tower", "article"))
        said = SourceStatements(
            source, mentioned, (StatedRelation(name, "climbed", "Bell Tower"),), context="So it was."
        )
        upsert_from_events(
            tenant_id=world.tenant_id, world_id=world.pk, owner=GraphOwner(kind, owners[kind]), events=[said]
        )
    assert find(api, q="Rook")["entities"] == find(api, q="Rook", campaign_id="camp_1")["entities"] == []
    [rook] = find(api, q="Rook", conversation_id=number)["entities"]
    near = api.get(f"graph/entities/{rook['id']}", {"conversation_id": number}).json()
    assert [(each["predicate"], each["evidence"]["source"]) for each in near["relations"]] == [("climbed", "event")]
    problem(api.get(f"graph/entities/{rook['id']}"), 404, "entity_not_found")
    assert [each["name"] for each in find(api, q="Wren", campaign_id="camp_1")["entities"]] == ["Wren"]
    assert find(api, q="Rook", conversation_id=number, npc_id="mira")["entities"] == []  # Mira was not there
    problem(api.get("graph/entities", {"conversation_id": number + 1}), 404, "conversation_not_found")
    problem(api.get("graph/entities", {"campaign_id": "camp_2"}), 404, "campaign_not_found")
    other = ensure_world(tenant_id=world.tenant_id, slug="bare", name="No canon")
    bare = make_api("read", "engine", world_id=other.pk)
    talk = bare.post("conversations", {"user_id": "player-1"}).json()["id"]
    owner = GraphOwner("conversation", talk)
    said = SourceStatements(1, (MentionedEntity("Rook", "Character"),))
    upsert_from_events(tenant_id=world.tenant_id, world_id=other.pk, owner=owner, events=[said])
    read = find(bare, q="Rook", conversation_id=talk)
    assert (read["release"], [each["name"] for each in read["entities"]]) == (None, ["Rook"])
    problem(bare.get("graph/entities", {"q": "Rook"}), 404, "domain_not_found")
    problem(bare.get("graph/entities", {"conversation_id": number}), 404, "conversation_not_found")


@pytest.mark.parametrize(
    ("path", "query", "status", "code"),
    [
        ("graph/entities/999999", {}, 404, "entity_not_found"),
        ("graph/entities", {"as_of": "yesterday"}, 400, "as_of_invalid"),
        ("graph/entities", {"as_of": "2026-01-01T00:00:00Z", "release": 1}, 400, "as_of_and_release"),
        ("graph/entities", {"limit": 201}, 400, "parameter_invalid"),
        ("graph/entities", {"release": 9}, 404, "release_not_found"),
        ("graph/paths", {"from": 1}, 400, "parameter_missing"),
        ("graph/paths", {"from": 1, "to": 2, "max": 5}, 400, "parameter_invalid"),
        ("graph/paths", {"from": 999998, "to": 999999}, 404, "entity_not_found"),
    ],
)
def test_bad_input_is_refused_with_a_code(api, canon, problem, path, query, status, code):
    problem(api.get(path, query), status, code)


def test_a_key_of_another_world_reads_nothing_of_this_one(api, make_api, world, canon, problem):
    tower = find(api, q="bell-tower")["entities"][0]["id"]
    other = ensure_world(tenant_id=world.tenant_id, slug="other", name="Other")
    publish(other, article("somewhere"))
    bound = make_api("read", world_id=other.pk)
    problem(bound.get(f"graph/entities/{tower}"), 404, "entity_not_found")
    assert [each["slug"] for each in find(bound)["entities"]] == ["somewhere"]
