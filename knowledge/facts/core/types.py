"""Which facts are kept at all, and how their keys are written. Source: seed 002, fixes 2 and 3."""

from __future__ import annotations

import re
import unicodedata

GUARANTEED_TYPES = ("body_params", "budget", "allergy", "hard_ban", "onboarding_style", "life_event", "instruction")
SOFT_TYPES = ("emotional_patterns", "behavior_patterns", "color_preferences", "brand_preferences")
"""These change and are guessed at: they stay in the words of the conversation."""

LIFE_EVENT = "life_event"
ONBOARDING_STYLE = "onboarding_style"
EVENT_TTL_DAYS = 30
"""An event without a date is a fact for so long after it was last spoken of."""

DEFAULT_KEYS = {"body_params": "size", "budget": "general", "onboarding_style": "style"}
MAX_KEY_LENGTH = 100
MAX_VALUE_LENGTH = 1000
_GAP = re.compile(r"[\W_]+")


def canonical_key(text: str) -> str:
    """A key in one spelling: folded, words joined by `_`; empty where nothing of a word is in it."""
    return _GAP.sub("_", unicodedata.normalize("NFKC", text).casefold()).strip("_")
