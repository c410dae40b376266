"""What operations about one player share in the OpenAPI document."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiExample, OpenApiParameter

from tenancy.api.parameters import PLAIN_TEXT
from tenancy.errors import UnknownEndUser

USER_ID = OpenApiParameter(
    "user_id",
    {"type": "string", "minLength": 1, "maxLength": 200, "pattern": PLAIN_TEXT},
    OpenApiParameter.PATH,
    description="The tenant's own id of the player, percent-encoded; a slash may stay or be %2F.",
    examples=[OpenApiExample("example", "player-1")],
)
USER_CODES = UnknownEndUser
KEY_CODES: dict[int, dict[str, str]] = {503: {"fact_keys_missing": "FACT_KEYS and FACT_INDEX_KEY are not set."}}
