"""Who wants to know of new messages: apps above this one listen, since this one may not call them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from episodes.models import Message
from memoryproject.database import after_commit

Listener = Callable[[Sequence[Message]], None]
_LISTENERS: list[Listener] = []
_READERS: list[Listener] = []


def listen_to_messages(listener: Listener) -> None:
    """The listener hears of all messages that are stored from now on, once their transaction holds.

    It hears of them at least while the process lives: what must not be missed has to be found in RAW as well. Its
    failure costs a log line.
    """
    if listener not in _LISTENERS:
        _LISTENERS.append(listener)


def notify_message_listeners(messages: Sequence[Message]) -> None:
    """Tell of messages that this transaction stores. Must be called inside one."""
    for listener in _LISTENERS:
        after_commit(listener, messages)


def read_before_embedding(reader: Listener) -> None:
    """The reader gets all messages that wait for their vectors, in the worker, outside transactions, before they have
    them.

    What it raises leaves them waiting, so that they come again; so may those of a worker that was killed behind it.
    """
    if reader not in _READERS:
        _READERS.append(reader)


def notify_readers(messages: Sequence[Message]) -> None:
    """Give messages to the readers before they are embedded. Must be called outside of transactions."""
    for reader in _READERS:
        reader(messages)
