"""What patterns make of messages, step by step, for people who look at it."""

from __future__ import annotations

import datetime
import math
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.configuration import Configuration
from factcheck.instant.core.corrections import Correction, KnownFact, detect_corrections
from factcheck.instant.core.extracted import ExtractedFact
from factcheck.instant.core.extraction import extract_facts
from factcheck.instant.core.hits import is_hit
from factcheck.instant.core.judges import Scorer, judge_candidates
from factcheck.instant.core.messages import fold, fold_message
from factcheck.instant.core.narrative_modes import NarrativeMode
from factcheck.instant.core.pattern_rows import InstantPattern, PatternSet
from factcheck.instant.core.patterns import CompiledPatterns
from factcheck.instant.core.survival import sum_up
from factcheck.instant.core.value_candidates import find_candidates
from knowledge.facts.core.types import NUMBER_TYPES


@dataclass(frozen=True, slots=True)
class Case:
    """A message to try, with what is known before it and, in case files, what must come of it."""

    text: str
    name: str = ""
    mode: NarrativeMode = "unknown"
    previous: str = ""
    known: tuple[KnownFact, ...] = ()
    survives: str = ""
    """Of a case of survival: `keep`, `dispute_or_keep`, or `end` of the keys of `about`."""
    about: tuple[str, ...] = ()
    expected: frozenset[str] | None = None
    """What must be understood, as `describe_facts` and `describe_corrections` write it; None: nobody says."""


@dataclass(frozen=True, slots=True)
class Fired:
    """A pattern that occurs in a message, and whether it is believed there."""

    name: str
    type: str
    is_believed: bool
    is_draft: bool = False


