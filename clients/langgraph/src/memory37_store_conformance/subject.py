"""A store that is held against the cases, and how to see it by its async side."""

from __future__ import annotations

import asyncio
import enum
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from langgraph.store.base import BaseStore, Item, Op, Result, SearchItem


class Capability(enum.StrEnum):
    """What not every store can do."""

    SEARCH = "search"
    """Queries rank items; texts that share words with the query come first."""
    TTL = "ttl"
    """Items end, and the subject can let time pass."""


def _do_nothing() -> None:
    pass


def _cannot_pass(minutes: float) -> None:
    raise NotImplementedError("this subject can't let time pass")


@dataclass(frozen=True)
class Subject:
    """An empty store under test.

    Args:
        store: The store, or an `AsyncFacade` over it.
        capabilities: What it can do.
        settle: Returns once everything that was put is found by its meaning; for stores that index later.
        pass_time: Lets so many minutes pass for items that end.
    """

    store: BaseStore
    capabilities: frozenset[Capability] = frozenset(Capability)
    settle: Callable[[], None] = _do_nothing
    pass_time: Callable[[float], None] = _cannot_pass


class AsyncFacade(BaseStore):
    """A store whose sync methods are the async ones of another, run to their end: every case holds for both sides."""

    def __init__(self, store: BaseStore) -> None:
        super().__init__()
        self.inner = store
        self.supports_ttl = store.supports_ttl
        self.ttl_config = store.ttl_config
        self._runner = asyncio.Runner()

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """By `abatch`."""
        return self._runner.run(self.inner.abatch(ops))

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """As it is."""
        return await self.inner.abatch(ops)

    def get(self, *args: Any, **more: Any) -> Item | None:
        """By `aget`."""
        return self._runner.run(self.inner.aget(*args, **more))

    def search(self, *args: Any, **more: Any) -> list[SearchItem]:
        """By `asearch`."""
        return self._runner.run(self.inner.asearch(*args, **more))

    def put(self, *args: Any, **more: Any) -> None:
        """By `aput`."""
        self._runner.run(self.inner.aput(*args, **more))

    def delete(self, *args: Any, **more: Any) -> None:
        """By `adelete`."""
        self._runner.run(self.inner.adelete(*args, **more))

    def list_namespaces(self, **more: Any) -> list[tuple[str, ...]]:
        """By `alist_namespaces`."""
        return self._runner.run(self.inner.alist_namespaces(**more))

    def close(self) -> None:
        """End the loop that the calls ran in."""
        self._runner.close()

    def __enter__(self) -> Self:
        """The facade, closed at the end of the block."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the loop."""
        self.close()
