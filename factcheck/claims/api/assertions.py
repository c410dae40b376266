"""Holding a claim against canon."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from factcheck.claims.actions.claims import assert_claim
from factcheck.claims.api import shapes
from factcheck.core.verdicts import AssertionResult
from knowledge.api.parameters import SESSION_HEADER
from knowledge.errors import UnknownAlias, UnknownDomain, UnknownRelease
from memoryproject.request_log import get_request_id
from memoryproject.rest.bodies import Body
from memoryproject.rest.operations import operation, reply
from memoryproject.rest.parameters import read_header
from memoryproject.rest.schemas import WORLD_CODES
from tenancy.api.views import MachineView

BODY = Body(shapes.BODY)


class AssertView(MachineView):
    """`lore/assert`."""

    scopes = {"POST": "read"}

    @operation(
        "lore_assert",
        "Canon",
        reply(shapes.Assertion, "The verdict."),
        WORLD_CODES,
        UnknownDomain,
        UnknownAlias,
        UnknownRelease,
        shapes.CLAIM_CODES,
        headers=(SESSION_HEADER,),
        body=BODY,
        sent={"a wrong year": shapes.CLAIM},
    )
    def post(self, request: Request) -> Response:
        """Hold a claim against canon.

        True, false or unknown, with the words of canon that decide: by structured facts first, then by what is
        written, and by a chat model only if one is configured. A false claim is kept for the editors.
        """
        body = self.body
        body.setdefault("session_id", read_header(request, SESSION_HEADER))
        world = self.get_world()
        claim, domain = body.pop("fact"), body.setdefault("domain", "lore")
        result = assert_claim(
            tenant_id=world.tenant_id, world_id=world.world_id, claim=claim, request_id=get_request_id(), **body
        )
        return Response(render_assertion(claim, domain, result))


def render_assertion(claim: str, domain: str, result: AssertionResult) -> dict[str, Any]:
    """A verdict as JSON, with what was asked."""
    sources = [asdict(source) for source in result.sources]
    return {"claim": claim, "domain": domain, **asdict(result), "sources": sources}
