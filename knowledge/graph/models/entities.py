"""Entities and the names under which sources speak of them."""

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from knowledge.graph.models.guards import OwnerKind, only_ends, owner_is_whole, same_world
from memoryproject.triggers import world_of_same_tenant


class MergeKind(models.TextChoices):
    """On what ground one entity stands for another."""

    TRANSLATION = "translation", "Their articles are translations of each other"
    EDITOR = "editor", "An editor said so"


class NameSource(models.TextChoices):
    """Who calls an entity so."""

    CANON = "canon", "An article"
    EDITOR = "editor", "An editor"
    ENGINE = "engine", "The engine's account of a scene"
    EVENT = "event", "An event that a model took from talk"


class GraphEntity(models.Model):
    """The lasting identity of somebody or something. What it is called is in its names, by source and release."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    world = models.ForeignKey("tenancy.World", on_delete=models.PROTECT, related_name="+", db_index=False)
    owner_kind = models.CharField(max_length=16, choices=OwnerKind)
    owner_id = models.BigIntegerField(default=0, help_text="Primary key of the campaign, conversation or user.")
    slug = models.CharField(max_length=120, blank=True, help_text="Of canon: the article's.")
    kind = models.CharField(max_length=32, help_text="As it was first known; each name says its own.")
    first_key = models.CharField(max_length=300, blank=True, help_text="Of play: the name it was first known by.")
    merged_into = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="merged", db_index=False
    )
    merged_by = models.CharField(max_length=16, choices=MergeKind, blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        verbose_name_plural = "graph entities"
        constraints = [
            owner_is_whole("graph_entity_owner_whole"),
            models.UniqueConstraint(
                fields=["tenant", "world", "slug"], condition=~Q(slug=""), name="graph_entity_slug_unique"
            ),
            models.UniqueConstraint(
                fields=["tenant", "world", "owner_kind", "owner_id", "kind", "first_key"],
                condition=Q(slug=""),
                name="graph_entity_first_key_unique",
            ),
            models.CheckConstraint(
                condition=Q(owner_kind=OwnerKind.CANON, first_key="") & ~Q(slug="") | Q(slug="") & ~Q(first_key=""),
                name="graph_entity_slug_is_canon",
            ),
            models.CheckConstraint(
                condition=Q(merged_into__isnull=True, merged_by="")
                | Q(merged_into__isnull=False, merged_by__in=MergeKind.values) & ~Q(merged_into=F("id")),
                name="graph_entity_merge_whole",
            ),
        ]
        indexes = [
            # For all that was merged into an entity.
            models.Index(
                fields=["tenant", "merged_into"], condition=Q(merged_into__isnull=False), name="graph_entity_merged"
            )
        ]
        triggers = [
            world_of_same_tenant(
                "graph_entity_world_same_tenant",
                operation=pgtrigger.Insert | pgtrigger.UpdateOf("tenant_id", "world_id"),
            ),
            # One step leads from an entity to what stands for it, within its world, and never against an editor's word.
            pgtrigger.Trigger(
                name="graph_entity_merge_is_flat",
                operation=pgtrigger.Insert | pgtrigger.UpdateOf("merged_into_id"),
                when=pgtrigger.Before,
                condition=pgtrigger.Q(new__merged_into__isnull=False),
                func="""
                    IF NOT EXISTS (
                        SELECT 1 FROM knowledge_graphentity e WHERE e.id = NEW.merged_into_id
                          AND e.tenant_id = NEW.tenant_id AND e.world_id = NEW.world_id AND e.merged_into_id IS NULL
                    ) OR EXISTS (SELECT 1 FROM knowledge_graphentity e WHERE e.tenant_id = NEW.tenant_id AND e.merged_into_id = NEW.id) THEN
                        RAISE EXCEPTION 'graph_entity_merge_is_flat' USING ERRCODE = 'check_violation';
                    END IF;
                    IF EXISTS (
                        SELECT 1 FROM knowledge_graphnotsame n
                        WHERE n.withdrawn_at IS NULL AND n.tenant_id = NEW.tenant_id
                          AND (SELECT COALESCE(a.merged_into_id, a.id) FROM knowledge_graphentity a WHERE a.id = n.first_id) IN (NEW.id, NEW.merged_into_id)
                          AND (SELECT COALESCE(b.merged_into_id, b.id) FROM knowledge_graphentity b WHERE b.id = n.second_id) IN (NEW.id, NEW.merged_into_id)
                    ) THEN
                        RAISE EXCEPTION 'graph_entity_not_same' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return self.slug or self.first_key


