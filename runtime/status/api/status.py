"""What the service is and how it does."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from memoryproject.rest.operations import operation, reply
from runtime.status.api import shapes
from runtime.status.selectors import Status, get_status
from tenancy.api.views import MachineView


class StatusView(MachineView):
    """`status`."""

    @operation("status", "Service", reply(shapes.Status, "As far as the key reaches; one world with X-Site-ID."))
    def get(self, request: Request) -> Response:
        """Show the state of the service.

        Version, worlds with their releases, what embeds and answers, and what search has to do without.
        """
        world_slug = request.headers.get("X-Site-ID")
        if world_slug is not None:
            self.get_world()
        return Response(render_status(get_status(self.caller, world_slug=world_slug)))


def render_status(status: Status) -> dict[str, Any]:
    """The status as JSON."""
    document = asdict(status)
    document["chat_model"] = {"configured": status.chat_model is not None, "name": status.chat_model}
    return document
