"""Notices answers of the REST API with a problem that their operation does not declare; the test then fails."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest

from memoryproject.middleware import Middleware
from memoryproject.problems import CONTENT_TYPE
from memoryproject.rest.schemas import CODES_OF_ANY_ROUTE
from tests.openapi import inline_components, load_openapi

PREFIX = "api/v1/"
UNDECLARED: list[str] = []
"""What was noticed since the last test."""


class DeclaredProblemsMiddleware(Middleware):
    """Compares the code of each problem with `docs/openapi.yaml`."""

    def __call__(self, request: HttpRequest) -> Any:
        """The answer as it comes."""
        return _note(request, self.get_response(request))


@functools.cache
def load_declared_codes() -> Mapping[tuple[str, str], frozenset[str]]:
    """Method and route, as `resolver_match` has it, to the codes that the document shows."""
    document = inline_components(load_openapi())
    return {
        (method.upper(), path.removeprefix("/")): frozenset(_list_codes(operation))
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
    }


def _list_codes(operation: Mapping[str, Any]) -> list[str]:
    return [
        example["value"]["code"]
        for response in operation["responses"].values()
        for example in response.get("content", {}).get(CONTENT_TYPE, {}).get("examples", {}).values()
    ]


def _note(request: HttpRequest, response: Any) -> Any:
    match = request.resolver_match
    if match is None or not match.route.startswith(PREFIX) or response.headers.get("Content-Type") != CONTENT_TYPE:
        return response
    route = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", match.route)
    method = "GET" if request.method == "HEAD" else request.method
    declared = load_declared_codes().get((str(method), route))
    code = json.loads(response.content)["code"]
    if declared is not None and code not in declared | CODES_OF_ANY_ROUTE:
        UNDECLARED.append(f"{method} {route} answered {response.status_code} {code}, which it does not declare")
    return response
