"""Commands in a model's text: found, parsed and taken out, whole or as it streams.

What stands in code (fences, `inline`) or is quoted (`> lines`, "…", «…», “…”) is text and stays. Nothing is held back
but what may still become a command; any cut of a text into pieces gives the same result.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from knowledge.notebook.core.commands import COMMANDS

MAX_VALUE_BYTES = 8 * 1024
"""Of one attribute. Source: spec of A4."""
MAX_COMMAND_LENGTH = 24_000
"""Characters after which an open command is no command: a stream that hangs may not be held back for ever."""
MAX_NAME_LENGTH = 32
_EVENT = re.compile(r"[`~«»“”„「」『』\[]")
_RUN = re.compile(r"`+|~+")
_NAME = re.compile(r"\[([A-Z][A-Z_]*)")
_OPEN_NAME = re.compile(r"\[[A-Z_]*\Z")
_ATTRIBUTE = re.compile(r'\s+([A-Za-z_]+)\s*=\s*"((?:[^"\\]++|\\.)*+)"', re.DOTALL)
_END = re.compile(r"\s*\]")
_UNFINISHED = re.compile(r'\s*+(?:[A-Za-z_]++\s*+(?:=\s*+(?:"(?:[^"\\]++|\\.)*+\\?)?)?)?\Z', re.DOTALL)
_FOREIGN = re.compile(r'\[[A-Z]+_[A-Z_]*\s+[A-Za-z_]+\s*=\s*"')
"""Not ours, yet written as a command: such text is meant for a program and never for people."""
_FOREIGN_OPEN = re.compile(r"\[[A-Z]+_[A-Z_]*\s+[A-Za-z_]*\s*=?\s*\Z")
_ESCAPE = re.compile(r'\\(["\\n])')
_FENCE_HEAD = re.compile(r" {0,3}\Z")
_QUOTE_HEAD = re.compile(r" {0,3}>")
_HEAD_LENGTH = 8
_CLOSERS = {"«": "»", "“": "”", "„": "“”", "「": "」", "『": "』"}
_BEFORE_QUOTE = " \t\n([{—–-:=*_"


@dataclass(frozen=True, slots=True)
class Command:
    """A command where it stood: `start` and `end` in the text, `offset` in the text without commands."""

    name: str
    arguments: Mapping[str, str]
    start: int
    end: int
    offset: int
    flaw: str = ""
    """Why it is malformed; empty for one that can be executed."""


@dataclass(frozen=True, slots=True)
class Tokenized:
    """A text without its commands, trimmed."""

    clean: str
    commands: tuple[Command, ...]


def tokenize(text: str) -> Tokenized:
    """The text without its commands, and the commands in order.

    Example: `Done. [SAVE_FACT key="db" value="PostgreSQL"]` is `Done.` and one command.
    """
    stream = CommandStream()
    clean = stream.feed(text) + stream.finish()
    return Tokenized(clean, tuple(stream.commands))


@dataclass(slots=True)
class _Parsed:
    end: int = -1
    arguments: dict[str, str] = field(default_factory=dict)
    flaw: str = ""
    is_open: bool = False


class CommandStream:
    """The text of one reply as it comes: `feed` gives what may be shown by now, `finish` the rest."""

    def __init__(self) -> None:
        self.commands: list[Command] = []
        self._shown: list[str] = []
        self._buffer = ""
        self._offset = 0
        self._last = "\n"
        self._head = ""
        self._fence = ""
        self._code = 0
        self._quote = False
        self._closers: list[str] = []
        self._is_blank = True
        self._length = 0
        self._before: str | None = None
        self._space = ""

    @property
    def shown(self) -> str:
        """All that was given out."""
        return "".join(self._shown)

    def feed(self, piece: str) -> str:
        """What of the text so far is no command."""
        self._buffer += piece
        return self._run(is_final=False)

    def finish(self) -> str:
        """The rest: nothing comes any more."""
        return self._run(is_final=True)

    def _run(self, *, is_final: bool) -> str:
        buffer, out = self._buffer, []
        # A run of backticks or tildes may grow.
        limit = len(buffer) if is_final else len(buffer.rstrip("`~"))
        plain = place = line = seen = 0
        while (event := _EVENT.search(buffer, place, limit)) is not None:
            start, place = event.start(), event.end()
            line = self._advance(buffer, seen, start, line)
            sign, seen = buffer[start], place
            if sign == "[":
                if (
                    self._fence
                    or self._code
                    or self._quote
                    or self._closers
                    or self._is_quote_line(buffer, line, start)
                ):
                    seen = start
                    self._is_blank = False
                    continue
                parsed = _parse(buffer, start, limit, is_final=is_final)
                if parsed is None:
                    seen = start
                    continue
                if parsed.is_open:
                    seen = limit = start
                    break
                out.append(self._emit(buffer[plain:start]))
                self._add(buffer, start, parsed)
                plain = place = seen = parsed.end
            elif sign in "`~":
                place = seen = _find_run_end(buffer, start, limit)
                self._mark_code(buffer[start:place], (self._head + buffer[line:start])[:_HEAD_LENGTH])
            elif not self._fence and not self._code:
                self._mark_quote(sign)
            self._is_blank = False
        line = self._advance(buffer, seen, limit, line)
        out.append(self._emit(buffer[plain:limit]))
        self._head = (self._head + buffer[line:limit])[:_HEAD_LENGTH]
        self._last = buffer[limit - 1] if limit else self._last
        self._buffer, self._offset = buffer[limit:], self._offset + limit
        shown = "".join(out)
        self._shown.append(shown)
        return shown

    def _advance(self, buffer: str, start: int, end: int, line: int) -> int:
        """Where the line begins that `end` is in.

        Inline code and straight quotes end with their line, other quotes with their paragraph.
        """
        newline = buffer.rfind("\n", start, end)
        if newline >= 0:
            if self._closers and self._has_blank_line(buffer[start : newline + 1]):
                self._closers.clear()
            self._code, self._quote, self._head, self._is_blank = 0, False, "", True
            start = line = newline + 1
        if start < end:
            self._is_blank = self._is_blank and not buffer[start:end].strip()
            if not self._fence and not self._code:
                self._mark_straight_quotes(buffer, start, end)
        return line

    def _has_blank_line(self, text: str) -> bool:
        first, _, rest = text.partition("\n")
        return (self._is_blank and not first.strip()) or any(not each.strip() for each in rest.split("\n")[:-1])

    def _mark_straight_quotes(self, buffer: str, start: int, end: int) -> None:
        place = buffer.find('"', start, end)
        while place >= 0:
            self._quote = not self._quote and (buffer[place - 1] if place else self._last) in _BEFORE_QUOTE
            place = buffer.find('"', place + 1, end)

    def _is_quote_line(self, buffer: str, line: int, start: int) -> bool:
        return (
            _QUOTE_HEAD.match((self._head + buffer[line : min(start, line + _HEAD_LENGTH)])[:_HEAD_LENGTH]) is not None
        )

    def _mark_code(self, run: str, head: str) -> None:
        at_line_start = len(run) >= 3 and _FENCE_HEAD.fullmatch(head) is not None
        if self._fence:
            if at_line_start and run[0] == self._fence[0] and len(run) >= len(self._fence):
                self._fence = ""
        elif at_line_start:
            self._fence = run
        elif run[0] == "`":
            self._code = len(run) if not self._code else 0 if self._code == len(run) else self._code

    def _mark_quote(self, sign: str) -> None:
        if self._closers and sign in self._closers[-1]:
            self._closers.pop()
        elif sign in _CLOSERS:
            self._closers.append(_CLOSERS[sign])

    def _add(self, buffer: str, start: int, parsed: _Parsed) -> None:
        match = _NAME.match(buffer, start)
        name = match.group(1) if match else ""
        self.commands.append(
            Command(name, parsed.arguments, self._offset + start, self._offset + parsed.end, self._length, parsed.flaw)
        )
        if self._before is None:
            self._before, self._space = self._space, ""
        self._last = "]"

    def _emit(self, text: str) -> str:
        """The text with the blanks around commands made one, those at both ends left out."""
        words = text.lstrip()
        self._space += text[: len(text) - len(words)]
        if not words:
            return ""
        blanks = self._space if self._before is None else _merge_blanks(self._before, self._space)
        self._before = None
        shown = words.rstrip()
        self._space = words[len(shown) :]
        shown = (blanks if self._length else "") + shown
        self._length += len(shown)
        return shown


def _find_run_end(buffer: str, start: int, limit: int) -> int:
    match = _RUN.match(buffer, start, limit)
    return match.end() if match else start + 1


def _merge_blanks(before: str, after: str) -> str:
    """What stands where a command stood: its line goes with it, words on both sides stay apart."""
    if "\n" in before or "\n" in after:
        return max(before, after, key=lambda blanks: blanks.count("\n"))
    return before[:1] or after[:1]


def _parse(buffer: str, start: int, limit: int, *, is_final: bool) -> _Parsed | None:
    """The command that begins at a bracket; None for a bracket that begins none."""
    if not is_final and _OPEN_NAME.match(buffer, start) and len(buffer) - start <= MAX_NAME_LENGTH:
        return _Parsed(is_open=True)
    match = _NAME.match(buffer, start)
    if match is None or len(match.group(1)) > MAX_NAME_LENGTH:
        return None
    name = match.group(1)
    if name not in COMMANDS:
        if not is_final and _FOREIGN_OPEN.match(buffer, start) and len(buffer) - start <= 2 * MAX_NAME_LENGTH:
            return _Parsed(is_open=True)
        if _FOREIGN.match(buffer, start) is None:
            return None
    elif match.end() < len(buffer) and buffer[match.end()] not in " \t\r\n]":
        return None
    return _parse_attributes(buffer, start, match.end(), name, is_final=is_final)


def _parse_attributes(buffer: str, start: int, place: int, name: str, *, is_final: bool) -> _Parsed:
    arguments: dict[str, str] = {}
    flaw = ""
    while (attribute := _ATTRIBUTE.match(buffer, place)) is not None:
        key, value = attribute.group(1), _ESCAPE.sub(_unescape, attribute.group(2))
        if key in arguments:
            flaw = "attribute_repeated"
        arguments[key] = value
        place = attribute.end()
    end = _END.match(buffer, place)
    if end is not None:
        return _Parsed(end.end(), arguments, flaw or _validate(name, arguments))
    is_unfinished = _UNFINISHED.match(buffer, place) is not None
    if is_unfinished and not is_final and len(buffer) - start <= MAX_COMMAND_LENGTH:
        return _Parsed(is_open=True)
    return _skip(buffer, start, place, is_final=is_final, flaw="unterminated" if is_unfinished else "syntax")


def _skip(buffer: str, start: int, place: int, *, is_final: bool, flaw: str) -> _Parsed:
    """What is left out of a broken command: up to its bracket, or up to the end of its line."""
    line_end = buffer.find("\n", place if flaw == "syntax" else start)
    bracket = buffer.find("]", place, line_end if line_end >= 0 else len(buffer)) if flaw == "syntax" else -1
    if bracket >= 0:
        return _Parsed(bracket + 1, {}, flaw)
    if line_end >= 0:
        return _Parsed(line_end, {}, flaw)
    if is_final or len(buffer) - start > MAX_COMMAND_LENGTH:
        return _Parsed(len(buffer), {}, flaw)
    return _Parsed(is_open=True)


def _validate(name: str, arguments: Mapping[str, str]) -> str:
    spec = COMMANDS.get(name)
    if spec is None:
        return "unknown_command"
    if set(arguments) - set(spec.attributes):
        return "attribute_unknown"
    if set(spec.attributes) - set(arguments):
        return "attribute_missing"
    if any(len(value.encode("utf-8", "surrogatepass")) > MAX_VALUE_BYTES for value in arguments.values()):
        return "value_too_long"
    return ""


def _unescape(match: re.Match[str]) -> str:
    return "\n" if match.group(1) == "n" else match.group(1)
