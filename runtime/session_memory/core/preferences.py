"""What a player prefers, for one session: how long, in which tone, about what, in which language."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

VERBOSITIES = ("brief", "normal", "detailed")
TONES = ("casual", "formal", "respectful")
MAX_TAGS = 20
MAX_TAG_LENGTH = 60
LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")
MAX_LANGUAGE_LENGTH = 35
CONTROL_CHARACTERS = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Preference:
    """What is known; None where nothing was said."""

    verbosity: str | None = None
    tone: str | None = None
    interest_tags: tuple[str, ...] = ()
    language: str | None = None
    updated_at: str | None = None


@dataclass(frozen=True, slots=True)
class PreferenceChange:
    """What to change; None stays as it is. `interest_tags` replaces the tags, then `new_tags` are added."""

    verbosity: str | None = None
    tone: str | None = None
    language: str | None = None
    interest_tags: tuple[str, ...] | None = None
    new_tags: tuple[str, ...] = ()


def validate_preference(change: PreferenceChange) -> str:
    """Why the change can't be made, or an empty text."""
    if change == PreferenceChange():
        return "Say what to change: verbosity, tone, interest_tag, interest_tags or language."
    if change.verbosity is not None and change.verbosity not in VERBOSITIES:
        return f"verbosity must be one of {', '.join(VERBOSITIES)}."
    if change.tone is not None and change.tone not in TONES:
        return f"tone must be one of {', '.join(TONES)}."
    if change.language is not None and not _is_language(change.language):
        return "language must be a BCP 47 tag, for example en or zh-Hans."
    tags = (*(change.interest_tags or ()), *change.new_tags)
    if len(tags) > MAX_TAGS:
        return f"There may be at most {MAX_TAGS} interest tags."
    if not all(_is_tag(tag) for tag in tags):
        return f"An interest tag has 1 to {MAX_TAG_LENGTH} printable characters."
    return ""


def read_preference(stored: Mapping[str, str]) -> Preference | None:
    """The preference of a stored hash; None for an empty one."""
    if not stored:
        return None
    return Preference(
        verbosity=stored.get("verbosity"),
        tone=stored.get("tone"),
        interest_tags=tuple(json.loads(stored.get("interest_tags", "[]"))),
        language=stored.get("language"),
        updated_at=stored.get("updated_at"),
    )


def _is_language(text: str) -> bool:
    return len(text) <= MAX_LANGUAGE_LENGTH and LANGUAGE.fullmatch(text) is not None


def _is_tag(text: str) -> bool:
    return bool(text.strip()) and len(text) <= MAX_TAG_LENGTH and not CONTROL_CHARACTERS.search(text)
