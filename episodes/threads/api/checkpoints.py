"""`threads/{id}/checkpoints`, `/state` and `/writes`, and what is done to checkpoints of many threads."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from episodes.threads.actions.checkpoints import put_checkpoint
from episodes.threads.actions.deletion import delete_runs, prune_threads
from episodes.threads.actions.writes import put_writes
from episodes.threads.api import examples, shapes
from episodes.threads.api.common import (
    CHECKPOINT_ID,
    CURSOR,
    LIMIT,
    NS,
    THREAD_ID,
    VALUE,
    ThreadApiView,
    read_value,
)
from episodes.threads.api.common import describe_text as text
from episodes.threads.api.rendering import render_checkpoint, render_receipt
from episodes.threads.core import limits
from episodes.threads.core.drafts import CheckpointDraft, InterruptDraft, TaskWrites, WriteDraft
from episodes.threads.selectors import CheckpointSearch, get_state, search_checkpoints
from tenancy.api.bodies import Body
from tenancy.api.parameters import MAX_ID, NO_PARAMETERS, Parameters, TextParameter
from tenancy.api.schemas import BODY_CODES, describe_headers
from tenancy.api.shapes import describe_answer

VERSION = {"type": ["string", "integer", "number"], "maxLength": limits.MAX_VERSION_LENGTH}
CHANNEL_NAMES = {"minLength": 1, "maxLength": limits.MAX_CHANNEL_LENGTH, "pattern": r"^[^\x00]+$"}
PUT_BODY: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["checkpoint"],
    "properties": {
        "checkpoint": {
            "type": "object",
            "required": ["id"],
            "properties": {
                "id": CHECKPOINT_ID,
                "channel_versions": {
                    "type": "object",
                    "maxProperties": limits.MAX_CHANNELS,
                    "propertyNames": CHANNEL_NAMES,
                    "additionalProperties": VERSION,
                },
            },
            "description": "As LangGraph makes it, without `channel_values`.",
        },
        "ns": NS,
        "parent_id": CHECKPOINT_ID,
        "metadata": {"type": "object", "description": "`source`, `step`, `run_id` and more: filters find them."},
        "values": {
            "type": "object",
            "maxProperties": limits.MAX_CHANNELS,
            "propertyNames": CHANNEL_NAMES,
            "additionalProperties": VALUE,
            "description": "Channels that changed; what has the version of the parent has its value.",
        },
        "expected_head": {
            **text(limits.MAX_CHECKPOINT_ID_LENGTH, may_be_empty=True),
            "description": "Where the namespace stood when it was read, empty for nothing: refused if it moved since.",
        },
    },
}
WRITES_BODY: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["checkpoint_id", "task_id", "writes"],
    "properties": {
        "ns": NS,
        "checkpoint_id": CHECKPOINT_ID,
        "task_id": text(limits.MAX_TASK_ID_LENGTH),
        "task_path": text(limits.MAX_TASK_PATH_LENGTH, may_be_empty=True),
        "writes": {
            "type": "array",
            "maxItems": limits.MAX_WRITES,
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["channel", "value"],
                "properties": {"channel": text(limits.MAX_CHANNEL_LENGTH), "value": VALUE},
            },
        },
        "interrupts": {
            "type": "array",
            "maxItems": 20,
            "description": "In JSON, what the task asks of people.",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["graph_id", "value"],
                "properties": {
                    "graph_id": text(limits.MAX_TASK_ID_LENGTH),
                    "value": {"description": "The question."},
                    "schema": {"type": "object", "description": "JSON Schema that an answer has to fit."},
                    "timeout_seconds": {"type": "integer", "minimum": 1, "maximum": limits.MAX_ANSWER_SECONDS},
                },
            },
        },
        "answers": {
            "type": "array",
            "maxItems": 100,
            "items": {},
            "description": "In JSON, what the task was resumed with.",
        },
    },
}
SEARCH_BODY: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "thread_id": text(limits.MAX_THREAD_ID_LENGTH),
        "ns": NS,
        "checkpoint_id": CHECKPOINT_ID,
        "before": {**CHECKPOINT_ID, "description": "Only those whose id sorts before it."},
        "filter": {"type": "object", "maxProperties": 20, "description": "Members of metadata, each equal."},
        "cursor": {"type": "integer", "minimum": 1, "maximum": MAX_ID},
        "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 50},
    },
}
PRUNE_BODY: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["thread_ids"],
    "properties": {
        "thread_ids": {
            "type": "array",
            "maxItems": limits.MAX_THREADS_PER_CALL,
            "items": text(limits.MAX_THREAD_ID_LENGTH),
        },
        "strategy": {"type": "string", "enum": ["keep_latest", "delete"], "default": "keep_latest"},
    },
}
RUNS_BODY: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["run_ids"],
    "properties": {
        "run_ids": {"type": "array", "maxItems": limits.MAX_RUNS_PER_CALL, "items": text(200)},
    },
}
STATE = Parameters(
    (
        TextParameter("ns", "The subgraph; left out: the root graph.", "node:1", limits.MAX_NAMESPACE_LENGTH),
        TextParameter(
            "checkpoint_id", "Left out: where the thread stands.", examples.SECOND, limits.MAX_CHECKPOINT_ID_LENGTH
        ),
    )
)
LIST = Parameters(
    (
        TextParameter("ns", "The subgraph; left out: all.", "node:1", limits.MAX_NAMESPACE_LENGTH),
        TextParameter(
            "before",
            "Only those whose id sorts before it.",
            examples.SECOND,
            limits.MAX_CHECKPOINT_ID_LENGTH,
        ),
        CURSOR,
        LIMIT,
    )
)
PUT, WRITES, SEARCH = Body(PUT_BODY), Body(WRITES_BODY), Body(SEARCH_BODY)
PRUNE, RUNS = Body(PRUNE_BODY), Body(RUNS_BODY)
PAGE = {"data": [examples.CHECKPOINT], "next_cursor": None}


class ThreadCheckpointsView(ThreadApiView):
    """`threads/{thread_id}/checkpoints`."""

    @extend_schema(
        operation_id="thread_checkpoints_list",
        tags=["Threads"],
        summary="List a thread's checkpoints",
        parameters=[THREAD_ID, *LIST.describe(), *describe_headers()],
        responses=describe_answer(shapes.CheckpointPage, PAGE, examples.FORM_CODES, examples.KEY_CODES),
    )
    def get(self, request: Request, thread_id: str) -> Response:
        """List a thread's checkpoints."""
        values = LIST.read(request)
        place = self.find_place(thread_id)
        search = CheckpointSearch(thread_id=place.thread_id, ns=values.get("ns"), before=values.get("before"))
        return answer_page(self, search, values.get("cursor"), values["limit"])

    @extend_schema(
        operation_id="thread_checkpoints_put",
        tags=["Threads"],
        summary="Keep a checkpoint",
        description="Values are kept as they are, sealed, and once each. The same checkpoint sent again is a success; "
        "another under its id is refused. It becomes the head of its namespace.",
        parameters=[THREAD_ID, *describe_headers()],
        request={"application/json": PUT_BODY},
        examples=[OpenApiExample("a checkpoint", examples.PUT, request_only=True)],
        responses=describe_answer(
            shapes.PlacedShape,
            {"thread_id": "thread-1", "ns": "", "checkpoint_id": examples.FIRST, "is_new": True},
            examples.FORM_CODES,
            examples.VALUE_CODES,
            examples.PUT_CODES,
            examples.KEY_CODES,
            BODY_CODES,
        ),
    )
    def post(self, request: Request, thread_id: str) -> Response:
        """Keep a checkpoint."""
        NO_PARAMETERS.read(request)
        body = PUT.read(request)
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

    @extend_schema(
        operation_id="threads_state",
        tags=["Threads"],
        summary="Read where a thread stands",
        description="The newest checkpoint that holds, or the one that is named, with its values and what tasks wrote.",
        parameters=[THREAD_ID, *STATE.describe(), *describe_headers()],
        responses=describe_answer(
            shapes.CheckpointShape,
            examples.CHECKPOINT,
            examples.FORM_CODES,
            examples.STATE_CODES,
            examples.KEY_CODES,
        ),
    )
    def get(self, request: Request, thread_id: str) -> Response:
        """Read where a thread stands."""
        values = STATE.read(request)
        place = self.find_place(thread_id)
        found = get_state(place, ns=values.get("ns", ""), checkpoint_id=values.get("checkpoint_id"))
        return Response(render_checkpoint(found))


