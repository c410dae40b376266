"""Lexemes of a text: what documents and queries have in common, whatever the script.

One rule set serves both sides. A text is cut at white space, each piece is normalised, split into runs of one script
and stemmed; pieces repeat, so their lexemes are remembered (bounded, safe between threads). Nothing is thrown away as
a stop word: idf does that job.

Each script has a language by whose rules its words are stemmed while nothing tells their language (English, Russian,
Arabic). A text that is plainly in another language of the script is stemmed by that language's own rules (Spanish,
Ukrainian) or keeps its words whole (French, Persian, Arabizi): `analyse_document`.
"""

import re
import unicodedata
from collections import Counter
from functools import lru_cache

from knowledge.text.folding import normalise
from knowledge.text.language import guess_language, script_of_language
from knowledge.text.languages import LANGUAGES, SCRIPT_DEFAULTS, SEARCH_LANGUAGES
from knowledge.text.stemming import fold_word

ANALYSIS_VERSION = 3
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


Stemmers = tuple[tuple[str, str], ...]
"""A script, and the language by whose rules its words are stemmed, or `WHOLE`; other scripts go by their default."""
WHOLE = ""
_BY_DEFAULT: Stemmers = ()
_DEFAULT_STEMS = {script: each.stem for script, each in SCRIPT_DEFAULTS.items() if each.stem}


def analyse(text: str, *, stemmers: Stemmers = _BY_DEFAULT) -> list[str]:
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
            extend(_analyse_piece(piece, stemmers))
        else:
            extend(_remembered_piece(piece, stemmers))
    return lexemes


def lexeme_counts(text: str) -> Counter[str]:
    """How often each lexeme of the text occurs; its total is the length that BM25 uses."""
    return Counter(analyse(text))


def analyse_document(text: str) -> list[str]:
    """The lexemes that a document is found by: without a foreign stemmer where its language leaves no doubt."""
    guess = guess_language(text)
    return analyse(text, stemmers=choose_stemmers(guess.language) if guess.is_confident else _BY_DEFAULT)


def choose_stemmers(language: str) -> Stemmers:
    """How the words of a text in a language are stemmed: by its own rules, or, where it has none, not at all."""
    script = script_of_language(language)
    if script is None or script not in _DEFAULT_STEMS or SCRIPT_DEFAULTS[script].code == language:
        return _BY_DEFAULT
    return ((script, language if language in SEARCH_LANGUAGES else WHOLE),)


def list_query_forms(text: str) -> list[tuple[str, ...]]:
    """For each lexeme of a query, in reading order, the forms in which a document may hold it.

    One where the query is plainly in the language that its script is stemmed by. Plainly in another with a stemmer: its
    stem, and the default one, by which short documents are kept. Else the default stem, the whole word and the stems of
    all languages that it may be in: a query is short, its language a guess, and it must find `dragones` in a Spanish
    text and `dragon` in an English one.
    """
    guess = guess_language(text)
    stems = analyse(text)
    own = [choose_stemmers(code) for code in guess.close if code in SEARCH_LANGUAGES]
    readings = [analyse(text, stemmers=stemmers) for stemmers in dict.fromkeys(own) if stemmers]
    if guess.is_confident and guess.language in SEARCH_LANGUAGES:
        readings.append(stems)
    else:
        readings = [stems, analyse(text, stemmers=ALL_WHOLE), *readings]
    return [tuple(dict.fromkeys(forms)) for forms in zip(*readings, strict=True)]


ALL_WHOLE: Stemmers = tuple((script, WHOLE) for script in _DEFAULT_STEMS)


def _join_spaced_number(match: re.Match[str]) -> str:
    """`10 000` as `10000 10 000`: found by the number as written and as typed without the gap."""
    return f"{_SPACES.sub('', match[0])} {match[0]}"


def _analyse_piece(piece: str, stemmers: Stemmers) -> tuple[str, ...]:
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
            lexemes += _word_lexemes(run, kind, stemmers)
    return tuple(lexemes)


_remembered_piece = lru_cache(maxsize=100_000)(_analyse_piece)


def _word_lexemes(run: str, kind: str | None, stemmers: Stemmers) -> list[str]:
    if len(run) > MAX_LEXEME_LENGTH:
        return [run[start : start + MAX_LEXEME_LENGTH] for start in range(0, len(run), MAX_LEXEME_LENGTH)]
    stem = _DEFAULT_STEMS.get(kind or "")
    for script, language in stemmers:
        if script == kind:
            stem = fold_word if language == WHOLE else LANGUAGES[language].stem
    return [stem(run)] if stem else [run]


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
