"""Words of a message that state a fact, and the message cut at them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from episodes.conversations.core.excerpts import GAP, list_kept_ranges

CONTEXT_CHARACTERS = 80
"""Of a long message, what stands this near a quote is shown with it: about one clause to each side."""


@dataclass(frozen=True, slots=True)
class Quote:
    """Characters `start` to `end` of a message, and the type and canonical key of the fact that they state."""

    start: int
    end: int
    fact_type: str
    fact_key: str


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a text; marked ones are quotes."""

    text: str
    is_marked: bool


def split_segments(text: str, ranges: Iterable[tuple[int, int]]) -> list[Segment]:
    """The whole text in order, cut at the ranges; overlapping ranges are one, those outside the text are left out."""
    segments: list[Segment] = []
    place = 0
    for start, end in sorted(ranges):
        first, last = max(start, place), min(end, len(text))
        if first >= last:
            continue
        if first > place:
            segments.append(Segment(text[place:first], is_marked=False))
        segments.append(Segment(text[first:last], is_marked=True))
        place = last
    if place < len(text):
        segments.append(Segment(text[place:], is_marked=False))
    return segments


def split_excerpt(content: str, ranges: Iterable[tuple[int, int]], *, memory_type: str = "") -> list[Segment]:
    """The excerpt of a message with its quotes marked; quotes that the excerpt would cut off are shown as well."""
    quotes = sorted(ranges)
    near = [(max(0, start - CONTEXT_CHARACTERS), min(len(content), end + CONTEXT_CHARACTERS)) for start, end in quotes]
    kept = _merge([*list_kept_ranges(len(content), memory_type=memory_type), *near])
    segments: list[Segment] = []
    for first, last in kept:
        if segments:
            segments.append(Segment(GAP, is_marked=False))
        inside = [(start - first, end - first) for start, end in quotes if first <= start and end <= last]
        segments += split_segments(content[first:last], inside)
    return segments


def _merge(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The same characters in as few ranges as possible, in order."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
