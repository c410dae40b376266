"""What changed between two texts, word by word: lines first, then words inside changed lines.

Words of alphabetic scripts (Arabic included, with its marks) stay whole; Han, kana and Thai go by character. The spans
joined give both texts back exactly.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

SpanKind = Literal["equal", "insert", "delete", "gap"]

_BY_CHARACTER = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u3000\u3003-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff"
    "\uff00-\uff65\U00020000-\U000323af"
)
_INSIDE_WORDS = "\u0300-\u036f\u0610-\u061a\u064b-\u065f\u0670\u0640\u0900-\u0dff\u200c\u200d'’-"
_LETTERS = rf"[^\W_{_BY_CHARACTER}]"
_TOKENS = re.compile(rf"\s+|[{_BY_CHARACTER}]|{_LETTERS}+(?:[{_INSIDE_WORDS}]+{_LETTERS}*)*|.", re.DOTALL)
_SENTENCES = re.compile(r"[^.!?;。！？；؟]*[.!?;。！？；؟]*\s*", re.DOTALL)
_MAX_EXACT_COMPARISONS = 250_000
_MAX_COMPARISONS = 25_000_000
_SMALLEST_ISLAND = 2


@dataclass(frozen=True, slots=True)
class DiffSpan:
    """A run of text that stayed, came or went; a `gap` stands for `text` that stayed and is not shown."""

    kind: SpanKind
    text: str


def diff_words(old: str, new: str, *, context_characters: int | None = None) -> list[DiffSpan]:
    """The spans that lead from the old text to the new, deletions before insertions.

    With `context_characters`, longer stretches without a change keep so many characters beside each change and become a
    `gap` in between. Texts too large to compare word by word are compared by lines.
    """
    spans = list(_join_spans(_diff_pieces(old.splitlines(keepends=True), new.splitlines(keepends=True))))
    return spans if context_characters is None else list(_collapse(spans, max(context_characters, 0)))


def has_changes(spans: Iterable[DiffSpan]) -> bool:
    """Whether any span came or went."""
    return any(span.kind in ("insert", "delete") for span in spans)


def old_side(spans: Iterable[DiffSpan]) -> list[DiffSpan]:
    """The spans of the old text, for the left column of a side-by-side view."""
    return [span for span in spans if span.kind != "insert"]


def new_side(spans: Iterable[DiffSpan]) -> list[DiffSpan]:
    """The spans of the new text, for the right column of a side-by-side view."""
    return [span for span in spans if span.kind != "delete"]


def _diff_pieces(old: Sequence[str], new: Sequence[str]) -> Iterator[DiffSpan]:
    """Lines or sentences: those that changed are looked into, the longest of them by sentences first."""
    for tag, old_start, old_end, new_start, new_end in _changes(old, new):
        if tag == "equal":
            yield DiffSpan("equal", "".join(old[old_start:old_end]))
            continue
        before, after = "".join(old[old_start:old_end]), "".join(new[new_start:new_end])
        sentences = _SENTENCES.findall(before)[:-1], _SENTENCES.findall(after)[:-1]
        is_whole = old_end - old_start == len(old) and new_end - new_start == len(new)
        can_be_cut = not is_whole or (len(sentences[0]), len(sentences[1])) != (len(old), len(new))
        if len(before) * len(after) > _MAX_COMPARISONS and can_be_cut and min(map(len, sentences)) > 1:
            yield from _diff_pieces(*sentences)
        else:
            yield from _diff_tokens(before, after)


def _diff_tokens(old: str, new: str) -> Iterator[DiffSpan]:
    before, after = _TOKENS.findall(old), _TOKENS.findall(new)
    for tag, old_start, old_end, new_start, new_end in _without_islands(_changes(before, after), before):
        if tag == "equal":
            yield DiffSpan("equal", "".join(before[old_start:old_end]))
            continue
        yield DiffSpan("delete", "".join(before[old_start:old_end]))
        yield DiffSpan("insert", "".join(after[new_start:new_end]))


_Change = tuple[str, int, int, int, int]


def _changes(old: Sequence[str], new: Sequence[str]) -> list[_Change]:
    """The changes between two sequences; what they share at both ends is cut off before anything is compared.

    The matcher takes time by how often each item occurs on both sides: beyond the bound, popular items are left out of
    the comparison (difflib's own rule), and beyond a hundred times the bound the middle counts as replaced.
    """
    start = 0
    shortest = min(len(old), len(new))
    while start < shortest and old[start] == new[start]:
        start += 1
    tail = 0
    while tail < shortest - start and old[len(old) - 1 - tail] == new[len(new) - 1 - tail]:
        tail += 1
    old_end, new_end = len(old) - tail, len(new) - tail
    changes: list[_Change] = [("equal", 0, start, 0, start)] if start else []
    changes += _compare(old[start:old_end], new[start:new_end], start)
    if tail:
        changes.append(("equal", old_end, len(old), new_end, len(new)))
    return changes


def _compare(old: Sequence[str], new: Sequence[str], offset: int) -> list[_Change]:
    if not old and not new:
        return []
    work = len(old) * len(new)
    if work > _MAX_COMPARISONS:
        return [("replace", offset, offset + len(old), offset, offset + len(new))]
    matcher = SequenceMatcher(None, old, new, autojunk=work > _MAX_EXACT_COMPARISONS)
    return [
        (tag, old_start + offset, old_end + offset, new_start + offset, new_end + offset)
        for tag, old_start, old_end, new_start, new_end in matcher.get_opcodes()
    ]


def _without_islands(changes: list[_Change], old: Sequence[str]) -> Iterator[_Change]:
    """The changes with spaces and lone marks between two of them taken into one, which reads better."""
    pending: _Change | None = None
    for place, change in enumerate(changes):
        tag, old_start, old_end, _, new_end = change
        is_inner = 0 < place < len(changes) - 1
        is_island = (
            is_inner and old_end - old_start <= _SMALLEST_ISLAND and not any(map(str.isalnum, old[old_start:old_end]))
        )
        if tag == "equal" and not is_island:
            if pending:
                yield pending
            pending = None
            yield change
        elif pending:
            pending = ("replace", pending[1], old_end, pending[3], new_end)
        else:
            pending = change
    if pending:
        yield pending


def _join_spans(spans: Iterable[DiffSpan]) -> Iterator[DiffSpan]:
    """The spans without empty ones, neighbours of one kind joined."""
    pieces: list[str] = []
    kind: SpanKind | None = None
    for span in spans:
        if not span.text:
            continue
        if span.kind != kind:
            if kind:
                yield DiffSpan(kind, "".join(pieces))
            kind, pieces = span.kind, []
        pieces.append(span.text)
    if kind:
        yield DiffSpan(kind, "".join(pieces))


def _collapse(spans: Sequence[DiffSpan], context: int) -> Iterator[DiffSpan]:
    for place, span in enumerate(spans):
        before = context if place > 0 else 0
        after = context if place < len(spans) - 1 else 0
        if span.kind != "equal" or len(span.text) <= before + after:
            yield span
            continue
        head = _to_word_end(span.text, before)
        tail = _to_word_start(span.text, len(span.text) - after)
        if tail <= head:
            yield span
            continue
        yield from (
            part
            for part in (
                DiffSpan("equal", span.text[:head]),
                DiffSpan("gap", span.text[head:tail]),
                DiffSpan("equal", span.text[tail:]),
            )
            if part.text
        )


_FARTHEST_WORD_EDGE = 30


def _to_word_end(text: str, place: int) -> int:
    """The next word edge from a place on, so that no word is cut; the place itself when none is near."""
    for edge in range(place, min(place + _FARTHEST_WORD_EDGE, len(text))):
        if not text[edge].isalnum():
            return edge if place else 0
    return place


def _to_word_start(text: str, place: int) -> int:
    for edge in range(place, max(place - _FARTHEST_WORD_EDGE, 0), -1):
        if edge == len(text) or not text[edge - 1].isalnum():
            return edge
    return place
