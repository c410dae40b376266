"""Whether a delta is well formed, whatever a proposer answered."""

from __future__ import annotations

import math

from factcheck.extraction.core.canaries import find_canary
from factcheck.extraction.core.deltas import (
    MAX_QUOTE_LENGTH,
    MAX_QUOTES,
    PROPOSED_TYPES,
    Delta,
    Operation,
    Quote,
    Stance,
    Subject,
)
from knowledge.facts.core.drafts import FactDraft, validate_fact_draft
from knowledge.facts.core.types import MAX_KEY_LENGTH, SOFT_TYPES

HARD_BAN = "hard_ban"


def find_form_error(delta: Delta) -> str:
    """What is wrong with the form of a delta; empty where nothing is."""
    if not isinstance(delta, Delta):
        return "no delta"
    if not isinstance(delta.operation, Operation) or not isinstance(delta.subject, Subject):
        return "operation or subject unknown"
    if not isinstance(delta.stance, Stance):
        return "stance unknown"
    if delta.type not in PROPOSED_TYPES:
        return "type not extracted"
    if delta.type in SOFT_TYPES and delta.operation != Operation.ADD:
        return "what is no fact is only added"
    if not _is_place(delta.fact) or (delta.fact is None) != (delta.operation == Operation.ADD):
        return "a fact is named by UPDATE, REMOVE and CONFIRM, and by these alone"
    if not _is_text(delta.key, MAX_KEY_LENGTH, least=0) or not _is_text(delta.value, None):
        return "key or value is no text"
    if isinstance(delta.confidence, bool) or not isinstance(delta.confidence, int | float):
        return "confidence is no number"
    if not math.isfinite(delta.confidence) or not 0 <= delta.confidence <= 1:
        return "confidence lies between 0 and 1"
    return _validate_quotes(delta) or _validate_fact(delta)


def has_canary(delta: Delta) -> bool:
    """Whether a word of the prompt's examples is in what was answered."""
    return any(find_canary(text) for text in (delta.key, delta.value, *(quote.text for quote in delta.quotes)))


def _validate_quotes(delta: Delta) -> str:
    if not isinstance(delta.quotes, tuple) or not 1 <= len(delta.quotes) <= MAX_QUOTES:
        return f"1 to {MAX_QUOTES} quotes"
    for quote in delta.quotes:
        if not isinstance(quote, Quote) or isinstance(quote.message, bool) or not isinstance(quote.message, int):
            return "a quote names its message"
        if not _is_text(quote.text, MAX_QUOTE_LENGTH) or not any(map(str.isalnum, quote.text)):
            return f"a quote has 1 to {MAX_QUOTE_LENGTH} characters, a letter or digit among them"
    return ""


def _validate_fact(delta: Delta) -> str:
    type_ = HARD_BAN if delta.type in SOFT_TYPES else delta.type  # the same limits of key and value
    draft = FactDraft(type_, delta.value, source="batch", key=delta.key or None, evidence=(1,))
    flaw = validate_fact_draft(draft)
    return flaw.error.code if flaw else ""


def _is_place(place: object) -> bool:
    return place is None or (isinstance(place, int) and not isinstance(place, bool) and place >= 1)


def _is_text(text: object, most: int | None, *, least: int = 1) -> bool:
    """Whether it is a text that can be stored: no lone surrogates, no NUL."""
    if not isinstance(text, str) or len(text) < least or (most is not None and len(text) > most):
        return False
    return "\0" not in text and not any("\ud800" <= character <= "\udfff" for character in text)
