"""Ids of traces: UUIDs of version 7, which sort by time, so that the newest and those of a time are found by id."""

from __future__ import annotations

import datetime as dt
import secrets
import uuid

_VERSION, _VARIANT = 7 << 76, 0b10 << 62


def make_trace_id(time: dt.datetime) -> uuid.UUID:
    """A new id of that time."""
    return _build(time, secrets.randbits(74))


def floor_trace_id(time: dt.datetime) -> uuid.UUID:
    """The least id that a trace of that time can have."""
    return _build(time, 0)


def _build(time: dt.datetime, random: int) -> uuid.UUID:
    milliseconds = max(int(time.timestamp() * 1000), 0)
    high, low = random >> 62, random & ((1 << 62) - 1)
    return uuid.UUID(int=(milliseconds << 80) | _VERSION | (high << 64) | _VARIANT | low)
