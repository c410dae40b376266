"""Checkpoints, writes and values of LangGraph as the REST interface takes and gives them."""

from __future__ import annotations

import base64
import dataclasses
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    get_checkpoint_id,
    get_checkpoint_metadata,
)
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.serde.types import INTERRUPT, RESUME

from memory37_langgraph.errors import Memory37Error

EMPTY = {"type": "empty", "data": ""}
"""The channel has this version and no value."""
MISSING = "thread_checkpoint_not_found"
ANSWER_SCHEMA, TIMEOUT = "answer_schema", "timeout_seconds"
"""Members of what is asked that the service reads: what an answer has to fit, and how long it waits for one."""
MAX_DEPTH = 50


def name_thread(thread_id: Any) -> str:
    """The path of a thread."""
    return f"threads/{quote(str(thread_id), safe='')}"


def build_state_request(config: RunnableConfig) -> tuple[str, dict[str, str]]:
    """Path and parameters that read a checkpoint."""
    given = config["configurable"]
    asked = {"ns": given.get("checkpoint_ns", ""), "checkpoint_id": get_checkpoint_id(config)}
    return f"{name_thread(given['thread_id'])}/state", {name: value for name, value in asked.items() if value}


def is_missing(error: Memory37Error) -> bool:
    """Whether the error says that the checkpoint is not there."""
    return error.code == MISSING


def build_search(
    config: RunnableConfig | None, filters: Mapping[str, Any] | None, before: RunnableConfig | None, limit: int
) -> dict[str, Any]:
    """The body of a search. What the service cannot compare is left to `choose_rows`."""
    given = {} if config is None else config["configurable"]
    thread_id = given.get("thread_id")
    body = {
        "thread_id": None if thread_id is None else str(thread_id),
        "ns": given.get("checkpoint_ns"),
        "checkpoint_id": given.get("checkpoint_id"),
        "before": None if before is None else get_checkpoint_id(before),
        "filter": {name: value for name, value in (filters or {}).items() if _is_scalar(value)},
        "limit": limit,
    }
    return {name: value for name, value in body.items() if value is not None}


def choose_rows(
    page: Mapping[str, Any], filters: Mapping[str, Any] | None, left: int | None
) -> Iterator[Mapping[str, Any]]:
    """The rows whose metadata is what the filter says, at most `left`."""
    count = 0
    for row in page["data"]:
        if left is not None and count >= left:
            return
        if all(row["metadata"].get(name) == value for name, value in (filters or {}).items()):
            count += 1
            yield row


def build_put(
    serde: SerializerProtocol,
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    new_versions: ChannelVersions,
    *,
    readable: bool,
) -> tuple[str, dict[str, Any]]:
    """Path and body that keep a checkpoint, with the values of the channels that changed."""
    given = config["configurable"]
    values = checkpoint["channel_values"]
    body: dict[str, Any] = {
        "checkpoint": to_json({name: value for name, value in checkpoint.items() if name != "channel_values"}),
        "ns": given.get("checkpoint_ns", ""),
        "metadata": to_json(get_checkpoint_metadata(config, metadata)),
        "values": {
            name: dump_value(serde, values[name], readable=readable) if name in values else EMPTY
            for name in new_versions
        },
    }
    if parent := given.get("checkpoint_id"):
        body["parent_id"] = parent
    return f"{name_thread(given['thread_id'])}/checkpoints", body


def build_writes(
    serde: SerializerProtocol,
    config: RunnableConfig,
    writes: Sequence[tuple[str, Any]],
    task_id: str,
    task_path: str,
    *,
    readable: bool,
) -> tuple[str, dict[str, Any]]:
    """Path and body that keep what a task wrote; what it asks of people, and was answered, stands there as JSON too."""
    given = config["configurable"]
    body: dict[str, Any] = {
        "ns": given.get("checkpoint_ns", ""),
        "checkpoint_id": given["checkpoint_id"],
        "task_id": str(task_id),
        "task_path": task_path,
        "writes": [
            {"channel": channel, "value": dump_value(serde, value, readable=readable)} for channel, value in writes
        ],
    }
    asked = [each for channel, value in writes if channel == INTERRUPT for each in _list_asked(value, str(task_id))]
    answers = [value for channel, value in writes if channel == RESUME]
    if asked:
        body["interrupts"] = asked
    if answers:
        body["answers"] = [to_json(each) for each in (answers[-1] if isinstance(answers[-1], list) else answers)]
    return f"{name_thread(given['thread_id'])}/writes", body


