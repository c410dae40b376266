"""`interrupts`: what waits for people, and their answers."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from episodes.threads.actions.interrupts import answer_interrupt, reject_interrupt
from episodes.threads.api import examples, shapes
from episodes.threads.api.common import CURSOR, LIMIT, THREAD_ID, ThreadApiView
from episodes.threads.api.common import describe_text as text
from episodes.threads.api.rendering import render_interrupt
from episodes.threads.core import limits
from episodes.threads.errors import UnknownInterrupt
from episodes.threads.models import InterruptState
from episodes.threads.selectors import get_interrupt, list_interrupts
from tenancy.api.bodies import Body
from tenancy.api.parameters import MAX_ID, NO_PARAMETERS, ChoiceParameter, Parameters
from tenancy.api.schemas import BODY_CODES, describe_headers
from tenancy.api.shapes import describe_answer

INTERRUPT_ID = OpenApiParameter(
    "interrupt_id",
    {"type": "integer", "minimum": 1, "maximum": MAX_ID},
    OpenApiParameter.PATH,
    examples=[OpenApiExample("example", 5)],
)
LIST = Parameters(
    (ChoiceParameter("state", "Only those in this state.", "open", tuple(InterruptState.values)), CURSOR, LIMIT)
)
ANSWER_BODY: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["value"],
    "properties": {"value": {"description": "The answer; it fits the interrupt's schema, where it has one."}},
}
REJECTION_BODY: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["reason"],
    "properties": {"reason": text(limits.MAX_REASON_LENGTH)},
}
ANSWER, REJECTION = Body(ANSWER_BODY), Body(REJECTION_BODY)
PAGE = {"data": [examples.INTERRUPT], "next_cursor": None}


class InterruptsView(ThreadApiView):
    """`interrupts`."""

    @extend_schema(
        operation_id="interrupts_list",
        tags=["Threads"],
        summary="List what waits for people",
        parameters=[*LIST.describe(), *describe_headers()],
        responses=describe_answer(shapes.InterruptPage, PAGE, examples.KEY_CODES),
    )
    def get(self, request: Request) -> Response:
        """List what waits for people."""
        return answer_page(self, request)


class ThreadInterruptsView(ThreadApiView):
    """`threads/{thread_id}/interrupts`."""

    @extend_schema(
        operation_id="thread_interrupts_list",
        tags=["Threads"],
        summary="List a thread's interrupts",
        parameters=[THREAD_ID, *LIST.describe(), *describe_headers()],
        responses=describe_answer(shapes.InterruptPage, PAGE, examples.FORM_CODES, examples.KEY_CODES),
    )
    def get(self, request: Request, thread_id: str) -> Response:
        """List a thread's interrupts."""
        return answer_page(self, request, self.find_place(thread_id).thread_id)


class InterruptAnswerView(ThreadApiView):
    """`threads/{thread_id}/interrupts/{interrupt_id}/resume`."""

    @extend_schema(
        operation_id="interrupts_resume",
        tags=["Threads"],
        summary="Answer an interrupt",
        description="Once: the same value sent again gets the same answer, another value is refused with the first. "
        "The agent takes the answer when it goes on.",
        parameters=[THREAD_ID, INTERRUPT_ID, *describe_headers()],
        request={"application/json": ANSWER_BODY},
        examples=[OpenApiExample("an answer", {"value": {"spend": True}}, request_only=True)],
        responses=describe_answer(
            shapes.InterruptShape,
            examples.ANSWERED,
            examples.FORM_CODES,
            examples.INTERRUPT_CODES,
            examples.ANSWER_CODES,
            examples.KEY_CODES,
            BODY_CODES,
        ),
    )
    def post(self, request: Request, thread_id: str, interrupt_id: str) -> Response:
        """Answer an interrupt."""
        NO_PARAMETERS.read(request)
        value = ANSWER.read(request)["value"]
        place = self.find_place(thread_id)
        where: dict[str, Any] = {"tenant_id": place.tenant_id, "world_id": place.world_id, "pk": read_id(interrupt_id)}
        get_interrupt(**where, thread_id=thread_id)
        answer_interrupt(**where, value=value, by=self.author)
        return Response(render_interrupt(get_interrupt(**where, thread_id=thread_id)))


class InterruptRejectionView(ThreadApiView):
    """`threads/{thread_id}/interrupts/{interrupt_id}/reject`."""

    @extend_schema(
        operation_id="interrupts_reject",
        tags=["Threads"],
        summary="Reject an interrupt",
        description="The agent reads why when it goes on.",
        parameters=[THREAD_ID, INTERRUPT_ID, *describe_headers()],
        request={"application/json": REJECTION_BODY},
        examples=[OpenApiExample("a rejection", {"reason": "the key is promised"}, request_only=True)],
        responses=describe_answer(
            shapes.InterruptShape,
            {**examples.ANSWERED, "state": "rejected", "answer": None, "reason": "the key is promised"},
            examples.FORM_CODES,
            examples.INTERRUPT_CODES,
            examples.KEY_CODES,
            BODY_CODES,
        ),
    )
    def post(self, request: Request, thread_id: str, interrupt_id: str) -> Response:
        """Reject an interrupt."""
        NO_PARAMETERS.read(request)
        reason = REJECTION.read(request)["reason"]
        place = self.find_place(thread_id)
        where: dict[str, Any] = {"tenant_id": place.tenant_id, "world_id": place.world_id, "pk": read_id(interrupt_id)}
        get_interrupt(**where, thread_id=thread_id)
        reject_interrupt(**where, reason=reason, by=self.author)
        return Response(render_interrupt(get_interrupt(**where, thread_id=thread_id)))


def read_id(text: str) -> int:
    """The id that a path names. Raises UnknownInterrupt for what is none."""
    if not (text.isascii() and text.isdecimal() and len(text) < 19):
        raise UnknownInterrupt(f"The thread has no interrupt {text[:40]!r}.")
    return int(text)


def answer_page(view: ThreadApiView, request: Request, thread_id: str | None = None) -> Response:
    """A page of interrupts."""
    values = LIST.read(request)
    limit = values["limit"]
    found = list_interrupts(
        tenant_id=view.caller.tenant_id,
        world_id=view.world_id,
        thread_id=thread_id,
        state=values.get("state"),
        after=values.get("cursor"),
        limit=limit + 1,
    )
    cursor = found[limit - 1].row.pk if len(found) > limit else None
    return Response({"data": [render_interrupt(each) for each in found[:limit]], "next_cursor": cursor})
