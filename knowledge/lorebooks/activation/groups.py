"""Inclusion groups: of the entries of one group that fire together, one stays. They come before probability."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from knowledge.lorebooks.activation.as_written import sort_by_order
from knowledge.lorebooks.activation.candidates import Candidate
from knowledge.lorebooks.activation.dice import Dice
from knowledge.lorebooks.activation.inputs import ActivationSettings
from knowledge.lorebooks.activation.timed_effects import TimedEffects

Score = Callable[[Candidate], int]
_MAX_ARRAY_INDEX = 2**32 - 2


@dataclass
class GroupFilter:
    """One filtering of the entries that fired in one loop; `entries` is what stays."""

    entries: list[Candidate]
    settings: ActivationSettings
    timed: TimedEffects
    dice: Dice
    score: Score
    loop: int

    def apply(self, activated: Iterable[Candidate]) -> None:
        """Filters `entries`, knowing what earlier loops activated."""
        grouped = self._collect()
        if not grouped:
            return
        has_sticky = {name: self._filter_timed(group) for name, group in grouped.items()}
        for name, group in grouped.items():
            if not has_sticky[name]:
                self._filter_by_score(group)
        taken = list(activated)
        for name, group in grouped.items():
            if has_sticky[name]:
                continue
            if self._is_taken(name, taken):
                self._remove_all_but(group, None, "group_taken", name)
            elif len(group) > 1:
                self._choose(name, group)

    def _collect(self) -> dict[str, list[Candidate]]:
        """Groups in the order of JavaScript's objects: whole numbers first, then as they came."""
        grouped: dict[str, list[Candidate]] = {}
        for candidate in self.entries:
            for name in candidate.compiled.groups:
                grouped.setdefault(name, []).append(candidate)
        numbers = sorted((name for name in grouped if _is_array_index(name)), key=int)
        return {name: grouped[name] for name in dict.fromkeys((*numbers, *grouped))}

    def _is_taken(self, name: str, activated: Sequence[Candidate]) -> bool:
        """SillyTavern compares the whole text of the field, so an active entry of `a,b` does not take `a`."""
        if self.settings.is_faithful:
            return any(candidate.compiled.group_text == name for candidate in activated)
        return any(name in candidate.compiled.groups for candidate in activated)

    def _filter_timed(self, group: list[Candidate]) -> bool:
        """Leaves only sticky entries, if there are some; says whether there are."""
        sticky = [candidate for candidate in group if self.timed.is_sticky(candidate)]
        if sticky:
            for candidate in group:
                if candidate not in sticky:
                    self._remove(candidate, "group_sticky")
        if self.settings.is_faithful:
            for candidate in group:
                if self.timed.is_on_cooldown(candidate):
                    self._remove(candidate, "group_timed")
            for candidate in group:
                if self.timed.is_delayed(candidate):
                    self._remove(candidate, "group_timed")
        return bool(sticky)

    def _filter_by_score(self, group: list[Candidate]) -> None:
        default = self.settings.use_group_scoring
        if not default and not any(candidate.entry.use_group_scoring for candidate in group):
            return
        scores = {candidate.rank: self.score(candidate) for candidate in group}
        best = max(scores.values(), default=0)
        for candidate in list(group):
            own = candidate.entry.use_group_scoring
            if (default if own is None else own) and scores[candidate.rank] < best:
                self._remove(candidate, "group_score", f"({scores[candidate.rank]} of {best})")
                group.remove(candidate)

    def _choose(self, name: str, group: list[Candidate]) -> None:
        if not self.settings.is_faithful:
            group = [candidate for candidate in group if candidate in self.entries]
            if len(group) < 2:
                return
        favoured = sort_by_order((member for member in group if member.entry.group_override), lambda c: c.entry.order)
        if favoured:
            self._remove_all_but(group, favoured[0], "group_override", name)
            return
        winner, detail = self._roll(name, group)
        if winner is not None:
            self._remove_all_but(group, winner, "group_roll", detail)

    def _roll(self, name: str, group: list[Candidate]) -> tuple[Candidate | None, str]:
        """A winner by weight; none where the weights are no numbers."""
        weights = [candidate.entry.group_weight for candidate in group]
        if not self.settings.is_faithful:
            weights = [max(0, weight) for weight in weights]
        total = sum(weights)
        roll = self.dice.roll if self.settings.is_faithful else self.dice.roll_for
        point = roll("group", name) * total
        reached: float = 0
        for candidate, weight in zip(group, weights, strict=True):
            reached += weight
            if point <= reached and (weight > 0 or self.settings.is_faithful or total == 0):
                return candidate, f"({name}: {point:.4g} of {total:g})"
        return None, ""

    def _remove_all_but(self, group: list[Candidate], kept: Candidate | None, rule: str, detail: str) -> None:
        for candidate in list(group):
            if candidate is not kept:
                self._remove(candidate, rule, detail)

    def _remove(self, candidate: Candidate, rule: str, detail: str = "") -> None:
        """Takes an entry out. Where it is out already, SillyTavern takes out the last one instead."""
        if candidate in self.entries:
            self.entries.remove(candidate)
            candidate.stop(rule, self.loop, detail)
        elif self.settings.is_faithful and self.entries:
            self.entries.pop().stop("group_splice", self.loop, detail)


def _is_array_index(name: str) -> bool:
    if not (name.isascii() and name.isdigit() and len(name) <= len(str(_MAX_ARRAY_INDEX))):
        return False
    return str(int(name)) == name and int(name) <= _MAX_ARRAY_INDEX
