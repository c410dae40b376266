"""The cache of query vectors."""

import threading
import time
from contextlib import nullcontext

import numpy as np
import pytest
import redis as redis_client
from django.db import connection, connections, transaction

from knowledge.search import query_embedding
from knowledge.search.embedding.openai_compatible import EmbeddingEndpoint, OpenAIEmbedder
from tests.loopback_openai import serve_openai


def _embedder(server, dims=8):
    return OpenAIEmbedder(EmbeddingEndpoint(base_url=server.url, api_key="k", query_timeout_seconds=0.5), "m", dims)


def test_same_query_is_asked_once(redis):
    with serve_openai() as server:
        embedder = _embedder(server)
        first, _ = query_embedding.embed_query(embedder, "Where is the Bridge?")
        second, _ = query_embedding.embed_query(embedder, "where is the bridge?")
    assert len(server.requests) == 1
    assert np.allclose(first, second, atol=1e-2)


def test_other_dimensions_are_another_entry(redis):
    with serve_openai() as server:
        query_embedding.embed_query(_embedder(server), "bell")
        vector, _ = query_embedding.embed_query(_embedder(server, dims=16), "bell")
    assert vector.shape == (16,)


def test_failure_gives_no_vector_and_its_code(redis):
    with serve_openai(status=500) as server:
        assert query_embedding.embed_query(_embedder(server), "bell") == (None, "embedder_unavailable")


def test_wrong_dimensions_give_no_vector_and_their_code(redis):
    with serve_openai(dims=3) as server:
        assert query_embedding.embed_query(_embedder(server), "bell") == (None, "embedder_misbehaves")


def test_lost_redis_costs_only_the_cache(monkeypatch: pytest.MonkeyPatch):
    def gone():
        raise redis_client.ConnectionError("gone")

    monkeypatch.setattr(query_embedding, "get_redis", gone)
    with serve_openai() as server:
        vector, failure = query_embedding.embed_query(_embedder(server), "bell")
    assert failure is None
    assert vector is not None


def test_prepared_queries_are_asked_in_one_batch_for_each_embedder_all_at_once(redis):
    meet = threading.Barrier(2)

    def embed(text, dims):
        if text == "bell":
            meet.wait(timeout=5)
        return [1.0] * dims

    with serve_openai(embedding=embed) as server:
        wanted = [
            (_embedder(server), "bell"), (_embedder(server, dims=16), "bell"), (_embedder(server), "tower"),
            (_embedder(server), "bell"),
        ]  # fmt: skip
        with query_embedding.prepare_queries(wanted):
            found = [query_embedding.embed_query(embedder, query) for embedder, query in wanted]
    assert [(len(vector), failure) for vector, failure in found] == [(8, None), (16, None), (8, None), (8, None)]
    assert sorted(request["input"] for request in server.requests) == [["bell"], ["bell", "tower"]]


def test_a_refused_query_costs_the_others_of_its_batch_nothing(redis):
    with serve_openai(refused_text="bad") as server:
        embedder = _embedder(server)
        with query_embedding.prepare_queries([(embedder, "bell"), (embedder, "bad")]):
            found = [query_embedding.embed_query(embedder, query)[1] for query in ("bell", "bad")]
    assert found == [None, "text_not_embeddable"]


def test_prepared_queries_of_a_failing_embedder_give_its_code(redis):
    with serve_openai(status=500) as server:
        wanted = [(_embedder(server), "bell"), (_embedder(server, dims=16), "bell")]
        with query_embedding.prepare_queries(wanted):
            found = [query_embedding.embed_query(embedder, query) for embedder, query in wanted]
    assert found == [(None, "embedder_unavailable")] * 2


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_prepared", [False, True])
def test_who_waits_for_an_embedder_holds_no_connection(redis, is_prepared):
    ours = connections["default"]
    held = []

    def embed(_, dims):
        time.sleep(0.1)
        held.append(ours.connection is not None)
        return [1.0] * dims

    with serve_openai(embedding=embed) as server:
        embedder = _embedder(server)
        connection.ensure_connection()
        with query_embedding.prepare_queries([(embedder, "bell")]) if is_prepared else nullcontext():
            assert query_embedding.embed_query(embedder, "bell")[1] is None
        connection.ensure_connection()
        assert query_embedding.embed_query(embedder, "bell")[1] is None
        assert connection.connection is not None
        with transaction.atomic():
            query_embedding.embed_query(embedder, "tower")
    assert held == [False, True]
