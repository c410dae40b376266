"""What people are to review of a run, decided in the transaction that writes it; and the odds of the next days."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from django.db.models import Count
from django.utils import timezone

from factcheck.extraction.core.sampling import (
    MAX_RISKS_A_DAY,
    POLICY,
    Chosen,
    Policy,
    Rates,
    Standing,
    Stratum,
    Volumes,
    choose,
    count_needed,
    decide_policy,
    describe_rates,
    is_risky,
    make_draw,
    set_rates,
)
from factcheck.extraction.core.verdicts import VerdictCode
from factcheck.extraction.models import (
    ExtractionDelta,
    ExtractionRun,
    ExtractionSample,
    RunMode,
    SampleKind,
    SampleReason,
    SamplingRate,
)
from factcheck.extraction.selectors.sampling import count_volumes, find_sampling_rate, list_versions, name_version
from factcheck.patterns.selectors.patterns import find_stamp
from knowledge.facts.sealing import get_key_ring

EVERYTHING = Rates(accepted=1.0, rejected=1.0, run=1.0)
"""Until the odds of a tenant are set for the first time."""
MAX_CHANGE = 0.1
"""Odds that would change by less than a tenth stay as they are."""


def draw_samples(run: ExtractionRun, deltas: Sequence[ExtractionDelta]) -> list[ExtractionSample]:
    """The items of a run that people are to label, stored. Call it in the transaction that wrote the run's deltas.

    Each delta keeps its draw, by a hash under the installation's key. What the gate refused, and one run in many for
    what is missing in it, are drawn too. Of a breaker's trial everything that passed the gate is taken. What looks
    doubtful is added beside the sample, and enters no estimate. A delta that names no known message shows nothing to
    judge by: it is left out. Four queries at most. Raises FactKeysMissing.
    """
    rates = find_rates(run)
    key = get_key_ring().index_key
    shown = [delta for delta in deltas if delta.evidence]
    strata = [_find_stratum(run, delta) for delta in shown]
    today = _count_today(run, strata) if strata and min(rates.accepted, rates.rejected) < 1 else Counter()
    samples = []
    for delta, stratum in zip(shown, strata, strict=True):
        chosen = _choose(run, delta, stratum, rates, key, today)
        if chosen is not None:
            today[stratum.name, chosen.reason] += 1
            samples.append(_build_sample(run, stratum, chosen, delta))
    drawn = choose(make_draw(key, SampleKind.RUN, run.pk), rates.run, floor_left=0)
    if drawn is not None:
        samples.append(_build_sample(run, Stratum(run.language, "run", run.prompt_version), drawn, None))
    return ExtractionSample.objects.bulk_create(samples)


def _choose(
    run: ExtractionRun, delta: ExtractionDelta, stratum: Stratum, rates: Rates, key: bytes,
    today: Counter[tuple[str, str]],
) -> Chosen | None:  # fmt: skip
    if run.mode == RunMode.TRIAL and not stratum.is_rejected:
        return Chosen(SampleReason.TRIAL, 1.0)
    chosen = choose(
        make_draw(key, SampleKind.DELTA, delta.pk),
        rates.rejected if stratum.is_rejected else rates.accepted,
        floor_left=stratum.floor - today[stratum.name, SampleReason.FLOOR],
    )
    if chosen is not None or stratum.is_rejected:
        return chosen
    is_worth_it = is_risky(operation=str(delta.operation), type_=delta.type, confidence=delta.confidence)
    has_room = today[stratum.name, SampleReason.RISK] < MAX_RISKS_A_DAY
    return Chosen(SampleReason.RISK, 1.0) if is_worth_it and has_room else None


def find_rates(run: ExtractionRun) -> Rates:
    """The odds that hold for a run. A version that the setting has not seen is reviewed at 1 % at least, at once."""
    row = find_sampling_rate(run.tenant_id)
    if row is None:
        return EVERYTHING
    rates = Rates(accepted=row.accepted_rate, rejected=row.rejected_rate, run=row.run_rate)
    if row.policy >= POLICY or (name_version(run) in row.versions and find_stamp() == row.patterns):
        return rates
    return set_rates(POLICY, row.needed, Volumes(row.accepted, row.rejected, row.runs))


def set_sampling_rate(tenant_id: int, standing: Standing, *, made_by: str = "service") -> SamplingRate:
    """The odds for the next days, from what the last 14 say; the row that holds where they would hardly change."""
    policy, needed = decide_policy(standing), count_needed(standing.reviewed.errors)
    volumes = count_volumes(tenant_id)
    rates = set_rates(policy.share, needed, volumes)
    current, versions, patterns = find_sampling_rate(tenant_id), list_versions(tenant_id), find_stamp()
    if current is not None and _is_alike(current, policy, rates, versions, patterns):
        return current
    return SamplingRate.objects.create(
        tenant_id=tenant_id,
        policy=policy.share,
        accepted_rate=rates.accepted,
        rejected_rate=rates.rejected,
        run_rate=rates.run,
        needed=needed,
        accepted=volumes.accepted,
        rejected=volumes.rejected,
        runs=volumes.runs,
        reviewed=standing.reviewed.n,
        errors=standing.reviewed.errors,
        ceiling=standing.reviewed.ceiling,
        versions=versions,
        patterns=patterns,
        reason=describe_rates(policy, needed, volumes, rates)[:500],
        made_by=made_by,
    )


def _is_alike(row: SamplingRate, policy: Policy, rates: Rates, versions: list[str], patterns: str) -> bool:
    pairs = [
        (row.accepted_rate, rates.accepted), (row.rejected_rate, rates.rejected), (row.run_rate, rates.run),
    ]  # fmt: skip
    return (
        row.policy == policy.share
        and row.versions == versions
        and row.patterns == patterns
        and all(abs(new - old) <= MAX_CHANGE * old for old, new in pairs)
    )


def _find_stratum(run: ExtractionRun, delta: ExtractionDelta) -> Stratum:
    return Stratum(
        language=delta.language,
        operation=str(delta.operation),
        prompt_version=run.prompt_version,
        is_rejected=delta.verdict != VerdictCode.ACCEPTED,
    )


def _count_today(run: ExtractionRun, strata: Iterable[Stratum]) -> Counter[tuple[str, str]]:
    """What was taken today whatever the rate, by stratum and reason. One query by index."""
    today = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
    rows = ExtractionSample.objects.filter(
        tenant_id=run.tenant_id,
        stratum__in={each.name for each in strata},
        created_at__gte=today,
        reason__in=[SampleReason.FLOOR, SampleReason.RISK],
    )
    counts = rows.order_by().values_list("stratum", "reason").annotate(count=Count("*"))
    return Counter({(stratum, reason): count for stratum, reason, count in counts})


def _build_sample(
    run: ExtractionRun, stratum: Stratum, chosen: Chosen, delta: ExtractionDelta | None
) -> ExtractionSample:
    return ExtractionSample(
        tenant_id=run.tenant_id,
        end_user_id=run.end_user_id,
        kind=SampleKind.RUN if delta is None else SampleKind.DELTA,
        run=run,
        delta=delta,
        reason=chosen.reason,
        probability=chosen.probability,
        stratum=stratum.name,
        language=stratum.language,
    )
