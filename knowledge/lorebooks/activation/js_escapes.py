"""Escapes of JavaScript's regular expressions, and the groups of a pattern: what the translation rests on."""

from __future__ import annotations

import re
from dataclasses import dataclass

GROUP_NAME = re.compile(r"\(\?<([A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*)>")
_SYNTAX_CHARACTERS = frozenset("^$\\.*+?()[]{}|/")
_CONTROLS = {"t": 9, "n": 10, "v": 11, "f": 12, "r": 13}
_HEX = frozenset("0123456789abcdefABCDEF")


class JsSyntaxError(ValueError):
    """JavaScript would throw: SillyTavern then reads the key as plain text."""


class UnsupportedRegexError(ValueError):
    """Valid in JavaScript, but neither engine can do it."""


@dataclass
class EscapeReader:
    """A cursor over a pattern that reads the code point of an escape."""

    pattern: str
    flags: str
    position: int = 0

    def __post_init__(self) -> None:
        self.is_unicode = "u" in self.flags
        self.group_count, self.group_names = list_groups(self.pattern)

    def _peek(self, length: int = 1) -> str:
        return self.pattern[self.position : self.position + length]

    def _read_character_escape(self, *, in_class: bool = False) -> int:
        """The code point of an escape; the cursor stands at the backslash."""
        letter = self.pattern[self.position + 1]
        rest = self.pattern[self.position + 2 :]
        if letter in _CONTROLS:
            return self._advance(2, _CONTROLS[letter])
        if letter == "c":
            if rest[:1].isascii() and rest[:1].isalpha():
                return self._advance(3, ord(rest[0]) % 32)
            if self.is_unicode:
                raise JsSyntaxError("invalid control escape")
            return self._advance(1, ord("\\"))
        if letter == "x" and len(rest) >= 2 and set(rest[:2]) <= _HEX:
            return self._advance(4, int(rest[:2], 16))
        if letter == "u" and (point := self._read_unicode_escape(rest)) is not None:
            return point
        if letter in "01234567" and not (self.is_unicode and (letter != "0" or rest[:1].isdigit())):
            digits = re.match("[0-3][0-7]{0,2}|[4-7][0-7]?", letter + rest)
            return self._advance(1 + len(digits[0]), int(digits[0], 8)) if digits else self._advance(2, ord(letter))
        if self.is_unicode and letter not in _SYNTAX_CHARACTERS and not (in_class and letter == "-"):
            raise JsSyntaxError("invalid escape")
        if letter == "k" and self.group_names:
            raise JsSyntaxError("invalid named reference")
        return self._advance(2, ord(letter))

    def _read_unicode_escape(self, rest: str) -> int | None:
        if self.is_unicode and (match := re.match(r"\{([0-9a-fA-F]+)\}", rest)):
            point = int(match[1][-8:], 16)
            if point > 0x10FFFF or len(match[1].lstrip("0")) > 6:
                raise JsSyntaxError("invalid Unicode escape")
            return self._advance(2 + len(match[0]), point)
        if len(rest) < 4 or not set(rest[:4]) <= _HEX:
            return None
        point = int(rest[:4], 16)
        low = re.match(r"\\u(d[c-f][0-9a-f]{2})", rest[4:], re.IGNORECASE)
        if 0xD800 <= point < 0xDC00 and low:
            return self._advance(12, 0x10000 + ((point - 0xD800) << 10) + int(low[1], 16) - 0xDC00)
        return self._advance(6, point)

    def _advance(self, length: int, point: int) -> int:
        self.position += length
        return point


def list_groups(pattern: str) -> tuple[int, dict[str, int]]:
    """How many capturing groups the pattern has, and the numbers of those with a name."""
    count, names, in_class, position = 0, {}, False, 0
    while position < len(pattern):
        character = pattern[position]
        if character == "\\":
            position += 2
            continue
        if character == "[":
            in_class = True
        elif character == "]":
            in_class = False
        elif character == "(" and not in_class:
            name = GROUP_NAME.match(pattern, position)
            if name or pattern[position + 1 : position + 2] != "?":
                count += 1
            if name:
                if name[1] in names:
                    raise JsSyntaxError("duplicate group name")
                names[name[1]] = count
        position += 1
    return count, names
