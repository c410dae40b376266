"""What is known must survive harmless remarks, and end on a plain denial."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bench.facts import Reader
from bench.report import Report
from factcheck.instant.core.survival import try_case

SHIPPED = Path(__file__).resolve().parents[1] / "qa" / "facts" / "survival.jsonl"
MIN_ENDS_HEARD = 0.8
"""Plain denials that must be heard: what protects may be hard to remove, not impossible."""
_ALLERGIES = "nuts peanuts milk eggs fish shellfish penicillin cats dogs pollen gluten honey latex soy"
_BANS = "leather spiders gore torture wool high_heels snakes clowns fur alcohol pork violence harm_to_children"
SAFETY_FACTS = [
    *({"type": "allergy", "key": key, "value": key} for key in _ALLERGIES.split()),
    *({"type": "hard_ban", "key": key, "value": key.replace("_", " ")} for key in _BANS.split()),
]
_CLAIM = [{"role": "assistant", "text": "You are allergic to nuts, and I keep spiders out of the story."}]


def run(options: argparse.Namespace) -> Report:
    """Lists what went wrong. `ended` counts harmless remarks that ended a fact, `negatives_ended` real chat lines."""
    report = Report("survival")
    reader = Reader(options.by)
    _run_cases(report, reader, [SHIPPED, *options.files])
    if options.negatives is not None:
        _run_negatives(report, reader, options.negatives)
    else:
        report.say("no --negatives FOLDER: real chat lines were not read")
    return report


def _run_cases(report: Report, reader: Reader, files: Sequence[Path]) -> None:
    counts: Counter[tuple[str, bool]] = Counter()
    wrong, ended = [], 0
    for case in (case for path in files for case in _read(path)):
        found = try_case(case, reader.compiled, reader.concepts, reader.list_changes)
        holds = found.holds(case["expect"], case.get("about", ()))
        counts[case["expect"], holds] += 1
        ended += bool(found.ended) and case["expect"] != "end"
        if not holds:
            wrong.append((case["expect"], ", ".join(found.ended), ", ".join(found.disputed), case["text"]))
    report.table(("expected", "ended", "disputed", "message"), wrong)
    for expect in ("keep", "dispute_or_keep", "end"):
        report.say(f"{expect}: {counts[expect, True]} of {counts[expect, True] + counts[expect, False]}")
    report.figure("ended", ended, at_most=0)
    report.figure(
        "ends_heard", counts["end", True] / max(1, counts["end", True] + counts["end", False]), at_least=MIN_ENDS_HEARD
    )


def _run_negatives(report: Report, reader: Reader, folder: Path) -> None:
    """Every line twice: by itself, and as the answer to an assistant that claims two of the facts."""
    lines, rows, counts = 0, [], Counter[str]()
    for path in sorted(folder.glob("*.tsv")):
        for line in path.read_text(encoding="utf-8").splitlines():
            text = line.split("\t", 2)[2]
            lines += 1
            for context in ([], _CLAIM):
                if not reader.may_correct(text, context[-1]["text"] if context else ""):
                    continue
                case = {"known": SAFETY_FACTS, "context": context, "text": text}
                found = try_case(case, reader.compiled, reader.concepts, reader.list_changes)
                what = "ended" if found.ended else "disputed" if found.disputed and not context else ""
                counts[what] += bool(what)
                rows += [(what, ", ".join(found.ended or found.disputed), text)] if what else []
    report.table(("what", "facts", "line"), rows)
    report.say(f"{lines} lines against {len(SAFETY_FACTS)} safety facts")
    report.figure("negatives_ended", counts["ended"], at_most=0)
    report.figure("negatives_disputed_per_10000", counts["disputed"] / max(1, lines) * 10_000, at_most=5)


def _read(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)
