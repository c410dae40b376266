"""`threads/{id}/checkpoints`, `/state` and `/writes`, and what is done to checkpoints of many threads."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from episodes.threads.actions.checkpoints import put_checkpoint
from episodes.threads.actions.deletion import delete_runs, prune_threads
from episodes.threads.actions.writes import put_writes
from episodes.threads.api import shapes
from episodes.threads.api.common import (
    CHECKPOINT_ID,
    CURSOR,
    LIMIT,
    NS,
    VALUE,
    ThreadApiView,
    read_value,
    text_or_none,
    thread_operation,
)
from episodes.threads.api.rendering import render_checkpoint, render_receipt
from episodes.threads.core import limits
from episodes.threads.core.drafts import CheckpointDraft, InterruptDraft, TaskWrites, WriteDraft
from episodes.threads.errors import (
    CheckpointTaken,
    InvalidThread,
    StateTooLarge,
    ThreadMoved,
    UnknownParent,
    UnknownSerializer,
    UnknownThreadCheckpoint,
)
from episodes.threads.selectors import CheckpointSearch, get_state, search_checkpoints
from knowledge.errors import FactKeysMissing
from memoryproject.rest.bodies import Body
from memoryproject.rest.forms import ID, form, text
from memoryproject.rest.operations import reply
from memoryproject.rest.parameters import Parameters, TextParameter

VERSION = {"type": ["string", "integer", "number"], "maxLength": limits.MAX_VERSION_LENGTH}
CHANNEL_NAMES = {"minLength": 1, "maxLength": limits.MAX_CHANNEL_LENGTH, "pattern": r"^[^\x00]+$"}
CHANNELS = {"type": "object", "maxProperties": limits.MAX_CHANNELS, "propertyNames": CHANNEL_NAMES}
PUT = form(
    {
        "checkpoint": {
            "type": "object",
            "required": ["id"],
            "properties": {"id": CHECKPOINT_ID, "channel_versions": {**CHANNELS, "additionalProperties": VERSION}},
            "description": "As LangGraph makes it, without `channel_values`.",
        }
    },
    {
        "ns": NS,
        "parent_id": CHECKPOINT_ID,
        "metadata": {"type": "object", "description": "`source`, `step`, `run_id` and more: filters find them."},
        "values": {
            **CHANNELS,
            "additionalProperties": VALUE,
            "description": "Channels that changed; what has the version of the parent has its value.",
        },
        "expected_head": text_or_none(
            limits.MAX_CHECKPOINT_ID_LENGTH,
            "Where the namespace stood when it was read, empty for nothing: refused if it moved since.",
        ),
    },
)
INTERRUPT = form(
    {"graph_id": text(limits.MAX_TASK_ID_LENGTH), "value": {"description": "The question."}},
    {
        "schema": {"type": "object", "description": "JSON Schema that an answer has to fit."},
        "timeout_seconds": {"type": "integer", "minimum": 1, "maximum": limits.MAX_ANSWER_SECONDS},
    },
)
WRITES = form(
    {
        "checkpoint_id": CHECKPOINT_ID,
        "task_id": text(limits.MAX_TASK_ID_LENGTH),
        "writes": {
            "type": "array",
            "maxItems": limits.MAX_WRITES,
            "items": form({"channel": text(limits.MAX_CHANNEL_LENGTH), "value": VALUE}),
        },
    },
    {
        "ns": NS,
        "task_path": text_or_none(limits.MAX_TASK_PATH_LENGTH),
        "interrupts": {
            "type": "array",
            "maxItems": 20,
            "description": "In JSON, what the task asks of people.",
            "items": INTERRUPT,
        },
        "answers": {
            "type": "array",
            "maxItems": 100,
            "items": {},
            "description": "In JSON, what the task was resumed with.",
        },
    },
)
SEARCH = form(
    {},
    {
        "thread_id": text(limits.MAX_THREAD_ID_LENGTH),
        "ns": NS,
        "checkpoint_id": CHECKPOINT_ID,
        "before": {**CHECKPOINT_ID, "description": "Only those whose id sorts before it."},
        "filter": {"type": "object", "maxProperties": 20, "description": "Members of metadata, each equal."},
        "cursor": ID,
        "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 50},
    },
)
THREAD_IDS = {"type": "array", "maxItems": limits.MAX_THREADS_PER_CALL, "items": text(limits.MAX_THREAD_ID_LENGTH)}
STRATEGY = {"type": "string", "enum": ["keep_latest", "delete"], "default": "keep_latest"}
RUN_IDS = {"type": "array", "maxItems": limits.MAX_RUNS_PER_CALL, "items": text(200)}
STATE = Parameters(
    (
        TextParameter("ns", "The subgraph; left out: the root graph.", "node:1", limits.MAX_NAMESPACE_LENGTH),
        TextParameter(
            "checkpoint_id", "Left out: where the thread stands.", shapes.SECOND, limits.MAX_CHECKPOINT_ID_LENGTH
        ),
    )
)
LIST = Parameters(
    (
        TextParameter("ns", "The subgraph; left out: all.", "node:1", limits.MAX_NAMESPACE_LENGTH),
        TextParameter("before", "Only those whose id sorts before it.", shapes.SECOND, limits.MAX_CHECKPOINT_ID_LENGTH),
        CURSOR,
        LIMIT,
    )
)


class ThreadCheckpointsView(ThreadApiView):
    """`threads/{thread_id}/checkpoints`."""

    @thread_operation("thread_checkpoints_list", shapes.CheckpointPage, FactKeysMissing, parameters=LIST)
    def get(self, request: Request, thread_id: str) -> Response:
        """List a thread's checkpoints."""
        values = self.values
        place = self.find_place(thread_id)
        search = CheckpointSearch(thread_id=place.thread_id, ns=values.get("ns"), before=values.get("before"))
        return answer_page(self, search, values.get("cursor"), values["limit"])

    @thread_operation(
        "thread_checkpoints_put",
        shapes.PlacedShape,
        UnknownSerializer,
        StateTooLarge,
        UnknownParent,
        CheckpointTaken,
        ThreadMoved,
        FactKeysMissing,
        body=Body(PUT),
        sent={
            "a checkpoint": {
                "checkpoint": {**shapes.CHECKPOINT, "id": shapes.FIRST, "channel_versions": {"plan": 1}},
                "metadata": {"source": "input", "step": -1, "parents": {}},
                "values": shapes.PLAN,
            }
        },
    )
    def post(self, request: Request, thread_id: str) -> Response:
        """Keep a checkpoint.

        Values are kept as they are, sealed, and once each. The same checkpoint sent again is a success; another under
        its id is refused. It becomes the head of its namespace.
        """
        body = self.body
        draft = CheckpointDraft(
            checkpoint=body["checkpoint"],
            ns=body.get("ns", ""),
            parent_id=body.get("parent_id", ""),
            metadata=body.get("metadata", {}),
            values={name: read_value(sent) for name, sent in body.get("values", {}).items()},
            expected_head=body.get("expected_head"),
        )
        is_new = put_checkpoint(self.find_place(thread_id), draft)
        placed = {"thread_id": thread_id, "ns": draft.ns, "checkpoint_id": draft.checkpoint_id}
        return Response({**placed, "is_new": is_new})


