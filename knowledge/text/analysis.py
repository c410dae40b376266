"""Lexemes of a text: what documents and queries have in common, whatever the script.

One rule set serves both sides. A text is cut at white space, each piece is normalised, split into runs of one script
and stemmed; pieces repeat, so their lexemes are remembered (bounded, safe between threads). Nothing is thrown away as
a stop word: idf does that job.

Stemmers belong to one language (English, Russian, Arabic). A text that is plainly in another language of the same
script (Spanish, Ukrainian, Persian, Arabizi) keeps its words whole: `analyse_document`.
"""

import re
import unicodedata
from collections import Counter
from functools import lru_cache

from knowledge.text.folding import normalise
from knowledge.text.language import SUPPORTED_LANGUAGES, guess_language, script_of_language
from knowledge.text.stemming import fold_word, stem_arabic, stem_english, stem_russian

ANALYSIS_VERSION = 2
"""Raised whenever the lexemes of some text change, so that stored indexes know that they are stale."""

MAX_LEXEME_LENGTH = 64
_MAX_CACHED_PIECE_LENGTH = 40
_FIRST_EAST_ASIAN = "\u2e80"

_LATIN = "a-z\u00df-\u00f6\u00f8-\u024f\u0250-\u02af\u1e00-\u1eff"
_CYRILLIC = "\u0400-\u052f\u1c80-\u1c8f\u2de0-\u2dff\ua640-\ua69f"
_ARABIC = "\u0620-\u064a\u066e-\u06d3\u06d5\u06e5\u06e6\u06ee\u06ef\u06fa-\u06ff\u0750-\u077f\u0870-\u08c9"
_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_KANA = "\u3040-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
_UNITS = "ft|gp|sp|cp|ep|pp|lbs?|hp|xp|mp|km|cm|mm|kg|min|sec"
_HANGUL = "\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff"


def _mark_ranges() -> str:
    """Combining marks of the basic plane as regular-expression ranges: `\\w` leaves out the vowels of Indic scripts."""
    marks = [point for point in range(0x0300, 0xFFFF) if unicodedata.category(chr(point))[0] == "M"]
    ranges: list[list[int]] = []
    for point in marks:
        if ranges and ranges[-1][1] == point - 1:
            ranges[-1][1] = point
        else:
            ranges.append([point, point])
    return "".join(f"\\u{first:04x}-\\u{last:04x}" for first, last in ranges)


_RUN = re.compile(
    rf"(?P<dice>(?<![{_LATIN}{_CYRILLIC}\d])\d{{0,3}}[dкд](?:\d{{1,4}}s?|%)(?![{_LATIN}{_CYRILLIC}\d]))"
    rf"|(?P<measure>\d+(?=(?:{_UNITS})(?![{_LATIN}\d])))"
    rf"|(?P<latin>\d*[{_LATIN}][{_LATIN}\d]*(?:'[{_LATIN}\d]+)*)"
    r"|(?P<number>\d+(?:[.,]\d+)*)"
    rf"|(?P<cyrillic>[{_CYRILLIC}]+(?:'[{_CYRILLIC}]+)*)"
    rf"|(?P<arabic>[{_ARABIC}]+)"
    rf"|(?P<east>[{_HAN}{_KANA}]+)"
    rf"|(?P<hangul>[{_HANGUL}]+)"
    rf"|(?P<other>(?:[^\W\d_{_LATIN}{_CYRILLIC}{_ARABIC}{_HAN}{_KANA}{_HANGUL}]|[{_mark_ranges()}])+)"
)
_SPACED_NUMBER = re.compile(r"(?<![\w.,])\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})+(?![\w]|[.,]\d)")
_SPACES = re.compile(r"[ \u00a0\u2009\u202f]")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3}){2,}")
_DECIMAL = re.compile(r"\d+[.,]\d+")
_KANA_LETTER = re.compile(rf"[{_KANA}]")


Scripts = frozenset[str]
"""Of `latin`, `cyrillic` and `arabic`: those whose words are kept whole."""
_STEM_ALL: Scripts = frozenset()


def analyse(text: str, *, unstemmed: Scripts = _STEM_ALL) -> list[str]:
    """The lexemes of a text in reading order, the same for a document and for a query.

    Han and Hangul runs give each character and each pair of neighbours, so that a query of one character finds a word
    that holds it; kana gives pairs. Any input is safe: control characters, lone surrogates and emoji give no lexeme.
    """
    lexemes: list[str] = []
    extend = lexemes.extend
    if _SPACED_NUMBER.search(text):
        text = _SPACED_NUMBER.sub(_join_spaced_number, text)
    for piece in text.split():
        if len(piece) > _MAX_CACHED_PIECE_LENGTH or piece >= _FIRST_EAST_ASIAN:
            extend(_analyse_piece(piece, unstemmed))
        else:
            extend(_remembered_piece(piece, unstemmed))
    return lexemes


