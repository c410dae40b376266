"""What a passage and a reply share and where they differ, letter by letter.

Layers that read pieces of words see neither that `nineteen` is another number than `9` nor that two colours exclude
each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum

from factcheck.claims.core.judged_cases import JudgedCase, Span
from factcheck.claims.core.replies.lexicon import Lexicon
from factcheck.claims.core.replies.texts import Text, read_text
from factcheck.core.tokens import strip_marks


class Mark(IntEnum):
    """What a word of one side is to the other; of the passage's words the number is `OF_PASSAGE` higher."""

    NONE = 0
    WORD_OF_ONE = 1
    WORD_OF_BOTH = 2
    NUMBER_OF_ONE = 3
    NUMBER_OF_BOTH = 4
    VALUE_OF_ONE = 5
    """A colour, a side, a weekday …, of whose class the other side names none."""
    VALUE_OF_BOTH = 6
    VALUE_DIFFERS = 7
    """The other side names another of its class, and not this one."""


OF_PASSAGE = len(Mark) - 1
MARKS = 1 + 2 * OF_PASSAGE
"""How many there are."""


def mark_case(case: JudgedCase, lexicon: Lexicon) -> list[int]:
    """The mark of each letter of the text that the judge reads of a case."""
    text, start = case.write()
    first, last = case.find_passage()
    reply, passage = (read_text(part, lexicon) for part in (text[start:], text[first:last]))
    marks = [int(Mark.NONE)] * len(text)
    marks[start:] = _mark_letters(text[start:], reply, passage)
    marks[first:last] = [mark and mark + OF_PASSAGE for mark in _mark_letters(text[first:last], passage, reply)]
    return marks


def _mark_letters(written: str, text: Text, other: Text) -> Iterator[int]:
    """The mark of each letter as written: words stand where they do without combining and invisible characters."""
    plain = [int(Mark.NONE)] * len(text.tokens.text)
    for (start, end), mark in _mark_words(text, other):
        plain[start:end] = [int(mark)] * (end - start)
    place = 0
    for letter in written:
        yield plain[min(place, len(plain) - 1)] if plain else int(Mark.NONE)
        place += len(strip_marks(letter))


def _mark_words(text: Text, other: Text) -> Iterator[tuple[Span, Mark]]:
    """What overrules comes last."""
    known = other.all_keys()
    for word, keys in zip(text.words, text.keys, strict=True):
        if keys:
            yield (word.start, word.end), Mark.WORD_OF_BOTH if keys & known else Mark.WORD_OF_ONE
    values = {(each.group, each.value) for each in other.kinds}
    groups = {group for group, _ in values}
    for kind in text.kinds:
        if (kind.group, kind.value) in values:
            mark = Mark.VALUE_OF_BOTH
        else:
            mark = Mark.VALUE_DIFFERS if kind.group in groups else Mark.VALUE_OF_ONE
        yield _find_letters(text, kind.start, kind.end), mark
    numbers = {each.value for each in other.quantities}
    for number in text.quantities:
        mark = Mark.NUMBER_OF_BOTH if number.value in numbers else Mark.NUMBER_OF_ONE
        yield _find_letters(text, number.start, number.end), mark


def _find_letters(text: Text, start: int, end: int) -> Span:
    return text.words[start].start, text.words[end - 1].end
