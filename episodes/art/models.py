"""Art cards: what pictures show, in words."""

from __future__ import annotations

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q
from django.db.models.expressions import RawSQL
from django.db.models.functions import Now

from episodes.art.core import MAX_EMBEDDING_DIMS, MAX_EMBEDDING_MODEL_LENGTH
from episodes.models.guards import only_mark
from episodes.rollback.models import LIVING, PlayQuerySet, PlayRow, guard_play_row
from knowledge.search.models import EmbeddingState, Passage
from memoryproject.triggers import keep_together, world_of_same_tenant

ART_PARTITION_KIND = "art"
"""Lexemes of art cards are hashed within their world's partition: `build_partition_id(ART_PARTITION_KIND, world_id)`."""


class TagSource(models.TextChoices):
    """Where the tags of a card come from, beside its must-have markers."""

    GIVEN = "given"
    MODEL = "model"
    KEYWORDS = "keywords"


class ArtCardManager(models.Manager.from_queryset(PlayQuerySet)):  # type: ignore[misc]  # made at run time
    """Cards without their vectors: these are long, and read with one card at most."""

    def get_queryset(self) -> PlayQuerySet:
        """All cards; what asks one for its vector reads it then."""
        rows: PlayQuerySet = super().get_queryset()
        return rows.defer("embedding_vec")


class ArtCard(PlayRow):
    """One picture of a scene. It is kept as it was told and never changes, save that a rollback may undo it."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    world = models.ForeignKey("tenancy.World", on_delete=models.PROTECT, related_name="+", db_index=False)
    image_id = models.CharField(max_length=200, help_text="The engine's id, unique in the world.")
    scene_id = models.CharField(max_length=200)
    campaign_id = models.CharField(
        max_length=120,
        blank=True,
        db_default="",
        help_text="The engine's id of the scene's campaign; empty: shown for every scene of the id.",
    )
    cdn_url = models.CharField(max_length=2000, blank=True)
    prompt_text = models.TextField()
    npc_ids = ArrayField(models.CharField(max_length=120), default=list, blank=True)
    location_ids = ArrayField(models.CharField(max_length=120), default=list, blank=True)
    visual_tags = ArrayField(models.CharField(max_length=64))
    added_tags = ArrayField(
        models.CharField(max_length=64), default=list, blank=True, help_text="Must-have markers that were missing."
    )
    tag_source = models.CharField(max_length=16, choices=TagSource)
    style_preset = models.CharField(max_length=120)
    style_seed = models.BigIntegerField(null=True, blank=True)
    is_safe = models.BooleanField(help_text="What the studio's moderation said; unsafe ones are never suggested from.")
    embedding_model = models.CharField(
        max_length=MAX_EMBEDDING_MODEL_LENGTH,
        blank=True,
        db_default="",
        help_text="What made the vector; empty where none was sent.",
    )
    embedding_vec = ArrayField(
        models.FloatField(),
        null=True,
        blank=True,
        help_text="As it was sent. Nothing is searched by it here, and no model is shown it.",
    )
    body_hash = models.BinaryField(max_length=32, help_text="SHA-256 of what was sent: a repeat is told from a clash.")
    made_at = models.DateTimeField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = ArtCardManager()  # type: ignore[misc]  # its own instead of the one of rows of play

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "world", "image_id"], condition=LIVING, name="art_card_image_unique"
            ),
            models.CheckConstraint(condition=Q(tag_source__in=TagSource.values), name="art_card_tag_source_known"),
            models.CheckConstraint(condition=Q(visual_tags__len__gte=5), name="art_card_tags_enough"),
            models.CheckConstraint(condition=~Q(prompt_text="") & ~Q(style_preset=""), name="art_card_says_something"),
            models.CheckConstraint(
                condition=Q(style_seed__isnull=True) | Q(style_seed__gte=0), name="art_card_seed_not_negative"
            ),
            models.CheckConstraint(
                condition=Q(embedding_model="", embedding_vec__isnull=True)
                | (
                    ~Q(embedding_model="")
                    & Q(embedding_vec__len__gte=1, embedding_vec__len__lte=MAX_EMBEDDING_DIMS)
                    & Q(embedding_vec__isnull=False)
                ),
                name="art_card_embedding_whole",
            ),
            models.CheckConstraint(
                condition=RawSQL(
                    "NOT embedding_vec && '{NaN,Infinity,-Infinity}' AND array_position(embedding_vec, NULL) IS NULL",
                    (),
                    output_field=models.BooleanField(),
                ),
                name="art_card_embedding_finite",
            ),
        ]
        indexes = [
            # For the cards of a scene, newest first.
            models.Index(fields=["tenant", "world", "scene_id", "-id"], name="art_card_by_scene"),
            # For other pictures of the same people and places: npc_ids && ARRAY[…].
            GinIndex(fields=["npc_ids"], name="art_card_npcs", fastupdate=False),
            GinIndex(fields=["location_ids"], name="art_card_locations", fastupdate=False),
        ]
        triggers = [
            world_of_same_tenant("art_card_same_tenant", operation=pgtrigger.Insert),
            pgtrigger.Trigger(
                name="art_card_campaign_known",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                condition=~pgtrigger.Q(new__campaign_id=""),
                func="""
                    IF NOT EXISTS (
                        SELECT 1 FROM episodes_campaign c
                        WHERE c.tenant_id = NEW.tenant_id AND c.world_id = NEW.world_id AND c.external_id = NEW.campaign_id
                    ) THEN
                        RAISE EXCEPTION 'art_card_campaign_known' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
            guard_play_row("art_card_of_one_line"),
            only_mark("art_card_stays", "episodes_artcard", "undone_by_id"),
        ]

    def __str__(self) -> str:
        return self.image_id


class ArtCardPassage(Passage):
    """The search index's row of one card: its prompt and its tags."""

    card = models.OneToOneField(ArtCard, on_delete=models.CASCADE, related_name="passage")
    world = models.ForeignKey("tenancy.World", on_delete=models.PROTECT, related_name="+", db_index=False)
    embedder = models.CharField(
        max_length=216, blank=True, help_text="Name and dimensions of what made the vector; others are never compared."
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(embedding_state__in=EmbeddingState.values), name="art_passage_embedding_state_known"
            ),
            models.CheckConstraint(
                condition=(Q(embedding_state=EmbeddingState.DONE, embedding__isnull=False) & ~Q(embedder=""))
                | (~Q(embedding_state=EmbeddingState.DONE) & Q(embedding__isnull=True, embedder="")),
                name="art_passage_done_has_vector",
            ),
        ]
        indexes = [
            # For keyword candidates: lexemes && ARRAY[…]; the hashes carry the world.
            GinIndex(fields=["lexemes"], name="art_passage_lexemes", fastupdate=False),
            # For the exact scan of a world's cards.
            models.Index(fields=["tenant", "world"], name="art_passage_by_world"),
            # For the embedding queue and its sweeper, oldest first.
            models.Index(
                fields=["tenant", "id"], condition=Q(embedding_state=EmbeddingState.PENDING), name="art_passage_pending"
            ),
        ]
        triggers = [
            keep_together("art_passage_keeps_together", {"card_id": ("episodes_artcard", ("tenant_id", "world_id"))})
        ]

    def __str__(self) -> str:
        return f"passage of art card {self.card_id}"
