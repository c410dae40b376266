"""What came of golden cases: right, wrong and missed by language and type, and whether one prompt is worse."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from factcheck.extraction.core.verdicts import Verdict
from factcheck.extraction.golden.cases import GoldenCase
from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.extracted import ExtractedFact
from factcheck.instant.core.labelled_lines import Expected, is_meant

ALL = "all"


@dataclass
class Score:
    """Accepted facts that were expected or not, expected ones that are missing, and what the gate stopped."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    stopped: int = 0

    @property
    def precision(self) -> float:
        """Of what was accepted; 1 of none."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 1.0

    @property
    def recall(self) -> float:
        """Of what was expected; 1 of none."""
        return self.right / (self.right + self.missed) if self.right + self.missed else 1.0


@dataclass
class Judged:
    """One case with what came of it; facts are described as `type key value`."""

    case: GoldenCase
    right: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    stopped: list[str] = field(default_factory=list)
    """What the gate refused, with its code."""


def judge_case(case: GoldenCase, verdicts: Iterable[Verdict], concepts: ConceptTable) -> Judged:
    """Holds the accepted verdicts against what is expected; one that repeats an expected fact is neither."""
    judged = Judged(case)
    open_ = list(case.expected)
    for verdict in verdicts:
        described = f"{verdict.type} {verdict.key} {verdict.value}"
        if not verdict.is_accepted:
            judged.stopped.append(f"{described} ({verdict.code})")
            continue
        match = next((each for each in open_ if matches(verdict, each, concepts)), None)
        if match is not None:
            open_.remove(match)
            judged.right.append(described)
        elif not any(matches(verdict, each, concepts) for each in case.expected):
            judged.wrong.append(described)
    judged.missed = [f"{each['type']} {each['any_of'][0]}" for each in open_]
    return judged


def matches(verdict: Verdict, expected: Expected, concepts: ConceptTable) -> bool:
    """Whether an accepted verdict is the expected fact, by the expected operation where one is named."""
    wanted = expected.get("operation", verdict.operation)
    return str(verdict.operation) == str(wanted) and is_meant(as_fact(verdict), expected, concepts)


def as_fact(verdict: Verdict) -> ExtractedFact:
    """A verdict in the form that labelled lines are compared with."""
    return ExtractedFact(
        type=verdict.type, key=verdict.key, value=verdict.value, language=verdict.language,
        confidence=verdict.confidence, pattern="", start=0, end=0, quote="",
    )  # fmt: skip


def sum_scores(judged: Iterable[Judged]) -> dict[tuple[str, str], Score]:
    """(language, type) to score; `all` sums up."""
    scores: dict[tuple[str, str], Score] = {}
    for each in judged:
        for name in ("right", "wrong", "missed", "stopped"):
            for described in getattr(each, name):
                type_ = described.split(" ", 1)[0]
                for group in ((each.case.language, type_), (each.case.language, ALL), (ALL, type_), (ALL, ALL)):
                    score = scores.setdefault(group, Score())
                    setattr(score, name, getattr(score, name) + 1)
    return scores


def list_worse(new: Sequence[Judged], old: Sequence[Judged]) -> list[str]:
    """The languages in which `new` finds fewer right facts than `old`, or more wrong ones."""
    after, before = sum_scores(new), sum_scores(old)
    worse = []
    for language in sorted({each.case.language for each in (*new, *old)}):
        now, then = after.get((language, ALL), Score()), before.get((language, ALL), Score())
        if now.wrong > then.wrong or now.right < then.right:
            worse.append(f"{language}: right {then.right} → {now.right}, wrong {then.wrong} → {now.wrong}")
    return worse
