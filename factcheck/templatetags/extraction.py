"""Tags of the pages of the second stage."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from factcheck.extraction import wording

register = template.Library()
register.filter("verdict_words", wording.word_verdict)
SENTENCES: dict[str, dict[Any, str]] = {
    "delta": dict(wording.DELTA_OUTCOMES),
    "message": dict(wording.MESSAGE_OUTCOMES),
    "run": dict(wording.RUN_STATES),
    "mode": dict(wording.RUN_MODES),
    "candidate": dict(wording.CANDIDATE_STATES),
    "trigger": dict(wording.TRIGGERS),
}


@register.filter
def badge(word: str) -> SafeString:
    """A state as a coloured word."""
    return format_html('<span class="{}">{}</span>', wording.get_badge(word), word.replace("_", " "))


@register.filter
def sentence(word: str, of: str) -> str:
    """A state in a sentence."""
    return SENTENCES[of].get(word, "")
