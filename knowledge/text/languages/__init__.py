"""The languages of the service: one folder each, and what is derived from them.

Search, recognition, prompts, patterns, database checks, admin fields and the README read this registry; a new language is
a folder and a line here (docs/how-to/add-a-language.md). Languages that are only recognised are in `language.py`.
"""

from __future__ import annotations

from collections.abc import Mapping

from knowledge.text.languages.ar import ARABIC
from knowledge.text.languages.arabizi import ARABIZI_LANGUAGE
from knowledge.text.languages.dialogue_words import DialogueWords
from knowledge.text.languages.en import ENGLISH
from knowledge.text.languages.es import SPANISH
from knowledge.text.languages.ru import RUSSIAN
from knowledge.text.languages.shape import Boundary, Language, SceneWords
from knowledge.text.languages.uk import UKRAINIAN
from knowledge.text.languages.zh import CHINESE

LANGUAGES: Mapping[str, Language] = {
    each.code: each for each in (ENGLISH, RUSSIAN, ARABIC, ARABIZI_LANGUAGE, CHINESE, SPANISH, UKRAINIAN)
}
SEARCH_LANGUAGES = tuple(code for code, each in LANGUAGES.items() if each.stem or each.boundary == "none")
"""Those of whose words search knows the forms."""
SCRIPT_DEFAULTS: Mapping[str, Language] = {each.script: each for each in LANGUAGES.values() if each.is_script_default}
DIALOGUE_WORDS: Mapping[str, DialogueWords] = {code: each.dialogue for code, each in LANGUAGES.items() if each.dialogue}
"""All of them are read at once, since a question is too short to tell its language for sure."""
PROMPT_LANGUAGES = tuple(code for code, each in LANGUAGES.items() if each.prompts == code)
PROPOSER_LANGUAGES = tuple(code for code, each in LANGUAGES.items() if each.proposer_prompts == code)
HEARD_LANGUAGES = tuple(code for code, each in LANGUAGES.items() if each.patterns)
"""What players say of themselves is heard in these."""
MIXED = "mixed"
DEFAULT_LANGUAGE = "en"
"""Of prompts and words where nothing better is known."""
PATTERN_LANGUAGES = (*HEARD_LANGUAGES, MIXED)
"""Of rows of patterns, and of what was heard; `mixed` is a message with words of two scripts."""

__all__ = [
    "DEFAULT_LANGUAGE", "DIALOGUE_WORDS", "HEARD_LANGUAGES", "LANGUAGES", "MIXED", "PATTERN_LANGUAGES", "PROMPT_LANGUAGES",
    "PROPOSER_LANGUAGES", "SCRIPT_DEFAULTS", "SEARCH_LANGUAGES", "Boundary", "DialogueWords", "Language", "SceneWords",
    "find_prompt_language", "find_proposer_language", "list_written", "read_primary_tag",
]  # fmt: skip


def read_primary_tag(tag: str | None) -> str | None:
    """The first part of a BCP 47 tag (`zh` of `zh-Hant`), or None without one."""
    return (tag or "").replace("_", "-").split("-")[0].strip().lower() or None


def find_prompt_language(tag: str | None) -> str | None:
    """The language of the prompts for a BCP 47 tag (`zh-Hant` gets zh, Arabizi gets ar), or None."""
    language = LANGUAGES.get(read_primary_tag(tag) or "")
    return language.prompts if language else None


def find_proposer_language(tag: str | None) -> str | None:
    """The language of the proposers' prompts for a BCP 47 tag, or None."""
    language = LANGUAGES.get(read_primary_tag(tag) or "")
    return language.proposer_prompts if language else None


def list_written(text: str) -> list[DialogueWords]:
    """The words of the languages in whose scripts something of a text is written."""
    return [words for words in DIALOGUE_WORDS.values() if words.letters.search(text)]
