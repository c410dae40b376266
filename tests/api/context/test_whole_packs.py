"""`POST context`: what holds for a pack with all its layers."""

import re
import threading

import pytest

from memoryproject import parallel_reads
from runtime.context.pipeline import assemble_context
from runtime.context.sources.episodes import Episodes
from tests.api.context.requests import BELL, add_fact, ask, layer, make_turn
from tests.conftest import flush_redis_keys
from tests.factories.campaigns import add_scene
from tests.factories.canon import make_article, publish
from tests.factories.conversations import open_chat, say
from tests.loopback_openai import serve_openai


@pytest.mark.django_db(transaction=True)
def test_a_pack_is_the_same_whether_its_searches_run_at_once_or_in_turn(api, remembered, monkeypatch, settings):
    threads = []

    fetch = Episodes.fetch

    def fetch_episodes(*args):
        threads.append(threading.get_ident())
        return fetch(*args)

    def turn():
        pack = ask(api, "Which lantern did I like?", user_id="p1", npc_id="npc_LiShen")
        return {name: pack[name] for name in ("messages", "layers", "cut", "degraded")}

    monkeypatch.setattr(Episodes, "fetch", fetch_episodes)
    in_turn = turn()
    settings.MAX_PARALLEL_READS = 1
    monkeypatch.setattr(parallel_reads, "_has_idle_connection", lambda: True)
    parallel_reads._get_room.cache_clear()
    at_once = turn()
    parallel_reads._get_room.cache_clear()
    assert at_once == in_turn
    assert threads[0] == threading.get_ident() != threads[1]
    assert any(item["id"].startswith("message:") for layer in in_turn["layers"] for item in layer["items"])


def test_each_remote_embedder_is_asked_once_and_at_once_for_lore_rules_and_episodes(
    api, world, player, settings, redis
):
    """Lore and episodes share a model and its dimensions: both of their queries go in one request."""
    meet = threading.Barrier(2)
    met = set()

    def embed(_, dims):
        if dims not in met:
            met.add(dims)
            meet.wait(timeout=1.5)
        return [1.0] * dims

    settings.OPENAI_MAX_RETRIES = 0
    with serve_openai() as server:
        settings.EMBEDDING_BASE_URL = server.url
        publish(world, make_article("ferry-bell", BELL))
        publish(world, make_article("bells", "A bell is rung at dusk.", rule_id="R-1"), domain="srd")
        asked = len(server.requests)
        server.embedding = embed
        pack = ask(api, user_id="p1", location_id="quay")
    assert "embedder_unavailable" not in pack["degraded"]
    assert layer(pack, "lore")[0]["provenance"]["scores"]["vector"] is not None
    assert sorted(len(request["input"]) for request in server.requests[asked:]) == [1, 2]


def test_pack_takes_thirteen_queries_at_any_size(remembered, keeper, tenant, redis, django_assert_max_num_queries):
    def grow(first, last):
        numbers = range(first, last)
        publish(keeper, *(make_article(f"bell-{n}", f"The ferry bell number {n} rings at dusk.") for n in numbers))
        names = {"title": "By the gate"}
        rules = (make_article(f"rule-{n}", f"Rule {n}: at dusk.", rule_id=f"R-{n}", **names) for n in numbers)
        publish(keeper, *rules, domain="srd")
        chat = open_chat(tenant, "p1", world=keeper, npc_id="npc_LiShen")
        say(chat, *(f"The bell rings at dusk, for the {n}th time." for n in numbers))
        say(chat, *(f"It rains for {n} days." for n in numbers), session_id="s1")
        for n in numbers:
            add_scene(keeper, summary_id=f"sum_{n}_bell", minute=40 + n, flags={f"bell_{n}": "rung"})

    for first, last in ((100, 103), (200, 240)):
        grow(first, last)
        flush_redis_keys()
        with django_assert_max_num_queries(15):
            assert assemble_context(make_turn(keeper)).is_talk_rebuilt
        with django_assert_max_num_queries(13):
            warm = assemble_context(make_turn(keeper))
        assert not warm.is_talk_rebuilt
        told = set(warm.pack.tokens_by_layer)
        assert {"lore", "rules", "summaries", "state", "npc", "episodes", "talk"} <= told


def test_no_date_id_or_score_of_what_is_known_is_told_to_the_model(remembered, keeper, canon):
    add_fact(remembered, "allergy", "nickel")
    pack = assemble_context(make_turn(keeper)).pack
    told = "\n".join(
        packed.rendered
        for layer_ in pack.layers
        if layer_.name not in ("memory_rules", "user")
        for packed in layer_.items
    )
    assert len(told) > 500
    assert not re.search(r"\d{4}-\d\d|\d\d:\d\d|\b\d{1,2}\.\d\d\b|\b0\.\d+|[0-9a-f]{8}-[0-9a-f]{4}", told)
    for layer_ in pack.layers:
        for packed in layer_.items:
            source = packed.item.provenance
            words = [value for value in source.ids.values() if isinstance(value, str) and "_" in value]
            assert not [word for word in words if word in told], words
