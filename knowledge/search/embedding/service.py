"""The embedder in the wheel behind OpenAI's protocol: one process that holds the model for others that should not.

`POST /v1/embeddings` and `GET /healthz`. Texts say themselves what they are, by the prefixes that e5 was trained with:
`query: ` before a query, `passage: ` before what is searched, as EMBEDDING_QUERY_PREFIX and EMBEDDING_PASSAGE_PREFIX of
the processes that ask. A vector is that of the embedder within a process.
"""

from __future__ import annotations

import asyncio
import base64
import hmac
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import numpy as np

from knowledge.search.embedding.base import Embedder, Vectors

MAX_BODY_BYTES = 8 * 1024 * 1024
MAX_TEXTS = 2_048
"""As OpenAI."""
PATH, HEALTH_PATH = "/v1/embeddings", "/healthz"
QUERY_PREFIX, PASSAGE_PREFIX = "query: ", "passage: "
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


class Refused(Exception):
    """What the caller is told instead of vectors."""

    def __init__(self, status: HTTPStatus, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


@dataclass(frozen=True, slots=True)
class EmbeddingService:
    """An ASGI application."""

    embedder: Embedder
    api_key: str = ""
    """What callers must send as a bearer token; empty: whoever reaches the port is served."""

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Answers a request."""
        if scope["type"] == "lifespan":
            await _live(receive, send)
        elif scope["type"] == "http":
            try:
                status, answer = HTTPStatus.OK, await self._answer(scope, receive)
            except Refused as refused:
                kind = "invalid_request_error" if refused.status < HTTPStatus.INTERNAL_SERVER_ERROR else "server_error"
                status, answer = refused.status, {"error": {"message": refused.message, "type": kind}}
            await _send_json(send, status, answer)

    async def _answer(self, scope: dict[str, Any], receive: Receive) -> dict[str, Any]:
        if scope["path"] == HEALTH_PATH:
            return {"status": "ok", "embedder": self.embedder.name}
        if scope["path"] != PATH:
            raise Refused(HTTPStatus.NOT_FOUND, f"Only {PATH} is served here.")
        if scope["method"] != "POST":
            raise Refused(HTTPStatus.METHOD_NOT_ALLOWED, "Embeddings are asked for by POST.")
        self._check_key(scope)
        body = parse_body(await _read(receive))
        texts, as_base64 = self._check(body)
        vectors = await asyncio.to_thread(self._embed, texts)
        data = [
            {"object": "embedding", "index": index, "embedding": _render(row, as_base64=as_base64)}
            for index, row in enumerate(vectors)
        ]
        return {
            "object": "list",
            "model": self.embedder.name,
            "data": data,
            "usage": {"prompt_tokens": 0, "total_tokens": 0},
        }

    def _check_key(self, scope: dict[str, Any]) -> None:
        if not self.api_key:
            return
        sent = dict(scope["headers"]).get(b"authorization", b"")
        if not hmac.compare_digest(sent, f"Bearer {self.api_key}".encode()):
            raise Refused(HTTPStatus.UNAUTHORIZED, "Send the key of this service: 'Authorization: Bearer …'.")

    def _check(self, body: dict[str, Any]) -> tuple[list[str], bool]:
        sent = body.get("input")
        texts = [sent] if isinstance(sent, str) else sent
        if not isinstance(texts, list) or not texts or not all(isinstance(text, str) for text in texts):
            raise Refused(HTTPStatus.BAD_REQUEST, "input is a text or a list of texts, not of tokens.")
        if len(texts) > MAX_TEXTS:
            raise Refused(HTTPStatus.BAD_REQUEST, f"input has {len(texts)} texts; at most {MAX_TEXTS} come at once.")
        if body.get("dimensions") not in (None, self.embedder.dims):
            raise Refused(HTTPStatus.BAD_REQUEST, f"dimensions is {self.embedder.dims} or left out.")
        encoding = body.get("encoding_format", "float")
        if encoding not in ("float", "base64"):
            raise Refused(HTTPStatus.BAD_REQUEST, "encoding_format is float or base64.")
        return texts, encoding == "base64"

    def _embed(self, texts: Sequence[str]) -> Vectors:
        rows = np.zeros((len(texts), self.embedder.dims), dtype=np.float32)
        queries = [index for index, text in enumerate(texts) if text.startswith(QUERY_PREFIX)]
        passages = [index for index, text in enumerate(texts) if not text.startswith(QUERY_PREFIX)]
        if queries:
            rows[queries] = self.embedder.embed_queries([texts[index].removeprefix(QUERY_PREFIX) for index in queries])
        if passages:
            rows[passages] = self.embedder.embed_documents(
                [texts[index].removeprefix(PASSAGE_PREFIX) for index in passages]
            )
        return rows


def parse_body(content: bytes) -> dict[str, Any]:
    """The JSON object. Raises Refused."""
    try:
        body = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise Refused(HTTPStatus.BAD_REQUEST, "The body is not JSON.") from error
    if not isinstance(body, dict):
        raise Refused(HTTPStatus.BAD_REQUEST, "The body is a JSON object.")
    return body


def _render(row: Vectors, *, as_base64: bool) -> str | list[float]:
    if as_base64:
        return base64.b64encode(row.astype("<f4").tobytes()).decode()
    floats: list[float] = row.tolist()
    return floats


async def _read(receive: Receive) -> bytes:
    content, goes_on = b"", True
    while goes_on:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Refused(HTTPStatus.BAD_REQUEST, "The body was cut off.")
        content += message.get("body", b"")
        goes_on = message.get("more_body", False)
        if len(content) > MAX_BODY_BYTES:
            raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"A body has at most {MAX_BODY_BYTES} bytes.")
    return content


async def _send_json(send: Send, status: HTTPStatus, answer: dict[str, Any]) -> None:
    content = json.dumps(answer, separators=(",", ":")).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(content)).encode())]
    await send({"type": "http.response.start", "status": int(status), "headers": headers})
    await send({"type": "http.response.body", "body": content})


async def _live(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
