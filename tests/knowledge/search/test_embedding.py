"""Embedders: the real client against a loopback server, and the offline one."""

import time

import numpy as np
import pytest

from knowledge.errors import EmbedderMisbehaves, EmbedderUnavailable, TextNotEmbeddable
from knowledge.search.embedding import embed_each, embed_in_halves, get_embedder, make_embedder, openai_compatible
from knowledge.search.embedding.openai_compatible import EmbeddingEndpoint, OpenAIEmbedder
from tests.loopback_openai import serve_openai


def _embedder(server, *, dims=8, **endpoint):
    options = {"max_retries": 0, "query_timeout_seconds": 0.3, "document_timeout_seconds": 5} | endpoint
    return OpenAIEmbedder(EmbeddingEndpoint(base_url=server.url, api_key="k", **options), "test-model", dims)


def test_offline_embedder_serves_without_an_endpoint(settings):
    settings.EMBEDDING_BASE_URL = settings.EMBEDDING_API_KEY = ""
    embedder = get_embedder("lore")
    assert (embedder.name, embedder.dims, embedder.is_semantic, embedder.is_instant) == (
        "hashing-v1",
        1024,
        False,
        True,
    )
    assert embedder.embed_queries(["bell"]).shape == (1, 1024)


def test_configured_endpoint_is_used_and_named(settings):
    settings.EMBEDDING_BASE_URL, settings.EMBEDDING_PROVIDER = "http://127.0.0.1:9/v1", "auto"
    assert make_embedder("big-model", 64).name == "openai:big-model"


def test_provider_hashing_wins_over_an_endpoint(settings):
    settings.EMBEDDING_BASE_URL, settings.EMBEDDING_PROVIDER = "http://127.0.0.1:9/v1", "hashing"
    assert make_embedder("big-model", 64).is_instant


def test_dimensions_are_asked_for_and_vectors_have_unit_length():
    with serve_openai() as server:
        vectors = _embedder(server).embed_documents(["one", "two"])
    assert server.requests[0]["dimensions"] == 8
    assert vectors.shape == (2, 8)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_longer_answer_is_truncated_and_renormalised():
    with serve_openai(dims=32) as server:
        embedder = _embedder(server)
        [cut], [whole] = embedder.embed_queries(["text"]), _embedder(server, dims=32).embed_queries(["text"])
    assert np.allclose(cut, whole[:8] / np.linalg.norm(whole[:8]), atol=1e-5)


def test_server_that_does_not_know_dimensions_is_asked_without_them_from_then_on():
    with serve_openai(dims=16, refuses_dimensions=True) as server:
        embedder = _embedder(server)
        embedder.embed_queries(["one"])
        embedder.embed_queries(["two"])
    assert ["dimensions" in request for request in server.requests] == [True, False, False]


def test_too_few_dimensions_are_refused():
    with serve_openai(dims=4) as server, pytest.raises(EmbedderMisbehaves, match="8 dimensions"):
        _embedder(server).embed_documents(["text"])


def test_answer_that_is_no_number_is_refused():
    with serve_openai(embedding=lambda _, dims: [float("nan")] * dims) as server, pytest.raises(EmbedderMisbehaves):
        _embedder(server).embed_documents(["text"])


DEEP = b"[" * 100_000
DIGITS = b"9" * 400


@pytest.mark.parametrize(
    "raw",
    [b"", b"<html>", b'"\xff"', DEEP, b'{"data":' + DEEP, b'{"data":[{"index":0,"embedding":[%s]}]}' % DIGITS,
     b'{"data":[{"index":0,"embedding":[%s]}]}' % (DIGITS * 20)],
    ids=["empty", "html", "no text", "nested", "nested data", "too large", "too many digits"],
)  # fmt: skip
def test_answer_that_is_not_in_the_agreed_form_is_refused(raw):
    with serve_openai(raw=raw) as server:
        embedder = _embedder(server, dims=1)
        with pytest.raises(EmbedderMisbehaves):
            embedder.embed_queries(["text"])
        with pytest.raises(EmbedderUnavailable, match="a moment ago"):
            embedder.embed_queries(["again"])


@pytest.mark.parametrize("behaviour", [{"trickles": 0.05}, {"floods": True}])
def test_answer_that_never_ends_is_given_up(behaviour, monkeypatch):
    monkeypatch.setattr(openai_compatible, "MAX_VECTOR_BYTES", 10_000)
    start = time.monotonic()
    with serve_openai(**behaviour) as server, pytest.raises(EmbedderUnavailable):
        _embedder(server).embed_queries(["text"])
    assert time.monotonic() - start < 3


