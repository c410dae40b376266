"""Hard facts about a player, each a cache of what was said, with its evidence."""

from collections.abc import Sequence
from typing import Any

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import F, Func, Q
from django.db.models.functions import Now
from django.db.models.lookups import LessThanOrEqual

from knowledge.facts.core.instructions import MAX_INSTRUCTION_LENGTH
from knowledge.facts.core.types import EXPIRING_TYPES, GUARANTEED_TYPES, PROTECTED_TYPES, WISH_TYPES

FACT_TYPE_CHOICES = [(name, name.replace("_", " ").title()) for name in GUARANTEED_TYPES]
"""The guaranteed types; there are no others. Source: seed 002, fix 3."""


class FactSource(models.TextChoices):
    """Where a fact comes from."""

    ONBOARDING = "onboarding"
    EXPLICIT = "explicit"
    INSTANT_PATTERN = "instant_pattern"
    CORRECTION = "correction"
    BATCH = "batch"


class EndReason(models.TextChoices):
    """Why a fact is not active any more."""

    SUPERSEDED = "superseded"
    DENIED = "denied"
    EXPIRED = "expired"
    DELETED = "deleted"
    FORGOTTEN = "forgotten"
    REBUILT = "rebuilt"


PROTECTED_SOURCES = (FactSource.ONBOARDING, FactSource.EXPLICIT)
"""What the engine or a person stated outright."""


MAX_SEALED_INSTRUCTION = 31 + 4 * MAX_INSTRUCTION_LENGTH
"""Bytes: header, nonce and tag of a sealed text, and four bytes a character at most."""


def _is_any(types: Sequence[str]) -> dict[str, Any]:
    """A lookup for one type, or for several."""
    return {"type": types[0]} if len(types) == 1 else {"type__in": list(types)}


def _count_bytes(field: str) -> Func:
    return Func(F(field), function="octet_length", output_field=models.IntegerField())


