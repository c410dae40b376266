"""NPCs and the versions of what they are."""

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.expressions import RawSQL
from django.db.models.functions import Now

from memoryproject.triggers import append_only
from npcs.profiles.core.ids import MAX_NPC_ID_LENGTH, NPC_ID_PATTERN


class NpcState(models.TextChoices):
    """Whether an NPC is offered to the game; a retired one stays readable."""

    ACTIVE = "active"
    RETIRED = "retired"


class Npc(models.Model):
    """One NPC of a world, under the engine's own id. What it is, is in its newest persona."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    world = models.ForeignKey("tenancy.World", on_delete=models.PROTECT, related_name="npcs", db_index=False)
    npc_id = models.CharField(
        max_length=MAX_NPC_ID_LENGTH, help_text="As canon's audience names it: the slug of the character's article."
    )
    state = models.CharField(max_length=16, choices=NpcState, default=NpcState.ACTIVE)
    persona_version = models.PositiveIntegerField(db_default=0, default=0, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        verbose_name = "NPC"
        constraints = [
            # Serves the list of a world's NPCs in the order of ids, too.
            models.UniqueConstraint(fields=["tenant", "world", "npc_id"], name="npc_id_unique"),
            models.CheckConstraint(condition=Q(npc_id__regex=NPC_ID_PATTERN), name="npc_id_form"),
            models.CheckConstraint(condition=Q(state__in=NpcState.values), name="npc_state_known"),
        ]
        triggers = [
            pgtrigger.Trigger(
                name="npc_stays_who_it_is",
                operation=pgtrigger.Insert | pgtrigger.Update,
                when=pgtrigger.Before,
                func="""
                    IF NOT EXISTS (SELECT 1 FROM tenancy_world w WHERE w.id = NEW.world_id AND w.tenant_id = NEW.tenant_id) THEN
                        RAISE EXCEPTION 'npc_same_tenant' USING ERRCODE = 'check_violation';
                    END IF;
                    IF TG_OP = 'INSERT' AND NEW.persona_version <> 0 THEN
                        RAISE EXCEPTION 'npc_version_follows_personas' USING ERRCODE = 'check_violation';
                    END IF;
                    IF TG_OP = 'UPDATE' THEN
                        IF (OLD.tenant_id, OLD.world_id, OLD.npc_id) IS DISTINCT FROM (NEW.tenant_id, NEW.world_id, NEW.npc_id) THEN
                            RAISE EXCEPTION 'npc_stays_who_it_is' USING ERRCODE = 'check_violation';
                        END IF;
                        IF NEW.persona_version <> OLD.persona_version AND pg_trigger_depth() < 2 THEN
                            RAISE EXCEPTION 'npc_version_follows_personas' USING ERRCODE = 'check_violation';
                        END IF;
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return self.npc_id


class NpcPersona(models.Model):
    """One immutable version of an NPC's static layer. Rows stay, so any past version can be read again."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    npc = models.ForeignKey(Npc, on_delete=models.PROTECT, related_name="personas", db_index=False)
    version = models.PositiveIntegerField(help_text="1 for the first, then without gaps.")
    name = models.CharField(max_length=200)
    names = models.JSONField(default=dict, blank=True, help_text="The name by language (BCP 47).")
    languages = ArrayField(models.CharField(max_length=35), default=list, blank=True, help_text="What it speaks.")
    archetype = models.CharField(max_length=120, blank=True)
    voice_tts = models.CharField(max_length=120, blank=True)
    persona = models.TextField(blank=True, help_text="How it speaks and behaves, for the model.")
    secrets = ArrayField(
        models.CharField(max_length=500), default=list, blank=True, help_text="Told to the engine only."
    )
    lore_refs = ArrayField(models.CharField(max_length=120), default=list, blank=True, help_text="Slugs of canon.")
    must_have = ArrayField(
        models.CharField(max_length=64), default=list, blank=True, help_text="Visual tags that each picture carries."
    )
    banned = ArrayField(
        models.CharField(max_length=64), default=list, blank=True, help_text="Visual tags that no picture may carry."
    )
    relations = models.JSONField(
        default=list, db_default=[], blank=True, help_text="What it passes on to whom: told to the engine only."
    )
    content_hash = models.BinaryField(max_length=32)
    author = models.CharField(max_length=200, help_text="Who wrote it: a key's prefix, a person, or a command.")
    approved_by = models.CharField(max_length=200, blank=True, db_default="", help_text="Who approved it, if reviewed.")
    change_request_id = models.BigIntegerField(
        null=True, blank=True, help_text="The request that brought it. No foreign key: review stands above NPCs."
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            # Serves the newest persona of NPCs and the list of an NPC's versions.
            models.UniqueConstraint(fields=["npc", "version"], name="npc_persona_version_unique"),
            models.CheckConstraint(condition=~Q(name=""), name="npc_persona_name_not_empty"),
            models.CheckConstraint(condition=~Q(author=""), name="npc_persona_author_not_empty"),
            models.CheckConstraint(condition=~Q(must_have__overlap=F("banned")), name="npc_persona_markers_disjoint"),
            models.CheckConstraint(
                condition=RawSQL("jsonb_typeof(relations) = 'array'", (), output_field=models.BooleanField()),
                name="npc_persona_relations_listed",
            ),
            models.CheckConstraint(
                condition=Q(change_request_id__isnull=True, approved_by="")
                | (Q(change_request_id__isnull=False) & ~Q(approved_by="") & ~Q(approved_by=F("author"))),
                name="npc_persona_four_eyes",
            ),
        ]
        triggers = [
            pgtrigger.Trigger(
                name="npc_persona_next_version",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func="""
                    IF NEW.version > 1 AND NEW.change_request_id IS NULL AND EXISTS (
                        SELECT 1 FROM npcs_npc n JOIN tenancy_world w ON w.id = n.world_id
                        WHERE n.id = NEW.npc_id AND w.npc_review = 'on'
                    ) THEN
                        RAISE EXCEPTION 'npc_persona_reviewed' USING ERRCODE = 'check_violation';
                    END IF;
                    UPDATE npcs_npc SET persona_version = NEW.version
                    WHERE id = NEW.npc_id AND tenant_id = NEW.tenant_id AND persona_version = NEW.version - 1;
                    IF NOT FOUND THEN
                        RAISE EXCEPTION 'npc_persona_next_version' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
            append_only("npc_persona_append_only"),
        ]

    def __str__(self) -> str:
        return f"{self.name}, version {self.version}"
