"""What a number in a text counts."""

from __future__ import annotations

from factcheck.claims.core.replies.quantities import PENCE, Quantity
from factcheck.claims.core.replies.texts import Text, word_set
from factcheck.claims.core.words import HAN_MEASURES

WORDS_BEHIND = 3
WORDS_BEFORE = 3
HAN_BEHIND = 4
PENNY = "#copper_coin"
LINKING = word_set(
    "of in on at for to with and by from as or but when that above over under inside near around live lives "
    "в на у и с из от до а но في من على عن مع إلى"
)
"""Behind a number these end what it counts."""


def list_nouns(text: Text, quantity: Quantity) -> frozenset[str]:
    """The keys of what is counted: of the words behind the number, else of those before it."""
    if text.words[quantity.start].text in PENCE:
        return frozenset({PENNY})
    behind = _behind(text, quantity)
    return behind or _before(text, quantity)


def _behind(text: Text, quantity: Quantity) -> frozenset[str]:
    words = text.words
    if quantity.end < len(words) and words[quantity.end].kind == "han":
        return _han_behind(text, quantity)
    found: set[str] = set()
    taken = 0
    for place in range(quantity.end, len(words)):
        if words[place].gap.strip("-") or words[place].text in LINKING or words[place].kind == "number":
            break
        plain = _plain(text.keys[place])
        found |= plain
        taken += bool(plain)
        if taken == WORDS_BEHIND or any(key.startswith("#") for key in plain):
            break
    return frozenset(found)


def _plain(keys: frozenset[str]) -> frozenset[str]:
    """Without colours and the like: they are not what is counted."""
    if any(key[0] == "%" for key in keys):
        return frozenset()
    return frozenset(key for key in keys if key[0] != "@")


def _han_behind(text: Text, quantity: Quantity) -> frozenset[str]:
    words = text.words
    found: set[str] = set()
    for place in range(quantity.end, min(quantity.end + HAN_BEHIND, len(words))):
        if words[place].spaced:
            break
        found |= {key for key in text.keys[place] if key[0] not in "%@"}
    first = words[quantity.end]
    if first.text in HAN_MEASURES and not first.spaced:
        later = [each for each in text.concepts if each.start > quantity.end]
        if later and later[0].start <= quantity.end + HAN_BEHIND:
            found -= {each.label for each in text.concepts if each.start == quantity.end and each.end == each.start + 1}
    return frozenset(found)


def _before(text: Text, quantity: Quantity) -> frozenset[str]:
    words = text.words
    for place in range(quantity.start - 1, max(quantity.start - 1 - WORDS_BEFORE, -1), -1):
        if words[place + 1].gap.strip("-"):
            break
        plain = _plain(text.keys[place])
        if plain:
            return plain
    return frozenset()
