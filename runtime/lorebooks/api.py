"""Activation of lorebooks by REST."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from runtime.lorebooks import bodies, shapes
from runtime.lorebooks.activation import render_outcome, run_activation
from tenancy.api.bodies import Body
from tenancy.api.parameters import NO_PARAMETERS
from tenancy.api.schemas import BODY_CODES, WORLD_CODES, describe_headers, describe_problems
from tenancy.api.views import MachineView

BODY = Body(bodies.BODY)


class LorebookActivationView(MachineView):
    """`lorebooks/activate`."""

    scopes = {"POST": "read"}

    @extend_schema(
        operation_id="lorebooks_activate",
        tags=["Lorebooks"],
        summary="See which entries fire on a chat, and why",
        description="Books and chat are not kept. With `conversation_id` the timed effects stand with the conversation "
        "and its branches: read here, kept for keys with `engine`, taken back by edits and swipes. `faithful` follows "
        "SillyTavern step by step, its bugs included; `m37` knows words of every script by their stems, fills the "
        "budget by order, and leaves the bugs out; `both` also lists what they disagree on. The same request has the "
        "same answer: dice are seeded, and the trace has their rolls.",
        parameters=describe_headers(),
        request={"application/json": bodies.BODY},
        examples=[OpenApiExample("one book", shapes.ASK, request_only=True)],
        responses={
            200: OpenApiResponse(
                shapes.ActivationOutcomeSerializer,
                description="Placements, timed state and trace.",
                examples=[OpenApiExample("activation", shapes.ANSWER)],
            ),
            **describe_problems(BODY_CODES, WORLD_CODES, shapes.CODES),
        },
    )
    def post(self, request: Request) -> Response:
        """See which entries fire on a chat, and why."""
        NO_PARAMETERS.read(request)
        body = BODY.read(request)
        return Response(
            render_outcome(run_activation(self.get_world(), body, can_write=self.caller.has_scope("engine")))
        )
