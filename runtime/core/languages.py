"""In which language the frames of a prompt are."""

from __future__ import annotations

from collections.abc import Sequence

from knowledge.text.language import detect_language

LANGUAGES = ("en", "ru", "ar", "zh")
DEFAULT = "en"


def find_supported(tag: str | None) -> str | None:
    """The supported language that a BCP 47 tag names (`zh-Hant` names zh), or None."""
    primary = (tag or "").replace("_", "-").split("-")[0].strip().lower()
    return primary if primary in LANGUAGES else None


def choose_frame_language(*, preference: str | None, message: str, world_languages: Sequence[str]) -> str:
    """The session's preference, else the message's language, else the world's first known one, else English."""
    candidates = (preference, detect_language(message), *world_languages)
    return next((found for found in map(find_supported, candidates) if found), DEFAULT)


def choose_reply_language(*, preference: str | None, message: str) -> str | None:
    """The language to answer in: the message's where its letters tell, else the preference; None leaves it open."""
    return find_supported(detect_language(message)) or find_supported(preference)