class ThreadStateView(ThreadApiView):
    """`threads/{thread_id}/state`."""

    @thread_operation(
        "threads_state", shapes.CheckpointShape, UnknownThreadCheckpoint, FactKeysMissing, parameters=STATE
    )
    def get(self, request: Request, thread_id: str) -> Response:
        """Read where a thread stands.

        The newest checkpoint that holds, or the one that is named, with its values and what tasks wrote.
        """
        values = self.values
        place = self.find_place(thread_id)
        found = get_state(place, ns=values.get("ns", ""), checkpoint_id=values.get("checkpoint_id"))
        return Response(render_checkpoint(found))


class ThreadWritesView(ThreadApiView):
    """`threads/{thread_id}/writes`."""

    @thread_operation(
        "thread_writes_put",
        shapes.ThreadWrittenShape,
        UnknownSerializer,
        StateTooLarge,
        FactKeysMissing,
        body=Body(WRITES),
        sent={
            "an interrupt": {
                "checkpoint_id": shapes.SECOND,
                "task_id": "task-1",
                "writes": [{"channel": "__interrupt__", "value": {"type": "json", "json": shapes.QUESTION}}],
                "interrupts": [{"graph_id": "ask-1", "value": shapes.QUESTION, "schema": shapes.ANSWER_SCHEMA}],
            }
        },
    )
    def post(self, request: Request, thread_id: str) -> Response:
        """Keep what a task wrote under a checkpoint.

        Sent again, it changes nothing: a task's write under an index holds; of `__error__`, `__scheduled__`,
        `__interrupt__` and `__resume__` the last one does. `interrupts` stop the thread and wait for a person. The
        checkpoint may come later than its writes.
        """
        body = self.body
        task = TaskWrites(
            checkpoint_id=body["checkpoint_id"],
            task_id=body["task_id"],
            ns=body.get("ns", ""),
            task_path=body.get("task_path", ""),
            writes=[WriteDraft(each["channel"], read_value(each["value"])) for each in body["writes"]],
            interrupts=[
                InterruptDraft(each["graph_id"], each["value"], each.get("schema"), each.get("timeout_seconds"))
                for each in body.get("interrupts", ())
            ],
            answers=body.get("answers", ()),
        )
        waiting = put_writes(self.find_place(thread_id), task, author=self.author)
        return Response({"writes": len(task.writes), "open_interrupts": waiting})


