"""How NPCs stand towards parties and users: the ledger, and the value that follows it."""

from typing import Any

import pgtrigger
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from memoryproject.forgetting.erased_names import write_erasure_check
from npcs.dispositions.core.moves import DEFAULT_SCALE
from npcs.profiles.models import Npc


def points(**more: object) -> "models.DecimalField[Any, Any]":
    """A number of points of a scale, to hundredths."""
    return models.DecimalField(max_digits=7, decimal_places=2, **more)  # type: ignore[arg-type]


class DispositionScale(models.Model):
    """The bounds of dispositions in one world. It can't be drawn tighter than the values that stand."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    world = models.OneToOneField("tenancy.World", on_delete=models.CASCADE, related_name="disposition_scale")
    least = points(default=DEFAULT_SCALE.least)
    most = points(default=DEFAULT_SCALE.most)
    initial = points(default=DEFAULT_SCALE.initial, help_text="Where an NPC stands before anything happened.")
    step_most = points(default=DEFAULT_SCALE.step_most, help_text="The largest single change.")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(least__lt=F("most"), initial__gte=F("least"), initial__lte=F("most")),
                name="disposition_scale_ordered",
            ),
            models.CheckConstraint(condition=Q(step_most__gt=0), name="disposition_scale_step_positive"),
        ]
        triggers = [
            pgtrigger.Trigger(
                name="disposition_scale_holds_values",
                operation=pgtrigger.Insert | pgtrigger.Update,
                when=pgtrigger.Before,
                func="""
                    IF NOT EXISTS (SELECT 1 FROM tenancy_world w WHERE w.id = NEW.world_id AND w.tenant_id = NEW.tenant_id) THEN
                        RAISE EXCEPTION 'disposition_scale_same_tenant' USING ERRCODE = 'check_violation';
                    END IF;
                    IF EXISTS (
                        SELECT 1 FROM npcs_disposition d JOIN npcs_npc n ON n.id = d.npc_id
                        WHERE n.tenant_id = NEW.tenant_id AND n.world_id = NEW.world_id
                            AND (d.value < NEW.least OR d.value > NEW.most)
                    ) THEN
                        RAISE EXCEPTION 'disposition_scale_holds_values' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.least} to {self.most}"


