"""What operations about one player share in the OpenAPI document."""

from __future__ import annotations

from memoryproject.rest.parameters import TextParameter
from tenancy.errors import UnknownEndUser

USER_ID = TextParameter(
    "user_id", "The tenant's own id of the player, percent-encoded; a slash may stay or be %2F.", "player-1", 200
)
USER_CODES = UnknownEndUser
KEY_CODES: dict[int, dict[str, str]] = {503: {"fact_keys_missing": "FACT_KEYS and FACT_INDEX_KEY are not set."}}
