"""In which language the sections of a prompt are, and in which a reply is asked for."""

from __future__ import annotations

from collections.abc import Sequence

from knowledge.text.language import UNDETERMINED, detect_language
from knowledge.text.languages import find_prompt_language, read_primary_tag

DEFAULT = "en"


def choose_languages(
    *, preference: str | None, message: str, world_languages: Sequence[str], talk: Sequence[str]
) -> tuple[str, str | None]:
    """The language of the prompts, and that of the reply."""
    return (
        choose_prompt_language(preference=preference, message=message, world_languages=world_languages, talk=talk),
        choose_reply_language(preference=preference, message=message, talk=talk),
    )


def choose_prompt_language(
    *, preference: str | None, message: str, world_languages: Sequence[str], talk: Sequence[str] = ()
) -> str:
    """The session's preference, else the message's language, else the world's first known one, else English.

    `talk` is what the player said before, the latest last: it tells the language of a message such as `ok`.
    """
    candidates = (preference, detect_language(message, context=talk), *world_languages)
    return next((found for found in map(find_prompt_language, candidates) if found), DEFAULT)


def choose_reply_language(*, preference: str | None, message: str, talk: Sequence[str] = ()) -> str | None:
    """The language to answer in, whether prompts are written in it or not: an explicit preference always wins, else
    the message's, else that of the talk; None leaves it open.
    """
    preferred = read_primary_tag(preference)
    if preferred:
        return preferred
    spoken = detect_language(message, context=talk)
    return None if spoken == UNDETERMINED else spoken
