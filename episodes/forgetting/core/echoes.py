"""Who can tell that an assistant's message says a player's words again: an app above that knows concepts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from knowledge.facts.selectors import FactView


@dataclass(frozen=True, slots=True)
class AssistantMessage:
    """What an assistant said after a player's words."""

    content: str
    answered: tuple[FactView, ...]
    """The facts whose words it answers."""
    since: tuple[FactView, ...]
    """The facts whose words came before it, at any time."""


EchoFinder = Callable[[AssistantMessage], bool]
"""Whether the message says one of the facts again. Pure CPU: it is called in the transaction that forgets."""

_finders: list[EchoFinder] = []


def register_echo_finder(finder: EchoFinder) -> None:
    """From now on forgetting asks it. Called in `ready()`."""
    _finders[:] = [finder]


def get_echo_finder() -> EchoFinder | None:
    """The one that was registered last."""
    return _finders[0] if _finders else None
