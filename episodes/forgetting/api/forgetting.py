"""Forgetting and erasing what a user said. None of it can be undone."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from episodes.conversations.selectors.conversations import get_message
from episodes.errors import ErasureNotConfirmed, InvalidForgetRange, PreviewNeeded, UnknownMessage
from episodes.facts.api.facts import UserMixin, render_evidence, render_fact
from episodes.forgetting.actions.erasure import erase_user
from episodes.forgetting.actions.forgetting import forget_message, forget_messages
from episodes.forgetting.api import shapes
from episodes.forgetting.api.receipts import POLL_SECONDS, render_receipt
from episodes.forgetting.core.selections import Selection
from episodes.forgetting.selectors.forgetting import (
    ForgetPreview,
    get_receipt_of_tenant,
    preview_erasure,
    preview_forgetting,
    preview_topic,
)
from episodes.forgetting.selectors.receipt_changes import load_changed_facts
from episodes.models import ForgetReceipt, Message, ReceiptState
from knowledge.errors import FactKeysMissing
from memoryproject.rest.bodies import Body
from memoryproject.rest.operations import operation, reply
from memoryproject.rest.parameters import MAX_ID, ChoiceParameter, NumberParameter, Parameters
from memoryproject.rest.paths import quote_id
from memoryproject.rest.schemas import IDEMPOTENCY_HEADER
from memoryproject.rest.shapes import fill
from memoryproject.rest.times import parse_time
from tenancy.actions.idempotency import Answer, check_idempotency_key
from tenancy.api.users import USER_ID
from tenancy.api.views import MachineView
from tenancy.errors import UnknownEndUser
from tenancy.models import EndUser

FORGET = Body(shapes.FORGET_BODY)
ERASE = Body(shapes.ERASE_BODY)
DRY_RUN = Parameters(
    (ChoiceParameter("dry_run", "Say what would be cleared and change nothing.", "true", ("true", "false")),)
)
MESSAGE_ID = NumberParameter("message_id", "", 91, 1, MAX_ID)
ANSWERS = {
    200: reply(shapes.Preview, "With `dry_run`: what would be cleared. Nothing has changed."),
    201: reply(
        shapes.Receipt, "It is forgotten; `Location` is the receipt's address. A repeat gives a receipt of nothing."
    ),
}
ACCEPTED = {
    202: reply(
        shapes.Receipt,
        "More than one batch: nobody reads it any more, and batches take it away. Read the receipt at `Location` until "
        "its `state` is done or failed. Asking again meanwhile gives the same receipt.",
        **shapes.ORDER,
    )
}


class ForgettingView(UserMixin, MachineView):
    """What the calls share: the receipt is rendered after the commit, as it is by then."""

    def answer_receipt(self, body: Any, forget: Callable[[], ForgetReceipt]) -> Response:
        """Forget once, then show the receipt; stored for a repeat is only where it is."""

        def write() -> Answer:
            receipt = forget()
            return Answer(202 if receipt.order_kind else 201, {"id": str(receipt.pk)})

        response = self.idempotent_response(self.find_world(), body, write)
        receipt = get_receipt_of_tenant(tenant_id=self.caller.tenant_id, receipt_id=uuid.UUID(response.data["id"]))
        facts = load_changed_facts([receipt], world_id=self.caller.world_id)
        response.data = render_receipt(receipt, receipt.end_user, facts)
        address = quote_id(receipt.end_user.external_id)
        response["Location"] = f"/api/v1/users/{address}/forget-receipts/{receipt.pk}"
        if receipt.state in (ReceiptState.PENDING, ReceiptState.RUNNING):
            response["Retry-After"] = str(POLL_SECONDS)
        return response

    def read_dry_run(self) -> bool:
        """Whether the call only asks. Raises InvalidIdempotencyKey: asking checks what doing would refuse."""
        key = self.request.headers.get("Idempotency-Key")
        if key is not None:
            check_idempotency_key(key)
        return bool(self.values.get("dry_run") == "true")

    def name_caller(self) -> str:
        """Who asks, as a receipt keeps it."""
        return f"key {self.caller.key_prefix}"


class MessageForgetView(ForgettingView):
    """`messages/{id}/forget`."""

    scopes = {"POST": "engine"}

    @operation(
        "messages_forget",
        "Forgetting",
        ANSWERS,
        UnknownMessage,
        FactKeysMissing,
        path=(MESSAGE_ID,),
        parameters=DRY_RUN,
        headers=(IDEMPOTENCY_HEADER,),
    )
    def post(self, request: Request, message_id: int) -> Response:
        """Forget a message.

        With its search entry and vector, the descriptions of its answers, and the facts that rest on it (onboarding
        stays). What it had replaced, denied or disputed stands as other words say: `changes`. It can't be undone: ask
        with `dry_run` first. No body.
        """
        dry_run = self.read_dry_run()
        message = self.find_message(message_id)
        user = message.conversation.end_user
        if dry_run:
            selection = Selection("messages", message_ids=(message.pk,), world_id=self.caller.world_id)
            preview = preview_forgetting(tenant_id=user.tenant_id, end_user_id=user.pk, selection=selection)
            return Response(render_preview(preview))
        return self.answer_receipt(
            {},
            lambda: forget_message(
                tenant_id=user.tenant_id,
                message_id=message.pk,
                requested_by=self.name_caller(),
                world_id=self.caller.world_id,
            ),
        )

    def find_message(self, message_id: int) -> Message:
        """The message, of the caller's tenant and world. Raises UnknownMessage, UnknownWorld."""
        world = self.find_world()
        if message_id > MAX_ID:
            raise UnknownMessage(f"There is no message {message_id}.")
        message = get_message(tenant_id=self.caller.tenant_id, message_id=message_id)
        if world is not None and message.conversation.world_id != world.world_id:
            raise UnknownMessage(f"There is no message {message_id}.")
        return message


