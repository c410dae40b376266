"""The loop over all entries: keys, groups, probability and budget, again while something new is to be found."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from knowledge.lorebooks.activation.activation_rules import ActivationRules
from knowledge.lorebooks.activation.budget import TokenCounter, TokenMeter, count_text
from knowledge.lorebooks.activation.candidates import Candidate
from knowledge.lorebooks.activation.dice import Dice
from knowledge.lorebooks.activation.groups import GroupFilter
from knowledge.lorebooks.activation.inputs import ActivationSettings
from knowledge.lorebooks.activation.key_rules import KeyRules
from knowledge.lorebooks.activation.macros import substitute_macros
from knowledge.lorebooks.activation.segments import ScanBuffer, ScanState, View
from knowledge.lorebooks.activation.timed_effects import TimedEffects
from knowledge.lorebooks.activation.trace import LoopTrace
from knowledge.lorebooks.activation.work import ANALYSE_STEPS, CHECK_STEPS, WorkMeter
from knowledge.lorebooks.core.book import ALWAYS_PERCENT

MAX_ENTRY_CHECKS = 1_000_000
"""Entries times loops. Books that call each other's entries one by one take a loop for each: SillyTavern goes on, and a
chain of 10,000 would take minutes. A book of 1,000 entries has 1,000 loops; real ones have three or four."""


@dataclass
class Scan:
    """One activation while it runs."""

    settings: ActivationSettings
    candidates: list[Candidate]
    buffer: ScanBuffer
    timed: TimedEffects
    dice: Dice
    count_tokens: TokenCounter
    message_count: int
    work: WorkMeter
    activated: dict[str, Candidate] = field(default_factory=dict)
    loops: list[LoopTrace] = field(default_factory=list)
    has_overflowed: bool = False
    is_cut_short: bool = False
    used_tokens: int = 0
    feeding_text: str = ""  # what SillyTavern counts of earlier loops: contents that may be scanned

    def __post_init__(self) -> None:
        self.keys = KeyRules(self.settings, self.work)
        self._key_count = sum(len(each.primary) + len(each.secondary) for each in self.candidates)
        self.budget = self.settings.compute_budget()
        levels = sorted({candidate.entry.delay_until_recursion for candidate in self.candidates} - {0})
        self.rules = ActivationRules(self.settings, self.timed, levels.pop(0) if levels else 0)
        self._levels = levels
        self._usual_view: View | None = None

    def run(self) -> None:
        """Loops until nothing new is to be found, or `MAX_ENTRY_CHECKS` are made.

        Each loop but the last adds an entry, a message or a level.
        """
        state: ScanState | None = ScanState.INITIAL
        while state is not None:
            if 0 < self.settings.max_recursion_steps <= len(self.loops):
                break
            if len(self.loops) * len(self.candidates) > MAX_ENTRY_CHECKS:
                self.is_cut_short = True
                break
            loop = len(self.loops) + 1
            self.work.spend((len(self.candidates) + self._key_count) * CHECK_STEPS)
            self._usual_view = None
            found = [candidate for candidate in self.candidates if self._is_called_for(candidate, state, loop)]
            kept = self._filter_groups(found, state, loop)
            successful = self._admit_faithful(kept, loop) if self.settings.is_faithful else self._admit(kept, loop)
            feeding = [candidate for candidate in successful if not candidate.entry.prevent_recursion]
            self._record_loop(state, len(found))
            state = self._choose_next(state, has_feeding=bool(feeding))
            if state is not None:
                self._feed(feeding, loop)

    def _record_loop(self, state: ScanState, found: int) -> None:
        before = sum(trace.activated for trace in self.loops)
        activated = len(self.activated) - before
        self.loops.append(LoopTrace(state.value, self.buffer.depth, found, activated, self.used_tokens))

    def _is_called_for(self, candidate: Candidate, state: ScanState, loop: int) -> bool:
        if candidate.has_failed or candidate.is_active:
            return False
        if candidate.key in self.activated:
            candidate.stop("replaced", loop)
            return False
        if candidate.can_be_stopped and (stop := self.rules.find_stop(candidate, state)) is not None:
            candidate.stop(stop[0], loop, stop[1])
            return False
        if candidate.needs_no_key and (start := self.rules.find_start(candidate)) is not None:
            candidate.stop(start, loop)
            return start != "dont_activate"
        if not candidate.primary:
            candidate.stop("no_keys", loop)
            return False
        view = self._view(candidate, state)
        if self.keys.find_match(candidate, view):
            candidate.stop("secondary_keys" if candidate.secondary_matches else "key", loop)
            return True
        candidate.stop("no_key_found" if candidate.match is None else "secondary_keys_failed", loop)
        return False

    def _view(self, candidate: Candidate, state: ScanState) -> View:
        """What the entry sees; most see what the settings say, looked up once a loop."""
        depth, sources = candidate.compiled.scan_depth, candidate.entry.scan_sources
        if depth is not None or sources:
            return self.buffer.view(depth, sources, state)
        if self._usual_view is None:
            self._usual_view = self.buffer.view(None, (), state)
        return self._usual_view

    def _filter_groups(self, found: list[Candidate], state: ScanState, loop: int) -> list[Candidate]:
        """What is left of the found entries, sticky ones first, then by rank."""
        if len(found) > 1:
            found = sorted(found, key=self._sort_key)

        def score(candidate: Candidate) -> int:
            return self.keys.score(candidate, self._view(candidate, state))

        group_filter = GroupFilter(list(found), self.settings, self.timed, self.dice, score, loop)
        group_filter.apply(self.activated.values())
        if not self.settings.is_faithful:
            kept = {candidate.rank for candidate in group_filter.entries}
            for candidate in found:
                candidate.has_failed = candidate.rank not in kept
        return group_filter.entries

    def _sort_key(self, candidate: Candidate) -> tuple[bool, int]:
        """SillyTavern finds no place for entries activated from outside, which so come first."""
        is_placeless = self.settings.is_faithful and candidate.rule == "external"
        return not self.timed.is_sticky(candidate), -1 if is_placeless else candidate.rank

    def _admit_faithful(self, entries: list[Candidate], loop: int) -> list[Candidate]:
        """SillyTavern's probability and budget: at the first entry that reaches the budget the others are left out.

        After it only entries that ignore the budget get in. What a cut entry says is still scanned by a further loop.
        """
        meter = TokenMeter(self.count_tokens)
        before = self._count(self.feeding_text)
        for candidate in entries:
            entry = candidate.entry
            if self.has_overflowed and not entry.ignores_budget:
                candidate.stop("budget", loop, f"(after it was reached, {self.used_tokens} of {self.budget})")
                continue
            if not self._passes_probability(candidate, loop):
                continue
            candidate.content = substitute_macros(candidate.compiled.content, self.settings.macros)
            self.work.spend(len(candidate.content) * ANALYSE_STEPS)
            used = before + meter.add(f"{candidate.content}\n")
            if not entry.ignores_budget and used >= self.budget:
                candidate.stop("budget", loop, f"at {used} of {self.budget}")
                self.has_overflowed = True
                continue
            self.used_tokens = used
            self._activate(candidate, used)
        return [candidate for candidate in entries if not candidate.has_failed]

    def _admit(self, entries: list[Candidate], loop: int) -> list[Candidate]:
        """Our probability and budget: by order, each entry that still fits gets in; what is cut is not scanned."""
        admitted = []
        for candidate in entries:
            if not self._passes_probability(candidate, loop):
                continue
            candidate.content = substitute_macros(candidate.compiled.content, self.settings.macros)
            tokens = self._count(f"{candidate.content}\n")
            if not candidate.entry.ignores_budget:
                if self.used_tokens + tokens > self.budget:
                    candidate.stop("budget", loop, f"at {self.used_tokens + tokens} of {self.budget}")
                    candidate.has_failed = self.has_overflowed = True
                    continue
                self.used_tokens += tokens
            self._activate(candidate, tokens)
            admitted.append(candidate)
        return admitted

    def _count(self, text: str) -> int:
        self.work.spend(len(text) * ANALYSE_STEPS)
        return count_text(self.count_tokens, text)

    def _activate(self, candidate: Candidate, tokens: int) -> None:
        """SillyTavern tells entries apart by `world.uid`: the later of two takes the place of the other."""
        key = candidate.key if self.settings.is_faithful else f"{candidate.key}#{candidate.rank}"
        earlier = self.activated.get(key)
        if earlier is not None:
            earlier.is_active = False
            earlier.has_failed = True
            earlier.stop("replaced", len(self.loops) + 1)
        candidate.is_active = True
        candidate.tokens = tokens
        self.activated[key] = candidate

    def _passes_probability(self, candidate: Candidate, loop: int) -> bool:
        entry = candidate.entry
        percent = entry.probability
        if not entry.use_probability or percent == ALWAYS_PERCENT or self.timed.is_sticky(candidate):
            return True
        if self.settings.is_faithful:
            rolled = self.dice.roll("probability", candidate.key) * 100
            passes = rolled <= percent
        elif math.isnan(percent):
            candidate.has_failed = True
            candidate.stop("probability_invalid", loop)
            return False
        elif percent > ALWAYS_PERCENT:
            return True
        else:
            rolled = self.dice.roll_for("probability", f"{candidate.key}#{candidate.rank}") * 100
            passes = rolled < percent
        if not passes:
            candidate.has_failed = True
            candidate.stop("probability", loop, f"({rolled:.4g} over {percent:g})")
        return passes

    def _choose_next(self, state: ScanState, *, has_feeding: bool) -> ScanState | None:
        """Recursion, then more messages for `min_activations`, then the next level of delayed entries."""
        is_stopped = self.has_overflowed and self.settings.is_faithful
        can_recurse = self.settings.is_recursive and not is_stopped
        if can_recurse and (has_feeding or (state is ScanState.MIN_ACTIVATIONS and self.buffer.has_recursion)):
            return ScanState.RECURSION
        if not is_stopped and len(self.activated) < self.settings.min_activations and self._can_go_deeper():
            self.buffer.depth += 1
            return ScanState.MIN_ACTIVATIONS
        if self._levels:
            self.rules.recursion_level = self._levels.pop(0)
            return ScanState.RECURSION
        return None

    def _can_go_deeper(self) -> bool:
        most = self.settings.min_activations_max_depth
        return not (0 < most < self.buffer.depth) and self.buffer.depth <= self.message_count

    def _feed(self, feeding: list[Candidate], loop: int) -> None:
        text = "\n".join(candidate.content for candidate in feeding)
        if text:
            self.buffer.add_recursion(text, loop)
            self.feeding_text = f"{text}\n{self.feeding_text}"
