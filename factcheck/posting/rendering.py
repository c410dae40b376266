"""What a message says about the player, as JSON."""

from __future__ import annotations

from factcheck.core.message_extraction import CorrectionExtraction, FactExtraction, MessageExtraction
from factcheck.posting import shapes
from memoryproject.times import render_time


def render_extraction(extraction: MessageExtraction) -> shapes.MessageExtraction:
    """Facts and corrections of one message."""
    return {
        "facts": [_render_fact(fact) for fact in extraction.facts],
        "corrections": [_render_correction(correction) for correction in extraction.corrections],
    }


def _render_fact(fact: FactExtraction) -> shapes.ExtractedFact:
    return {
        "fact_id": fact.fact_id,
        "type": fact.type,
        "key": fact.key,
        "value": fact.value,
        "outcome": fact.outcome,
        "superseded_id": fact.superseded_id,
        "confidence": fact.confidence,
        "language": fact.language,
        "expires_at": render_time(fact.expires_at),
        "evidence": list(fact.evidence),
        "evidence_span": list(fact.evidence_span),
        "quote": fact.quote,
        "is_disputed": fact.is_disputed,
    }


def _render_correction(correction: CorrectionExtraction) -> shapes.ExtractedCorrection:
    return {
        "outcome": correction.outcome,
        "type": correction.type,
        "language": correction.language,
        "quote": correction.quote,
        "fact_id": correction.fact_id,
        "fact": None
        if correction.fact_id is None
        else {"type": correction.fact_type, "key": correction.fact_key, "value": correction.fact_value},
        "corrected_message_id": correction.corrected_message_id,
        "receipt_id": correction.receipt_id,
        "replacement": None if correction.replacement is None else _render_fact(correction.replacement),
    }
