"""The words of time, of asking and of persons that rank messages: one module a language, one shape for all."""

from knowledge.text.words.ar import ARABIC
from knowledge.text.words.en import ENGLISH
from knowledge.text.words.ru import RUSSIAN
from knowledge.text.words.shape import DialogueWords
from knowledge.text.words.zh import CHINESE

DIALOGUE_WORDS: dict[str, DialogueWords] = {"en": ENGLISH, "ru": RUSSIAN, "ar": ARABIC, "zh": CHINESE}
"""By language; all of them are read at once, since a question is too short to tell its language for sure."""

__all__ = ["DIALOGUE_WORDS", "DialogueWords", "list_written"]


def list_written(text: str) -> list[DialogueWords]:
    """The words of the languages in whose scripts something of a text is written."""
    return [words for words in DIALOGUE_WORDS.values() if words.letters.search(text)]