class GraphName(models.Model):
    """A name under which one source speaks of an entity: an article's title or alias, a mention in an event.

    It keeps its own text for ever, so a merge loses nothing and can be undone.
    """

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    world = models.ForeignKey("tenancy.World", on_delete=models.PROTECT, related_name="+", db_index=False)
    entity = models.ForeignKey(GraphEntity, on_delete=models.PROTECT, related_name="names", db_index=False)
    owner_kind = models.CharField(max_length=16, choices=OwnerKind)
    owner_id = models.BigIntegerField(default=0)
    source_kind = models.CharField(max_length=16, choices=NameSource)
    source_id = models.BigIntegerField(help_text="Of canon the revision, else the summary or event; 0 for an editor.")
    text = models.CharField(max_length=300)
    key = models.CharField(max_length=300, help_text="Folded, for look-up.")
    latin = models.CharField(max_length=300, blank=True, help_text="In Latin letters, for look-up across scripts.")
    grams = ArrayField(models.CharField(max_length=3), help_text="Trigrams of the key, for look-alikes.")
    kind = models.CharField(max_length=32)
    language = models.CharField(max_length=16, blank=True)
    is_title = models.BooleanField(default=False)
    audience = ArrayField(models.CharField(max_length=160), help_text="Who may know that it is called so.")
    domain_index = models.ForeignKey(
        "knowledge.DomainIndex", on_delete=models.CASCADE, null=True, blank=True, related_name="+", db_index=False
    )
    document = models.ForeignKey(
        "knowledge.LoreDocument", on_delete=models.PROTECT, null=True, blank=True, related_name="+", db_index=False
    )
    added_in = models.PositiveIntegerField(null=True, blank=True)
    removed_in = models.PositiveIntegerField(null=True, blank=True)
    recorded_at = models.DateTimeField(db_default=Now(), editable=False)
    ended_at = models.DateTimeField(null=True, blank=True)
    reason = models.TextField(blank=True, help_text="Why an editor added it.")
    actor = models.CharField(max_length=200, blank=True)

    class Meta:
        constraints = [
            owner_is_whole("graph_name_owner_whole"),
            models.CheckConstraint(condition=~Q(text="") & ~Q(key=""), name="graph_name_not_empty"),
            models.CheckConstraint(condition=Q(audience__len__gt=0), name="graph_name_audience_not_empty"),
            models.CheckConstraint(
                condition=Q(
                    source_kind=NameSource.CANON,
                    owner_kind=OwnerKind.CANON,
                    domain_index__isnull=False,
                    document__isnull=False,
                    added_in__isnull=False,
                    ended_at__isnull=True,
                )
                | ~Q(source_kind=NameSource.CANON)
                & Q(domain_index__isnull=True, document__isnull=True, added_in__isnull=True, removed_in__isnull=True),
                name="graph_name_canon_has_release",
            ),
            models.CheckConstraint(
                condition=Q(removed_in__isnull=True) | Q(removed_in__gt=F("added_in")),
                name="graph_name_range_not_empty",
            ),
            models.UniqueConstraint(
                fields=["document", "key", "added_in"],
                condition=Q(source_kind=NameSource.CANON),
                name="graph_name_canon_unique",
            ),
            models.UniqueConstraint(
                fields=["tenant", "owner_kind", "owner_id", "source_kind", "source_id", "entity", "key"],
                condition=~Q(source_kind=NameSource.CANON) & Q(ended_at__isnull=True),
                name="graph_name_mention_unique",
            ),
        ]
        indexes = [
            # For look-up of a name, and of one in another script.
            models.Index(fields=["tenant", "world", "key"], name="graph_name_key"),
            models.Index(fields=["tenant", "world", "latin"], condition=~Q(latin=""), name="graph_name_latin"),
            # For what an entity is called.
            models.Index(fields=["tenant", "entity"], name="graph_name_entity"),
            # For look-alikes: grams && ARRAY[…].
            GinIndex(fields=["grams"], name="graph_name_grams"),
            # For build, undo and discard of a release.
            models.Index(fields=["domain_index", "added_in"], name="graph_name_added_in"),
            models.Index(fields=["domain_index", "removed_in"], name="graph_name_removed_in"),
            models.Index(fields=["document"], condition=Q(removed_in__isnull=True), name="graph_name_open_document"),
            # For withdrawing what a source said.
            models.Index(fields=["tenant", "owner_kind", "owner_id", "source_id"], name="graph_name_source"),
        ]
        triggers = [
            same_world("graph_name_same_world", ["entity_id"], with_index=True),
            only_ends("graph_name_only_ends", "knowledge_graphname", may_change=["removed_in", "ended_at", "audience"]),
        ]

    def __str__(self) -> str:
        return self.text