class Disposition(models.Model):
    """How one NPC stands towards one party or one user: the balance of its ledger, which alone moves it.

    With the erasure of a user it goes, and its ledger. It is inserted without a value and starts where the world's scale says.
    """

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    npc = models.ForeignKey(Npc, on_delete=models.PROTECT, related_name="dispositions", db_index=False)
    party_id = models.CharField(max_length=200, blank=True, help_text="The engine's own id of the party.")
    end_user = models.ForeignKey(
        "tenancy.EndUser", on_delete=models.PROTECT, null=True, blank=True, related_name="+", db_index=False
    )
    value = points(editable=False)
    entry_count = models.PositiveIntegerField(db_default=0, default=0, editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            # Serves the dispositions of an NPC, and the one towards a party or a user.
            models.UniqueConstraint(
                fields=["tenant", "npc", "party_id", "end_user"], nulls_distinct=False, name="disposition_unique"
            ),
            models.CheckConstraint(
                condition=(Q(end_user__isnull=True) & ~Q(party_id="")) | Q(end_user__isnull=False, party_id=""),
                name="disposition_party_or_user",
            ),
        ]
        triggers = [
            pgtrigger.Trigger(
                name="disposition_starts_neutral",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func="""
                    IF NOT EXISTS (SELECT 1 FROM npcs_npc n WHERE n.id = NEW.npc_id AND n.tenant_id = NEW.tenant_id)
                        OR NEW.end_user_id IS NOT NULL AND NOT EXISTS (
                            SELECT 1 FROM tenancy_enduser u WHERE u.id = NEW.end_user_id AND u.tenant_id = NEW.tenant_id
                        )
                    THEN
                        RAISE EXCEPTION 'disposition_same_tenant' USING ERRCODE = 'check_violation';
                    END IF;
                    IF NEW.entry_count <> 0 OR NEW.value IS NOT NULL THEN
                        RAISE EXCEPTION 'disposition_starts_neutral' USING ERRCODE = 'check_violation';
                    END IF;
                    SELECT s.initial INTO NEW.value FROM npcs_dispositionscale s
                        JOIN npcs_npc n ON n.world_id = s.world_id WHERE n.id = NEW.npc_id;
                    RETURN NEW;
                """,
            ),
            pgtrigger.Trigger(
                name="disposition_moved_by_ledger_only",
                operation=pgtrigger.Update | pgtrigger.Delete,
                when=pgtrigger.Before,
                func="""
                    IF TG_OP = 'DELETE' THEN
                        IF EXISTS (
                            SELECT 1 FROM tenancy_enduser u
                            WHERE u.id = OLD.end_user_id AND u.erased_in = pg_current_xact_id()::text::bigint
                        ) THEN
                            RETURN OLD;
                        END IF;
                        RAISE EXCEPTION 'disposition_moved_by_ledger_only' USING ERRCODE = 'check_violation';
                    END IF;
                    IF pg_trigger_depth() < 2
                        OR (OLD.tenant_id, OLD.npc_id, OLD.party_id, OLD.end_user_id)
                            IS DISTINCT FROM (NEW.tenant_id, NEW.npc_id, NEW.party_id, NEW.end_user_id)
                    THEN
                        RAISE EXCEPTION 'disposition_moved_by_ledger_only' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
            # What another trigger may have smuggled past the depth check is found at commit.
            pgtrigger.Trigger(
                name="disposition_is_last_balance",
                operation=pgtrigger.Update,
                when=pgtrigger.After,
                timing=pgtrigger.Deferred,
                func="""
                    IF NOT EXISTS (
                        SELECT 1 FROM npcs_disposition d
                        JOIN npcs_dispositionentry e ON e.disposition_id = d.id AND e.seq = d.entry_count
                        WHERE d.id = NEW.id AND e.balance_after = d.value
                    ) THEN
                        RAISE EXCEPTION 'disposition_is_last_balance' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NULL;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"disposition {self.pk}: {self.value}"


class DispositionEntry(models.Model):
    """One move of one disposition, and why. A trigger gives it place and balance and moves the disposition.

    `delta` is what the engine asked for, `applied` what the bounds of the scale let through. A compensation takes back
    what one entry applied; what a rollback had taken back, a later one may restore.
    """

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    disposition = models.ForeignKey(Disposition, on_delete=models.PROTECT, related_name="entries", db_index=False)
    seq = models.PositiveIntegerField(db_default=0, editable=False, help_text="Place in the ledger, from 1.")
    delta = points()
    applied = points(db_default=0, editable=False)
    balance_after = points(db_default=0, editable=False)
    scale_least = points(db_default=0, editable=False, help_text="The scale as it was then.")
    scale_most = points(db_default=0, editable=False)
    reason = models.TextField(help_text="At most 500 characters when it comes; a placeholder may make it longer.")
    rule = models.CharField(max_length=120, blank=True, help_text="The engine's rule that asked for it.")
    summary_id = models.CharField(max_length=200, blank=True)
    campaign_id = models.CharField(max_length=200, blank=True)
    checkpoint_id = models.BigIntegerField(
        null=True,
        blank=True,
        help_text="The campaign's head when this was told. No foreign key: play stands above NPCs.",
    )
    restores = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
        help_text="The move that this one makes again after a rollback was taken back.",
    )
    rollback_id = models.BigIntegerField(
        null=True, blank=True, help_text="The rollback of play that compensated or restored."
    )
    compensates = models.OneToOneField("self", on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    author = models.CharField(max_length=200, blank=True, help_text="Who compensated; empty for the engine's moves.")
    happened_at = models.DateTimeField(help_text="In the game's telling.")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            # Serves a ledger in order, newest first, and its last moves.
            models.UniqueConstraint(fields=["disposition", "seq"], name="disposition_entry_seq_unique"),
            models.CheckConstraint(condition=~Q(reason=""), name="disposition_entry_has_reason"),
            models.CheckConstraint(
                condition=(Q(compensates__isnull=True, author="") & ~Q(summary_id=""))
                | (Q(compensates__isnull=False, summary_id="") & ~Q(author="")),
                name="disposition_entry_has_cause",
            ),
            models.CheckConstraint(
                condition=Q(balance_after__gte=F("scale_least"), balance_after__lte=F("scale_most")),
                name="disposition_entry_within_scale",
            ),
        ]
        indexes = [
            # For what one summary moved.
            models.Index(
                fields=["tenant", "summary_id"], condition=~Q(summary_id=""), name="disposition_entry_summary"
            ),
            # For what was moved after a checkpoint.
            models.Index(
                fields=["tenant", "checkpoint_id"],
                condition=Q(checkpoint_id__isnull=False),
                name="disposition_entry_checkpoint",
            ),
            # For what was restored of a move.
            models.Index(
                fields=["tenant", "restores"], condition=Q(restores__isnull=False), name="disposition_entry_restored"
            ),
        ]
        triggers = [
            pgtrigger.Trigger(
                name="disposition_entry_moves",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                declare=[
                    ("standing", "npcs_disposition"),
                    ("scale", "npcs_dispositionscale"),
                    ("original", "npcs_dispositionentry"),
                ],
                func="""
                    SELECT s.* INTO scale FROM npcs_dispositionscale s
                        JOIN npcs_npc n ON n.world_id = s.world_id JOIN npcs_disposition d ON d.npc_id = n.id
                        WHERE d.id = NEW.disposition_id FOR SHARE OF s;
                    SELECT d.* INTO standing FROM npcs_disposition d
                        WHERE d.id = NEW.disposition_id AND d.tenant_id = NEW.tenant_id FOR UPDATE;
                    IF standing.id IS NULL OR scale.id IS NULL THEN
                        RAISE EXCEPTION 'disposition_entry_same_tenant' USING ERRCODE = 'check_violation';
                    END IF;
                    IF NEW.restores_id IS NOT NULL THEN
                        SELECT e.* INTO original FROM npcs_dispositionentry e WHERE e.id = NEW.restores_id;
                        IF original.disposition_id IS DISTINCT FROM NEW.disposition_id OR NEW.compensates_id IS NOT NULL
                            OR original.compensates_id IS NOT NULL OR original.restores_id IS NOT NULL
                            OR NEW.rollback_id IS NULL OR NEW.delta <> original.delta
                            OR NEW.summary_id <> original.summary_id
                        THEN
                            RAISE EXCEPTION 'disposition_entry_restores' USING ERRCODE = 'check_violation';
                        END IF;
                    ELSIF NEW.compensates_id IS NULL THEN
                        IF abs(NEW.delta) > scale.step_most THEN
                            RAISE EXCEPTION 'disposition_entry_within_step' USING ERRCODE = 'check_violation';
                        END IF;
                    ELSE
                        SELECT e.* INTO original FROM npcs_dispositionentry e WHERE e.id = NEW.compensates_id;
                        IF original.disposition_id IS DISTINCT FROM NEW.disposition_id
                            OR original.compensates_id IS NOT NULL OR NEW.delta <> -original.applied
                        THEN
                            RAISE EXCEPTION 'disposition_entry_takes_back' USING ERRCODE = 'check_violation';
                        END IF;
                    END IF;
                    NEW.seq := standing.entry_count + 1;
                    NEW.scale_least := scale.least;
                    NEW.scale_most := scale.most;
                    NEW.balance_after := LEAST(GREATEST(standing.value + NEW.delta, scale.least), scale.most);
                    NEW.applied := NEW.balance_after - standing.value;
                    UPDATE npcs_disposition SET value = NEW.balance_after, entry_count = NEW.seq, updated_at = now()
                        WHERE id = standing.id;
                    RETURN NEW;
                """,
            ),
            pgtrigger.Trigger(
                name="disposition_entry_append_only",
                operation=pgtrigger.Update | pgtrigger.Delete,
                when=pgtrigger.Before,
                declare=[("kept", "npcs_dispositionentry")],
                func=f"""
                    IF TG_OP = 'DELETE' THEN
                        IF EXISTS (
                            SELECT 1 FROM npcs_disposition d JOIN tenancy_enduser u ON u.id = d.end_user_id
                            WHERE d.id = OLD.disposition_id AND u.erased_in = pg_current_xact_id()::text::bigint
                        ) THEN
                            RETURN OLD;
                        END IF;
                    ELSE
                        kept := NEW;
                        IF {write_erasure_check()} THEN
                            RETURN NEW;
                        END IF;
                    END IF;
                    RAISE EXCEPTION 'disposition_entry_append_only' USING ERRCODE = 'check_violation';
                """,  # noqa: S608 - our own names
            ),
        ]

    def __str__(self) -> str:
        return f"#{self.seq}: {self.delta}"
