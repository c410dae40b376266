"""Reviewers' verdicts as labelled lines: what people said of single proposals, beside what hearing makes of the rest.

A verdict is about one value of a message. The other values of that message stay what hearing believes of them now:
nobody has said that they are wrong.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.extracted import ExtractedFact
from factcheck.instant.core.labelled_lines import Expected, LabelledLine, is_meant

ACCEPTED = "accepted"
TOLERANCE = 0.01
"""Of recall and of precision: with any new weights a line in a hundred falls to the other side."""
MIN_JUDGED = 10
"""Of fewer expected or heard facts one alone is more than the tolerance: these groups are not judged."""
ALL = "all"
Hear = Callable[[str], Sequence[ExtractedFact]]


@dataclass(frozen=True, slots=True)
class ReviewedValue:
    """A proposed value of a message, and whether people say that it is a fact."""

    text: str
    language: str
    expected: Expected
    is_right: bool


@dataclass
class GroupTally:
    """Facts of a language or a type."""

    right: int = 0
    wrong: int = 0
    missed: int = 0


def read_reviewed(path: Path) -> tuple[list[LabelledLine], list[ReviewedValue]]:
    """What `manage.py export_labels` wrote. Raises OSError, ValueError, KeyError, TypeError.

    Lines with `expect` say all facts of their message; those with a `context` are left out: alone they mean nothing.
    Golden cases (`type`, `key`, `value`, `expected`) speak of one value.
    """
    lines, values = [], []
    for row in path.read_text(encoding="utf-8").splitlines():
        line = json.loads(row) if row.strip() else None
        if not line or line.get("context"):
            continue
        text, language = str(line["text"]), str(line.get("language", ""))
        if "expect" in line:
            lines.append(LabelledLine(text, language, tuple(line["expect"])))
            continue
        spellings = [str(line[name]) for name in ("value", "key") if line[name]]
        expected = {"type": line["type"], "any_of": spellings}
        values.append(ReviewedValue(text, language, expected, line["expected"] == ACCEPTED))
    return lines, values


def merge_reviewed(
    lines: Sequence[LabelledLine], reviewed: Iterable[ReviewedValue], *, hear: Hear, concepts: ConceptTable
) -> list[LabelledLine]:
    """The lines with those of the reviewed messages behind them; a message that is labelled already stays as it is."""
    known = {line.text for line in lines}
    texts: dict[str, list[ReviewedValue]] = {}
    for each in reviewed:
        if each.text.strip() and each.text not in known:
            texts.setdefault(each.text, []).append(each)
    return [*lines, *(_make_line(text, values, hear, concepts) for text, values in texts.items())]


def _make_line(text: str, values: Sequence[ReviewedValue], hear: Hear, concepts: ConceptTable) -> LabelledLine:
    """A value that people disagree on is no fact."""
    refused = [each.expected for each in values if not each.is_right]
    right = [each.expected for each in values if each.is_right and each.expected not in refused]
    said = [*right, *refused]
    heard = [fact for fact in hear(text) if not any(is_meant(fact, each, concepts) for each in said)]
    believed = [{"type": fact.type, "any_of": [fact.value, fact.key]} for fact in heard]
    return LabelledLine(text, values[0].language, (*right, *believed))


def tally_lines(lines: Iterable[LabelledLine], hear: Hear, concepts: ConceptTable) -> dict[str, GroupTally]:
    """What is heard of lines, by language and by type."""
    groups: dict[str, GroupTally] = {}
    for line in lines:
        open_ = list(line.expected)
        for fact in hear(line.text):
            match = next((each for each in open_ if is_meant(fact, each, concepts)), None)
            if match is not None:
                open_.remove(match)
                _add(groups, (line.language, fact.type), right=1)
            elif not line.expects(fact, concepts):
                _add(groups, (line.language, fact.type), wrong=1)
        for each in open_:
            _add(groups, (line.language, each["type"]), missed=1)
    return groups


def list_worse_groups(before: Mapping[str, GroupTally], after: Mapping[str, GroupTally]) -> list[str]:
    """The languages and types of which less is heard than before, or more of what is heard is wrong."""
    worse = []
    for name, then in before.items():
        now = after.get(name, GroupTally())
        expected, heard = then.right + then.missed, then.right + then.wrong
        if expected >= MIN_JUDGED and (then.right - now.right) / expected > TOLERANCE:
            worse.append(f"{name}: {now.right} of {expected} heard, before {then.right}")
        said = now.right + now.wrong
        if heard >= MIN_JUDGED and then.right / heard - (now.right / said if said else 1.0) > TOLERANCE:
            worse.append(f"{name}: {now.wrong} of {said} wrong, before {then.wrong} of {heard}")
    return worse


def _add(
    groups: dict[str, GroupTally], names: Iterable[str], *, right: int = 0, wrong: int = 0, missed: int = 0
) -> None:
    for name in (*names, ALL):
        group = groups.setdefault(name, GroupTally())
        group.right, group.wrong, group.missed = group.right + right, group.wrong + wrong, group.missed + missed
