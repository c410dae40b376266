"""npc_profile and art_suggest over HTTP: what they answer, to whom, and that they say what REST says."""

from __future__ import annotations

import pytest
import yaml
from django.conf import settings
from django.test import Client
from jsonschema import Draft202012Validator

from episodes.art.actions.cards import prepare_card, record_card
from npcs.dispositions.actions.moves import apply_disposition_changes
from npcs.dispositions.core.moves import DispositionChange
from tenancy.actions.keys import issue_api_key
from tests.factories.campaigns import add_scene, start
from tests.factories.npcs import NOW, write_npc
from tests.factories.tenants import make_world
from tests.runtime.mcp.conftest import read_problem

SECRET = "he let the thief cross"


@pytest.fixture
def play(canon):
    """An NPC with a secret and a standing, and a picture of it."""
    names = {"tenant_id": canon.world.tenant_id, "world_id": canon.world.pk}
    visual = {"must_have": ["plait"], "banned": ["smile"]}
    write_npc(canon.world, "li-shen", secrets=[SECRET], lore_refs=["moon-bridge"], visual=visual)
    change = DispositionChange("li-shen", "party", "pty_001", 1, "kept promise")
    apply_disposition_changes(**names, changes=[change], summary_id="sum_1", campaign_id="c", happened_at=NOW)
    start(canon.world)
    add_scene(canon.world, party_id="pty_001", npcs=["li-shen"])
    told = [{"npc_id": "li-shen", "summary_id": "sum_2", "source": "p_A"}]
    add_scene(canon.world, party_id="pty_001", summary_id="sum_2", minute=5)
    add_scene(canon.world, party_id="pty_001", summary_id="sum_3", minute=9, npcs=["li-shen"], told=told)
    card = {
        "image_id": "img_1", "scene_id": "scn_042", "prompt_text": "fog", "style": {"preset": "ink", "seed": 7},
        "entities": {"npc": ["li-shen"]}, "visual_tags": ["a", "b", "c", "d", "e"],
    }  # fmt: skip
    record_card(**names, draft=prepare_card(card))


def read_rest(key, path, query):
    return Client().get(f"/api/v1/{path}", query, headers={"Authorization": f"Bearer {key}"}).json()


def test_both_tools_say_what_rest_says_and_fit_their_contracts(rpc, canon, play):
    of_campaigns = [{"scene_id": "scn_042", "campaign_id": campaign_id} for campaign_id in ("camp_1", "camp_2")]
    calls = [
        ("npc_profile", {"npc_id": "li-shen", "party_id": "pty_001"}, "npcs/li-shen", {"party_id": "pty_001"}),
        ("npc_profile", {"npc_id": "li-shen", "user_id": "p_A"}, "npcs/li-shen", {"user_id": "p_A"}),
        ("npc_profile", {"npc_id": "li-shen"}, "npcs/li-shen", {}),
        ("art_suggest", {"scene_id": "scn_042"}, "art-cards/suggest", {"scene_id": "scn_042"}),
        ("art_suggest", {"scene_id": "none"}, "art-cards/suggest", {"scene_id": "none"}),
        *(("art_suggest", asked, "art-cards/suggest", asked) for asked in of_campaigns),
    ]
    for tool, arguments, path, query in calls:
        answer = rpc.call(tool, **arguments)["structuredContent"]
        assert answer == read_rest(rpc.key, path, query)
        contract = yaml.safe_load((settings.BASE_DIR / "mcp" / "tools" / f"{tool}.yaml").read_text(encoding="utf-8"))
        assert list(Draft202012Validator(contract["output_schema"]).iter_errors(answer)) == []
    assert rpc.call("art_suggest", scene_id="scn_042")["structuredContent"]["must_have"] == ["plait"]
    known = rpc.call("npc_profile", npc_id="li-shen", party_id="pty_001")["structuredContent"]["dynamic"]["memory"]
    assert [(each["summary_id"], each["known"], each["impact"]) for each in known] == [
        ("sum_3", "present", None), ("sum_2", "told", None), ("sum_1", "present", "trust+1"),
    ]  # fmt: skip


def test_pictures_of_another_campaign_are_left_out(rpc, canon, play):
    start(canon.world, "camp_2")
    for image_id, more in (("img_2", {"campaign_id": "camp_1"}), ("img_3", {"campaign_id": "camp_2"})):
        card = {
            "image_id": image_id, "scene_id": "scn_042", "prompt_text": "fog", "style": {"preset": "ink"},
            "visual_tags": ["a", "b", "c", "d", "e"], **more,
        }  # fmt: skip
        record_card(tenant_id=canon.world.tenant_id, world_id=canon.world.pk, draft=prepare_card(card))
    for asked, found in (
        ({"campaign_id": "camp_1"}, ["img_2", "img_1"]),
        ({"campaign_id": "camp_2"}, ["img_3", "img_1"]),
        ({}, ["img_3", "img_2", "img_1"]),
    ):
        assert rpc.call("art_suggest", scene_id="scn_042", **asked)["structuredContent"]["image_ids"] == found


def test_secrets_come_to_keys_of_the_engine_only(rpc, canon, play):
    hidden = rpc.call("npc_profile", npc_id="li-shen", party_id="pty_001")
    assert SECRET not in str(hidden)
    assert "secret" not in str(hidden)
    scopes = ["read", "engine"]
    rpc.key = issue_api_key(tenant_id=canon.world.tenant_id, name="engine", scopes=scopes).text
    assert rpc.call("npc_profile", npc_id="li-shen")["structuredContent"]["static"]["secrets"] == [SECRET]


def test_bad_arguments_have_the_codes_of_rest(rpc, canon, play):
    bad = [
        ("npc_profile", {"npc_id": "nobody"}, "npc_not_found"),
        ("npc_profile", {"npc_id": "\x00"}, "npc_not_found"),
        ("npc_profile", {"npc_id": "li-shen", "party_id": "a", "user_id": "b"}, "party_id_and_user_id"),
        ("npc_profile", {}, "invalid"),
        ("npc_profile", {"npc_id": "li-shen", "value": 5}, "invalid"),
        ("art_suggest", {}, "invalid"),
        ("art_suggest", {"scene_id": "x" * 201}, "invalid"),
        ("art_suggest", {"scene_id": "scn_042", "campaign_id": "a\x00b"}, "invalid"),
        ("art_suggest", {"scene_id": "scn_042", "campaign_id": ""}, "invalid"),
    ]
    for tool, arguments, code in bad:
        result = rpc.call(tool, **arguments)
        assert (arguments, result["isError"], read_problem(result)["code"]) == (arguments, True, code)
    assert not rpc.call("art_suggest", scene_id="\x00").get("isError")


def test_key_of_another_tenant_reaches_nothing(rpc, canon, play):
    other = make_world("ashfall", tenant="rival")
    rpc.key = issue_api_key(tenant_id=other.tenant_id, name="rival", scopes=["read", "engine"]).text
    assert read_problem(rpc.call("npc_profile", npc_id="li-shen"))["code"] == "npc_not_found"
    assert rpc.call("art_suggest", scene_id="scn_042")["structuredContent"]["image_ids"] == []
