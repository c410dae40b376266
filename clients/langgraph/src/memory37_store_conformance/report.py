"""Running all cases without a test runner."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from memory37_store_conformance.registry import list_cases, list_disagreements
from memory37_store_conformance.subject import Subject


@dataclass
class Report:
    """What a store did: names of cases, and of each disagreement the answer that was seen."""

    passed: list[str] = field(default_factory=list)
    failed: dict[str, BaseException] = field(default_factory=dict)
    skipped: list[str] = field(default_factory=list)
    observed: dict[str, str] = field(default_factory=dict)

    @property
    def is_conformant(self) -> bool:
        """Whether every case that the store's capabilities allow holds."""
        return bool(self.passed) and not self.failed


def run(open_subject: Callable[[], AbstractContextManager[Subject]]) -> Report:
    """The report of a store; `open_subject` gives a new, empty one for each case."""
    report = Report()
    for case in list_cases():
        with open_subject() as subject:
            if not case.fits(subject):
                report.skipped.append(case.name)
                continue
            try:
                case.check(subject)
            except Exception as error:  # noqa: BLE001 - whatever a store raises is its failure
                report.failed[case.name] = error
            else:
                report.passed.append(case.name)
    for question in list_disagreements():
        with open_subject() as subject:
            if not question.needs <= subject.capabilities:
                continue
            try:
                report.observed[question.name] = question.observe(subject)
            except Exception as error:  # noqa: BLE001 - as above
                report.observed[question.name] = f"{type(error).__name__}: {error}"
    return report
