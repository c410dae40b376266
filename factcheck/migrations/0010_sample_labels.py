"""Counts the labels of samples: how many each wants, and has."""

import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("factcheck", "0009_extraction_anchors"),
        ("tenancy", "0008_labeller"),
    ]

    operations = [
        pgtrigger.migrations.RemoveTrigger(
            model_name="extractionsample",
            name="extraction_sample_append_only",
        ),
        migrations.RemoveIndex(
            model_name="extractionsample",
            name="extraction_sample_queue",
        ),
        migrations.AddField(
            model_name="extractionsample",
            name="label_count",
            field=models.PositiveSmallIntegerField(
                db_default=0, default=0, help_text="How many of those labels it has. It is open while that is fewer."
            ),
        ),
        migrations.AddField(
            model_name="extractionsample",
            name="labels_wanted",
            field=models.PositiveSmallIntegerField(
                db_default=1, help_text="How many people are to label it: two of one in ten. Set by the database."
            ),
        ),
        # What was drawn before wants one label; from now on the trigger decides.
        migrations.AlterField(
            model_name="extractionsample",
            name="labels_wanted",
            field=models.PositiveSmallIntegerField(
                db_default=0, help_text="How many people are to label it: two of one in ten. Set by the database."
            ),
        ),
        migrations.AddIndex(
            model_name="extractionsample",
            index=models.Index(
                condition=models.Q(("is_gone", False), ("label_count__lt", models.F("labels_wanted"))),
                fields=["tenant", "reason", "language", "label_count", "id"],
                name="extraction_sample_open",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="extractionsample",
            trigger=pgtrigger.compiler.Trigger(
                name="extraction_sample_append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    declare="DECLARE kept factcheck_extractionsample;",
                    func="\n            IF TG_OP = 'UPDATE' THEN\n                kept := NEW;\n                kept.is_gone := OLD.is_gone; kept.label_count := OLD.label_count; \n                IF kept IS NOT DISTINCT FROM OLD THEN\n                    RETURN NEW;\n                END IF;\n            END IF;\n            RAISE EXCEPTION 'extraction_sample_append_only' USING ERRCODE = 'check_violation';\n        ",
                    hash="6d72ce381ba60c5a20a9d9f9ab29197d78a96bdd",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_extraction_sample_append_only_8fe90",
                    table="factcheck_extractionsample",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="extractionsample",
            trigger=pgtrigger.compiler.Trigger(
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
        ),
        migrations.AddConstraint(
            model_name="extractionsample",
            constraint=models.CheckConstraint(
                condition=models.Q(("labels_wanted__in", [1, 2])), name="extraction_sample_labels_wanted"
            ),
        ),
    ]
