"""`threads`: listed, bound, read, copied, rolled back, deleted."""

from __future__ import annotations

from operator import attrgetter

from rest_framework.request import Request
from rest_framework.response import Response

from episodes.errors import RollbackBlocked, UnknownCampaign, UnknownConversation
from episodes.threads.actions.copies import copy_thread
from episodes.threads.actions.deletion import delete_thread
from episodes.threads.actions.rollbacks import roll_back_thread
from episodes.threads.actions.threads import Bindings, write_thread
from episodes.threads.api import shapes
from episodes.threads.api.common import (
    CHECKPOINT_ID,
    CURSOR,
    LIMIT,
    ThreadApiView,
    check_thread_id,
    text_or_none,
    thread_operation,
)
from episodes.threads.api.rendering import render_receipt, render_rollback, render_thread
from episodes.threads.core import limits
from episodes.threads.errors import ThreadBound, ThreadNotEmpty, UnknownThread, UnknownThreadCheckpoint
from episodes.threads.models import ThreadState
from episodes.threads.selectors import get_thread, list_threads, view_thread
from memoryproject.rest.bodies import Body
from memoryproject.rest.forms import ID, form, text
from memoryproject.rest.parameters import ChoiceParameter, Parameters
from memoryproject.rest.shapes import cut_page
from tenancy.errors import UnknownEndUser

LIST = Parameters(
    (ChoiceParameter("state", "Only those in this state.", "interrupted", tuple(ThreadState.values)), CURSOR, LIMIT)
)
THREAD = form(
    {},
    {
        "title": text_or_none(200),
        "user_id": text(200, "Whom it is about: it goes when this user is erased."),
        "conversation_id": {**ID, "description": "It goes when a message of this conversation is forgotten."},
        "campaign_id": text(120, "A rollback of the thread takes this campaign back, too."),
    },
)
ROLLBACK = form(
    {"checkpoint_id": CHECKPOINT_ID},
    {
        "reason": text(limits.MAX_REASON_LENGTH),
        "dry_run": {"type": "boolean", "default": False, "description": "What would change; nothing does."},
    },
)
DEFAULT_REASON = "asked for by the engine"


class ThreadsView(ThreadApiView):
    """`threads`."""

    @thread_operation("threads_list", shapes.ThreadList, path=(), parameters=LIST)
    def get(self, request: Request) -> Response:
        """List threads."""
        values = self.values
        found = list_threads(
            tenant_id=self.caller.tenant_id,
            world_id=self.world_id,
            state=values.get("state"),
            after=values.get("cursor"),
            limit=values["limit"] + 1,
        )
        page, cursor = cut_page(found, values["limit"], attrgetter("thread.pk"))
        return Response({"data": [render_thread(each) for each in page], "next_cursor": cursor})


class ThreadDetailView(ThreadApiView):
    """`threads/{thread_id}`."""

    @thread_operation("threads_get", shapes.ThreadShape, UnknownThread)
    def get(self, request: Request, thread_id: str) -> Response:
        """Read about a thread."""
        return Response(render_thread(get_thread(self.find_place(thread_id))))

    @thread_operation(
        "threads_write",
        {200: shapes.ThreadShape, 201: shapes.ThreadShape},
        UnknownEndUser,
        UnknownConversation,
        UnknownCampaign,
        ThreadBound,
        body=Body(THREAD),
        sent={"a thread": {"title": "The moon door"}},
        is_body_optional=True,
    )
    def put(self, request: Request, thread_id: str) -> Response:
        """Make a thread, or bind it to a user, a conversation, a campaign.

        A first checkpoint makes a thread, too. What it is bound to stays. Sent again, nothing changes.
        """
        thread, is_new = write_thread(self.find_place(thread_id), Bindings(**self.body))
        return Response(render_thread(view_thread(thread)), status=201 if is_new else 200)

    @thread_operation("threads_delete", shapes.ThreadReceiptShape)
    def delete(self, request: Request, thread_id: str) -> Response:
        """Delete a thread with all that stands in it.

        For good. The receipt says how much; of a thread that is not there, nothing.
        """
        return Response(render_receipt(delete_thread(self.find_place(thread_id), by=self.author)))


class ThreadCopyView(ThreadApiView):
    """`threads/{thread_id}/copy`."""

    @thread_operation(
        "threads_copy",
        shapes.CopyShape,
        UnknownThread,
        ThreadNotEmpty,
        body=Body(form({"target_thread_id": text(limits.MAX_THREAD_ID_LENGTH)})),
        sent={"a fork": {"target_thread_id": "thread-2"}},
    )
    def post(self, request: Request, thread_id: str) -> Response:
        """Copy a thread.

        All that holds, with whole chains of parents, and what waits for people. What a rollback undid stays with the
        source.
        """
        target = self.body["target_thread_id"]
        check_thread_id(target)
        return Response({"thread_id": target, "counts": copy_thread(self.find_place(thread_id), target)})


class ThreadRollbackView(ThreadApiView):
    """`threads/{thread_id}/rollback`."""

    @thread_operation(
        "threads_rollback",
        shapes.ThreadRollbackShape,
        UnknownThread,
        UnknownThreadCheckpoint,
        RollbackBlocked,
        body=Body(ROLLBACK),
        sent={
            "dry run": {"checkpoint_id": shapes.FIRST, "dry_run": True},
            "rollback": {"checkpoint_id": shapes.FIRST, "reason": "the door was no door"},
        },
    )
    def post(self, request: Request, thread_id: str) -> Response:
        """Take a thread back to a checkpoint.

        The checkpoint becomes the head; nothing is deleted. What was told since in the thread's campaign is
        compensated as by `campaigns/…/rollback`. Interrupts that wait are closed. A rollback to `undo_checkpoint_id`
        undoes it. With `dry_run`: what would change.
        """
        body = self.body
        dry_run = body.get("dry_run", False)
        done = roll_back_thread(
            self.find_place(thread_id),
            body["checkpoint_id"],
            reason=body.get("reason", DEFAULT_REASON),
            author=self.author,
            dry_run=dry_run,
        )
        return Response(render_rollback(done, dry_run=dry_run))
