"""Checkpoints of LangGraph in Memory37: every capability of `langgraph-checkpoint-conformance`."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Iterator, Sequence
from concurrent.futures import wait
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
)
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from memory37_langgraph import wire
from memory37_langgraph.client import Memory37Client
from memory37_langgraph.errors import Memory37Error
from memory37_langgraph.writes import WritesUnderWay

PAGE_SIZE = 50
BATCH_SIZE = 100
"""Threads or runs of one call."""


class Memory37Saver(BaseCheckpointSaver[str]):
    """Keeps checkpoints, pending writes and interrupts of graphs in Memory37, sync and async.

    Args:
        client: Where the service is.
        serde: What turns values into bytes; the service keeps them unread. Pickle is refused there.
        readable: Whether values that JSON holds without loss are sent as JSON, so that people can read them.
        single_writer: Whether a put is refused (412 `thread_moved`) when somebody else wrote since. Without it, both
            lines are kept, as LangGraph does by itself, and the later one goes on.
    """

    def __init__(
        self,
        client: Memory37Client,
        *,
        serde: SerializerProtocol | None = None,
        readable: bool = True,
        single_writer: bool = False,
    ) -> None:
        super().__init__(serde=serde)
        self.client = client
        self.single_writer = single_writer
        self.readable = readable and (serde is None or isinstance(serde, JsonPlusSerializer))
        self._under_way = WritesUnderWay()

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The checkpoint that the config names, else the one at which the thread stands."""
        path, params = wire.build_state_request(config)
        try:
            return wire.read_tuple(self.serde, self.client.request("GET", path, params=params))
        except Memory37Error as error:
            if wire.is_missing(error):
                return None
            raise

    def list(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002 - LangGraph's name
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        """Checkpoints, newest first."""
        left = limit
        body = wire.build_search(config, filter, before, PAGE_SIZE if limit is None else min(max(limit, 1), PAGE_SIZE))
        while left is None or left > 0:
            page = self.client.request("POST", "checkpoints/search", json=body, is_idempotent=True)
            for row in wire.choose_rows(page, filter, left):
                left = None if left is None else left - 1
                yield wire.read_tuple(self.serde, row)
            if page["next_cursor"] is None:
                return
            body["cursor"] = page["next_cursor"]

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Keep a checkpoint, behind the writes of its thread that have begun; the config that names it."""
        path, body = self._build_put(config, checkpoint, metadata, new_versions)
        if not _runs_loop():  # the writes may need the loop that this thread runs
            wait(self._under_way.list_endings(config))
        return wire.read_config(self.client.request("POST", path, json=body, is_idempotent=True))

    def put_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Keep what a task wrote; an interrupt among it waits for a person."""
        with self._under_way.track(config):
            path, body = wire.build_writes(self.serde, config, writes, task_id, task_path, readable=self.readable)
            self.client.request("POST", path, json=body, is_idempotent=True)

    def delete_thread(self, thread_id: str) -> None:
        """Delete all of a thread."""
        self.client.request("DELETE", wire.name_thread(thread_id))

    def delete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Delete the checkpoints of runs, save what a later state is rebuilt from."""
        for batch in wire.split(run_ids, BATCH_SIZE):
            self.client.request("POST", "checkpoints/delete-runs", json={"run_ids": batch}, is_idempotent=True)

    def copy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy all that holds of a thread into one that is empty."""
        body = {"target_thread_id": str(target_thread_id)}
        self.client.request("POST", f"{wire.name_thread(source_thread_id)}/copy", json=body)

    def prune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Delete older checkpoints; what delta channels are rebuilt from is kept."""
        for batch in wire.split(thread_ids, BATCH_SIZE):
            body = {"thread_ids": batch, "strategy": strategy}
            self.client.request("POST", "checkpoints/prune", json=body, is_idempotent=True)

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The async twin of `get_tuple`."""
        path, params = wire.build_state_request(config)
        try:
            return wire.read_tuple(self.serde, await self.client.arequest("GET", path, params=params))
        except Memory37Error as error:
            if wire.is_missing(error):
                return None
            raise

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002 - LangGraph's name
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """The async twin of `list`."""
        left = limit
        body = wire.build_search(config, filter, before, PAGE_SIZE if limit is None else min(max(limit, 1), PAGE_SIZE))
        while left is None or left > 0:
            page = await self.client.arequest("POST", "checkpoints/search", json=body, is_idempotent=True)
            for row in wire.choose_rows(page, filter, left):
                left = None if left is None else left - 1
                yield wire.read_tuple(self.serde, row)
            if page["next_cursor"] is None:
                return
            body["cursor"] = page["next_cursor"]

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """The async twin of `put`."""
        path, body = self._build_put(config, checkpoint, metadata, new_versions)
        await asyncio.gather(*map(asyncio.wrap_future, self._under_way.list_endings(config)))
        return wire.read_config(await self.client.arequest("POST", path, json=body, is_idempotent=True))

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """The async twin of `put_writes`."""
        with self._under_way.track(config):
            path, body = wire.build_writes(self.serde, config, writes, task_id, task_path, readable=self.readable)
            await self.client.arequest("POST", path, json=body, is_idempotent=True)

    async def adelete_thread(self, thread_id: str) -> None:
        """The async twin of `delete_thread`."""
        await self.client.arequest("DELETE", wire.name_thread(thread_id))

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        """The async twin of `delete_for_runs`."""
        for batch in wire.split(run_ids, BATCH_SIZE):
            await self.client.arequest("POST", "checkpoints/delete-runs", json={"run_ids": batch}, is_idempotent=True)

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """The async twin of `copy_thread`."""
        body = {"target_thread_id": str(target_thread_id)}
        await self.client.arequest("POST", f"{wire.name_thread(source_thread_id)}/copy", json=body)

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """The async twin of `prune`."""
        for batch in wire.split(thread_ids, BATCH_SIZE):
            body = {"thread_ids": batch, "strategy": strategy}
            await self.client.arequest("POST", "checkpoints/prune", json=body, is_idempotent=True)

    def get_next_version(self, current: str | int | None, channel: None) -> str:
        """Versions grow, and two forks never give the same one to different values."""
        number = 0 if current is None else int(str(current).split(".", maxsplit=1)[0])
        return f"{number + 1:032}.{random.random():016}"  # noqa: S311 - tells forks apart, keeps no secret

    def _build_put(
        self, config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata, versions: ChannelVersions
    ) -> tuple[str, dict[str, Any]]:
        path, body = wire.build_put(self.serde, config, checkpoint, metadata, versions, readable=self.readable)
        if self.single_writer:
            body["expected_head"] = body.get("parent_id", "")
        return path, body


def _runs_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
