"""Sets of characters as JavaScript's regular expressions define them, for RE2 and for the `regex` module."""

from __future__ import annotations

from collections.abc import Iterable

LAST_POINT = 0x10FFFF
Ranges = tuple[tuple[int, int], ...]

DIGITS: Ranges = ((0x30, 0x39),)
WORD_CHARACTERS: Ranges = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
SPACES: Ranges = (
    (0x09, 0x0D), (0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029),
    (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000), (0xFEFF, 0xFEFF),
)  # fmt: skip
LINE_ENDS: Ranges = ((0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029))
JS_SPACES = "".join(chr(point) for first, last in SPACES for point in range(first, last + 1))
"""What `String.prototype.trim` takes away: `str.strip` also takes the separators 1C to 1F and 85, but not FEFF."""

_CLASSES = {"d": DIGITS, "w": WORD_CHARACTERS, "s": SPACES}
_CATEGORY_NAMES = {
    "Letter": "L", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll", "Titlecase_Letter": "Lt",
    "Modifier_Letter": "Lm", "Other_Letter": "Lo", "Mark": "M", "Combining_Mark": "M", "Nonspacing_Mark": "Mn",
    "Spacing_Mark": "Mc", "Enclosing_Mark": "Me", "Number": "N", "Decimal_Number": "Nd", "digit": "Nd",
    "Letter_Number": "Nl", "Other_Number": "No", "Punctuation": "P", "punct": "P", "Connector_Punctuation": "Pc",
    "Dash_Punctuation": "Pd", "Open_Punctuation": "Ps", "Close_Punctuation": "Pe", "Initial_Punctuation": "Pi",
    "Final_Punctuation": "Pf", "Other_Punctuation": "Po", "Symbol": "S", "Math_Symbol": "Sm", "Currency_Symbol": "Sc",
    "Modifier_Symbol": "Sk", "Other_Symbol": "So", "Separator": "Z", "Space_Separator": "Zs", "Line_Separator": "Zl",
    "Paragraph_Separator": "Zp", "Other": "C", "Control": "Cc", "cntrl": "Cc", "Format": "Cf",
}  # fmt: skip


def list_class_ranges(letter: str) -> Ranges:
    """The characters of `\\d`, `\\w`, `\\s` and their complements `\\D`, `\\W`, `\\S`."""
    ranges = _CLASSES[letter.lower()]
    return complement(ranges) if letter.isupper() else ranges


def complement(ranges: Ranges) -> Ranges:
    """Every other code point; the ranges given are in ascending order."""
    outside: list[tuple[int, int]] = []
    start = 0
    for first, last in ranges:
        if first > start:
            outside.append((start, first - 1))
        start = last + 1
    if start <= LAST_POINT:
        outside.append((start, LAST_POINT))
    return tuple(outside)


def escape_point(point: int, *, for_re2: bool) -> str:
    """One code point as a literal inside or outside of a class."""
    character = chr(point)
    if character.isascii() and character.isprintable():
        return character if character.isalnum() or character in " _" else f"\\{character}"
    if for_re2:
        return f"\\x{{{point:X}}}"
    return f"\\U{point:08x}"


def render_ranges(ranges: Iterable[tuple[int, int]], *, for_re2: bool) -> str:
    """The inside of a class: `((0x61, 0x7A),)` is `a-z`."""
    return "".join(
        escape_point(first, for_re2=for_re2)
        if first == last
        else f"{escape_point(first, for_re2=for_re2)}-{escape_point(last, for_re2=for_re2)}"
        for first, last in ranges
    )


def name_property(text: str) -> tuple[str, bool]:
    """A property `Script=Cyrillic`, `Letter` or `L` as both engines name it, and whether RE2 is sure to know it."""
    name, _, value = text.partition("=")
    if value:
        if name in ("General_Category", "gc"):
            return _CATEGORY_NAMES.get(value, value), True
        return value, True
    if text in _CATEGORY_NAMES:
        return _CATEGORY_NAMES[text], True
    return text, len(text) <= 2
