"""Stems of Spanish words."""

import re
import threading

import Stemmer

_PLURAL = re.compile(r"(?<=[aeiou]d)es$")
_IMPERFECT = re.compile(r"(?<=...)ia(?=n$|s$|mos$|is$|$)")


class _Own(threading.local):
    def __init__(self) -> None:
        self.spanish = Stemmer.Stemmer("spanish", 0)


_STEMMERS = _Own()


def stem_spanish(word: str) -> str:
    """The stem of a normalised Spanish word; one with digits stays as typed.

    Normalising takes the accents by which Snowball knows imperfects (`vivían`), so they are put back; `ciudad` and
    `ciudades`, `luz` and `luces` are brought together.
    """
    word = word.replace("'", "")
    if not word.isalpha():
        return word
    stem: str = _STEMMERS.spanish.stemWord(_IMPERFECT.sub("ía", _PLURAL.sub("", word))).replace("í", "i")
    return f"{stem[:-1]}c" if stem.endswith("z") else stem
