"""What happened: summaries of scenes, events between them, and the search index's side of summaries."""

import pgtrigger
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from episodes.campaigns.models.campaigns import Campaign, Party, Scene
from episodes.models.guards import only_add
from episodes.rollback.models import LIVING, PlayRow, guard_play_row
from knowledge.search.models import EmbeddingState, Passage
from memoryproject.triggers import keep_together

SUMMARY_PARTITION_KIND = "campaign"
"""Lexemes of summaries are hashed within their campaign: `build_partition_id(SUMMARY_PARTITION_KIND, campaign_id)`."""


class EpisodicSummary(PlayRow):
    """What happened in a scene, as the engine told it. Rows are added and never changed, save for expiry and rollback.

    Where a player is erased, a placeholder stands for the id, in the body, the notes and whatever came of them.
    """

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    world = models.ForeignKey("tenancy.World", on_delete=models.PROTECT, related_name="+", db_index=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="summaries", db_index=False)
    party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="summaries", db_index=False)
    scene = models.ForeignKey(Scene, on_delete=models.PROTECT, related_name="summaries")
    summary_id = models.CharField(max_length=120, help_text="The engine's id, unique in the world among what holds.")
    seq = models.PositiveIntegerField(help_text="Place in the campaign, shared with events.")
    body = models.JSONField(help_text="As it was sent, in the form of schemas/episodic_summary.schema.json.")
    body_hash = models.BinaryField(max_length=32, help_text="SHA-256 of the body: a repeat is told from another body.")
    happened_at = models.DateTimeField()
    location_id = models.CharField(max_length=120)
    event = models.CharField(max_length=64)
    outcome = models.CharField(max_length=64)
    notes = models.TextField()
    notes_tokens = models.PositiveSmallIntegerField()
    language = models.CharField(max_length=16)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    expired_at = models.DateTimeField(null=True, blank=True, help_text="Since then it is no longer found.")

    class Meta:
        verbose_name_plural = "episodic summaries"
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "world", "summary_id"], condition=LIVING, name="summary_id_unique"
            ),
            # Serves the timeline of a campaign.
            models.UniqueConstraint(fields=["tenant", "campaign", "seq"], name="summary_seq_unique"),
            models.CheckConstraint(condition=~Q(summary_id=""), name="summary_id_not_empty"),
            models.CheckConstraint(condition=Q(notes_tokens__lte=40), name="summary_notes_short"),
        ]
        indexes = [
            # For the last summaries of a party.
            models.Index(fields=["tenant", "party", "-happened_at", "-seq"], name="summary_by_party"),
            # For the beat that lets summaries expire, oldest first.
            models.Index(
                fields=["tenant", "world", "created_at"],
                condition=Q(expired_at__isnull=True),
                name="summary_not_expired",
            ),
        ]
        triggers = [
            keep_together(
                "summary_keeps_together",
                {
                    "campaign_id": ("episodes_campaign", ("tenant_id", "world_id")),
                    "party_id": ("episodes_party", ("tenant_id", "campaign_id")),
                    "scene_id": ("episodes_scene", ("tenant_id", "campaign_id", "party_id")),
                },
            ),
            guard_play_row("summary_of_one_line", "campaign_id"),
            only_add(
                "summary_append_only",
                "episodes_episodicsummary",
                may_change=("expired_at", "undone_by_id"),
                names_users=True,
                hashed=("body_hash",),
            ),
        ]

    def __str__(self) -> str:
        return self.summary_id


class EventFact(PlayRow):
    """Something of weight between scenes: a quest completed, a flag changed. Added, never changed save by rollback."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    world = models.ForeignKey("tenancy.World", on_delete=models.PROTECT, related_name="+", db_index=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="events", db_index=False)
    party = models.ForeignKey(
        Party, on_delete=models.PROTECT, null=True, blank=True, related_name="events", db_index=False
    )
    event_id = models.CharField(max_length=120, help_text="The engine's id, unique in the world among what holds.")
    seq = models.PositiveIntegerField(help_text="Place in the campaign, shared with summaries.")
    kind = models.CharField(max_length=64)
    body = models.JSONField()
    body_hash = models.BinaryField(max_length=32)
    happened_at = models.DateTimeField()
    notes = models.TextField(blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant", "world", "event_id"], condition=LIVING, name="event_id_unique"),
            # Serves the timeline of a campaign.
            models.UniqueConstraint(fields=["tenant", "campaign", "seq"], name="event_seq_unique"),
            models.CheckConstraint(condition=~Q(event_id=""), name="event_id_not_empty"),
        ]
        triggers = [
            keep_together(
                "event_keeps_together",
                {
                    "campaign_id": ("episodes_campaign", ("tenant_id", "world_id")),
                    "party_id": ("episodes_party", ("tenant_id", "campaign_id")),
                },
            ),
            guard_play_row("event_of_one_line", "campaign_id"),
            only_add(
                "event_append_only",
                "episodes_eventfact",
                may_change=("undone_by_id",),
                names_users=True,
                hashed=("body_hash",),
            ),
        ]

    def __str__(self) -> str:
        return self.event_id


class SummaryPassage(Passage):
    """The search index's row of one summary; an expired or archived one has none, so nothing of it is found."""

    summary = models.OneToOneField(EpisodicSummary, on_delete=models.PROTECT, related_name="passage")
    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="+", db_index=False)
    party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="+", db_index=False)
    embedder = models.CharField(
        max_length=216, blank=True, help_text="Name and dimensions of what made the vector; others are never compared."
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(embedding_state__in=EmbeddingState.values), name="summary_passage_embedding_state_known"
            ),
            models.CheckConstraint(
                condition=(Q(embedding_state=EmbeddingState.DONE, embedding__isnull=False) & ~Q(embedder=""))
                | (~Q(embedding_state=EmbeddingState.DONE) & Q(embedding__isnull=True, embedder="")),
                name="summary_passage_done_has_vector",
            ),
        ]
        indexes = [
            # For keyword candidates: lexemes && ARRAY[…]; the hashes carry the campaign.
            GinIndex(fields=["lexemes"], name="summary_passage_lexemes", fastupdate=False),
            # For the exact scan of a campaign's or a party's summaries.
            models.Index(fields=["tenant", "campaign", "party"], name="summary_passage_by_party"),
            # For the embedding queue and its sweeper, oldest first.
            models.Index(
                fields=["tenant", "id"],
                condition=Q(embedding_state=EmbeddingState.PENDING),
                name="summary_passage_pending",
            ),
            # For the list of what could not be embedded.
            models.Index(
                fields=["tenant", "id"],
                condition=Q(embedding_state=EmbeddingState.FAILED),
                name="summary_passage_failed",
            ),
        ]
        triggers = [
            keep_together(
                "summary_passage_keeps_together",
                {"summary_id": ("episodes_episodicsummary", ("tenant_id", "campaign_id", "party_id"))},
            ),
            pgtrigger.Trigger(
                name="summary_passage_holds",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func="""
                    IF EXISTS (
                        SELECT 1 FROM episodes_episodicsummary s WHERE s.id = NEW.summary_id AND s.undone_by_id IS NOT NULL
                    ) THEN
                        RAISE EXCEPTION 'summary_passage_holds' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"passage of summary {self.summary_id}"
