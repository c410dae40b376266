"""Names of things that no concept knows, as they are written down: without articles, in their base form."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from factcheck.instant.core.chinese import join_chinese
from factcheck.instant.core.forms import get_russian_readings, strip_arabic_article
from factcheck.instant.core.words import read_words

MAX_PHRASE_WORDS = 4
MAX_SAID_WORDS = 6
_CYRILLIC = re.compile(r"[а-я]")
_ARABIC = re.compile(r"[\u0620-\u064a]")
_ABSTRACT = re.compile(
    r"(?:ness|ity|ment|tion|sion|ism|ship|hood|ance|ence)s?$|(?:ость|ости|ение|ения|ание|ания|ство|ства|изм|изма)$"
)
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*[a-z]{0,2}|\w*\d\d\w*")
"""With a unit or not; a digit before more letters is one of Arabizi: `7amam`."""
_GERUND = re.compile(r"[a-z]{2,}ing$")
_VAGUE = read_words("vague")
_METAPHORS = read_words("metaphors")
_EDGES = read_words("phrase_edges")
_NO_THINGS = read_words("phrase_stops")
_MAX_ARABIC_WORDS = 2


def is_thing_phrase(words: Sequence[str], use: str) -> bool:
    """Whether words that no concept knows may name a thing of a fact: no pronoun, no jest, nothing abstract."""
    if not words or any(word in _VAGUE or word in _METAPHORS or _NUMBER.fullmatch(word) for word in words):
        return False
    return use != "allergy" or not (_ABSTRACT.search(words[-1]) or _GERUND.match(words[0]))


def name_thing(words: Sequence[str], use: str) -> str | None:
    """How an unknown thing is named, or None where the words name none.

    Russian names stand in the nominative («белые лилии»), Arabic ones without their article, English ones without
    determiners. A Russian phrase must hold a noun; words that act or judge are no names.
    """
    kept = list(words)
    while kept and kept[0] in _EDGES:
        kept.pop(0)
    while kept and kept[-1] in _EDGES:
        kept.pop()
    if not kept or len(kept) > MAX_PHRASE_WORDS or not is_thing_phrase(kept, use):
        return None
    if any(word in _NO_THINGS for word in kept):
        return None
    if any(_CYRILLIC.search(word) for word in kept):
        return _name_russian(tuple(kept))
    if _ARABIC.search(kept[0]):
        return _name_arabic(kept)
    return join_chinese(" ".join(kept))


def name_said(words: Sequence[str]) -> str | None:
    """The words of a thing of which it is known that they name one, as they were said: without what leads to it."""
    kept = list(words)
    while kept and (kept[0] in _EDGES or kept[0] in _NO_THINGS):
        kept.pop(0)
    while kept and (kept[-1] in _EDGES or kept[-1] in _NO_THINGS):
        kept.pop()
    is_thing = any(word not in _VAGUE and not _NUMBER.fullmatch(word) for word in kept)
    return join_chinese(" ".join(kept)) if is_thing and len(kept) <= MAX_SAID_WORDS else None


@lru_cache(maxsize=5_000)
def _name_russian(words: tuple[str, ...]) -> str | None:
    """The noun phrase in the nominative: adjectives up to the first noun inflected with it, the rest as it stands."""
    for index, word in enumerate(words):
        noun, adjective = get_russian_readings(word)
        if noun:
            named = [_agree(each, noun.tag) for each in words[:index]]
            return " ".join([*named, noun.nominative, *words[index + 1 :]]) if all(named) else None
        if not adjective:
            return None
    return None


def _agree(word: str, grammemes: frozenset[str]) -> str:
    _, adjective = get_russian_readings(word)
    return adjective.agree(grammemes) if adjective else ""


def _name_arabic(words: list[str]) -> str | None:
    first = strip_arabic_article(words[0])
    rest = [word for word in words[1:_MAX_ARABIC_WORDS] if word.startswith("ال")]
    bare = [strip_arabic_article(word) for word in rest] if words[0] != first else rest
    return " ".join([first, *bare]) if len(first) > 2 else None
