"""`/api/schema/`: the OpenAPI document as it ships. Generating it takes seconds of CPU, so no request does."""

from __future__ import annotations

import functools
import hashlib

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.http import quote_etag
from django.views.decorators.http import condition, require_safe

CONTENT_TYPE = "application/vnd.oai.openapi"


@functools.cache
def load_document() -> tuple[bytes, str]:
    """The document of `docs/openapi.yaml` and its ETag, read once a process; `make check` keeps it up to date."""
    content = (settings.BASE_DIR / "docs" / "openapi.yaml").read_bytes()
    return content, quote_etag(hashlib.sha256(content).hexdigest()[:32])


@require_safe
@condition(etag_func=lambda _request: load_document()[1])
def show_schema(request: HttpRequest) -> HttpResponse:
    """The document; 304 to a caller that has it."""
    return HttpResponse(load_document()[0], content_type=CONTENT_TYPE, headers={"Cache-Control": "no-cache"})
