"""The commands that a model may write in its text, and what may become of them. Source: seed 003."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

EXECUTE, PROPOSE, REFUSE = "execute", "propose", "refuse"
POLICIES: Final = (EXECUTE, PROPOSE, REFUSE)


@dataclass(frozen=True, slots=True)
class CommandSpec:
    """A command's attributes, all of which are needed, and whether it writes."""

    name: str
    attributes: tuple[str, ...]
    is_write: bool


COMMANDS: Final[Mapping[str, CommandSpec]] = {
    spec.name: spec
    for spec in (
        CommandSpec("SAVE_FACT", ("key", "value"), is_write=True),
        CommandSpec("GET_FACT", ("key",), is_write=False),
        CommandSpec("SEARCH_MEMORY", ("query",), is_write=False),
        CommandSpec("SAVE_DOC", ("folder", "name", "content"), is_write=True),
        CommandSpec("READ_DOC", ("folder", "name"), is_write=False),
    )
}


def choose_policy(command: str, policy: Mapping[str, str], *, is_shared: bool, may_write: bool) -> str:
    """What becomes of a command: the notebook's own word, else reads execute, and writes execute in an own notebook and
    are proposed in a shared one. A member that may only propose never executes a write."""
    spec = COMMANDS[command]
    chosen = policy.get(command)
    if chosen is None:
        chosen = PROPOSE if spec.is_write and is_shared else EXECUTE
    if chosen == EXECUTE and spec.is_write and not may_write:
        return PROPOSE
    if chosen == PROPOSE and not spec.is_write:
        return EXECUTE
    return chosen
