"""Activation of lorebooks by REST."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from memoryproject.rest.bodies import Body
from memoryproject.rest.operations import operation, reply
from memoryproject.rest.schemas import WORLD_CODES
from runtime.lorebooks import bodies, shapes
from runtime.lorebooks.activation import render_outcome, run_activation
from tenancy.api.views import MachineView

BODY = Body(bodies.BODY)


class LorebookActivationView(MachineView):
    """`lorebooks/activate`."""

    scopes = {"POST": "read"}

    @operation(
        "lorebooks_activate",
        "Lorebooks",
        reply(shapes.ActivationOutcome, "Placements, timed state and trace."),
        WORLD_CODES,
        shapes.CODES,
        body=BODY,
        sent={"one book": shapes.ASK},
    )
    def post(self, request: Request) -> Response:
        """See which entries fire on a chat, and why.

        Books and chat are not kept. With `conversation_id` the timed effects stand with the conversation and its
        branches: read here, kept for keys with `engine`, taken back by edits and swipes. `faithful` follows
        SillyTavern step by step, its bugs included; `m37` knows words of every script by their stems, fills the
        budget by order, and leaves the bugs out; `both` also lists what they disagree on. The same request has the
        same answer: dice are seeded, and the trace has their rolls.
        """
        body = self.body
        return Response(
            render_outcome(run_activation(self.get_world(), body, can_write=self.caller.has_scope("engine")))
        )
