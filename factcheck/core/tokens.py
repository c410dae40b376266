"""A claim or a sentence of canon cut into words that can be compared across inflections.

Words of alphabetic scripts are compared by their stem, Chinese characters one by one, so that a name or a label is
the same sequence wherever it stands.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from knowledge.text.analysis import analyse
from knowledge.text.folding import normalise

Kind = Literal["word", "han", "number"]

ARTICLES = frozenset({"the", "a", "an"})
TATWEEL = "\u0640"

_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_TOKEN = re.compile(
    r"(?P<number>(?<!\d)\d{1,3}(?: \d{3})+(?!\d|[.,]\d)|\d+(?:[.,\u066b\u066c]\d+)*)"
    rf"|(?P<han>[{_HAN}])"
    rf"|(?P<word>%|[^\W\d_{_HAN}]+(?:['’\u02bc][^\W\d_{_HAN}]+)*)"
)


@dataclass(frozen=True, slots=True)
class Token:
    """One word, one Chinese character or one number in digits."""

    text: str
    """Normalised, inflected as written."""
    lexeme: str
    """What is compared: the stem, the character or the digits."""
    kind: Kind
    start: int
    end: int
    gap: str
    """The marks (no spaces) between the word before and this one."""
    spaced: bool
    """Whether anything at all stands between the word before and this one."""
    capital: bool


@dataclass(frozen=True, slots=True)
class Tokens:
    """The words of a text in order, with what follows the last one."""

    text: str
    words: tuple[Token, ...]
    tail: str

    def lexemes(self) -> tuple[str, ...]:
        """The lexemes in order."""
        return tuple(word.lexeme for word in self.words)


def tokenize(text: str) -> Tokens:
    """The words of a text, without marks; combining marks and invisible characters are dropped first."""
    plain = strip_marks(text)
    words: list[Token] = []
    end = 0
    for match in _TOKEN.finditer(plain):
        between = plain[end : match.start()]
        words.append(_make_token(match, gap="".join(between.split()), spaced=bool(between)))
        end = match.end()
    return Tokens(text=plain, words=tuple(words), tail="".join(plain[end:].split()))


def find_sequence(words: Sequence[Token], sequence: Sequence[str]) -> list[int]:
    """Where the lexemes stand one after the other: the places of the first."""
    size = len(sequence)
    if not size:
        return []
    wanted = tuple(sequence)
    return [
        place
        for place in range(len(words) - size + 1)
        if words[place].lexeme == wanted[0] and tuple(word.lexeme for word in words[place : place + size]) == wanted
    ]


def name_sequence(name: str) -> tuple[str, ...]:
    """The lexemes of a name without a leading English article."""
    return tuple(word.lexeme for word in _words_of_name(name))


def name_surface(name: str) -> tuple[str, ...]:
    """The words of a name as written, normalised, without a leading English article."""
    return tuple(word.text for word in _words_of_name(name))


def _words_of_name(name: str) -> tuple[Token, ...]:
    """An article has a blank behind it: the "a" of "/a+/i" is none."""
    tokens = tokenize(name)
    words = tokens.words
    is_led = len(words) > 1 and words[0].text in ARTICLES and tokens.text[words[0].end].isspace()
    return words[1:] if is_led else words


def strip_marks(text: str) -> str:
    """The text composed, without combining marks and invisible characters."""
    composed = unicodedata.normalize("NFKC", text).replace(TATWEEL, "")
    return "".join(character for character in composed if unicodedata.category(character) not in {"Mn", "Cf"})


def _make_token(match: re.Match[str], *, gap: str, spaced: bool) -> Token:
    written = match[0]
    kind: Kind = "number" if match.lastgroup == "number" else "han" if match.lastgroup == "han" else "word"
    text = "percent" if written == "%" else normalise(written)
    return Token(
        text=text,
        lexeme=_lexeme_of(text, kind),
        kind=kind,
        start=match.start(),
        end=match.end(),
        gap=gap,
        spaced=spaced,
        capital=written[0].isupper(),
    )


def _lexeme_of(text: str, kind: Kind) -> str:
    if kind != "word":
        return text.replace(" ", "")
    lexemes = analyse(text)
    return lexemes[0] if len(lexemes) == 1 else text
