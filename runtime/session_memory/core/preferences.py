"""What a player prefers, for one session: how long, in which tone, about what, in which language."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from runtime.session_memory.core.inference import TAGS, infer_tags, infer_value, read_noted
from runtime.session_memory.core.signals import MAX_TAG_LENGTH, SINGLE_FIELDS

EXPLICIT, INFERRED = "explicit", "inferred"
SET_TAGS = "interest_tags_set"
"""The hash field that says that somebody set the topics, perhaps to none."""
VERBOSITIES = ("brief", "normal", "detailed")
TONES = ("casual", "formal", "respectful")
MAX_TAGS = 20
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
    source: Mapping[str, str] = field(default_factory=dict)
    """Of each field that is known: `explicit` where somebody set it, `inferred` from what the player said."""
    evidence: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """The messages that an inferred field rests on."""
    tag_evidence: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """The same of each inferred topic."""

    def leave_out(self, names: Iterable[str]) -> Preference:
        """Without these fields where they are inferred: what the player asked for good stands in their place."""
        gone = {name for name in names if self.source.get(name) == INFERRED}
        return replace(
            self,
            verbosity=None if "verbosity" in gone else self.verbosity,
            tone=None if "tone" in gone else self.tone,
            language=None if "language" in gone else self.language,
            source={name: each for name, each in self.source.items() if name not in gone},
            evidence={name: each for name, each in self.evidence.items() if name not in gone},
        )


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


def read_preference(stored: Mapping[str, str], *, is_inferred: bool = True) -> Preference | None:
    """The preference of a stored hash; None where nothing is known. What somebody set is never inferred."""
    noted = read_noted(stored) if is_inferred else []
    values: dict[str, str] = {}
    source: dict[str, str] = {}
    evidence: dict[str, tuple[int, ...]] = {}
    for name in SINGLE_FIELDS:
        if name in stored:
            values[name], source[name] = stored[name], EXPLICIT
        elif found := infer_value(name, stored, noted):
            values[name], source[name], evidence[name] = found.value, INFERRED, found.evidence
    tags = tuple(json.loads(stored.get(TAGS, "[]")))
    tag_evidence: dict[str, tuple[int, ...]] = {}
    if tags or SET_TAGS in stored:
        source[TAGS] = EXPLICIT
    elif topics := infer_tags(stored, noted):
        tag_evidence = {topic.value: topic.evidence for topic in topics}
        tags, source[TAGS] = tuple(tag_evidence), INFERRED
        evidence[TAGS] = tuple(sorted({each for topic in topics for each in topic.evidence}))
    updated_at = stored.get("updated_at")
    if not source and updated_at is None:
        return None
    return Preference(
        **values,
        interest_tags=tags,
        updated_at=updated_at,
        source=source,
        evidence=evidence,
        tag_evidence=tag_evidence,
    )


def _is_language(text: str) -> bool:
    return len(text) <= MAX_LANGUAGE_LENGTH and LANGUAGE.fullmatch(text) is not None


def _is_tag(text: str) -> bool:
    return bool(text.strip()) and len(text) <= MAX_TAG_LENGTH and not CONTROL_CHARACTERS.search(text)
