"""JavaScript's regular expressions as RE2 or the `regex` module take them.

A recursive descent over the grammar of ECMAScript 2025, Annex B included: without `u` a lone `{`, an escape without a
meaning and a reference to a group that does not exist are literals. What JavaScript refuses raises `JsSyntaxError`.

Known differences: characters outside of the basic plane count as one also without `u`; `i` folds by Unicode's simple
case folding (JavaScript without `u` keeps `ſ` apart from `s` and `K` from `k`); a group inside of a repetition keeps
its last capture.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from knowledge.lorebooks.activation.character_sets import LINE_ENDS, WORD_CHARACTERS, complement, render_ranges
from knowledge.lorebooks.activation.js_classes import ClassReader, Translation
from knowledge.lorebooks.activation.js_escapes import GROUP_NAME, JsSyntaxError, UnsupportedRegexError

MAX_GROUP_DEPTH = 100
"""Groups inside of groups: real keys have two or three, and the descent recurses."""
MAX_RE2_REPEAT = 1000
"""RE2 refuses larger counts."""
MAX_EXPANDED_SIZE = 20_000
"""Characters and classes with counts multiplied out: `(?:a{100}){100}` has 10,000. Engines do multiply them out before
they search: these take some 50 ms, `(?:(?:a{1000}){1000}){1000}` would take hours, and no time limit reaches it."""
_MAX_COUNT_DIGITS = 9
_QUANTIFIER = re.compile(r"\{([0-9]+)(?:(,)([0-9]*))?\}")
_MODIFIERS = re.compile(r"\(\?([ims]*)(?:-([ims]*))?:")


@dataclass
class JsRegexTranslator(ClassReader):
    """One pass over one pattern."""

    depth: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.is_multiline, self.is_dot_all = "m" in self.flags, "s" in self.flags
        self.opened = 0
        self.open_groups: list[int] = []
        self.size = 0  # of what was read of the innermost group

    def translate(self) -> Translation:
        """The whole pattern; raises `JsSyntaxError` or `UnsupportedRegexError`."""
        source = self._read_disjunction()
        if self.position < len(self.pattern):
            raise JsSyntaxError("unmatched )")
        prefix = "(?i)" if "i" in self.flags else ""
        if "y" in self.flags:
            source = rf"\A(?:{source})"
        self.result.source, self.result.size = prefix + source, self.size
        return self.result

    def _read_disjunction(self) -> str:
        alternatives = [self._read_alternative()]
        while self._peek() == "|":
            self.position += 1
            alternatives.append(self._read_alternative())
        return "|".join(alternatives)

    def _read_alternative(self) -> str:
        parts: list[str] = []
        while (character := self._peek()) and character not in "|)":
            before, self.size = self.size, 0
            atom, can_repeat = self._read_atom(character)
            quantifier, count = self._read_quantifier()
            self.size = before + max(self.size, 1) * max(count, 1)
            if self.size > MAX_EXPANDED_SIZE:
                raise UnsupportedRegexError(f"more than {MAX_EXPANDED_SIZE} characters with counts multiplied out")
            if quantifier and not can_repeat:
                raise JsSyntaxError("nothing to repeat")
            parts.append(f"(?:{atom}){quantifier}" if quantifier else atom)
        return "".join(parts)

    def _read_atom(self, character: str) -> tuple[str, bool]:
        """The next atom or assertion, and whether a quantifier may follow it."""
        if character == "(":
            return self._read_group()
        if character == "[":
            return self._read_class(), True
        if character == "\\":
            return self._read_escape()
        self.position += 1
        if character == ".":
            return ("(?s:.)" if self.is_dot_all else self._render_class(complement(LINE_ENDS))), True
        if character in "^$":
            return self._render_anchor(character), False
        if character in "*+?" or (character == "{" and _QUANTIFIER.match(self.pattern, self.position - 1)):
            raise JsSyntaxError("nothing to repeat")
        if self.is_unicode and character in "{}]":
            raise JsSyntaxError(f"lone {character}")
        return self._literal(ord(character)), True

    def _read_quantifier(self) -> tuple[str, int]:
        """The quantifier, empty if there is none, and how many copies of the atom it asks for."""
        character, count = self._peek(), 1
        if character and character in "*+?":
            self.position += 1
            quantifier = character
        elif character == "{":
            match = _QUANTIFIER.match(self.pattern, self.position)
            if match is None:
                if self.is_unicode:
                    raise JsSyntaxError("incomplete quantifier")
                return "", 1
            least, most = _read_count(match[1]), _read_count(match[3]) if match[3] else None
            if most is not None and most < least:
                raise JsSyntaxError("numbers out of order in {} quantifier")
            count = max(least, most or 0)
            if count > MAX_RE2_REPEAT:
                self.result.needs_backtracking = True
            self.position = match.end()
            quantifier = match[0]
        else:
            return "", 1
        if self._peek() == "?":
            self.position += 1
            quantifier += "?"
        return quantifier, count

    def _read_group(self) -> tuple[str, bool]:
        start, can_repeat = "(", True
        saved = (self.is_multiline, self.is_dot_all)
        number = 0
        if self._peek(3) in ("(?=", "(?!"):
            start, can_repeat = self._peek(3), not self.is_unicode
            self._open(3, needs_backtracking=True)
        elif self._peek(4) in ("(?<=", "(?<!"):
            start, can_repeat = self._peek(4), False
            self._open(4, needs_backtracking=True)
        elif name := GROUP_NAME.match(self.pattern, self.position):
            self._open(len(name[0]))
            number = self._count_group()
        elif modifiers := _MODIFIERS.match(self.pattern, self.position):
            start = self._open_modified(modifiers)
        elif self._peek(2) == "(?":
            raise JsSyntaxError("invalid group")
        else:
            self._open(1)
            number = self._count_group()
        self.open_groups.append(number)
        inside = self._read_disjunction()
        self.open_groups.pop()
        if self._peek() != ")":
            raise JsSyntaxError("unterminated group")
        self.position += 1
        self.depth -= 1
        self.is_multiline, self.is_dot_all = saved
        return f"{start}{inside})", can_repeat

    def _count_group(self) -> int:
        self.opened += 1
        return self.opened

    def _open(self, length: int, *, needs_backtracking: bool = False) -> None:
        self.position += length
        self.depth += 1
        self.result.needs_backtracking |= needs_backtracking
        if self.depth > MAX_GROUP_DEPTH:
            raise UnsupportedRegexError(f"more than {MAX_GROUP_DEPTH} groups inside of each other")

    def _open_modified(self, modifiers: re.Match[str]) -> str:
        added, removed = modifiers[1], modifiers[2] or ""
        if len(set(added + removed)) < len(added + removed) or modifiers[0] == "(?-:":
            raise JsSyntaxError("repeated flag in a group")
        self._open(len(modifiers[0]))
        self.is_multiline = "m" in added or (self.is_multiline and "m" not in removed)
        self.is_dot_all = "s" in added or (self.is_dot_all and "s" not in removed)
        case = "i" if "i" in added else "-i" if "i" in removed else ""
        return f"(?{case}:"

    def _render_anchor(self, character: str) -> str:
        if not self.is_multiline:
            return r"\A" if character == "^" else r"\z" if self.for_re2 else r"\Z"
        self.result.has_line_anchors = True
        if self.for_re2:
            return f"(?m:{character})"
        inside = self._render_class(complement(LINE_ENDS))
        return f"(?<!{inside})" if character == "^" else f"(?!{inside})"

    def _read_escape(self) -> tuple[str, bool]:
        """What follows a backslash outside of a class."""
        letter = self.pattern[self.position + 1 : self.position + 2]
        if not letter:
            raise JsSyntaxError("\\ at end of pattern")
        if letter in "bB":
            self.position += 2
            return self._render_word_boundary(letter), False
        if letter in "dDsSwW":
            self.position += 2
            return self._render_shorthand(letter), True
        if letter in "pP" and self.is_unicode:
            return self._read_property(), True
        if letter == "k" and (self.is_unicode or self.group_names):
            return self._read_named_reference(), True
        if letter in "123456789":
            reference = self._read_reference()
            if reference:
                return reference, True
        return self._literal(self._read_character_escape()), True

    def _render_word_boundary(self, letter: str) -> str:
        if self.unicode_words:
            self.result.needs_backtracking = True
            return f"\\{letter}"
        if self.for_re2:
            return f"\\{letter}"
        word = f"[{render_ranges(WORD_CHARACTERS, for_re2=False)}]"
        if letter == "b":
            return f"(?:(?<={word})(?!{word})|(?<!{word})(?={word}))"
        return f"(?:(?<={word})(?={word})|(?<!{word})(?!{word}))"

    def _read_named_reference(self) -> str:
        match = re.compile(r"\\k<([^>]*)>").match(self.pattern, self.position)
        if match is None or match[1] not in self.group_names:
            raise JsSyntaxError("invalid named reference")
        self.position = match.end()
        return self._render_reference(self.group_names[match[1]])

    def _read_reference(self) -> str:
        """`\\1` to a group that exists; empty where it is a legacy octal escape or a digit."""
        match = re.compile(r"\\([1-9][0-9]*)").match(self.pattern, self.position)
        number = int(match[1]) if match and len(match[1]) < 6 else self.group_count + 1
        if match and number <= self.group_count:
            self.position = match.end()
            return self._render_reference(number)
        if self.is_unicode:
            raise JsSyntaxError("invalid escape")
        return ""

    def _render_reference(self, number: int) -> str:
        """A group that took no part, or is still open, matches the empty text in JavaScript."""
        if number in self.open_groups:
            return "(?:)"
        self.result.needs_backtracking = True
        return f"(?({number})\\{number}|)"


def _read_count(digits: str) -> int:
    """The count; of so many digits that Python would refuse to read them, one that is too large all the same."""
    return int(digits[-_MAX_COUNT_DIGITS:]) if not digits[:-_MAX_COUNT_DIGITS].strip("0") else 10**_MAX_COUNT_DIGITS