class ThreadWritesView(ThreadApiView):
    """`threads/{thread_id}/writes`."""

    @extend_schema(
        operation_id="thread_writes_put",
        tags=["Threads"],
        summary="Keep what a task wrote under a checkpoint",
        description="Sent again, it changes nothing: a task's write under an index holds; of `__error__`, "
        "`__scheduled__`, `__interrupt__` and `__resume__` the last one does. `interrupts` stop the thread and wait "
        "for a person. The checkpoint may come later than its writes.",
        parameters=[THREAD_ID, *describe_headers()],
        request={"application/json": WRITES_BODY},
        examples=[OpenApiExample("an interrupt", examples.WRITES, request_only=True)],
        responses=describe_answer(
            shapes.ThreadWrittenShape,
            {"writes": 1, "open_interrupts": 1},
            examples.FORM_CODES,
            examples.VALUE_CODES,
            examples.KEY_CODES,
            BODY_CODES,
        ),
    )
    def post(self, request: Request, thread_id: str) -> Response:
        """Keep what a task wrote under a checkpoint."""
        NO_PARAMETERS.read(request)
        body = WRITES.read(request)
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

    @extend_schema(
        operation_id="checkpoints_search",
        extensions={"x-optional-body": True},
        tags=["Threads"],
        summary="Search checkpoints of one thread, or of all",
        description="Of one thread by their ids, newest first; of all as they came.",
        parameters=describe_headers(),
        request={"application/json": SEARCH_BODY},
        examples=[
            OpenApiExample("of a run", {"thread_id": "thread-1", "filter": {"run_id": "run-1"}}, request_only=True)
        ],
        responses=describe_answer(shapes.CheckpointPage, PAGE, examples.FORM_CODES, examples.KEY_CODES, BODY_CODES),
    )
    def post(self, request: Request) -> Response:
        """Search checkpoints of one thread, or of all."""
        NO_PARAMETERS.read(request)
        body = SEARCH.read(request)
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

    @extend_schema(
        operation_id="checkpoints_prune",
        tags=["Threads"],
        summary="Delete older checkpoints of threads",
        description="`keep_latest` leaves the newest of each namespace, with what its delta channels are rebuilt from; "
        "`delete` leaves nothing. For good; a rollback to what is gone is no longer possible.",
        parameters=describe_headers(),
        request={"application/json": PRUNE_BODY},
        examples=[OpenApiExample("two threads", {"thread_ids": ["thread-1", "thread-2"]}, request_only=True)],
        responses=describe_answer(
            shapes.ThreadReceiptShape,
            {**examples.RECEIPT, "kind": "prune", "counts": {"checkpoints": 98, "writes": 12, "values": 40}},
            BODY_CODES,
        ),
    )
    def post(self, request: Request) -> Response:
        """Delete older checkpoints of threads."""
        NO_PARAMETERS.read(request)
        body = PRUNE.read(request)
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

    @extend_schema(
        operation_id="checkpoints_delete_runs",
        tags=["Threads"],
        summary="Delete the checkpoints of runs",
        description="For good. `counts.kept`: those that a later state's delta channels are rebuilt from.",
        parameters=describe_headers(),
        request={"application/json": RUNS_BODY},
        examples=[OpenApiExample("a run", {"run_ids": ["run-1"]}, request_only=True)],
        responses=describe_answer(
            shapes.ThreadReceiptShape,
            {
                **examples.RECEIPT,
                "kind": "runs",
                "counts": {"checkpoints": 3, "writes": 2, "values": 2, "kept": 0},
            },
            BODY_CODES,
        ),
    )
    def post(self, request: Request) -> Response:
        """Delete the checkpoints of runs."""
        NO_PARAMETERS.read(request)
        run_ids = RUNS.read(request)["run_ids"]
        receipt = delete_runs(tenant_id=self.caller.tenant_id, world_id=self.world_id, run_ids=run_ids, by=self.author)
        return Response(render_receipt(receipt))


def answer_page(view: ThreadApiView, search: CheckpointSearch, after: int | None, limit: int) -> Response:
    """A page of checkpoints."""
    found, cursor = search_checkpoints(
        tenant_id=view.caller.tenant_id, world_id=view.world_id, search=search, after=after, limit=limit
    )
    return Response({"data": [render_checkpoint(each) for each in found], "next_cursor": cursor})
