"""One spelling for texts that mean the same: compatibility forms, case, accents, invisible characters.

What is folded: NFKC, case, ё to е, accents of Latin and Greek letters, stress marks, zero-width and bidirectional
controls, Arabic tatweel and vowel marks, the forms of alef, ya, kaf and ta marbuta, digits of every script to ASCII,
apostrophes to one. Composed letters that are letters of their own (й, ї, ў) stay.
"""

import unicodedata

_REMOVED_CATEGORIES = frozenset({"Cf"})
_REPLACED_CATEGORIES = frozenset({"Cc", "Cs", "Co", "Zs", "Zl", "Zp"})
_REMOVED_MARKS = (
    range(0x0300, 0x0370),  # accents and stress
    range(0x0483, 0x048A),  # Cyrillic titlo and the like
    range(0x0591, 0x05C8),  # Hebrew points
    range(0x0610, 0x061B),  # Arabic honorifics
    range(0x064B, 0x0660),  # Arabic vowels, shadda, hamza above and below
    range(0x06D6, 0x06DD),
    range(0x06DF, 0x06E5),
    range(0x06E7, 0x06E9),
    range(0x06EA, 0x06EE),
    range(0x08CA, 0x0900),
    range(0xFE00, 0xFE10),  # variation selectors
    range(0xFE20, 0xFE30),
)
_ONE_BY_ONE: dict[str, str | None] = {
    "ё": "е", "ѐ": "е", "ѝ": "и",
    "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i",
    "\u2019": "'", "\u2018": "'", "\u02bc": "'", "\u02bb": "'", "\u02b9": "'", "\u055a": "'", "\u00b4": "'", "`": "'",
    "\u2032": "'", "\u2044": "/",
    "\u0640": None, "\u0670": None,
    "آ": "ا", "أ": "ا", "إ": "ا", "ٱ": "ا", "ٲ": "ا", "ٳ": "ا",
    "ى": "ي", "ی": "ي", "ې": "ي", "ے": "ي", "ؤ": "و", "ئ": "ي",
    "ک": "ك", "ڪ": "ك", "ة": "ه", "ۀ": "ه", "ە": "ه", "ہ": "ه",
    "\u066b": ".", "\u066c": ",",
}  # fmt: skip
_FOLDED_BY_DECOMPOSITION = (range(0x00C0, 0x0250), range(0x0370, 0x0400), range(0x1E00, 0x2000))
_LAST_REMEMBERED = 0xFFFF


class _Folding(dict[int, str | None]):
    """What each code point becomes, worked out on first sight; only the basic plane is remembered."""

    def __missing__(self, point: int) -> str | None:
        folded = _fold(point)
        if point <= _LAST_REMEMBERED:
            self[point] = folded
        return folded


def _fold(point: int) -> str | None:
    character = chr(point)
    if character in _ONE_BY_ONE:
        return _ONE_BY_ONE[character]
    category = unicodedata.category(character)
    if category in _REMOVED_CATEGORIES or any(point in marks for marks in _REMOVED_MARKS):
        return None
    if category in _REPLACED_CATEGORIES:
        return character if character in "\n\t" else " "
    if category == "Nd":
        return str(unicodedata.decimal(character))
    if any(point in block for block in _FOLDED_BY_DECOMPOSITION):
        base = unicodedata.normalize("NFD", character)[0]
        return _ONE_BY_ONE.get(base, base)
    return character


_FOLDING = _Folding()


def normalise(text: str) -> str:
    """The text in the one spelling that analysis compares; doing it twice changes nothing."""
    if text.isascii():
        return text.lower().translate(_FOLDING)
    folded = unicodedata.normalize("NFKC", text).casefold().translate(_FOLDING)
    while not unicodedata.is_normalized("NFKC", folded):
        folded = unicodedata.normalize("NFKC", folded).casefold().translate(_FOLDING)
    return folded
