"""Who works through messages that wait for extraction: without anyone, what waits is told to no model."""

from __future__ import annotations

_CONSUMERS: set[str] = set()


def register_pending_consumer(name: str) -> None:
    """From now on `pending_extraction_count` is brought down by somebody. Call it in an app's `ready`."""
    _CONSUMERS.add(name)


def has_pending_consumer() -> bool:
    """Whether any app works through waiting messages."""
    return bool(_CONSUMERS)
