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


@dataclass
class Tally:
    """Facts that were right, wrong and missed."""

    right: int = 0
    wrong: int = 0
    missed: int = 0

    @property
    def recall(self) -> float:
        """The share of expected facts that were heard; 1 of none."""
        expected = self.right + self.missed
        return self.right / expected if expected else 1.0

    @property
    def precision(self) -> float:
        """The share of heard facts that were expected; 1 of none."""
        heard = self.right + self.wrong
        return self.right / heard if heard else 1.0


@dataclass
class Judged:
    """One line with what came of it."""

    line: dict[str, Any]
    right: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)


def run(options: argparse.Namespace) -> Report:
    """Figures against the goals of *hearing*; with `--show`, every line that was not heard right."""
    report = Report("heard")
    lines = [line for path in options.files for line in read_lines(path)]
    reader = Reader(options.by)
    report.say(f"by {options.by}; meaning: {reader.scorer.version if reader.scorer else 'not heard'}")
    judged = [judge(line, reader) for line in lines]
    groups: dict[tuple[str, str], Tally] = defaultdict(Tally)
    for each in judged:
        for name in ("right", "wrong", "missed"):
            for fact in getattr(each, name):
                for group in _list_groups(each.line, fact.split(" ", 1)[0]):
                    setattr(groups[group], name, getattr(groups[group], name) + 1)
    if options.show:
        for each in judged:
            if each.wrong or each.missed:
                report.say(f"{each.line.get('id', '')} wrong {each.wrong} missed {each.missed}: {each.line['text']!r}")
    report.table(
        ("group", "name", "precision", "recall", "right", "wrong", "missed"),
        [(*name, t.precision, t.recall, t.right, t.wrong, t.missed) for name, t in sorted(groups.items())],
    )
    collisions = sum(len(each.wrong) for each in judged if "collision" in str(each.line.get("category", "")))
    _add_figures(report, groups, collisions)
    report.data = {"lines": len(lines), "wrong": [each.line for each in judged if each.wrong]}
    return report


def _add_figures(report: Report, groups: dict[tuple[str, str], Tally], collisions: int) -> None:
    total = groups.get(("all", "all"), Tally())
    report.figure("precision", total.precision, at_least=MIN_PRECISION)
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
            judged.right.append(described)
        elif not any(is_meant(fact, each, reader.concepts) for each in line.get("expect", ())):
            judged.wrong.append(described)
    judged.missed = [f"{each['type']} {each['any_of'][0]}" for each in expected]
    return judged