class UserFact(models.Model):
    """One version of one fact. At most one version of a user's (type, key) is active; inserting supersedes.

    Key and value are encrypted; `key_index` is a keyed hash of (tenant, user, type, key). An ended fact stays ended.
    A deleted or forgotten fact loses key, value and the hash of its key.
    """

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    end_user = models.ForeignKey("tenancy.EndUser", on_delete=models.PROTECT, related_name="facts", db_index=False)
    type = models.CharField(max_length=32, choices=FACT_TYPE_CHOICES)
    key_index = models.BinaryField(max_length=32)
    key_sealed = models.BinaryField()
    value_sealed = models.BinaryField()
    sealed_by = models.PositiveSmallIntegerField(help_text="The number of the key of the ring.")
    confidence = models.FloatField()
    source = models.CharField(max_length=16, choices=FactSource)
    language = models.CharField(max_length=35, blank=True)
    evidence = ArrayField(
        models.BigIntegerField(), default=list, blank=True, help_text="The messages that prove it, by id."
    )
    evidence_span = ArrayField(
        models.BigIntegerField(),
        db_default=[],
        default=list,
        blank=True,
        help_text="The messages right before and after those: they explain it and prove nothing.",
    )
    stated_in = ArrayField(
        models.BigIntegerField(),
        db_default=[],
        default=list,
        blank=True,
        help_text="Worlds that stated it without a message; 0: the whole tenant.",
    )
    said_at = models.DateTimeField(help_text="When it was last said: what was said earlier never overrules it.")
    said_in = models.BigIntegerField(null=True, blank=True, help_text="The message that last said it, if one did.")
    valid_from = models.DateTimeField()
    valid_to = models.DateTimeField(null=True, blank=True)
    superseded_by = models.ForeignKey("self", on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    is_active = models.BooleanField(db_default=True, default=True)
    is_disputed = models.BooleanField(db_default=False, default=False)
    corrected_message_id = models.BigIntegerField(
        null=True, blank=True, help_text="The assistant's message whose claim was disputed."
    )
    disputed_at = models.DateTimeField(
        null=True, blank=True, help_text="When it was last doubted: what was said earlier does not settle the dispute."
    )
    ended_reason = models.CharField(max_length=16, choices=EndReason, blank=True, db_default="")
    expires_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "end_user", "type", "key_index"],
                condition=Q(is_active=True),
                name="user_fact_active_unique",
            ),
            models.CheckConstraint(condition=Q(type__in=list(GUARANTEED_TYPES)), name="user_fact_type_guaranteed"),
            models.CheckConstraint(condition=Q(source__in=FactSource.values), name="user_fact_source_known"),
            models.CheckConstraint(
                condition=Q(evidence__len__gt=0) | Q(stated_in__len__gt=0) | Q(source=FactSource.ONBOARDING),
                name="user_fact_has_evidence",
            ),
            models.CheckConstraint(
                condition=~Q(evidence__overlap=F("evidence_span")), name="user_fact_span_beside_evidence"
            ),
            models.CheckConstraint(
                condition=Q(confidence__gte=0, confidence__lte=1), name="user_fact_confidence_range"
            ),
            models.CheckConstraint(
                condition=~Q(**_is_any(WISH_TYPES))
                | Q(LessThanOrEqual(_count_bytes("value_sealed"), MAX_SEALED_INSTRUCTION)),
                name="user_fact_instruction_is_short",
            ),
            models.CheckConstraint(
                condition=Q(**_is_any(EXPIRING_TYPES), expires_at__isnull=False)
                | (~Q(**_is_any(EXPIRING_TYPES)) & Q(expires_at__isnull=True)),
                name="user_fact_events_expire",
            ),
            models.CheckConstraint(
                condition=Q(is_active=True, valid_to__isnull=True, ended_reason="", superseded_by__isnull=True)
                | (Q(is_active=False, is_disputed=False, valid_to__isnull=False, ended_reason__in=EndReason.values)),
                name="user_fact_end_is_told",
            ),
            models.CheckConstraint(
                condition=Q(is_disputed=False) | Q(disputed_at__isnull=False), name="user_fact_dispute_is_dated"
            ),
            models.CheckConstraint(
                condition=Q(valid_to__isnull=True) | Q(valid_to__gte=F("valid_from")), name="user_fact_range_forward"
            ),
            models.CheckConstraint(condition=Q(said_at__gte=F("valid_from")), name="user_fact_said_since_valid"),
            models.CheckConstraint(
                condition=Q(superseded_by__isnull=True)
                | Q(ended_reason=EndReason.SUPERSEDED)
                | Q(ended_reason__in=[EndReason.DELETED, EndReason.FORGOTTEN]),
                name="user_fact_superseded_by_reason",
            ),
            models.CheckConstraint(
                condition=~Q(value_sealed=b"") & ~Q(key_sealed=b"")
                | Q(value_sealed=b"", key_sealed=b"", ended_reason__in=[EndReason.DELETED, EndReason.FORGOTTEN]),
                name="user_fact_sealed_unless_gone",
            ),
        ]
        indexes = [
            # For which facts a message proves: evidence && ARRAY[…].
            GinIndex(fields=["evidence"], name="user_fact_evidence", fastupdate=False),
            # For a user's facts, past and present, and for the history of one.
            models.Index(fields=["tenant", "end_user", "type", "key_index", "-id"], name="user_fact_history"),
            # For the daily expiry.
            models.Index(
                fields=["expires_at"], condition=Q(is_active=True, expires_at__isnull=False), name="user_fact_expiring"
            ),
            # For the rotation of keys.
            models.Index(fields=["sealed_by", "id"], name="user_fact_sealed_by"),
        ]
        triggers = [
            pgtrigger.Trigger(
                name="user_fact_supersede",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func="""
                    PERFORM 1 FROM tenancy_enduser u
                    WHERE u.id = NEW.end_user_id AND u.tenant_id = NEW.tenant_id FOR NO KEY UPDATE;
                    IF NOT FOUND THEN
                        RAISE EXCEPTION 'user_fact_same_tenant' USING ERRCODE = 'check_violation';
                    END IF;
                    IF NEW.is_active THEN
                        UPDATE knowledge_userfact
                        SET is_active = FALSE, is_disputed = FALSE, valid_to = GREATEST(NEW.valid_from, valid_from),
                            ended_reason = 'superseded', superseded_by_id = NEW.id, updated_at = now()
                        WHERE tenant_id = NEW.tenant_id AND end_user_id = NEW.end_user_id AND type = NEW.type
                            AND key_index = NEW.key_index AND is_active;
                    END IF;
                    RETURN NEW;
                """,
            ),
            pgtrigger.Trigger(
                name="user_fact_stays_what_it_is",
                operation=pgtrigger.Update,
                when=pgtrigger.Before,
                func="""
                    IF (OLD.tenant_id, OLD.end_user_id, OLD.type, OLD.valid_from, OLD.source, OLD.created_at)
                        IS DISTINCT FROM
                        (NEW.tenant_id, NEW.end_user_id, NEW.type, NEW.valid_from, NEW.source, NEW.created_at)
                        OR (OLD.key_index <> NEW.key_index AND (NEW.value_sealed <> '' OR NEW.key_sealed <> ''))
                    THEN
                        RAISE EXCEPTION 'user_fact_stays_what_it_is' USING ERRCODE = 'check_violation';
                    END IF;
                    IF NEW.is_active AND NOT OLD.is_active THEN
                        RAISE EXCEPTION 'user_fact_stays_ended' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
            pgtrigger.Trigger(
                # What protects a person ends by a denial only where the log says on what ground, and is replaced only
                # by another version of itself.
                name="user_fact_protected_ends_on_ground",
                operation=pgtrigger.Update,
                when=pgtrigger.After,
                condition=pgtrigger.Q(old__is_active=True, new__is_active=False),
                func="""
                    IF OLD.type IN (%(protected)s) OR OLD.source IN ('onboarding', 'explicit') THEN
                        IF NEW.ended_reason = 'denied' AND NOT EXISTS (
                            SELECT 1 FROM knowledge_memorycorrection c
                            WHERE c.tenant_id = OLD.tenant_id AND c.end_user_id = OLD.end_user_id AND c.fact_id = OLD.id
                                AND c.outcome = 'deactivated'
                                AND c.basis IN ('explicit', 'confirmed', 'support', 'recorded')
                        ) OR NEW.ended_reason = 'superseded' AND NEW.superseded_by_id IS NULL
                        THEN
                            RAISE EXCEPTION 'user_fact_protected_ends_on_ground' USING ERRCODE = 'check_violation';
                        END IF;
                    END IF;
                    RETURN NEW;
                """.replace("%(protected)s", ", ".join(f"'{name}'" for name in PROTECTED_TYPES)),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.type} #{self.pk}"

    @property
    def is_protected(self) -> bool:
        """Whether only an explicit denial, a person's decision or forgetting ends it."""
        return self.type in PROTECTED_TYPES or self.source in PROTECTED_SOURCES
