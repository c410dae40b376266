"""A model says what a question that only points may mean, within a time limit; else the rules answer alone."""

from __future__ import annotations

import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence

import structlog
from django.conf import settings

from episodes.events.core.expansion import SYSTEM, read_words, render_question
from memoryproject.breaker import CircuitBreaker
from memoryproject.chat_model import ModelUnavailable, find_expansion_model

log = structlog.get_logger("memory37.events")
BREAKER = CircuitBreaker()
"""Of this model: one that is down costs three questions their time limit, then rules answer alone for a while."""
MAX_TOKENS = 120
CACHE_SIZE, CACHE_SECONDS = 500, 300
"""Of one process: a turn that is asked for again (a swipe, a retry) asks nobody. Nothing is stored."""
UNAVAILABLE, PAUSED, UNUSABLE = "expansion_unavailable", "expansion_paused", "expansion_unusable"

Expanded = tuple[tuple[str, ...], str | None]


class _Cache:
    """Words by a hash of all that was asked, for a while."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[bytes, tuple[float, tuple[str, ...]]] = OrderedDict()

    def get(self, key: bytes) -> tuple[str, ...] | None:
        with self._lock:
            kept = self._kept.get(key)
        return kept[1] if kept is not None and kept[0] > time.monotonic() else None

    def put(self, key: bytes, words: tuple[str, ...]) -> None:
        with self._lock:
            self._kept[key] = (time.monotonic() + CACHE_SECONDS, words)
            while len(self._kept) > CACHE_SIZE:
                self._kept.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()


CACHE = _Cache()


def expand_question(query: str, talk: Sequence[str], names: Sequence[str]) -> Expanded:
    """Words that the question most likely means, and why there are none. Without a configured model nobody is asked.

    What is told to the model is what the asker knows: the talk that it heard, the names of its own events. No query;
    who waits holds no connection. Call it outside transactions.
    """
    model = find_expansion_model()
    if model is None or not talk:
        return (), None
    asked = render_question(query, talk, names)
    key = hashlib.sha256(f"{model.name}\0{asked}".encode()).digest()
    kept = CACHE.get(key)
    if kept is not None:
        return kept, None
    if not BREAKER.may_pass():
        return (), PAUSED
    try:
        document = model.ask_for_json(
            system=SYSTEM,
            user=asked,
            timeout_seconds=settings.EVENTS_EXPANSION_TIMEOUT_SECONDS,
            max_tokens=MAX_TOKENS,
        )
    except ModelUnavailable as error:
        BREAKER.note_failure()
        log.warning("event_expansion_failed", code=error.code, detail=error.detail)
        return (), UNAVAILABLE
    BREAKER.note_success()
    words = read_words(document)
    if words is None:
        return (), UNUSABLE
    CACHE.put(key, words)
    return words, None
