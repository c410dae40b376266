"""Lore documents, their immutable revisions, and which revision is live in which releases."""

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from knowledge.canon.core.slugs import SLUG_PATTERN
from memoryproject.triggers import refuse

PUBLIC = "public"


class LoreDocument(models.Model):
    """The lasting identity of an article. What it says is in its revisions; what is live, in its publications."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    domain_index = models.ForeignKey(
        "knowledge.DomainIndex", on_delete=models.CASCADE, related_name="documents", db_index=False
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        indexes = [
            # For listing a domain's documents in the order they came.
            models.Index(fields=["domain_index", "id"], name="document_by_index")
        ]

    def __str__(self) -> str:
        return f"document {self.pk}"


class LoreRevision(models.Model):
    """One immutable version of an article, as an editor approved it or a first load brought it."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    document = models.ForeignKey(LoreDocument, on_delete=models.PROTECT, related_name="revisions", db_index=False)
    number = models.PositiveIntegerField(help_text="1 for a document's first revision.")
    slug = models.CharField(max_length=120)
    title = models.CharField(max_length=300)
    type = models.CharField(
        max_length=32,
        help_text="rule, character, place, faction, item, event, term, custom, article, or a word of the studio's own.",
    )
    language = models.CharField(max_length=16)
    body = models.TextField(help_text="Markdown.")
    tags = ArrayField(models.CharField(max_length=64), default=list, blank=True)
    aliases = ArrayField(
        models.CharField(max_length=300), default=list, blank=True, help_text="Other names of the subject."
    )
    rule_id = models.CharField(max_length=64, blank=True)
    audience = ArrayField(
        models.CharField(max_length=160),
        default=list,
        help_text="public, or the npc: and faction: tags that may know it.",
    )
    fields = models.JSONField(
        default=dict,
        blank=True,
        help_text="Structured facts: name to number, text, ISO date, boolean or list of texts.",
    )
    field_labels = models.JSONField(
        default=dict, blank=True, help_text="Words by which people name a field, by field name."
    )
    relations = models.JSONField(default=list, blank=True, help_text="Typed relations to other articles: [{type, to}].")
    translation_of = models.CharField(max_length=120, blank=True)
    source = models.TextField(blank=True)
    lorebook_origin = models.JSONField(
        null=True, blank=True, help_text="What the file of a lorebook says beside the article; exports put it back."
    )
    mentions = ArrayField(
        models.CharField(max_length=120),
        default=list,
        blank=True,
        help_text="Slugs named by [[…]] in the body and by relations.",
    )
    content_hash = models.BinaryField(max_length=32)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["document_id", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["document", "number"], name="revision_number_unique"),
            models.CheckConstraint(condition=Q(slug__regex=SLUG_PATTERN), name="revision_slug_form"),
            models.CheckConstraint(condition=~Q(title=""), name="revision_title_not_empty"),
            models.CheckConstraint(condition=Q(audience__len__gt=0), name="revision_audience_not_empty"),
        ]
        triggers = [
            refuse("revision_is_immutable", pgtrigger.Update),
        ]

    def __str__(self) -> str:
        return f"{self.title} (revision {self.number})"


class Publication(models.Model):
    """A stretch of releases, [added_in, removed_in), in which one revision of a document is live under its slug."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    domain_index = models.ForeignKey(
        "knowledge.DomainIndex", on_delete=models.CASCADE, related_name="publications", db_index=False
    )
    document = models.ForeignKey(LoreDocument, on_delete=models.PROTECT, related_name="publications", db_index=False)
    revision = models.ForeignKey(LoreRevision, on_delete=models.PROTECT, related_name="publications")
    slug = models.CharField(max_length=120)
    title = models.CharField(max_length=300)
    type = models.CharField(max_length=32)
    names = ArrayField(models.CharField(max_length=300), help_text="Title and aliases, normalised for look-up.")
    rule_id = models.CharField(max_length=64, blank=True)
    audience = ArrayField(models.CharField(max_length=160))
    tags = ArrayField(models.CharField(max_length=64), default=list)
    mentions = ArrayField(models.CharField(max_length=120), default=list)
    added_in = models.PositiveIntegerField()
    removed_in = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["domain_index", "slug"],
                condition=Q(removed_in__isnull=True),
                name="publication_slug_unique_when_open",
            ),
            models.UniqueConstraint(
                fields=["document"], condition=Q(removed_in__isnull=True), name="publication_one_open_per_document"
            ),
            models.UniqueConstraint(fields=["document", "added_in"], name="publication_document_added_in_unique"),
            models.UniqueConstraint(
                fields=["domain_index", "slug", "added_in"], name="publication_slug_added_in_unique"
            ),
            models.CheckConstraint(
                condition=Q(removed_in__isnull=True) | Q(removed_in__gt=F("added_in")),
                name="publication_range_not_empty",
            ),
        ]
        indexes = [
            # For all that a release changed (undo, discard, release notes).
            models.Index(fields=["domain_index", "added_in"], name="publication_added_in"),
            models.Index(fields=["domain_index", "removed_in"], name="publication_removed_in"),
            # For rules/lookup?rule_id.
            models.Index(fields=["domain_index", "rule_id"], condition=~Q(rule_id=""), name="publication_rule_id"),
            # For look-up by name or alias: names && ARRAY[…].
            GinIndex(fields=["names"], name="publication_names"),
            # For backlinks: mentions && ARRAY[slug].
            GinIndex(fields=["mentions"], name="publication_mentions"),
        ]

    def __str__(self) -> str:
        return self.slug