@dataclass(frozen=True, slots=True)
class Meant:
    """A value in a message, and what the model of hearing makes of it."""

    type: str
    key: str
    quote: str
    kind_percent: int | None
    """How likely its sentence states the kind."""
    percent: int | None
    """How likely it is a fact."""
    verdict: str
    """`believed`, `unlikely`, or `guarded`: a guard speaks against it."""


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of one message."""

    case: Case
    fired: tuple[Fired, ...]
    facts: tuple[ExtractedFact, ...]
    corrections: tuple[Correction, ...]
    got: frozenset[str]
    microseconds: float
    """Of patterns alone."""
    meant: tuple[Meant, ...] = ()
    """What the meaning of its sentences makes of the values in it."""
    anchors: tuple[str, ...] = ()
    """Anchors that occur: of what a model may propose of the message."""

    @property
    def has_passed(self) -> bool | None:
        """Whether it is what the case expects; None where nothing is expected."""
        if self.case.survives:
            return sum_up(self.corrections).holds(self.case.survives, self.case.about)
        return None if self.case.expected is None else self.got == self.case.expected


class Trial:
    """The served patterns, with a draft in the place of the row of its name or beside the others."""

    def __init__(
        self,
        compiled: CompiledPatterns,
        concepts: ConceptTable,
        *,
        draft: InstantPattern | None = None,
        configuration: Configuration | None = None,
        scorer: Scorer | None = None,
    ) -> None:
        """A draft wants the configuration for its macros and guards; a `scorer` hears by meaning as well.

        Raises PatternInvalid.
        """
        self._compiled, self._concepts, self._scorer = compiled, concepts, scorer
        self._draft_set = None
        self._replaced = ""
        if draft is not None and configuration is not None:
            others = [replace(pattern_set, patterns=(), corrections=()) for pattern_set in configuration.pattern_sets]
            trial = replace(draft, rollout_percent=100)
            self._draft_set = CompiledPatterns([*others, PatternSet(draft.pack, patterns=(trial,))])
            self._replaced = f"{draft.pack}/{draft.name}"

    def read(self, cases: Iterable[Case], *, now: datetime.datetime, in_order: bool = False) -> list[Tried]:
        """What comes of each message; `in_order`: facts of earlier messages are known to later ones."""
        tried: list[Tried] = []
        known: dict[tuple[str, str], KnownFact] = {}
        for case in cases:
            given = replace(case, known=tuple(known.values())) if in_order else case
            tried.append(self._read_one(given, now))
            for fact in tried[-1].facts:
                known[fact.type, fact.key] = KnownFact(len(known), fact.type, fact.key, fact.value)
        return tried

    def _read_one(self, case: Case, now: datetime.datetime) -> Tried:
        self._extract(self._compiled, case, now)  # the first reading builds what RE2 keeps
        start = time.perf_counter_ns()
        facts = self._extract(self._compiled, case, now)
        microseconds = (time.perf_counter_ns() - start) / 1_000
        meant = tuple(self._judge(case, facts, now))
        if self._scorer is not None:
            facts = self._extract(self._compiled, case, now, self._scorer)
        if self._draft_set is not None:
            facts = [fact for fact in facts if fact.pattern != self._replaced]
            told = {(fact.type, fact.key) for fact in facts}
            facts += [fact for fact in self._extract(self._draft_set, case, now) if (fact.type, fact.key) not in told]
        corrections = detect_corrections(
            case.text,
            previous_assistant_text=case.previous,
            facts=case.known,
            extracted=facts,
            compiled=self._compiled,
            concepts=self._concepts,
            mode=case.mode,
            now=now,
        )
        return Tried(
            case=case,
            fired=tuple(self._list_fired(case.text)),
            facts=tuple(facts),
            corrections=tuple(corrections),
            got=describe_corrections(corrections) if case.previous or case.known else describe_facts(facts),
            microseconds=microseconds,
            meant=meant,
            anchors=tuple(self._list_anchors(case.text)),
        )

    def _extract(
        self, compiled: CompiledPatterns, case: Case, now: datetime.datetime, scorer: Scorer | None = None
    ) -> list[ExtractedFact]:
        return extract_facts(
            case.text,
            compiled=compiled,
            concepts=self._concepts,
            now=now,
            mode=case.mode,
            previous=case.previous,
            scorer=scorer,
        )

    def _judge(self, case: Case, heard: Sequence[ExtractedFact], now: datetime.datetime) -> Iterable[Meant]:
        if self._scorer is None:
            return
        message, candidates = find_candidates(
            case.text, heard, compiled=self._compiled, concepts=self._concepts, now=now, mode=case.mode
        )
        for each in judge_candidates(message, candidates, self._scorer):
            fact = each.candidate.fact
            verdict = "believed" if each.is_believed else "guarded" if each.candidate.is_guarded else "unlikely"
            yield Meant(fact.type, fact.key, fact.quote, _show_percent(each.kind), _show_percent(each.score), verdict)

    def _list_fired(self, text: str) -> Iterable[Fired]:
        message = fold_message(text)
        for patterns, is_draft in ((self._compiled, False), (self._draft_set, True)):
            for hit in patterns.match(message.text) if patterns else ():
                name = f"{hit.row.pack}/{hit.row.name}"
                if is_draft or name != self._replaced:
                    yield Fired(name, hit.row.type, is_hit(message, hit), is_draft)

    def _list_anchors(self, text: str) -> Iterable[str]:
        folded = fold(text)
        for anchor, expression in self._compiled.anchors:
            if expression.search(folded) is not None:
                yield f"{anchor.pack}/{anchor.name}"


def _show_percent(logit: float | None) -> int | None:
    return None if logit is None else round(100 / (1 + math.exp(-logit)))


def describe_facts(facts: Iterable[ExtractedFact | Mapping[str, Any]]) -> frozenset[str]:
    """Facts as words that can be compared: `allergy nuts`, with the value where a number is one."""
    described = set()
    for fact in facts:
        values = fact if isinstance(fact, Mapping) else {"type": fact.type, "key": fact.key, "value": fact.value}
        shown = f" {values['value']}" if values["type"] in NUMBER_TYPES and values.get("value") else ""
        described.add(f"{values['type']} {values['key']}{shown}")
    return frozenset(described)


def describe_corrections(corrections: Sequence[Correction]) -> frozenset[str]:
    """Corrections as words that can be compared: `denied: nickel`."""
    return frozenset(describe_outcome(each.outcome, [fact.key for fact in each.facts]) for each in corrections)


def describe_outcome(outcome: str, keys: Sequence[str]) -> str:
    """An outcome and the keys that it is about."""
    return f"{outcome}: {', '.join(sorted(keys))}"
