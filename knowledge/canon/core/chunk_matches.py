"""Which chunks of an article stay from its last version, which continue an old one, and which are gone."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from knowledge.canon.core.chunks import ArticleChunk
from knowledge.canon.core.ordinals import assign_ordinals
from knowledge.text import versions

FIELDS = "fields"
"""Its name among the facts: structured fields are in no chunk's hash, and yet change what its article says."""


@dataclass(frozen=True, slots=True)
class OldChunk:
    """A chunk as it is live now, with its passage."""

    chunk_id: int
    passage_id: int
    ordinal: int
    content_hash: bytes
    state: versions.ChunkState


@dataclass(frozen=True, slots=True)
class MatchedChunk:
    """A chunk of the new version: `kept` is the old one that it is, word for word and in its place."""

    chunk: ArticleChunk
    ordinal: int
    version: str
    kept: OldChunk | None


def match_chunks(
    old: Sequence[OldChunk], new: Sequence[ArticleChunk], *, facts: Mapping[str, Any]
) -> list[MatchedChunk]:
    """The new chunks in reading order, each with its place and version. Old ones that nothing keeps are closed.

    `facts` is what else gives the new chunks their meaning, as in `ChunkState`.
    """
    same = [chunk for chunk in old if chunk.state.facts.get(FIELDS) == facts.get(FIELDS)]
    twins = _match_by_hash(same, new)
    ordinals = assign_ordinals([chunk.ordinal if chunk else None for chunk in twins])
    continued = _continue_versions(old, new, twins, facts)
    return [
        MatchedChunk(chunk, ordinal, continued[place] if twin is None else twin.state.version, twin if stays else None)
        for place, (chunk, twin, (ordinal, stays)) in enumerate(zip(new, twins, ordinals, strict=True))
    ]


def _match_by_hash(old: Sequence[OldChunk], new: Sequence[ArticleChunk]) -> list[OldChunk | None]:
    waiting: defaultdict[bytes, deque[OldChunk]] = defaultdict(deque)
    for chunk in old:
        waiting[chunk.content_hash].append(chunk)
    return [waiting[chunk.content_hash].popleft() if waiting[chunk.content_hash] else None for chunk in new]


def _continue_versions(
    old: Sequence[OldChunk], new: Sequence[ArticleChunk], twins: Sequence[OldChunk | None], facts: Mapping[str, Any]
) -> dict[int, str]:
    """By place, the version of each chunk that is not word for word an old one."""
    taken = {chunk.passage_id for chunk in twins if chunk is not None}
    left = [chunk.state for chunk in old if chunk.passage_id not in taken]
    places = [place for place, twin in enumerate(twins) if twin is None]
    states = [
        versions.ChunkState(new[place].text, new[place].heading_path, new[place].anchor, facts) for place in places
    ]
    continued = {}
    for match in versions.match_chunks(left, states):
        previous = None if match.old_index is None else left[match.old_index]
        version = versions.next_version(previous, states[match.new_index])
        if previous is not None and version == previous.version:
            parsed = versions.parse_version(version)
            version = str(parsed._replace(patch=parsed.patch + 1))
        continued[places[match.new_index]] = version
    return continued
