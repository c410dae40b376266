"""Adds the anchors of extraction: words that state a relation, beside the patterns."""

import django.db.models.deletion
import django.db.models.functions.datetime
import pgtrigger.compiler
import pgtrigger.migrations
import simple_history.models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("factcheck", "0008_second_stage"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
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
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="extractionanchor",
            trigger=pgtrigger.compiler.Trigger(
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
            ),
        ),
    ]
