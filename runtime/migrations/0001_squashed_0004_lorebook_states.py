"""Everything up to 0004_lorebook_states in one step: a new installation migrates in seconds, an old one has it already."""

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
import django.db.models.functions.datetime
import pgtrigger.compiler
from django.db import migrations, models

import memoryproject.batched_migrations
import memoryproject.trigger_migrations


class Migration(memoryproject.batched_migrations.BatchedMigration):
    replaces = [
        ("runtime", "0001_traces"),
        ("runtime", "0002_traces_by_message"),
        ("runtime", "0003_feedback_places"),
        ("runtime", "0004_lorebook_states"),
    ]

    initial = True

    dependencies = [
        ("episodes", "0001_squashed_0048_event_policies_and_proposals"),
        ("tenancy", "0001_squashed_0009_notebook_scope"),
    ]

    operations = [
        migrations.CreateModel(
            name="Trace",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ("kind", models.CharField(choices=[("pack", "Pack"), ("chat", "Chat")], max_length=8)),
                (
                    "user_id",
                    models.CharField(blank=True, help_text="The player, known here by then or not.", max_length=200),
                ),
                ("session_id", models.CharField(blank=True, max_length=200)),
                ("npc_id", models.CharField(blank=True, max_length=120)),
                ("party_id", models.CharField(blank=True, max_length=200)),
                ("scene_id", models.CharField(blank=True, max_length=200)),
                ("message_id", models.BigIntegerField(blank=True, help_text="The player's words in RAW.", null=True)),
                ("reply_message_id", models.BigIntegerField(blank=True, help_text="The answer in RAW.", null=True)),
                (
                    "message_ids",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(),
                        help_text="Every message whose words stand in the texts.",
                        size=None,
                    ),
                ),
                (
                    "query_hash",
                    models.CharField(
                        blank=True,
                        help_text="Of the player's words: they are forgotten with the same words in RAW.",
                        max_length=64,
                    ),
                ),
                ("prompt_version", models.PositiveIntegerField()),
                ("prompt_source", models.CharField(max_length=200)),
                ("persona_version", models.PositiveIntegerField(blank=True, null=True)),
                ("releases", models.JSONField(help_text="Domain to the number of the release that was read.")),
                ("embedder", models.CharField(blank=True, max_length=200)),
                ("tokens", models.PositiveIntegerField()),
                ("token_limit", models.PositiveIntegerField()),
                ("tokens_by_layer", models.JSONField()),
                ("steps_ms", models.JSONField()),
                ("prompt_tokens", models.PositiveIntegerField(blank=True, null=True)),
                ("completion_tokens", models.PositiveIntegerField(blank=True, null=True)),
                ("cost", models.FloatField(blank=True, null=True)),
                (
                    "contradictions",
                    models.PositiveIntegerField(help_text="Claims of the answer that canon denies, after all tries."),
                ),
                (
                    "degraded",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=80),
                        help_text="What the turn had to do without.",
                        size=None,
                    ),
                ),
                ("outline", models.JSONField(help_text="Items, steps and calls, without a word that anybody said.")),
                ("texts", models.BinaryField(blank=True, help_text="The words, compressed and sealed.", null=True)),
                (
                    "texts_lack",
                    models.CharField(blank=True, help_text="Why some or all words were not kept.", max_length=16),
                ),
                ("blanked_at", models.DateTimeField(blank=True, editable=False, null=True)),
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
                        related_name="+",
                        to="tenancy.world",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["tenant", "world", "-id"], name="trace_by_world"),
                    models.Index(
                        condition=models.Q(("user_id", ""), _negated=True),
                        fields=["tenant", "user_id", "-id"],
                        name="trace_by_user",
                    ),
                    models.Index(
                        condition=models.Q(("session_id", ""), _negated=True),
                        fields=["tenant", "world", "session_id", "-id"],
                        name="trace_by_session",
                    ),
                    models.Index(
                        condition=models.Q(("npc_id", ""), _negated=True),
                        fields=["tenant", "world", "npc_id", "-id"],
                        name="trace_by_npc",
                    ),
                    django.contrib.postgres.indexes.GinIndex(
                        condition=models.Q(("blanked_at__isnull", True)),
                        fastupdate=False,
                        fields=["message_ids"],
                        name="trace_by_message",
                    ),
                    models.Index(
                        condition=models.Q(("query_hash", ""), _negated=True),
                        fields=["tenant", "query_hash"],
                        name="trace_by_words",
                    ),
                    models.Index(
                        condition=models.Q(("degraded", []), _negated=True),
                        fields=["tenant", "world", "-id"],
                        name="trace_degraded",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("kind__in", ["pack", "chat"])), name="trace_kind_known"),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("blanked_at__isnull", True),
                            models.Q(("query_hash", ""), ("texts__isnull", True)),
                            _connector="OR",
                        ),
                        name="trace_blanked_has_no_words",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("cost__isnull", True), ("cost__gte", 0), _connector="OR"),
                        name="trace_cost_not_negative",
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="trace_same_tenant",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n                    IF NOT EXISTS (SELECT 1 FROM tenancy_world w WHERE w.id = NEW.world_id AND w.tenant_id = NEW.tenant_id) THEN\n                        RAISE EXCEPTION 'trace_same_tenant' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                            hash="782e86a7a783407ae1ed69cb0826c313fa4100bc",
                            operation="INSERT",
                            pgid="pgtrigger_trace_same_tenant_05e68",
                            table="runtime_trace",
                            when="BEFORE",
                        ),
                    ),
                    pgtrigger.compiler.Trigger(
                        name="trace_only_blanks",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            declare="DECLARE kept runtime_trace;",
                            func="\n                    kept := NEW;\n                    kept.texts := OLD.texts;\n                    kept.query_hash := OLD.query_hash;\n                    kept.blanked_at := OLD.blanked_at;\n                    IF kept IS DISTINCT FROM OLD OR OLD.blanked_at IS NOT NULL OR NEW.blanked_at IS NULL THEN\n                        RAISE EXCEPTION 'trace_only_blanks' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                            hash="b2c85729bda1af51a669a26bd8b5f02989b72b32",
                            operation="UPDATE",
                            pgid="pgtrigger_trace_only_blanks_84ef7",
                            table="runtime_trace",
                            when="BEFORE",
                        ),
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="LorebookState",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("dialect", models.CharField(choices=[("faithful", "faithful"), ("m37", "m37")], max_length=8)),
                (
                    "seq",
                    models.PositiveIntegerField(
                        help_text="The conversation's last place when the entries fired; 0 before any."
                    ),
                ),
                ("state", models.JSONField(help_text="The form of SillyTavern's `timedWorldInfo`.")),
                (
                    "updated_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "conversation",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="episodes.conversation",
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
                    models.UniqueConstraint(fields=("conversation", "dialect", "seq"), name="lorebook_state_unique"),
                    models.CheckConstraint(
                        condition=models.Q(("dialect__in", ["faithful", "m37"])), name="lorebook_state_dialect_known"
                    ),
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="lorebook_state_was_said",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            func="\n                    IF NOT EXISTS (\n                        SELECT 1 FROM episodes_conversation c\n                        WHERE c.id = NEW.conversation_id AND c.tenant_id = NEW.tenant_id AND c.last_seq >= NEW.seq\n                    ) THEN\n                        RAISE EXCEPTION 'lorebook_state_was_said' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                            hash="80bec3d7af2df6bb216f347128892995593ce011",
                            operation="INSERT OR UPDATE",
                            pgid="pgtrigger_lorebook_state_was_said_bc58a",
                            table="runtime_lorebookstate",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="TraceFeedback",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "used_item_ids",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=300), blank=True, size=None
                    ),
                ),
                ("thumb", models.CharField(blank=True, choices=[("up", "Up"), ("down", "Down")], max_length=4)),
                ("note", models.CharField(blank=True, help_text="Goes with the trace's words.", max_length=2000)),
                ("shown", models.JSONField(help_text="Layer to how many items were told.")),
                ("used", models.JSONField(help_text="Layer to how many of them the answer used.")),
                (
                    "places",
                    models.JSONField(
                        db_default={},
                        help_text="Layer to the sums of 1/place of what was used, by fused score and as told.",
                    ),
                ),
                ("given_by", models.CharField(help_text="The API key's prefix, or the person's name.", max_length=200)),
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
                    "trace",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="feedback",
                        to="runtime.trace",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["tenant", "trace", "-id"], name="trace_feedback_by_trace"),
                    models.Index(fields=["tenant", "created_at"], name="trace_feedback_by_time"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("thumb__in", ["", "up", "down"])), name="trace_feedback_thumb_known"
                    )
                ],
                "triggers": [
                    pgtrigger.compiler.Trigger(
                        name="trace_feedback_stays",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            declare="DECLARE kept runtime_tracefeedback;",
                            func="\n                    IF TG_OP = 'INSERT' THEN\n                        IF NOT EXISTS (SELECT 1 FROM runtime_trace t WHERE t.id = NEW.trace_id AND t.tenant_id = NEW.tenant_id) THEN\n                            RAISE EXCEPTION 'trace_feedback_same_tenant' USING ERRCODE = 'check_violation';\n                        END IF;\n                        RETURN NEW;\n                    END IF;\n                    kept := NEW;\n                    kept.note := OLD.note;\n                    IF kept IS DISTINCT FROM OLD OR NEW.note <> '' THEN\n                        RAISE EXCEPTION 'trace_feedback_stays' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                            hash="545146a230847b59fe3831a01d593153645702f8",
                            operation="INSERT OR UPDATE",
                            pgid="pgtrigger_trace_feedback_stays_9f6b0",
                            table="runtime_tracefeedback",
                            when="BEFORE",
                        ),
                    )
                ],
            },
        ),
        memoryproject.trigger_migrations.AddTriggers(),
    ]
