"""Which chunks of an article stay from its last version, which continue an old one, and which are gone."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass

from knowledge.canon.core.chunks import ArticleChunk
from knowledge.canon.core.ordinals import assign_ordinals
from knowledge.canon.core.versions import FIRST_VERSION, next_version


@dataclass(frozen=True, slots=True)
class OldChunk:
    """A chunk as it is live now, with its passage."""

    chunk_id: int
    passage_id: int
    ordinal: int
    anchor: str
    text: str
    version: str
    content_hash: bytes


@dataclass(frozen=True, slots=True)
class MatchedChunk:
    """A chunk of the new version: `kept` is the old one that it is, word for word and in its place."""

    chunk: ArticleChunk
    ordinal: int
    version: str
    kept: OldChunk | None


def match_chunks(old: Sequence[OldChunk], new: Sequence[ArticleChunk]) -> list[MatchedChunk]:
    """The new chunks in reading order, each with its place and version. Old ones that nothing keeps are closed."""
    same = _match_by_hash(old, new)
    ordinals = assign_ordinals([chunk.ordinal if chunk else None for chunk in same])
    taken = {chunk.passage_id for chunk in same if chunk is not None}
    left = [chunk for chunk in old if chunk.passage_id not in taken]
    forebears = _match_by_place(
        [chunk if match is None else None for chunk, match in zip(new, same, strict=True)], left
    )
    matched = []
    for chunk, twin, forebear, (ordinal, stays) in zip(new, same, forebears, ordinals, strict=True):
        if twin is not None:
            version = twin.version
        elif forebear is not None:
            version = next_version(forebear.version, forebear.text, chunk.text)
        else:
            version = FIRST_VERSION
        matched.append(MatchedChunk(chunk, ordinal, version, twin if stays else None))
    return matched


def _match_by_hash(old: Sequence[OldChunk], new: Sequence[ArticleChunk]) -> list[OldChunk | None]:
    waiting: defaultdict[bytes, deque[OldChunk]] = defaultdict(deque)
    for chunk in old:
        waiting[chunk.content_hash].append(chunk)
    return [waiting[chunk.content_hash].popleft() if waiting[chunk.content_hash] else None for chunk in new]


def _match_by_place(new: Sequence[ArticleChunk | None], old: Sequence[OldChunk]) -> list[OldChunk | None]:
    """For each changed chunk the old one under the same heading, in order; None where nothing stood there."""
    waiting: defaultdict[str, deque[OldChunk]] = defaultdict(deque)
    for chunk in old:
        waiting[chunk.anchor].append(chunk)
    return [waiting[chunk.anchor].popleft() if chunk is not None and waiting[chunk.anchor] else None for chunk in new]
