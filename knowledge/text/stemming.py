"""Stems of single normalised words, by script.

A Snowball stemmer keeps state while it works, so every thread has its own.
"""

import re
import threading
import unicodedata

import Stemmer

_ARTICLES = ("بال", "كال", "فال", "ال", "لل")
_CONJUNCTION = "و"
_PREPOSITION = "ل"
_FLEETING_VOWEL = re.compile(r"(?<=..)(?:[ео](?=к$)|е(?=[цн]$))")
_LOOKS_INFLECTED = re.compile(r"[аыя]х$|о$")
_MAX_ELISION_LENGTH = 2
"""Letters before the apostrophe of `l'`, `d'`, `qu'`; `rock'n` has more."""
_KEPT_WHOLE = {"الله": "الله", "لله": "الله", "والله": "الله", "بالله": "الله"}


def fold_word(word: str) -> str:
    """A word of a language without a stemmer: whole, without accents, and without an elided article (`l'eau`)."""
    head, apostrophe, rest = word.partition("'")
    if apostrophe and rest and len(head) <= _MAX_ELISION_LENGTH:
        word = rest
    plain = unicodedata.normalize("NFD", word.replace("'", ""))
    kept = "".join(character for character in plain if not unicodedata.combining(character))
    return kept or word


class _Stemmers(threading.local):
    def __init__(self) -> None:
        self.english = Stemmer.Stemmer("english", 0)
        self.russian = Stemmer.Stemmer("russian", 0)
        self.arabic = Stemmer.Stemmer("arabic", 0)


_STEMMERS = _Stemmers()


def stem_english(word: str) -> str:
    """The stem of a word in Latin script; a word with digits (`7abibi`, `b12`) stays as typed.

    A possessive ending goes; any other apostrophe is dropped, so that `Kel'Thuzad` and `Kelthuzad` are one.
    """
    word = word.removesuffix("'s").replace("'", "")
    if not word.isalpha():
        return word
    stem: str = _STEMMERS.english.stemWord(word)
    return stem


def stem_russian(word: str) -> str:
    """The stem of a word in Cyrillic script; apostrophes inside are dropped.

    Snowball knows no fleeting vowels, so `замок` and `замка`, `отец` and `отца` are brought together here. It also
    takes the ends of `монах`, `отдых` and `герой` for endings but leaves them on `монаха`: such stems lose theirs too.
    """
    stem: str = _STEMMERS.russian.stemWord(word.replace("'", ""))
    if _LOOKS_INFLECTED.search(stem):
        stem = _STEMMERS.russian.stemWord(stem)
    return _FLEETING_VOWEL.sub("", stem)


def stem_arabic(word: str) -> str:
    """The stem of a word in Arabic script without the article and the commonest joined particles.

    Snowball leaves the article on some words and `و` on most, so both go first (light10's rule: enough letters must
    remain); `ل` goes last, from long stems only, since many short words begin with it.
    """
    if word in _KEPT_WHOLE:
        return _KEPT_WHOLE[word]
    stem: str = _STEMMERS.arabic.stemWord(_strip_joined(word))
    if stem.startswith(_PREPOSITION) and len(stem) >= 5:
        stem = stem[1:]
    return stem


def _strip_joined(word: str) -> str:
    """The word without `و` and the article before it, in whichever order they are joined."""
    bare = word[1:] if word.startswith(_CONJUNCTION) else word
    stripped = _strip_article(bare)
    if stripped == bare:
        stripped = _strip_article(word)
    if stripped.startswith(_CONJUNCTION) and len(stripped) >= 4 and not stripped.startswith("وال"):
        return stripped[1:]
    return stripped


def _strip_article(word: str) -> str:
    for article in _ARTICLES:
        if word.startswith(article) and len(word) - len(article) >= (2 if article == "ال" else 3):
            return word[len(article) :]
    return word
