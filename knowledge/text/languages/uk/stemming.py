"""Stems of Ukrainian words, for which Snowball has no stemmer: a light one that takes endings off.

It aims at one stem for the forms of a noun or an adjective, and most of a verb's. Sounds that change in the stem are
brought to one spelling as far as that is regular: `міст` and `мосту`, `замок` and `замку`, `хлопець` and `хлопця`.
"""

import re

from knowledge.text.languages.shape import split_words

_VOWELS = "аеиіоуюяєї"
_MIN_STEM_LENGTH = 3
"""Letters; shorter stems (`ра`, `ма`) belong to too many words."""
_MIN_LENGTH = 4
_ENDINGS = split_words(
    # nouns of quality, adjectives, nouns, verbs
    "остями остям остях ості істю ість "
    "ього ьому ьою ого ому ими іми ої ою ій ий ім им их іх яя ая "
    "ами ями ах ях ам ям ові еві єві ів їв ем єм ом ею єю ією ії ію ей "
    "увати ювати ували ювали увала ювала ував ював ують юють ує ює уєш юєш уємо юємо "
    "аєте яєте аємо яємо аєш яєш ають яють ає яє ати яти ити іти їти али яли или іли їли ала яла ила іла їла "
    "ало яло ило іло їло ав яв ив уть ють ать ять ить їть емо ємо имо їмо ете єте ите їте еш єш иш їш "
    "а я у ю о е є и і ї ь й"
)
_LONGEST = max(map(len, _ENDINGS))
_REFLEXIVE = re.compile(r"(?<=....)с[яь]$")
_FLEETING = re.compile(rf"(?<=.[^{_VOWELS}])[оеє](?=[кц]$)")
_CLOSED = re.compile(rf"(?:ьо|і)(?=[^{_VOWELS}]{{1,2}}$)")
_KEPT = frozenset(["міст"])
"""Before an ending it is the town (`міста`), not the bridge (`моста`)."""


def stem_ukrainian(word: str) -> str:
    """The stem of a normalised Ukrainian word; apostrophes inside are dropped, ґ is г."""
    word = _REFLEXIVE.sub("", word.replace("'", "").replace("ґ", "г"))
    if len(word) < _MIN_LENGTH:
        return _unify(word)
    for length in range(min(_LONGEST, len(word) - _MIN_STEM_LENGTH), 0, -1):
        head = word[:-length]
        if word[-length:] in _ENDINGS and any(letter in _VOWELS for letter in head):
            return head if head in _KEPT else _unify(head)
    return _unify(word)


def _unify(stem: str) -> str:
    return _CLOSED.sub("о", _FLEETING.sub("", stem.removesuffix("ь")))
