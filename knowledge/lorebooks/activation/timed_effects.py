"""Sticky, cooldown and delay, counted in messages of the chat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from knowledge.lorebooks.activation.candidates import Candidate
from knowledge.lorebooks.activation.inputs import ActivationSettings
from knowledge.lorebooks.activation.timed_state import TimedEffect, TimedState


@dataclass
class TimedEffects:
    """The effects that hold in one activation, and the state that it leaves.

    Worked example: sticky 3 and cooldown 2 on an entry that fires at message 10. It stays in at 11 and 12, at 13
    sticky ends and a protected cooldown runs over 13 and 14, at 15 its keys count again.
    """

    message_count: int
    sticky_state: dict[str, TimedEffect]
    cooldown_state: dict[str, TimedEffect]
    is_faithful: bool
    is_dry_run: bool
    sticky: set[str] = field(default_factory=set)  # hashes
    cooldown: set[str] = field(default_factory=set)
    delay: set[str] = field(default_factory=set)

    def is_sticky(self, candidate: Candidate) -> bool:
        """Whether the entry is still in since an earlier message."""
        return candidate.is_timed and candidate.compiled.hash in self.sticky

    def is_on_cooldown(self, candidate: Candidate) -> bool:
        """Whether the entry pauses."""
        return candidate.is_timed and candidate.compiled.hash in self.cooldown

    def is_delayed(self, candidate: Candidate) -> bool:
        """Whether the chat is too short for the entry."""
        return candidate.is_timed and candidate.compiled.hash in self.delay

    def check(self, candidates: Sequence[Candidate]) -> None:
        """Ends what is over, starts the cooldown behind a sticky effect, and says what holds now."""
        timed = [candidate for candidate in candidates if candidate.is_timed]
        by_hash: dict[str, Candidate] = {}
        for candidate in timed:
            by_hash.setdefault(candidate.compiled.hash, candidate)
        if not self.is_dry_run:
            for ended in self._check_kind("sticky", self.sticky_state, self.sticky, by_hash):
                if ended.entry.cooldown:
                    self.cooldown_state[ended.key] = self._build_effect(ended, ended.entry.cooldown, is_protected=True)
                    self.cooldown.add(ended.compiled.hash)
            self._check_kind("cooldown", self.cooldown_state, self.cooldown, by_hash)
        self.delay.update(
            candidate.compiled.hash for candidate in timed if self.message_count < (candidate.entry.delay or 0)
        )

    def _check_kind(
        self, kind: str, state: dict[str, TimedEffect], active: set[str], by_hash: dict[str, Candidate]
    ) -> list[Candidate]:
        """The entries whose effect has just ended."""
        ended = []
        for key, effect in list(state.items()):
            candidate = by_hash.get(effect.hash)
            if self._has_not_advanced(effect):
                del state[key]
            elif candidate is None:
                if self.message_count >= effect.end:
                    del state[key]
            elif not getattr(candidate.entry, kind):
                del state[key]
            elif self.message_count >= effect.end:
                del state[key]
                ended.append(candidate)
            else:
                active.add(effect.hash)
        return ended

    def _has_not_advanced(self, effect: TimedEffect) -> bool:
        """A swipe or a deletion takes an effect back; ours also a protected one from a message that is gone."""
        if self.message_count <= effect.start and not effect.protected:
            return True
        return not self.is_faithful and self.message_count < effect.start

    def start(self, activated: Iterable[Candidate]) -> None:
        """Sets the effects of entries that fired.

        SillyTavern keeps an effect that runs under the same `world.uid`, also that of an entry edited since.
        """
        if self.is_dry_run:
            return
        for candidate in activated:
            for length, state in (
                (candidate.entry.sticky, self.sticky_state),
                (candidate.entry.cooldown, self.cooldown_state),
            ):
                known = state.get(candidate.key)
                is_stale = not self.is_faithful and known is not None and known.hash != candidate.compiled.hash
                if length and (known is None or is_stale):
                    state[candidate.key] = self._build_effect(candidate, length)

    def _build_effect(self, candidate: Candidate, length: int, *, is_protected: bool = False) -> TimedEffect:
        end = self.message_count + length
        return TimedEffect(candidate.compiled.hash, self.message_count, end, is_protected)

    def build_state(self) -> TimedState:
        """The state for the next activation."""
        return TimedState(dict(self.sticky_state), dict(self.cooldown_state))


def build_timed_effects(state: TimedState, message_count: int, settings: ActivationSettings) -> TimedEffects:
    """The effects of a chat of so many messages."""
    return TimedEffects(
        message_count, dict(state.sticky), dict(state.cooldown), settings.is_faithful, settings.is_dry_run
    )
