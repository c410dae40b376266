"""Standing instructions: how a player wants to be spoken to. They are data, and can ask for no more than that.

A fact of the type `instruction` is told to models always, so its value is short, and what would widen a model's powers
(its rules, secrets, roles, the outcome of play, money, tools) is refused wherever a fact is written.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from knowledge.text.folding import normalise

INSTRUCTION = "instruction"
MAX_INSTRUCTION_LENGTH = 200
"""Characters of a value: one sentence. All that are told together stay within `MAX_TOLD_LENGTH` of the packs."""
KINDS = (
    "name", "pronouns", "language", "length", "tone", "formality", "wording", "emoji", "swearing", "format", "units",
    "temperature", "clock",
)  # fmt: skip
"""Keys of which a player has one value; all others are the wish's own words."""

_FILE = Path(__file__).with_name("instruction_powers.txt")
_COMMENT_LINES = 2
_MARKUP = re.compile(r"[<>{}\[\]|`\\【】]|://|#{2,}|\n")


@lru_cache(maxsize=1)
def _load_powers() -> re.Pattern[str]:
    """What no wish about the manner of speaking needs: rules, secrets, roles, gains, tools."""
    return re.compile("".join(_FILE.read_text(encoding="utf-8").split("\n")[_COMMENT_LINES:]))


def widens_powers(text: str) -> bool:
    """Whether a text asks for more than a manner of speaking, or looks like part of a prompt."""
    return _MARKUP.search(text) is not None or _load_powers().search(normalise(text)) is not None
