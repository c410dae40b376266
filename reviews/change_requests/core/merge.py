"""Merging an edit with what has gone live since it was begun, paragraph by paragraph."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Any

_PARAGRAPH_BREAK = re.compile(r"\n[ \t]*\n+")
BODY = "body"


@dataclass(frozen=True, slots=True)
class Merge:
    """A merged article, or (content None) the fields in which both sides changed the same thing."""

    content: dict[str, Any] | None
    conflicts: tuple[str, ...]

    @property
    def clean(self) -> bool:
        """Whether nothing was changed by both sides in different ways."""
        return self.content is not None


def merge_articles(base: Mapping[str, Any], mine: Mapping[str, Any], live: Mapping[str, Any]) -> Merge:
    """`mine` with what `live` changed since `base`. Bodies merge by paragraph, every other field as a whole."""
    merged: dict[str, Any] = {}
    conflicts = []
    for name in dict.fromkeys([*mine, *live, *base]):
        values = base.get(name), mine.get(name), live.get(name)
        if name == BODY:
            body = merge_texts(*(str(value or "") for value in values))
            if body is None:
                conflicts.append(name)
            merged[name] = body
            continue
        before, ours, theirs = values
        if ours != theirs and ours != before and theirs != before:
            conflicts.append(name)
        merged[name] = theirs if ours == before else ours
    if conflicts:
        return Merge(content=None, conflicts=tuple(conflicts))
    return Merge(content={name: value for name, value in merged.items() if value is not None}, conflicts=())


def merge_texts(base: str, mine: str, live: str) -> str | None:
    """The text with both sides' paragraphs, None if both changed the same ones differently."""
    if mine == live or live == base:
        return mine
    if mine == base:
        return live
    paragraphs = _split(base)
    ours = _list_changes(paragraphs, _split(mine))
    theirs = _list_changes(paragraphs, _split(live))
    changes = [*ours, *(change for change in theirs if change not in ours)]
    changes.sort(key=lambda change: (change.start, change.end))
    for earlier, later in pairwise(changes):
        if later.start < earlier.end or (later.start == earlier.start):
            return None
    merged: list[str] = []
    place = 0
    for change in changes:
        merged += paragraphs[place : change.start]
        merged += change.paragraphs
        place = change.end
    return "\n\n".join([*merged, *paragraphs[place:]])


@dataclass(frozen=True, slots=True)
class _Change:
    """Paragraphs [start, end) of the base become these."""

    start: int
    end: int
    paragraphs: tuple[str, ...]


def _split(text: str) -> list[str]:
    return [paragraph for paragraph in _PARAGRAPH_BREAK.split(text) if paragraph.strip()]


def _list_changes(base: Sequence[str], changed: Sequence[str]) -> list[_Change]:
    matcher = SequenceMatcher(a=base, b=changed, autojunk=False)
    return [
        _Change(a_start, a_end, tuple(changed[b_start:b_end]))
        for tag, a_start, a_end, b_start, b_end in matcher.get_opcodes()
        if tag != "equal"
    ]
