"""Tenants, their worlds, people and machine keys: the isolation boundary every other table hangs from."""

import pgtrigger
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from memoryproject.triggers import world_of_same_tenant

SLUG_PATTERN = r"^[a-z0-9]+(?:[-_][a-z0-9]+)*$"
validate_slug = RegexValidator(SLUG_PATTERN, "Use lowercase Latin letters, digits, '-' and '_'.", code="slug_invalid")


class Extraction(models.TextChoices):
    """Whether talk is read a second time, in the background, for what no rule understood."""

    OFF = "off", "Off: rules alone read what players say"
    SHADOW = "shadow", "Shadow: proposals are gated and reviewed, nothing is written"
    ON = "on", "On: what passes the gate becomes a fact"


class Tenant(models.Model):
    """One studio or product. Everything else belongs to exactly one tenant."""

    slug = models.CharField(max_length=63, unique=True, validators=[validate_slug], help_text="Sent as X-Tenant-ID.")
    name = models.CharField(max_length=200)
    extraction = models.CharField(
        max_length=6,
        choices=Extraction,
        default=Extraction.OFF,
        db_default=Extraction.OFF,
        help_text="Whether talk is read a second time, in the background, for what no rule understood.",
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["slug"]
        constraints = [
            models.CheckConstraint(condition=Q(slug__regex=SLUG_PATTERN), name="tenant_slug_form"),
            models.CheckConstraint(condition=Q(extraction__in=Extraction.values), name="tenant_extraction_known"),
        ]

    def __str__(self) -> str:
        return self.name


class WorldKind(models.TextChoices):
    """What is played in a world: it chooses the wording of rules that a model is told."""

    GAME = "game"
    COMPANION = "companion"


class NpcReview(models.TextChoices):
    """Whether a change of an NPC's profile waits for a second person."""

    ON = "on", "On: a second person approves each change"
    OFF = "off", "Off: changes are in force at once"


class World(models.Model):
    """One canon inside a tenant (called a site by game servers: X-Site-ID)."""

    tenant = models.ForeignKey(Tenant, on_delete=models.PROTECT, related_name="worlds")
    slug = models.CharField(max_length=63, validators=[validate_slug], help_text="Sent as X-Site-ID.")
    name = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    languages = ArrayField(
        models.CharField(max_length=16), default=list, blank=True, help_text="BCP 47 tags, for example en, ru, ar, zh."
    )
    kind = models.CharField(
        max_length=16,
        choices=WorldKind,
        default=WorldKind.GAME,
        db_default=WorldKind.GAME,
        help_text="A game with its characters, or a companion: how a model is told to speak of memories.",
    )
    npc_review = models.CharField(
        max_length=3,
        choices=NpcReview,
        default=NpcReview.ON,
        db_default=NpcReview.ON,
        help_text="Whether profiles and secrets of NPCs change by reviewed requests only.",
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["tenant_id", "slug"]
        constraints = [
            models.UniqueConstraint(fields=["tenant", "slug"], name="world_slug_unique"),
            models.CheckConstraint(condition=Q(slug__regex=SLUG_PATTERN), name="world_slug_form"),
            models.CheckConstraint(condition=Q(npc_review__in=NpcReview.values), name="world_npc_review_known"),
            models.CheckConstraint(condition=Q(kind__in=WorldKind.values), name="world_kind_known"),
        ]

    def __str__(self) -> str:
        return self.name


class EndUser(models.Model):
    """The player or companion owner whose facts are kept, known by the tenant's own id; once erased by a placeholder."""

    tenant = models.ForeignKey(Tenant, on_delete=models.PROTECT, related_name="end_users")
    external_id = models.CharField(max_length=200)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    erased_in = models.BigIntegerField(
        null=True, blank=True, editable=False, help_text="The transaction that erased the user. Set by the database."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant", "external_id"], name="end_user_external_id_unique"),
            models.CheckConstraint(condition=~Q(external_id=""), name="end_user_external_id_not_empty"),
        ]
        triggers = [
            # Only another trigger gets here: that of the order to erase the user.
            pgtrigger.Trigger(
                name="end_user_id_fixed",
                operation=pgtrigger.Insert | pgtrigger.UpdateOf("tenant_id", "external_id", "erased_in"),
                when=pgtrigger.Before,
                func="""
                    IF TG_OP = 'INSERT' THEN
                        IF NEW.erased_in IS NOT NULL THEN
                            RAISE EXCEPTION 'end_user_id_fixed' USING ERRCODE = 'check_violation';
                        END IF;
                        RETURN NEW;
                    END IF;
                    IF (OLD.tenant_id, OLD.external_id, OLD.erased_in)
                            IS NOT DISTINCT FROM (NEW.tenant_id, NEW.external_id, NEW.erased_in)
                    THEN
                        RETURN NEW;
                    END IF;
                    IF pg_trigger_depth() < 2 OR NEW.tenant_id <> OLD.tenant_id
                        OR NEW.erased_in IS DISTINCT FROM pg_current_xact_id()::text::bigint
                        OR (NEW.external_id <> OLD.external_id
                            AND (OLD.erased_in IS NOT NULL OR NEW.external_id NOT LIKE 'erased-%'))
                    THEN
                        RAISE EXCEPTION 'end_user_id_fixed' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            )
        ]

    def __str__(self) -> str:
        return self.external_id


class Role(models.TextChoices):
    """What a person may do in a tenant. From editor on, each role includes the ones before it; a labeller labels alone."""

    LABELLER = "labeller", "Labeller: labels extractions of players who stay unnamed, and sees nothing else"
    EDITOR = "editor", "Editor: proposes changes of canon"
    REVIEWER = "reviewer", "Reviewer: also approves, stages, swaps and rolls back"
    OWNER = "owner", "Owner: also overrides a failed gate, sets the canary share and issues keys"


class Membership(models.Model):
    """A person's role in one tenant."""

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=16, choices=Role)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant", "user"], name="membership_unique"),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="membership_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.tenant}: {self.role}"


class Scope(models.TextChoices):
    """What an API key may do. `engine` includes `read`, no other scope includes one."""

    READ = "read", "Read canon and memory"
    ENGINE = "engine", "Write what happened in play"
    EDITOR = "editor", "Propose changes of canon"
    NOTEBOOK = "notebook", "Keep notes as an agent, in notebooks that it is a member of"


class ApiKey(models.Model):
    """A machine's key. Only its SHA-256 is stored; the secret is shown once, when the key is issued."""

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="api_keys")
    world = models.ForeignKey(
        World,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="api_keys",
        help_text="Empty: every world of the tenant.",
    )
    name = models.CharField(max_length=200)
    prefix = models.CharField(
        max_length=16, unique=True, editable=False, help_text="The public part of the key, for logs and look-ups."
    )
    secret_hash = models.BinaryField(max_length=32, editable=False)
    scopes = ArrayField(models.CharField(max_length=16, choices=Scope))
    requests_per_minute = models.PositiveIntegerField(
        null=True, blank=True, help_text="Empty: the installation's default rate."
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True, editable=False)
    last_used_at = models.DateTimeField(null=True, blank=True, editable=False, help_text="To the nearest minute.")

    class Meta:
        verbose_name = "API key"
        ordering = ["tenant_id", "name", "id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(scopes__contained_by=Scope.values) & Q(scopes__len__gt=0), name="api_key_scopes_known"
            ),
            models.CheckConstraint(
                condition=Q(expires_at__isnull=True) | Q(expires_at__gt=F("created_at")),
                name="api_key_expires_after_creation",
            ),
        ]
        triggers = [world_of_same_tenant("api_key_world_same_tenant", condition=pgtrigger.Q(new__world__isnull=False))]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"


class IdempotencyRecord(models.Model):
    """The stored answer to a machine's write, so that a repeated request gets the same one."""

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="+")
    bound_world_id = models.BigIntegerField(
        db_default=0, default=0, help_text="The one world that the key is for: its ids are its own. 0: all worlds."
    )
    key = models.CharField(max_length=255)
    method_and_path = models.CharField(max_length=500)
    request_hash = models.BinaryField(max_length=32)
    status_code = models.PositiveSmallIntegerField()
    response = models.JSONField()
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant", "bound_world_id", "key"], name="idempotency_key_unique")
        ]
        indexes = [
            # For the sweeper that deletes answers older than a day.
            models.Index(fields=["created_at"], name="idempotency_created_at"),
            # For the answers that a forgetting clears, by the start of their path.
            models.Index(
                fields=["tenant", "method_and_path"],
                name="idempotency_path",
                opclasses=["int8_ops", "varchar_pattern_ops"],
            ),
        ]

    def __str__(self) -> str:
        return f"{self.method_and_path} {self.key}"
