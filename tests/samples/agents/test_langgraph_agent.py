"""The agent in LangGraph: it remembers across threads and asks before it buys. `live.py` kills it while it waits."""

from __future__ import annotations

import importlib.util
import sys

import pytest
from memory37_langgraph import Memory37Client, Memory37Saver, Memory37Store

from knowledge.store.models import StoreItem
from tenancy.actions.keys import issue_api_key
from tenancy.actions.worlds import ensure_tenant
from tests.clients.transport import DjangoTransport
from tests.loopback_openai import serve_openai
from tests.samples.agents.live import PATH, answer_question, speak

SCOPES = ["notebook"]


@pytest.fixture(scope="module")
def sample():
    spec = importlib.util.spec_from_file_location("langgraph_agent", PATH)
    module = sys.modules["langgraph_agent"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    del sys.modules["langgraph_agent"]


def issue_key() -> str:
    tenant = ensure_tenant(slug="studio", name="Studio")
    return issue_api_key(tenant_id=tenant.pk, name="agent", scopes=SCOPES, requests_per_minute=100_000).text


@pytest.fixture
def make_agent(db, redis, sample):
    key = issue_key()

    def make(model_url):
        transport = DjangoTransport()
        client = Memory37Client("http://memory37.test", key, transport=transport, async_transport=transport)
        graph = sample.build_graph(sample.Model(model_url, "loopback"), Memory37Saver(client), Memory37Store(client))
        return client, graph

    return make


def test_what_is_learnt_in_one_thread_is_known_in_another(make_agent, sample):
    with serve_openai(chat=speak) as model:
        client, graph = make_agent(model.url)
        assert sample.run(graph, client, "talk-1", {"user": "reader-7", "said": "I read by a lamp."}) == "Noted."
        client, graph = make_agent(model.url)
        sample.run(graph, client, "talk-2", {"user": "reader-7", "said": "Which lamp do I have?"})
        assert "- She reads by a brass lamp at night" in model.requests[-1]["messages"][0]["content"]
        sample.run(graph, client, "talk-3", {"user": "reader-8", "said": "Which lamp do I have?"})
        assert "- nothing yet" in model.requests[-1]["messages"][0]["content"]
    assert StoreItem.objects.filter(namespace=["memories", "reader-7"]).count() == 1


@pytest.mark.parametrize(
    ("value", "reply", "orders"),
    [
        ({"approved": True, "note": "From petty cash."}, "I bought a brass lamp for 12. From petty cash.", 1),
        ({"approved": False, "note": "Too dear."}, "I did not buy a brass lamp. Too dear.", 0),
    ],
)
def test_nothing_is_bought_without_a_person(make_agent, sample, value, reply, orders):
    with serve_openai(chat=speak) as model:
        client, graph = make_agent(model.url)
        config = {"configurable": {"thread_id": "shop-1"}}
        graph.invoke({"user": "reader-7", "said": "Buy me a lamp."}, config)
        assert not StoreItem.objects.filter(namespace=["orders", "reader-7"]).exists()
        answer_question(client, "shop-1", value)
        client, graph = make_agent(model.url)
        assert sample.run(graph, client, "shop-1", None) == reply
        assert sample.run(graph, client, "shop-1", None) == "Nobody waits in this thread."
        assert len(model.requests) == 1
    assert StoreItem.objects.filter(namespace=["orders", "reader-7"]).count() == orders
