"""Keys that are regular expressions: read as SillyTavern reads them, run so that no pattern can hang a request.

RE2 runs what it can in linear time. Lookaround, backreferences and counts above 1,000 go to the `regex` module, which
backtracks, so each search there has `SEARCH_SECONDS` and a whole activation `TOTAL_SECONDS`. What neither can do, or
what ran out of time, is kept in the book, does not fire, and is listed.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import re2
import regex

from knowledge.lorebooks.activation.js_escapes import JsSyntaxError, UnsupportedRegexError
from knowledge.lorebooks.activation.js_regex import JsRegexTranslator

MAX_PATTERN_LENGTH = 5_000
"""Characters. A list of two hundred names fits; more is no key."""
SEARCH_SECONDS = 0.05
MAX_TOTAL_SIZE = 500_000
"""Of all patterns of one activation, counts multiplied out: a book of 1,000 entries has about 50,000. Compiling takes
some microseconds for each, and nothing can interrupt it."""
TOTAL_SECONDS = 0.25
"""Of backtracking in one activation, so that a book of hostile patterns costs a request no more than this."""
_RE2_MEMORY = 8 << 20
_SHAPE = re.compile(r"/([\w\W]+?)/([gimsuy]*)", re.DOTALL)
_UNESCAPED_SLASH = re.compile(r"(?:^|[^\\])/")
_RARE_LINE_ENDS = re.compile("[\r\u2028\u2029]")
_SURROGATE = re.compile("[\ud800-\udfff]")

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class RegexProblem:
    """Why a regular expression is not run: `unsupported`, `too_long`, `too_many`, `timeout` or `out_of_time`."""

    code: str
    detail: str


@dataclass(slots=True)
class RegexTimer:
    """The time that backtracking has left in one activation, and the patterns that used too much of it."""

    seconds_left: float = TOTAL_SECONDS
    problems: dict[str, RegexProblem] = field(default_factory=dict)

    def search(self, key: str, compiled: Any, text: str) -> Span | None:
        """The span of the first match. None also when the pattern ran out of time, now or before: `problems` says."""
        if key in self.problems:
            return None
        if self.seconds_left <= 0:
            self.problems[key] = RegexProblem("out_of_time", f"{TOTAL_SECONDS} s of backtracking are used up")
            return None
        start = time.perf_counter()
        try:
            match = compiled.search(text, timeout=min(SEARCH_SECONDS, self.seconds_left))
        except TimeoutError:
            self.problems[key] = RegexProblem("timeout", f"no answer within {SEARCH_SECONDS} s")
            return None
        finally:
            self.seconds_left -= time.perf_counter() - start
        return match.span() if match else None


@dataclass(slots=True)
class RegexAllowance:
    """What may still be compiled in one activation."""

    size_left: int = MAX_TOTAL_SIZE

    def take(self, key: str, compile_key: Callable[[], CompiledRegex | None]) -> CompiledRegex | None:
        """The compiled key, None for plain text; when all is used up, a pattern with the problem `too_many`."""
        if self.size_left <= 0:
            detail = f"the patterns before it have {MAX_TOTAL_SIZE} characters with counts multiplied out"
            return CompiledRegex(key, problem=RegexProblem("too_many", detail))
        compiled = compile_key()
        if compiled is not None:
            self.size_left -= compiled.size
        return compiled


class ScannedText:
    """A text and, once asked for, its UTF-8 and its lower case."""

    __slots__ = ("_encoded", "_lowered", "has_rare_line_ends", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.has_rare_line_ends = bool(_RARE_LINE_ENDS.search(text))
        self._encoded: bytes | None = None
        self._lowered: str | None = None

    @property
    def lowered(self) -> str:
        """The text in lower case."""
        if self._lowered is None:
            self._lowered = self.text.lower()
        return self._lowered

    @property
    def encoded(self) -> bytes:
        """UTF-8; a lone surrogate becomes U+FFFD, one for one."""
        if self._encoded is None:
            try:
                self._encoded = self.text.encode()
            except UnicodeEncodeError:
                self._encoded = _SURROGATE.sub("\ufffd", self.text).encode()
        return self._encoded

    def decode_span(self, span: Span) -> Span:
        """Positions in bytes as positions in characters."""
        first, last = span
        start = len(self.encoded[:first].decode())
        return start, start + len(self.encoded[first:last].decode())


@dataclass(frozen=True, slots=True)
class CompiledRegex:
    """A pattern that can be searched for. `linear` is RE2's, `backtracking` that of the `regex` module."""

    key: str
    linear: Any = None
    backtracking: Any = None
    problem: RegexProblem | None = None
    size: int = 0  # counts multiplied out

    @property
    def engine(self) -> str:
        """`re2`, `regex` or `none`."""
        return "re2" if self.linear else "regex" if self.backtracking else "none"

    def search(self, scanned: ScannedText, timer: RegexTimer) -> Span | None:
        """The span of the first match in characters, None without one."""
        if self.linear is not None and not (self.backtracking is not None and scanned.has_rare_line_ends):
            match = self.linear.search(scanned.encoded)
            return scanned.decode_span(match.span()) if match else None
        if self.backtracking is not None:
            return timer.search(self.key, self.backtracking, scanned.text)
        return None


