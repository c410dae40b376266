"""How talk becomes facts: the funnel, what the gate refused, cost, and how late it is."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from statistics import quantiles

from django.db.models import Count, Min, Q, Sum
from django.db.models.functions import TruncDate

from episodes.models import Message
from factcheck.extraction.core.verdicts import VerdictCode
from factcheck.extraction.models import DeltaOutcome, ExtractionDelta, ExtractionRun, RunMessage, RunState
from reviews.labelling.models import SampleLabel
from reviews.quality.core.charts import Chart, chart_bars
from reviews.quality.core.tables import Cell, Column, ColumnKind, Table

FACT_OUTCOMES = (
    DeltaOutcome.WRITTEN, DeltaOutcome.SUPERSEDED, DeltaOutcome.CONFIRMED,
    DeltaOutcome.DISPUTED, DeltaOutcome.ENDED,
)  # fmt: skip
"""What changed what is known."""
NO_RUNS = "No run yet. Switch extraction on for the tenant: shadow reads and writes nothing, on writes."
MAX_TIMED_RUNS = 1000
DAYS_OF_MONTH = 30
CENTS = 100


def build_funnel(tenant_id: int, since: dt.datetime) -> tuple[Table, Chart | None]:
    """Proposals that came, passed the gate, became candidates and facts, and were reviewed, by language."""
    passed = Q(verdict=VerdictCode.ACCEPTED.value)
    rows = list(
        ExtractionDelta.objects.filter(tenant_id=tenant_id, created_at__gte=since)
        .order_by("language")
        .values_list("language")
        .annotate(
            proposed=Count("pk"),
            gated=Count("pk", filter=passed),
            shadowed=Count("pk", filter=Q(outcome=DeltaOutcome.SHADOWED)),
            candidates=Count("pk", filter=Q(outcome=DeltaOutcome.CANDIDATE)),
            facts=Count("pk", filter=Q(outcome__in=FACT_OUTCOMES)),
        )
    )
    reviewed = dict(
        SampleLabel.objects.filter(
            tenant_id=tenant_id, sample__delta__isnull=False, sample__delta__created_at__gte=since,
            undone_at__isnull=True,
        )
        .order_by()
        .values_list("sample__language")
        .annotate(count=Count("sample_id", distinct=True))
    )  # fmt: skip
    cells: list[tuple[Cell, ...]] = [
        (language or "other", *counts, reviewed.get(language, 0)) for language, *counts in rows
    ]
    columns = (
        Column("language", "Language", ColumnKind.WORD),
        Column("proposed", "Proposed", ColumnKind.COUNT),
        Column("gated", "Passed the gate", ColumnKind.COUNT),
        Column("shadowed", "Shadowed", ColumnKind.COUNT),
        Column("candidates", "Candidates", ColumnKind.COUNT),
        Column("facts", "Facts", ColumnKind.COUNT),
        Column("reviewed", "Reviewed", ColumnKind.COUNT),
    )
    totals = [sum(counts) for counts in zip(*(counts for _, *counts in rows), strict=True)] or [0] * 5
    table = Table(
        "funnel", "From proposal to fact",
        "A candidate waits for more evidence; a fact was written, confirmed, disputed or ended. Shadowed: passed, in a "
        "run that writes nothing.",
        NO_RUNS, columns, cells,
    )  # fmt: skip
    if not rows:
        return table, None
    steps = [
        ("proposed", totals[0]), ("gated", totals[1]), ("candidate", totals[3]), ("fact", totals[4]),
        ("reviewed", sum(reviewed.values())),
    ]  # fmt: skip
    return table, chart_bars("funnel", "From proposal to fact, all languages", steps)


def build_refusals(tenant_id: int, since: dt.datetime) -> Table:
    """What the gate refused, by its code."""
    rows = (
        ExtractionDelta.objects.filter(tenant_id=tenant_id, created_at__gte=since)
        .exclude(verdict=VerdictCode.ACCEPTED.value)
        .order_by()
        .values_list("verdict")
        .annotate(count=Count("pk"))
    )
    counts = sorted(rows, key=lambda row: (-row[1], row[0]))
    total = sum(count for _, count in counts)
    return Table(
        "refusals",
        "What the gate refused",
        "Many of one code mean that the prompt asks for what the gate does not believe.",
        "The gate has refused nothing in this time.",
        (
            Column("code", "Code"),
            Column("count", "Proposals", ColumnKind.COUNT),
            Column("share", "Share", ColumnKind.SHARE),
        ),
        [(code, count, count / total) for code, count in counts],
    )


def build_costs(tenant_id: int, since: dt.datetime, days: int) -> Table:
    """Runs, tokens and money by day, and cents a user a month."""
    runs = ExtractionRun.objects.filter(tenant_id=tenant_id, created_at__gte=since)
    rows = (
        runs.annotate(day=TruncDate("created_at"))
        .order_by("-day")
        .values_list("day")
        .annotate(
            runs=Count("pk"),
            failed=Count("pk", filter=Q(state=RunState.FAILED)),
            users=Count("end_user_id", distinct=True),
            messages=Sum("messages"),
            read=Sum("input_tokens"),
            wrote=Sum("output_tokens"),
            cost=Sum("cost_usd"),
        )
    )
    whole = runs.aggregate(users=Count("end_user_id", distinct=True), cost=Sum("cost_usd"))
    return Table(
        "cost",
        "Runs and cost",
        "By day, in UTC. Money by the prices that are set; the offline proposer costs nothing.",
        NO_RUNS,
        (
            Column("day", "Day", ColumnKind.DAY),
            Column("runs", "Runs", ColumnKind.COUNT),
            Column("failed", "Failed", ColumnKind.COUNT),
            Column("users", "Players", ColumnKind.COUNT),
            Column("messages", "Messages", ColumnKind.COUNT),
            Column("input_tokens", "Tokens read", ColumnKind.COUNT),
            Column("output_tokens", "Tokens written", ColumnKind.COUNT),
            Column("cost_usd", "US$", ColumnKind.NUMBER),
        ),
        [(*cells, None if cost is None else float(cost)) for *cells, cost in rows],
        (_render_cents(whole["users"], whole["cost"], days),) if whole["users"] else (),
    )


def build_lags(tenant_id: int, since: dt.datetime) -> Table:
    """How long what was said waited until it was worked off, by day: of the last 1,000 runs."""
    runs = ExtractionRun.objects.filter(
        tenant_id=tenant_id, created_at__gte=since, state=RunState.APPLIED, finished_at__isnull=False
    ).order_by("-created_at")
    timed = {pk: at for pk, at in runs.values_list("pk", "finished_at")[:MAX_TIMED_RUNS] if at is not None}
    message_of = dict(RunMessage.objects.filter(run_id__in=timed).values_list("message_id", "run_id"))
    first: dict[int, dt.datetime] = {}
    said = Message.objects.filter(pk__in=list(message_of)).order_by().values_list("pk").annotate(at=Min("created_at"))
    for message_id, at in said:
        run_id = message_of[message_id]
        first[run_id] = min(at, first.get(run_id, at))
    days: defaultdict[dt.date, list[float]] = defaultdict(list)
    for run_id, at in first.items():
        days[timed[run_id].date()].append(max(0.0, (timed[run_id] - at).total_seconds() / 60))
    return Table(
        "lag",
        "How late facts are",
        "Minutes from the first message of a run to its end: half of the runs, and nineteen of twenty.",
        NO_RUNS,
        (
            Column("day", "Day", ColumnKind.DAY),
            Column("runs", "Runs", ColumnKind.COUNT),
            Column("median_minutes", "Half within", ColumnKind.NUMBER),
            Column("p95_minutes", "95 % within", ColumnKind.NUMBER),
        ),
        [(day, len(days[day]), *_find_quantiles(days[day])) for day in sorted(days, reverse=True)],
    )


def _find_quantiles(values: list[float]) -> tuple[float, float]:
    if len(values) == 1:
        return values[0], values[0]
    cuts = quantiles(values, n=20, method="inclusive")
    return cuts[9], cuts[18]


def _render_cents(users: int, cost: object, days: int) -> str:
    if cost is None:
        return f"{users:,} players were read; no price is set, so no cost is known."
    cents = float(str(cost)) * CENTS / users * DAYS_OF_MONTH / days
    return f"{cents:,.2f} cents a player a month ({users:,} players, US$ {float(str(cost)):,.2f} in {days} days)."
