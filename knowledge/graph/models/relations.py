"""Relations between entities: what source states them, in which releases or since when they hold, and for whom."""

from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Func, Q
from django.db.models.functions import Now

from knowledge.graph.models.entities import GraphEntity
from knowledge.graph.models.guards import OwnerKind, only_ends, owner_is_whole, same_world
from knowledge.graph.models.ranges import point_of, point_of_text


class RelationSource(models.TextChoices):
    """Sources by authority, the highest first."""

    CANON = "canon", "An article"
    ENGINE = "engine", "The engine's account of a scene"
    EVENT = "event", "An event that a model took from talk"


class RelationState(models.TextChoices):
    """Whether a relation stands."""

    ACTIVE = "active", "Stands"
    DISPUTED = "disputed", "A source of higher authority says otherwise"
    WITHDRAWN = "withdrawn", "What stated it no longer stands"


class GraphRelation(models.Model):
    """One source's statement that src stands in a relation to dst. Half-open ranges; nothing is deleted, only ended."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    world = models.ForeignKey("tenancy.World", on_delete=models.PROTECT, related_name="+", db_index=False)
    owner_kind = models.CharField(max_length=16, choices=OwnerKind)
    owner_id = models.BigIntegerField(default=0)
    src = models.ForeignKey(GraphEntity, on_delete=models.PROTECT, related_name="+", db_index=False)
    predicate = models.CharField(max_length=64)
    dst = models.ForeignKey(GraphEntity, on_delete=models.PROTECT, related_name="+", db_index=False)
    stated_as = models.CharField(max_length=64, help_text="The predicate as the source has it.")
    slot = models.CharField(max_length=100, blank=True, help_text="What only one relation may hold at a time.")
    state = models.CharField(max_length=16, choices=RelationState, default=RelationState.ACTIVE)
    audience = ArrayField(models.CharField(max_length=160))
    source_kind = models.CharField(max_length=16, choices=RelationSource)
    source_id = models.BigIntegerField(help_text="Of canon the revision, else the summary or event.")
    source_field = models.CharField(max_length=100, blank=True)
    span = models.CharField(max_length=300, help_text="The words that state it.")
    domain_index = models.ForeignKey(
        "knowledge.DomainIndex", on_delete=models.CASCADE, null=True, blank=True, related_name="+", db_index=False
    )
    document = models.ForeignKey(
        "knowledge.LoreDocument", on_delete=models.PROTECT, null=True, blank=True, related_name="+", db_index=False
    )
    added_in = models.PositiveIntegerField(null=True, blank=True)
    removed_in = models.PositiveIntegerField(null=True, blank=True)
    story_from = models.BigIntegerField(null=True, blank=True, help_text="Place in the story from which it holds.")
    story_to = models.BigIntegerField(null=True, blank=True, help_text="Place in the story where it ended.")
    story_time = models.CharField(max_length=200, blank=True, help_text="As the story tells time; never parsed.")
    recorded_at = models.DateTimeField(db_default=Now(), editable=False)
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="+", db_index=False
    )

    class Meta:
        constraints = [
            owner_is_whole("graph_relation_owner_whole"),
            models.CheckConstraint(condition=~Q(src=F("dst")), name="graph_relation_not_to_itself"),
            models.CheckConstraint(condition=~Q(predicate=""), name="graph_relation_predicate_not_empty"),
            models.CheckConstraint(condition=~Q(span=""), name="graph_relation_has_evidence"),
            models.CheckConstraint(condition=Q(audience__len__gt=0), name="graph_relation_audience_not_empty"),
            models.CheckConstraint(condition=Q(state__in=RelationState.values), name="graph_relation_state_known"),
            # Canon ends with a release and by nothing else; play ends in time and knows no release.
            models.CheckConstraint(
                condition=Q(
                    source_kind=RelationSource.CANON,
                    owner_kind=OwnerKind.CANON,
                    state=RelationState.ACTIVE,
                    domain_index__isnull=False,
                    document__isnull=False,
                    added_in__isnull=False,
                    ended_at__isnull=True,
                    ended_by__isnull=True,
                )
                | Q(
                    source_kind__in=[RelationSource.ENGINE, RelationSource.EVENT],
                    domain_index__isnull=True,
                    document__isnull=True,
                    added_in__isnull=True,
                    removed_in__isnull=True,
                )
                & ~Q(owner_kind=OwnerKind.CANON),
                name="graph_relation_canon_has_release",
            ),
            models.CheckConstraint(
                condition=Q(removed_in__isnull=True) | Q(removed_in__gt=F("added_in")),
                name="graph_relation_range_not_empty",
            ),
            models.CheckConstraint(
                condition=Q(story_to__isnull=True) | Q(story_to__gte=F("story_from")), name="graph_relation_story_order"
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True) | Q(ended_at__gte=F("recorded_at")),
                name="graph_relation_ends_after_start",
            ),
            # One article states one thing once in a release.
            ExclusionConstraint(
                name="graph_relation_canon_once",
                index_type="gist",
                expressions=[
                    (point_of("document"), "="),
                    (point_of("src"), "="),
                    (point_of("dst"), "="),
                    (point_of_text("predicate"), "="),
                    (Func(F("added_in"), F("removed_in"), function="int4range"), "&&"),
                ],
                condition=Q(source_kind=RelationSource.CANON),
            ),
            # In play what holds of one thing at a time does so of one.
            ExclusionConstraint(
                name="graph_relation_one_a_slot",
                index_type="gist",
                expressions=[
                    (point_of("owner_id"), "="),
                    (point_of_text("owner_kind"), "="),
                    (point_of_text("slot"), "="),
                    (Func(F("recorded_at"), F("ended_at"), function="tstzrange"), "&&"),
                ],
                condition=~Q(slot="") & Q(state=RelationState.ACTIVE) & ~Q(source_kind=RelationSource.CANON),
            ),
            models.UniqueConstraint(
                fields=["tenant", "owner_kind", "owner_id", "source_kind", "source_id", "src", "predicate", "dst"],
                condition=~Q(source_kind=RelationSource.CANON) & Q(ended_at__isnull=True),
                name="graph_relation_source_unique",
            ),
        ]
        indexes = [
            # For walking, in either direction.
            models.Index(fields=["tenant", "src"], name="graph_relation_src"),
            models.Index(fields=["tenant", "dst"], name="graph_relation_dst"),
            # For build, undo and discard of a release, and for the whole graph of one.
            models.Index(fields=["domain_index", "added_in"], name="graph_relation_added_in"),
            models.Index(fields=["domain_index", "removed_in"], name="graph_relation_removed_in"),
            models.Index(
                fields=["document"], condition=Q(removed_in__isnull=True), name="graph_relation_open_document"
            ),
            # For withdrawing what a source said, and for the graph of one owner.
            models.Index(fields=["tenant", "owner_kind", "owner_id", "source_id"], name="graph_relation_source"),
        ]
        triggers = [
            same_world("graph_relation_same_world", ["src_id", "dst_id"], with_index=True),
            only_ends(
                "graph_relation_only_ends",
                "knowledge_graphrelation",
                may_change=["removed_in", "ended_at", "ended_by_id", "story_to", "state", "audience"],
            ),
        ]

    def __str__(self) -> str:
        return f"{self.src_id} {self.predicate} {self.dst_id}"