def lexeme_counts(text: str) -> Counter[str]:
    """How often each lexeme of the text occurs; its total is the length that BM25 uses."""
    return Counter(analyse(text))


def analyse_document(text: str) -> list[str]:
    """The lexemes that a document is found by: without a foreign stemmer where its language leaves no doubt."""
    guess = guess_language(text)
    if not guess.is_confident or guess.language in SUPPORTED_LANGUAGES:
        return analyse(text)
    script = script_of_language(guess.language)
    return analyse(text, unstemmed=_STEM_ALL if script is None else frozenset((script,)))


def list_query_forms(text: str) -> list[tuple[str, ...]]:
    """For each lexeme of a query, in reading order, the forms in which a document may hold it.

    One where the query is plainly in a language with a stemmer. Else the stem and the whole word: a query is short, its
    language a guess, and it must find `dragones` in a Spanish text and `dragon` in an English one.
    """
    guess = guess_language(text)
    stems = analyse(text)
    if guess.is_confident and guess.language in SUPPORTED_LANGUAGES:
        return [(stem,) for stem in stems]
    whole = analyse(text, unstemmed=_ALL_SCRIPTS)
    return [(stem,) if stem == word else (stem, word) for stem, word in zip(stems, whole, strict=True)]


_ALL_SCRIPTS: Scripts = frozenset(("latin", "cyrillic", "arabic"))


def _join_spaced_number(match: re.Match[str]) -> str:
    """`10 000` as `10000 10 000`: found by the number as written and as typed without the gap."""
    return f"{_SPACES.sub('', match[0])} {match[0]}"


def _analyse_piece(piece: str, unstemmed: Scripts) -> tuple[str, ...]:
    lexemes: list[str] = []
    for match in _RUN.finditer(normalise(piece)):
        kind, run = match.lastgroup, match[0]
        if kind in ("number", "measure"):
            lexemes += _number_lexemes(run)
        elif kind == "dice":
            lexemes.append(_dice_lexeme(run))
        elif kind in ("east", "hangul"):
            lexemes += _east_asian_lexemes(run)
        else:
            lexemes += _word_lexemes(run, kind, unstemmed)
    return tuple(lexemes)


_remembered_piece = lru_cache(maxsize=100_000)(_analyse_piece)


def _word_lexemes(run: str, kind: str | None, unstemmed: Scripts) -> list[str]:
    if len(run) > MAX_LEXEME_LENGTH:
        return [run[start : start + MAX_LEXEME_LENGTH] for start in range(0, len(run), MAX_LEXEME_LENGTH)]
    if kind in unstemmed:
        return [fold_word(run)]
    if kind == "latin":
        return [stem_english(run)]
    if kind == "cyrillic":
        return [stem_russian(run)]
    if kind == "arabic":
        return [stem_arabic(run)]
    return [run]


def _number_lexemes(run: str) -> list[str]:
    """`1,000` and `1.000.000` without separators, `1,5` as `1.5`, anything longer (dates, versions) by its parts."""
    if _THOUSANDS.fullmatch(run):
        whole = run.replace(",", "") if "," in run else run.replace(".", "")
        parts = [whole]
    elif _DECIMAL.fullmatch(run):
        parts = [run.replace(",", ".")]
    else:
        parts = re.split("[.,]", run)
    return [
        part[start : start + MAX_LEXEME_LENGTH] for part in parts for start in range(0, len(part), MAX_LEXEME_LENGTH)
    ]


def _dice_lexeme(run: str) -> str:
    """Dice in one spelling: `2d6`, `2к6` and `2д6` are `2d6`; `1d20` is `d20`; `d%` is `d100`."""
    count, sides = re.split("[dкд]", run.removesuffix("s"))
    return f"{'' if count in ('', '1') else count}d{'100' if sides == '%' else sides}"


def _east_asian_lexemes(run: str) -> list[str]:
    if len(run) == 1:
        return [run]
    lexemes: list[str] = []
    last = len(run) - 1
    for place, character in enumerate(run):
        if not _KANA_LETTER.match(character):
            lexemes.append(character)
        if place < last:
            lexemes.append(run[place : place + 2])
    return lexemes
