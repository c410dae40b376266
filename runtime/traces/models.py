"""Traces of packs and answers, and what was said of how good they were."""

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from memoryproject.triggers import world_of_same_tenant


class TraceKind(models.TextChoices):
    """What was made: a context pack for somebody else's model, or an answer of an NPC."""

    PACK = "pack"
    CHAT = "chat"


class Thumb(models.TextChoices):
    """What somebody thought of the answer."""

    UP = "up"
    DOWN = "down"


class Trace(models.Model):
    """One turn: asked, found, told, cut, said. Its words are sealed, and go when a message that it names is forgotten.

    The id sorts by time (UUID version 7): lists, times and retention go by it.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    world = models.ForeignKey("tenancy.World", on_delete=models.PROTECT, related_name="+", db_index=False)
    kind = models.CharField(max_length=8, choices=TraceKind)
    user_id = models.CharField(max_length=200, blank=True, help_text="The player, known here by then or not.")
    session_id = models.CharField(max_length=200, blank=True)
    npc_id = models.CharField(max_length=120, blank=True)
    party_id = models.CharField(max_length=200, blank=True)
    scene_id = models.CharField(max_length=200, blank=True)
    message_id = models.BigIntegerField(null=True, blank=True, help_text="The player's words in RAW.")
    reply_message_id = models.BigIntegerField(null=True, blank=True, help_text="The answer in RAW.")
    message_ids = ArrayField(models.BigIntegerField(), help_text="Every message whose words stand in the texts.")
    query_hash = models.CharField(
        max_length=64,
        blank=True,
        help_text="Of the player's words: they are forgotten with the same words in RAW.",
    )
    prompt_version = models.PositiveIntegerField()
    prompt_source = models.CharField(max_length=200)
    persona_version = models.PositiveIntegerField(null=True, blank=True)
    releases = models.JSONField(help_text="Domain to the number of the release that was read.")
    embedder = models.CharField(max_length=200, blank=True)
    tokens = models.PositiveIntegerField()
    token_limit = models.PositiveIntegerField()
    tokens_by_layer = models.JSONField()
    steps_ms = models.JSONField()
    prompt_tokens = models.PositiveIntegerField(null=True, blank=True)
    completion_tokens = models.PositiveIntegerField(null=True, blank=True)
    cost = models.FloatField(null=True, blank=True)
    contradictions = models.PositiveIntegerField(help_text="Claims of the answer that canon denies, after all tries.")
    degraded = ArrayField(models.CharField(max_length=80), help_text="What the turn had to do without.")
    outline = models.JSONField(help_text="Items, steps and calls, without a word that anybody said.")
    texts = models.BinaryField(null=True, blank=True, help_text="The words, compressed and sealed.")
    texts_lack = models.CharField(max_length=16, blank=True, help_text="Why some or all words were not kept.")
    blanked_at = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=TraceKind.values), name="trace_kind_known"),
            models.CheckConstraint(
                condition=Q(blanked_at__isnull=True) | Q(texts__isnull=True, query_hash=""),
                name="trace_blanked_has_no_words",
            ),
            models.CheckConstraint(condition=Q(cost__isnull=True) | Q(cost__gte=0), name="trace_cost_not_negative"),
        ]
        indexes = [
            # For a world's traces, newest first, by time, kind and what they had to do without.
            models.Index(fields=["tenant", "world", "-id"], name="trace_by_world"),
            # For a player's traces, and for forgetting all of them.
            models.Index(fields=["tenant", "user_id", "-id"], condition=~Q(user_id=""), name="trace_by_user"),
            # For a session's traces.
            models.Index(
                fields=["tenant", "world", "session_id", "-id"], condition=~Q(session_id=""), name="trace_by_session"
            ),
            # For what an NPC was told, turn by turn.
            models.Index(fields=["tenant", "world", "npc_id", "-id"], condition=~Q(npc_id=""), name="trace_by_npc"),
            # For forgetting: the traces that name a message, whose turn it ever was.
            GinIndex(
                fields=["message_ids"],
                condition=Q(blanked_at__isnull=True),
                name="trace_by_message",
                fastupdate=False,
            ),
            # For forgetting: the traces that hold the same words beside RAW.
            models.Index(fields=["tenant", "query_hash"], condition=~Q(query_hash=""), name="trace_by_words"),
            # For turns that had to do without something, which are few.
            models.Index(fields=["tenant", "world", "-id"], condition=~Q(degraded=[]), name="trace_degraded"),
        ]
        triggers = [
            world_of_same_tenant("trace_same_tenant", operation=pgtrigger.Insert),
            pgtrigger.Trigger(
                name="trace_only_blanks",
                operation=pgtrigger.Update,
                when=pgtrigger.Before,
                declare=[("kept", "runtime_trace")],
                func="""
                    kept := NEW;
                    kept.texts := OLD.texts;
                    kept.query_hash := OLD.query_hash;
                    kept.blanked_at := OLD.blanked_at;
                    IF kept IS DISTINCT FROM OLD OR OLD.blanked_at IS NOT NULL OR NEW.blanked_at IS NULL THEN
                        RAISE EXCEPTION 'trace_only_blanks' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return str(self.pk)


class TraceFeedback(models.Model):
    """What an answer made of its pack, and what somebody thought of it. The newest counts; all of them stay."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    trace = models.ForeignKey(Trace, on_delete=models.CASCADE, related_name="feedback", db_index=False)
    used_item_ids = ArrayField(models.CharField(max_length=300), blank=True)
    thumb = models.CharField(max_length=4, choices=Thumb, blank=True)
    note = models.CharField(max_length=2000, blank=True, help_text="Goes with the trace's words.")
    shown = models.JSONField(help_text="Layer to how many items were told.")
    used = models.JSONField(help_text="Layer to how many of them the answer used.")
    places = models.JSONField(
        db_default={}, help_text="Layer to the sums of 1/place of what was used, by fused score and as told."
    )
    given_by = models.CharField(max_length=200, help_text="The API key's prefix, or the person's name.")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(thumb__in=["", *Thumb.values]), name="trace_feedback_thumb_known"),
        ]
        indexes = [
            # For a trace's newest feedback.
            models.Index(fields=["tenant", "trace", "-id"], name="trace_feedback_by_trace"),
            # For hit rates over a time.
            models.Index(fields=["tenant", "created_at"], name="trace_feedback_by_time"),
        ]
        triggers = [
            pgtrigger.Trigger(
                name="trace_feedback_stays",
                operation=pgtrigger.Insert | pgtrigger.Update,
                when=pgtrigger.Before,
                declare=[("kept", "runtime_tracefeedback")],
                func="""
                    IF TG_OP = 'INSERT' THEN
                        IF NOT EXISTS (SELECT 1 FROM runtime_trace t WHERE t.id = NEW.trace_id AND t.tenant_id = NEW.tenant_id) THEN
                            RAISE EXCEPTION 'trace_feedback_same_tenant' USING ERRCODE = 'check_violation';
                        END IF;
                        RETURN NEW;
                    END IF;
                    kept := NEW;
                    kept.note := OLD.note;
                    IF kept IS DISTINCT FROM OLD OR NEW.note <> '' THEN
                        RAISE EXCEPTION 'trace_feedback_stays' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"feedback {self.pk}"
