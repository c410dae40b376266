"""The context pack of one turn."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from knowledge.api.parameters import SESSION_HEADER
from memoryproject.rest.bodies import Body
from memoryproject.rest.operations import operation, reply
from memoryproject.rest.parameters import read_header
from memoryproject.rest.schemas import WORLD_CODES
from runtime.context.api import shapes
from runtime.context.core.pack import Cut, PackedItem, Provenance
from runtime.context.pipeline import AssembledContext
from runtime.context.request import build_request
from runtime.traces.actions.packs import make_context
from tenancy.api.views import MachineView

BODY = Body(shapes.BODY)


class ContextView(MachineView):
    """`context`."""

    scopes = {"POST": "read"}

    @operation(
        "context_pack",
        "Play",
        reply(shapes.Context, "The pack."),
        WORLD_CODES,
        shapes.CONTEXT_CODES,
        headers=(SESSION_HEADER,),
        body=BODY,
        sent={"a turn": shapes.ASK},
    )
    def post(self, request: Request) -> Response:
        """Assemble what a model needs for one turn.

        Rules, canon, what is known of the player and the talk so far, cut to a budget by whole items, each with where
        it comes from, and rendered as messages for a chat model. What others wrote can't leave its frame. What an NPC
        keeps to itself is told to keys with the scope `engine` only.
        """
        body = self.body
        body.setdefault("session_id", read_header(request, SESSION_HEADER))
        turn = build_request(self.get_world(), body, with_secrets=self.caller.has_scope("engine"))
        context, trace_id = make_context(turn)
        return Response({**render_context(context), "trace_id": trace_id})


def render_context(context: AssembledContext) -> dict[str, Any]:
    """A pack as JSON."""
    pack = context.pack
    return {
        "language": pack.language,
        "prompt_version": pack.prompt_version,
        "prompt_source": pack.prompt_source,
        "releases": dict(context.releases),
        "persona_version": context.persona_version,
        "embedder": context.embedder,
        "budget": pack.limit,
        "tokens": pack.tokens,
        "layers": [
            {"name": layer.name, "tokens": layer.tokens, "items": [_render_item(packed) for packed in layer.items]}
            for layer in pack.layers
        ],
        "cut": [_render_cut(cut) for cut in pack.cut],
        "messages": [{"role": message.role, "content": message.content} for message in pack.messages],
        "degraded": list(context.degraded),
    }


def _render_item(packed: PackedItem) -> dict[str, Any]:
    return {
        "id": packed.item.id,
        "text": packed.item.text,
        "rendered": packed.rendered,
        "tokens": packed.tokens,
        "protected": packed.item.is_protected,
        "provenance": render_provenance(packed.item.provenance),
    }


def _render_cut(cut: Cut) -> dict[str, Any]:
    return {
        "layer": cut.layer,
        "id": cut.item.id,
        "tokens": cut.tokens,
        "reason": cut.reason,
        "provenance": render_provenance(cut.item.provenance),
    }


def render_provenance(provenance: Provenance) -> dict[str, Any]:
    """Where a line comes from."""
    return {
        "source": provenance.source,
        "ids": dict(provenance.ids),
        "release": provenance.release,
        "evidence": list(provenance.evidence),
        "scores": dict(provenance.scores),
    }
