"""`POST context`: canon, budgets, and what is refused."""

from pathlib import Path

import pytest
from django.conf import settings

from runtime.config import load_budgets, parse_budget_file
from tests.api.context.requests import ask, layer
from tests.factories.canon import make_article, publish


def test_pack_tells_canon_with_its_source_and_renders_it(api, canon):
    pack = ask(api)
    (first, *_) = layer(pack, "lore")
    assert first["provenance"]["ids"]["slug"] == "ferry-bell"
    assert first["provenance"]["release"] == pack["releases"]["lore"] == 1
    assert first["provenance"]["scores"]["bm25"] > 0
    system, words = pack["messages"]
    assert "rung at dusk by Oda Marr" in system["content"]
    assert words == {"role": "user", "content": "Who rings the ferry bell at dusk?"}
    assert pack["tokens"] <= pack["budget"] == 1800


@pytest.mark.parametrize("location_id", ["moon-bridge", "loc_moon_bridge"])
def test_lore_on_the_place_comes_first_and_is_cut_last(api, world, location_id):
    keys = (make_article(f"brass-key-{n}", f"The brass key number {n} opens the brass gate.") for n in range(3))
    publish(world, make_article("moon-bridge", "The moon bridge is made of bone."), *keys)
    question = "Where is the brass key to the brass gate?"
    assert layer(ask(api, question), "lore")[0]["provenance"]["ids"]["slug"].startswith("brass-key")
    assert layer(ask(api, question, location_id=location_id), "lore")[0]["provenance"]["ids"]["slug"] == "moon-bridge"
    only = ask(api, question, location_id=location_id, budget={"layers": {"lore": {"max_items": 1}}})
    assert [item["provenance"]["ids"]["slug"] for item in layer(only, "lore")] == ["moon-bridge"]


def test_same_question_gives_the_same_pack(api, canon):
    first, second = ask(api), ask(api)
    assert first.pop("trace_id") != second.pop("trace_id")
    assert first == second


def test_a_budget_may_name_every_layer(api, canon):
    for name in load_budgets().context.layers:
        pack = ask(api, budget={"layers": {name: {"max_items": 0, "max_tokens": 0, "priority": 0}}})
        assert name in ("system", "user") or not layer(pack, name)


def test_empty_retrieval_leaves_rules_and_state_and_says_so(api, canon):
    pack = ask(api, "zzz qqq")
    assert not layer(pack, "lore")
    assert "lore_empty" in pack["degraded"]
    assert "make up nothing new" in pack["messages"][0]["content"]
    assert "Selmar" not in pack["messages"][0]["content"]


@pytest.mark.parametrize("user_id", [None, "p1"])
def test_words_behind_many_blank_lines_are_searched_for(api, canon, player, user_id):
    pack = ask(api, "\n" * 30_000 + "Who rings the ferry bell?", budget={"total": 50_000}, user_id=user_id or "p0")
    assert layer(pack, "lore")[0]["provenance"]["ids"]["slug"] == "ferry-bell"


def test_world_without_canon_is_told_apart(api, world):
    assert "lore_unpublished" in ask(api)["degraded"]


def test_budget_too_small_is_422_with_what_is_needed(api, canon):
    refused = api.post("context", {"message": "Hello there", "budget": {"total": 50}})
    assert refused.status_code == 422
    problem = refused.json()
    assert problem["code"] == "budget_too_small"
    enough = ask(api, "Hello there", budget={"total": problem["needed"]})
    assert enough["tokens"] == problem["needed"]


def test_a_chat_model_may_have_a_budget_of_its_own(api, canon, monkeypatch):
    text = Path(settings.PROMPT_BUDGETS).read_text().replace("models: {}", "models: { large: { total: 4000 } }")
    monkeypatch.setattr("runtime.context.resolve.load_budgets", lambda: parse_budget_file(text))
    assert [ask(api, **more)["budget"] for more in ({}, {"model": "other"}, {"model": "large"})] == [1800, 1800, 4000]
    assert ask(api, model="large", budget={"total": 1500})["budget"] == 1500


def test_layers_can_be_left_out(api, canon):
    pack = ask(api, budget={"layers": {"lore": {"max_tokens": 0}}})
    assert not layer(pack, "lore")
    assert {cut["reason"] for cut in pack["cut"]} == {"layer_full"}


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"message": ""},
        {"message": " \n "},
        {"message": "x" * 32_001},
        {"message": 7},
        {"message": "x", "npc_id": "a\u0000b"},
        {"message": "x", "budget": {"layers": {"lores": {}}}},
        {"message": "x", "budget": {"total": 0}},
        {"message": "x", "release": 1, "alias": "latest"},
        {"message": "x", "other": 1},
        [],
    ],
)
def test_bodies_that_do_not_fit_are_refused(api, canon, body):
    refused = api.post("context", body)
    assert refused.status_code == 400
    assert refused.json()["code"] == "body_invalid"


def test_unknown_release_alias_and_conversation_are_404(api, canon):
    codes = [
        api.post("context", {"message": "x", **more}).json()["code"]
        for more in ({"release": 9}, {"alias": "stage"}, {"user_id": "p1", "conversation_id": 5})
    ]
    assert codes == ["release_not_found", "alias_not_found", "conversation_not_found"]


@pytest.mark.parametrize("name", ["location_id", "mood", "language", "session_id", "user_id", "npc_id", "message"])
@pytest.mark.parametrize("text", ["half a pair \ud800", "a line\n"])
def test_what_is_no_plain_text_is_refused_by_its_place(api, canon, problem, name, text):
    if (name, text) == ("message", "a line\n"):
        return
    document = problem(api.post("context", {"message": "Hello?", name: text}), 400, "body_invalid")
    assert [error["path"] for error in document["errors"]] == [name]


def test_whole_numbers_may_have_a_point_as_json_has_one_kind_of_number(api, canon):
    plain = ask(api, budget={"total": 1500, "layers": {"lore": {"max_items": 1}}}, message_id=7)
    pointed = ask(api, budget={"total": 1500.0, "layers": {"lore": {"max_items": 1.0}}}, message_id=7e0)
    assert {**pointed, "trace_id": None} == {**plain, "trace_id": None}
