"""Items by namespace and key, within the space of a world or of the tenant."""

from __future__ import annotations

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from knowledge.store.core.limits import MAX_KEY_BYTES, MAX_LABELS, MAX_NAMESPACE_BYTES, MAX_VALUE_BYTES, OWN_ROOT

_COUNT_ITEMS = """
    UPDATE knowledge_storespace s SET item_count = s.item_count {sign} c.count
    FROM (SELECT space_id, count(*) AS count FROM {rows} GROUP BY space_id) c
    WHERE s.id = c.space_id;
    RETURN NULL;
"""


class StoreSpace(models.Model):
    """The store of one world, or of the tenant where no world is named. Writers wait for each other on its row."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    world = models.ForeignKey(
        "tenancy.World", on_delete=models.PROTECT, null=True, blank=True, related_name="+", db_index=False
    )
    item_count = models.PositiveIntegerField(default=0, help_text="Kept by triggers of the items.")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant", "world"], name="store_space_unique", nulls_distinct=False),
        ]
        triggers = [
            pgtrigger.Trigger(
                name="store_space_same_tenant",
                operation=pgtrigger.Insert | pgtrigger.UpdateOf("tenant_id", "world_id"),
                when=pgtrigger.Before,
                func="""
                    IF NEW.world_id IS NOT NULL AND NOT EXISTS (
                        SELECT 1 FROM tenancy_world w WHERE w.id = NEW.world_id AND w.tenant_id = NEW.tenant_id
                    ) THEN
                        RAISE EXCEPTION 'store_space_same_tenant' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"store of {self.world or self.tenant}"


class StoreItem(models.Model):
    """One item: a JSON object under a key of a namespace."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    space = models.ForeignKey(StoreSpace, on_delete=models.PROTECT, related_name="items", db_index=False)
    namespace = ArrayField(models.TextField())
    key = models.TextField()
    value = models.JSONField()
    index_fields = ArrayField(
        models.TextField(), null=True, blank=True, help_text="Paths that are searched; null: the whole value."
    )
    message_id = models.BigIntegerField(null=True, blank=True, help_text="The message of a player that it rests on.")
    ttl_minutes = models.FloatField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["-updated_at", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["space", "namespace", "key"], name="store_item_unique"),
            models.CheckConstraint(
                condition=Q(ttl_minutes__isnull=True, expires_at__isnull=True)
                | Q(ttl_minutes__gt=0, expires_at__isnull=False),
                name="store_item_ttl_has_end",
            ),
            models.CheckConstraint(condition=~Q(key=""), name="store_item_key_not_empty"),
            models.CheckConstraint(condition=Q(updated_at__gte=F("created_at")), name="store_item_times_in_order"),
        ]
        indexes = [
            # For a prefix, and for what goes with a player whose id is a label.
            GinIndex(fields=["namespace"], name="store_item_namespace"),
            # For lists of a space, newest first.
            models.Index(fields=["space", "-updated_at", "-id"], name="store_item_by_time"),
            # For what goes with a player whose id is the key.
            models.Index(fields=["tenant", "key"], name="store_item_by_key"),
            # For the sweep of what has expired.
            models.Index(fields=["expires_at"], condition=Q(expires_at__isnull=False), name="store_item_expiring"),
            # For what rests on messages that are forgotten.
            models.Index(
                fields=["tenant", "message_id"], condition=Q(message_id__isnull=False), name="store_item_message"
            ),
        ]
        triggers = [
            pgtrigger.Trigger(
                name="store_item_form",
                operation=pgtrigger.Insert | pgtrigger.UpdateOf("tenant_id", "space_id", "namespace", "key", "value"),
                when=pgtrigger.Before,
                func=f"""
                    IF NOT EXISTS (
                        SELECT 1 FROM knowledge_storespace s WHERE s.id = NEW.space_id AND s.tenant_id = NEW.tenant_id
                    ) THEN
                        RAISE EXCEPTION 'store_item_same_tenant' USING ERRCODE = 'check_violation';
                    END IF;
                    IF coalesce(array_ndims(NEW.namespace), 0) <> 1 OR cardinality(NEW.namespace) > {MAX_LABELS}
                        OR array_position(NEW.namespace, NULL) IS NOT NULL OR '' = ANY (NEW.namespace)
                        OR octet_length(array_to_string(NEW.namespace, '')) > {MAX_NAMESPACE_BYTES}
                        OR position('.' IN array_to_string(NEW.namespace, '')) > 0
                        OR NEW.namespace[1] IN ('langgraph', '{OWN_ROOT}')
                    THEN
                        RAISE EXCEPTION 'store_item_namespace' USING ERRCODE = 'check_violation';
                    END IF;
                    IF octet_length(NEW.key) > {MAX_KEY_BYTES} THEN
                        RAISE EXCEPTION 'store_item_key' USING ERRCODE = 'check_violation';
                    END IF;
                    IF jsonb_typeof(NEW.value) <> 'object' OR octet_length(NEW.value::text) > 2 * {MAX_VALUE_BYTES} THEN
                        RAISE EXCEPTION 'store_item_value' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,  # noqa: S608 - our own names
            ),
            pgtrigger.Trigger(
                name="store_item_added",
                level=pgtrigger.Statement,
                operation=pgtrigger.Insert,
                when=pgtrigger.After,
                referencing=pgtrigger.Referencing(new="added"),
                func=_COUNT_ITEMS.format(sign="+", rows="added"),
            ),
            pgtrigger.Trigger(
                name="store_item_removed",
                level=pgtrigger.Statement,
                operation=pgtrigger.Delete,
                when=pgtrigger.After,
                referencing=pgtrigger.Referencing(old="removed"),
                func=_COUNT_ITEMS.format(sign="-", rows="removed"),
            ),
            pgtrigger.Trigger(
                name="store_item_stays",
                operation=pgtrigger.UpdateOf("space_id", "namespace", "key"),
                when=pgtrigger.Before,
                condition=pgtrigger.Q(old__space_id__df=pgtrigger.F("new__space_id"))
                | pgtrigger.Q(old__namespace__df=pgtrigger.F("new__namespace"))
                | pgtrigger.Q(old__key__df=pgtrigger.F("new__key")),
                func="RAISE EXCEPTION 'store_item_stays' USING ERRCODE = 'check_violation';",
            ),
        ]

    def __str__(self) -> str:
        return f"{' › '.join(self.namespace)} › {self.key}"
