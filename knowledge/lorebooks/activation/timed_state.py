"""The timed effects of one chat, or of one branch of it, between two activations: stored as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class TimedEffect:
    """An effect from `start` messages to `end`. A protected one holds also while the chat is not longer."""

    hash: str
    start: int
    end: int
    protected: bool = False


@dataclass(frozen=True, slots=True)
class TimedState:
    """Effects by `world.uid`. The hash of the entry in each makes an edit of the entry end its effects."""

    sticky: Mapping[str, TimedEffect] = field(default_factory=dict)
    cooldown: Mapping[str, TimedEffect] = field(default_factory=dict)

    def as_json(self) -> dict[str, dict[str, dict[str, Any]]]:
        """The shape of SillyTavern's `timedWorldInfo`."""
        return {
            "sticky": {key: asdict(effect) for key, effect in self.sticky.items()},
            "cooldown": {key: asdict(effect) for key, effect in self.cooldown.items()},
        }

    @classmethod
    def from_json(cls, content: object) -> TimedState:
        """The state of its JSON; what is no effect is left out, as SillyTavern does."""
        if not isinstance(content, Mapping):
            return cls()
        return cls(_read_effects(content.get("sticky")), _read_effects(content.get("cooldown")))

    def rewind(self, message_count: int) -> TimedState:
        """The state without what began after `message_count` messages: after an edit, a swipe or on a branch."""
        return TimedState(
            {key: effect for key, effect in self.sticky.items() if effect.start <= message_count},
            {key: effect for key, effect in self.cooldown.items() if effect.start <= message_count},
        )


def _read_effects(content: object) -> dict[str, TimedEffect]:
    if not isinstance(content, Mapping):
        return {}
    effects = ((str(key), _read_effect(value)) for key, value in content.items())
    return {key: effect for key, effect in effects if effect is not None}


def _read_effect(content: object) -> TimedEffect | None:
    if not isinstance(content, Mapping):
        return None
    start, end = content.get("start"), content.get("end")
    if not isinstance(start, int) or not isinstance(end, int):
        return None
    return TimedEffect(str(content.get("hash", "")), start, end, bool(content.get("protected")))
