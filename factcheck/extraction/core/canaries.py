"""Words that stand in the examples of our prompts and nowhere else: an answer that holds one repeats an example.

Hindsight stored 132 memories out of its own few-shot examples (2 % of a bank); so examples here use nothing that a
player would say. Source: seed 002 as resolved by A-R14.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any

CANARY_WORDS = frozenset({
    "zelbrin", "quorvane", "mivoltar",
    "зельбрин", "кворван", "мивольтар",
    "زلبرين", "كورفان", "ميفولتار",
    "泽尔布林", "阔尔梵", "米沃塔",
    "48613",
})  # fmt: skip
"""Invented things in four scripts, and a sum. Words may have endings, and articles before them."""
_BETWEEN_DIGITS = re.compile(r"(?<=\d)[\s.,'’_٬٫](?=\d{3}(?!\d))")
_MARKS = re.compile("[\u0640\u064b-\u065f\u0670]")


def find_canary(text: str) -> str | None:
    """The reserved word that a text holds, in whatever digits, case or form, or None."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    digits = "".join(str(unicodedata.digit(each, each)) for each in folded)
    plain = _MARKS.sub("", _BETWEEN_DIGITS.sub("", digits)).replace("_", "")
    return next((word for word in sorted(CANARY_WORDS) if word in plain), None)


def holds_canary(value: Any) -> bool:
    """Whether any text of a JSON value holds a reserved word."""
    if isinstance(value, str):
        return find_canary(value) is not None
    if isinstance(value, dict):
        return any(holds_canary(each) for each in value.values())
    return isinstance(value, list | tuple) and any(holds_canary(each) for each in value)
