"""Publishing and rolling back with few and with many passages: one pointer moves, whatever the size."""

from __future__ import annotations

import argparse

from bench.report import Report, measure_ms, median

SWAPS = 15


def run(options: argparse.Namespace) -> Report:
    """Medians of a swap and of a rollback in a small and in a large world."""
    from bench.corpus import load_release, make_texts

    report = Report("swap")
    swaps, rollbacks, rows = [], [], []
    for name, count in (("small", options.small), ("large", options.large)):
        report.say(f"loading {count} passages")
        release, _ = load_release(f"swap-{name}", lambda count=count: make_texts(count), say=report.say)
        report.say(f"swapping {SWAPS} times")
        swap_ms, rollback_ms = measure(release.domain_index_id)
        swaps.append(swap_ms)
        rollbacks.append(rollback_ms)
        rows.append((count, swap_ms, rollback_ms))
    report.table(("passages", "swap ms", "rollback ms"), rows)
    report.figure("swap_growth", swaps[1] / swaps[0], at_most=2)
    report.figure("rollback_growth", rollbacks[1] / rollbacks[0], at_most=2)
    return report


def measure(domain_index_id: int) -> tuple[float, float]:
    """Medians in milliseconds of `publish_release` and of `roll_back`, each preceded by a release of one small edit."""
    from knowledge.canon.actions import build_release, publish_release, roll_back, start_release
    from knowledge.canon.actions.swap import record_gate
    from knowledge.canon.core.article import parse_article
    from knowledge.canon.core.edits import Edit

    swaps, rollbacks = [], []
    for number in range(SWAPS + 1):
        content = {
            "slug": f"swap-{number}",
            "title": f"Swap {number}",
            "type": "article",
            "language": "en",
            "body": "New.",
        }
        release = start_release(domain_index_id=domain_index_id, edits=[Edit(None, parse_article(content))])
        build_release(release.pk)
        record_gate(release.pk, state="passed")
        swaps += measure_ms(publish_release, [release.pk])
        base = release.base_number or 1
        rollbacks += measure_ms(lambda number: roll_back(domain_index_id, to_number=number), [base])
        roll_back(domain_index_id, to_number=release.number)
    return median(swaps[1:]), median(rollbacks[1:])
