"""What was live when, and who moved it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from knowledge.canon.models import LivePeriod


def list_live_periods(domain_index_ids: Collection[int], *, limit: int = 2000) -> dict[int, list[LivePeriod]]:
    """Release id to the stretches in which it was live, newest first. One query."""
    periods: dict[int, list[LivePeriod]] = {}
    for period in LivePeriod.objects.filter(domain_index_id__in=list(domain_index_ids)).order_by("-id")[:limit]:
        periods.setdefault(period.release_id, []).append(period)
    return periods


def find_current_periods(domain_index_ids: Collection[int]) -> dict[int, LivePeriod]:
    """Domain index id to the stretch that is open. One query."""
    rows = LivePeriod.objects.filter(domain_index_id__in=list(domain_index_ids), ended_at__isnull=True)
    return {row.domain_index_id: row for row in rows}


def find_last_rollback(domain_index_id: int, numbers: Collection[int]) -> LivePeriod | None:
    """The newest stretch of one of the releases that a rollback ended. One query."""
    return (
        LivePeriod.objects.filter(
            domain_index_id=domain_index_id, release__number__in=list(numbers), ended_how="rolled_back"
        )
        .select_related("release")
        .order_by("-id")
        .first()
    )


def merge_periods(periods: Mapping[int, Sequence[LivePeriod]], release_ids: Collection[int]) -> list[LivePeriod]:
    """The stretches in which any of the releases was live, newest first; those that touch are one.

    Unsaved copies: a swap between two of the releases leaves no seam, since what they share stayed live.
    """
    rows = sorted(
        (period for release_id in release_ids for period in periods.get(release_id, ())), key=lambda row: row.began_at
    )
    merged: list[LivePeriod] = []
    for row in rows:
        last = merged[-1] if merged else None
        if last is not None and last.ended_at == row.began_at:
            last.ended_at, last.ended_how, last.ended_by = row.ended_at, row.ended_how, row.ended_by
            last.ended_why = row.ended_why
        else:
            merged.append(_copy(row))
    return merged[::-1]


def _copy(row: LivePeriod) -> LivePeriod:
    values = {field.attname: getattr(row, field.attname) for field in LivePeriod._meta.concrete_fields}  # noqa: SLF001
    return LivePeriod(**values)
