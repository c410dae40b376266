"""Receipts of forgetting and erasing: read, listed, and tried again where they failed."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from functools import partial

from rest_framework.request import Request
from rest_framework.response import Response

from episodes.errors import ReceiptNotFailed, UnknownReceipt
from episodes.facts.api.facts import UserMixin
from episodes.forgetting.actions.order_work import retry_receipt
from episodes.forgetting.api import shapes
from episodes.forgetting.selectors.forgetting import get_receipt, list_receipts
from episodes.forgetting.selectors.receipt_changes import load_changed_facts
from episodes.models import ForgetReceipt
from knowledge.errors import FactKeysMissing
from knowledge.facts.selectors import FactView
from memoryproject.rest.errors import UnknownCursor
from memoryproject.rest.operations import operation, reply
from memoryproject.rest.pages import MAX_PAGE_SIZE, UUID_PATTERN, page_by_text, render_page
from memoryproject.rest.parameters import Parameters, describe_uuid
from memoryproject.rest.shapes import cut_page, fill
from tenancy.api.users import USER_ID
from tenancy.api.views import MachineView
from tenancy.errors import UnknownEndUser
from tenancy.models import EndUser

POLL_SECONDS = 2
"""Some fifteen batches: 7,000 messages."""
CHANGES = ("restored", "added", "settled", "ended")
LIST_PARAMETERS = Parameters(
    page_by_text(
        example="6f0d7c66-2a0e-4c61-9d54-0c3c1f6f2b10", max_length=36, pattern=UUID_PATTERN, size=MAX_PAGE_SIZE
    )
)
RECEIPT_ID = describe_uuid("receipt_id", "6f0d7c66-2a0e-4c61-9d54-0c3c1f6f2b10")


class ReceiptsView(UserMixin, MachineView):
    """`users/{user_id}/forget-receipts`."""

    scopes = {"GET": "read"}

    @operation(
        "forget_receipts_list",
        "Forgetting",
        reply(shapes.ReceiptList, "The receipts of forgetting and erasure."),
        UnknownEndUser,
        UnknownCursor,
        path=(USER_ID,),
        parameters=LIST_PARAMETERS,
    )
    def get(self, request: Request, user_id: str) -> Response:
        """List a user's receipts.

        Newest first.
        """
        values = self.values
        user = self.find_user(user_id)
        found = list_receipts(
            tenant_id=user.tenant_id,
            end_user_id=user.pk,
            world_id=self.caller.world_id,
            after=uuid.UUID(values["cursor"]) if "cursor" in values else None,
            limit=values["limit"] + 1,
        )
        page, cursor = cut_page(found, values["limit"], lambda receipt: str(receipt.pk))
        facts = load_changed_facts(page, world_id=self.caller.world_id)
        return Response(render_page([render_receipt(each, user, facts) for each in page], cursor, was="receipts"))


class ReceiptView(UserMixin, MachineView):
    """`users/{user_id}/forget-receipts/{id}`."""

    scopes = {"GET": "read"}

    @operation(
        "forget_receipts_get",
        "Forgetting",
        reply(shapes.Receipt, "The receipt as it stands now."),
        UnknownEndUser,
        UnknownReceipt,
        path=(USER_ID, RECEIPT_ID),
    )
    def get(self, request: Request, user_id: str, receipt_id: uuid.UUID) -> Response:
        """Read a receipt."""
        user = self.find_user(user_id)
        receipt = get_receipt(
            tenant_id=user.tenant_id, end_user_id=user.pk, receipt_id=receipt_id, world_id=self.caller.world_id
        )
        facts = load_changed_facts([receipt], world_id=self.caller.world_id)
        return Response(render_receipt(receipt, user, facts))


class ReceiptRetryView(UserMixin, MachineView):
    """`users/{user_id}/forget-receipts/{id}/retry`."""

    scopes = {"POST": "engine"}

    @operation(
        "forget_receipts_retry",
        "Forgetting",
        {
            202: reply(
                shapes.Receipt,
                "It is on its way again.",
                user_id="erased-5d0c7f1e9ab24e63",
                asked={"scope": "erasure", "messages": 40000},
                state="running",
                echoes=[],
                echoes_searched="not_needed",
                changes=shapes.NO_CHANGES,
                left={},
                finished_at=None,
            )
        },
        UnknownEndUser,
        UnknownReceipt,
        ReceiptNotFailed,
        FactKeysMissing,
        path=(USER_ID, RECEIPT_ID),
    )
    def post(self, request: Request, user_id: str, receipt_id: uuid.UUID) -> Response:
        """Try a failed receipt again.

        For a receipt whose `state` is failed: no try counts any more, and the work goes on. No body.
        """
        user = self.find_user(user_id)
        find = partial(get_receipt, tenant_id=user.tenant_id, end_user_id=user.pk, receipt_id=receipt_id)
        find(world_id=self.caller.world_id)
        retry_receipt(tenant_id=user.tenant_id, receipt_id=receipt_id, requested_by=f"key {self.caller.key_prefix}")
        receipt = find()
        facts = load_changed_facts([receipt], world_id=self.caller.world_id)
        response = Response(render_receipt(receipt, user, facts), status=202)
        response["Retry-After"] = str(POLL_SECONDS)
        return response


def render_receipt(receipt: ForgetReceipt, user: EndUser, facts: Mapping[int, FactView]) -> shapes.Receipt:
    """One receipt, with those of the facts that stand otherwise because of it."""
    return fill(
        shapes.Receipt,
        receipt,
        id=str(receipt.pk),
        receipt_id=str(receipt.pk),
        user_id=user.external_id,
        code=receipt.code or None,
        echoes=receipt.echo_ids,
        changes={
            f"facts_{name}": [
                {"fact_id": pk, "type": facts[pk].type, "key": facts[pk].key, "value": facts[pk].value}
                for pk in receipt.changes.get(name, ())
                if pk in facts
            ]
            for name in CHANGES
        },
        left=receipt.verification,
        stores_failed=sorted(receipt.errors),
    )
