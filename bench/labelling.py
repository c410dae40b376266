"""Drawing the next item to label, among 100,000 open ones and 16 reviewers, against the bare SQL that it needs."""

from __future__ import annotations

import argparse
import statistics
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence

from django.contrib.auth import get_user_model
from django.db import connection, transaction

from bench.report import Report
from factcheck.extraction.models import ExtractionSample
from reviews.core.actor import Actor
from reviews.labelling.actions.labels import Verdict, submit_label, undo_last_label
from reviews.labelling.actions.leases import draw_item
from reviews.labelling.models import SampleLabel, SampleLease, SampleSkip
from tenancy.actions.worlds import ensure_tenant
from tenancy.models import EndUser

REVIEWERS = 16
MAX_MS = 10
"""Of one draw at 100,000 open items, nineteen times of twenty."""
MAX_RATIO = 4
"""Where the reviewer stands, the strata, a lock and a lease are four statements, against one that does the least.
Ten milliseconds are the aim; on a busy machine the one statement alone takes as long.
"""
RUNS = """
INSERT INTO factcheck_extractionrun (
    tenant_id, end_user_id, triggered_by, mode, state, proposer, model, prompt_version, language, range_hash,
    conversation_to, messages, extracted, nothing, rejected, failed, deltas, deltas_applied, tries, lease_until,
    answer_sealed, sealed_by, error_code, error_detail, reverted_by, revert_reason, finished_at
)
SELECT %s, %s, 'manual', 'on', 'applied', 'offline', '', 'bench', '', sha256(n::text::bytea), '{}', 0, 0, 0, 0, 0, 0, 0,
    1, now(), '', 0, '', '', '', '', now()
FROM generate_series(1, %s) n
"""
SAMPLES = """
INSERT INTO factcheck_extractionsample (tenant_id, end_user_id, kind, run_id, reason, probability, stratum, language)
SELECT tenant_id, end_user_id, 'run', id,
    (ARRAY['random', 'random', 'random', 'floor', 'all', 'risk'])[1 + id %% 6], 0.01, 'bench',
    (ARRAY['en', 'ru', 'ar', 'zh', 'tr', ''])[1 + (id / 7) %% 6]
FROM factcheck_extractionrun WHERE tenant_id = %s
"""
BARE = """
WITH next AS (
    SELECT id, tenant_id FROM factcheck_extractionsample
    WHERE tenant_id = %s AND reason = 'random' AND language = 'en' AND label_count = 0
        AND NOT is_gone AND label_count < labels_wanted
        AND NOT EXISTS (SELECT 1 FROM reviews_samplelease l WHERE l.sample_id = factcheck_extractionsample.id)
    ORDER BY id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
)
INSERT INTO reviews_samplelease (tenant_id, sample_id, reviewer_id, expires_at)
SELECT tenant_id, id, %s, now() + interval '15 minutes' FROM next RETURNING sample_id
"""
"""The least that draws an item for one reviewer: no overlap, skips, gold or order of strata."""


