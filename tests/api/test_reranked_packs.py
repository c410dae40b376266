"""Context packs whose passages a chat model puts in order: what is told, when it fails, and what it was worth."""

from __future__ import annotations

import json
import threading

import pytest
from django.test import Client

from knowledge.canon.selectors import search
from runtime.models import TraceFeedback
from tests.factories.canon import article, publish
from tests.loopback_openai import serve_openai

pytestmark = pytest.mark.django_db(transaction=True)
QUESTION = "Who rings the ferry bell at dusk?"
LORE = (
    article("bell", "The ferry bell rings at dusk, and who rings it is paid."),
    article("ferry", "The ferry crosses the river by a rope, and its bell is old."),
    article("oda-marr", "Oda Marr keeps the bell."),
)
RULE = article("bells", "Who rings a bell is heard. Ringing takes an action.", rule_id="BELL-1")
SECOND_RULE = article("dusk", "At dusk all is dim, and a bell is heard less.", rule_id="DUSK-1")


@pytest.fixture
def engine(make_api, world, monkeypatch):
    publish(world, *LORE)
    publish(world, RULE, SECOND_RULE, domain="srd")
    base = search.get_domain_settings("lore")
    rerank = base.retrieval.rerank.model_copy(update={"enabled": True, "timeout_ms": 10_000})
    reranked = base.model_copy(update={"retrieval": base.retrieval.model_copy(update={"rerank": rerank})})
    monkeypatch.setattr(search, "get_domain_settings", lambda _: reranked)
    return make_api("read", "engine")


@pytest.fixture
def judge(settings):
    """A model that turns every order round."""
    with serve_openai(chat=turn_round) as server:
        settings.CHAT_MODEL, settings.OPENAI_BASE_URL = "judge", server.url
        yield server


def turn_round(request):
    count = request["messages"][1]["content"].count("\n\n[")
    return json.dumps({"order": list(range(count, 0, -1))})


def ask(engine):
    answer = engine.post("context", {"message": QUESTION, "language": "en"})
    assert answer.status_code == 200, answer.content
    return answer.json()


def read_items(pack, layer="lore"):
    (found,) = [each for each in pack["layers"] if each["name"] == layer]
    return found["items"]


def list_slugs(pack):
    return [each["provenance"]["ids"]["slug"] for each in read_items(pack)]


def test_a_pack_tells_passages_in_the_model_s_order(engine, judge):
    hits = engine.get("lore/search", {"q": QUESTION}).json()["hits"]
    pack = ask(engine)
    assert list_slugs(pack) == [hit["document"]["slug"] for hit in hits]
    assert [hit["score"] for hit in hits] == sorted(hit["score"] for hit in hits)
    places = [each["provenance"]["scores"] for each in read_items(pack)]
    assert [(each["fused_place"], each["rerank_place"], each["place"]) for each in places] == [
        (3, 1, 1), (2, 2, 2), (1, 3, 3),
    ]  # fmt: skip
    assert pack["degraded"] == []


def test_all_domains_are_reranked_at_once(engine, settings):
    together = threading.Barrier(2, timeout=10)

    def meet(request):
        together.wait()
        return turn_round(request)

    with serve_openai(chat=meet) as server:
        settings.CHAT_MODEL, settings.OPENAI_BASE_URL = "judge", server.url
        pack = ask(engine)
    assert pack["degraded"] == []
    assert not together.broken


def test_a_model_that_fails_leaves_the_search_s_order_and_says_so(engine, settings):
    assert ask(engine)["degraded"] == ["rerank_not_configured"]
    fused = list_slugs(ask(engine))
    with serve_openai(status=500) as server:
        settings.CHAT_MODEL, settings.OPENAI_BASE_URL = "judge", server.url
        pack = ask(engine)
    assert (list_slugs(pack), pack["degraded"]) == (fused, ["rerank_unavailable"])


def test_feedback_tells_what_the_model_s_order_was_worth(engine, judge):
    pack = ask(engine)
    first = read_items(pack)[0]["id"]
    path = f"traces/{pack['trace_id']}/feedback"
    before = {order: read_metric(order) for order in ("fused", "told")}
    for _ in range(2):
        assert engine.post(path, {"used_item_ids": [first, "system:narrator"]}).status_code in (200, 201)
    by_layer = {each["layer"]: each for each in engine.get("traces/quality").json()["layers"]}
    assert by_layer["lore"]["rerank_gain"] == pytest.approx(1 - 1 / 3, abs=1e-4)
    assert by_layer["system"]["rerank_gain"] is None
    assert read_metric("fused") == pytest.approx(before["fused"] + 1 / 3)
    assert read_metric("told") == before["told"] + 1


def test_what_the_answer_used_may_have_gone_back(engine, judge):
    pack = ask(engine)
    items = [each["id"] for each in read_items(pack)]
    path = f"traces/{pack['trace_id']}/feedback"
    engine.post(path, {"used_item_ids": items[-1:]})
    engine.post(path, {"used_item_ids": items[1:]})
    (lore,) = [each for each in engine.get("traces/quality").json()["layers"] if each["layer"] == "lore"]
    assert lore["rerank_gain"] == pytest.approx((1 / 2 - 1 / 2 + 1 / 3 - 1) / 2, abs=1e-4)
    assert TraceFeedback.objects.count() == 2


def test_replay_keeps_the_model_s_order_as_it_was(engine, judge):
    pack = ask(engine)
    judge.chat = lambda _: json.dumps({"order": [2]})
    replay = engine.get(f"traces/{pack['trace_id']}/replay").json()
    assert replay["then"]["reproduced"], replay["then"]
    assert replay["then"]["messages"] == pack["messages"]
    assert "lore" in replay["then"]["as_recorded"]
    assert {tuple(each["changed"]) for each in replay["differences"]["changed"]} == {("scores",)}


def test_replay_of_a_turn_whose_model_failed_does_not_ask_it_for_the_order_of_then(engine, settings):
    with serve_openai(status=500) as server:
        settings.CHAT_MODEL, settings.OPENAI_BASE_URL = "judge", server.url
        pack = ask(engine)
        assert pack["degraded"] == ["rerank_unavailable"]
        server.status, server.chat = 200, turn_round
        asked = len(server.requests)
        replay = engine.get(f"traces/{pack['trace_id']}/replay").json()
        assert len(server.requests) - asked == 2, "lore and rules as they would be now"
    assert replay["then"]["reproduced"], replay["then"]
    assert replay["then"]["messages"] == pack["messages"] != replay["now"]["messages"]


def read_metric(order):
    lines = Client().get("/metrics").content.decode().splitlines()
    names = f'memory37_retrieval_reciprocal_place_total{{layer="lore",order="{order}"}}'
    return sum(float(line.split()[-1]) for line in lines if line.startswith(names))
