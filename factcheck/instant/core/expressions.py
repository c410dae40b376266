"""Expressions of rows as RE2 takes them: macros put in, literals folded as messages are, ends bound to words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any
from weakref import WeakValueDictionary

import re2

from factcheck.instant.core.messages import fold
from factcheck.instant.core.money import list_currency_words, list_multiplier_words
from factcheck.instant.core.pattern_rows import MAX_PATTERN_LENGTH, PatternInvalid
from knowledge.text.folding import normalise

_WORD_START = r"(?:^|[^\p{L}\p{N}_])"
_ARABIC_WORD_START = rf"{_WORD_START}[وف]?"
"""The conjunctions و and ف are written together with the word behind them."""
_WORD_END = r"(?:[^\p{L}\p{N}_]|$)"
MEMORY_OF_SET = 256 << 20
"""What all patterns in one set may take, with the states that RE2 remembers while it matches."""
_MACRO = re.compile(r"\{([a-z_]+)\}")
_KEPT_GROUP = re.compile(
    r"\(\?(?:P<\w+>|[:imsU-]+\)?)|\\(?:[pP]\{\^?\w+\}|x\{[0-9a-fA-F]+\}|.)|\{\d+(?:,\d*)?\}", re.DOTALL
)
_QUANTIFIERS = frozenset("?*+{")
_HAN = re.compile("[\u3400-\u9fff]")
_DEEPEST_MACRO = 8
_UNICODE_CLASSES = {r"\w": (r"[\p{L}\p{N}_]", r"\p{L}\p{N}_"), r"\W": (r"[^\p{L}\p{N}_]", r"\W")}
"""What RE2 knows of ASCII only, outside and inside a class."""


def _money_macro() -> str:
    currencies = "|".join(re.escape(word) for word in list_currency_words())
    multipliers = "|".join(list_multiplier_words())
    number = r"\d[\d.,]*(?:[ ]\d{3})*"
    before = rf"(?:{currencies})[ ]?{number}(?:[ ]?(?:{multipliers}))?"
    after = rf"{number}[ ]?(?:(?:{multipliers})\.?[ ]?)?(?:{currencies})"
    return f"{before}|{after}"


BUILT_IN_MACROS = {"money": _money_macro()}


def compile_search(
    name: str,
    pattern: str,
    macros: Mapping[str, str],
    *,
    bounded: bool = False,
    language: str = "",
    captures: bool = True,
) -> Any:
    """The expression folded like the messages it is matched against; `bounded` ties both ends to word boundaries."""
    source = translate(name, pattern, macros, bounded=bounded, language=language)
    return compile_expression(name, source, captures=captures)


def translate(name: str, pattern: str, macros: Mapping[str, str], *, bounded: bool = False, language: str = "") -> str:
    """The RE2 source of a row: macros put in, literals folded, spaces standing for any white space."""
    if not pattern.strip():
        raise PatternInvalid(name, "the pattern is empty")
    if len(pattern) > MAX_PATTERN_LENGTH:
        raise PatternInvalid(name, f"the pattern is longer than {MAX_PATTERN_LENGTH} characters")
    text = pattern.strip()
    starts_clause = text.startswith("{start}")
    expanded = _expand(name, text.removeprefix("{start}"), macros, 0)
    if r"\b" in expanded:
        raise PatternInvalid(name, r"\b knows only ASCII words; both ends of a pattern are word boundaries already")
    folded = fold_expression(expanded)
    if not bounded:
        return folded
    if not _is_balanced(folded):
        compile_expression(name, folded)
    first = _ARABIC_WORD_START if language == "ar" else _WORD_START
    start = fold_expression(_expand(name, macros.get("start", "^"), macros, 0)) if starts_clause else first
    return f"{start}(?:{folded}){_WORD_END}"


def _is_balanced(source: str) -> bool:
    """Whether groups and classes close by themselves, so that what is put around the source holds all of it.

    "a)|(b" would slip out of its word boundaries. Compiling the source says so too, in a millisecond a pattern.
    """
    depth, in_class, position = 0, False, 0
    while position < len(source):
        character = source[position]
        if character == "\\":
            if source[position + 1 : position + 2] in ("", "Q"):
                return False
            position += 1
        elif in_class:
            in_class = character != "]" or source[position - 1] == "[" or source[position - 2 : position] == "[^"
        elif character == "[":
            in_class = True
        elif character in "()":
            depth += 1 if character == "(" else -1
            if depth < 0:
                return False
        position += 1
    return depth == 0 and not in_class


def _expand(name: str, text: str, macros: Mapping[str, str], depth: int) -> str:
    if depth > _DEEPEST_MACRO:
        raise PatternInvalid(name, "macros refer to each other in a circle")

    def put_in(match: re.Match[str]) -> str:
        if match[1] not in macros:
            raise PatternInvalid(name, f"unknown macro {match[0]}")
        return f"(?:{_expand(name, macros[match[1]], macros, depth + 1)})"

    return _MACRO.sub(lambda match: match[0] if text[: match.start()].endswith(("\\p", "\\P")) else put_in(match), text)


@lru_cache(maxsize=4_096)
def fold_expression(text: str) -> str:
    """Literals folded as messages are; escapes, group heads, classes and counts stay; a space is any white space.

    Behind a Chinese character outside a class a space may follow: where a message is cut into words is not the row's
    concern, but that a hit begins and ends with a word is.
    """
    parts: list[str] = []
    position, in_class = 0, False
    while position < len(text):
        kept = _KEPT_GROUP.match(text, position)
        if kept:
            parts.append(_UNICODE_CLASSES.get(kept[0], (kept[0], kept[0]))[in_class])
            position = kept.end()
            continue
        character = text[position]
        position += 1
        if character in "[]":
            in_class = character == "["
        if character == " " and not in_class:
            parts.append(r"(?:\s+)" if text[position : position + 1] in _QUANTIFIERS else r"\s+")
            continue
        folded = _fold_character(character)
        if _HAN.match(character) and not in_class:
            folded = rf"(?:{folded}\s?)" if text[position : position + 1] in _QUANTIFIERS else rf"{folded}\s?"
        parts.append(folded)
    return "".join(parts)


@lru_cache(maxsize=4_096)
def _fold_character(character: str) -> str:
    return normalise(character) if _HAN.match(character) else fold(character)


def compile_expression(name: str, source: str, *, captures: bool = True) -> Any:
    """RE2 source compiled, once a process for each source. Raises PatternInvalid in the name of its row."""
    try:
        return _compile_source(source, captures)
    except re2.error as error:
        detail = error.args[0].decode() if error.args and isinstance(error.args[0], bytes) else str(error)
        raise PatternInvalid(name, f"RE2 does not compile it: {detail}") from error


@lru_cache(maxsize=2_048)
def _compile_source(source: str, captures: bool) -> Any:
    """Kept, as a new version of the patterns differs from the last one in a few rows."""
    options = re2.Options()
    options.log_errors = False
    options.never_capture = not captures
    return re2.compile(source, options)


def validate_expression(name: str, source: str) -> None:
    """Raises PatternInvalid for what RE2 does not read. A tenth of the time of compiling it."""
    try:
        _read_source(source)
    except re2.error:
        compile_expression(name, source)
        raise


@lru_cache(maxsize=4_096)
def _read_source(source: str) -> None:
    """Nothing, once a process for each source: an edit of one row checks all rows twice, before and after it."""
    re2.Set.SearchSet(_make_set_options(MEMORY_OF_SET)).Add(source)


class _SharedSet(re2.Set):
    """An RE2 set that is remembered as long as anybody uses it."""

    __slots__ = ("__weakref__",)


_SETS_IN_USE: WeakValueDictionary[tuple[int, tuple[str, ...]], Any] = WeakValueDictionary()
"""By their memory and sources: of a new version most are those of the last one, and to compile all takes seconds."""


def compile_set(rows: Iterable[tuple[str, str]], *, memory: int = MEMORY_OF_SET) -> Any:
    """One RE2 set over rows of (name, source), which finds all that occur in one pass; None without rows.

    Equal sources share one set as long as anybody uses it. It never takes more bytes than `memory`, however long the
    process matches. Raises PatternInvalid in the name of a row that RE2 does not read, or of the last one where all
    together are too large.
    """
    given = list(rows)
    if not given:
        return None
    key = memory, tuple(source for _, source in given)
    found = _SETS_IN_USE.get(key)
    if found is None:
        found = _SETS_IN_USE[key] = _compile_set(given, memory)
    return found


def _compile_set(rows: list[tuple[str, str]], memory: int) -> Any:
    chosen = _SharedSet.SearchSet(_make_set_options(memory))
    for name, source in rows:
        try:
            chosen.Add(source)
        except re2.error:
            compile_expression(name, source)
            raise
    try:
        chosen.Compile()
    except re2.error as error:
        raise PatternInvalid(rows[-1][0], f"{len(rows)} expressions are too large to be asked together") from error
    return chosen


def _make_set_options(memory: int) -> Any:
    options = re2.Options()
    options.max_mem = memory
    options.never_capture = True
    options.log_errors = False
    return options
