"""Which remembered messages are told, with which neighbours. Source: seed 002, fixes 5, 6, 7 and 12."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

EMOTION = "emotion"
MISMATCH_FACTOR = 0.8


@dataclass(frozen=True, slots=True)
class SpanRules:
    """Which neighbours of an episode are told with it."""

    similarity: Mapping[str, float]
    similarity_otherwise: float

    def get_threshold(self, language: str) -> float:
        """How near to the query a neighbour must be; Arabic vectors are less exact."""
        return self.similarity.get(language, self.similarity_otherwise)


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A message near an episode. `similarity` to the query is None while the message has no vector."""

    message_id: int
    role: str
    text: str
    similarity: float | None
    is_core: bool = False
    """What the episode answers, as against what happens to stand beside it."""


@dataclass(frozen=True, slots=True)
class SnippetSlot:
    """A message that takes a snippet. `prompt_version` made it, failed at it or is at work; None: nobody tried."""

    message_id: int
    is_ready: bool
    prompt_version: int | None


@dataclass(frozen=True, slots=True)
class Episode:
    """A remembered message. `excerpt` are its own words; `snippet` is derived and never trusted."""

    message_id: int
    conversation_id: int
    role: str
    excerpt: str
    score: float
    snippet: str = ""
    memory_type: str = ""
    mood: str = ""
    is_recent: bool = False
    neighbours: tuple[Neighbour, ...] = ()
    scores: Mapping[str, float | None] | None = None
    slot: SnippetSlot | None = None
    """None where the message takes no snippet."""


def rerank_by_mood(episodes: Sequence[Episode], mood: str) -> list[Episode]:
    """The best first, none removed: an emotion of another mood than the present one counts for a fifth less.

    `episodes` come the best first, whatever their scores say: a place in that order is worth the score of that place.
    """
    worth = sorted((episode.score for episode in episodes), reverse=True)
    weighed = [
        (score * MISMATCH_FACTOR, replace(episode, score=episode.score * MISMATCH_FACTOR))
        if _is_mismatch(episode, mood)
        else (score, episode)
        for score, episode in zip(worth, episodes, strict=True)
    ]
    return [episode for _, episode in sorted(weighed, key=lambda pair: -pair[0])]


def guard_span(episode: Episode, *, language: str, rules: SpanRules) -> tuple[Episode, int]:
    """The episode with the neighbours that may be told, and how many were kept back.

    What the episode answers is always told. Others must be near enough to the query; without a vector they are not.
    """
    threshold = rules.get_threshold(language)
    kept = tuple(
        neighbour
        for neighbour in episode.neighbours
        if neighbour.is_core or (neighbour.similarity is not None and neighbour.similarity >= threshold)
    )
    return replace(episode, neighbours=kept), len(episode.neighbours) - len(kept)


def guard_pending(
    entries: Sequence[tuple[int, str]], similarities: Mapping[int, float], *, threshold: float
) -> tuple[tuple[int, str], ...]:
    """Of messages (id, text) those that are near enough to the query; one without a vector is not."""
    return tuple(entry for entry in entries if similarities.get(entry[0], -1.0) >= threshold)


def _is_mismatch(episode: Episode, mood: str) -> bool:
    return bool(mood and episode.mood) and episode.memory_type == EMOTION and episode.mood.casefold() != mood.casefold()
