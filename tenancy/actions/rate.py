"""How often a key may call: a sliding minute, counted in Redis for all processes together."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import redis
from django.conf import settings

from memoryproject.redis import build_key, get_redis
from tenancy.core.caller import Caller

KEYS_USED = "keys-used"
"""Sorted set of key ids by the time of their last use."""

WINDOW_SECONDS = 60
SCRIPT = Path(__file__).parent.parent / "lua" / "count_request.lua"


@dataclass(frozen=True, slots=True)
class RateVerdict:
    """Whether a request may pass, and what its caller should know of the limit."""

    is_allowed: bool
    limit: int
    remaining: int
    reset_seconds: int
    """After how many seconds of silence the whole limit is free again."""
    retry_after_seconds: int
    """How long to wait before the next request; 0 when this one may pass."""


def count_request(caller: Caller) -> RateVerdict:
    """Count one request of the key and say whether it may pass; also notes that the key was used. One round trip.

    Refused requests do not count, so a caller that keeps trying gets its share. Raises redis.RedisError.
    """
    limit = settings.API_REQUESTS_PER_MINUTE if caller.requests_per_minute is None else caller.requests_per_minute
    allowed, remaining, reset_ms, wait_ms = _load_script()(
        keys=[build_key("rate", caller.key_id), build_key(KEYS_USED)],
        args=[limit, WINDOW_SECONDS * 1000, caller.key_id],
        client=get_redis(),
    )
    return RateVerdict(
        is_allowed=bool(allowed),
        limit=limit,
        remaining=int(remaining),
        reset_seconds=math.ceil(reset_ms / 1000),
        retry_after_seconds=math.ceil(wait_ms / 1000),
    )


@cache
def _load_script() -> redis.commands.core.Script:
    return get_redis().register_script(SCRIPT.read_text(encoding="utf-8"))
