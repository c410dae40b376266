"""What the service is and how it does."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from runtime.api import schemas
from runtime.selectors.status import Status, get_status
from tenancy.api.parameters import Parameters
from tenancy.api.schemas import describe_headers, describe_problems
from tenancy.api.views import MachineView

PARAMETERS = Parameters(())


class StatusView(MachineView):
    """`status`."""

    @extend_schema(
        operation_id="status",
        tags=["Service"],
        summary="Show the state of the service",
        description="Version, worlds with their releases, what embeds and answers, and what search has to do without.",
        parameters=describe_headers(),
        responses={
            200: OpenApiResponse(
                schemas.StatusSerializer,
                examples=[OpenApiExample("without an endpoint", schemas.STATUS)],
                description="As far as the key reaches; one world with X-Site-ID.",
            ),
            **describe_problems(),
        },
    )
    def get(self, request: Request) -> Response:
        """Show the state of the service."""
        PARAMETERS.read(request)
        world_slug = request.headers.get("X-Site-ID")
        if world_slug is not None:
            self.get_world()
        return Response(render_status(get_status(self.caller, world_slug=world_slug)))


def render_status(status: Status) -> dict[str, Any]:
    """The status as JSON."""
    document = asdict(status)
    document["chat_model"] = {"configured": status.chat_model is not None, "name": status.chat_model}
    return document
