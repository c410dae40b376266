"""The search index's side of events, and the names that stand in them."""

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q

from episodes.events.models.nodes import EventNode
from knowledge.search.models import EmbeddingState, Passage
from memoryproject.triggers import keep_together

EVENT_PARTITION_KIND = "event"
"""Lexemes of events are hashed within their player's partition: `build_partition_id(EVENT_PARTITION_KIND, end_user_id)`."""
SHARED = ("tenant_id", "end_user_id", "conversation_id")


class EventPassage(Passage):
    """The search index's row of one event. A hidden event has none; a vector has only what is archived."""

    node = models.OneToOneField(EventNode, on_delete=models.CASCADE, related_name="passage")
    world = models.ForeignKey(
        "tenancy.World", on_delete=models.PROTECT, null=True, blank=True, related_name="+", db_index=False
    )
    end_user = models.ForeignKey("tenancy.EndUser", on_delete=models.PROTECT, related_name="+", db_index=False)
    conversation = models.ForeignKey(
        "episodes.Conversation", on_delete=models.PROTECT, related_name="+", db_index=False
    )
    npc_ids = ArrayField(models.CharField(max_length=120), default=list, blank=True)
    embedder = models.CharField(
        max_length=216, blank=True, help_text="Name and dimensions of what made the vector; others are never compared."
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(embedding_state__in=EmbeddingState.values), name="event_passage_embedding_state_known"
            ),
            models.CheckConstraint(
                condition=(Q(embedding_state=EmbeddingState.DONE, embedding__isnull=False) & ~Q(embedder=""))
                | (~Q(embedding_state=EmbeddingState.DONE) & Q(embedding__isnull=True, embedder="")),
                name="event_passage_done_has_vector",
            ),
        ]
        indexes = [
            # For keyword candidates: lexemes && ARRAY[…]; the hashes carry the player.
            GinIndex(fields=["lexemes"], name="event_passage_lexemes", fastupdate=False),
            # For the exact scan of a player's events.
            models.Index(fields=["tenant", "end_user"], include=["embedder"], name="event_passage_by_user"),
        ]
        triggers = [
            keep_together("event_passage_keeps_together", {"node_id": ("episodes_eventnode", SHARED)}),
            pgtrigger.Trigger(
                name="event_passage_vector_where_archived",
                operation=pgtrigger.Insert | pgtrigger.UpdateOf("embedding"),
                when=pgtrigger.Before,
                condition=pgtrigger.Q(new__embedding__isnull=False),
                func="""
                    IF NOT EXISTS (
                        SELECT 1 FROM episodes_eventnode n WHERE n.id = NEW.node_id AND n.state = 'archived'
                    ) THEN
                        RAISE EXCEPTION 'event_passage_vector_where_archived' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"passage of event {self.node_id}"


class EventName(models.Model):
    """A name or keyword that leads to an event. `entity_id` is its node of the graph, once the event is archived."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    end_user = models.ForeignKey("tenancy.EndUser", on_delete=models.PROTECT, related_name="+", db_index=False)
    conversation = models.ForeignKey(
        "episodes.Conversation", on_delete=models.PROTECT, related_name="+", db_index=False
    )
    node = models.ForeignKey(EventNode, on_delete=models.CASCADE, related_name="names", db_index=False)
    name = models.CharField(max_length=120)
    folded = models.CharField(max_length=160, help_text="As names are compared: normalised, by stems.")
    type = models.CharField(max_length=40, blank=True, help_text="Of an entity; empty for a keyword.")
    entity_id = models.BigIntegerField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["node", "folded"], name="event_name_once"),
            models.CheckConstraint(condition=~Q(name="") & ~Q(folded=""), name="event_name_not_empty"),
        ]
        indexes = [
            # For the events of a name, and for what names of a player a talk holds.
            models.Index(fields=["tenant", "end_user", "folded"], name="event_name_by_user"),
            # For the events of an entity of the graph.
            models.Index(
                fields=["tenant", "end_user", "entity_id"],
                condition=Q(entity_id__isnull=False),
                name="event_name_by_entity",
            ),
        ]
        triggers = [keep_together("event_name_keeps_together", {"node_id": ("episodes_eventnode", SHARED)})]

    def __str__(self) -> str:
        return self.name