class CheckpointSearchView(ThreadApiView):
    """`checkpoints/search`."""

    @thread_operation(
        "checkpoints_search",
        shapes.CheckpointPage,
        InvalidThread,
        FactKeysMissing,
        path=(),
        body=Body(SEARCH),
        sent={"of a run": {"thread_id": "thread-1", "filter": {"run_id": "run-1"}}},
        is_body_optional=True,
    )
    def post(self, request: Request) -> Response:
        """Search checkpoints of one thread, or of all.

        Of one thread by their ids, newest first; of all as they came.
        """
        body = self.body
        search = CheckpointSearch(
            thread_id=body.get("thread_id"),
            ns=body.get("ns"),
            checkpoint_id=body.get("checkpoint_id"),
            before=body.get("before"),
            filters=body.get("filter"),
        )
        return answer_page(self, search, body.get("cursor"), body.get("limit", 50))


class CheckpointPruningView(ThreadApiView):
    """`checkpoints/prune`."""

    @thread_operation(
        "checkpoints_prune",
        reply(shapes.ThreadReceiptShape, kind="prune", counts={"checkpoints": 98, "writes": 12, "values": 40}),
        path=(),
        body=Body(form({"thread_ids": THREAD_IDS}, {"strategy": STRATEGY})),
        sent={"two threads": {"thread_ids": ["thread-1", "thread-2"]}},
    )
    def post(self, request: Request) -> Response:
        """Delete older checkpoints of threads.

        `keep_latest` leaves the newest of each namespace, with what its delta channels are rebuilt from; `delete`
        leaves nothing. For good; a rollback to what is gone is no longer possible.
        """
        body = self.body
        receipt = prune_threads(
            tenant_id=self.caller.tenant_id,
            world_id=self.world_id,
            thread_ids=body["thread_ids"],
            keeps_latest=body.get("strategy", "keep_latest") == "keep_latest",
            by=self.author,
        )
        return Response(render_receipt(receipt))


class CheckpointRunsView(ThreadApiView):
    """`checkpoints/delete-runs`."""

    @thread_operation(
        "checkpoints_delete_runs",
        reply(shapes.ThreadReceiptShape, kind="runs", counts={"checkpoints": 3, "writes": 2, "values": 2, "kept": 0}),
        path=(),
        body=Body(form({"run_ids": RUN_IDS})),
        sent={"a run": {"run_ids": ["run-1"]}},
    )
    def post(self, request: Request) -> Response:
        """Delete the checkpoints of runs.

        For good. `counts.kept`: those that a later state's delta channels are rebuilt from.
        """
        receipt = delete_runs(
            tenant_id=self.caller.tenant_id, world_id=self.world_id, run_ids=self.body["run_ids"], by=self.author
        )
        return Response(render_receipt(receipt))


def answer_page(view: ThreadApiView, search: CheckpointSearch, after: int | None, limit: int) -> Response:
    """A page of checkpoints."""
    found, cursor = search_checkpoints(
        tenant_id=view.caller.tenant_id, world_id=view.world_id, search=search, after=after, limit=limit
    )
    return Response({"data": [render_checkpoint(each) for each in found], "next_cursor": cursor})
