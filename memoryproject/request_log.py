"""Request ids and the access log: who asked which route, with what outcome, never what they said.

The Django middleware and the MCP endpoint share it, so that a request is logged the same way through
either of them.
"""

from __future__ import annotations

import asyncio
import re
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

import structlog

from memoryproject.metrics import HTTP_REQUEST_SECONDS

access_logger = structlog.get_logger("memory37.access")

CLIENT_WENT_AWAY = 499
"""The status in logs and metrics of a request whose client hung up; nobody gets it."""
SANE_REQUEST_ID = re.compile(r"[A-Za-z0-9._:/+=-]{1,128}", re.ASCII)


@dataclass
class RequestRecord:
    """What the access log will say about the request that is being answered."""

    request_id: str
    method: str
    path: str
    status: int = 500
    route: str = ""
    tenant: str = ""
    key_prefix: str = ""
    started: float = field(default_factory=time.perf_counter)


_current: ContextVar[RequestRecord | None] = ContextVar("request_record", default=None)


def choose_request_id(offered: str | None) -> str:
    """The id that the caller offers, if it is short and plain, else a new one."""
    if offered and SANE_REQUEST_ID.fullmatch(offered):
        return offered
    return uuid.uuid4().hex


def get_request_id() -> str:
    """The id of the request that is being answered, or an empty text outside one."""
    record = _current.get()
    return record.request_id if record else ""


def describe_caller(*, tenant: str = "", key_prefix: str = "") -> None:
    """Note who asks, for the access log and every later log line of this request."""
    record = _current.get()
    if record is not None:
        record.tenant = tenant
        record.key_prefix = key_prefix
    structlog.contextvars.bind_contextvars(tenant=tenant, key_prefix=key_prefix)


@contextmanager
def record_request(*, method: str, path: str, offered_id: str | None) -> Iterator[RequestRecord]:
    """Binds the request's id to every log line inside, then writes the access log and the metrics."""
    record = RequestRecord(request_id=choose_request_id(offered_id), method=method, path=path)
    token = _current.set(record)
    structlog.contextvars.bind_contextvars(request_id=record.request_id)
    try:
        yield record
    except asyncio.CancelledError:
        record.status = CLIENT_WENT_AWAY
        raise
    finally:
        _finish(record)
        _current.reset(token)
        structlog.contextvars.unbind_contextvars("request_id", "tenant", "key_prefix")


def _finish(record: RequestRecord) -> None:
    seconds = time.perf_counter() - record.started
    HTTP_REQUEST_SECONDS.labels(
        method=record.method if record.method in KNOWN_METHODS else "OTHER",
        route=record.route or "unmatched",
        status=str(record.status),
    ).observe(seconds)
    access_logger.info(
        "request",
        method=record.method,
        path=record.path,
        status=record.status,
        ms=round(seconds * 1000, 1),
        tenant=record.tenant,
        key_prefix=record.key_prefix,
    )


KNOWN_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
