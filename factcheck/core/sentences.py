"""A claim held against sentences of canon: the same words in the same order, or nothing.

A claim is borne out by a sentence, or by the opening clause of one, that says just that. It is contradicted by a
sentence that differs from it in one number or in a negation alone. Sentences with a hedge or someone else's word
("legend says") decide nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from factcheck.claims.core.field_comparison import is_question
from factcheck.claims.core.words import ARTICLE_LIKE, AUXILIARIES, HAN_HEDGES, HAN_NEGATIONS, HEDGES, NEGATIONS
from factcheck.core.numbers import find_numbers
from factcheck.core.tokens import Token, Tokens, tokenize

FEWEST_WORDS = 3
FEWEST_CHARACTERS = 4
CLAUSE_MARKS = frozenset(",;:.!…—،؛，；。！、")
_LINK = re.compile(r"\[\[([a-z0-9-]+)(?:\|([^\]]*))?\]\]|\[([^\]]*)\]\([^)]*\)")
_MARKUP = re.compile(r"[*_`#>|~]+")
_BREAK = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*+]|\d+\.)\s)|(?<=[。！？!?؟…])|(?<=[.])(?=\s+[^\W\d_a-zа-я])")


@dataclass(frozen=True, slots=True)
class SentenceVerdict:
    """What one sentence says to a claim."""

    verdict: Literal["true", "false"]
    sentence: str


@dataclass(frozen=True, slots=True)
class _Content:
    """The words that count: numbers by value, without articles and negations."""

    items: tuple[str, ...]
    clause_after: tuple[bool, ...]
    """For each item whether a clause ends behind it."""
    negations: int
    numbers: frozenset[int]


def split_sentences(markdown: str) -> list[str]:
    """The sentences of a passage, without Markdown; list items and headings stand alone."""
    plain = _LINK.sub(lambda match: match[2] or match[3] or (match[1] or "").replace("-", " "), markdown)
    found = []
    for part in _BREAK.split(plain):
        sentence = " ".join(_MARKUP.sub(" ", part).split())
        if sentence:
            found.append(sentence)
    return found


def compare_sentences(claim: Tokens, texts: list[str]) -> Iterator[SentenceVerdict | None]:
    """For each text of canon, what its sentences say to the claim; None where they leave it open."""
    content = _read(claim)
    is_long = len(content.items) >= (
        FEWEST_CHARACTERS if claim.words and claim.words[0].kind == "han" else FEWEST_WORDS
    )
    usable = is_long and not is_question(claim) and not _is_hedged(claim)
    for text in texts:
        yield _compare_text(content, text) if usable else None


def _compare_text(claim: _Content, text: str) -> SentenceVerdict | None:
    found: list[SentenceVerdict] = []
    for sentence in split_sentences(text):
        tokens = tokenize(sentence)
        if is_question(tokens) or _is_hedged(tokens):
            continue
        verdict = _compare(claim, _read(tokens))
        if verdict is not None:
            found.append(SentenceVerdict(verdict, sentence))
    if len({verdict.verdict for verdict in found}) != 1:
        return None
    return found[0]


def _compare(claim: _Content, sentence: _Content) -> Literal["true", "false"] | None:
    size = len(claim.items)
    if claim.items == sentence.items[:size] and sentence.clause_after[size - 1]:
        if claim.negations == sentence.negations and (size == len(sentence.items) or not claim.negations):
            return "true"
        is_same_sentence = size == len(sentence.items)
        return "false" if is_same_sentence and claim.negations + sentence.negations == 1 else None
    if size != len(sentence.items) or claim.negations or sentence.negations:
        return None
    different = [place for place in range(size) if claim.items[place] != sentence.items[place]]
    is_one_number = len(different) == 1 and different[0] in claim.numbers and different[0] in sentence.numbers
    return "false" if is_one_number and len(claim.numbers) == 1 else None


def _read(tokens: Tokens) -> _Content:
    words = tokens.words
    numbers = {number.start: number for number in find_numbers(words)}
    items: list[str] = []
    ends: list[int] = []
    number_places: set[int] = set()
    negations = place = 0
    while place < len(words):
        number = numbers.get(place)
        if number is not None:
            number_places.add(len(items))
            items.append(f"={number.value}" if number.value is not None else words[place].text)
            ends.append(number.end)
            place = number.end
            continue
        taken = _negation_length(words, place)
        if taken:
            negations += 1
            place += taken
            continue
        if words[place].text not in ARTICLE_LIKE and words[place].text not in AUXILIARIES:
            items.append(words[place].lexeme)
            ends.append(place + 1)
        place += 1
    clause_after = tuple(end == len(words) or bool(CLAUSE_MARKS & set(words[end].gap)) for end in ends)
    return _Content(tuple(items), clause_after, negations, frozenset(number_places))


def _negation_length(words: tuple[Token, ...], place: int) -> int:
    if words[place].text in NEGATIONS or words[place].text in {"no", "нет", "ни", "nor", "neither"}:
        return 1
    for negation in HAN_NEGATIONS:
        if tuple(word.text for word in words[place : place + len(negation)]) == tuple(negation):
            return len(negation)
    return 0


def _is_hedged(tokens: Tokens) -> bool:
    if any(word.text in HEDGES for word in tokens.words):
        return True
    return any(hedge in tokens.text for hedge in HAN_HEDGES)
