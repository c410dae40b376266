"""Stories: what edits, lorebooks, events and the graph of play cost. `PARTS` names each with its function."""

from __future__ import annotations

import argparse
import importlib

from bench.report import Report

PARTS = {
    "activation": "bench.stories.activation",
    "edits": "bench.stories.edits",
    "events": "bench.stories.events",
    "graph": "bench.stories.graph",
}
"""Part to module: `measure(report, options)` adds its figures."""
PURE_PARTS = frozenset({"activation"})
"""Parts that need no services."""


def run(options: argparse.Namespace) -> Report:
    """The parts asked for, in one report."""
    report = Report("stories")
    for part in options.parts:
        importlib.import_module(PARTS[part]).measure(report, options)
    return report
