"""What the second stage adds to instant hearing without a chat model: the offline proposer, through the gate.

Each line is read twice. *Posted*: as a player posts it, by patterns and meaning at once. *Imported*: in a batch of more
than ten, by patterns alone. Lines of ``qa/facts`` were fitted to: what counts are the others, told of as `unseen`.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.facts import CASES, Reader
from bench.heard import Tally, read_lines, read_previous
from bench.report import Report
from factcheck.extraction.core.gate import GateRules, check_deltas
from factcheck.extraction.golden.cases import build_given, make_known
from factcheck.extraction.golden.scores import as_fact
from factcheck.instant.core.extracted import ExtractedFact
from factcheck.instant.core.labelled_lines import SAID_AT, is_meant

MIN_PRECISION = 0.97
"""Of what is added."""
WAYS = {"posted": "both", "imported": "patterns"}


@dataclass
class Added:
    """What instant hearing made of lines, and what came on top."""

    instant: Tally = field(default_factory=Tally)
    right: int = 0
    wrong: int = 0

    @property
    def recall(self) -> float:
        """With what was added."""
        expected = self.instant.right + self.instant.missed
        return (self.instant.right + self.right) / expected if expected else 1.0

    @property
    def precision(self) -> float:
        """Of what was added; 1 of nothing."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 1.0


def run(options: argparse.Namespace) -> Report:
    """By language, for each way that a message comes in; the precision of all that is added must hold."""
    report = Report("extraction")
    lines = [line for path in options.files for line in read_lines(path)]
    lines = [line for line in lines if isinstance(line.get("expect"), list) and not line.get("known")]
    fitted = _list_fitted()
    readers = {way: Reader(by) for way, by in WAYS.items()}
    proposer = _Proposer(readers["posted"])
    groups: dict[tuple[str, str, str], Added] = defaultdict(Added)
    for line in lines:
        part = "seen" if line["text"] in fitted else "unseen"
        for way, reader in readers.items():
            instant = reader.read(line["text"], previous=read_previous(line.get("context")))
            added = proposer.add(line, instant)
            for name in (str(line.get("language", "?")), "all"):
                _count(groups[way, part, name], line, instant, added, reader)
            if options.show:
                for fact in added:
                    mark = "right" if _is_expected(fact, line, reader) else "WRONG"
                    report.say(f"{way} {mark} {fact.type} {fact.key} {fact.value}: {line['text']!r}")
    report.table(
        ("way", "lines", "language", "recall", "with", "right+", "wrong+", "precision of +"),
        [
            (*group, added.instant.recall, added.recall, added.right, added.wrong, added.precision)
            for group, added in sorted(groups.items())
        ],
    )
    for way in WAYS:
        sums = [added for group, added in groups.items() if group[0] == way and group[2] == "all"]
        right, wrong = sum(added.right for added in sums), sum(added.wrong for added in sums)
        report.say(f"{way}: {right} right and {wrong} wrong facts added")
        report.figure(f"precision_{way}", right / (right + wrong) if right + wrong else 1.0, at_least=MIN_PRECISION)
    return report


class _Proposer:
    """The offline proposer with the gate behind it."""

    def __init__(self, reader: Reader) -> None:
        from factcheck.extraction.proposers.offline.proposer import OfflineProposer

        self._offline = OfflineProposer(reader.compiled, reader.concepts, reader.scorer)
        self._rules = GateRules(reader.compiled, reader.concepts)

    def add(self, line: dict[str, Any], instant: Sequence[ExtractedFact]) -> list[ExtractedFact]:
        """What is accepted beside what instant hearing has made of a line."""
        messages = [*_list_context(line.get("context")), {"role": "user", "text": line["text"]}]
        known = [
            make_known(place, fact.type, fact.key, fact.value, said_at=SAID_AT.replace(year=SAID_AT.year + 1))
            for place, fact in enumerate(instant, 1)
        ]
        given = build_given(messages, known, language=str(line.get("language", "en")))
        proposal = self._offline.propose(given, language="en", timeout_seconds=60)
        verdicts = check_deltas(list(proposal.deltas), given, self._rules)
        return [as_fact(verdict) for verdict in verdicts if verdict.is_accepted and verdict.fact_id is None]


def _list_context(context: Any) -> list[dict[str, str]]:
    """What was said before the line, as messages."""
    said = [context] if isinstance(context, str) else context or []
    spoken = [{"text": each} if isinstance(each, str) else each for each in said]
    return [
        {"role": each.get("role", "assistant"), "text": each.get("text", each.get("content", ""))} for each in spoken
    ]


def _count(
    added_to: Added,
    line: dict[str, Any],
    instant: Sequence[ExtractedFact],
    added: Sequence[ExtractedFact],
    reader: Reader,
) -> None:
    """An expected fact counts once, for who found it first; what repeats one counts for nobody."""
    for each in line["expect"]:
        if any(is_meant(fact, each, reader.concepts) for fact in instant):
            added_to.instant.right += 1
            continue
        added_to.instant.missed += 1
        added_to.right += any(is_meant(fact, each, reader.concepts) for fact in added)
    added_to.wrong += sum(not _is_expected(fact, line, reader) for fact in added)


def _is_expected(fact: ExtractedFact, line: dict[str, Any], reader: Reader) -> bool:
    return any(is_meant(fact, each, reader.concepts) for each in line["expect"])


def _list_fitted() -> set[str]:
    """The texts of all lines that the patterns or the weights were made with."""
    paths: list[Path] = sorted(CASES.glob("*.jsonl"))
    rows = [row for path in paths for row in path.read_text(encoding="utf-8").splitlines() if row.strip()]
    return {json.loads(row)["text"] for row in rows}
