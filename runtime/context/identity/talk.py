"""A talk as a pack tells it: without the message that is answered, long ones by an excerpt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from episodes.conversations.core.excerpts import make_excerpt
from knowledge.text.tokens import fits_tokens
from runtime.context.request import ContextRequest


class Entry(NamedTuple):
    """A message of a talk."""

    message_id: int
    role: str
    text: str


def read_talk(
    entries: Sequence[Entry], request: ContextRequest, *, limit: int | None
) -> tuple[tuple[Entry, ...], int | None]:
    """The messages without the one that is answered, those of more than `limit` tokens by head and tail; and its id."""
    answered_id = _find_answered(entries, request)
    told = tuple(
        each if limit is None or fits_tokens(each.text, limit) else each._replace(text=make_excerpt(each.text))
        for each in entries
        if each.message_id != answered_id
    )
    return told, answered_id


def _find_answered(entries: Sequence[Entry], request: ContextRequest) -> int | None:
    """The message of the turn in a talk: by its id, else the last one if the player said just that."""
    if request.message_id is not None or not entries:
        return request.message_id
    last = entries[-1]
    return last.message_id if last.role == "user" and last.text == _as_read(request.message) else None


def _as_read(text: str) -> str:
    """A message as `player.sql` reads it."""
    return text if len(text) <= 1500 else text[:1101] + text[-400:]
