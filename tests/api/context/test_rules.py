"""`POST context`: which rules a turn calls for."""

from dataclasses import replace

import pytest

from runtime.config import load_budgets
from tests.api.context.requests import BELL, ask, layer
from tests.factories.canon import make_article, publish
from tests.loopback_openai import serve_openai


def write_rules(world):
    """Rules, one of which shares `bell` with what is asked of the ferry."""
    publish(
        world,
        make_article("clasped", "A clasped creature can't leave the spot.", aliases=["Held"], rule_id="COND-01"),
        make_article(
            "hushed", "A hushed creature can't speak. A bell that is rung at dusk ends it.", rule_id="COND-02"
        ),
        domain="srd",
    )


def set_relevance_filter(monkeypatch, **changes):
    relevance_filter = replace(load_budgets().to_relevance_filter(), **changes)
    monkeypatch.setattr("runtime.config.BudgetFile.to_relevance_filter", lambda _: relevance_filter)


def list_slugs(items):
    return [item["provenance"]["ids"]["slug"] for item in items]


def test_a_rule_is_told_where_the_message_names_it(api, canon):
    write_rules(canon)
    pack = ask(api, "I am clasped! Who rings the ferry bell?")
    assert list_slugs(layer(pack, "rules")) == ["clasped"]
    assert layer(pack, "rules")[0]["provenance"]["scores"]["message_share"] > 0.15
    assert "can't leave the spot" in pack["messages"][0]["content"]


def test_a_rule_that_only_shares_a_word_is_kept_back_and_the_pack_says_why(api, canon):
    write_rules(canon)
    pack = ask(api, "Who owns the ferry, its rope, and the bell?")
    assert not layer(pack, "rules")
    (kept_back,) = [cut for cut in pack["cut"] if cut["layer"] == "rules"]
    assert (kept_back["reason"], list_slugs([kept_back])) == ("not_called_for", ["hushed"])
    assert 0 < kept_back["provenance"]["scores"]["message_share"] < 0.4
    assert kept_back["tokens"] > 0
    assert "hushed" not in pack["messages"][0]["content"].lower()


def test_the_place_of_a_turn_calls_for_no_rule(api, canon):
    write_rules(canon)
    named = ask(api, "Who rings the ferry bell, and who is hushed by it?", location_id="quay")
    placed = ask(api, "Who owns the ferry?", location_id="loc_hushed")
    assert list_slugs(layer(named, "rules")) == ["hushed"]
    assert [(cut["reason"], *list_slugs([cut])) for cut in placed["cut"]] == [("not_called_for", "hushed")]


def test_the_relevance_filter_can_be_switched_off(api, canon, monkeypatch):
    write_rules(canon)
    set_relevance_filter(monkeypatch, enabled=False)
    told = layer(ask(api, "Who owns the ferry, its rope, and the bell?"), "rules")
    assert list_slugs(told) == ["hushed"]
    assert "message_share" not in told[0]["provenance"]["scores"]


def test_an_embedder_that_knows_only_spelling_calls_for_no_rule(api, canon, monkeypatch):
    write_rules(canon)
    set_relevance_filter(monkeypatch, similarity=-1.0)
    assert not layer(ask(api, "Who owns the ferry, its rope, and the bell?"), "rules")


@pytest.mark.parametrize("has_lore", [True, False])
def test_rules_are_told_as_they_are_found_where_there_is_no_lore(api, world, has_lore):
    if has_lore:
        publish(world, make_article("salt-tax", "The salt tax is paid in silver."))
    write_rules(world)
    pack = ask(api, "Who owns the ferry, its rope, and the bell?")
    assert ("lore_empty" if has_lore else "lore_unpublished") in pack["degraded"]
    assert list_slugs(layer(pack, "rules")) == ["hushed"]


def test_a_rule_that_is_near_in_meaning_is_told_by_an_embedder_that_knows_meaning(api, world, settings, redis):
    settings.OPENAI_MAX_RETRIES = 0
    with serve_openai() as server:
        settings.EMBEDDING_BASE_URL = server.url
        publish(world, make_article("ferry-bell", BELL))
        near = [1.0, 0.0]
        server.embedding = lambda text, dims: [
            *(near if "clasped" in text.lower() else [0.0, 1.0]),
            *[0.0] * (dims - 2),
        ]
        write_rules(world)
        server.embedding = lambda _, dims: [*near, *[0.0] * (dims - 2)]
        pack = ask(api, "Pin the ringer of the ferry bell to the ground!")
    assert list_slugs(layer(pack, "rules")) == ["clasped"]
