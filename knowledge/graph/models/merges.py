"""What people decide about entities that look alike."""

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from knowledge.graph.models.entities import GraphEntity
from knowledge.graph.models.guards import OwnerKind, same_world


class ProposalState(models.TextChoices):
    """Where a proposal to merge stands."""

    OPEN = "open", "Open"
    ACCEPTED = "accepted", "Accepted"
    REFUSED = "refused", "Refused"
    UNDONE = "undone", "Accepted, then undone"


class GraphNotSame(models.Model):
    """An editor's word that two entities are two. No merge goes against it."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    world = models.ForeignKey("tenancy.World", on_delete=models.PROTECT, related_name="+", db_index=False)
    first = models.ForeignKey(GraphEntity, on_delete=models.CASCADE, related_name="+", db_index=False)
    second = models.ForeignKey(GraphEntity, on_delete=models.CASCADE, related_name="+", db_index=False)
    reason = models.TextField()
    actor = models.CharField(max_length=200)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "graph not-same pairs"
        constraints = [
            models.CheckConstraint(condition=Q(first__lt=F("second")), name="graph_not_same_ordered"),
            models.CheckConstraint(condition=~Q(reason=""), name="graph_not_same_has_reason"),
            models.UniqueConstraint(
                fields=["tenant", "first", "second"],
                condition=Q(withdrawn_at__isnull=True),
                name="graph_not_same_unique",
            ),
        ]
        indexes = [
            # For listing a world's pairs, and for the pairs of an entity on either side.
            models.Index(fields=["tenant", "world", "-id"], name="graph_not_same_newest"),
        ]
        triggers = [
            same_world("graph_not_same_same_world", ["first_id", "second_id"]),
            pgtrigger.Trigger(
                name="graph_not_same_not_merged",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func="""
                    IF (SELECT COALESCE(a.merged_into_id, a.id) FROM knowledge_graphentity a WHERE a.id = NEW.first_id)
                     = (SELECT COALESCE(b.merged_into_id, b.id) FROM knowledge_graphentity b WHERE b.id = NEW.second_id) THEN
                        RAISE EXCEPTION 'graph_not_same_not_merged' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.first_id} is not {self.second_id}"


class GraphMergeProposal(models.Model):
    """Two entities that may be one, with what each is known by, for an editor to decide."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    world = models.ForeignKey("tenancy.World", on_delete=models.PROTECT, related_name="+", db_index=False)
    owner_kind = models.CharField(max_length=16, choices=OwnerKind, help_text="Whose words the contexts are.")
    owner_id = models.BigIntegerField(default=0)
    first = models.ForeignKey(GraphEntity, on_delete=models.CASCADE, related_name="+", db_index=False)
    second = models.ForeignKey(GraphEntity, on_delete=models.CASCADE, related_name="+", db_index=False)
    first_name = models.CharField(max_length=300)
    second_name = models.CharField(max_length=300)
    first_context = models.TextField(blank=True)
    second_context = models.TextField(blank=True)
    similarity = models.FloatField()
    reason = models.CharField(max_length=64)
    state = models.CharField(max_length=16, choices=ProposalState, default=ProposalState.OPEN)
    decided_by = models.CharField(max_length=200, blank=True)
    decided_why = models.TextField(blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    loser = models.ForeignKey(
        GraphEntity, on_delete=models.CASCADE, null=True, blank=True, related_name="+", db_index=False
    )
    moved = ArrayField(
        models.BigIntegerField(), default=list, blank=True, help_text="Entities that stood for the one merged away."
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(first__lt=F("second")), name="graph_proposal_ordered"),
            models.CheckConstraint(condition=Q(state__in=ProposalState.values), name="graph_proposal_state_known"),
            models.CheckConstraint(
                condition=Q(state=ProposalState.OPEN, decided_by="", decided_at__isnull=True)
                | ~Q(state=ProposalState.OPEN) & ~Q(decided_by="") & ~Q(decided_why="") & Q(decided_at__isnull=False),
                name="graph_proposal_decision_whole",
            ),
            # Once for each pair: a refused proposal does not come again.
            models.UniqueConstraint(fields=["tenant", "first", "second"], name="graph_proposal_unique"),
        ]
        indexes = [
            # For an editor's list: open ones first, newest first.
            models.Index(fields=["tenant", "world", "state", "-id"], name="graph_proposal_queue")
        ]
        triggers = [same_world("graph_proposal_same_world", ["first_id", "second_id"])]

    def __str__(self) -> str:
        return f"{self.first_name} = {self.second_name}?"
