"""The base of all REST views of this service."""

from __future__ import annotations

from typing import Any, NoReturn, cast

import structlog
from django.conf import settings
from rest_framework.exceptions import NotAuthenticated, Throttled
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memoryproject.outages import classify_outage
from memoryproject.rest.bodies import JsonParser
from tenancy.actions.idempotency import Answer, run_idempotent
from tenancy.actions.rate import RateVerdict, count_request
from tenancy.api.authentication import ApiKeyAuthentication, HasScope
from tenancy.core.caller import Caller, WorldRef
from tenancy.selectors import check_tenant, find_named_world, resolve_world

logger = structlog.get_logger("memory37.rate")


class MachineView(APIView):
    """A view for API keys: checks key, scope, rate and `X-Tenant-ID`, in that order."""

    authentication_classes = [ApiKeyAuthentication]
    permission_classes = [HasScope]
    parser_classes = [JsonParser]
    metadata_class = None
    scopes: dict[str, str] = {"GET": "read"}
    """Method to the scope that it needs."""
    values: dict[str, Any]
    """The query parameters of a method declared by `operation`."""
    body: dict[str, Any]
    """Its body, which has the form of the schema."""

    @property
    def caller(self) -> Caller:
        """Who calls."""
        return cast("Caller", self.request.auth)

    def get_world(self) -> WorldRef:
        """The world that the call is about. Raises UnknownWorld, WorldRequired."""
        return resolve_world(self.caller, world_slug=self.request.headers.get("X-Site-ID"))

    def check_permissions(self, request: Request) -> None:
        """Key and scope, then that `X-Tenant-ID`, if it is sent, names the key's tenant."""
        super().check_permissions(request)
        check_tenant(self.caller, request.headers.get("X-Tenant-ID"))

    def permission_denied(self, request: Request, message: str | None = None, code: str | None = None) -> NoReturn:
        """No key came: every other refusal raises for itself."""
        raise NotAuthenticated("Send an API key: 'Authorization: Bearer …' or 'X-API-Key: …'.", code="api_key_missing")

    def check_throttles(self, request: Request) -> None:
        """Counts the request. Raises Throttled."""
        verdict = self._count()
        if verdict is None:
            return
        self.headers["RateLimit-Limit"] = str(verdict.limit)
        self.headers["RateLimit-Remaining"] = str(verdict.remaining)
        self.headers["RateLimit-Reset"] = str(verdict.reset_seconds)
        if not verdict.is_allowed:
            raise Throttled(wait=verdict.retry_after_seconds, code="rate_limited")

    def _count(self) -> RateVerdict | None:
        try:
            return count_request(self.caller)
        except Exception as error:
            if settings.THROTTLE_WITHOUT_REDIS != "allow" or classify_outage(error) is None:
                raise
            logger.warning("rate_not_counted", error=type(error).__name__)
            return None

    def find_world(self) -> WorldRef | None:
        """The world that the call names or the key is bound to, if any. Raises UnknownWorld."""
        return find_named_world(self.caller, world_slug=self.request.headers.get("X-Site-ID"))

    @property
    def world_id(self) -> int | None:
        """That world's id, or None. Raises UnknownWorld."""
        world = self.find_world()
        return None if world is None else world.world_id

    def idempotent_response(self, world: WorldRef | None, body: Any, write: Any) -> Response:
        """The answer of `write() -> Answer`; with `Idempotency-Key` a repeat gets the first answer again.

        `world` None: the call is about the whole tenant.
        """
        key = self.request.headers.get("Idempotency-Key")
        if key is None:
            answer: Answer = write()
        else:
            answer = run_idempotent(
                tenant_id=self.caller.tenant_id,
                key=key,
                method_and_path=f"{self.request.method} {self.request.path}",
                world_id=0 if world is None else world.world_id,
                body=body,
                write=write,
                bound_world_id=self.caller.world_id or 0,
            )
        headers = {"Idempotency-Replayed": "true"} if answer.replayed else None
        return Response(answer.body, status=answer.status_code, headers=headers)
