"""Holding a claim against canon."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from factcheck.actions import AssertionResult, assert_claim
from factcheck.api import schemas
from knowledge.api.parameters import SESSION_HEADER
from knowledge.api.schemas import CANON_CODES
from memoryproject.request_log import get_request_id
from tenancy.api.bodies import Body
from tenancy.api.parameters import NO_PARAMETERS, read_header
from tenancy.api.schemas import BODY_CODES, WORLD_CODES, describe_headers, describe_problems
from tenancy.api.views import MachineView

BODY = Body(schemas.BODY)


class AssertView(MachineView):
    """`lore/assert`."""

    scopes = {"POST": "read"}

    @extend_schema(
        operation_id="lore_assert",
        tags=["Canon"],
        summary="Hold a claim against canon",
        description="True, false or unknown, with the words of canon that decide: by structured facts first, then by "
        "what is written, and by a chat model only if one is configured. A false claim is kept for the editors.",
        parameters=describe_headers(SESSION_HEADER),
        request={"application/json": schemas.BODY},
        examples=[OpenApiExample("a wrong year", schemas.CLAIM, request_only=True)],
        responses={
            200: OpenApiResponse(
                schemas.AssertionSerializer,
                examples=[OpenApiExample("false", schemas.ASSERTION)],
                description="The verdict.",
            ),
            **describe_problems(WORLD_CODES, BODY_CODES, {404: CANON_CODES[404]}, schemas.CLAIM_CODES),
        },
    )
    def post(self, request: Request) -> Response:
        """Hold a claim against canon."""
        NO_PARAMETERS.read(request)
        body = BODY.read(request)
        body.setdefault("session_id", read_header(request, SESSION_HEADER))
        world = self.get_world()
        claim, domain = body.pop("fact"), body.setdefault("domain", "lore")
        result = assert_claim(
            tenant_id=world.tenant_id,
            world_id=world.world_id,
            claim=claim,
            request_id=get_request_id(),
            **body,
        )
        return Response(render_assertion(claim, domain, result))


def render_assertion(claim: str, domain: str, result: AssertionResult) -> dict[str, Any]:
    """A verdict as JSON, with what was asked."""
    sources = [asdict(source) for source in result.sources]
    return {"claim": claim, "domain": domain, **asdict(result), "sources": sources}
