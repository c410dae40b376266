"""What the REST interface of threads answers."""

from __future__ import annotations

import datetime as dt
from typing import Any, Literal

from pydantic import BaseModel, Field

StateName = Literal["running", "interrupted", "approved", "rejected"]
InterruptStateName = Literal["open", "approved", "rejected"]


class ThreadHead(BaseModel):
    """The checkpoint of the root graph at which a thread stands."""

    checkpoint_id: str
    step: int | None
    source: str


class ThreadShape(BaseModel):
    """A thread, and where it stands."""

    thread_id: str
    title: str
    state: StateName = Field(description="Approved and rejected: a person answered, the agent has not gone on yet.")
    head: ThreadHead | None
    user_id: str | None
    conversation_id: int | None
    campaign_id: str | None
    checkpoint_count: int
    open_interrupts: int
    created_at: dt.datetime
    used_at: dt.datetime = Field(description="Within the hour.")
    expires_at: dt.datetime = Field(description="Deleted then, if nobody uses it.")


class ThreadList(BaseModel):
    """Threads, newest first; `next_cursor` is null at the end."""

    data: list[ThreadShape]
    next_cursor: int | None


class ValueShape(BaseModel):
    """A value of a state: JSON as `json`, anything else as `data`, in base64."""

    type: str
    value: Any = Field(None, alias="json", description="Of the type json.")
    data: str | None = Field(None, description="Of any other type.")


class WriteShape(BaseModel):
    """What a task wrote under a checkpoint."""

    task_id: str
    channel: str
    index: int = Field(description="Below zero: a special channel, of which the last write holds.")
    task_path: str
    value: ValueShape


class CheckpointShape(BaseModel):
    """The state of a thread after a step, with what tasks wrote for the next one."""

    thread_id: str
    ns: str
    checkpoint_id: str
    parent_id: str | None
    checkpoint: dict[str, Any]
    metadata: dict[str, Any]
    values: dict[str, ValueShape]
    writes: list[WriteShape]
    is_current: bool = Field(description="False: a rollback left its line; a rollback to it brings that line back.")
    created_at: dt.datetime


class CheckpointPage(BaseModel):
    """Checkpoints, newest first; `next_cursor` is null at the end."""

    data: list[CheckpointShape]
    next_cursor: int | None


class PlacedShape(BaseModel):
    """Where a checkpoint was kept."""

    thread_id: str
    ns: str
    checkpoint_id: str
    is_new: bool = Field(description="False: it was kept before.")


class ThreadWrittenShape(BaseModel):
    """That writes were kept."""

    writes: int
    open_interrupts: int = Field(description="Questions that wait for a person now.")


class ThreadReceiptShape(BaseModel):
    """What was deleted, by numbers."""

    receipt_id: str
    kind: Literal["deletion", "prune", "runs", "expiry", "erasure"]
    counts: dict[str, int]
    created_at: dt.datetime


class CopyShape(BaseModel):
    """What a copy has."""

    thread_id: str
    counts: dict[str, int]


class ThreadRollbackShape(BaseModel):
    """What a rollback of a thread changed, or would change."""

    thread_id: str
    checkpoint_id: str
    undo_checkpoint_id: str | None = Field(description="A rollback to it undoes this one.")
    dry_run: bool
    is_changed: bool
    undone: list[str] = Field(description="Checkpoints that hold no more; nothing is deleted.")
    restored: list[str]
    interrupts_closed: int
    play: dict[str, Any] | None = Field(description="What it did to the thread's campaign, as `campaigns/…/rollback`.")


class InterruptShape(BaseModel):
    """A question of an agent, and the answer to it."""

    interrupt_id: int
    graph_id: str = Field(description="The graph's own id of it.")
    thread_id: str
    ns: str
    checkpoint_id: str
    task_id: str
    asked: Any
    answer_schema: dict[str, Any] | None = Field(alias="schema", description="What an answer has to fit.")
    state: InterruptStateName
    answer: Any
    reason: str = Field(description="Why it was rejected.")
    decided_by: str
    decided_at: dt.datetime | None
    resumed_at: dt.datetime | None = Field(description="When the agent went on.")
    expires_at: dt.datetime = Field(description="Rejected then, if nobody answers.")
    created_at: dt.datetime


class InterruptPage(BaseModel):
    """Interrupts, newest first; `next_cursor` is null at the end."""

    data: list[InterruptShape]
    next_cursor: int | None
