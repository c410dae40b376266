"""Reasons of the gate's own not to take a sentence at its word: irony, a supposition, a report, an order.

What rules can see of irony: marks (🙄, /s, a song's notes), fixed phrases, laughter beside an absurd sum. Irony that
shows only in what was said before is not seen here.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from factcheck.core.yaml_files import read_yaml
from factcheck.instant.core.clause_patterns import load_clause_patterns
from factcheck.instant.core.guards import blank_earnestness
from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.narrative_modes import Span
from factcheck.instant.core.reader_words import compile_occurrence
from knowledge.facts.core.types import CRITICAL_TYPES

_FILE = Path(__file__).resolve().parents[3] / "pattern_sets" / "doubts.yaml"
_KINDS = ("irony", "supposed", "asked", "reported", "ordered")
_BY_TYPE = {
    "body_params": {"food_size": "not clothes", "bad_fit": "not of the person"},
    "hard_ban": {"momentary": "for the moment"},
    "allergy": {"disproved": "disproved"},
}
_AROUND_BEFORE, _AROUND_AFTER = 60, 40
"""Characters beside a sentence where a mark of irony still counts: "oh sure. … /s", "… 🙄"."""
_SONG = re.compile("[♪♫🎵🎶]")
_ABSURD_SUM = 1_000_000
_LAUGHING_FACES = re.compile("[😂🤣😹😜😝]")
_NUMBER = re.compile(r"\d+")
_NOT_WELCOME = re.compile(
    r"(?:(?<!\w)(?:not|never|no|isn't|aren't|don't|dont|doesn't|didn't|can't|won't|не|нет|мало|مو|مش|مب|ما|لا|لست"
    r"|mish|msh|mo|mu|ma|不|没|别)|n't)\s+(?:[\w']+\s+)?(?:ok|okay|fine|cool|comfortable|love|like|adore|enjoy"
    r"|a problem|problem|люблю|обожаю|нравится|нормально|против|احب|بحب|عادي|b7eb|3adi|喜欢|介意)\w*(?:\s+with)?"
)
"""What is not welcome is refused after all: "not ok with gore"."""


def find_doubt(message: FoldedMessage, sentence: Span, fact_type: str, value: str) -> str:
    """The first reason not to believe a sentence of a folded message; empty where there is none."""
    text = blank_earnestness(message.text[slice(*sentence)])
    first, last = max(0, sentence[0] - _AROUND_BEFORE), min(len(message.text), sentence[1] + _AROUND_AFTER)
    around = message.text[first:last]
    if load_clause_patterns().is_ironic(message.quote(first, last)):
        return "irony"
    if _SONG.search(around):
        return "song"
    for kind in _KINDS:
        if _compile(kind).search(text):
            return kind
    if fact_type in CRITICAL_TYPES and _compile("past").search(text):
        return "past"
    if fact_type == "hard_ban" and _compile("refused_fear").search(_NOT_WELCOME.sub(" ", text)):
        return "not refused"
    for group, reason in _BY_TYPE.get(fact_type, {}).items():
        if _compile(group).search(text):
            return reason
    laughs = _compile("boast").search(around) or _LAUGHING_FACES.search(around)
    if fact_type == "budget" and laughs and _is_absurd(value):
        return "boast"
    return ""


def _is_absurd(value: str) -> bool:
    amount = _NUMBER.search(value)
    return amount is not None and int(amount[0][:18]) >= _ABSURD_SUM


@lru_cache(maxsize=16)
def _compile(kind: str) -> Any:
    return compile_occurrence(",".join(_load()[kind].values()))


@lru_cache(maxsize=1)
def _load() -> dict[str, dict[str, str]]:
    loaded: dict[str, dict[str, str]] = read_yaml(_FILE)
    return loaded
