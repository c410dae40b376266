"""Why NPCs stand as they do: the moves of the ledger, each with the scene behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import F

from episodes.models import EpisodicSummary
from npcs.dispositions.core.chart import Chart, Move, build_chart
from npcs.dispositions.core.moves import Scale, Towards
from npcs.dispositions.selectors import LedgerEntry, list_compensated, list_ledger


@dataclass(frozen=True, slots=True)
class Reason:
    """A move, the summary that brought it (None where it came by hand or the summary is unknown), and its state."""

    entry: LedgerEntry
    summary: EpisodicSummary | None
    is_taken_back: bool

    @property
    def towards(self) -> str:
        """Towards whom, in one word."""
        return f"{self.entry.towards_kind} {self.entry.towards_id}"


@dataclass(frozen=True, slots=True)
class ReasonPage:
    """Moves, newest first, and where to go on; None where there are no more."""

    reasons: tuple[Reason, ...]
    next_before: int | None


def list_disposition_history(
    *,
    tenant_id: int,
    world_id: int,
    npc_pk: int,
    towards: tuple[Towards, str] | None = None,
    with_users: bool = True,
    before: int | None = None,
    limit: int = 100,
) -> ReasonPage:
    """The moves of an NPC, all or towards one, each with its scene. Three queries."""
    kind, towards_id = towards or (None, "")
    found = list_ledger(
        tenant_id=tenant_id,
        npc_pk=npc_pk,
        towards_kind=kind,
        towards_id=towards_id,
        with_users=with_users,
        before=before,
        limit=limit + 1,
    )
    entries = found[:limit]
    taken_back = list_compensated(tenant_id=tenant_id, entry_ids=[entry.id for entry in entries])
    wanted = {entry.summary_id for entry in entries if entry.summary_id}
    rows = EpisodicSummary.objects.select_related("campaign", "scene").filter(
        tenant_id=tenant_id, world_id=world_id, summary_id__in=wanted
    )
    rows = rows.order_by(F("undone_by").desc(nulls_last=True), "pk")  # of one id, what holds comes last and wins
    summaries = {row.summary_id: row for row in rows}
    reasons = tuple(Reason(entry, summaries.get(entry.summary_id), entry.id in taken_back) for entry in entries)
    return ReasonPage(reasons, entries[-1].id if len(found) > limit else None)


def chart_reasons(reasons: Sequence[Reason], scale: Scale) -> Chart:
    """The chart of the moves; they come newest first."""
    return build_chart([_to_move(reason) for reason in reversed(reasons)], scale)


def _to_move(reason: Reason) -> Move:
    entry, summary = reason.entry, reason.summary
    scene = "" if summary is None else f" · {summary.scene.external_id}, {summary.summary_id}"
    told = f"{entry.happened_at:%-d %b %Y}{scene}\n{entry.applied:+g} → {entry.balance_after:g}: {entry.reason}"
    return Move(entry.id, reason.towards, entry.applied, entry.balance_after, entry.happened_at, told)
