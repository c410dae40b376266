"""Tags of the pages of the second stage."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from factcheck.extraction import sentences

register = template.Library()
register.filter("verdict_words", sentences.word_verdict)
SENTENCES: dict[str, dict[Any, str]] = {
    "delta": dict(sentences.DELTA_OUTCOMES),
    "message": dict(sentences.MESSAGE_OUTCOMES),
    "run": dict(sentences.RUN_STATES),
    "mode": dict(sentences.RUN_MODES),
    "candidate": dict(sentences.CANDIDATE_STATES),
    "trigger": dict(sentences.TRIGGERS),
}


@register.filter
def badge(word: str) -> SafeString:
    """A state as a coloured word."""
    return format_html('<span class="{}">{}</span>', sentences.get_badge(word), word.replace("_", " "))


@register.filter
def sentence(word: str, of: str) -> str:
    """A state in a sentence."""
    return SENTENCES[of].get(word, "")
