"""Which messages make one event: 10 to 20 in a row, and no exchange cut in two. Source: seed 001, section 3.1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

EVERY = 15
MIN_EVERY, MAX_EVERY = 10, 20
LEFT_OVER = 4
"""So many messages are worth an event when a session is over."""
MAX_SEQ = 2_147_483_647
"""The last place of a conversation."""
PATIENCE = 2
"""A talk without an end of an exchange is cut after so many times the usual number."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """One message, as far as chunks need to know it."""

    id: int
    seq: int
    is_player: bool


@dataclass(frozen=True, slots=True)
class Chunk:
    """Messages in a row; `last_seq` may lie behind the last of them, where what follows was forgotten."""

    messages: tuple[Spoken, ...]

    @property
    def first_seq(self) -> int:
        return self.messages[0].seq

    @property
    def last_seq(self) -> int:
        return self.messages[-1].seq


def split_chunks(messages: Sequence[Spoken], *, every: int = EVERY, is_over: bool = False) -> list[Chunk]:
    """The chunks that are full, in order; with `is_over` the rest as well, if it is worth one.

    A chunk is full with the first whole exchange that reaches `every` messages: an exchange ends where an answer is
    followed by the player, or by nothing. Example, with every=4 and UAUAUUA: UAUA, and of UUA nothing yet.
    """
    chunks: list[Chunk] = []
    start = 0
    for place in range(len(messages)):
        size = place - start + 1
        if size >= every and (_ends_exchange(messages, place) or size >= PATIENCE * every):
            chunks.append(Chunk(tuple(messages[start : place + 1])))
            start = place + 1
    rest = tuple(messages[start:])
    if is_over and len(rest) >= LEFT_OVER:
        chunks.append(Chunk(rest))
    return chunks


def _ends_exchange(messages: Sequence[Spoken], place: int) -> bool:
    if messages[place].is_player:
        return False
    return place + 1 == len(messages) or messages[place + 1].is_player
