"""Who labelled what, how well, and whether two agree."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict

from django.contrib.auth import get_user_model
from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import Count, Q

from factcheck.extraction.core.statistics import Agreement, ReviewerQuality, count_agreement, wilson_bounds
from factcheck.extraction.models import SampleKind
from reviews.labelling.core.verdicts import ERRORS, LabelVerdict
from reviews.labelling.models import SampleLabel
from reviews.quality.core.tables import Cell, Column, ColumnKind, Table
from reviews.quality.selectors.labels import count_gold, list_pairs

NOBODY = "Nobody has labelled anything in this time."
ALL = "all"


def build_reviewers(tenant_id: int, since: dt.datetime) -> Table:
    """Each person's labels by verdict, their pace, and how they did on gold items."""
    live = SampleLabel.objects.filter(tenant_id=tenant_id, created_at__gte=since, undone_at__isnull=True)
    counts = (
        live.filter(is_gold_check=False)
        .order_by()
        .values_list("reviewer_id")
        .annotate(
            labels=Count("pk"),
            correct=Count("pk", filter=Q(verdict__in=[LabelVerdict.CORRECT, LabelVerdict.NOTHING_MISSED])),
            wrong=Count("pk", filter=Q(verdict__in=[*ERRORS, LabelVerdict.MISSED])),
            unclear=Count("pk", filter=Q(verdict=LabelVerdict.CANNOT_TELL)),
            seconds=ArrayAgg("seconds"),
        )
    )
    gold: defaultdict[int, list[tuple[bool, str]]] = defaultdict(list)
    judged = live.filter(is_gold_check=True, gold__kind=SampleKind.DELTA)
    for reviewer_id, is_planted, verdict in judged.values_list("reviewer_id", "gold__is_planted", "verdict"):
        gold[reviewer_id].append((is_planted, verdict))
    rows = sorted(counts, key=lambda row: -row[1])
    names = dict(get_user_model().objects.filter(pk__in=[row[0] for row in rows]).values_list("pk", "username"))
    cells: list[tuple[Cell, ...]] = [
        (names.get(pk, "–"), *numbers, sorted(seconds)[len(seconds) // 2], *_describe_gold(count_gold(gold[pk])))
        for pk, *numbers, seconds in rows
    ]
    return Table(
        "reviewers",
        "Who labelled what",
        "Gold items have a known answer: they measure the reading, not the person.",
        NOBODY,
        (
            Column("reviewer", "Person", ColumnKind.WORD),
            Column("labels", "Labels", ColumnKind.COUNT),
            Column("right", "Right", ColumnKind.COUNT),
            Column("wrong", "Wrong", ColumnKind.COUNT),
            Column("cannot_tell", "Cannot tell", ColumnKind.COUNT),
            Column("median_seconds", "Seconds each", ColumnKind.COUNT),
            Column("gold_errors_found", "Planted errors found"),
            Column("gold_right_passed", "Right items passed"),
        ),
        cells,
    )


def build_agreement(tenant_id: int, since: dt.datetime) -> Table:
    """How often two people agree on the same item, with the 2×2 table."""
    by_language: dict[str, list[tuple[bool, bool]]] = {}
    for language, first, second in list_pairs(tenant_id, since):
        by_language.setdefault(ALL, []).append((first, second))
        by_language.setdefault(language or "other", []).append((first, second))
    tables = {language: count_agreement(pairs) for language, pairs in by_language.items()}
    return Table(
        "agreement",
        "Agreement",
        "One item in ten goes to two people. AC1 is agreement beyond chance; κ misleads where errors are rare.",
        "No item has two labels yet. One in ten is shown to a second person.",
        (
            Column("language", "Language", ColumnKind.WORD),
            Column("pairs", "Pairs", ColumnKind.COUNT),
            Column("both_right", "Both: right", ColumnKind.COUNT),
            Column("both_wrong", "Both: wrong", ColumnKind.COUNT),
            Column("first_wrong", "First alone: wrong", ColumnKind.COUNT),
            Column("second_wrong", "Second alone: wrong", ColumnKind.COUNT),
            Column("raw", "Agree", ColumnKind.SHARE),
            Column("ac1", "AC1", ColumnKind.NUMBER),
            Column("kappa", "κ", ColumnKind.NUMBER),
        ),
        [(language, *_list_cells(table)) for language, table in tables.items()],
    )


def _list_cells(table: Agreement) -> tuple[Cell, ...]:
    return (
        table.n, table.both_right, table.both_wrong, table.split_first_wrong, table.split_second_wrong, table.raw,
        table.ac1, table.kappa,
    )  # fmt: skip


def _describe_gold(quality: ReviewerQuality) -> tuple[str, str]:
    return _render(quality.planted_found, quality.planted), _render(quality.right_passed, quality.right)


def _render(found: int, n: int) -> str:
    """In words with the interval: a few gold items say little."""
    if not n:
        return ""
    bounds = wilson_bounds(found, n)
    return f"{found} of {n} ({bounds.lower:.0%} to {bounds.upper:.0%})"
