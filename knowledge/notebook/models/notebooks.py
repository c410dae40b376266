"""Notebooks, who is a member of them, and the worlds whose NPCs keep some."""

from __future__ import annotations

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from knowledge.notebook.core.limits import MAX_AGENT_LENGTH
from knowledge.notebook.core.names import AGENT_PATTERN, SLUG_PATTERN
from knowledge.notebook.models.guards import only_with_notebook, within_notebook


class Access(models.TextChoices):
    """What a member may do; each includes the ones before it."""

    READ = "read", "Read"
    PROPOSE = "propose", "Propose: writes wait for approval"
    WRITE = "write", "Write, and decide on proposals of others"
    MANAGE = "manage", "Manage: also members, policy, redaction and deletion"


class Notebook(models.Model):
    """What one agent, or several, keep: facts by key, notes by meaning, documents in folders."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    world = models.ForeignKey(
        "tenancy.World", on_delete=models.PROTECT, null=True, blank=True, related_name="+", db_index=False
    )
    end_user = models.ForeignKey(
        "tenancy.EndUser",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
        help_text="Whom it is about: it goes when this user is erased.",
    )
    slug = models.CharField(max_length=120)
    title = models.CharField(max_length=200, blank=True)
    policy = models.JSONField(
        default=dict, blank=True, help_text='Command to what becomes of it, such as {"SAVE_FACT": "propose"}.'
    )
    created_by = models.CharField(max_length=MAX_AGENT_LENGTH)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["slug", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "world", "slug"], name="notebook_slug_unique", nulls_distinct=False
            ),
            models.CheckConstraint(condition=Q(slug__regex=SLUG_PATTERN), name="notebook_slug_form"),
        ]
        indexes = [
            # For what goes with a user who is erased.
            models.Index(fields=["tenant", "end_user"], condition=Q(end_user__isnull=False), name="notebook_by_user"),
        ]
        triggers = [
            only_with_notebook("notebook_is_kept"),
            pgtrigger.Trigger(
                name="notebook_same_tenant",
                operation=pgtrigger.Insert | pgtrigger.UpdateOf("tenant_id", "world_id", "end_user_id"),
                when=pgtrigger.Before,
                func="""
                    IF NEW.world_id IS NOT NULL AND NOT EXISTS (
                        SELECT 1 FROM tenancy_world w WHERE w.id = NEW.world_id AND w.tenant_id = NEW.tenant_id
                    ) OR NEW.end_user_id IS NOT NULL AND NOT EXISTS (
                        SELECT 1 FROM tenancy_enduser u WHERE u.id = NEW.end_user_id AND u.tenant_id = NEW.tenant_id
                    ) THEN
                        RAISE EXCEPTION 'notebook_same_tenant' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return self.title or self.slug


class NotebookMember(models.Model):
    """An agent and what it may do in a notebook. Its name speaks with one API key alone; none for agents of ours."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    notebook = models.ForeignKey(Notebook, on_delete=models.CASCADE, related_name="members", db_index=False)
    agent = models.CharField(max_length=MAX_AGENT_LENGTH)
    api_key = models.ForeignKey(
        "tenancy.ApiKey", on_delete=models.SET_NULL, null=True, blank=True, related_name="+", db_index=False
    )
    access = models.CharField(max_length=8, choices=Access)
    is_trusted = models.BooleanField(
        default=False, help_text="What a member that is not trusted yet writes waits in quarantine."
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["notebook_id", "id"]
        constraints = [
            models.UniqueConstraint(fields=["notebook", "agent"], name="notebook_member_unique"),
            models.CheckConstraint(condition=Q(access__in=Access.values), name="notebook_member_access_known"),
            models.CheckConstraint(condition=Q(agent__regex=AGENT_PATTERN), name="notebook_member_agent_form"),
            models.CheckConstraint(
                condition=~Q(access=Access.MANAGE) | Q(is_trusted=True), name="notebook_manager_is_trusted"
            ),
        ]
        indexes = [
            # For the notebooks of a key, and when a key is deleted.
            models.Index(fields=["api_key", "agent"], name="notebook_member_by_key"),
        ]
        triggers = [within_notebook("notebook_member_same_tenant")]

    def __str__(self) -> str:
        return f"{self.agent}: {self.access}"


class ChatNotebooks(models.Model):
    """That NPCs of a world keep notebooks while they talk. A world without a row has this off."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    world = models.OneToOneField("tenancy.World", on_delete=models.CASCADE, related_name="chat_notebooks")
    is_enabled = models.BooleanField(
        default=False, help_text="Whether NPCs keep a notebook with each player, by commands in what they say."
    )

    class Meta:
        verbose_name = "notebooks in chat"
        verbose_name_plural = "notebooks in chat"
        triggers = [
            pgtrigger.Trigger(
                name="chat_notebooks_same_tenant",
                operation=pgtrigger.Insert | pgtrigger.UpdateOf("tenant_id", "world_id"),
                when=pgtrigger.Before,
                func="""
                    IF NOT EXISTS (
                        SELECT 1 FROM tenancy_world w WHERE w.id = NEW.world_id AND w.tenant_id = NEW.tenant_id
                    ) THEN
                        RAISE EXCEPTION 'chat_notebooks_same_tenant' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            )
        ]

    def __str__(self) -> str:
        return "on" if self.is_enabled else "off"
