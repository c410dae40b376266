"""The gate: lines rightly accepted and refused, and time a delta against folding and matching the same message."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence

from bench.gate_lines import Line, read_lines
from bench.report import Report
from factcheck.extraction.core.gate import GateRules, check_deltas
from factcheck.instant.core.messages import fold_message
from factcheck.instant.core.pattern_sets import load_shipped

_ROUNDS = 3
_MAX_MS = 1.0


def run(options: argparse.Namespace) -> Report:
    """Lines by part, and the mean CPU time of a delta: alone in its input, and as one of several about a message."""
    report = Report("gate")
    patterns, concepts = load_shipped()
    rules = GateRules(patterns, concepts)
    lines = read_lines()
    _report_lines(report, lines, rules, show=options.show)
    check = lambda line: check_deltas([line.delta], line.given, rules)  # noqa: E731
    several = lambda line: check_deltas([line.delta] * options.deltas, line.given, rules)  # noqa: E731
    match = lambda line: patterns.match(fold_message(line.given.messages[-1].content).text)  # noqa: E731
    matching, alone = _mean_us(match, lines), _mean_us(check, lines)
    together = _mean_us(several, lines) / options.deltas
    report.table(
        ("what", "mean CPU µs"),
        [
            ("folding and matching a message", matching),
            ("a delta alone", alone),
            (f"a delta, of {options.deltas} about a message", together),
        ],
    )
    report.data = {"matching_us": matching, "alone_us": alone, "together_us": together}
    report.figure("mean_ms_a_delta", alone / 1e3, at_most=_MAX_MS)
    report.figure("ratio_to_matching", alone / matching, at_most=100)
    return report


def _report_lines(report: Report, lines: Sequence[Line], rules: GateRules, *, show: bool) -> None:
    rows = []
    for part in ("seen", "apart"):
        for wanted in ("accepted", "refused"):
            is_wanted = wanted == "accepted"
            chosen = [line for line in lines if line.part == part and (line.expected == "accepted") == is_wanted]
            verdicts = [(line, check_deltas([line.delta], line.given, rules)[0]) for line in chosen]
            right = sum(line.is_right(verdict) for line, verdict in verdicts)
            reason = sum(line.is_code_right(verdict) for line, verdict in verdicts)
            rows.append((part, wanted, len(chosen), right, reason))
            for line, verdict in verdicts:
                if show and not line.is_right(verdict):
                    report.say(f"{line.id} {line.given.messages[-1].content!r}: {verdict.code} {verdict.detail}")
    report.table(("part", "to be", "lines", "right", "with the right reason"), rows)


def _mean_us(call: Callable[[Line], object], lines: Sequence[Line]) -> float:
    best = float("inf")
    for _ in range(_ROUNDS):
        start = time.process_time()
        for line in lines:
            call(line)
        best = min(best, time.process_time() - start)
    return best / len(lines) * 1e6
