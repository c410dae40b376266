"""What a change request does to NPCs."""

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from npcs.profiles.core.ids import MAX_NPC_ID_LENGTH, NPC_ID_PATTERN
from reviews.change_requests.models.changes import ChangeRequest


class NpcChangeItem(models.Model):
    """One NPC's profile after a change. It can't be touched while the request is under or past review."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    change_request = models.ForeignKey(
        ChangeRequest, on_delete=models.CASCADE, related_name="npc_items", db_index=False
    )
    npc_id = models.CharField(max_length=MAX_NPC_ID_LENGTH)
    base_version = models.PositiveIntegerField(help_text="The persona that the change began from; 0: the NPC is new.")
    content = models.JSONField(help_text="The whole profile, as schemas/npc_profile.schema.json has it.")
    written_version = models.PositiveIntegerField(null=True, blank=True, help_text="The persona that it became.")
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["change_request", "npc_id"], name="npc_change_item_npc_unique"),
            models.CheckConstraint(condition=Q(npc_id__regex=NPC_ID_PATTERN), name="npc_change_item_id_form"),
        ]
        indexes = [
            # For the open requests of one NPC.
            models.Index(fields=["tenant", "npc_id"], name="npc_change_item_by_npc")
        ]
        triggers = [
            pgtrigger.Trigger(
                name="npc_change_item_frozen_in_review",
                operation=pgtrigger.Insert
                | pgtrigger.Delete
                | pgtrigger.UpdateOf("tenant_id", "npc_id", "base_version", "content", "change_request_id"),
                when=pgtrigger.Before,
                func="""
                    IF EXISTS (
                        SELECT 1 FROM reviews_changerequest c
                        WHERE c.id IN (COALESCE(NEW.change_request_id, OLD.change_request_id), COALESCE(OLD.change_request_id, NEW.change_request_id))
                          AND (c.state NOT IN ('draft', 'needs_changes') OR c.kind <> 'npc'
                               OR c.tenant_id <> COALESCE(NEW.tenant_id, OLD.tenant_id))
                    ) THEN
                        RAISE EXCEPTION 'npc_change_item_frozen_in_review' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN COALESCE(NEW, OLD);
                """,
            )
        ]

    def __str__(self) -> str:
        return self.npc_id
