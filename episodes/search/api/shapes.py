"""What episode search answers by REST."""

from __future__ import annotations

from typing import Annotated

from typing_extensions import TypedDict

from episodes.errors import InvalidSince, InvalidUntil
from knowledge.errors import EmptyQuery, QueryTooLong
from memoryproject.rest.typed_dicts import Time, member


class SpanMessage(TypedDict):
    """A message just before an episode that means little alone."""

    message_id: Annotated[int, member(90)]
    seq: Annotated[int, member(1)]
    role: Annotated[str, member("assistant")]
    text: Annotated[str, member("Shall the ring be of nickel silver?", "Its first 200 characters.")]
    core: Annotated[bool, member(True, "What the episode answers: the assistant's last words before it.")]
    cosine: Annotated[float | None, member(0.21, "Likeness to the query; null without a vector.")]


class EpisodeParts(TypedDict):
    """How a card came to its place."""

    bm25: Annotated[float, member(3.1)]
    bm25_rank: Annotated[int | None, member(1)]
    bm25_part: Annotated[float, member(0.8)]
    vector: Annotated[float | None, member(0.34)]
    vector_rank: Annotated[int | None, member(1)]
    vector_part: Annotated[float, member(0.2)]
    neighbour_part: Annotated[float, member(0.11, "Of `features`, what the turns before and after lend.")]
    features: Annotated[
        dict[str, float],
        member(
            {
                "near": 0.08,
                "second": 0.03,
                "reply": 0.0,
                "window": 0.28,
                "speaker": 0.0,
                "date": 0.0,
                "when": 0.0,
                "question": 0.0,
                "substance": 0.02,
                "adjacency": 0.0,
            },
            "What each feature of the ranking adds, by name: score = bm25_part + vector_part + all of these.",
        ),
    ]
    placed_as_fresh: Annotated[bool, member(False, "Just said: no vector yet, placed by a constant.")]
    rerank_place: Annotated[int | None, member(None)]


class EpisodeCard(TypedDict):
    """One message that was found."""

    message_id: Annotated[int, member(91)]
    conversation_id: Annotated[int, member(7)]
    seq: Annotated[int, member(2)]
    sent_at: Annotated[Time, member("2026-02-10T12:00:00Z")]
    role: Annotated[str, member("user")]
    npc_id: Annotated[str, member("oda-marr")]
    memory_type: Annotated[str, member("")]
    mood: Annotated[str, member("")]
    language: Annotated[str, member("en")]
    raw_excerpt: Annotated[str, member("I am allergic to nickel.", "Word for word; of long messages head and tail.")]
    snippet: Annotated[str, member("", "Finds one's way; never evidence.")]
    span_context: list[SpanMessage]
    score: Annotated[float, member(1.41)]
    parts: EpisodeParts


class Episodes(TypedDict):
    """A search's answer."""

    query: Annotated[str, member("what did I say about nickel and other metals")]
    degraded: Annotated[list[str], member([], "What the search had to do without, as codes.")]
    embedder: Annotated[str, member("hashing-v1/1024", "What made the vectors, with their dimensions.")]
    episodes: list[EpisodeCard]


QUERY_CODES = (EmptyQuery, QueryTooLong)
TIME_CODES = (InvalidSince, InvalidUntil)