def read_config(placed: Mapping[str, Any]) -> RunnableConfig:
    """The config that names a checkpoint."""
    return {
        "configurable": {
            "thread_id": placed["thread_id"],
            "checkpoint_ns": placed["ns"],
            "checkpoint_id": placed["checkpoint_id"],
        }
    }


def read_tuple(serde: SerializerProtocol, row: Mapping[str, Any]) -> CheckpointTuple:
    """A checkpoint as LangGraph has it."""
    values = {name: load_value(serde, value) for name, value in row["values"].items()}
    checkpoint: Any = {**row["checkpoint"], "channel_values": values}
    metadata: Any = row["metadata"]
    return CheckpointTuple(
        config=read_config(row),
        checkpoint=checkpoint,
        metadata=metadata,
        parent_config=read_config({**row, "checkpoint_id": row["parent_id"]}) if row["parent_id"] else None,
        pending_writes=[(each["task_id"], each["channel"], load_value(serde, each["value"])) for each in row["writes"]],
    )


def dump_value(serde: SerializerProtocol, value: Any, *, readable: bool) -> dict[str, Any]:
    """A value as it is sent: JSON where that loses nothing, else what the serializer makes of it."""
    if readable and _is_plain(value):
        return {"type": "json", "json": value}
    type_, data = serde.dumps_typed(value)
    return {"type": type_, "data": base64.b64encode(data).decode()}


def load_value(serde: SerializerProtocol, sent: Mapping[str, Any]) -> Any:
    """The value."""
    if "json" in sent:
        return sent["json"]
    return serde.loads_typed((sent["type"], base64.b64decode(sent["data"])))


def split(items: Sequence[str], size: int) -> Iterator[list[str]]:
    """The items, so many at once; nothing for none."""
    for start in range(0, len(items), size):
        yield [str(each) for each in items[start : start + size]]


def to_json(value: Any, depth: int = 0) -> Any:
    """The value as JSON, for people to read: what JSON does not have stands there as its text."""
    if _is_scalar(value):
        return value if not isinstance(value, float) or math.isfinite(value) else repr(value)
    if depth > MAX_DEPTH:
        return repr(value)
    if hasattr(value, "model_dump"):
        return to_json(value.model_dump(mode="json"), depth + 1)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {each.name: to_json(getattr(value, each.name), depth + 1) for each in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(name): to_json(each, depth + 1) for name, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [to_json(each, depth + 1) for each in value]
    return str(value)


def _list_asked(value: Any, task_id: str) -> Iterator[dict[str, Any]]:
    """The interrupts of a write: LangGraph's own, or whatever else stands in the channel."""
    given = value if isinstance(value, list | tuple) else [value]
    for place, each in enumerate(given):
        named = getattr(each, "id", None) or getattr(each, "interrupt_id", None)
        question = getattr(each, "value", each)
        asked: dict[str, Any] = {
            "graph_id": str(named or (task_id if place == 0 else f"{task_id}:{place}")),
            "value": to_json(question),
        }
        if isinstance(question, Mapping):
            if isinstance(question.get(ANSWER_SCHEMA), Mapping):
                asked["schema"] = to_json(question[ANSWER_SCHEMA])
            if isinstance(question.get(TIMEOUT), int):
                asked["timeout_seconds"] = question[TIMEOUT]
        yield asked


def _is_scalar(value: Any) -> bool:
    return value is None or isinstance(value, str | int | float | bool)


def _is_plain(value: Any, depth: int = 0) -> bool:
    """Whether JSON gives the value back as it is: no tuples, no keys but texts, and no 3.0, which reads as 3."""
    kind = type(value)
    if kind is str:
        return value.isascii() or not any("\ud800" <= each <= "\udfff" for each in value)
    if kind in (int, bool, type(None)):
        return kind is not int or abs(value) < 2**63
    if kind is float:
        return math.isfinite(value) and not value.is_integer()
    if depth > MAX_DEPTH:
        return False
    if kind is list:
        return all(_is_plain(each, depth + 1) for each in value)
    return kind is dict and all(type(name) is str and _is_plain(each, depth + 1) for name, each in value.items())