def test_batches_keep_the_order_of_the_texts():
    texts = [f"text {number}" for number in range(7)]
    with serve_openai() as server:
        together = _embedder(server, batch_size=3).embed_documents(texts)
        alone = np.vstack([_embedder(server).embed_queries([text]) for text in texts])
    assert [len(request["input"]) for request in server.requests[:3]] == [3, 3, 1]
    assert np.allclose(together, alone, atol=1e-5)


def test_text_over_the_limit_is_cut_before_it_is_sent():
    with serve_openai() as server:
        _embedder(server, max_input_tokens=16).embed_queries(["bell " * 500])
    assert len(server.requests[0]["input"][0]) < 100


def test_one_refused_text_does_not_spoil_its_batch():
    with serve_openai(refused_text="poison") as server:
        outcome = embed_each(_embedder(server), ["a", "b", "poison", "d", "e"])
    assert [isinstance(one, TextNotEmbeddable) for one in outcome] == [False, False, True, False, False]


@pytest.mark.parametrize("status", [401, 429, 500, 503])
def test_failing_server_is_unavailable(status):
    with serve_openai(status=status) as server, pytest.raises(EmbedderUnavailable):
        _embedder(server).embed_documents(["text"])


def test_slow_server_does_not_hold_up_a_query_and_is_then_left_alone():
    with serve_openai(delay_seconds=2) as server:
        embedder = _embedder(server)
        start = time.monotonic()
        with pytest.raises(EmbedderUnavailable):
            embedder.embed_queries(["text"])
        with pytest.raises(EmbedderUnavailable, match="a moment ago"):
            embedder.embed_queries(["again"])
        assert time.monotonic() - start < 1.5
        assert len(server.requests) == 1


def test_endpoint_that_is_gone_is_unavailable():
    with serve_openai() as server:
        embedder = _embedder(server)
    with pytest.raises(EmbedderUnavailable):
        embedder.embed_queries(["text"])


def test_secret_is_not_shown():
    assert "sesame" not in repr(EmbeddingEndpoint(base_url=None, api_key="sesame"))


class Breaking:
    """An embedder that counts its calls and breaks on some texts, or on all."""

    name, dims, batch_size, is_semantic = "breaking", 1, 64, True

    def __init__(self, *texts, down=False):
        self.texts, self.down, self.calls = texts, down, []

    def embed_documents(self, texts):
        self.calls.append(list(texts))
        if self.down or set(texts) & set(self.texts):
            raise EmbedderUnavailable("no answer")
        return np.ones((len(texts), 1), dtype=np.float32)


def test_one_text_that_breaks_the_endpoint_comes_alone_and_the_others_get_their_vectors():
    embedder = Breaking("d")
    portions = list(embed_in_halves(embedder, ["A", "B", "C", "D", "E"], str.lower))
    failed = [(items, answers) for items, answers in portions if not isinstance(answers, list)]
    [(items, error)] = failed
    assert (items, error.code) == (["D"], "embedder_unavailable")
    embedded = [item for items, answers in portions if isinstance(answers, list) for item in items]
    assert embedded == ["A", "B", "C", "E"]
    assert all(len(items) == len(answers) for items, answers in portions if isinstance(answers, list))


def test_a_refused_text_is_told_from_one_that_breaks_the_endpoint():
    class Refusing(Breaking):
        def embed_documents(self, texts):
            if "b" in texts:
                raise TextNotEmbeddable("too long")
            return super().embed_documents(texts)

    [(items, answers)] = embed_in_halves(Refusing(), ["a", "b", "c"], str)
    assert items == ["a", "b", "c"]
    assert [isinstance(answer, TextNotEmbeddable) for answer in answers] == [False, True, False]


def test_an_endpoint_that_answers_nothing_is_asked_once_more_and_not_for_every_half():
    embedder = Breaking(down=True)
    with pytest.raises(EmbedderUnavailable):
        list(embed_in_halves(embedder, ["a", "b", "c", "d"], str))
    assert embedder.calls == [["a", "b", "c", "d"], ["probe"]]


def test_what_was_given_out_before_an_outage_stands():
    embedder = Breaking("c")
    given = []
    portions = embed_in_halves(embedder, ["a", "b", "c", "d"], str)
    given.append(next(portions)[0])
    embedder.down = True
    with pytest.raises(EmbedderUnavailable):
        given.append(next(portions)[0])
    assert given == [["a", "b"]]
    assert list(embed_in_halves(Breaking(), [], str)) == [([], [])]
