"""The closed vocabularies of lorebooks: dialects, positions, roles, logic, scan sources, regex keys."""

from enum import IntEnum, StrEnum


class Dialect(StrEnum):
    """Whose shape the entries of a book have."""

    SILLYTAVERN = "sillytavern"
    CHARACTER_BOOK = "character_book"  # the book of Character Card V2, also alone in a file
    CHARACTER_BOOK_V3 = "character_book_v3"  # the Lorebook of Character Card V3, with use_regex and decorators
    RISU = "risu"
    NOVELAI = "novelai"
    AGNAI = "agnai"


class Position(StrEnum):
    """Where the content of an entry is placed in the prompt."""

    BEFORE_CHAR = "before_char"
    AFTER_CHAR = "after_char"
    AN_TOP = "an_top"  # above the author's note
    AN_BOTTOM = "an_bottom"
    AT_DEPTH = "at_depth"  # `depth` messages before the end, in `role`
    EM_TOP = "em_top"  # above the example messages
    EM_BOTTOM = "em_bottom"
    OUTLET = "outlet"  # wherever the prompt names `outlet`


class Role(StrEnum):
    """Whose words an entry at depth becomes."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


class SelectiveLogic(IntEnum):
    """What secondary keys ask for once a primary key is found. The numbers are SillyTavern's."""

    AND_ANY = 0
    NOT_ALL = 1
    NOT_ANY = 2
    AND_ALL = 3


class RegexKeys(StrEnum):
    """Which keys are regular expressions."""

    SLASHED = "slashed"  # those written /…/flags: SillyTavern, NovelAI
    ALL = "all"  # every key: `use_regex` of V3 and Risu
    NONE = "none"


class ScanSource(StrEnum):
    """What is scanned for keys besides the chat. The values are SillyTavern's names in `extensions`."""

    PERSONA_DESCRIPTION = "match_persona_description"
    CHARACTER_DESCRIPTION = "match_character_description"
    CHARACTER_PERSONALITY = "match_character_personality"
    CHARACTER_DEPTH_PROMPT = "match_character_depth_prompt"
    SCENARIO = "match_scenario"
    CREATOR_NOTES = "match_creator_notes"


GENERATION_TRIGGERS = ("normal", "continue", "impersonate", "swipe", "regenerate", "quiet")
