"""What is wrong with patterns and concepts before a message is read with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from factcheck.instant.core.concept_files import Concept
from factcheck.instant.core.concepts import stems_of
from factcheck.instant.core.configuration import Configuration
from factcheck.instant.core.expressions import compile_search
from factcheck.instant.core.hits import is_hit
from factcheck.instant.core.messages import fold_message
from factcheck.instant.core.pattern_rows import Guard, InstantPattern, PatternInvalid, PatternSet
from factcheck.instant.core.patterns import compile_rows, list_macros
from knowledge.text.languages import PATTERN_LANGUAGES

SKIPS_WITHOUT_GUARD = ("question",)
"""What patterns can skip beside guards: the refusal of questions."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with one row."""

    row: str
    code: str
    detail: str


@dataclass(frozen=True, slots=True)
class HitShare:
    """On how many messages of a sample a pattern fires."""

    hits: int
    size: int

    @property
    def share(self) -> float:
        """The hits as a part of the sample; 0 of an empty one."""
        return self.hits / self.size if self.size else 0.0


def list_problems(configuration: Configuration) -> list[Problem]:
    """All that is wrong, row by row; two rows at odds are named by the later one."""
    macros = list_macros(configuration.pattern_sets)
    guards = configuration.guards
    known = {guard.name for guard in guards} | set(SKIPS_WITHOUT_GUARD)
    problems = [problem for guard in guards for problem in _check_guard(guard, macros)]
    for pattern_set in configuration.pattern_sets:
        for name, text in pattern_set.macros.items():
            problems += _check_expression(f"macro {name}", text, macros, may_be_empty=True)
        for row in pattern_set.patterns:
            problems += _check_pattern(row, macros, known)
        for correction in pattern_set.corrections:
            problems += _check_expression(correction.name, correction.pattern, macros)
        for anchor in pattern_set.anchors:
            problems += _check_expression(anchor.name, anchor.pattern, macros, what="the anchor matches")
    return [*problems, *_check_concepts(configuration.concepts)]


def measure_share(pattern: InstantPattern, configuration: Configuration, texts: Sequence[str]) -> HitShare:
    """How often a pattern fires on messages, after its anchors and the guards. Raises PatternInvalid."""
    alone = [
        replace(
            pattern_set,
            patterns=(),
            corrections=(),
            guards=_compilable(pattern_set.guards, list_macros(configuration.pattern_sets)),
        )
        for pattern_set in configuration.pattern_sets
    ]
    [compiled] = compile_rows([*alone, PatternSet("", patterns=(pattern,))]).patterns
    return HitShare(sum(is_hit(fold_message(text), compiled) for text in texts), len(texts))


def _compilable(guards: Sequence[Guard], macros: Mapping[str, str]) -> tuple[Guard, ...]:
    return tuple(guard for guard in guards if not any(_check_guard(guard, macros)))


def _check_pattern(row: InstantPattern, macros: Mapping[str, str], guards: set[str]) -> Iterator[Problem]:
    yield from _check_expression(row.name, row.pattern, macros)
    if row.anchors:
        yield from _check_expression(row.name, row.anchors, macros, what="the anchors match")
    if row.anti_anchors:
        yield from _check_expression(row.name, row.anti_anchors, macros, what="the anti-anchors match")
    for name in row.skips:
        if name not in guards:
            yield Problem(row.name, "guard_unknown", f"no guard is called {name!r}")
    if row.key_rule == "measure" and not row.key:
        yield Problem(row.name, "key_missing", "the key rule measure needs a key, for example height_cm")
    if not any(_check_expression(row.name, row.pattern, macros)):
        try:
            compile_rows([PatternSet("", patterns=(replace(row, anchors="", anti_anchors=""),), macros=macros)])
        except PatternInvalid as error:
            yield Problem(row.name, "pattern_invalid", error.detail)


def _check_guard(guard: Guard, macros: Mapping[str, str]) -> Iterator[Problem]:
    return _check_expression(guard.name, guard.pattern, macros, what="the guard matches")


def _check_expression(
    name: str, text: Any, macros: Mapping[str, str], *, what: str = "the pattern matches", may_be_empty: bool = False
) -> Iterator[Problem]:
    if not isinstance(text, str):
        yield Problem(name, "pattern_invalid", "an expression is a text")
        return
    try:
        expression = compile_search(name, text, macros)
    except PatternInvalid as error:
        yield Problem(name, "pattern_invalid", error.detail)
        return
    if not may_be_empty and expression.search("") is not None:
        yield Problem(name, "pattern_matches_empty", f"{what} the empty text, and so every message")


def _check_concepts(concepts: Sequence[Concept]) -> Iterator[Problem]:
    owners: dict[tuple[str, tuple[str, ...]], str] = {}
    for concept in concepts:
        for language, names in concept.names.items():
            if language not in PATTERN_LANGUAGES or not isinstance(names, list | tuple):
                yield Problem(concept.key, "names_invalid", "names are lists of texts by language")
                return
        for name in [concept.label, *(name for group in concept.names.values() for name in group)]:
            for use in concept.types:
                stems = stems_of(str(name))
                owner = owners.setdefault((use, stems), concept.key)
                if stems and owner != concept.key:
                    yield Problem(concept.key, "concept_name_taken", f"{name!r} is a name of {owner} already")
