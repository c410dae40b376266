"""Instant patterns: time a message that was never seen before, against `re` one by one, and growth with length."""

from __future__ import annotations

import argparse
import json
import random
import re
import time
from collections.abc import Callable, Sequence

from bench.facts import CASES, Reader
from bench.report import Report
from factcheck.instant.core.expressions import BUILT_IN_MACROS, translate
from factcheck.instant.core.messages import fold
from factcheck.instant.core.pattern_sets import read_shipped_pattern_sets

_SIZES = (10_000, 100_000, 1_000_000)
_ROUNDS = 3
_TALK = ("typed", "plain", "natural", "dialects", "voices")
"""The files of labelled lines that hold ordinary talk."""
_SHARE_WITH_FACT = 0.1


def run(options: argparse.Namespace) -> Report:
    """Mean µs a message (limit 50), the ratio to one by one, and how much dearer a character gets up to 1 MB."""
    report = Report("patterns")
    reader = Reader()
    lines = _read_lines(2 * options.messages)
    earlier, messages = lines[: len(lines) // 2], lines[len(lines) // 2 :]
    folded = [fold(message) for message in messages]
    for message in earlier:
        reader.read(message)
    matching = _mean_us(reader.compiled.match, folded[::2], rounds=1)
    whole = _mean_us(reader.read, messages[1::2], rounds=1)
    again = _mean_us(reader.read, messages)
    expressions = _compile_one_by_one()
    report.say(f"{len(messages)} messages behind {len(earlier)} others, {len(reader.compiled.patterns)} patterns")
    one_by_one = _mean_us(
        lambda text: [found for found in expressions if found.search(text)], folded[: options.compared]
    )
    report.table(
        ("what", "mean µs a message"),
        [
            ("folding, matching, reading, of messages never seen", whole),
            ("the same once they were seen", again),
            ("matching alone: groups of RE2, of messages never seen", matching),
            (f"matching alone: {len(expressions)} expressions one by one", one_by_one),
        ],
    )
    costs = {size: _us_a_character(reader, " ".join(messages), size) for size in _SIZES}
    report.table(("characters", "µs a character"), list(costs.items()))
    report.data = {
        "mean_us": whole,
        "again_us": again,
        "matching_us": matching,
        "one_by_one_us": one_by_one,
        "us_a_character": costs,
    }
    report.figure("mean_us_a_message", whole, at_most=50)
    report.figure("one_by_one_ratio", one_by_one / matching, at_least=1)
    report.figure("growth_a_character", costs[_SIZES[-1]] / costs[_SIZES[0]], at_most=2)
    return report


def _compile_one_by_one() -> list[re.Pattern[str]]:
    """The same rows for Python's `re`, which lacks \\p classes: letters and digits are written as \\w there."""
    pattern_sets = read_shipped_pattern_sets()
    macros = {
        **BUILT_IN_MACROS,
        **{name: text for pattern_set in pattern_sets for name, text in pattern_set.macros.items()},
    }
    return [
        re.compile(_for_re(translate(row.name, row.pattern, macros, bounded=True)))
        for pattern_set in pattern_sets
        for row in pattern_set.patterns
    ]


def _for_re(source: str) -> str:
    return re.sub(r"\\p\{[LN]\}", r"\\w", source).replace(r"\w\w", r"\w")


def _read_lines(count: int) -> list[str]:
    """Lines of ordinary talk, no two alike, of which one in ten states a fact."""
    stating: list[str] = []
    others: list[str] = []
    for name in _TALK:
        for row in (CASES / f"statements-{name}.jsonl").read_text(encoding="utf-8").splitlines():
            line = json.loads(row)
            (stating if line["expect"] else others).append(line["text"])
    chooser = random.Random(37)
    chooser.shuffle(stating)
    chooser.shuffle(others)
    count = min(count, len(others))
    lines = list(dict.fromkeys([*stating[: int(count * _SHARE_WITH_FACT)], *others]))[:count]
    chooser.shuffle(lines)
    return lines


def _mean_us(call: Callable[[str], object], texts: Sequence[str], *, rounds: int = _ROUNDS) -> float:
    best = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        for text in texts:
            call(text)
        best = min(best, time.perf_counter() - start)
    return best / len(texts) * 1e6


def _us_a_character(reader: Reader, text: str, size: int) -> float:
    sample = (text * (size // len(text) + 1))[:size]
    return _mean_us(reader.read, [sample]) / size
