"""Receipts of forgetting and erasing: read, listed, and tried again where they failed."""

from __future__ import annotations

import uuid
from functools import partial
from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from episodes.actions.order_work import retry_receipt
from episodes.api import forgetting_schemas as schemas
from episodes.api.facts import UserMixin
from episodes.models import ForgetReceipt
from episodes.selectors.forgetting import get_receipt, list_receipts
from memoryproject.times import render_time
from tenancy.api.parameters import NO_PARAMETERS
from tenancy.api.schemas import describe_headers, describe_problems
from tenancy.api.users import KEY_CODES, USER_CODES, USER_ID
from tenancy.api.views import MachineView
from tenancy.models import EndUser

POLL_SECONDS = 2
"""Some fifteen batches: 7,000 messages."""
RECEIPT_ID = OpenApiParameter(
    "receipt_id",
    {"type": "string", "format": "uuid"},
    OpenApiParameter.PATH,
    examples=[OpenApiExample("example", schemas.RECEIPT["id"])],
)


class ReceiptsView(UserMixin, MachineView):
    """`users/{user_id}/forget-receipts`."""

    scopes = {"GET": "read"}

    @extend_schema(
        operation_id="forget_receipts_list",
        tags=["Forgetting"],
        summary="List a user's receipts",
        description="Newest first, 200 at most.",
        parameters=[USER_ID, *describe_headers()],
        responses={
            200: OpenApiResponse(
                schemas.ReceiptListSerializer,
                description="The receipts of forgetting and erasure.",
                examples=[OpenApiExample("receipts", {"receipts": [schemas.RECEIPT]})],
            ),
            **describe_problems(USER_CODES),
        },
    )
    def get(self, request: Request, user_id: str) -> Response:
        """List a user's receipts."""
        NO_PARAMETERS.read(request)
        user = self.find_user(user_id)
        receipts = list_receipts(tenant_id=user.tenant_id, end_user_id=user.pk, world_id=self.caller.world_id)
        return Response({"receipts": [render_receipt(each, user) for each in receipts]})


class ReceiptView(UserMixin, MachineView):
    """`users/{user_id}/forget-receipts/{id}`."""

    scopes = {"GET": "read"}

    @extend_schema(
        operation_id="forget_receipts_get",
        tags=["Forgetting"],
        summary="Read a receipt",
        parameters=[USER_ID, RECEIPT_ID, *describe_headers()],
        responses={
            200: OpenApiResponse(
                schemas.ReceiptSerializer,
                description="The receipt as it stands now.",
                examples=[OpenApiExample("receipt", schemas.RECEIPT)],
            ),
            **describe_problems(USER_CODES, schemas.RECEIPT_CODES),
        },
    )
    def get(self, request: Request, user_id: str, receipt_id: uuid.UUID) -> Response:
        """Read a receipt."""
        NO_PARAMETERS.read(request)
        user = self.find_user(user_id)
        receipt = get_receipt(
            tenant_id=user.tenant_id, end_user_id=user.pk, receipt_id=receipt_id, world_id=self.caller.world_id
        )
        return Response(render_receipt(receipt, user))


class ReceiptRetryView(UserMixin, MachineView):
    """`users/{user_id}/forget-receipts/{id}/retry`."""

    scopes = {"POST": "engine"}

    @extend_schema(
        operation_id="forget_receipts_retry",
        tags=["Forgetting"],
        summary="Try a failed receipt again",
        description="For a receipt whose `state` is failed: no try counts any more, and the work goes on. No body.",
        parameters=[USER_ID, RECEIPT_ID, *describe_headers()],
        request=None,
        responses={
            202: OpenApiResponse(
                schemas.ReceiptSerializer,
                description="It is on its way again.",
                examples=[OpenApiExample("order", schemas.ORDER, status_codes=["202"])],
            ),
            **describe_problems(USER_CODES, schemas.RECEIPT_CODES, schemas.RETRY_CODES, KEY_CODES),
        },
    )
    def post(self, request: Request, user_id: str, receipt_id: uuid.UUID) -> Response:
        """Try a failed receipt again."""
        NO_PARAMETERS.read(request)
        user = self.find_user(user_id)
        find = partial(get_receipt, tenant_id=user.tenant_id, end_user_id=user.pk, receipt_id=receipt_id)
        find(world_id=self.caller.world_id)
        retry_receipt(tenant_id=user.tenant_id, receipt_id=receipt_id, requested_by=f"key {self.caller.key_prefix}")
        response = Response(render_receipt(find(), user), status=202)
        response["Retry-After"] = str(POLL_SECONDS)
        return response


def render_receipt(receipt: ForgetReceipt, user: EndUser) -> dict[str, Any]:
    """One receipt."""
    return {
        "id": str(receipt.pk),
        "user_id": user.external_id,
        "asked": receipt.asked,
        "state": receipt.state,
        "code": receipt.code or None,
        "cleared": receipt.cleared,
        "echoes": receipt.echo_ids,
        "echoes_searched": receipt.echoes_searched,
        "left": receipt.verification,
        "stores_failed": sorted(receipt.errors),
        "requested_by": receipt.requested_by,
        "created_at": render_time(receipt.created_at),
        "finished_at": render_time(receipt.finished_at),
    }