def parse_regex_key(key: str) -> tuple[str, str] | None:
    """Pattern and flags of `/pattern/flags`; None for plain text, as which any unescaped slash inside is taken too.

    SillyTavern takes the backslash from the first escaped slash only. The others mean the same with it.
    """
    if not key.startswith("/"):
        return None
    match = _SHAPE.fullmatch(key)
    if match is None or _UNESCAPED_SLASH.search(match[1]):
        return None
    return match[1].replace("\\/", "/", 1), match[2]


@lru_cache(maxsize=20_000)
def compile_regex_key(key: str, *, unicode_words: bool = False) -> CompiledRegex | None:
    """The compiled key, None when SillyTavern would take it for plain text: not `/…/`, or no valid expression."""
    parsed = parse_regex_key(key)
    if parsed is None:
        return None
    try:
        return compile_js_regex(key, *parsed, unicode_words=unicode_words and "u" in parsed[1])
    except JsSyntaxError:
        return None


def compile_js_regex(key: str, pattern: str, flags: str, *, unicode_words: bool = False) -> CompiledRegex:
    """The pattern for RE2, else for the `regex` module, else with its problem. Raises `JsSyntaxError`."""
    if len(set(flags)) < len(flags):
        raise JsSyntaxError("a flag is given twice")
    if len(pattern) > MAX_PATTERN_LENGTH:
        return CompiledRegex(key, problem=RegexProblem("too_long", f"more than {MAX_PATTERN_LENGTH} characters"))
    try:
        return _compile(key, pattern, flags, unicode_words)
    except UnsupportedRegexError as error:
        return CompiledRegex(key, problem=RegexProblem("unsupported", str(error)))


def _compile(key: str, pattern: str, flags: str, unicode_words: bool) -> CompiledRegex:
    translation = JsRegexTranslator(pattern, flags, for_re2=True, unicode_words=unicode_words).translate()
    linear = None if translation.needs_backtracking else _compile_linear(translation.source)
    backtracking = None
    if linear is None or translation.has_line_anchors:
        source = JsRegexTranslator(pattern, flags, for_re2=False, unicode_words=unicode_words).translate().source
        backtracking = _compile_backtracking(source)
    return CompiledRegex(key, linear, backtracking, size=translation.size)


def _compile_linear(source: str) -> Any:
    """None where RE2 refuses: a script it does not know, or a program that is too large."""
    options = re2.Options()
    options.log_errors = False
    options.never_capture = True
    options.max_mem = _RE2_MEMORY
    try:
        return re2.compile(source, options)
    except re2.error:
        return None


def _compile_backtracking(source: str) -> Any:
    try:
        return regex.compile(source, regex.VERSION0, cache_pattern=False)
    except (regex.error, OverflowError, MemoryError, RecursionError) as error:
        raise UnsupportedRegexError(str(error)) from error
