"""Semantic versions of chunks, and which old chunk lives on in which new one.

PATCH: the form changed (case, punctuation, spacing) and the lexemes stayed. MINOR: the wording changed. MAJOR: the
meaning may have: what the chunk is filed under or who may see it changed, or most of its words went.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop
from typing import Any, NamedTuple

from knowledge.text.analysis import analyse, lexeme_counts

FIRST_VERSION = "1.0.0"
_STAYING_SHARE = 0.5
_MIN_SIMILARITY = 0.3
_SEVERAL_DIGITS = 9


class Version(NamedTuple):
    """A semantic version; compares as one."""

    major: int
    minor: int
    patch: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"


@dataclass(frozen=True, slots=True)
class ChunkState:
    """What decides about a chunk's version. `facts` holds whatever else gives it meaning: fields, audience, type.

    `version` is the version of a stored chunk and is ignored in a new one.
    """

    text: str
    heading_path: tuple[str, ...] = ()
    anchor: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    version: str = FIRST_VERSION


@dataclass(frozen=True, slots=True)
class ChunkMatch:
    """A new chunk by its place and the old one that it continues; None: it is new."""

    new_index: int
    old_index: int | None


def parse_version(version: str) -> Version:
    """The numbers of `MAJOR.MINOR.PATCH`. Raises ValueError for anything else."""
    parts = version.split(".")
    is_plain = all(
        part.isascii() and part.isdigit() and len(part) <= _SEVERAL_DIGITS and (part == "0" or part[0] != "0")
        for part in parts
    )
    if len(parts) != 3 or not is_plain:
        raise ValueError(f"not a version: {version!r}")
    return Version(*(int(part) for part in parts))


def next_version(previous: ChunkState | None, new: ChunkState) -> str:
    """The version of a chunk that follows `previous`; the same version when nothing changed."""
    if previous is None:
        return FIRST_VERSION
    version = parse_version(previous.version)
    if previous.heading_path != new.heading_path or dict(previous.facts) != dict(new.facts):
        return str(Version(version.major + 1, 0, 0))
    if previous.text == new.text:
        return str(version)
    before, after = analyse(previous.text), analyse(new.text)
    if before == after:
        return str(version._replace(patch=version.patch + 1))
    if _staying_share(Counter(before), Counter(after)) < _STAYING_SHARE:
        return str(Version(version.major + 1, 0, 0))
    return str(Version(version.major, version.minor + 1, 0))


def match_chunks(old: Sequence[ChunkState], new: Sequence[ChunkState]) -> list[ChunkMatch]:
    """For each new chunk, in order, the old chunk of the same document whose identity and versions it continues.

    Equal texts go together first, then chunks under the same headings with the same anchor, then whatever shares most
    lexemes, at least a third or so. Each old chunk is continued once.
    """
    matched: dict[int, int] = {}
    free_old = dict.fromkeys(range(len(old)))
    for key in (_text_key, _place_key):
        waiting: dict[tuple[object, ...], list[int]] = {}
        for place in free_old:
            waiting.setdefault(key(old[place]), []).append(place)
        for place, state in enumerate(new):
            found = waiting.get(key(state)) if place not in matched else None
            if found:
                matched[place] = found.pop(0)
                del free_old[matched[place]]
    _match_by_likeness(old, new, free_old, matched)
    return [ChunkMatch(place, matched.get(place)) for place in range(len(new))]


def _match_by_likeness(
    old: Sequence[ChunkState], new: Sequence[ChunkState], free_old: dict[int, None], matched: dict[int, int]
) -> None:
    """Pairs what is left, the most alike first; ties go to the earliest."""
    old_counts = {place: lexeme_counts(old[place].text) for place in free_old}
    new_counts = {place: lexeme_counts(state.text) for place, state in enumerate(new) if place not in matched}
    pairs = [
        (-likeness, new_place, old_place)
        for new_place, after in new_counts.items()
        for old_place, before in old_counts.items()
        if (likeness := _likeness(before, after)) >= _MIN_SIMILARITY
    ]
    heapify(pairs)
    while pairs:
        _, new_place, old_place = heappop(pairs)
        if new_place not in matched and old_place in free_old:
            matched[new_place] = old_place
            del free_old[old_place]


def _text_key(state: ChunkState) -> tuple[object, ...]:
    return (state.text,)


def _place_key(state: ChunkState) -> tuple[object, ...]:
    return (state.heading_path, state.anchor)


def _staying_share(before: Counter[str], after: Counter[str]) -> float:
    """How much of the old wording is still there, 0 to 1; an empty chunk had none to lose and none to keep."""
    total = before.total()
    return (before & after).total() / total if total else 0.0


def _likeness(before: Counter[str], after: Counter[str]) -> float:
    """Shared lexemes by all lexemes of both, 0 to 1 (Dice)."""
    total = before.total() + after.total()
    return 2 * (before & after).total() / total if total else 0.0
