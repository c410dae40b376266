"""Whether an entry's keys are found: primary keys, then secondary keys by their logic, and the score of groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from knowledge.lorebooks.activation.candidates import Candidate
from knowledge.lorebooks.activation.inputs import ActivationSettings
from knowledge.lorebooks.activation.key_index import FaithfulKeyIndex, Needle, Span, find_in_joined
from knowledge.lorebooks.activation.regexes import CompiledRegex, RegexTimer
from knowledge.lorebooks.activation.segments import View
from knowledge.lorebooks.activation.trace import KeyMatch
from knowledge.lorebooks.activation.work import CHECK_STEPS, PATTERN_STEPS, READ_STEPS, WorkMeter
from knowledge.lorebooks.core.vocabulary import SelectiveLogic


@dataclass
class KeyRules:
    """The rules of one activation."""

    settings: ActivationSettings
    work: WorkMeter
    timer: RegexTimer = field(default_factory=RegexTimer)

    def __post_init__(self) -> None:
        self._scoring_index = FaithfulKeyIndex(self.settings)

    def find_match(self, candidate: Candidate, view: View) -> bool:
        """Whether the keys call for the entry; what was found is noted on it."""
        primary = self._find_first(candidate.primary, view)
        candidate.match = primary
        candidate.secondary_matches = ()
        if primary is None:
            return False
        if not candidate.entry.is_selective or not candidate.secondary:
            return True
        return self._check_secondary(candidate, view)

    def _find_first(self, needles: Sequence[Needle], view: View) -> KeyMatch | None:
        for needle in needles:
            match = view.find(needle) if needle.kind == "indexed" else self.find(needle, view)
            if match is not None:
                return match
        return None

    def _check_secondary(self, candidate: Candidate, view: View) -> bool:
        logic = candidate.entry.logic
        found = []
        for needle in candidate.secondary:
            match = self.find(needle, view)
            if match is not None:
                found.append(match)
                candidate.secondary_matches = tuple(found)
                if logic is SelectiveLogic.AND_ANY:
                    return True
            elif logic is SelectiveLogic.NOT_ALL:
                return True
        if logic is SelectiveLogic.NOT_ANY:
            return not found
        return logic is SelectiveLogic.AND_ALL and len(found) == len(candidate.secondary)

    def find(self, needle: Needle, view: View) -> KeyMatch | None:
        """A key in what an entry sees; None where it is not found."""
        if needle.kind == "indexed":
            return view.find(needle)
        if needle.kind == "always":
            return KeyMatch(needle.key)
        if needle.kind == "regex" and needle.regex is not None:
            if needle.text not in view.regex_hits:
                span = self._search(needle.regex, view)
                view.regex_hits[needle.text] = view.match_joined(needle.key, span)
            return view.regex_hits[needle.text]
        if needle.kind == "joined":
            return view.match_joined(needle.key, self._find_in_joined(needle, view))
        return None

    def _search(self, compiled: CompiledRegex, view: View) -> Span | None:
        self.work.spend(CHECK_STEPS + len(view.scanned.text) * PATTERN_STEPS)
        return compiled.search(view.scanned, self.timer)

    def _find_in_joined(self, needle: Needle, view: View) -> Span | None:
        self.work.spend(CHECK_STEPS + len(view.scanned.text) * READ_STEPS)
        return find_in_joined(needle, view.scanned)

    def find_problem(self, candidate: Candidate) -> tuple[Needle, str] | None:
        """The first key of the entry that could not be run, with the reason."""
        for needle in (*candidate.primary, *candidate.secondary):
            if needle.regex is not None:
                problem = needle.regex.problem or self.timer.problems.get(needle.regex.key)
                if problem is not None:
                    return needle, f"{problem.code}: {problem.detail}"
        return None

    def score(self, candidate: Candidate, view: View) -> int:
        """How many keys are found; secondary ones count with AND_ANY, and with AND_ALL when all are found.

        SillyTavern scores keys as written: macros stay, spaces around them count, and an empty key is found.
        """
        entry = candidate.entry
        if self.settings.is_faithful:
            primary = sum(self._is_found_as_written(key, candidate, view) for key in entry.keys)
            secondary = sum(self._is_found_as_written(key, candidate, view) for key in entry.secondary_keys)
        else:
            primary = sum(self.find(needle, view) is not None for needle in candidate.primary)
            secondary = sum(self.find(needle, view) is not None for needle in candidate.secondary)
        if not entry.keys:
            return 0
        if entry.logic is SelectiveLogic.AND_ANY:
            return primary + secondary
        if entry.logic is SelectiveLogic.AND_ALL and secondary == len(entry.secondary_keys):
            return primary + secondary
        return primary

    def _is_found_as_written(self, key: str, candidate: Candidate, view: View) -> bool:
        if (compiled := self._scoring_index.compile(key)) is not None:
            return self._search(compiled, view) is not None
        entry, settings = candidate.entry, self.settings
        case = settings.case_sensitive if entry.case_sensitive is None else entry.case_sensitive
        whole = settings.match_whole_words if entry.match_whole_words is None else entry.match_whole_words
        needle = self._scoring_index.add_plain(key, key, is_lowered=not case, is_whole_word=whole)
        return self._find_in_joined(needle, view) is not None
