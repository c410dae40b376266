"""A server that speaks OpenAI's protocol on loopback: the real client is tested against real HTTP."""

from __future__ import annotations

import hashlib
import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = tuple[int, dict[str, Any]]


@dataclass
class LoopbackOpenAI:
    """What the server does and what it was asked. `dims` None honours the `dimensions` asked for."""

    dims: int | None = None
    refuses_dimensions: bool = False
    delay_seconds: float = 0.0
    status: int = 200
    refused_text: str | None = None
    refused_status: int = 400
    embedding: Callable[[str, int], list[float]] | None = None
    chat: Callable[[dict[str, Any]], str] = field(default=lambda _: "{}")
    refusal: str | None = None
    breaks_after: int | None = None
    """Pieces of a streamed reply after which the connection is cut."""
    change: Callable[[dict[str, Any]], dict[str, Any]] = field(default=lambda document: document)
    """Makes another document of a chat answer, and of each event of a streamed one."""
    trickles: float | None = None
    """Seconds between two bytes that say nothing, sent for ever instead of an answer."""
    pause_seconds: float = 0.0
    """Between two pieces of a streamed reply."""
    raw: bytes | None = None
    """Sent as it is, as if it were JSON."""
    floods: bool = False
    """Whether bytes that say nothing come without end."""
    requests: list[dict[str, Any]] = field(default_factory=list)
    url: str = ""

    def answer(self, path: str, body: dict[str, Any]) -> Answer:
        """Status and JSON of one request."""
        self.requests.append({"path": path, **body})
        time.sleep(self.delay_seconds)
        if self.status != 200:
            return self.status, {"error": {"message": "told to fail", "type": "test"}}
        if body.get("stream"):
            return 200, {}
        return self._embed(body) if path.endswith("/embeddings") else self._chat(body)

    def _embed(self, body: dict[str, Any]) -> Answer:
        if self.refuses_dimensions and "dimensions" in body:
            return 400, {"error": {"message": "unknown parameter: dimensions", "type": "invalid_request_error"}}
        texts = body["input"] if isinstance(body["input"], list) else [body["input"]]
        if self.refused_text is not None and any(self.refused_text in text for text in texts):
            error = {"message": "maximum context length exceeded", "type": "invalid_request_error"}
            return self.refused_status, {"error": error}
        dims = self.dims or body.get("dimensions") or 8
        embed = self.embedding or _spread
        data = [
            {"object": "embedding", "index": place, "embedding": embed(text, dims)} for place, text in enumerate(texts)
        ]
        return 200, {
            "object": "list",
            "data": data,
            "model": body["model"],
            "usage": {"prompt_tokens": 1, "total_tokens": 1},
        }

    def stream(self, body: dict[str, Any]) -> Iterator[str]:
        """The events of a streamed reply, a word each, then the usage."""
        frame = {"id": "c1", "object": "chat.completion.chunk", "created": 0, "model": body["model"]}
        words = [] if self.refusal else re.findall(r"\S+\s*", self.chat(body))
        deltas: list[dict[str, Any]] = [{"content": word} for word in words] or [{"refusal": self.refusal}]
        for place, delta in enumerate(deltas):
            if place == self.breaks_after:
                return
            yield self._event({**frame, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
        yield self._event({**frame, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
        usage = {"prompt_tokens": 7, "completion_tokens": len(words), "total_tokens": 7 + len(words)}
        yield self._event({**frame, "choices": [], "usage": usage})
        yield "[DONE]"

    def _event(self, document: dict[str, Any]) -> str:
        return json.dumps(self.change(document))

    def _chat(self, body: dict[str, Any]) -> Answer:
        message = {"role": "assistant", "content": None if self.refusal else self.chat(body), "refusal": self.refusal}
        return 200, self.change({
            "id": "c1", "object": "chat.completion", "created": 0, "model": body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        })  # fmt: skip


def _spread(text: str, dims: int) -> list[float]:
    """Numbers that depend on the text alone."""
    digest = hashlib.sha512(text.encode()).digest()
    return [digest[place % 64] / 255 - 0.5 + 0.01 for place in range(dims)]


@contextmanager
def serve_openai(**behaviour: Any) -> Iterator[LoopbackOpenAI]:
    """The server, running until the block ends; its `url` goes into EMBEDDING_BASE_URL or OPENAI_BASE_URL."""
    state = LoopbackOpenAI(**behaviour)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, answer = state.answer(self.path, body)
            try:
                if state.trickles is not None or state.floods:
                    self._send_nothing(is_stream=bool(body.get("stream")))
                elif status == HTTPStatus.OK and body.get("stream"):
                    self._stream(body)
                else:
                    self._send(status, json.dumps(answer).encode() if state.raw is None else state.raw)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True

        def _send(self, status: int, content: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def _send_nothing(self, *, is_stream: bool) -> None:
            """Comments or blanks until the client goes away."""
            self.send_response(HTTPStatus.OK)
            self.send_header("Content-Type", "text/event-stream" if is_stream else "application/json")
            self.send_header("Connection", "close")
            self.end_headers()
            self.close_connection = True
            nothing = (b": \n\n" if is_stream else b" ") * (65536 if state.floods else 1)
            while True:
                self.wfile.write(nothing)
                self.wfile.flush()
                time.sleep(state.trickles or 0)

        def _stream(self, body: dict[str, Any]) -> None:
            self.send_response(HTTPStatus.OK)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            events = 0
            for event in state.stream(body):
                time.sleep(state.pause_seconds)
                content = f"data: {event}\n\n".encode()
                self.wfile.write(b"%x\r\n%s\r\n" % (len(content), content))
                events += 1
            if state.breaks_after is None or events != state.breaks_after:
                self.wfile.write(b"0\r\n\r\n")
            self.close_connection = True

        def log_message(self, *_: Any) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    state.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
