"""What may keep an entry out, or bring it in, before its keys are looked at: in SillyTavern's order."""

from __future__ import annotations

from dataclasses import dataclass

from knowledge.lorebooks.activation.candidates import Candidate
from knowledge.lorebooks.activation.conditions import find_unmet_condition
from knowledge.lorebooks.activation.inputs import ActivationSettings
from knowledge.lorebooks.activation.segments import ScanState
from knowledge.lorebooks.activation.timed_effects import TimedEffects


@dataclass(slots=True)
class ActivationRules:
    """The rules of one activation. `find_stop` and `find_start` return a code of `trace.RULES`."""

    settings: ActivationSettings
    timed: TimedEffects
    recursion_level: int = 0

    def find_stop(self, candidate: Candidate, state: ScanState) -> tuple[str, str] | None:
        """The first rule that keeps the entry out of this loop, with a detail."""
        entry = candidate.entry
        if not entry.is_enabled or entry.is_folder:
            return "disabled", ""
        if entry.conditions and (unmet := self._find_condition(candidate)):
            return unmet
        if entry.triggers and self.settings.trigger not in entry.triggers:
            return "trigger", f"({self.settings.trigger})"
        if entry.character_filter is not None and (filtered := self._find_filter(candidate)):
            return filtered
        is_sticky = False
        if candidate.is_timed:
            is_sticky = self.timed.is_sticky(candidate)
            if self.timed.is_delayed(candidate):
                return "delay", f"({self.timed.message_count} of {entry.delay} messages)"
            if self.timed.is_on_cooldown(candidate) and not is_sticky:
                return "cooldown", ""
        if not is_sticky and (entry.delay_until_recursion or entry.exclude_recursion):
            return self._find_recursion_stop(candidate, state)
        return None

    def _find_recursion_stop(self, candidate: Candidate, state: ScanState) -> tuple[str, str] | None:
        entry = candidate.entry
        is_recursion = state is ScanState.RECURSION
        if entry.delay_until_recursion and not is_recursion:
            return "delay_until_recursion", ""
        if is_recursion and entry.delay_until_recursion > self.recursion_level:
            return "recursion_level", f"({self.recursion_level} of {entry.delay_until_recursion})"
        if is_recursion and self.settings.is_recursive and entry.exclude_recursion:
            return "exclude_recursion", ""
        return None

    def _find_condition(self, candidate: Candidate) -> tuple[str, str] | None:
        """SillyTavern knows no conditions: its rules look at them only where flags are given."""
        settings = self.settings
        if settings.is_faithful and settings.flags is None and settings.dispositions is None:
            return None
        unmet = find_unmet_condition(candidate.entry.conditions, settings.flags, settings.dispositions)
        return None if unmet is None else (unmet[1], f"({unmet[0]})")

    def _find_filter(self, candidate: Candidate) -> tuple[str, str] | None:
        wanted = candidate.entry.character_filter
        if wanted is None:
            return None
        if wanted.names and (self.settings.character in wanted.names) == wanted.is_exclude:
            return "character", f"({self.settings.character})"
        tags = self.settings.character_tags
        if wanted.tags and tags is not None and any(tag in wanted.tags for tag in tags) == wanted.is_exclude:
            return "tag", ""
        return None

    def find_start(self, candidate: Candidate) -> str | None:
        """What brings the entry in without its keys; `dont_activate` keeps it out, None leaves it to the keys."""
        decorators = candidate.compiled.decorators
        if "@@activate" in decorators:
            return "activate"
        if "@@dont_activate" in decorators:
            return "dont_activate"
        if candidate.is_external:
            return "external"
        if candidate.entry.is_constant:
            return "constant"
        return "sticky" if self.timed.is_sticky(candidate) else None
