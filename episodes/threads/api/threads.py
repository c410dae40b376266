"""`threads`: listed, bound, read, copied, rolled back, deleted."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from episodes.threads.actions.copies import copy_thread
from episodes.threads.actions.deletion import delete_thread
from episodes.threads.actions.rollbacks import roll_back_thread
from episodes.threads.actions.threads import Bindings, write_thread
from episodes.threads.api import examples, shapes
from episodes.threads.api.common import CHECKPOINT_ID, CURSOR, LIMIT, THREAD_ID, ThreadApiView, check_thread_id
from episodes.threads.api.common import describe_text as text
from episodes.threads.api.rendering import render_receipt, render_rollback, render_thread
from episodes.threads.core import limits
from episodes.threads.models import ThreadState
from episodes.threads.selectors import get_thread, list_threads, view_thread
from tenancy.api.bodies import Body
from tenancy.api.parameters import MAX_ID, NO_PARAMETERS, ChoiceParameter, Parameters
from tenancy.api.schemas import BODY_CODES, describe_headers
from tenancy.api.shapes import describe_answer

LIST = Parameters(
    (ChoiceParameter("state", "Only those in this state.", "interrupted", tuple(ThreadState.values)), CURSOR, LIMIT)
)
THREAD_BODY: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "title": text(200, may_be_empty=True),
        "user_id": text(200, "Whom it is about: it goes when this user is erased."),
        "conversation_id": {
            "type": "integer",
            "minimum": 1,
            "maximum": MAX_ID,
            "description": "It goes when a message of this conversation is forgotten.",
        },
        "campaign_id": text(120, "A rollback of the thread takes this campaign back, too."),
    },
}
COPY_BODY: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["target_thread_id"],
    "properties": {"target_thread_id": text(limits.MAX_THREAD_ID_LENGTH)},
}
ROLLBACK_BODY: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["checkpoint_id"],
    "properties": {
        "checkpoint_id": CHECKPOINT_ID,
        "reason": text(limits.MAX_REASON_LENGTH),
        "dry_run": {"type": "boolean", "default": False, "description": "What would change; nothing does."},
    },
}
THREAD, COPY, ROLLBACK = Body(THREAD_BODY), Body(COPY_BODY), Body(ROLLBACK_BODY)
DEFAULT_REASON = "asked for by the engine"


class ThreadsView(ThreadApiView):
    """`threads`."""

    @extend_schema(
        operation_id="threads_list",
        tags=["Threads"],
        summary="List threads",
        parameters=[*LIST.describe(), *describe_headers()],
        responses=describe_answer(shapes.ThreadList, {"data": [examples.THREAD], "next_cursor": None}),
    )
    def get(self, request: Request) -> Response:
        """List threads."""
        values = LIST.read(request)
        limit = values["limit"]
        found = list_threads(
            tenant_id=self.caller.tenant_id,
            world_id=self.world_id,
            state=values.get("state"),
            after=values.get("cursor"),
            limit=limit + 1,
        )
        cursor = found[limit - 1].thread.pk if len(found) > limit else None
        return Response({"data": [render_thread(each) for each in found[:limit]], "next_cursor": cursor})


class ThreadDetailView(ThreadApiView):
    """`threads/{thread_id}`."""

    @extend_schema(
        operation_id="threads_get",
        tags=["Threads"],
        summary="Read about a thread",
        parameters=[THREAD_ID, *describe_headers()],
        responses=describe_answer(shapes.ThreadShape, examples.THREAD, examples.FORM_CODES, examples.THREAD_CODES),
    )
    def get(self, request: Request, thread_id: str) -> Response:
        """Read about a thread."""
        NO_PARAMETERS.read(request)
        return Response(render_thread(get_thread(self.find_place(thread_id))))

    @extend_schema(
        operation_id="threads_write",
        extensions={"x-optional-body": True},
        tags=["Threads"],
        summary="Make a thread, or bind it to a user, a conversation, a campaign",
        description="A first checkpoint makes a thread, too. What it is bound to stays. Sent again, nothing changes.",
        parameters=[THREAD_ID, *describe_headers()],
        request={"application/json": THREAD_BODY},
        examples=[OpenApiExample("a thread", {"title": "The moon door"}, request_only=True)],
        responses={
            **describe_answer(
                shapes.ThreadShape, examples.THREAD, examples.FORM_CODES, examples.BINDING_CODES, BODY_CODES
            ),
            201: describe_answer(shapes.ThreadShape, examples.THREAD, status=201)[201],
        },
    )
    def put(self, request: Request, thread_id: str) -> Response:
        """Make a thread, or bind it to a user, a conversation, a campaign."""
        NO_PARAMETERS.read(request)
        body = THREAD.read(request)
        thread, is_new = write_thread(self.find_place(thread_id), Bindings(**body))
        return Response(render_thread(view_thread(thread)), status=201 if is_new else 200)

    @extend_schema(
        operation_id="threads_delete",
        tags=["Threads"],
        summary="Delete a thread with all that stands in it",
        description="For good. The receipt says how much; of a thread that is not there, nothing.",
        parameters=[THREAD_ID, *describe_headers()],
        responses=describe_answer(shapes.ThreadReceiptShape, examples.RECEIPT, examples.FORM_CODES),
    )
    def delete(self, request: Request, thread_id: str) -> Response:
        """Delete a thread with all that stands in it."""
        NO_PARAMETERS.read(request)
        return Response(render_receipt(delete_thread(self.find_place(thread_id), by=self.author)))


class ThreadCopyView(ThreadApiView):
    """`threads/{thread_id}/copy`."""

    @extend_schema(
        operation_id="threads_copy",
        tags=["Threads"],
        summary="Copy a thread",
        description="All that holds, with whole chains of parents, and what waits for people. What a rollback undid "
        "stays with the source.",
        parameters=[THREAD_ID, *describe_headers()],
        request={"application/json": COPY_BODY},
        examples=[OpenApiExample("a fork", {"target_thread_id": "thread-2"}, request_only=True)],
        responses=describe_answer(
            shapes.CopyShape,
            {"thread_id": "thread-2", "counts": {"values": 1, "checkpoints": 2, "writes": 1, "interrupts": 1}},
            examples.FORM_CODES,
            examples.THREAD_CODES,
            examples.COPY_CODES,
            BODY_CODES,
        ),
    )
    def post(self, request: Request, thread_id: str) -> Response:
        """Copy a thread."""
        NO_PARAMETERS.read(request)
        target = COPY.read(request)["target_thread_id"]
        check_thread_id(target)
        return Response({"thread_id": target, "counts": copy_thread(self.find_place(thread_id), target)})


class ThreadRollbackView(ThreadApiView):
    """`threads/{thread_id}/rollback`."""

    @extend_schema(
        operation_id="threads_rollback",
        tags=["Threads"],
        summary="Take a thread back to a checkpoint",
        description="The checkpoint becomes the head; nothing is deleted. What was told since in the thread's campaign "
        "is compensated as by `campaigns/…/rollback`. Interrupts that wait are closed. A rollback to "
        "`undo_checkpoint_id` undoes it. With `dry_run`: what would change.",
        parameters=[THREAD_ID, *describe_headers()],
        request={"application/json": ROLLBACK_BODY},
        examples=[
            OpenApiExample("dry run", {"checkpoint_id": examples.FIRST, "dry_run": True}, request_only=True),
            OpenApiExample(
                "rollback", {"checkpoint_id": examples.FIRST, "reason": "the door was no door"}, request_only=True
            ),
        ],
        responses=describe_answer(
            shapes.ThreadRollbackShape,
            examples.ROLLBACK,
            examples.FORM_CODES,
            examples.THREAD_CODES,
            examples.STATE_CODES,
            examples.ROLLBACK_CODES,
            BODY_CODES,
        ),
    )
    def post(self, request: Request, thread_id: str) -> Response:
        """Take a thread back to a checkpoint."""
        NO_PARAMETERS.read(request)
        body = ROLLBACK.read(request)
        dry_run = body.get("dry_run", False)
        done = roll_back_thread(
            self.find_place(thread_id),
            body["checkpoint_id"],
            reason=body.get("reason", DEFAULT_REASON),
            author=self.author,
            dry_run=dry_run,
        )
        return Response(render_rollback(done, dry_run=dry_run))
