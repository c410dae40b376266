"""How important a text is, by rules, and when it is old enough to be archived."""

from __future__ import annotations

import re
from dataclasses import dataclass

DECISION, ASKED, DETAILED, PLAIN = 0.9, 0.7, 0.4, 0.3
EXEMPT_FROM = 0.85
"""Decisions and their reasons are never archived by themselves. Source: seed 003, what to remember."""
ARCHIVE_BELOW = 0.1
"""Below this score an entry is archived: something plain that nobody used goes after 48 days."""
MAX_HALF_LIFE_DAYS = 240.0
MAX_DOUBLINGS = 3
"""30 days become 240 by three uses; further ones add nothing."""

_DECISION = re.compile(
    r"\b(?:decid\w+|decision\w*|chose(?:n)?|choose|agreed|adopt(?:ed)?|rejected|because|reason\w*|instead of|policy|must not)\b"
    r"|\b(?:реш(?:или|ено|ил|ила|ение|ения|аем)|выбра\w+|выбор\w*|договорил\w+|утверд\w+|отказал\w+|потому что|причин\w+|вместо|нельзя)\b"
    r"|قرر|قررنا|قرار|اخترنا|اختيار|اتفقنا|بسبب|لأن|بدلا من|رفضنا"
    r"|决定|决策|选择|选用|采用|同意|因为|原因|而不是|不能",
    re.IGNORECASE,
)
_ASKED = re.compile(
    r"\b(?:remember|don't forget|do not forget|note that|important|always|never|prefer\w*|wants?)\b"
    r"|\b(?:запомни\w*|не забу\w+|важно|всегда|никогда|предпочит\w+|просит|хочет)\b"
    r"|تذكر|لا تنس|مهم|دائما|أبدا|يفضل|يريد"
    r"|记住|别忘|重要|总是|从不|喜欢|希望",
    re.IGNORECASE,
)
_DETAIL = re.compile(r"\d|https?://|[\w.-]+@[\w-]+\.|/\w+|(?<=[^.!?\n] )[A-ZА-ЯЁ][\w-]{2,}")


@dataclass(frozen=True, slots=True)
class Importance:
    """From 0 to 1, and why."""

    value: float
    reason: str


def rate_importance(kind: str, text: str) -> Importance:
    """How important an entry is: decisions and reasons most, then what was asked for, then what has names or figures.

    Facts and documents are written by name, on purpose: they are at least worth what was asked for.
    """
    if _DECISION.search(text):
        return Importance(DECISION, "decision or reason")
    if kind != "note":
        return Importance(ASKED, f"a {kind}, kept by name")
    if _ASKED.search(text):
        return Importance(ASKED, "asked to be remembered")
    if _DETAIL.search(text):
        return Importance(DETAILED, "names or figures")
    return Importance(PLAIN, "plain")


def score_retention(*, importance: float, idle_days: float, uses: int, half_life_days: float) -> float:
    """How much an entry is still worth: importance × 2^(−idle days / half-life), the half-life doubled by each use.

    Example: importance 0.3, unused for 48 days with a half-life of 30: 0.099.
    """
    half_life = min(half_life_days * 2 ** min(uses, MAX_DOUBLINGS), max(MAX_HALF_LIFE_DAYS, half_life_days))
    return float(importance * 2.0 ** (-max(idle_days, 0.0) / half_life))
