"""In which language the sections of a prompt are, and in which a reply is asked for."""

from __future__ import annotations

from collections.abc import Sequence

from knowledge.text.language import ARABIZI, UNDETERMINED, detect_language

LANGUAGES = ("en", "ru", "ar", "zh")
"""Languages that prompts are written in."""
DEFAULT = "en"


def read_primary_language(tag: str | None) -> str | None:
    """The first part of a BCP 47 tag (`zh` of `zh-Hant`), or None without one."""
    return (tag or "").replace("_", "-").split("-")[0].strip().lower() or None


def find_supported(tag: str | None) -> str | None:
    """The language of the prompts that a BCP 47 tag names (`zh-Hant` names zh, Arabizi reads ar), or None."""
    primary = read_primary_language(tag)
    if primary == ARABIZI:
        return "ar"
    return primary if primary in LANGUAGES else None


def choose_languages(
    *, preference: str | None, message: str, world_languages: Sequence[str], talk: Sequence[str]
) -> tuple[str, str | None]:
    """The language of the prompts, and that of the reply."""
    return (
        choose_frame_language(preference=preference, message=message, world_languages=world_languages, talk=talk),
        choose_reply_language(preference=preference, message=message, talk=talk),
    )


def choose_frame_language(
    *, preference: str | None, message: str, world_languages: Sequence[str], talk: Sequence[str] = ()
) -> str:
    """The session's preference, else the message's language, else the world's first known one, else English.

    `talk` is what the player said before, the latest last: it tells the language of a message such as `ok`.
    """
    candidates = (preference, detect_language(message, context=talk), *world_languages)
    return next((found for found in map(find_supported, candidates) if found), DEFAULT)


def choose_reply_language(*, preference: str | None, message: str, talk: Sequence[str] = ()) -> str | None:
    """The language to answer in, whether prompts are written in it or not: an explicit preference always wins, else
    the message's, else that of the talk; None leaves it open.
    """
    preferred = read_primary_language(preference)
    if preferred:
        return preferred
    spoken = detect_language(message, context=talk)
    return None if spoken == UNDETERMINED else spoken
