"""Everything up to 0006_persona_relations in one step: a new installation migrates in seconds, an old one has it already."""

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.datetime
import pgtrigger.compiler
from django.db import migrations, models

import memoryproject.batched_migrations
import memoryproject.trigger_migrations


class Migration(memoryproject.batched_migrations.BatchedMigration):
    replaces = [
        ("npcs", "0001_profiles_and_dispositions"),
        ("npcs", "0002_standing_goes_with_erased_users"),
        ("npcs", "0003_personas_through_review"),
        ("npcs", "0004_rollback_of_play"),
        ("npcs", "0005_rollback_indexes"),
        ("npcs", "0006_persona_relations"),
    ]

    initial = True

    dependencies = [
        ("tenancy", "0001_squashed_0009_notebook_scope"),
    ]

    operations = [
        migrations.CreateModel(
            name="DispositionScale",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("least", models.DecimalField(decimal_places=2, default=-5, max_digits=7)),
                ("most", models.DecimalField(decimal_places=2, default=5, max_digits=7)),
                (
                    "initial",
                    models.DecimalField(
                        decimal_places=2,
                        default=0,
                        help_text="Where an NPC stands before anything happened.",
                        max_digits=7,
                    ),
                ),
                (
                    "step_most",
                    models.DecimalField(
                        decimal_places=2, default=3, help_text="The largest single change.", max_digits=7
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tenancy.tenant",
                    ),
                ),
                (
                    "world",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="disposition_scale",
                        to="tenancy.world",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("initial__gte", models.F("least")),
                            ("initial__lte", models.F("most")),
                            ("least__lt", models.F("most")),
                        ),
                        name="disposition_scale_ordered",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("step_most__gt", 0)), name="disposition_scale_step_positive"
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="disposition_scale_holds_values",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n                    IF NOT EXISTS (SELECT 1 FROM tenancy_world w WHERE w.id = NEW.world_id AND w.tenant_id = NEW.tenant_id) THEN\n                        RAISE EXCEPTION 'disposition_scale_same_tenant' USING ERRCODE = 'check_violation';\n                    END IF;\n                    IF EXISTS (\n                        SELECT 1 FROM npcs_disposition d JOIN npcs_npc n ON n.id = d.npc_id\n                        WHERE n.tenant_id = NEW.tenant_id AND n.world_id = NEW.world_id\n                            AND (d.value < NEW.least OR d.value > NEW.most)\n                    ) THEN\n                        RAISE EXCEPTION 'disposition_scale_holds_values' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                            hash="81400ae3ba3efce3ed7d2619b0b8c68f52c3e4a7",
                            operation="INSERT OR UPDATE",
                            pgid="pgtrigger_disposition_scale_holds_values_a9228",
                            table="npcs_dispositionscale",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Npc",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "npc_id",
                    models.CharField(
                        help_text="As canon's audience names it: the slug of the character's article.", max_length=120
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[("active", "Active"), ("retired", "Retired")], default="active", max_length=16
                    ),
                ),
                ("persona_version", models.PositiveIntegerField(db_default=0, default=0, editable=False)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tenancy.tenant",
                    ),
                ),
                (
                    "world",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="npcs",
                        to="tenancy.world",
                    ),
                ),
            ],
            options={
                "verbose_name": "NPC",
                "constraints": [
                    models.UniqueConstraint(fields=("tenant", "world", "npc_id"), name="npc_id_unique"),
                    models.CheckConstraint(
                        condition=models.Q(("npc_id__regex", "^[A-Za-z0-9][A-Za-z0-9._~@-]*$")), name="npc_id_form"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["active", "retired"])), name="npc_state_known"
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="npc_stays_who_it_is",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n                    IF NOT EXISTS (SELECT 1 FROM tenancy_world w WHERE w.id = NEW.world_id AND w.tenant_id = NEW.tenant_id) THEN\n                        RAISE EXCEPTION 'npc_same_tenant' USING ERRCODE = 'check_violation';\n                    END IF;\n                    IF TG_OP = 'INSERT' AND NEW.persona_version <> 0 THEN\n                        RAISE EXCEPTION 'npc_version_follows_personas' USING ERRCODE = 'check_violation';\n                    END IF;\n                    IF TG_OP = 'UPDATE' THEN\n                        IF (OLD.tenant_id, OLD.world_id, OLD.npc_id) IS DISTINCT FROM (NEW.tenant_id, NEW.world_id, NEW.npc_id) THEN\n                            RAISE EXCEPTION 'npc_stays_who_it_is' USING ERRCODE = 'check_violation';\n                        END IF;\n                        IF NEW.persona_version <> OLD.persona_version AND pg_trigger_depth() < 2 THEN\n                            RAISE EXCEPTION 'npc_version_follows_personas' USING ERRCODE = 'check_violation';\n                        END IF;\n                    END IF;\n                    RETURN NEW;\n                ",
                            hash="af2dbdcf0e1188b08aa2ca016d09b1119ed667e8",
                            operation="INSERT OR UPDATE",
                            pgid="pgtrigger_npc_stays_who_it_is_2168f",
                            table="npcs_npc",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Disposition",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "party_id",
                    models.CharField(blank=True, help_text="The engine's own id of the party.", max_length=200),
                ),
                ("value", models.DecimalField(decimal_places=2, editable=False, max_digits=7)),
                ("entry_count", models.PositiveIntegerField(db_default=0, default=0, editable=False)),
                (
                    "updated_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "end_user",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tenancy.enduser",
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tenancy.tenant",
                    ),
                ),
                (
                    "npc",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="dispositions",
                        to="npcs.npc",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant", "npc", "party_id", "end_user"),
                        name="disposition_unique",
                        nulls_distinct=False,
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("end_user__isnull", True), models.Q(("party_id", ""), _negated=True)),
                            models.Q(("end_user__isnull", False), ("party_id", "")),
                            _connector="OR",
                        ),
                        name="disposition_party_or_user",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="disposition_starts_neutral",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n                    IF NOT EXISTS (SELECT 1 FROM npcs_npc n WHERE n.id = NEW.npc_id AND n.tenant_id = NEW.tenant_id)\n                        OR NEW.end_user_id IS NOT NULL AND NOT EXISTS (\n                            SELECT 1 FROM tenancy_enduser u WHERE u.id = NEW.end_user_id AND u.tenant_id = NEW.tenant_id\n                        )\n                    THEN\n                        RAISE EXCEPTION 'disposition_same_tenant' USING ERRCODE = 'check_violation';\n                    END IF;\n                    IF NEW.entry_count <> 0 OR NEW.value IS NOT NULL THEN\n                        RAISE EXCEPTION 'disposition_starts_neutral' USING ERRCODE = 'check_violation';\n                    END IF;\n                    SELECT s.initial INTO NEW.value FROM npcs_dispositionscale s\n                        JOIN npcs_npc n ON n.world_id = s.world_id WHERE n.id = NEW.npc_id;\n                    RETURN NEW;\n                ",
                            hash="1b7413f465dc9172e9dd21988f07676f5da88724",
                            operation="INSERT",
                            pgid="pgtrigger_disposition_starts_neutral_dcee0",
                            table="npcs_disposition",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="disposition_moved_by_ledger_only",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n                    IF TG_OP = 'DELETE' THEN\n                        IF EXISTS (\n                            SELECT 1 FROM tenancy_enduser u\n                            WHERE u.id = OLD.end_user_id AND u.erased_in = pg_current_xact_id()::text::bigint\n                        ) THEN\n                            RETURN OLD;\n                        END IF;\n                        RAISE EXCEPTION 'disposition_moved_by_ledger_only' USING ERRCODE = 'check_violation';\n                    END IF;\n                    IF pg_trigger_depth() < 2\n                        OR (OLD.tenant_id, OLD.npc_id, OLD.party_id, OLD.end_user_id)\n                            IS DISTINCT FROM (NEW.tenant_id, NEW.npc_id, NEW.party_id, NEW.end_user_id)\n                    THEN\n                        RAISE EXCEPTION 'disposition_moved_by_ledger_only' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                            hash="d9c8ca4ecaa768009c02d354d8b7fc9210fe2ba2",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_disposition_moved_by_ledger_only_24f48",
                            table="npcs_disposition",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="disposition_is_last_balance",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            constraint="CONSTRAINT",
                            func="\n                    IF NOT EXISTS (\n                        SELECT 1 FROM npcs_disposition d\n                        JOIN npcs_dispositionentry e ON e.disposition_id = d.id AND e.seq = d.entry_count\n                        WHERE d.id = NEW.id AND e.balance_after = d.value\n                    ) THEN\n                        RAISE EXCEPTION 'disposition_is_last_balance' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NULL;\n                ",
                            hash="8813a56cb488d01ad66c3e704b2650d6beb50064",
                            operation="UPDATE",
                            pgid="pgtrigger_disposition_is_last_balance_49b8f",
                            table="npcs_disposition",
                            timing="DEFERRABLE INITIALLY DEFERRED",
                            when="AFTER",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="NpcPersona",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(help_text="1 for the first, then without gaps.")),
                ("name", models.CharField(max_length=200)),
                ("names", models.JSONField(blank=True, default=dict, help_text="The name by language (BCP 47).")),
                (
                    "languages",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=35),
                        blank=True,
                        default=list,
                        help_text="What it speaks.",
                        size=None,
                    ),
                ),
                ("archetype", models.CharField(blank=True, max_length=120)),
                ("voice_tts", models.CharField(blank=True, max_length=120)),
                ("persona", models.TextField(blank=True, help_text="How it speaks and behaves, for the model.")),
                (
                    "secrets",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=500),
                        blank=True,
                        default=list,
                        help_text="Told to the engine only.",
                        size=None,
                    ),
                ),
                (
                    "lore_refs",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=120),
                        blank=True,
                        default=list,
                        help_text="Slugs of canon.",
                        size=None,
                    ),
                ),
                (
                    "must_have",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=64),
                        blank=True,
                        default=list,
                        help_text="Visual tags that each picture carries.",
                        size=None,
                    ),
                ),
                (
                    "banned",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=64),
                        blank=True,
                        default=list,
                        help_text="Visual tags that no picture may carry.",
                        size=None,
                    ),
                ),
                (
                    "relations",
                    models.JSONField(
                        blank=True,
                        db_default=[],
                        default=list,
                        help_text="What it passes on to whom: told to the engine only.",
                    ),
                ),
                ("content_hash", models.BinaryField(max_length=32)),
                (
                    "author",
                    models.CharField(help_text="Who wrote it: a key's prefix, a person, or a command.", max_length=200),
                ),
                (
                    "approved_by",
                    models.CharField(
                        blank=True, db_default="", help_text="Who approved it, if reviewed.", max_length=200
                    ),
                ),
                (
                    "change_request_id",
                    models.BigIntegerField(
                        blank=True,
                        help_text="The request that brought it. No foreign key: review stands above NPCs.",
                        null=True,
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "npc",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="personas",
                        to="npcs.npc",
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tenancy.tenant",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("npc", "version"), name="npc_persona_version_unique"),
                    models.CheckConstraint(
                        condition=models.Q(("name", ""), _negated=True), name="npc_persona_name_not_empty"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("author", ""), _negated=True), name="npc_persona_author_not_empty"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("must_have__overlap", models.F("banned")), _negated=True),
                        name="npc_persona_markers_disjoint",
                    ),
                    models.CheckConstraint(
                        condition=django.db.models.expressions.RawSQL(
                            "jsonb_typeof(relations) = 'array'", (), output_field=models.BooleanField()
                        ),
                        name="npc_persona_relations_listed",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("approved_by", ""), ("change_request_id__isnull", True)),
                            models.Q(
                                ("change_request_id__isnull", False),
                                models.Q(("approved_by", ""), _negated=True),
                                models.Q(("approved_by", models.F("author")), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="npc_persona_four_eyes",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="npc_persona_next_version",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n                    IF NEW.version > 1 AND NEW.change_request_id IS NULL AND EXISTS (\n                        SELECT 1 FROM npcs_npc n JOIN tenancy_world w ON w.id = n.world_id\n                        WHERE n.id = NEW.npc_id AND w.npc_review = 'on'\n                    ) THEN\n                        RAISE EXCEPTION 'npc_persona_reviewed' USING ERRCODE = 'check_violation';\n                    END IF;\n                    UPDATE npcs_npc SET persona_version = NEW.version\n                    WHERE id = NEW.npc_id AND tenant_id = NEW.tenant_id AND persona_version = NEW.version - 1;\n                    IF NOT FOUND THEN\n                        RAISE EXCEPTION 'npc_persona_next_version' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                            hash="894a574896b5f7c4a7935064ca1e596be539d1c0",
                            operation="INSERT",
                            pgid="pgtrigger_npc_persona_next_version_0aca2",
                            table="npcs_npcpersona",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="npc_persona_append_only",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="RAISE EXCEPTION 'npc_persona_append_only' USING ERRCODE = 'check_violation';",
                            hash="3dc5b26930cf9113ccfbc22ddf0f2687d1c635cb",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_npc_persona_append_only_e88bf",
                            table="npcs_npcpersona",
                            when="BEFORE",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="DispositionEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "seq",
                    models.PositiveIntegerField(db_default=0, editable=False, help_text="Place in the ledger, from 1."),
                ),
                ("delta", models.DecimalField(decimal_places=2, max_digits=7)),
                ("applied", models.DecimalField(db_default=0, decimal_places=2, editable=False, max_digits=7)),
                ("balance_after", models.DecimalField(db_default=0, decimal_places=2, editable=False, max_digits=7)),
                (
                    "scale_least",
                    models.DecimalField(
                        db_default=0,
                        decimal_places=2,
                        editable=False,
                        help_text="The scale as it was then.",
                        max_digits=7,
                    ),
                ),
                ("scale_most", models.DecimalField(db_default=0, decimal_places=2, editable=False, max_digits=7)),
                (
                    "reason",
                    models.TextField(
                        help_text="At most 500 characters when it comes; a placeholder may make it longer."
                    ),
                ),
                (
                    "rule",
                    models.CharField(blank=True, help_text="The engine's rule that asked for it.", max_length=120),
                ),
                ("summary_id", models.CharField(blank=True, max_length=200)),
                ("campaign_id", models.CharField(blank=True, max_length=200)),
                (
                    "checkpoint_id",
                    models.BigIntegerField(
                        blank=True,
                        help_text="The campaign's head when this was told. No foreign key: play stands above NPCs.",
                        null=True,
                    ),
                ),
                (
                    "rollback_id",
                    models.BigIntegerField(
                        blank=True, help_text="The rollback of play that compensated or restored.", null=True
                    ),
                ),
                (
                    "author",
                    models.CharField(
                        blank=True, help_text="Who compensated; empty for the engine's moves.", max_length=200
                    ),
                ),
                ("happened_at", models.DateTimeField(help_text="In the game's telling.")),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "compensates",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="npcs.dispositionentry",
                    ),
                ),
                (
                    "disposition",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="entries",
                        to="npcs.disposition",
                    ),
                ),
                (
                    "restores",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        help_text="The move that this one makes again after a rollback was taken back.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="npcs.dispositionentry",
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tenancy.tenant",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("summary_id", ""), _negated=True),
                        fields=["tenant", "summary_id"],
                        name="disposition_entry_summary",
                    ),
                    models.Index(
                        condition=models.Q(("checkpoint_id__isnull", False)),
                        fields=["tenant", "checkpoint_id"],
                        name="disposition_entry_checkpoint",
                    ),
                    models.Index(
                        condition=models.Q(("restores__isnull", False)),
                        fields=["tenant", "restores"],
                        name="disposition_entry_restored",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("disposition", "seq"), name="disposition_entry_seq_unique"),
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True), name="disposition_entry_has_reason"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("author", ""),
                                ("compensates__isnull", True),
                                models.Q(("summary_id", ""), _negated=True),
                            ),
                            models.Q(
                                ("compensates__isnull", False),
                                ("summary_id", ""),
                                models.Q(("author", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="disposition_entry_has_cause",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("balance_after__gte", models.F("scale_least")),
                            ("balance_after__lte", models.F("scale_most")),
                        ),
                        name="disposition_entry_within_scale",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="disposition_entry_moves",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            declare="DECLARE standing npcs_disposition; scale npcs_dispositionscale; original npcs_dispositionentry;",
                            func="\n                    SELECT s.* INTO scale FROM npcs_dispositionscale s\n                        JOIN npcs_npc n ON n.world_id = s.world_id JOIN npcs_disposition d ON d.npc_id = n.id\n                        WHERE d.id = NEW.disposition_id FOR SHARE OF s;\n                    SELECT d.* INTO standing FROM npcs_disposition d\n                        WHERE d.id = NEW.disposition_id AND d.tenant_id = NEW.tenant_id FOR UPDATE;\n                    IF standing.id IS NULL OR scale.id IS NULL THEN\n                        RAISE EXCEPTION 'disposition_entry_same_tenant' USING ERRCODE = 'check_violation';\n                    END IF;\n                    IF NEW.restores_id IS NOT NULL THEN\n                        SELECT e.* INTO original FROM npcs_dispositionentry e WHERE e.id = NEW.restores_id;\n                        IF original.disposition_id IS DISTINCT FROM NEW.disposition_id OR NEW.compensates_id IS NOT NULL\n                            OR original.compensates_id IS NOT NULL OR original.restores_id IS NOT NULL\n                            OR NEW.rollback_id IS NULL OR NEW.delta <> original.delta\n                            OR NEW.summary_id <> original.summary_id\n                        THEN\n                            RAISE EXCEPTION 'disposition_entry_restores' USING ERRCODE = 'check_violation';\n                        END IF;\n                    ELSIF NEW.compensates_id IS NULL THEN\n                        IF abs(NEW.delta) > scale.step_most THEN\n                            RAISE EXCEPTION 'disposition_entry_within_step' USING ERRCODE = 'check_violation';\n                        END IF;\n                    ELSE\n                        SELECT e.* INTO original FROM npcs_dispositionentry e WHERE e.id = NEW.compensates_id;\n                        IF original.disposition_id IS DISTINCT FROM NEW.disposition_id\n                            OR original.compensates_id IS NOT NULL OR NEW.delta <> -original.applied\n                        THEN\n                            RAISE EXCEPTION 'disposition_entry_takes_back' USING ERRCODE = 'check_violation';\n                        END IF;\n                    END IF;\n                    NEW.seq := standing.entry_count + 1;\n                    NEW.scale_least := scale.least;\n                    NEW.scale_most := scale.most;\n                    NEW.balance_after := LEAST(GREATEST(standing.value + NEW.delta, scale.least), scale.most);\n                    NEW.applied := NEW.balance_after - standing.value;\n                    UPDATE npcs_disposition SET value = NEW.balance_after, entry_count = NEW.seq, updated_at = now()\n                        WHERE id = standing.id;\n                    RETURN NEW;\n                ",
                            hash="5cc28361ec5448a5dd91b1091639740dba50af5d",
                            operation="INSERT",
                            pgid="pgtrigger_disposition_entry_moves_8106a",
                            table="npcs_dispositionentry",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="disposition_entry_append_only",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            declare="DECLARE kept npcs_dispositionentry;",
                            func="\n                    IF TG_OP = 'DELETE' THEN\n                        IF EXISTS (\n                            SELECT 1 FROM npcs_disposition d JOIN tenancy_enduser u ON u.id = d.end_user_id\n                            WHERE d.id = OLD.disposition_id AND u.erased_in = pg_current_xact_id()::text::bigint\n                        ) THEN\n                            RETURN OLD;\n                        END IF;\n                    ELSE\n                        kept := NEW;\n                        IF EXISTS (\n                    SELECT 1 FROM tenancy_enduser u\n                    WHERE u.id = nullif(current_setting('memory37.erased_user', true), '')::bigint\n                        AND u.tenant_id = OLD.tenant_id AND u.erased_in = pg_current_xact_id()::text::bigint\n                        AND replace(to_jsonb(kept)::text, u.external_id, substr(to_json(current_setting('memory37.erased_name', true))::text, 2, length(to_json(current_setting('memory37.erased_name', true))::text) - 2))\n                            = to_jsonb(OLD)::text\n                ) THEN\n                            RETURN NEW;\n                        END IF;\n                    END IF;\n                    RAISE EXCEPTION 'disposition_entry_append_only' USING ERRCODE = 'check_violation';\n                ",
                            hash="406ff80945b22fdd63a6f95dbb3470aa41af8243",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_disposition_entry_append_only_dbc5c",
                            table="npcs_dispositionentry",
                            when="BEFORE",
                        ),
                    ),
                ],
            },
        ),
        memoryproject.trigger_migrations.AddTriggers(),
    ]
