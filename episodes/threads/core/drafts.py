"""What an agent sends to be kept: checkpoints, writes, interrupts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from episodes.threads.core.values import StateValue

DELTA_COUNTERS = "counters_since_delta_snapshot"
"""Metadata that names a graph's delta channels. Source: CheckpointMetadata of langgraph-checkpoint 4.3.2."""
STATE_COLUMNS = ("source", "step", "run_id")
"""Members of metadata that stand in columns: filters by them need no blind index."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a thread is looked for: the ids of one world, or of none, are its own."""

    tenant_id: int
    world_id: int | None
    thread_id: str


@dataclass(frozen=True, slots=True)
class CheckpointDraft:
    """A checkpoint with the values of the channels that changed."""

    checkpoint: Mapping[str, Any]
    ns: str = ""
    parent_id: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    values: Mapping[str, StateValue] = field(default_factory=dict)
    expected_head: str | None = None
    """Where the caller saw the namespace stand, an empty text for nothing yet; None: it does not matter."""

    @property
    def checkpoint_id(self) -> str:
        """Its own id."""
        return str(self.checkpoint["id"])

    @property
    def versions(self) -> Mapping[str, Any]:
        """Channel to version."""
        return self.checkpoint.get("channel_versions") or {}

    @property
    def root_id(self) -> str:
        """Of a subgraph's checkpoint, the root graph's under which it ran."""
        parents = self.metadata.get("parents")
        root = parents.get("", "") if isinstance(parents, Mapping) else ""
        return root if isinstance(root, str) else ""

    @property
    def delta_channels(self) -> list[str]:
        """Channels whose value is rebuilt from writes of checkpoints above."""
        counters = self.metadata.get(DELTA_COUNTERS)
        return sorted(counters) if isinstance(counters, Mapping) else []

    def read_text(self, name: str) -> str:
        """A member of the metadata, if it is a text, else an empty one."""
        value = self.metadata.get(name)
        return value if isinstance(value, str) else ""

    @property
    def step(self) -> int | None:
        """The number of the step."""
        step = self.metadata.get("step")
        return step if isinstance(step, int) and not isinstance(step, bool) and abs(step) < 2**31 else None


@dataclass(frozen=True, slots=True)
class WriteDraft:
    """One write of a task."""

    channel: str
    value: StateValue


@dataclass(frozen=True, slots=True)
class InterruptDraft:
    """What a task asks of a person."""

    graph_id: str
    asked: Any
    schema: Mapping[str, Any] | None = None
    timeout_seconds: int | None = None


@dataclass(frozen=True, slots=True)
class TaskWrites:
    """What a task wrote under a checkpoint."""

    checkpoint_id: str
    task_id: str
    ns: str = ""
    task_path: str = ""
    writes: Sequence[WriteDraft] = ()
    interrupts: Sequence[InterruptDraft] = ()
    answers: Sequence[Any] = ()
    """In JSON, what the task was resumed with, where it was."""


Channels = Mapping[str, Sequence[Any]]
"""Channel to its version and the digest of its value, or None."""


def inherit_channels(versions: Mapping[str, Any], sent: Mapping[str, str | None], parent: Channels) -> dict[str, Any]:
    """The channels of a checkpoint: what was sent, else what the parent has in the same version.

    >>> inherit_channels({"a": 2, "b": 1, "c": 1}, {"a": "f00"}, {"a": [1, "e"], "b": [1, "d"]})
    {'a': [2, 'f00'], 'b': [1, 'd']}
    """
    found: dict[str, Any] = {}
    for channel, version in versions.items():
        if channel in sent:
            found[channel] = [version, sent[channel]]
        elif channel in parent and parent[channel][0] == version:
            found[channel] = list(parent[channel])
    return found


def list_needed(
    heads: Sequence[str], parents: Mapping[str, str], channels: Mapping[str, Channels], delta: Sequence[str]
) -> set[str]:
    """The heads, and above each all checkpoints down from the nearest that has a value of every delta channel.

    Without these the state of delta channels would be rebuilt as empty, with no error. Source: its `prune`.

    >>> channels = {"c": {"m": [3, None]}, "b": {"m": [2, "f"]}, "a": {}}
    >>> sorted(list_needed(["c"], {"c": "b", "b": "a"}, channels, ["m"]))
    ['b', 'c']
    """
    needed: set[str] = set()
    for head in heads:
        missing = {name for name in delta if name in channels[head] and channels[head][name][1] is None}
        missing |= {name for name in delta if name not in channels[head]}
        needed.add(head)
        place = parents.get(head, "")
        while missing and place in channels:
            needed.add(place)
            missing -= {name for name, pair in channels[place].items() if pair[1] is not None}
            place = parents.get(place, "")
    return needed
