"""Episodes as a model is shown them: word for word, with what was said before where a message means nothing alone.

Source: seed 002, fixes 4A and 5B.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass

from episodes.conversations.core.excerpts import TELLING_TYPES
from knowledge.search.core.fusion import FusedHit
from knowledge.text.folding import normalise

SHORT_EPISODE = 50
SHORT_QUERY = 30
SPAN_MESSAGES = 2
SPAN_LENGTH = 200
SHORT_FOR_SNIPPET = 200
_LOOKED_AT = 60
_SPACED = (
    # Russian
    "да нет ага угу ладно ок окей этот эта это эти тот та те то первый первая первое первые второй вторая "
    "второе вторые третий третья третье третьи беру возьму "
    # English
    "yes yeah yep no nope ok okay sure this that these those it first second third "
    # Arabic
    "نعم لا ايوه ايوا اي اوك اوكي تمام طيب هذا هذه هذي هذاك ذلك تلك ذاك الاول الاولى "
    "الثاني الثانية الثالث الثالثة باخذ اخذ "
    # Arabizi
    "na3am aywa eiwa la la2 tamam 6ayeb tayeb hatha hadha hada hathi hadi haydi thak elawal alawal awal thani thalith "
    "talet ba5th ba5eth bakhoth"
)
_CHINESE = (
    "这个|那个|这件|那件|这些|那些|第[一二三123]|就要|就这|我要这|好的|好吧|是的|对的|不是|不要|[是对好嗯行不](?!\\w)"
)
_POINTING = re.compile(
    r"[\W_]*(?:(?:(?:the|el|al)[\s-]+)?(?:"
    + "|".join(sorted({re.escape(normalise(word)) for word in _SPACED.split()}, key=len, reverse=True))
    + rf")(?!\w)|(?:{_CHINESE}))"
)


@dataclass(frozen=True, slots=True)
class SpanMessage:
    """A message just before an episode that means little alone."""

    message_id: int
    seq: int
    role: str
    text: str
    """Its first 200 characters."""
    is_core: bool
    """Whether the episode answers it: what the assistant said before. It is never left out for being off the query."""
    cosine: float | None
    """Likeness to the query; None without a vector of the embedder in use."""


@dataclass(frozen=True, slots=True)
class EpisodeCard:
    """One message that was found, with how it came to its place."""

    message_id: int
    conversation_id: int
    seq: int
    sent_at: dt.datetime
    role: str
    npc_id: str
    memory_type: str
    mood: str
    language: str
    raw_excerpt: str
    snippet: str
    """What an assistant's message shows, as the runtime described it, else what a model made of a long message; else
    empty, never a cut of the message. No evidence."""
    span_context: tuple[SpanMessage, ...]
    score: float
    parts: FusedHit
    fused_place: int
    """Place by the score, from 1: before rerank."""
    rerank_place: int | None = None
    """Place after rerank, from 1; None where no rerank took place."""
    takes_snippet: bool = False
    """Whether the message is one that a model may make a snippet of."""
    snippet_version: int | None = None
    """Of the prompt that made the snippet, failed at it or is at work on it; None for neither."""


def takes_snippet(*, role: str, memory_type: str, length: int, response_description: str) -> bool:
    """Whether a model makes a snippet of such a message: long, no fact or event, not described by the runtime.

    Source: seed 002, fix 4B.
    """
    if role == "system" or memory_type in TELLING_TYPES or length <= SHORT_FOR_SNIPPET:
        return False
    return not (role == "assistant" and response_description)


def needs_span(raw_excerpt: str) -> bool:
    """Whether an episode is short or begins by pointing at what was said before it."""
    if len(raw_excerpt) < SHORT_EPISODE:
        return True
    return _POINTING.match(normalise(raw_excerpt[:_LOOKED_AT])) is not None


def allows_span(query: str) -> bool:
    """Whether a query is long enough to say what a neighbour has to do with it."""
    return len(query.strip()) >= SHORT_QUERY
