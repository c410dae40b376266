"""Adds labels, leases, skips, gold items and golden cases."""

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
import django.db.models.functions.datetime
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("factcheck", "0010_sample_labels"),
        ("reviews", "0007_autosaves"),
        ("tenancy", "0008_labeller"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="GoldItem",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slug", models.CharField(max_length=60, unique=True)),
                ("language", models.CharField(max_length=35)),
                ("kind", models.CharField(choices=[("delta", "Delta"), ("run", "Run")], max_length=5)),
                (
                    "content",
                    models.JSONField(help_text="messages, facts and proposal, as in qa/extraction/gold.jsonl."),
                ),
                ("verdict", models.CharField(help_text="The right one.", max_length=16)),
                (
                    "is_planted",
                    models.BooleanField(
                        help_text="Whether an error is planted: a wrong proposal, or something missed."
                    ),
                ),
                (
                    "reason",
                    models.CharField(
                        help_text="Why the verdict is right. Shown to no reviewer beforehand.", max_length=300
                    ),
                ),
                (
                    "is_retired",
                    models.BooleanField(default=False, help_text="No longer in the file that it came from."),
                ),
                ("active_from", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
            ],
            options={
                "ordering": ["slug"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("kind", "run"), ("verdict__in", ["missed", "nothing_missed"])),
                            models.Q(
                                ("kind", "delta"),
                                ("verdict__in", ["correct", "wrong_value", "wrong_person", "not_meant"]),
                            ),
                            _connector="OR",
                        ),
                        name="gold_item_verdict_fits",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("is_planted", False), ("verdict__in", ["correct", "nothing_missed"])),
                            models.Q(
                                ("is_planted", True),
                                models.Q(("verdict__in", ["correct", "nothing_missed"]), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="gold_item_planted_is_wrong",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("reason", ""), _negated=True), models.Q(("slug", ""), _negated=True)
                        ),
                        name="gold_item_is_told",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SampleLabel",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "verdict",
                    models.CharField(
                        choices=[
                            ("correct", "Correct"),
                            ("wrong_value", "Wrong value"),
                            ("wrong_person", "Wrong person"),
                            ("not_meant", "Not meant"),
                            ("cannot_tell", "Cannot tell"),
                            ("missed", "Something is missing"),
                            ("nothing_missed", "Nothing is missing"),
                        ],
                        help_text="What the person saw.",
                        max_length=16,
                    ),
                ),
                (
                    "missed_message_id",
                    models.BigIntegerField(
                        blank=True,
                        help_text="Of `missed`: the message that states what was not found; of gold, its place.",
                        null=True,
                    ),
                ),
                ("comment", models.CharField(blank=True, max_length=500)),
                ("is_gold_check", models.BooleanField(default=False)),
                (
                    "is_late",
                    models.BooleanField(
                        default=False, help_text="Beyond the labels that the sample wanted: kept, not counted."
                    ),
                ),
                ("weight", models.FloatField(default=1.0)),
                ("seconds", models.PositiveIntegerField(default=0, help_text="From the first view to the verdict.")),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("undone_at", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "gold",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="labels",
                        to="reviews.golditem",
                    ),
                ),
                (
                    "reviewer",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "sample",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="labels",
                        to="factcheck.extractionsample",
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
            },
        ),
        migrations.CreateModel(
            name="GoldenCase",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("language", models.CharField(blank=True, max_length=35)),
                (
                    "line",
                    models.JSONField(
                        blank=True, help_text="messages, facts, proposal, verdict. Null: forgotten.", null=True
                    ),
                ),
                (
                    "message_ids",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(), default=list, size=None
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                ("forgotten_at", models.DateTimeField(blank=True, editable=False, null=True)),
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
                    "made_by",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
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
                    "label",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="golden_case",
                        to="reviews.samplelabel",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="SampleLease",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("taken_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "heartbeat_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(),
                        help_text="When the page was last known to be open.",
                    ),
                ),
                ("expires_at", models.DateTimeField()),
                (
                    "gold",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="reviews.golditem",
                    ),
                ),
                (
                    "reviewer",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "sample",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="leases",
                        to="factcheck.extractionsample",
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
        ),
        migrations.CreateModel(
            name="SampleSkip",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
                (
                    "gold",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="reviews.golditem",
                    ),
                ),
                (
                    "reviewer",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "sample",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="factcheck.extractionsample",
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
        ),
        migrations.AddIndex(
            model_name="samplelabel",
            index=models.Index(fields=["tenant", "reviewer", "-id"], name="sample_label_by_reviewer"),
        ),
        migrations.AddIndex(
            model_name="samplelabel",
            index=models.Index(
                condition=models.Q(("undone_at__isnull", True)),
                fields=["tenant", "-created_at"],
                name="sample_label_newest",
            ),
        ),
        migrations.AddIndex(
            model_name="samplelabel",
            index=models.Index(
                condition=models.Q(("gold__isnull", False)), fields=["gold", "reviewer"], name="sample_label_of_gold"
            ),
        ),
        migrations.AddConstraint(
            model_name="samplelabel",
            constraint=models.UniqueConstraint(
                condition=models.Q(("sample__isnull", False), ("undone_at__isnull", True)),
                fields=("sample", "reviewer"),
                name="sample_label_one_live",
            ),
        ),
        migrations.AddConstraint(
            model_name="samplelabel",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "verdict__in",
                        [
                            "correct",
                            "wrong_value",
                            "wrong_person",
                            "not_meant",
                            "cannot_tell",
                            "missed",
                            "nothing_missed",
                        ],
                    )
                ),
                name="sample_label_verdict_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="samplelabel",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("gold__isnull", True), ("is_gold_check", False), ("sample__isnull", False)),
                    models.Q(
                        ("gold__isnull", False), ("is_gold_check", True), ("is_late", False), ("sample__isnull", True)
                    ),
                    _connector="OR",
                ),
                name="sample_label_of_one_thing",
            ),
        ),
        migrations.AddConstraint(
            model_name="samplelabel",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("missed_message_id__isnull", False), ("verdict", "missed")),
                    models.Q(models.Q(("verdict", "missed"), _negated=True), ("missed_message_id__isnull", True)),
                    _connector="OR",
                ),
                name="sample_label_says_what_was_missed",
            ),
        ),
        migrations.AddConstraint(
            model_name="samplelabel",
            constraint=models.CheckConstraint(
                condition=models.Q(("weight__gt", 0), ("weight__lte", 1)), name="sample_label_weight_range"
            ),
        ),
        migrations.AddConstraint(
            model_name="samplelabel",
            constraint=models.CheckConstraint(
                condition=models.Q(("seconds__lte", 3600)), name="sample_label_seconds_range"
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="samplelabel",
            trigger=pgtrigger.compiler.Trigger(
                name="sample_label_fits",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    declare="DECLARE item record;",
                    func="\n                    IF NEW.sample_id IS NOT NULL THEN\n                        SELECT s.tenant_id, s.kind, s.is_gone, s.run_id INTO item\n                            FROM factcheck_extractionsample s WHERE s.id = NEW.sample_id;\n                        IF item.tenant_id IS DISTINCT FROM NEW.tenant_id THEN\n                            RAISE EXCEPTION 'sample_label_same_tenant' USING ERRCODE = 'check_violation';\n                        END IF;\n                        IF item.is_gone THEN\n                            RAISE EXCEPTION 'sample_label_not_of_gone' USING ERRCODE = 'check_violation';\n                        END IF;\n                        IF NEW.missed_message_id IS NOT NULL AND NOT EXISTS (\n                            SELECT 1 FROM factcheck_runmessage m\n                            WHERE m.run_id = item.run_id AND m.message_id = NEW.missed_message_id\n                        ) THEN\n                            RAISE EXCEPTION 'sample_label_message_of_run' USING ERRCODE = 'check_violation';\n                        END IF;\n                    ELSE\n                        SELECT g.kind INTO item FROM reviews_golditem g WHERE g.id = NEW.gold_id;\n                    END IF;\n                    IF (item.kind = 'run' AND NEW.verdict NOT IN ('missed', 'nothing_missed', 'cannot_tell'))\n                        OR (item.kind = 'delta' AND NEW.verdict IN ('missed', 'nothing_missed'))\n                    THEN\n                        RAISE EXCEPTION 'sample_label_fits_kind' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                    hash="7f8c9b0991f1edbcfe94a70fd76a249adb108092",
                    operation="INSERT",
                    pgid="pgtrigger_sample_label_fits_a706d",
                    table="reviews_samplelabel",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="samplelabel",
            trigger=pgtrigger.compiler.Trigger(
                name="sample_label_append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    declare="DECLARE kept reviews_samplelabel;",
                    func="\n                    IF TG_OP = 'UPDATE' THEN\n                        kept := NEW;\n                        IF OLD.undone_at IS NULL THEN\n                            kept.undone_at := NULL;\n                        END IF;\n                        IF NEW.comment = '' THEN\n                            kept.comment := OLD.comment;\n                        END IF;\n                        IF kept IS NOT DISTINCT FROM OLD THEN\n                            RETURN NEW;\n                        END IF;\n                    END IF;\n                    RAISE EXCEPTION 'sample_label_append_only' USING ERRCODE = 'check_violation';\n                ",
                    hash="bff12e31f85390ef9779c5abb60ab791efde8d13",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_sample_label_append_only_8d828",
                    table="reviews_samplelabel",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddIndex(
            model_name="goldencase",
            index=models.Index(fields=["tenant", "end_user"], name="golden_case_by_user"),
        ),
        migrations.AddIndex(
            model_name="goldencase",
            index=django.contrib.postgres.indexes.GinIndex(
                fastupdate=False, fields=["message_ids"], name="golden_case_messages"
            ),
        ),
        migrations.AddConstraint(
            model_name="goldencase",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("forgotten_at__isnull", False), ("line__isnull", True)),
                    models.Q(("forgotten_at__isnull", True), ("line__isnull", False)),
                    _connector="OR",
                ),
                name="golden_case_forgotten_or_told",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="goldencase",
            trigger=pgtrigger.compiler.Trigger(
                name="golden_case_same_tenant",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n            IF NOT EXISTS (\n                SELECT 1 FROM tenancy_enduser u WHERE u.id = NEW.end_user_id AND u.tenant_id = NEW.tenant_id\n            ) OR (TG_OP = 'UPDATE' AND (OLD.tenant_id, OLD.end_user_id) IS DISTINCT FROM (NEW.tenant_id, NEW.end_user_id))\n            THEN\n                RAISE EXCEPTION 'golden_case_same_tenant' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                    hash="2f0ce9208d2b1e60a5381d430dc58cf898708fa1",
                    operation='INSERT OR UPDATE OF "tenant_id", "end_user_id"',
                    pgid="pgtrigger_golden_case_same_tenant_db781",
                    table="reviews_goldencase",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="goldencase",
            trigger=pgtrigger.compiler.Trigger(
                name="golden_case_stays_forgotten",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n                    IF TG_OP = 'DELETE' OR OLD.line IS NULL OR NEW.line IS NOT NULL THEN\n                        RAISE EXCEPTION 'golden_case_stays_forgotten' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                    hash="5fa4e3990edaae0d070e43c6e6499edd88186285",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_golden_case_stays_forgotten_1c047",
                    table="reviews_goldencase",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="samplelease",
            constraint=models.UniqueConstraint(fields=("sample", "reviewer"), name="sample_lease_unique"),
        ),
        migrations.AddConstraint(
            model_name="samplelease",
            constraint=models.UniqueConstraint(
                fields=("reviewer", "tenant", "sample"), name="sample_lease_by_reviewer"
            ),
        ),
        migrations.AddConstraint(
            model_name="samplelease",
            constraint=models.UniqueConstraint(
                fields=("gold", "reviewer", "tenant"), name="sample_lease_of_gold_unique"
            ),
        ),
        migrations.AddConstraint(
            model_name="samplelease",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("gold__isnull", True), ("sample__isnull", False)),
                    models.Q(("gold__isnull", False), ("sample__isnull", True)),
                    _connector="OR",
                ),
                name="sample_lease_of_one_thing",
            ),
        ),
        migrations.AddConstraint(
            model_name="samplelease",
            constraint=models.CheckConstraint(
                condition=models.Q(("expires_at__gte", models.F("taken_at"))), name="sample_lease_ends_later"
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="samplelease",
            trigger=pgtrigger.compiler.Trigger(
                name="sample_lease_same_tenant",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (NEW."sample_id" IS NOT NULL)',
                    func="\n            IF NOT EXISTS (\n                SELECT 1 FROM factcheck_extractionsample s WHERE s.id = NEW.sample_id AND s.tenant_id = NEW.tenant_id\n            ) THEN\n                RAISE EXCEPTION 'sample_lease_same_tenant' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                    hash="75c0b2d3bb458d8aef97341916c7f7b984d1f98b",
                    operation='INSERT OR UPDATE OF "tenant_id", "sample_id"',
                    pgid="pgtrigger_sample_lease_same_tenant_36286",
                    table="reviews_samplelease",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddIndex(
            model_name="sampleskip",
            index=models.Index(fields=["tenant", "reviewer"], name="sample_skip_by_reviewer"),
        ),
        migrations.AddConstraint(
            model_name="sampleskip",
            constraint=models.UniqueConstraint(fields=("sample", "reviewer"), name="sample_skip_unique"),
        ),
        migrations.AddConstraint(
            model_name="sampleskip",
            constraint=models.UniqueConstraint(
                fields=("gold", "reviewer", "tenant"), name="sample_skip_of_gold_unique"
            ),
        ),
        migrations.AddConstraint(
            model_name="sampleskip",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("gold__isnull", True), ("sample__isnull", False)),
                    models.Q(("gold__isnull", False), ("sample__isnull", True)),
                    _connector="OR",
                ),
                name="sample_skip_of_one_thing",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="sampleskip",
            trigger=pgtrigger.compiler.Trigger(
                name="sample_skip_same_tenant",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (NEW."sample_id" IS NOT NULL)',
                    func="\n            IF NOT EXISTS (\n                SELECT 1 FROM factcheck_extractionsample s WHERE s.id = NEW.sample_id AND s.tenant_id = NEW.tenant_id\n            ) THEN\n                RAISE EXCEPTION 'sample_skip_same_tenant' USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ",
                    hash="9184920cf4318bedd78c96e4c7fce5302cd34b66",
                    operation='INSERT OR UPDATE OF "tenant_id", "sample_id"',
                    pgid="pgtrigger_sample_skip_same_tenant_64f94",
                    table="reviews_sampleskip",
                    when="BEFORE",
                ),
            ),
        ),
    ]
