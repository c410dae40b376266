"""Every fact that is read out of messages which should hold none, for a person to judge."""

from __future__ import annotations

import argparse
from collections import Counter

from bench.facts import Reader
from bench.report import Report

MAX_PER_TEN_THOUSAND = 2


def run(options: argparse.Namespace) -> Report:
    """Lists each hit; hits per 10,000 messages by language count as false unless their text is among `--true`."""
    report = Report("negatives")
    reader = Reader(options.by)
    judged_true = set(options.true_path.read_text(encoding="utf-8").splitlines()) if options.true_path else set()
    messages: Counter[str] = Counter()
    false_facts: Counter[str] = Counter()
    rows = []
    for path in options.files:
        for line in path.read_text(encoding="utf-8").splitlines():
            language, _, text = line.split("\t", 2)
            messages[language] += 1
            for fact in reader.read(text):
                is_true = text in judged_true
                false_facts[language] += not is_true
                rows.append((language, "true" if is_true else "judge", f"{fact.type} {fact.key}", fact.pattern, text))
    report.table(("language", "judged", "fact", "pattern", "message"), rows)
    for language, count in sorted(messages.items()):
        rate = false_facts[language] / count * 10_000
        report.say(f"{language}: {count} messages, {false_facts[language]} facts not judged true")
        report.figure(f"false_per_10000_{language}", rate, at_most=MAX_PER_TEN_THOUSAND)
    report.data = {"hits": rows, "messages": dict(messages)}
    return report
