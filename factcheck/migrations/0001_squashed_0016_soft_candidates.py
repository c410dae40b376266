"""Everything up to 0016_soft_candidates in one step: a new installation migrates in seconds, an old one has it already."""

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.datetime
import django.db.models.lookups
import pgtrigger.compiler
import simple_history.models
from django.conf import settings
from django.db import migrations, models

import memoryproject.batched_migrations
import memoryproject.trigger_migrations


class Migration(memoryproject.batched_migrations.BatchedMigration):
    replaces = [
        ("factcheck", "0001_initial"),
        ("factcheck", "0002_instant_patterns"),
        ("factcheck", "0003_claims_of_answers"),
        ("factcheck", "0004_claim_by_message"),
        ("factcheck", "0005_key_rule_nearby"),
        ("factcheck", "0006_chinese_language"),
        ("factcheck", "0007_instructions_are_read"),
        ("factcheck", "0008_second_stage"),
        ("factcheck", "0009_extraction_anchors"),
        ("factcheck", "0010_sample_labels"),
        ("factcheck", "0011_sampling_rates"),
        ("factcheck", "0012_confidence_buckets"),
        ("factcheck", "0013_forgotten_reasons"),
        ("factcheck", "0014_outcomes_and_triggers"),
        ("factcheck", "0015_held_runs"),
        ("factcheck", "0016_soft_candidates"),
    ]

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("knowledge", "0001_squashed_0019_notebooks"),
        ("tenancy", "0001_squashed_0009_notebook_scope"),
    ]

    operations = [
        migrations.CreateModel(
            name="ConfidenceBucket",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.CharField(help_text="The model with its prompt version.", max_length=200)),
                ("floor", models.FloatField(help_text="Lower end of the bucket, which is a twentieth wide.")),
                ("n", models.PositiveIntegerField(help_text="Labels.")),
                ("right", models.PositiveIntegerField(help_text="Of them those that found it right.")),
                ("is_trusted", models.BooleanField()),
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
            ],
            options={
                "ordering": ["-id"],
                "indexes": [
                    models.Index(fields=["tenant", "version", "floor", "-id"], name="confidence_bucket_newest")
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("floor__gte", 0), ("floor__lt", 1)), name="confidence_bucket_floor_range"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("right__lte", models.F("n"))), name="confidence_bucket_right_of_n"
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="confidence_bucket_append_only",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            declare="DECLARE kept factcheck_confidencebucket;",
                            func="\n            IF TG_OP = 'UPDATE' THEN\n                kept := NEW;\n                \n                IF kept IS NOT DISTINCT FROM OLD THEN\n                    RETURN NEW;\n                END IF;\n            END IF;\n            RAISE EXCEPTION 'confidence_bucket_append_only' USING ERRCODE = 'check_violation';\n        ",
                            hash="a86326911208c4394ec3cc1ea869777d00b80242",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_confidence_bucket_append_only_9b5d9",
                            table="factcheck_confidencebucket",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ContradictedClaim",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("release_number", models.PositiveIntegerField()),
                ("claim", models.TextField()),
                ("npc_id", models.CharField(blank=True, max_length=120)),
                ("method", models.CharField(help_text="fields, retrieval or model.", max_length=16)),
                ("source_slug", models.CharField(max_length=120)),
                ("source_excerpt", models.TextField()),
                (
                    "expected",
                    models.JSONField(
                        blank=True, help_text="What canon says instead, where it is a structured fact.", null=True
                    ),
                ),
                ("request_id", models.CharField(blank=True, max_length=128)),
                (
                    "message_id",
                    models.BigIntegerField(
                        blank=True,
                        help_text="What a player said to an NPC that answered so: the claim is forgotten with it.",
                        null=True,
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "domain_index",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="contradicted_claims",
                        to="knowledge.domainindex",
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
                "ordering": ["-id"],
                "indexes": [
                    models.Index(fields=["domain_index", "-id"], name="contradicted_claim_newest"),
                    models.Index(
                        condition=models.Q(("message_id__isnull", False)),
                        fields=["tenant", "message_id"],
                        name="contradicted_claim_message",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ExtractionRun",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("proposer", models.CharField(max_length=16)),
                ("model", models.CharField(blank=True, max_length=120)),
                ("prompt_version", models.CharField(blank=True, max_length=40)),
                (
                    "language",
                    models.CharField(blank=True, help_text="That most of the messages are in.", max_length=35),
                ),
                (
                    "answer_sealed",
                    models.BinaryField(default=b"", help_text="What the proposer answered, until it is applied."),
                ),
                (
                    "sealed_by",
                    models.PositiveSmallIntegerField(default=0, help_text="The number of the key of the ring."),
                ),
                ("input_tokens", models.PositiveIntegerField(blank=True, null=True)),
                ("output_tokens", models.PositiveIntegerField(blank=True, null=True)),
                ("cost_usd", models.DecimalField(blank=True, decimal_places=6, max_digits=10, null=True)),
                ("duration_ms", models.PositiveIntegerField(blank=True, null=True)),
                ("error_code", models.CharField(blank=True, max_length=40)),
                ("error_detail", models.CharField(blank=True, max_length=300)),
                (
                    "triggered_by",
                    models.CharField(
                        choices=[
                            ("session_closed", "the session is over"),
                            ("pending_15", "many messages wait"),
                            ("cron", "messages wait for long"),
                            ("manual", "a person asked for it"),
                            ("trial_passed", "a breaker has closed"),
                        ],
                        max_length=16,
                    ),
                ),
                (
                    "mode",
                    models.CharField(choices=[("shadow", "Shadow"), ("on", "On"), ("trial", "Trial")], max_length=8),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("claimed", "Claimed"),
                            ("answered", "Answered"),
                            ("applied", "Applied"),
                            ("failed", "Failed"),
                        ],
                        default="claimed",
                        max_length=8,
                    ),
                ),
                ("range_hash", models.BinaryField(help_text="SHA-256 of the messages' ids.", max_length=32)),
                (
                    "conversation_to",
                    models.JSONField(
                        default=dict, help_text="Conversation to the place up to which its messages are in the range."
                    ),
                ),
                ("messages", models.PositiveIntegerField(help_text="Of the player, in the range.")),
                ("extracted", models.PositiveIntegerField(default=0)),
                ("nothing", models.PositiveIntegerField(default=0)),
                ("rejected", models.PositiveIntegerField(default=0)),
                ("failed", models.PositiveIntegerField(default=0)),
                ("deltas", models.PositiveIntegerField(default=0)),
                ("deltas_applied", models.PositiveIntegerField(default=0)),
                ("tries", models.PositiveSmallIntegerField(default=1)),
                ("lease_until", models.DateTimeField()),
                (
                    "held_for",
                    models.CharField(
                        blank=True,
                        help_text="The language whose breaker keeps what passed the gate from being written; empty: of all languages.",
                        max_length=35,
                        null=True,
                    ),
                ),
                ("reverted_at", models.DateTimeField(blank=True, null=True)),
                ("reverted_by", models.CharField(blank=True, max_length=150)),
                ("revert_reason", models.CharField(blank=True, max_length=500)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "end_user",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tenancy.enduser",
                    ),
                ),
                (
                    "follows",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        help_text="The run that was held back, whose proposals this one writes.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="followers",
                        to="factcheck.extractionrun",
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
                "ordering": ["-id"],
                "indexes": [
                    models.Index(fields=["tenant", "end_user", "-id"], name="extraction_run_by_user"),
                    models.Index(
                        condition=models.Q(("state__in", ("claimed", "answered"))),
                        fields=["lease_until"],
                        name="extraction_run_open",
                    ),
                    models.Index(
                        condition=models.Q(("held_for__isnull", False)),
                        fields=["tenant", "held_for", "id"],
                        name="extraction_run_held",
                    ),
                    models.Index(fields=["tenant", "created_at"], name="extraction_run_by_time"),
                    models.Index(fields=["tenant", "state", "-id"], name="extraction_run_by_state"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(models.Q(("state", "failed"), _negated=True), ("follows__isnull", True)),
                        fields=("tenant", "end_user", "range_hash", "proposer", "prompt_version"),
                        name="extraction_run_once",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("state", "failed"), _negated=True),
                        fields=("follows",),
                        name="extraction_run_follows_once",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("state__in", ("claimed", "answered"))),
                        fields=("end_user",),
                        name="extraction_run_one_at_a_time",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["claimed", "answered", "applied", "failed"])),
                        name="extraction_run_state_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("mode__in", ["shadow", "on", "trial"])), name="extraction_run_mode_known"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("triggered_by__in", ["session_closed", "pending_15", "cron", "manual", "trial_passed"])
                        ),
                        name="extraction_run_trigger_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("finished_at__isnull", True), ("state__in", ("claimed", "answered"))),
                            models.Q(
                                ("finished_at__isnull", False),
                                (
                                    "messages",
                                    django.db.models.expressions.CombinedExpression(
                                        django.db.models.expressions.CombinedExpression(
                                            django.db.models.expressions.CombinedExpression(
                                                models.F("extracted"), "+", models.F("nothing")
                                            ),
                                            "+",
                                            models.F("rejected"),
                                        ),
                                        "+",
                                        models.F("failed"),
                                    ),
                                ),
                            ),
                            _connector="OR",
                        ),
                        name="extraction_run_messages_add_up",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state", "failed"), _negated=True),
                            models.Q(models.Q(("error_code", ""), _negated=True), ("failed", models.F("messages"))),
                            _connector="OR",
                        ),
                        name="extraction_run_failure_is_told",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("state", "answered"),
                            ("answer_sealed", b""),
                            models.Q(("held_for__isnull", False), ("state", "applied")),
                            _connector="OR",
                        ),
                        name="extraction_run_keeps_no_answer",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("held_for__isnull", True),
                            models.Q(("reverted_at__isnull", True), ("state", "applied")),
                            _connector="OR",
                        ),
                        name="extraction_run_held_is_applied",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("reverted_at__isnull", True),
                            models.Q(models.Q(("reverted_by", ""), _negated=True), ("state", "applied")),
                            _connector="OR",
                        ),
                        name="extraction_run_reverted_by_somebody",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="extraction_run_same_tenant",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            IF NOT EXISTS (\n                SELECT 1 FROM tenancy_enduser u WHERE u.id = NEW.end_user_id AND u.tenant_id = NEW.tenant_id\n            ) OR (TG_OP = 'UPDATE' AND (OLD.tenant_id, OLD.end_user_id) IS DISTINCT FROM (NEW.tenant_id, NEW.end_user_id))\n            THEN\n                RAISE EXCEPTION 'extraction_run_same_tenant' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="37bfd75a718ea9079bf350e2db995b4cbc3b02da",
                            operation='INSERT OR UPDATE OF "tenant_id", "end_user_id"',
                            pgid="pgtrigger_extraction_run_same_tenant_83088",
                            table="factcheck_extractionrun",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="extraction_run_moves",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition='WHEN (OLD."state" IS DISTINCT FROM (NEW."state"))',
                            func="\n            IF (OLD.state, NEW.state) NOT IN (('claimed', 'answered'), ('claimed', 'applied'), ('claimed', 'failed'), ('answered', 'applied'), ('answered', 'failed')) THEN\n                RAISE EXCEPTION 'extraction_run_moves' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="a5edc14614efa52ba5b3e2534088c2b0b26358d0",
                            operation='UPDATE OF "state"',
                            pgid="pgtrigger_extraction_run_moves_ae40b",
                            table="factcheck_extractionrun",
                            when="BEFORE",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="FactCandidate",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "type",
                    models.CharField(
                        choices=[
                            ("body_params", "Body Params"),
                            ("budget", "Budget"),
                            ("allergy", "Allergy"),
                            ("hard_ban", "Hard Ban"),
                            ("onboarding_style", "Onboarding Style"),
                            ("life_event", "Life Event"),
                            ("instruction", "Instruction"),
                            ("emotional_patterns", "emotional patterns"),
                            ("behavior_patterns", "behavior patterns"),
                            ("color_preferences", "color preferences"),
                            ("brand_preferences", "brand preferences"),
                        ],
                        max_length=32,
                    ),
                ),
                ("key_index", models.BinaryField(max_length=32)),
                ("value_index", models.BinaryField(max_length=32)),
                ("key_sealed", models.BinaryField()),
                ("value_sealed", models.BinaryField()),
                ("sealed_by", models.PositiveSmallIntegerField(help_text="The number of the key of the ring.")),
                (
                    "confidence",
                    models.FloatField(help_text="The highest of its proposals; it promotes nothing by itself."),
                ),
                ("language", models.CharField(blank=True, max_length=35)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("open", "Open"),
                            ("held", "a taste or a mood: never a fact"),
                            ("promoted", "Promoted"),
                            ("rejected", "rejected by a person"),
                            ("expired", "not confirmed in time"),
                            ("contradicted", "the player said otherwise later"),
                            ("blocked", "denied or forgotten: not to be proposed again"),
                        ],
                        default="open",
                        max_length=12,
                    ),
                ),
                ("prompt_version", models.CharField(blank=True, max_length=40)),
                ("model", models.CharField(blank=True, max_length=120)),
                ("first_said_at", models.DateTimeField()),
                ("last_said_at", models.DateTimeField()),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "end_user",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tenancy.enduser",
                    ),
                ),
                (
                    "fact",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="knowledge.userfact",
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
                "ordering": ["-id"],
                "indexes": [
                    models.Index(fields=["tenant", "end_user", "type", "key_index"], name="fact_candidate_by_key"),
                    models.Index(
                        condition=models.Q(("state__in", ("open", "held"))),
                        fields=["last_said_at"],
                        name="fact_candidate_expiring",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("state__in", ("open", "held"))),
                        fields=("tenant", "end_user", "type", "key_index", "value_index"),
                        name="fact_candidate_open_unique",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "state__in",
                                ["open", "held", "promoted", "rejected", "expired", "contradicted", "blocked"],
                            )
                        ),
                        name="fact_candidate_state_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "type__in",
                                [
                                    "body_params",
                                    "budget",
                                    "allergy",
                                    "hard_ban",
                                    "onboarding_style",
                                    "life_event",
                                    "instruction",
                                    "emotional_patterns",
                                    "behavior_patterns",
                                    "color_preferences",
                                    "brand_preferences",
                                ],
                            )
                        ),
                        name="fact_candidate_type_guaranteed",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                (
                                    "type__in",
                                    (
                                        "emotional_patterns",
                                        "behavior_patterns",
                                        "color_preferences",
                                        "brand_preferences",
                                    ),
                                ),
                                models.Q(("state__in", ["open", "promoted"]), _negated=True),
                            ),
                            models.Q(
                                (
                                    "type__in",
                                    [
                                        "body_params",
                                        "budget",
                                        "allergy",
                                        "hard_ban",
                                        "onboarding_style",
                                        "life_event",
                                        "instruction",
                                    ],
                                ),
                                models.Q(("state", "held"), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="fact_candidate_soft_is_held",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("fact__isnull", False), ("state", "promoted")),
                            models.Q(models.Q(("state", "promoted"), _negated=True), ("fact__isnull", True)),
                            _connector="OR",
                        ),
                        name="fact_candidate_promoted_to_a_fact",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("key_sealed", b""), ("state", "blocked"), ("value_sealed", b"")),
                            models.Q(
                                models.Q(("key_sealed", b""), _negated=True),
                                models.Q(("value_sealed", b""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="fact_candidate_sealed_unless_blocked",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="fact_candidate_same_tenant",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            IF NOT EXISTS (\n                SELECT 1 FROM tenancy_enduser u WHERE u.id = NEW.end_user_id AND u.tenant_id = NEW.tenant_id\n            ) OR (TG_OP = 'UPDATE' AND (OLD.tenant_id, OLD.end_user_id) IS DISTINCT FROM (NEW.tenant_id, NEW.end_user_id))\n            THEN\n                RAISE EXCEPTION 'fact_candidate_same_tenant' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="8f176e4474e396695818dcbf362d6b547dd4eb22",
                            operation='INSERT OR UPDATE OF "tenant_id", "end_user_id"',
                            pgid="pgtrigger_fact_candidate_same_tenant_c72e4",
                            table="factcheck_factcandidate",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="fact_candidate_moves",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition='WHEN (OLD."state" IS DISTINCT FROM (NEW."state"))',
                            func="\n            IF (OLD.state, NEW.state) NOT IN (('open', 'promoted'), ('open', 'rejected'), ('open', 'expired'), ('open', 'contradicted'), ('open', 'blocked'), ('held', 'rejected'), ('held', 'expired'), ('held', 'blocked'), ('promoted', 'open'), ('promoted', 'blocked'), ('rejected', 'blocked'), ('expired', 'blocked'), ('contradicted', 'blocked')) THEN\n                RAISE EXCEPTION 'fact_candidate_moves' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="ac37958662d12ba161d82c9ab83a39685f84ed9b",
                            operation='UPDATE OF "state"',
                            pgid="pgtrigger_fact_candidate_moves_2b428",
                            table="factcheck_factcandidate",
                            when="BEFORE",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="HistoricalConcept",
            fields=[
                ("id", models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name="ID")),
                (
                    "is_active",
                    models.BooleanField(default=True, help_text="Off: kept, but no message is read with it."),
                ),
                (
                    "shipped",
                    models.JSONField(
                        editable=False,
                        help_text="The row as it shipped last; null for a row of the installation's own.",
                        null=True,
                    ),
                ),
                ("revision", models.PositiveIntegerField(default=1, editable=False)),
                (
                    "changed_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "key",
                    models.CharField(
                        help_text="Lowercase English with underscores; written into facts.", max_length=100
                    ),
                ),
                (
                    "types",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(
                            choices=[
                                ("body_params", "body params"),
                                ("budget", "budget"),
                                ("allergy", "allergy"),
                                ("hard_ban", "hard ban"),
                                ("life_event", "life event"),
                                ("instruction", "instruction"),
                                ("event", "event"),
                                ("person", "person"),
                                ("brand", "brand"),
                            ],
                            max_length=32,
                        ),
                        help_text="Where its names count.",
                        size=None,
                    ),
                ),
                ("names", models.JSONField(blank=True, default=dict, help_text="Language to names.")),
                ("by_month", models.BooleanField(default=False, help_text="An event that is told apart by its month.")),
                ("history_id", models.AutoField(primary_key=True, serialize=False)),
                ("history_date", models.DateTimeField(db_index=True)),
                ("history_change_reason", models.CharField(max_length=100, null=True)),
                (
                    "history_type",
                    models.CharField(choices=[("+", "Created"), ("~", "Changed"), ("-", "Deleted")], max_length=1),
                ),
                (
                    "history_user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "historical concept",
                "verbose_name_plural": "historical concepts",
                "ordering": ("-history_date", "-history_id"),
                "get_latest_by": ("history_date", "history_id"),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name="HistoricalPatternPack",
            fields=[
                ("id", models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name="ID")),
                (
                    "is_active",
                    models.BooleanField(default=True, help_text="Off: kept, but no message is read with it."),
                ),
                (
                    "shipped",
                    models.JSONField(
                        editable=False,
                        help_text="The row as it shipped last; null for a row of the installation's own.",
                        null=True,
                    ),
                ),
                ("revision", models.PositiveIntegerField(default=1, editable=False)),
                (
                    "changed_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("name", models.CharField(help_text="Lowercase letters, digits, hyphens.", max_length=64)),
                ("version", models.PositiveIntegerField(default=1, help_text="Of the pack's content.")),
                ("description", models.TextField(blank=True)),
                (
                    "macros",
                    models.JSONField(blank=True, default=dict, help_text="Name to expression; any pack can use them."),
                ),
                ("history_id", models.AutoField(primary_key=True, serialize=False)),
                ("history_date", models.DateTimeField(db_index=True)),
                ("history_change_reason", models.CharField(max_length=100, null=True)),
                (
                    "history_type",
                    models.CharField(choices=[("+", "Created"), ("~", "Changed"), ("-", "Deleted")], max_length=1),
                ),
                (
                    "history_user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "historical pattern pack",
                "verbose_name_plural": "historical pattern packs",
                "ordering": ("-history_date", "-history_id"),
                "get_latest_by": ("history_date", "history_id"),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name="PatternPack",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "is_active",
                    models.BooleanField(default=True, help_text="Off: kept, but no message is read with it."),
                ),
                (
                    "shipped",
                    models.JSONField(
                        editable=False,
                        help_text="The row as it shipped last; null for a row of the installation's own.",
                        null=True,
                    ),
                ),
                ("revision", models.PositiveIntegerField(default=1, editable=False)),
                (
                    "changed_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("name", models.CharField(help_text="Lowercase letters, digits, hyphens.", max_length=64)),
                ("version", models.PositiveIntegerField(default=1, help_text="Of the pack's content.")),
                ("description", models.TextField(blank=True)),
                (
                    "macros",
                    models.JSONField(blank=True, default=dict, help_text="Name to expression; any pack can use them."),
                ),
            ],
            options={
                "ordering": ["name"],
                "constraints": [
                    models.UniqueConstraint(fields=("name",), name="pattern_pack_name_unique"),
                    models.CheckConstraint(
                        condition=models.Q(("name__regex", "^[a-z][a-z0-9-]{0,63}$")),
                        name="pattern_pack_name_well_formed",
                    ),
                    models.CheckConstraint(
                        condition=django.db.models.lookups.Exact(
                            models.Func(models.F("macros"), function="jsonb_typeof", output_field=models.TextField()),
                            models.Value("object"),
                        ),
                        name="pattern_pack_macros_are_an_object",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="pattern_pack_counts_version_up",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            INSERT INTO factcheck_patternversion AS known (id, number, changed_at) VALUES (1, 1, clock_timestamp())\n            ON CONFLICT (id) DO UPDATE SET number = known.number + 1, changed_at = clock_timestamp()\n            WHERE known.xmin <> pg_current_xact_id()::xid;\n            RETURN NULL;\n        ",
                            hash="4ec92256cac1123723a14b51e640ce3ce66a682f",
                            level="STATEMENT",
                            operation="INSERT OR UPDATE OR DELETE OR TRUNCATE",
                            pgid="pgtrigger_pattern_pack_counts_version_up_24c82",
                            table="factcheck_patternpack",
                            when="AFTER",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="PatternVersion",
            fields=[
                ("id", models.SmallIntegerField(default=1, primary_key=True, serialize=False)),
                ("number", models.BigIntegerField(db_default=1)),
                ("changed_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("id", 1)), name="pattern_version_is_one_row")
                ],
            },
        ),
        migrations.CreateModel(
            name="SamplingRate",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("policy", models.FloatField(help_text="The share that is reviewed at least: 0.01 or 0.001.")),
                ("accepted_rate", models.FloatField(help_text="Of proposals that pass the gate.")),
                ("rejected_rate", models.FloatField(help_text="Of those that do not.")),
                ("run_rate", models.FloatField(help_text="Of whole runs, for what was missed.")),
                ("needed", models.PositiveIntegerField(help_text="Reviews that decide.")),
                ("accepted", models.PositiveIntegerField(help_text="Proposals of 14 days that passed the gate.")),
                ("rejected", models.PositiveIntegerField(help_text="Proposals of 14 days that did not.")),
                ("runs", models.PositiveIntegerField(help_text="Runs of 14 days.")),
                ("reviewed", models.PositiveIntegerField(help_text="Labels of 14 days that estimates count.")),
                ("errors", models.PositiveIntegerField()),
                (
                    "ceiling",
                    models.FloatField(help_text="Upper bound of the error rate (95 %), weighted and corrected."),
                ),
                (
                    "versions",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=200),
                        default=list,
                        help_text="Models with prompt versions.",
                        size=None,
                    ),
                ),
                ("patterns", models.CharField(blank=True, help_text="The version of the patterns.", max_length=60)),
                ("reason", models.CharField(max_length=500)),
                ("made_by", models.CharField(help_text="A user name, or `service`.", max_length=150)),
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
            ],
            options={
                "ordering": ["-id"],
                "indexes": [models.Index(fields=["tenant", "-id"], name="sampling_rate_newest")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("policy__gt", 0), ("policy__lte", 1)), name="sampling_rate_policy_range"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("accepted_rate__gt", 0), ("accepted_rate__lte", 1)),
                        name="sampling_rate_accepted_rate_range",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("rejected_rate__gt", 0), ("rejected_rate__lte", 1)),
                        name="sampling_rate_rejected_rate_range",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("run_rate__gt", 0), ("run_rate__lte", 1)),
                        name="sampling_rate_run_rate_range",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("errors__lte", models.F("reviewed"))), name="sampling_rate_errors_of_n"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("reason", ""), _negated=True), models.Q(("made_by", ""), _negated=True)
                        ),
                        name="sampling_rate_is_told",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="sampling_rate_append_only",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            declare="DECLARE kept factcheck_samplingrate;",
                            func="\n            IF TG_OP = 'UPDATE' THEN\n                kept := NEW;\n                \n                IF kept IS NOT DISTINCT FROM OLD THEN\n                    RETURN NEW;\n                END IF;\n            END IF;\n            RAISE EXCEPTION 'sampling_rate_append_only' USING ERRCODE = 'check_violation';\n        ",
                            hash="f8c8468c0062668dd568b4c257b5875b9ac07be2",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_sampling_rate_append_only_22440",
                            table="factcheck_samplingrate",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="BreakerEvent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[("reviews", "reviewers' labels"), ("denials", "players' denials")], max_length=8
                    ),
                ),
                ("language", models.CharField(blank=True, help_text="Empty: all languages.", max_length=35)),
                (
                    "state",
                    models.CharField(
                        choices=[("closed", "Closed"), ("open", "Open"), ("half_open", "Half Open")], max_length=9
                    ),
                ),
                ("n", models.PositiveIntegerField(help_text="Items looked at.")),
                ("errors", models.PositiveIntegerField()),
                ("lower", models.FloatField(help_text="Lower bound of the error rate.")),
                ("upper", models.FloatField(help_text="Upper bound of the error rate.")),
                ("rule", models.CharField(help_text="The rule that decided, by name.", max_length=80)),
                ("prompt_version", models.CharField(blank=True, max_length=40)),
                ("made_by", models.CharField(help_text="A user name, or `service`.", max_length=150)),
                ("reason", models.CharField(max_length=500)),
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
            ],
            options={
                "ordering": ["-id"],
                "indexes": [models.Index(fields=["tenant", "kind", "language", "-id"], name="breaker_event_newest")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["reviews", "denials"])), name="breaker_event_kind_known"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["closed", "open", "half_open"])),
                        name="breaker_event_state_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("errors__lte", models.F("n"))), name="breaker_event_errors_of_n"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("reason", ""), _negated=True), models.Q(("made_by", ""), _negated=True)
                        ),
                        name="breaker_event_is_told",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="breaker_event_append_only",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            declare="DECLARE kept factcheck_breakerevent;",
                            func="\n            IF TG_OP = 'UPDATE' THEN\n                kept := NEW;\n                \n                IF kept IS NOT DISTINCT FROM OLD THEN\n                    RETURN NEW;\n                END IF;\n            END IF;\n            RAISE EXCEPTION 'breaker_event_append_only' USING ERRCODE = 'check_violation';\n        ",
                            hash="fdb3f3dff50e5cedb11920705faa90c0d09e6285",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_breaker_event_append_only_f91bc",
                            table="factcheck_breakerevent",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Concept",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "is_active",
                    models.BooleanField(default=True, help_text="Off: kept, but no message is read with it."),
                ),
                (
                    "shipped",
                    models.JSONField(
                        editable=False,
                        help_text="The row as it shipped last; null for a row of the installation's own.",
                        null=True,
                    ),
                ),
                ("revision", models.PositiveIntegerField(default=1, editable=False)),
                (
                    "changed_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "key",
                    models.CharField(
                        help_text="Lowercase English with underscores; written into facts.", max_length=100
                    ),
                ),
                (
                    "types",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(
                            choices=[
                                ("body_params", "body params"),
                                ("budget", "budget"),
                                ("allergy", "allergy"),
                                ("hard_ban", "hard ban"),
                                ("life_event", "life event"),
                                ("instruction", "instruction"),
                                ("event", "event"),
                                ("person", "person"),
                                ("brand", "brand"),
                            ],
                            max_length=32,
                        ),
                        help_text="Where its names count.",
                        size=None,
                    ),
                ),
                ("names", models.JSONField(blank=True, default=dict, help_text="Language to names.")),
                ("by_month", models.BooleanField(default=False, help_text="An event that is told apart by its month.")),
            ],
            options={
                "ordering": ["key", "id"],
                "constraints": [
                    models.UniqueConstraint(fields=("key", "types"), name="concept_key_unique"),
                    models.CheckConstraint(
                        condition=models.Q(("key__regex", "^[a-z0-9_]{1,100}$")), name="concept_key_well_formed"
                    ),
                    models.CheckConstraint(
                        condition=django.db.models.lookups.Exact(
                            models.Func(models.F("names"), function="jsonb_typeof", output_field=models.TextField()),
                            models.Value("object"),
                        ),
                        name="concept_names_are_an_object",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "types__contained_by",
                                [
                                    "body_params",
                                    "budget",
                                    "allergy",
                                    "hard_ban",
                                    "life_event",
                                    "instruction",
                                    "event",
                                    "person",
                                    "brand",
                                ],
                            ),
                            ("types__len__gte", 1),
                        ),
                        name="concept_types_known",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="concept_counts_version_up",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            INSERT INTO factcheck_patternversion AS known (id, number, changed_at) VALUES (1, 1, clock_timestamp())\n            ON CONFLICT (id) DO UPDATE SET number = known.number + 1, changed_at = clock_timestamp()\n            WHERE known.xmin <> pg_current_xact_id()::xid;\n            RETURN NULL;\n        ",
                            hash="351cefc9c68e033eb439cc6e68ca0fd69b16537f",
                            level="STATEMENT",
                            operation="INSERT OR UPDATE OR DELETE OR TRUNCATE",
                            pgid="pgtrigger_concept_counts_version_up_81efb",
                            table="factcheck_concept",
                            when="AFTER",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="CandidateSupport",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("message_id", models.BigIntegerField()),
                ("start", models.PositiveIntegerField()),
                ("end", models.PositiveIntegerField()),
                ("said_at", models.DateTimeField()),
                ("is_independent", models.BooleanField(help_text="Whether it counts beside those before it.")),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="factcheck.extractionrun"
                    ),
                ),
                (
                    "candidate",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="supports",
                        to="factcheck.factcandidate",
                    ),
                ),
            ],
            options={
                "ordering": ["said_at", "message_id"],
                "indexes": [models.Index(fields=["message_id"], name="candidate_support_message")],
                "constraints": [
                    models.UniqueConstraint(fields=("candidate", "message_id"), name="candidate_support_unique"),
                    models.CheckConstraint(
                        condition=models.Q(("end__gt", models.F("start"))), name="candidate_support_range"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="CandidateTransition",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "old_state",
                    models.CharField(
                        choices=[
                            ("open", "Open"),
                            ("held", "a taste or a mood: never a fact"),
                            ("promoted", "Promoted"),
                            ("rejected", "rejected by a person"),
                            ("expired", "not confirmed in time"),
                            ("contradicted", "the player said otherwise later"),
                            ("blocked", "denied or forgotten: not to be proposed again"),
                        ],
                        max_length=12,
                    ),
                ),
                (
                    "new_state",
                    models.CharField(
                        choices=[
                            ("open", "Open"),
                            ("held", "a taste or a mood: never a fact"),
                            ("promoted", "Promoted"),
                            ("rejected", "rejected by a person"),
                            ("expired", "not confirmed in time"),
                            ("contradicted", "the player said otherwise later"),
                            ("blocked", "denied or forgotten: not to be proposed again"),
                        ],
                        max_length=12,
                    ),
                ),
                ("made_by", models.CharField(help_text="A user name, or what the service did.", max_length=150)),
                ("reason", models.CharField(max_length=500)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "candidate",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="transitions",
                        to="factcheck.factcandidate",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("reason", ""), _negated=True), models.Q(("made_by", ""), _negated=True)
                        ),
                        name="candidate_transition_is_told",
                    )
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="candidate_transition_append_only",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            declare="DECLARE kept factcheck_candidatetransition;",
                            func="\n                    IF TG_OP = 'UPDATE' THEN\n                        kept := NEW;\n                        IF NEW.reason = '[forgotten]' AND EXISTS (\n                            SELECT 1 FROM factcheck_factcandidate c\n                            WHERE c.id = OLD.candidate_id AND c.state = 'blocked'\n                        ) THEN\n                            kept.reason := OLD.reason;\n                        END IF;\n                        IF kept IS NOT DISTINCT FROM OLD THEN\n                            RETURN NEW;\n                        END IF;\n                    END IF;\n                    RAISE EXCEPTION 'candidate_transition_append_only' USING ERRCODE = 'check_violation';\n                ",
                            hash="d4bf507ac4c0967426a8e9c044a615d387f41547",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_candidate_transition_append_only_2dca6",
                            table="factcheck_candidatetransition",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="CorrectionPattern",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "is_active",
                    models.BooleanField(default=True, help_text="Off: kept, but no message is read with it."),
                ),
                (
                    "shipped",
                    models.JSONField(
                        editable=False,
                        help_text="The row as it shipped last; null for a row of the installation's own.",
                        null=True,
                    ),
                ),
                ("revision", models.PositiveIntegerField(default=1, editable=False)),
                (
                    "changed_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("name", models.CharField(max_length=120)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("denied", "denied"),
                            ("not_value", "not value"),
                            ("outdated", "outdated"),
                            ("other_subject", "other subject"),
                            ("ambiguous", "ambiguous"),
                            ("no", "no"),
                            ("yes", "yes"),
                        ],
                        max_length=16,
                    ),
                ),
                (
                    "language",
                    models.CharField(
                        choices=[
                            ("ru", "ru"),
                            ("en", "en"),
                            ("ar", "ar"),
                            ("arabizi", "arabizi"),
                            ("zh", "zh"),
                            ("mixed", "mixed"),
                        ],
                        max_length=16,
                    ),
                ),
                ("pattern", models.TextField(max_length=4000)),
                (
                    "pack",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="corrections",
                        to="factcheck.patternpack",
                    ),
                ),
            ],
            options={
                "ordering": ["pack", "name"],
                "constraints": [
                    models.UniqueConstraint(fields=("pack", "name"), name="correction_pattern_name_unique"),
                    models.CheckConstraint(
                        condition=models.Q(("name__regex", "^[a-z][a-z0-9_.]{0,119}$")),
                        name="correction_pattern_name_well_formed",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("kind__in", ("denied", "not_value", "outdated", "other_subject", "ambiguous", "no", "yes"))
                        ),
                        name="correction_pattern_kind_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("language__in", ("ru", "en", "ar", "arabizi", "zh", "mixed"))),
                        name="correction_pattern_language_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("pattern__regex", "\\S")), name="correction_pattern_not_empty"
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="correction_pattern_counts_version_up",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            INSERT INTO factcheck_patternversion AS known (id, number, changed_at) VALUES (1, 1, clock_timestamp())\n            ON CONFLICT (id) DO UPDATE SET number = known.number + 1, changed_at = clock_timestamp()\n            WHERE known.xmin <> pg_current_xact_id()::xid;\n            RETURN NULL;\n        ",
                            hash="1f67a89ee44b586cd590d77cbc680429ff314c8d",
                            level="STATEMENT",
                            operation="INSERT OR UPDATE OR DELETE OR TRUNCATE",
                            pgid="pgtrigger_correction_pattern_counts_version_up_b6215",
                            table="factcheck_correctionpattern",
                            when="AFTER",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ExtractionAnchor",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "is_active",
                    models.BooleanField(default=True, help_text="Off: kept, but no message is read with it."),
                ),
                (
                    "shipped",
                    models.JSONField(
                        editable=False,
                        help_text="The row as it shipped last; null for a row of the installation's own.",
                        null=True,
                    ),
                ),
                ("revision", models.PositiveIntegerField(default=1, editable=False)),
                (
                    "changed_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "name",
                    models.CharField(help_text="Unique in the pack, for example allergy.en.reaction.", max_length=120),
                ),
                (
                    "type",
                    models.CharField(
                        choices=[
                            ("body_params", "body params"),
                            ("budget", "budget"),
                            ("allergy", "allergy"),
                            ("hard_ban", "hard ban"),
                            ("life_event", "life event"),
                            ("instruction", "instruction"),
                        ],
                        max_length=32,
                    ),
                ),
                (
                    "language",
                    models.CharField(
                        choices=[
                            ("ru", "ru"),
                            ("en", "en"),
                            ("ar", "ar"),
                            ("arabizi", "arabizi"),
                            ("zh", "zh"),
                            ("mixed", "mixed"),
                        ],
                        max_length=16,
                    ),
                ),
                ("pattern", models.TextField(max_length=4000)),
                (
                    "pack",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="anchors",
                        to="factcheck.patternpack",
                    ),
                ),
            ],
            options={
                "ordering": ["pack", "name"],
                "constraints": [
                    models.UniqueConstraint(fields=("pack", "name"), name="extraction_anchor_name_unique"),
                    models.CheckConstraint(
                        condition=models.Q(("name__regex", "^[a-z][a-z0-9_.]{0,119}$")),
                        name="extraction_anchor_name_well_formed",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("type__in", ("body_params", "budget", "allergy", "hard_ban", "life_event", "instruction"))
                        ),
                        name="extraction_anchor_type_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("language__in", ("ru", "en", "ar", "arabizi", "zh", "mixed"))),
                        name="extraction_anchor_language_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("pattern__regex", "\\S")), name="extraction_anchor_not_empty"
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="extraction_anchor_counts_version_up",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            INSERT INTO factcheck_patternversion AS known (id, number, changed_at) VALUES (1, 1, clock_timestamp())\n            ON CONFLICT (id) DO UPDATE SET number = known.number + 1, changed_at = clock_timestamp()\n            WHERE known.xmin <> pg_current_xact_id()::xid;\n            RETURN NULL;\n        ",
                            hash="44991d69af8b401cf43e880106675b1fdb057408",
                            level="STATEMENT",
                            operation="INSERT OR UPDATE OR DELETE OR TRUNCATE",
                            pgid="pgtrigger_extraction_anchor_counts_version_up_58eba",
                            table="factcheck_extractionanchor",
                            when="AFTER",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ExtractionDelta",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("position", models.PositiveSmallIntegerField()),
                (
                    "operation",
                    models.CharField(
                        choices=[("ADD", "add"), ("UPDATE", "update"), ("REMOVE", "remove"), ("CONFIRM", "confirm")],
                        max_length=8,
                    ),
                ),
                ("type", models.CharField(max_length=32)),
                ("subject", models.CharField(max_length=8)),
                ("stance", models.CharField(max_length=8)),
                ("confidence", models.FloatField()),
                ("language", models.CharField(blank=True, max_length=35)),
                (
                    "words_sealed",
                    models.BinaryField(help_text="JSON: key, value, quotes. Empty where it was forgotten."),
                ),
                ("sealed_by", models.PositiveSmallIntegerField(help_text="The number of the key of the ring.")),
                (
                    "evidence",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(),
                        default=list,
                        help_text="The messages that it quotes, by id.",
                        size=None,
                    ),
                ),
                (
                    "spans",
                    models.JSONField(default=list, help_text="[message, start, end] of each quote that was found."),
                ),
                (
                    "verdict",
                    models.CharField(
                        choices=[
                            ("accepted", "accepted"),
                            ("rejected_malformed", "rejected malformed"),
                            ("rejected_canary", "rejected canary"),
                            ("rejected_fact_unknown", "rejected fact unknown"),
                            ("rejected_subject", "rejected subject"),
                            ("rejected_stance", "rejected stance"),
                            ("rejected_low_confidence", "rejected low confidence"),
                            ("rejected_no_evidence", "rejected no evidence"),
                            ("rejected_no_quote", "rejected no quote"),
                            ("rejected_not_said_by_user", "rejected not said by user"),
                            ("rejected_fiction", "rejected fiction"),
                            ("rejected_echo", "rejected echo"),
                            ("rejected_no_anchor", "rejected no anchor"),
                            ("rejected_value_not_said", "rejected value not said"),
                            ("rejected_guarded", "rejected guarded"),
                            ("rejected_duplicate", "rejected duplicate"),
                        ],
                        max_length=32,
                    ),
                ),
                ("detail", models.CharField(blank=True, max_length=200)),
                (
                    "outcome",
                    models.CharField(
                        choices=[
                            ("rejected", "Rejected"),
                            ("shadowed", "accepted in a run that writes nothing"),
                            ("candidate", "waits for more evidence"),
                            ("written", "Written"),
                            ("superseded", "took the place of another value"),
                            ("confirmed", "Confirmed"),
                            ("disputed", "Disputed"),
                            ("ended", "Ended"),
                            ("outdated", "something later is known"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "end_user",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tenancy.enduser",
                    ),
                ),
                (
                    "fact",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="knowledge.userfact",
                    ),
                ),
                (
                    "replaced_fact",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="knowledge.userfact",
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
                    "run",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="delta_rows",
                        to="factcheck.extractionrun",
                    ),
                ),
                (
                    "candidate",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="deltas",
                        to="factcheck.factcandidate",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "indexes": [
                    django.contrib.postgres.indexes.GinIndex(
                        fastupdate=False, fields=["evidence"], name="extraction_delta_evidence"
                    ),
                    models.Index(
                        condition=models.Q(("fact__isnull", False)), fields=["fact"], name="extraction_delta_fact"
                    ),
                    models.Index(fields=["tenant", "verdict", "-id"], name="extraction_delta_by_verdict"),
                    models.Index(fields=["tenant", "created_at"], name="extraction_delta_by_time"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("run", "position"), name="extraction_delta_position"),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "outcome__in",
                                [
                                    "rejected",
                                    "shadowed",
                                    "candidate",
                                    "written",
                                    "superseded",
                                    "confirmed",
                                    "disputed",
                                    "ended",
                                    "outdated",
                                ],
                            )
                        ),
                        name="extraction_delta_outcome_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("verdict", "accepted"), models.Q(("outcome", "rejected"), _negated=True)),
                            models.Q(models.Q(("verdict", "accepted"), _negated=True), ("outcome", "rejected")),
                            _connector="OR",
                        ),
                        name="extraction_delta_verdict_decides",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="extraction_delta_same_tenant",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            IF NOT EXISTS (\n                SELECT 1 FROM tenancy_enduser u WHERE u.id = NEW.end_user_id AND u.tenant_id = NEW.tenant_id\n            ) OR (TG_OP = 'UPDATE' AND (OLD.tenant_id, OLD.end_user_id) IS DISTINCT FROM (NEW.tenant_id, NEW.end_user_id))\n            THEN\n                RAISE EXCEPTION 'extraction_delta_same_tenant' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="cf9675225d2279561e89722e56bac262cdffd0a7",
                            operation='INSERT OR UPDATE OF "tenant_id", "end_user_id"',
                            pgid="pgtrigger_extraction_delta_same_tenant_0b960",
                            table="factcheck_extractiondelta",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="extraction_delta_append_only",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            declare="DECLARE kept factcheck_extractiondelta;",
                            func="\n            IF TG_OP = 'UPDATE' THEN\n                kept := NEW;\n                kept.words_sealed := OLD.words_sealed;\nkept.sealed_by := OLD.sealed_by;\nkept.detail := OLD.detail;\nkept.spans := OLD.spans;\nkept.evidence := OLD.evidence;\n\n                IF kept IS NOT DISTINCT FROM OLD THEN\n                    RETURN NEW;\n                END IF;\n            END IF;\n            RAISE EXCEPTION 'extraction_delta_append_only' USING ERRCODE = 'check_violation';\n        ",
                            hash="a66a256f0eff099b08cf765f01ac0fc3a1803d2c",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_extraction_delta_append_only_1b634",
                            table="factcheck_extractiondelta",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="extraction_delta_stays_empty",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition="WHEN (OLD.\"words_sealed\" =  E''::bytea AND NOT (NEW.\"words_sealed\" =  E''::bytea))",
                            func="RAISE EXCEPTION 'extraction_delta_stays_empty' USING ERRCODE = 'check_violation';",
                            hash="27619182f1a773104f118b7564e98247f5df42db",
                            operation='UPDATE OF "words_sealed"',
                            pgid="pgtrigger_extraction_delta_stays_empty_f2b06",
                            table="factcheck_extractiondelta",
                            when="BEFORE",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="HistoricalCorrectionPattern",
            fields=[
                ("id", models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name="ID")),
                (
                    "is_active",
                    models.BooleanField(default=True, help_text="Off: kept, but no message is read with it."),
                ),
                (
                    "shipped",
                    models.JSONField(
                        editable=False,
                        help_text="The row as it shipped last; null for a row of the installation's own.",
                        null=True,
                    ),
                ),
                ("revision", models.PositiveIntegerField(default=1, editable=False)),
                (
                    "changed_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("name", models.CharField(max_length=120)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("denied", "denied"),
                            ("not_value", "not value"),
                            ("outdated", "outdated"),
                            ("other_subject", "other subject"),
                            ("ambiguous", "ambiguous"),
                            ("no", "no"),
                            ("yes", "yes"),
                        ],
                        max_length=16,
                    ),
                ),
                (
                    "language",
                    models.CharField(
                        choices=[
                            ("ru", "ru"),
                            ("en", "en"),
                            ("ar", "ar"),
                            ("arabizi", "arabizi"),
                            ("zh", "zh"),
                            ("mixed", "mixed"),
                        ],
                        max_length=16,
                    ),
                ),
                ("pattern", models.TextField(max_length=4000)),
                ("history_id", models.AutoField(primary_key=True, serialize=False)),
                ("history_date", models.DateTimeField(db_index=True)),
                ("history_change_reason", models.CharField(max_length=100, null=True)),
                (
                    "history_type",
                    models.CharField(choices=[("+", "Created"), ("~", "Changed"), ("-", "Deleted")], max_length=1),
                ),
                (
                    "history_user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "pack",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="factcheck.patternpack",
                    ),
                ),
            ],
            options={
                "verbose_name": "historical correction pattern",
                "verbose_name_plural": "historical correction patterns",
                "ordering": ("-history_date", "-history_id"),
                "get_latest_by": ("history_date", "history_id"),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name="HistoricalExtractionAnchor",
            fields=[
                ("id", models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name="ID")),
                (
                    "is_active",
                    models.BooleanField(default=True, help_text="Off: kept, but no message is read with it."),
                ),
                (
                    "shipped",
                    models.JSONField(
                        editable=False,
                        help_text="The row as it shipped last; null for a row of the installation's own.",
                        null=True,
                    ),
                ),
                ("revision", models.PositiveIntegerField(default=1, editable=False)),
                (
                    "changed_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "name",
                    models.CharField(help_text="Unique in the pack, for example allergy.en.reaction.", max_length=120),
                ),
                (
                    "type",
                    models.CharField(
                        choices=[
                            ("body_params", "body params"),
                            ("budget", "budget"),
                            ("allergy", "allergy"),
                            ("hard_ban", "hard ban"),
                            ("life_event", "life event"),
                            ("instruction", "instruction"),
                        ],
                        max_length=32,
                    ),
                ),
                (
                    "language",
                    models.CharField(
                        choices=[
                            ("ru", "ru"),
                            ("en", "en"),
                            ("ar", "ar"),
                            ("arabizi", "arabizi"),
                            ("zh", "zh"),
                            ("mixed", "mixed"),
                        ],
                        max_length=16,
                    ),
                ),
                ("pattern", models.TextField(max_length=4000)),
                ("history_id", models.AutoField(primary_key=True, serialize=False)),
                ("history_date", models.DateTimeField(db_index=True)),
                ("history_change_reason", models.CharField(max_length=100, null=True)),
                (
                    "history_type",
                    models.CharField(choices=[("+", "Created"), ("~", "Changed"), ("-", "Deleted")], max_length=1),
                ),
                (
                    "history_user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "pack",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="factcheck.patternpack",
                    ),
                ),
            ],
            options={
                "verbose_name": "historical extraction anchor",
                "verbose_name_plural": "historical extraction anchors",
                "ordering": ("-history_date", "-history_id"),
                "get_latest_by": ("history_date", "history_id"),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name="HistoricalInstantPattern",
            fields=[
                ("id", models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name="ID")),
                (
                    "is_active",
                    models.BooleanField(default=True, help_text="Off: kept, but no message is read with it."),
                ),
                (
                    "shipped",
                    models.JSONField(
                        editable=False,
                        help_text="The row as it shipped last; null for a row of the installation's own.",
                        null=True,
                    ),
                ),
                ("revision", models.PositiveIntegerField(default=1, editable=False)),
                (
                    "changed_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "name",
                    models.CharField(
                        help_text="Unique in the pack, for example allergy.en.i_am_allergic.", max_length=120
                    ),
                ),
                (
                    "type",
                    models.CharField(
                        choices=[
                            ("body_params", "body params"),
                            ("budget", "budget"),
                            ("allergy", "allergy"),
                            ("hard_ban", "hard ban"),
                            ("life_event", "life event"),
                            ("instruction", "instruction"),
                        ],
                        max_length=32,
                    ),
                ),
                (
                    "language",
                    models.CharField(
                        choices=[
                            ("ru", "ru"),
                            ("en", "en"),
                            ("ar", "ar"),
                            ("arabizi", "arabizi"),
                            ("zh", "zh"),
                            ("mixed", "mixed"),
                        ],
                        max_length=16,
                    ),
                ),
                ("pattern", models.TextField(max_length=4000)),
                (
                    "key_rule",
                    models.CharField(
                        choices=[
                            ("size", "size"),
                            ("measure", "measure"),
                            ("money", "money"),
                            ("concept", "concept"),
                            ("phrase", "phrase"),
                            ("nearby", "nearby"),
                            ("event", "event"),
                            ("instruction", "instruction"),
                        ],
                        max_length=16,
                    ),
                ),
                (
                    "key",
                    models.CharField(
                        blank=True, help_text="The key of the fact, where the rule does not find it.", max_length=100
                    ),
                ),
                (
                    "anchors",
                    models.TextField(blank=True, help_text="Must occur in the same sentence.", max_length=4000),
                ),
                (
                    "anti_anchors",
                    models.TextField(blank=True, help_text="Must not occur in the sentence.", max_length=4000),
                ),
                (
                    "skips",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=64),
                        blank=True,
                        default=list,
                        help_text="Guards not asked.",
                        size=None,
                    ),
                ),
                (
                    "closed",
                    models.BooleanField(
                        default=False, help_text="Only values of the concept table; events only with a date."
                    ),
                ),
                ("confidence", models.FloatField(default=0.95)),
                ("priority", models.IntegerField(default=100, help_text="Higher ones speak first.")),
                (
                    "rollout_percent",
                    models.PositiveSmallIntegerField(default=100, help_text="Share of users, the same ones always."),
                ),
                ("history_id", models.AutoField(primary_key=True, serialize=False)),
                ("history_date", models.DateTimeField(db_index=True)),
                ("history_change_reason", models.CharField(max_length=100, null=True)),
                (
                    "history_type",
                    models.CharField(choices=[("+", "Created"), ("~", "Changed"), ("-", "Deleted")], max_length=1),
                ),
                (
                    "history_user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "pack",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="factcheck.patternpack",
                    ),
                ),
            ],
            options={
                "verbose_name": "historical instant pattern",
                "verbose_name_plural": "historical instant patterns",
                "ordering": ("-history_date", "-history_id"),
                "get_latest_by": ("history_date", "history_id"),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name="HistoricalPatternGuard",
            fields=[
                ("id", models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name="ID")),
                (
                    "is_active",
                    models.BooleanField(default=True, help_text="Off: kept, but no message is read with it."),
                ),
                (
                    "shipped",
                    models.JSONField(
                        editable=False,
                        help_text="The row as it shipped last; null for a row of the installation's own.",
                        null=True,
                    ),
                ),
                ("revision", models.PositiveIntegerField(default=1, editable=False)),
                (
                    "changed_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("name", models.CharField(help_text="Unique: patterns name it in what they skip.", max_length=64)),
                (
                    "where",
                    models.CharField(
                        choices=[("before", "before"), ("after", "after"), ("sentence", "sentence")], max_length=16
                    ),
                ),
                ("pattern", models.TextField(max_length=4000)),
                (
                    "types",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(
                            choices=[
                                ("body_params", "body params"),
                                ("budget", "budget"),
                                ("allergy", "allergy"),
                                ("hard_ban", "hard ban"),
                                ("life_event", "life event"),
                                ("instruction", "instruction"),
                            ],
                            max_length=32,
                        ),
                        blank=True,
                        default=list,
                        help_text="Empty: all.",
                        size=None,
                    ),
                ),
                ("history_id", models.AutoField(primary_key=True, serialize=False)),
                ("history_date", models.DateTimeField(db_index=True)),
                ("history_change_reason", models.CharField(max_length=100, null=True)),
                (
                    "history_type",
                    models.CharField(choices=[("+", "Created"), ("~", "Changed"), ("-", "Deleted")], max_length=1),
                ),
                (
                    "history_user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "pack",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="factcheck.patternpack",
                    ),
                ),
            ],
            options={
                "verbose_name": "historical pattern guard",
                "verbose_name_plural": "historical pattern guards",
                "ordering": ("-history_date", "-history_id"),
                "get_latest_by": ("history_date", "history_id"),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name="InstantPattern",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "is_active",
                    models.BooleanField(default=True, help_text="Off: kept, but no message is read with it."),
                ),
                (
                    "shipped",
                    models.JSONField(
                        editable=False,
                        help_text="The row as it shipped last; null for a row of the installation's own.",
                        null=True,
                    ),
                ),
                ("revision", models.PositiveIntegerField(default=1, editable=False)),
                (
                    "changed_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "name",
                    models.CharField(
                        help_text="Unique in the pack, for example allergy.en.i_am_allergic.", max_length=120
                    ),
                ),
                (
                    "type",
                    models.CharField(
                        choices=[
                            ("body_params", "body params"),
                            ("budget", "budget"),
                            ("allergy", "allergy"),
                            ("hard_ban", "hard ban"),
                            ("life_event", "life event"),
                            ("instruction", "instruction"),
                        ],
                        max_length=32,
                    ),
                ),
                (
                    "language",
                    models.CharField(
                        choices=[
                            ("ru", "ru"),
                            ("en", "en"),
                            ("ar", "ar"),
                            ("arabizi", "arabizi"),
                            ("zh", "zh"),
                            ("mixed", "mixed"),
                        ],
                        max_length=16,
                    ),
                ),
                ("pattern", models.TextField(max_length=4000)),
                (
                    "key_rule",
                    models.CharField(
                        choices=[
                            ("size", "size"),
                            ("measure", "measure"),
                            ("money", "money"),
                            ("concept", "concept"),
                            ("phrase", "phrase"),
                            ("nearby", "nearby"),
                            ("event", "event"),
                            ("instruction", "instruction"),
                        ],
                        max_length=16,
                    ),
                ),
                (
                    "key",
                    models.CharField(
                        blank=True, help_text="The key of the fact, where the rule does not find it.", max_length=100
                    ),
                ),
                (
                    "anchors",
                    models.TextField(blank=True, help_text="Must occur in the same sentence.", max_length=4000),
                ),
                (
                    "anti_anchors",
                    models.TextField(blank=True, help_text="Must not occur in the sentence.", max_length=4000),
                ),
                (
                    "skips",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=64),
                        blank=True,
                        default=list,
                        help_text="Guards not asked.",
                        size=None,
                    ),
                ),
                (
                    "closed",
                    models.BooleanField(
                        default=False, help_text="Only values of the concept table; events only with a date."
                    ),
                ),
                ("confidence", models.FloatField(default=0.95)),
                ("priority", models.IntegerField(default=100, help_text="Higher ones speak first.")),
                (
                    "rollout_percent",
                    models.PositiveSmallIntegerField(default=100, help_text="Share of users, the same ones always."),
                ),
                (
                    "pack",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="patterns",
                        to="factcheck.patternpack",
                    ),
                ),
            ],
            options={
                "ordering": ["pack", "name"],
                "constraints": [
                    models.UniqueConstraint(fields=("pack", "name"), name="instant_pattern_name_unique"),
                    models.CheckConstraint(
                        condition=models.Q(("name__regex", "^[a-z][a-z0-9_.]{0,119}$")),
                        name="instant_pattern_name_well_formed",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("type__in", ("body_params", "budget", "allergy", "hard_ban", "life_event", "instruction"))
                        ),
                        name="instant_pattern_type_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("language__in", ("ru", "en", "ar", "arabizi", "zh", "mixed"))),
                        name="instant_pattern_language_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "key_rule__in",
                                ("size", "measure", "money", "concept", "phrase", "nearby", "event", "instruction"),
                            )
                        ),
                        name="instant_pattern_key_rule_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("pattern__regex", "\\S")), name="instant_pattern_not_empty"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("key", ""), ("key__regex", "^[a-z0-9_]{1,100}$"), _connector="OR"),
                        name="instant_pattern_key_well_formed",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("confidence__gt", 0), ("confidence__lte", 1)),
                        name="instant_pattern_confidence_range",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("rollout_percent__lte", 100)), name="instant_pattern_rollout_range"
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="instant_pattern_counts_version_up",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            INSERT INTO factcheck_patternversion AS known (id, number, changed_at) VALUES (1, 1, clock_timestamp())\n            ON CONFLICT (id) DO UPDATE SET number = known.number + 1, changed_at = clock_timestamp()\n            WHERE known.xmin <> pg_current_xact_id()::xid;\n            RETURN NULL;\n        ",
                            hash="fcc40809a3910ab6cdcbb935fee80e439463ada9",
                            level="STATEMENT",
                            operation="INSERT OR UPDATE OR DELETE OR TRUNCATE",
                            pgid="pgtrigger_instant_pattern_counts_version_up_bbb40",
                            table="factcheck_instantpattern",
                            when="AFTER",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="PackSwitchedOff",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tenancy.tenant",
                    ),
                ),
                (
                    "pack",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="switched_off",
                        to="factcheck.patternpack",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "packs switched off",
                "ordering": ["tenant", "pack"],
                "constraints": [models.UniqueConstraint(fields=("tenant", "pack"), name="pack_switched_off_once")],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="pack_switch_counts_version_up",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            INSERT INTO factcheck_patternversion AS known (id, number, changed_at) VALUES (1, 1, clock_timestamp())\n            ON CONFLICT (id) DO UPDATE SET number = known.number + 1, changed_at = clock_timestamp()\n            WHERE known.xmin <> pg_current_xact_id()::xid;\n            RETURN NULL;\n        ",
                            hash="e77f07c04595b3a653d7d2bd732dafe9c5af3271",
                            level="STATEMENT",
                            operation="INSERT OR UPDATE OR DELETE OR TRUNCATE",
                            pgid="pgtrigger_pack_switch_counts_version_up_291cb",
                            table="factcheck_packswitchedoff",
                            when="AFTER",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="PatternGuard",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "is_active",
                    models.BooleanField(default=True, help_text="Off: kept, but no message is read with it."),
                ),
                (
                    "shipped",
                    models.JSONField(
                        editable=False,
                        help_text="The row as it shipped last; null for a row of the installation's own.",
                        null=True,
                    ),
                ),
                ("revision", models.PositiveIntegerField(default=1, editable=False)),
                (
                    "changed_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("name", models.CharField(help_text="Unique: patterns name it in what they skip.", max_length=64)),
                (
                    "where",
                    models.CharField(
                        choices=[("before", "before"), ("after", "after"), ("sentence", "sentence")], max_length=16
                    ),
                ),
                ("pattern", models.TextField(max_length=4000)),
                (
                    "types",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(
                            choices=[
                                ("body_params", "body params"),
                                ("budget", "budget"),
                                ("allergy", "allergy"),
                                ("hard_ban", "hard ban"),
                                ("life_event", "life event"),
                                ("instruction", "instruction"),
                            ],
                            max_length=32,
                        ),
                        blank=True,
                        default=list,
                        help_text="Empty: all.",
                        size=None,
                    ),
                ),
                (
                    "pack",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="guards",
                        to="factcheck.patternpack",
                    ),
                ),
            ],
            options={
                "ordering": ["pack", "name"],
                "constraints": [
                    models.UniqueConstraint(fields=("name",), name="pattern_guard_name_unique"),
                    models.CheckConstraint(
                        condition=models.Q(("name__regex", "^[a-z][a-z0-9_.]{0,119}$")),
                        name="pattern_guard_name_well_formed",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("where__in", ("before", "after", "sentence"))),
                        name="pattern_guard_where_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("pattern__regex", "\\S")), name="pattern_guard_not_empty"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "types__contained_by",
                                ["body_params", "budget", "allergy", "hard_ban", "life_event", "instruction"],
                            )
                        ),
                        name="pattern_guard_types_known",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="pattern_guard_counts_version_up",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            INSERT INTO factcheck_patternversion AS known (id, number, changed_at) VALUES (1, 1, clock_timestamp())\n            ON CONFLICT (id) DO UPDATE SET number = known.number + 1, changed_at = clock_timestamp()\n            WHERE known.xmin <> pg_current_xact_id()::xid;\n            RETURN NULL;\n        ",
                            hash="e04debec4110e842b55065e21494c4c36cc7da32",
                            level="STATEMENT",
                            operation="INSERT OR UPDATE OR DELETE OR TRUNCATE",
                            pgid="pgtrigger_pattern_guard_counts_version_up_e1286",
                            table="factcheck_patternguard",
                            when="AFTER",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="RunMessage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("message_id", models.BigIntegerField()),
                (
                    "outcome",
                    models.CharField(
                        choices=[
                            ("extracted", "Extracted"),
                            ("nothing", "Nothing"),
                            ("rejected", "Rejected"),
                            ("failed", "Failed"),
                        ],
                        max_length=9,
                    ),
                ),
                ("code", models.CharField(blank=True, help_text="Why it was rejected, or failed.", max_length=40)),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="message_rows",
                        to="factcheck.extractionrun",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["message_id", "-id"], name="run_message_newest")],
                "constraints": [
                    models.UniqueConstraint(fields=("run", "message_id"), name="run_message_unique"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("code", ""), ("outcome__in", ["extracted", "nothing"])),
                            models.Q(("outcome__in", ["rejected", "failed"]), models.Q(("code", ""), _negated=True)),
                            _connector="OR",
                        ),
                        name="run_message_outcome_is_told",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ExtractionSample",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(choices=[("delta", "Delta"), ("run", "Run")], max_length=5)),
                (
                    "reason",
                    models.CharField(
                        choices=[
                            ("random", "drawn at the stratum's rate"),
                            ("floor", "among the first of a day"),
                            ("all", "too few to leave any out"),
                            ("risk", "looks doubtful"),
                            ("trial", "a breaker's trial"),
                        ],
                        max_length=8,
                    ),
                ),
                ("probability", models.FloatField()),
                ("stratum", models.CharField(max_length=120)),
                ("language", models.CharField(blank=True, max_length=35)),
                ("is_gone", models.BooleanField(db_default=False, default=False)),
                (
                    "labels_wanted",
                    models.PositiveSmallIntegerField(
                        db_default=0,
                        help_text="How many people are to label it: two of one in ten. Set by the database.",
                    ),
                ),
                (
                    "label_count",
                    models.PositiveSmallIntegerField(
                        db_default=0,
                        default=0,
                        help_text="How many of those labels it has. It is open while that is fewer.",
                    ),
                ),
                (
                    "wrong_count",
                    models.PositiveSmallIntegerField(
                        db_default=0,
                        default=0,
                        help_text="How many labels that stand call it wrong: then nothing is written of it.",
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "delta",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="samples",
                        to="factcheck.extractiondelta",
                    ),
                ),
                (
                    "end_user",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tenancy.enduser",
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="samples",
                        to="factcheck.extractionrun",
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
                "ordering": ["id"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("is_gone", False), ("label_count__lt", models.F("labels_wanted"))),
                        fields=["tenant", "reason", "language", "label_count", "id"],
                        name="extraction_sample_open",
                    ),
                    models.Index(fields=["tenant", "stratum", "created_at"], name="extraction_sample_stratum"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("delta__isnull", False), ("kind", "delta")),
                            models.Q(("delta__isnull", True), ("kind", "run")),
                            _connector="OR",
                        ),
                        name="extraction_sample_kind_fits",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("reason__in", ["random", "floor", "all", "risk", "trial"])),
                        name="extraction_sample_reason_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("probability__gt", 0), ("probability__lte", 1)),
                        name="extraction_sample_probability_range",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("labels_wanted__in", [1, 2])), name="extraction_sample_labels_wanted"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("delta__isnull", False)),
                        fields=("delta",),
                        name="extraction_sample_of_a_delta",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("delta__isnull", True)), fields=("run",), name="extraction_sample_of_a_run"
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="extraction_sample_same_tenant",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n            IF NOT EXISTS (\n                SELECT 1 FROM tenancy_enduser u WHERE u.id = NEW.end_user_id AND u.tenant_id = NEW.tenant_id\n            ) OR (TG_OP = 'UPDATE' AND (OLD.tenant_id, OLD.end_user_id) IS DISTINCT FROM (NEW.tenant_id, NEW.end_user_id))\n            THEN\n                RAISE EXCEPTION 'extraction_sample_same_tenant' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                            hash="09a0ed15d79839da892757ce410c9757ba2fabfb",
                            operation='INSERT OR UPDATE OF "tenant_id", "end_user_id"',
                            pgid="pgtrigger_extraction_sample_same_tenant_1951d",
                            table="factcheck_extractionsample",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="extraction_sample_append_only",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            declare="DECLARE kept factcheck_extractionsample;",
                            func="\n            IF TG_OP = 'UPDATE' THEN\n                kept := NEW;\n                kept.is_gone := OLD.is_gone;\nkept.label_count := OLD.label_count;\nkept.wrong_count := OLD.wrong_count;\n\n                IF kept IS NOT DISTINCT FROM OLD THEN\n                    RETURN NEW;\n                END IF;\n            END IF;\n            RAISE EXCEPTION 'extraction_sample_append_only' USING ERRCODE = 'check_violation';\n        ",
                            hash="c082a78cdbaf7e9a380237a2aab1d4ac1c9358d7",
                            operation="UPDATE OR DELETE",
                            pgid="pgtrigger_extraction_sample_append_only_8fe90",
                            table="factcheck_extractionsample",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="extraction_sample_overlap",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n                    IF NEW.labels_wanted = 0 THEN\n                        NEW.labels_wanted := 1 + (abs(hashint8extended(NEW.id, 37) % 10) = 0)::int;\n                    END IF;\n                    RETURN NEW;\n                ",
                            hash="81b1ae721d09b67832987e04860a200f30e0a5d7",
                            operation="INSERT",
                            pgid="pgtrigger_extraction_sample_overlap_36fbb",
                            table="factcheck_extractionsample",
                            when="BEFORE",
                        ),
                    ),
                ],
            },
        ),
        memoryproject.trigger_migrations.AddTriggers(),
    ]
