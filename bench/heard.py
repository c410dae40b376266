"""What is heard of everyday lines: precision and recall of facts by language and type, answers and collisions apart."""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.facts import Reader
from bench.report import Report
from factcheck.instant.core.labelled_lines import is_meant, read_previous
from knowledge.facts.core.types import PROTECTED_TYPES

GOALS = {"en": 0.70, "ru": 0.70, "ar": 0.70, "arabizi": 0.50}
"""Least recall of allergies and bans by language, of lines that were not seen."""
MIN_RECALL_ALL = 0.45
MIN_PRECISION = 0.95
MIN_ANSWERS = 0.85
_COUNTED = ("right", "wrong", "missed", "right_in_doubt", "wrong_in_doubt")


@dataclass
class Tally:
    """Facts that were right, wrong and missed; those that are kept in doubt, and asked about, apart."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    right_in_doubt: int = 0
    wrong_in_doubt: int = 0

    @property
    def recall(self) -> float:
        """The share of expected facts that were heard, in doubt or not; 1 of none."""
        return _divide(self.right + self.right_in_doubt, self.right + self.right_in_doubt + self.missed)

    @property
    def precision(self) -> float:
        """The share of facts out of doubt that were expected; 1 of none."""
        return _divide(self.right, self.right + self.wrong)

    @property
    def precision_of_all(self) -> float:
        """The share of all heard facts that were expected, in doubt or not; 1 of none."""
        right = self.right + self.right_in_doubt
        return _divide(right, right + self.wrong + self.wrong_in_doubt)


def _divide(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


@dataclass
class Judged:
    """One line with what came of it."""

    line: dict[str, Any]
    right: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    right_in_doubt: list[str] = field(default_factory=list)
    wrong_in_doubt: list[str] = field(default_factory=list)


def run(options: argparse.Namespace) -> Report:
    """Figures against the goals of *hearing*; with `--show`, every line that was not heard right."""
    report = Report("heard")
    lines = [line for path in options.files for line in read_lines(path)]
    reader = Reader(options.by)
    report.say(f"by {options.by}; meaning: {reader.scorer.version if reader.scorer else 'not heard'}")
    judged = [judge(line, reader) for line in lines]
    groups: dict[tuple[str, str], Tally] = defaultdict(Tally)
    for each in judged:
        for name in _COUNTED:
            for fact in getattr(each, name):
                for group in _list_groups(each.line, fact.split(" ", 1)[0]):
                    setattr(groups[group], name, getattr(groups[group], name) + 1)
    if options.show:
        for each in judged:
            if each.wrong or each.missed or each.right_in_doubt or each.wrong_in_doubt:
                found = ", ".join(f"{name} {getattr(each, name)}" for name in _COUNTED[1:] if getattr(each, name))
                report.say(f"{each.line.get('id', '')} {found}: {each.line['text']!r}")
    report.table(
        ("group", "name", "precision", "recall", "right", "wrong", "missed", "in doubt right", "in doubt wrong"),
        [
            (*name, tally.precision, tally.recall, *(getattr(tally, each) for each in _COUNTED))
            for name, tally in sorted(groups.items())
        ],
    )
    collisions = sum(
        len(each.wrong) + len(each.wrong_in_doubt)
        for each in judged
        if "collision" in str(each.line.get("category", ""))
    )
    _add_figures(report, groups, collisions)
    report.data = {"lines": len(lines), "wrong": [each.line for each in judged if each.wrong]}
    return report


def _add_figures(report: Report, groups: dict[tuple[str, str], Tally], collisions: int) -> None:
    total = groups.get(("all", "all"), Tally())
    report.figure("precision", total.precision, at_least=MIN_PRECISION)
    report.say(f"precision with what is kept in doubt: {total.precision_of_all:.3f}")
    report.figure("recall", total.recall, at_least=MIN_RECALL_ALL)
    for language, goal in GOALS.items():
        if ("protecting", language) in groups:
            report.figure(f"protecting_{language}", groups["protecting", language].recall, at_least=goal)
    if ("answers", "all") in groups:
        report.figure("answers", groups["answers", "all"].recall, at_least=MIN_ANSWERS)
    report.figure("collisions", collisions, at_most=0)


def _list_groups(line: dict[str, Any], fact_type: str) -> list[tuple[str, str]]:
    language = str(line.get("language", "?"))
    groups = [("all", "all"), ("language", language), ("type", fact_type)]
    if fact_type in PROTECTED_TYPES:
        groups.append(("protecting", language))
    if line.get("context"):
        groups += [("answers", "all"), ("answers", language)]
    return groups


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The lines of a file of `text`, optional `context`, `language` and `expect`."""
    rows = path.read_text(encoding="utf-8").splitlines()
    return [json.loads(row) for row in rows if row.strip()]


def judge(line: dict[str, Any], reader: Reader) -> Judged:
    """The facts of one line, right or wrong, and those that were missed."""
    judged = Judged(line)
    expected = list(line.get("expect", ()))
    for fact in reader.read(line["text"], previous=read_previous(line.get("context"))):
        match = next((each for each in expected if is_meant(fact, each, reader.concepts)), None)
        described = f"{fact.type} {fact.key} {fact.value}"
        if match is not None:
            expected.remove(match)
            (judged.right_in_doubt if fact.is_doubtful else judged.right).append(described)
        elif not any(is_meant(fact, each, reader.concepts) for each in line.get("expect", ())):
            (judged.wrong_in_doubt if fact.is_doubtful else judged.wrong).append(described)
    judged.missed = [f"{each['type']} {each['any_of'][0]}" for each in expected]
    return judged
