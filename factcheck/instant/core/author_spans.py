"""Which parts of a message its author says for themselves."""

from __future__ import annotations

import bisect
import sys
from collections.abc import Callable

from factcheck.instant.core.narrative_modes import (
    NarrativeMode,
    Span,
    detect_narrative_mode,
    list_asides,
    list_foreign_spans,
    list_real_life,
)
from factcheck.instant.core.transcripts import list_transcript_spans


class AuthorSpans:
    """The ranges of a message that are its author's own words, in places of the message as typed.

    Left out are quotes, code, actions and dialogue of characters, pasted chat lines, forwarded mail, reported speech.
    In character only what is marked as spoken out of character, or of real life, is left in.
    """

    __slots__ = ("_foreign", "_own", "says_anything")

    def __init__(
        self, text: str, mode: NarrativeMode = "unknown", *, is_topic: Callable[[str], bool] | None = None
    ) -> None:
        """`is_topic` says that the label of a line ("Peanuts: …") names a thing and not who speaks."""
        mode = detect_narrative_mode(text) if mode == "unknown" else mode
        self._foreign = merge_spans([*list_foreign_spans(text, mode), *list_transcript_spans(text, is_topic=is_topic)])
        is_played = mode == "in_character"
        self._own = merge_spans([*list_asides(text), *list_real_life(text)]) if is_played else None
        self.says_anything = self._own is None or bool(self._own)

    def contains(self, place: int) -> bool:
        """Whether the author says for themselves what stands at a place of the message as typed."""
        if self._own is not None and not _contains(self._own, place):
            return False
        return not _contains(self._foreign, place)


def merge_spans(spans: list[Span]) -> list[Span]:
    """The spans in order, overlapping ones as one."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _contains(spans: list[Span], place: int) -> bool:
    before = bisect.bisect_right(spans, (place, sys.maxsize)) - 1
    return before >= 0 and spans[before][0] <= place < spans[before][1]