class UserForgetView(ForgettingView):
    """`users/{user_id}/forget`."""

    scopes = {"POST": "engine"}

    @operation(
        "users_forget",
        "Forgetting",
        {**ANSWERS, **ACCEPTED},
        UnknownEndUser,
        UnknownMessage,
        shapes.FORGET_CODES,
        FactKeysMissing,
        path=(USER_ID,),
        parameters=DRY_RUN,
        headers=(IDEMPOTENCY_HEADER,),
        body=FORGET,
        sent={
            "all": {"scope": "all"},
            "a time": {"from": "2026-03-01T00:00:00Z", "to": "2026-03-02T00:00:00Z"},
            "shown messages": {"message_ids": [91]},
        },
    )
    def post(self, request: Request, user_id: str) -> Response:
        """Forget what a user said.

        All of it, a time range, or chosen messages: with a key of the tenant in all its worlds, with a key of one
        world in that world only. A topic is only previewed: send the `message_ids` that the preview shows, so that
        nothing goes that was not shown. What they had replaced, denied or disputed stands as other words say:
        `changes`; not where all is forgotten. All of more than a batch answers 202 with a receipt to poll. It can't be
        undone: ask with `dry_run` first.
        """
        dry_run, body = self.read_dry_run(), self.body
        user = self.find_user(user_id)
        if "topic" in body:
            if not dry_run:
                raise PreviewNeeded(PreviewNeeded.example)
            preview = preview_topic(
                tenant_id=user.tenant_id, end_user_id=user.pk, topic=body["topic"], world_id=self.caller.world_id
            )
            return Response(render_preview(preview))
        selection = replace(parse_selection(body), world_id=self.caller.world_id)
        if dry_run:
            preview = preview_forgetting(tenant_id=user.tenant_id, end_user_id=user.pk, selection=selection)
            return Response(render_preview(preview))
        return self.answer_receipt(
            body,
            lambda: forget_messages(
                tenant_id=user.tenant_id, end_user_id=user.pk, selection=selection, requested_by=self.name_caller()
            ),
        )


class UserEraseView(ForgettingView):
    """`users/{user_id}/erase`."""

    scopes = {"POST": "engine"}

    @operation(
        "users_erase",
        "Forgetting",
        {**ANSWERS, **ACCEPTED},
        UnknownEndUser,
        ErasureNotConfirmed,
        FactKeysMissing,
        path=(USER_ID,),
        parameters=DRY_RUN,
        headers=(IDEMPOTENCY_HEADER,),
        body=ERASE,
        sent={"erase": {"reason": "Case 4711", "confirm": "player-1"}},
    )
    def post(self, request: Request, user_id: str) -> Response:
        """Erase a user, as law demands.

        Every message keeps its place and loses its words for ever, every fact its key and value, onboarding too. In
        what others share with the user a random placeholder stands for the id from now on: `user_id` of the receipt.
        Who comes under the id later is a new user. The reason is kept. A key of one world erases what was said in that
        world, and what is known from there; the id is the tenant's and stays. More than a batch of messages answers
        202 with a receipt to poll. It can't be undone: ask with `dry_run` first.
        """
        dry_run, body = self.read_dry_run(), self.body
        if dry_run:
            user = self.find_confirmed(user_id, body)
            preview = preview_erasure(tenant_id=user.tenant_id, end_user_id=user.pk, world_id=self.caller.world_id)
            return Response(render_preview(preview))

        def erase() -> ForgetReceipt:
            user = self.find_confirmed(user_id, body)
            return erase_user(
                tenant_id=user.tenant_id,
                end_user_id=user.pk,
                reason=body["reason"],
                requested_by=self.name_caller(),
                world_id=self.caller.world_id,
            )

        return self.answer_receipt(body, erase)

    def find_confirmed(self, user_id: str, body: dict[str, Any]) -> EndUser:
        """The user, named once more. Not for a repeat: nobody has the id any more. Raises UnknownEndUser."""
        user = self.find_user(user_id)
        if body["confirm"] != user.external_id:
            raise ErasureNotConfirmed("confirm must be the user's id.")
        return user


def parse_selection(body: dict[str, Any]) -> Selection:
    """What a body of the form of `FORGET_BODY` means. Raises InvalidForgetting for times that are none."""
    if "message_ids" in body:
        return Selection("messages", message_ids=tuple(sorted(body["message_ids"])))
    if "scope" in body:
        return Selection("all")
    times = {name: parse_time(body[name]) for name in ("from", "to") if name in body}
    sent_from, sent_to = times.get("from"), times.get("to")
    if None in times.values() or (sent_from and sent_to and sent_from >= sent_to):
        raise InvalidForgetRange(InvalidForgetRange.example)
    return Selection("range", sent_from=sent_from, sent_to=sent_to)


def render_preview(preview: ForgetPreview) -> shapes.Preview:
    """What a call would clear."""
    return fill(
        shapes.Preview,
        preview,
        dry_run=True,
        can_be_undone=False,
        message_ids=[each.message_id for each in preview.messages],
        messages=[render_evidence(each) for each in preview.messages],
        facts=[render_fact(each) for each in preview.facts],
        echoes=[render_evidence(each) for each in preview.echoes],
    )