def run(options: argparse.Namespace) -> Report:
    """A draw stays within its limit wherever the reviewer stands, and nothing is given out twice."""
    report = Report("labelling")
    tenant_id = ensure_tenant(slug="bench").pk
    reviewers = [get_user_model().objects.create_user(f"reviewer-{number}").pk for number in range(REVIEWERS)]
    _fill(tenant_id, options.items)
    report.say(f"{options.items} items are open")
    bare = _time(lambda: _draw_bare(tenant_id, reviewers[0]), options.draws)
    SampleLease.objects.all().delete()
    ours = _label_one_by_one(tenant_id, reviewers, options.draws)
    skips = options.items // 20
    _skip_oldest(tenant_id, reviewers[0], skips)
    behind_skips = _time(lambda: _draw_and_release(tenant_id, reviewers[0]), 30)
    alone = _label_first_halves(tenant_id, reviewers[1], options.items)
    lone = _time(lambda: _draw_and_release(tenant_id, reviewers[1]), 30)
    at_once = _label_at_once(tenant_id, reviewers, options.draws // 4)
    undoer = Actor("user", reviewers[2], "reviewer", tenant_id, None)
    undone = _time(lambda: undo_last_label(tenant_id=tenant_id, actor=undoer), 10)
    report.table(
        ["a draw", "median ms", "p95 ms"],
        [
            ["bare SQL, one statement", statistics.median(bare), _p95(bare)],
            ["16 reviewers in turn", statistics.median(ours), _p95(ours)],
            [f"behind {skips} items that the reviewer skipped", statistics.median(behind_skips), _p95(behind_skips)],
            [f"{alone} items wait for a second reviewer than this one", statistics.median(lone), _p95(lone)],
            ["16 threads of one process at once", statistics.median(at_once), _p95(at_once)],
            ["undo", statistics.median(undone), _p95(undone)],
        ],
    )
    base = statistics.median(bare)
    report.figure("draw_p95_ms", _p95(ours), at_most=MAX_MS)
    report.figure("draw_over_sql", statistics.median(ours) / base, at_most=MAX_RATIO)
    report.figure("draw_behind_skips_over_sql", statistics.median(behind_skips) / base, at_most=2 * MAX_RATIO)
    report.figure("draw_of_a_lone_reviewer_over_sql", statistics.median(lone) / base, at_most=2 * MAX_RATIO)
    report.figure("labels_beyond_wanted", _count_excess(), at_most=0)
    return report


def _fill(tenant_id: int, count: int) -> None:
    user, _ = EndUser.objects.get_or_create(tenant_id=tenant_id, external_id="bench")
    with connection.cursor() as cursor:
        cursor.execute(RUNS, [tenant_id, user.pk, count])
        cursor.execute(SAMPLES, [tenant_id])
        cursor.execute("ANALYZE factcheck_extractionsample")


def _time(call: Callable[[], object], count: int) -> list[float]:
    times = []
    for _ in range(count):
        start = time.perf_counter()
        call()
        times.append(1000 * (time.perf_counter() - start))
    return times


def _p95(times: Sequence[float]) -> float:
    return sorted(times)[int(0.95 * (len(times) - 1))]


def _draw_bare(tenant_id: int, reviewer_id: int) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(BARE, [tenant_id, reviewer_id])
        cursor.fetchone()


def _draw_and_release(tenant_id: int, reviewer_id: int) -> None:
    lease = draw_item(tenant_id=tenant_id, reviewer_id=reviewer_id)
    if lease is None:
        raise RuntimeError("nothing was drawn")
    SampleLease.objects.filter(pk=lease.pk).delete()


def _label_one_by_one(tenant_id: int, reviewers: Sequence[int], rounds: int) -> list[float]:
    """Every reviewer has an item open, and one more that is fetched ahead: what they label, they draw anew."""
    open_items = {reviewer: draw_item(tenant_id=tenant_id, reviewer_id=reviewer) for reviewer in reviewers}
    times = []
    for place in range(rounds):
        reviewer = reviewers[place % len(reviewers)]
        lease = open_items[reviewer]
        if lease is None:
            raise RuntimeError("nothing was drawn")
        start = time.perf_counter()
        ahead = draw_item(tenant_id=tenant_id, reviewer_id=reviewer, beside=lease.pk)
        times.append(1000 * (time.perf_counter() - start))
        _label(tenant_id, reviewer, lease.pk)
        open_items[reviewer] = ahead
    return times


def _label(tenant_id: int, reviewer_id: int, lease_id: int) -> None:
    given = Verdict("nothing_missed")
    submit_label(tenant_id=tenant_id, reviewer_id=reviewer_id, lease_id=lease_id, given=given)


def _skip_oldest(tenant_id: int, reviewer_id: int, count: int) -> None:
    SampleLease.objects.all().delete()
    oldest = ExtractionSample.objects.filter(tenant_id=tenant_id).exclude(reason="risk").order_by("id")[:count]
    SampleSkip.objects.bulk_create(
        [SampleSkip(tenant_id=tenant_id, sample=sample, reviewer_id=reviewer_id) for sample in oldest],
        ignore_conflicts=True,
    )


def _label_first_halves(tenant_id: int, reviewer_id: int, count: int) -> int:
    """All that wants two labels has one, by the same reviewer: nobody else is there to give the second."""
    rows = ExtractionSample.objects.filter(tenant_id=tenant_id, labels_wanted=2, label_count=0).order_by("id")[:count]
    waiting = list(rows.values_list("pk", flat=True))
    SampleLabel.objects.bulk_create(
        [
            SampleLabel(tenant_id=tenant_id, sample_id=pk, reviewer_id=reviewer_id, verdict="nothing_missed")
            for pk in waiting
        ],
        batch_size=5_000,
        ignore_conflicts=True,
    )
    ExtractionSample.objects.filter(pk__in=waiting).update(label_count=1)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE factcheck_extractionsample, reviews_samplelabel, reviews_sampleskip")
    return len(waiting)


def _label_at_once(tenant_id: int, reviewers: Sequence[int], each: int) -> list[float]:
    times: list[float] = []
    barrier = threading.Barrier(len(reviewers))

    def work(reviewer: int) -> None:
        barrier.wait()
        for _ in range(each):
            start = time.perf_counter()
            lease = draw_item(tenant_id=tenant_id, reviewer_id=reviewer)
            times.append(1000 * (time.perf_counter() - start))
            if lease is not None:
                _label(tenant_id, reviewer, lease.pk)
        connection.close()

    threads = [threading.Thread(target=work, args=[reviewer]) for reviewer in reviewers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return times


def _count_excess() -> int:
    """Labels that a sample did not want: somebody was given what others had."""
    given = Counter(SampleLabel.objects.filter(undone_at__isnull=True).values_list("sample_id", flat=True))
    wanted = dict(ExtractionSample.objects.filter(pk__in=list(given)).values_list("pk", "labels_wanted"))
    late = SampleLabel.objects.filter(is_late=True).count()
    return late + sum(max(0, count - wanted[pk]) for pk, count in given.items() if pk is not None)
