"""Timed effects of lorebooks, as they were after each place of a conversation that changed them."""

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from knowledge.lorebooks.activation.inputs import ActivationDialect


class LorebookState(models.Model):
    """Sticky and cooldown effects after the activation at a place; derived, so that a swipe or an edit deletes it.

    No row for a place means that the row before it holds. Entries are named by book, uid and hash: no words.
    """

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    conversation = models.ForeignKey(
        "episodes.Conversation", on_delete=models.PROTECT, related_name="+", db_index=False
    )
    dialect = models.CharField(max_length=8, choices=[(each.value, each.value) for each in ActivationDialect])
    seq = models.PositiveIntegerField(help_text="The conversation's last place when the entries fired; 0 before any.")
    state = models.JSONField(help_text="The form of SillyTavern's `timedWorldInfo`.")
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            # For the newest state before a place, too.
            models.UniqueConstraint(fields=["conversation", "dialect", "seq"], name="lorebook_state_unique"),
            models.CheckConstraint(
                condition=Q(dialect__in=[each.value for each in ActivationDialect]), name="lorebook_state_dialect_known"
            ),
        ]
        triggers = [
            pgtrigger.Trigger(
                name="lorebook_state_was_said",
                operation=pgtrigger.Insert | pgtrigger.Update,
                when=pgtrigger.Before,
                func="""
                    IF NOT EXISTS (
                        SELECT 1 FROM episodes_conversation c
                        WHERE c.id = NEW.conversation_id AND c.tenant_id = NEW.tenant_id AND c.last_seq >= NEW.seq
                    ) THEN
                        RAISE EXCEPTION 'lorebook_state_was_said' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.dialect} at {self.seq} of {self.conversation_id}"
