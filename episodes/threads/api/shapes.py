"""What the REST interface of threads answers."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from typing_extensions import TypedDict

from memoryproject.rest.typed_dicts import Time, member

StateName = Literal["running", "interrupted", "approved", "rejected"]
InterruptStateName = Literal["open", "approved", "rejected"]
WHEN = "2026-03-01T19:00:00Z"
FIRST, SECOND = "1f0c6a52-1b7e-6d10-bfff-4b7e9a558a4d", "1f0c6a52-2c01-6b84-8000-6c0e9a551b2e"
PLAN = {"plan": {"type": "json", "json": {"goal": "open the moon door"}}}
QUESTION = "Spend the last key?"
ANSWER_SCHEMA = {"type": "object", "required": ["spend"], "properties": {"spend": {"type": "boolean"}}}
CHECKPOINT = {
    "v": 1,
    "id": SECOND,
    "ts": WHEN,
    "channel_versions": {"plan": 2},
    "versions_seen": {},
    "updated_channels": None,
}


class ThreadHead(TypedDict):
    """The checkpoint of the root graph at which a thread stands."""

    checkpoint_id: Annotated[str, member(SECOND)]
    step: Annotated[int | None, member(0)]
    source: Annotated[str, member("loop")]


class ThreadShape(TypedDict):
    """A thread, and where it stands."""

    thread_id: Annotated[str, member("thread-1")]
    title: Annotated[str, member("The moon door")]
    state: Annotated[
        StateName, member("interrupted", "Approved and rejected: a person answered, the agent has not gone on yet.")
    ]
    head: ThreadHead | None
    user_id: Annotated[str | None, member("player-1")]
    conversation_id: Annotated[int | None, member(7)]
    campaign_id: Annotated[str | None, member("camp_123")]
    checkpoint_count: Annotated[int, member(2)]
    open_interrupts: Annotated[int, member(1)]
    created_at: Annotated[Time, member(WHEN)]
    used_at: Annotated[Time, member(WHEN, "Within the hour.")]
    expires_at: Annotated[Time, member("2026-03-31T20:00:00Z", "Deleted then, if nobody uses it.")]


class ThreadList(TypedDict):
    """Threads, newest first; `next_cursor` is null at the end."""

    data: list[ThreadShape]
    next_cursor: Annotated[int | None, member(None)]


class ValueShape(TypedDict):
    """A value of a state: JSON as `json`, anything else as `data`, in base64."""

    type: Annotated[str, member("json")]
    json: NotRequired[Annotated[Any, member({"goal": "open the moon door"}, "Of the type json.")]]
    data: NotRequired[Annotated[str | None, member(description="Of any other type.")]]


class WriteShape(TypedDict):
    """What a task wrote under a checkpoint."""

    task_id: Annotated[str, member("task-1")]
    channel: Annotated[str, member("__interrupt__")]
    index: Annotated[int, member(-3, "Below zero: a special channel, of which the last write holds.")]
    task_path: Annotated[str, member("")]
    value: ValueShape


class CheckpointShape(TypedDict):
    """The state of a thread after a step, with what tasks wrote for the next one."""

    thread_id: Annotated[str, member("thread-1")]
    ns: Annotated[str, member("")]
    checkpoint_id: Annotated[str, member(SECOND)]
    parent_id: Annotated[str | None, member(FIRST)]
    checkpoint: Annotated[dict[str, Any], member(CHECKPOINT)]
    metadata: Annotated[dict[str, Any], member({"source": "loop", "step": 0, "parents": {}})]
    values: Annotated[dict[str, ValueShape], member(PLAN)]
    writes: Annotated[list[WriteShape], member([])]
    is_current: Annotated[
        bool, member(True, "False: a rollback left its line; a rollback to it brings that line back.")
    ]
    created_at: Annotated[Time, member(WHEN)]


class CheckpointPage(TypedDict):
    """Checkpoints, newest first; `next_cursor` is null at the end."""

    data: list[CheckpointShape]
    next_cursor: Annotated[int | None, member(None)]


class PlacedShape(TypedDict):
    """Where a checkpoint was kept."""

    thread_id: Annotated[str, member("thread-1")]
    ns: Annotated[str, member("")]
    checkpoint_id: Annotated[str, member(FIRST)]
    is_new: Annotated[bool, member(True, "False: it was kept before.")]


class ThreadWrittenShape(TypedDict):
    """That writes were kept."""

    writes: Annotated[int, member(1)]
    open_interrupts: Annotated[int, member(1, "Questions that wait for a person now.")]


class ThreadReceiptShape(TypedDict):
    """What was deleted, by numbers."""

    receipt_id: Annotated[str, member("8b1c7e52-5d5c-4b7e-9a55-8a4d7b1f3c11")]
    kind: Annotated[Literal["deletion", "prune", "runs", "expiry", "erasure"], member("deletion")]
    counts: Annotated[
        dict[str, int],
        member({"threads": 1, "writes": 1, "interrupts": 1, "checkpoints": 2, "values": 1, "rollbacks": 0}),
    ]
    created_at: Annotated[Time, member(WHEN)]


class CopyShape(TypedDict):
    """What a copy has."""

    thread_id: Annotated[str, member("thread-2")]
    counts: Annotated[dict[str, int], member({"values": 1, "checkpoints": 2, "writes": 1, "interrupts": 1})]


class ThreadRollbackShape(TypedDict):
    """What a rollback of a thread changed, or would change."""

    thread_id: Annotated[str, member("thread-1")]
    checkpoint_id: Annotated[str, member(FIRST)]
    undo_checkpoint_id: Annotated[str | None, member(SECOND, "A rollback to it undoes this one.")]
    dry_run: Annotated[bool, member(False)]
    is_changed: Annotated[bool, member(True)]
    undone: Annotated[list[str], member([SECOND], "Checkpoints that hold no more; nothing is deleted.")]
    restored: Annotated[list[str], member([])]
    interrupts_closed: Annotated[int, member(1)]
    play: Annotated[
        dict[str, Any] | None, member(None, "What it did to the thread's campaign, as `campaigns/…/rollback`.")
    ]


class InterruptShape(TypedDict):
    """A question of an agent, and the answer to it."""

    interrupt_id: Annotated[int, member(5)]
    graph_id: Annotated[str, member("ask-1", "The graph's own id of it.")]
    thread_id: Annotated[str, member("thread-1")]
    ns: Annotated[str, member("")]
    checkpoint_id: Annotated[str, member(SECOND)]
    task_id: Annotated[str, member("task-1")]
    asked: Annotated[Any, member(QUESTION)]
    schema: Annotated[dict[str, Any] | None, member(ANSWER_SCHEMA, "What an answer has to fit.")]
    state: Annotated[InterruptStateName, member("open")]
    answer: Annotated[Any, member(None)]
    reason: Annotated[str, member("", "Why it was rejected.")]
    decided_by: Annotated[str, member("")]
    decided_at: Annotated[Time | None, member(None)]
    resumed_at: Annotated[Time | None, member(None, "When the agent went on.")]
    expires_at: Annotated[Time, member("2026-03-08T19:00:00Z", "Rejected then, if nobody answers.")]
    created_at: Annotated[Time, member(WHEN)]


class InterruptPage(TypedDict):
    """Interrupts, newest first; `next_cursor` is null at the end."""

    data: list[InterruptShape]
    next_cursor: Annotated[int | None, member(None)]
