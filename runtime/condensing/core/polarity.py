"""What a text denies: the stems that stand behind a negation, in every language that has a list of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from factcheck.core.tokens import Token, tokenize
from knowledge.text.arabizi import is_arabizi
from knowledge.text.language import ARABIZI, detect_language
from knowledge.text.languages import LANGUAGES, SCRIPT_DEFAULTS
from runtime.condensing.core.words import read_words

NEGATION_REACH_WORDS = 5
"""So many words behind a negation it holds: `I do not want to see a doctor`."""


_EGYPTIAN = re.compile(r"و?م[\u0621-\u064a]{3,}ش")
_NEGATIONS = {code: read_words(each.negations) for code, each in LANGUAGES.items() if each.negations}
NEGATIONS = frozenset[str]().union(
    *(_NEGATIONS[each.code] for each in SCRIPT_DEFAULTS.values() if each.code in _NEGATIONS and each.boundary != "none")
)
_HAN_NEGATIONS = frozenset().union(*(words for code, words in _NEGATIONS.items() if LANGUAGES[code].boundary == "none"))
_HAN_OTHERWISE = re.compile(
    r"不过|不仅|不但|不管|不论|不错|不断|差不多|对不起|了不起|忍不住|不得不|无论|无聊|未来|非常|除非|非洲|"
    r"特别|分别|区别|性别|级别|告别|识别|个别|类别|离别|别人|别的|别墅|别处|沉没|没收|淹没"
)
_CLAUSE_END = re.compile(r"[,;:.!?…—–()،؛؟。，；：！？、\"«»“”]")
_STATEMENT_END = re.compile(r"[.!?…;؟؛،。]")
"""English and Russian lists have commas; in Arabic and Chinese these stand between statements."""
_CONTRASTS = read_words(
    "but however though although except instead yet а но зато однако хотя кроме لكن ولكن بس الا 但 却 可 而"
)


@dataclass(frozen=True, slots=True)
class Polarity:
    """Stems of a text by how it speaks of them."""

    all: frozenset[str]
    denied: frozenset[str]
    """Those right behind a negation, in its clause."""
    plain: frozenset[str]
    """Those that stand anywhere else."""
    doubtful: frozenset[str]
    """All of statements that hold a negation."""
    has_negation: bool


def read_polarity(text: str) -> Polarity:
    """The stems of a text by how it speaks of them."""
    words = tokenize(text).words
    negations = frozenset(_find_negations(words, text))
    found: dict[str, set[str]] = {"denied": set(), "plain": set(), "doubtful": set()}
    for first, last in _split(words):
        is_doubtful = any(first <= place < last for place in negations)
        for place, stem in _list_stems(words, first, last, negations):
            if is_doubtful:
                found["doubtful"].add(stem)
            found["denied" if _is_denied(words, place, first, negations) else "plain"].add(stem)
    denied, plain = frozenset(found["denied"]), frozenset(found["plain"])
    return Polarity(denied | plain, denied, plain, frozenset(found["doubtful"]), bool(negations))


def _is_denied(words: Sequence[Token], place: int, first: int, negations: frozenset[int]) -> bool:
    """Whether a negation stands before the word, near it and in its clause."""
    for back in range(place, max(first, place - NEGATION_REACH_WORDS) - 1, -1):
        if back in negations:
            return True
        if back != place and words[back].text in _CONTRASTS:
            return False
        if _CLAUSE_END.search(words[back].gap):
            return False
    return False


def _list_stems(words: Sequence[Token], first: int, last: int, negations: frozenset[int]) -> Iterator[tuple[int, str]]:
    for place in range(first, last):
        word = words[place]
        if place in negations or word.kind == "number":
            continue
        if word.kind == "han":
            follows = words[place + 1] if place + 1 < last else None
            if follows is not None and follows.kind == "han" and not follows.spaced and place + 1 not in negations:
                yield place, word.lexeme + follows.lexeme
        else:
            yield place, word.lexeme


def _find_negations(words: Sequence[Token], text: str) -> Iterator[int]:
    plain = NEGATIONS | _NEGATIONS.get(ARABIZI if is_arabizi(text) else detect_language(text), frozenset())
    for place, word in enumerate(words):
        if word.kind == "han":
            if word.text in _HAN_NEGATIONS and not _is_otherwise(words, place):
                yield place
        elif word.text in plain or word.text.endswith(("n't", "n’t")) or _EGYPTIAN.fullmatch(word.text):
            yield place


def _is_otherwise(words: Sequence[Token], place: int) -> bool:
    """Whether the character is part of a word that denies nothing, such as `非常`."""
    around = words[max(0, place - 2) : place + 3]
    text = "".join(word.text if word.kind == "han" else " " for word in around)
    index = place - max(0, place - 2)
    return any(match.start() <= index < match.end() for match in _HAN_OTHERWISE.finditer(text))


def _split(words: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """The statements of a text: from mark to mark, and a `but` begins another."""
    first = 0
    for place in range(1, len(words)):
        word = words[place]
        is_after_comma = word.kind == "han" and "," in word.gap
        if is_after_comma or _STATEMENT_END.search(word.gap) or word.text in _CONTRASTS:
            yield first, place
            first = place
    if words:
        yield first, len(words)
