"""`interrupts`: what waits for people, and their answers."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from episodes.threads.actions.interrupts import answer_interrupt, reject_interrupt
from episodes.threads.api import shapes
from episodes.threads.api.common import CURSOR, LIMIT, THREAD_ID, ThreadApiView, thread_operation
from episodes.threads.api.rendering import render_interrupt
from episodes.threads.core import limits
from episodes.threads.errors import InterruptDecided, UnfitAnswer, UnknownInterrupt
from episodes.threads.models import InterruptState
from episodes.threads.selectors import get_interrupt, list_interrupts
from knowledge.errors import FactKeysMissing
from memoryproject.rest.bodies import Body
from memoryproject.rest.forms import form, text
from memoryproject.rest.operations import reply
from memoryproject.rest.parameters import MAX_ID, ChoiceParameter, NumberParameter, Parameters
from memoryproject.rest.shapes import cut_page

INTERRUPT_ID = NumberParameter("interrupt_id", "", 5, 1, MAX_ID)
LIST = Parameters(
    (ChoiceParameter("state", "Only those in this state.", "open", tuple(InterruptState.values)), CURSOR, LIMIT)
)
ANSWER = Body(form({"value": {"description": "The answer; it fits the interrupt's schema, where it has one."}}))
REJECTION = Body(form({"reason": text(limits.MAX_REASON_LENGTH)}))
DECIDED: dict[str, Any] = {"decided_by": "API key a1b2c3d4", "decided_at": shapes.WHEN}
PROBLEMS = (UnknownInterrupt, InterruptDecided, FactKeysMissing)


class InterruptsView(ThreadApiView):
    """`interrupts`."""

    @thread_operation("interrupts_list", shapes.InterruptPage, FactKeysMissing, path=(), parameters=LIST)
    def get(self, request: Request) -> Response:
        """List what waits for people."""
        return answer_page(self)


class ThreadInterruptsView(ThreadApiView):
    """`threads/{thread_id}/interrupts`."""

    @thread_operation("thread_interrupts_list", shapes.InterruptPage, FactKeysMissing, parameters=LIST)
    def get(self, request: Request, thread_id: str) -> Response:
        """List a thread's interrupts."""
        return answer_page(self, self.find_place(thread_id).thread_id)


class InterruptAnswerView(ThreadApiView):
    """`threads/{thread_id}/interrupts/{interrupt_id}/resume`."""

    @thread_operation(
        "interrupts_resume",
        reply(shapes.InterruptShape, state="approved", answer={"spend": True}, **DECIDED),
        *PROBLEMS,
        UnfitAnswer,
        path=(THREAD_ID, INTERRUPT_ID),
        body=ANSWER,
        sent={"an answer": {"value": {"spend": True}}},
    )
    def post(self, request: Request, thread_id: str, interrupt_id: str) -> Response:
        """Answer an interrupt.

        Once: the same value sent again gets the same answer, another value is refused with the first. The agent takes
        the answer when it goes on.
        """
        place = self.find_place(thread_id)
        where: dict[str, Any] = {"tenant_id": place.tenant_id, "world_id": place.world_id, "pk": read_id(interrupt_id)}
        get_interrupt(**where, thread_id=thread_id)
        answer_interrupt(**where, value=self.body["value"], by=self.author)
        return Response(render_interrupt(get_interrupt(**where, thread_id=thread_id)))


class InterruptRejectionView(ThreadApiView):
    """`threads/{thread_id}/interrupts/{interrupt_id}/reject`."""

    @thread_operation(
        "interrupts_reject",
        reply(shapes.InterruptShape, state="rejected", reason="the key is promised", **DECIDED),
        *PROBLEMS,
        path=(THREAD_ID, INTERRUPT_ID),
        body=REJECTION,
        sent={"a rejection": {"reason": "the key is promised"}},
    )
    def post(self, request: Request, thread_id: str, interrupt_id: str) -> Response:
        """Reject an interrupt.

        The agent reads why when it goes on.
        """
        place = self.find_place(thread_id)
        where: dict[str, Any] = {"tenant_id": place.tenant_id, "world_id": place.world_id, "pk": read_id(interrupt_id)}
        get_interrupt(**where, thread_id=thread_id)
        reject_interrupt(**where, reason=self.body["reason"], by=self.author)
        return Response(render_interrupt(get_interrupt(**where, thread_id=thread_id)))


def read_id(text: str) -> int:
    """The id that a path names. Raises UnknownInterrupt for what is none."""
    if not (text.isascii() and text.isdecimal() and len(text) < 19):
        raise UnknownInterrupt(f"The thread has no interrupt {text[:40]!r}.")
    return int(text)


def answer_page(view: ThreadApiView, thread_id: str | None = None) -> Response:
    """A page of interrupts."""
    values = view.values
    found = list_interrupts(
        tenant_id=view.caller.tenant_id,
        world_id=view.world_id,
        thread_id=thread_id,
        state=values.get("state"),
        after=values.get("cursor"),
        limit=values["limit"] + 1,
    )
    page, cursor = cut_page(found, values["limit"], attrgetter("row.pk"))
    return Response({"data": [render_interrupt(each) for each in page], "next_cursor": cursor})
