"""Rollback of play: what was told since a checkpoint is undone, and what held there holds again. Nothing is deleted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import transaction

from episodes.campaigns.actions.campaigns import lock_campaign
from episodes.errors import RollbackBlocked, UnknownCheckpoint
from episodes.metrics import ROLLBACKS
from episodes.models import Campaign, CampaignState, Checkpoint, CheckpointKind, Rollback, RollbackOutcome
from episodes.rollback.actions.checkpoints import add_checkpoint
from episodes.rollback.core import PlayShift, StepChanges, list_rollback_steps, split_lines
from episodes.rollback.models import MAX_LABEL_LENGTH
from episodes.rollback.selectors import read_line
from memoryproject.database import after_commit


@dataclass(frozen=True, slots=True)
class RolledBack:
    """What a rollback changed; a dry run, and one that changed nothing, left no `rollback`."""

    checkpoint: Checkpoint
    rollback: Rollback | None
    is_dry_run: bool
    changes: Mapping[str, StepChanges]
    """By kind of row, each kind that there is; the same for a dry run and for the rollback that follows it."""

    @property
    def is_changed(self) -> bool:
        """Whether anything was told since, or holds again."""
        return any(self.changes.values())


def roll_back(
    *,
    tenant_id: int,
    world_id: int,
    campaign_id: str,
    checkpoint_id: int,
    reason: str,
    author: str,
    dry_run: bool = False,
) -> RolledBack:
    """The campaign as it stood at the checkpoint, whichever way that lies: back, or forward again to what was undone.

    A checkpoint is made first of where play stood: going to it undoes the rollback. What a player said, and what is
    known of players, stays. All or nothing, under the campaign's lock: what is told meanwhile waits, and belongs to the
    new line. A dry run does the same and takes it back. Enqueues embeddings. Raises UnknownCampaign, UnknownCheckpoint,
    RollbackBlocked.
    """
    with transaction.atomic():
        campaign = lock_campaign(tenant_id=tenant_id, world_id=world_id, external_id=campaign_id)
        target = Checkpoint.objects.filter(tenant_id=tenant_id, campaign=campaign, pk=checkpoint_id).first()
        if target is None:
            raise UnknownCheckpoint(f"The campaign {campaign_id!r} has no checkpoint {checkpoint_id}.")
        _check_open(campaign)
        undone, restored = split_lines(read_line(campaign.head_id), read_line(target.parent_id))
        outcome = _shift(campaign, target, undone, restored, reason=reason, author=author)
        is_kept = not dry_run and any(outcome[1].values())
        if is_kept:
            after_commit(ROLLBACKS.inc)
        else:
            transaction.set_rollback(True)
    rollback, changes = outcome
    return RolledBack(target, rollback if is_kept else None, dry_run, changes)


def _check_open(campaign: Campaign) -> None:
    if campaign.state != CampaignState.ACTIVE:
        raise RollbackBlocked(
            f"The campaign {campaign.external_id!r} is {campaign.state}: restore it before it goes back.",
            because=f"campaign_{campaign.state}",
        )


def _shift(
    campaign: Campaign,
    target: Checkpoint,
    undone: frozenset[int],
    restored: frozenset[int],
    *,
    reason: str,
    author: str,
) -> tuple[Rollback, dict[str, StepChanges]]:
    before = add_checkpoint(
        campaign, CheckpointKind.BEFORE_ROLLBACK, label=_name("Before the rollback to", target), author=author
    )
    rollback = Rollback.objects.create(
        tenant_id=campaign.tenant_id, campaign=campaign, target=target, before=before, reason=reason, created_by=author
    )
    shift = PlayShift(
        tenant_id=campaign.tenant_id,
        world_id=campaign.world_id,
        campaign_pk=campaign.pk,
        campaign_id=campaign.external_id,
        rollback_pk=rollback.pk,
        undone=undone,
        restored=restored,
        reason=f"Rollback to «{target.label}»: {reason}",
        author=author,
    )
    changes = {name: step(shift) for name, step in list_rollback_steps().items()}
    RollbackOutcome.objects.bulk_create(
        [
            RollbackOutcome(
                rollback=rollback,
                kind=kind,
                undone=len(each.undone),
                restored=len(each.restored),
                changed=len(each.changed),
            )
            for kind, each in changes.items()
            if each
        ]
    )
    add_checkpoint(
        campaign,
        CheckpointKind.AFTER_ROLLBACK,
        label=_name("After the rollback to", target),
        author=author,
        after=target,
    )
    rollback.refresh_from_db(fields=["created_at"])
    return rollback, changes


def _name(prefix: str, target: Checkpoint) -> str:
    return f"{prefix} «{target.label}»"[:MAX_LABEL_LENGTH]
