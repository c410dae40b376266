"""Reads of checkpoints and rollbacks."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from django.db import connection

from episodes.errors import UnknownCampaign
from episodes.models import Campaign, Checkpoint, Rollback
from knowledge.search.sql import read_query

LINE = Path(__file__).parent / "sql" / "line.sql"


@dataclass(frozen=True, slots=True)
class CheckpointView:
    """A checkpoint, and whether play still stands on its line."""

    checkpoint: Checkpoint
    is_current: bool
    """False: a rollback left its line; going to it brings that line back."""


@dataclass(frozen=True, slots=True)
class RollbackView:
    """A rollback and how many rows of each kind it undid, restored and changed."""

    rollback: Rollback
    counts: dict[str, dict[str, int]]


def read_line(checkpoint_id: int | None) -> frozenset[int]:
    """The checkpoint and all above it: what belongs to them, or to none, holds below. One query, none for None."""
    if checkpoint_id is None:
        return frozenset()
    with connection.cursor() as cursor:
        cursor.execute(read_query(LINE), {"checkpoint_id": checkpoint_id})
        return frozenset(row[0] for row in cursor.fetchall())


def list_checkpoints(
    *, tenant_id: int, world_id: int, campaign_id: str, before: int | None = None, limit: int = 50
) -> list[CheckpointView]:
    """The campaign's checkpoints, newest first. Three queries. Raises UnknownCampaign."""
    campaign = _get_campaign(tenant_id, world_id, campaign_id)
    rows = Checkpoint.objects.select_related("scene").filter(tenant_id=tenant_id, campaign=campaign)
    if before is not None:
        rows = rows.filter(pk__lt=before)
    line = read_line(campaign.head_id)
    return [CheckpointView(row, row.pk in line) for row in rows.order_by("-pk")[:limit]]


def list_rollbacks(
    *, tenant_id: int, world_id: int, campaign_id: str, before: int | None = None, limit: int = 50
) -> list[RollbackView]:
    """The campaign's rollbacks, newest first. Three queries. Raises UnknownCampaign."""
    campaign = _get_campaign(tenant_id, world_id, campaign_id)
    rows = (
        Rollback.objects.select_related("target", "before")
        .prefetch_related("outcomes")
        .filter(tenant_id=tenant_id, campaign=campaign)
    )
    if before is not None:
        rows = rows.filter(pk__lt=before)
    return [view_rollback(row) for row in rows.order_by("-pk")[:limit]]


def view_rollback(row: Rollback) -> RollbackView:
    """One rollback; its outcomes are read."""
    counts = {
        each.kind: {"undone": each.undone, "restored": each.restored, "changed": each.changed}
        for each in row.outcomes.all()
    }
    return RollbackView(row, counts)


def _get_campaign(tenant_id: int, world_id: int, campaign_id: str) -> Campaign:
    found = Campaign.objects.filter(tenant_id=tenant_id, world_id=world_id, external_id=campaign_id).first()
    if found is None:
        raise UnknownCampaign(f"There is no campaign {campaign_id!r}.")
    return found
