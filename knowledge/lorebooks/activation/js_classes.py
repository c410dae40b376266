"""Character classes of JavaScript's regular expressions: `[…]`, `\\d` and `\\p{…}`, for either engine."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from knowledge.lorebooks.activation.character_sets import (
    escape_point,
    list_class_ranges,
    name_property,
    render_ranges,
)
from knowledge.lorebooks.activation.js_escapes import EscapeReader, JsSyntaxError, UnsupportedRegexError


@dataclass
class Translation:
    """The source for one engine. `needs_backtracking` is set where RE2 cannot do what was asked."""

    source: str = ""
    needs_backtracking: bool = False
    has_line_anchors: bool = False
    size: int = 0  # with counts multiplied out


@dataclass
class ClassReader(EscapeReader):
    """A cursor that reads classes, and notes on the translation where RE2 cannot do them."""

    for_re2: bool = True
    unicode_words: bool = False  # `\w` and `\b` know all letters: our own dialect, with `u`
    result: Translation = field(default_factory=Translation)

    def _render_shorthand(self, letter: str) -> str:
        if self.unicode_words and letter in "wW":
            return rf"[{'^' if letter == 'W' else ''}\p{{L}}\p{{M}}\p{{N}}_]"
        return self._render_class(list_class_ranges(letter))

    def _read_property(self) -> str:
        match = re.compile(r"\\([pP])\{([A-Za-z0-9_]+(?:=[A-Za-z0-9_]+)?)\}").match(self.pattern, self.position)
        if match is None:
            raise JsSyntaxError("invalid property name")
        self.position = match.end()
        name, is_known = name_property(match[2])
        self.result.needs_backtracking |= not is_known
        return f"\\{match[1]}{{{name}}}"

    def _read_class(self) -> str:
        self.position += 1
        is_negated = self._peek() == "^"
        self.position += is_negated
        ranges: list[tuple[int, int]] = []
        named: list[str] = []
        while (character := self._peek()) != "]":
            if not character:
                raise JsSyntaxError("unterminated character class")
            first = self._read_class_atom(named)
            if self._peek() != "-" or self._peek(2) == "-]" or len(self._peek(2)) < 2:
                ranges += first
                continue
            self.position += 1
            ranges += self._join_range(first, self._read_class_atom(named))
        self.position += 1
        return self._compose_class(ranges, named, is_negated=is_negated)

    def _join_range(self, first: list[tuple[int, int]], last: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """`a-z`; where one end is a class such as `\\w`, the hyphen is a character, and with `u` an error."""
        if len(first) == len(last) == 1 and first[0][0] == first[0][1] and last[0][0] == last[0][1]:
            if first[0][0] > last[0][0]:
                raise JsSyntaxError("range out of order in character class")
            return [(first[0][0], last[0][0])]
        if self.is_unicode:
            raise JsSyntaxError("invalid character class")
        return [*first, (0x2D, 0x2D), *last]

    def _read_class_atom(self, named: list[str]) -> list[tuple[int, int]]:
        character = self._peek()
        if character != "\\":
            self.position += 1
            return [(ord(character), ord(character))]
        letter = self.pattern[self.position + 1 : self.position + 2]
        if not letter:
            raise JsSyntaxError("\\ at end of pattern")
        if letter in "dDsSwW":
            self.position += 2
            if self.unicode_words and letter in "wW":
                named.append(r"\p{L}\p{M}\p{N}_" if letter == "w" else r"\W")
                self.result.needs_backtracking |= letter == "W"
                return []
            return list(list_class_ranges(letter))
        if letter in "pP" and self.is_unicode:
            named.append(self._read_property())
            return []
        if letter == "b":
            self.position += 2
            return [(8, 8)]
        point = self._read_character_escape(in_class=True)
        return [(point, point)]

    def _compose_class(self, ranges: list[tuple[int, int]], named: list[str], *, is_negated: bool) -> str:
        if not ranges and not named:
            return "(?s:.)" if is_negated else self._render_nothing()
        inside = render_ranges(ranges, for_re2=self.for_re2) + "".join(named)
        return f"[{'^' if is_negated else ''}{inside}]"

    def _render_nothing(self) -> str:
        return r"[^\x{0}-\x{10FFFF}]" if self.for_re2 else r"(?!)"

    def _render_class(self, ranges: tuple[tuple[int, int], ...]) -> str:
        return f"[{render_ranges(ranges, for_re2=self.for_re2)}]"

    def _literal(self, point: int) -> str:
        if 0xD800 <= point <= 0xDFFF:
            raise UnsupportedRegexError("half of a surrogate pair")
        return escape_point(point, for_re2=self.for_re2)
