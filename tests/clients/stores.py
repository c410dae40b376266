"""The stores that the conformance suite is run on, each opened empty."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Any

import psycopg
from django.conf import settings
from django.db import connection
from langgraph.store.memory import InMemoryStore
from langgraph.store.postgres import PostgresStore
from memory37_langgraph import Memory37Client, Memory37Store
from memory37_store_conformance import AsyncFacade, Capability, Subject

from knowledge.store.actions.passages import embed_store
from knowledge.store.models import StoreSpace

DIMENSIONS = 128
OpenSubject = Callable[[], AbstractContextManager[Subject]]


def embed_words(texts: Sequence[str]) -> list[list[float]]:
    """Vectors that are near where texts share words: enough for a suite that asks by words."""
    return [_embed(text) for text in texts]


def _embed(text: str) -> list[float]:
    vector = [0.01] * DIMENSIONS
    for word in text.casefold().replace('"', " ").replace(":", " ").split():
        digest = hashlib.md5(word.encode(), usedforsecurity=False).digest()
        vector[int.from_bytes(digest[:4], "big") % DIMENSIONS] += 1
    return vector


@contextmanager
def open_memory() -> Iterator[Subject]:
    """LangGraph's store in memory."""
    store = InMemoryStore(index={"dims": DIMENSIONS, "embed": embed_words, "fields": ["text"]})
    yield Subject(store, frozenset({Capability.SEARCH}))


def make_postgres(stack: ExitStack) -> OpenSubject:
    """LangGraph's store in PostgreSQL: its tables stand in a schema of their own, emptied for each subject."""
    place = settings.DATABASES["default"]
    schema = f"store_conformance_{os.getpid()}"
    options: dict[str, Any] = {
        "host": place["HOST"],
        "port": place["PORT"],
        "user": place["USER"],
        "dbname": "postgres",
    }
    address = psycopg.conninfo.make_conninfo("", **{name: value for name, value in options.items() if value})
    maintenance = stack.enter_context(psycopg.connect(address, autocommit=True))
    maintenance.execute("CREATE EXTENSION IF NOT EXISTS vector")
    maintenance.execute(f"CREATE SCHEMA {schema}")
    stack.callback(maintenance.execute, f"DROP SCHEMA {schema} CASCADE")
    within = psycopg.conninfo.make_conninfo(address, options=f"-c search_path={schema},public")
    index = {
        "dims": DIMENSIONS, "embed": embed_words, "fields": ["text"], "ann_index_config": {"kind": "flat"},
    }  # fmt: skip
    store = stack.enter_context(
        PostgresStore.from_conn_string(within, index=index, ttl={"omit_expired": True, "refresh_on_read": True})
    )
    store.setup()

    def pass_time(minutes: float) -> None:
        with store._cursor() as cursor:
            cursor.execute("UPDATE store SET expires_at = expires_at - %s * interval '1 minute'", (minutes,))

    @contextmanager
    def open_postgres() -> Iterator[Subject]:
        with store._cursor() as cursor:
            cursor.execute("DELETE FROM store")
        yield Subject(store, pass_time=pass_time)

    return open_postgres


@contextmanager
def open_memory37(client: Memory37Client) -> Iterator[Subject]:
    """Ours, over the application in this process or a server on its database; the client's tenant has none yet."""
    yield Subject(Memory37Store(client, index=["text"]), settle=_settle, pass_time=_pass_time)


def _settle() -> None:
    for space in StoreSpace.objects.all():
        embed_store(space.pk)


def _pass_time(minutes: float) -> None:
    with connection.cursor() as cursor:
        cursor.execute("UPDATE knowledge_storeitem SET expires_at = expires_at - %s * interval '1 minute'", [minutes])


@contextmanager
def by_async_side(subject: Subject) -> Iterator[Subject]:
    """The same store through its async methods."""
    with AsyncFacade(subject.store) as store:
        yield Subject(store, subject.capabilities, subject.settle, subject.pass_time)
